"""Runs of the Evaluate view are stored in the workspace, with what tells if they are up to date."""

import sqlite3
from dataclasses import replace

import pytest

import resources
from algorithms.core.batch import Counts, RunStatus
from algorithms.measures.prf import Score
from annotate.evaluation.store.rows import ResultRow, RunFacts, version_now
from annotate.evaluation.store.stored_runs import StoredRun, store_runs, stored_runs
from annotate.evaluation.tables.result_table import NOT_RUN, OK, Results, Stale
from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.marks.journal import CAME_WITH_PAGE
from annotate.workspace.store import VERSION
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import WorkspaceError
from tests.annotate.pages import nodes_of

KEY, OTHER = "https://a.org/", "https://b.org/"
NAMES = {KEY: ("open pages", "a"), OTHER: ("open pages", "b")}
RUN = RunFacts("open pages", "a", "dom", "bte", "pagelet 1", '{"tag_cost": 1.0}', 2.5, 3, "d1", 900)
RUN = replace(RUN, gold_on_page=1 / 3, extract_on_page=0.5, word_unit="clauses", gold_seen=True)
ROWS = (
    ResultRow(RUN, "ws", RunStatus.OK, "", Score(1 / 3, 0.25, 0.5)),
    ResultRow(RUN, "exact", RunStatus.OK, "", Score(0.1, 0.2, None), Counts(4, 2, 8)),
    ResultRow(RUN, "cs", RunStatus.SKIPPED, "half \ud83d a letter"),
)
LOST = replace(RUN, method="dsc", ms=None, unmapped_words=None, viewport=(1366, 768), renderer="Qt")
FAILED = (ResultRow(LOST, "ws", RunStatus.FAILED, "it broke", if_empty=Score(0.0, 1.0, None)),)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "marks.pagelet"


@pytest.fixture
def workspace(path):
    with Workspace.open(path) as made:
        made.add_pages([Document(KEY, KEY), Document(OTHER, OTHER)])
        yield made


def test_stored_runs_are_read_back_unchanged(workspace, path):
    store_runs(workspace, KEY, [*ROWS, *FAILED], "gold 1", made=1.5e9)
    with Workspace.open(path) as again:
        first, second = stored_runs(again, NAMES)
    text = replace(ROWS[2], reason="half ? a letter")  # not encodable
    assert first == StoredRun((*ROWS[:2], text), 1.5e9, "gold 1")
    assert second == StoredRun(FAILED, 1.5e9, "gold 1")


def test_the_last_run_of_a_method_with_its_parameters_is_the_one_that_is_kept(workspace):
    other = replace(ROWS[0], run=replace(RUN, parameters='{"tag_cost": 2.0}'))
    store_runs(workspace, KEY, [ROWS[0], other], "gold 1", made=1.0)
    again = replace(ROWS[1], run=replace(RUN, version="pagelet 2"))
    store_runs(workspace, KEY, [again], "gold 2", made=2.0)
    assert stored_runs(workspace, NAMES) == (StoredRun((other,), 1.0, "gold 1"),
                                           StoredRun((again,), 2.0, "gold 2"))  # fmt: skip


def test_only_the_pages_asked_for_are_read_and_each_by_the_name_it_has_now(workspace):
    store_runs(workspace, KEY, ROWS[:1], "", made=1.0)
    store_runs(workspace, OTHER, ROWS[:1], "", made=2.0)
    (result,) = stored_runs(workspace, {OTHER: ("open pages", "renamed")})
    assert (result.made, result.rows[0].run.page) == (2.0, "renamed")
    with pytest.raises(WorkspaceError, match="has no page"):
        store_runs(workspace, "https://c.org/", ROWS, "")


def test_a_workspace_of_the_first_format_is_brought_to_this_one_with_its_marks(path):
    db = sqlite3.connect(path)
    db.executescript(resources.read_text("sql/0001.sql"))
    db.execute("INSERT INTO pages (key, place, url, note) VALUES (?, 1, ?, 'gone')", (KEY, KEY))
    db.execute("INSERT INTO settings VALUES ('layers', '[1]')")
    db.commit()
    db.close()
    with Workspace.open(path) as workspace:
        assert [page.key for page in workspace.pages()] == [KEY]
        assert workspace.setting("layers") == [1]
        store_runs(workspace, KEY, ROWS, "g", made=1.0)
        assert len(stored_runs(workspace, NAMES)) == 1
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert "note" not in [name for _, name, *_ in db.execute("PRAGMA table_info(pages)")]
    db.close()


def test_a_run_is_out_of_date_if_gold_page_or_version_has_changed():
    table = Results.of(ROWS)
    table.take(ROWS, 1.0, "gold 1")
    table.check(0, "gold 1", "d1")
    table.check_versions(lambda _: "pagelet 1")
    assert not table.why_stale(0, [0])
    table.check(0, "gold 2", "d2")
    table.check_versions(lambda _: "pagelet 2")
    assert table.why_stale(0, [0]) == Stale.GOLD | Stale.PAGE | Stale.VERSION
    table.check(0, "gold 1", "")  # undone; the page is unknown now
    assert table.why_stale(0, [0]) == Stale.PAGE | Stale.VERSION
    table.take(ROWS, 2.0, "gold 1")
    assert not table.why_stale(0, [0])
    assert table.status[0, 0] == OK != NOT_RUN


def test_runs_on_a_page_that_another_renderer_drew_are_out_of_date_and_no_others():
    drawn = [replace(row, run=replace(row.run, renderer="Qt 1 with fonts a")) for row in ROWS]
    table, source = Results.of(drawn), Results.of(ROWS)
    for each, rows in ((table, drawn), (source, ROWS)):
        each.take(rows, 1.0)
        each.check_versions(lambda _: "", "Qt 1 with fonts a")
        assert not each.why_stale(0, [0])
        each.check_versions(lambda _: "", "Qt 1 with fonts b")
    assert table.why_stale(0, [0]) == Stale.RENDERER
    assert not source.why_stale(0, [0])


def test_versions_are_those_of_this_pagelet_and_of_no_method_it_does_not_have():
    assert version_now("bte").startswith("pagelet")
    assert version_now("a-method-of-others") == ""


def test_gold_that_came_with_the_page_is_not_the_workspaces_until_it_is_changed(workspace):
    nodes = nodes_of("<p id=p>words</p>")
    assert workspace.gold_digests() == {}
    gold = Gold()
    marked = edits.add_main(gold, nodes, [Target(1)])
    workspace.save_gold(KEY, marked, nodes, CAME_WITH_PAGE)
    assert workspace.gold_digests() == {}
    workspace.save_gold(KEY, gold, nodes, "delete")
    workspace.save_gold(KEY, marked, nodes, "delete", "undo")
    once = workspace.gold_digests()
    workspace.save_gold(KEY, gold, nodes, "delete", "redo")
    assert workspace.gold_digests()[KEY] != once[KEY]
    workspace.save_gold(KEY, marked, nodes, "delete", "undo")
    assert workspace.gold_digests() == once
