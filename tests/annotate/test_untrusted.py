"""Workspaces of others: nothing of their schema runs, none of their records spoils one's own."""

import sqlite3
from contextlib import closing

import pytest

from annotate import edits
from annotate.gold import Target
from annotate.merging import merge
from annotate.workspace import Workspace
from engine.errors import PageletError, WorkspaceError
from tests.annotate.foreign import KEYS, RECORDS, SCHEMAS, changed, made
from tests.annotate.pages import nodes_of


@pytest.fixture(scope="module")
def nodes():
    return nodes_of("<h1>Harbour</h1><p>A ferry</p><p>comes <b>back</b></p>")


@pytest.fixture(scope="module")
def base(nodes, tmp_path_factory):
    return made(tmp_path_factory.mktemp("base") / "base.pagelet", nodes, "Other")


def use(path, nodes):
    """Open a workspace, load each page of everybody, undo and save; return its numbers of marks."""
    with Workspace.open(path) as workspace:
        assert not workspace.damage
        counts = []
        for who in workspace.annotators:
            workspace.work_as(who)
            for entry in workspace.pages():
                gold = workspace.load_gold(entry.key, nodes)
                counts.append(len(gold.marks))
                past = workspace.undo_history(entry.key, nodes)
                assert past.states[past.index].marks == gold.marks
                more = edits.add_block(gold, nodes, [Target(3)], 2)
                workspace.save_gold(entry.key, more, nodes, "mark")
                workspace.save_gold(entry.key, gold, nodes, "mark")
    return counts


@pytest.mark.parametrize("what", SCHEMAS)
def test_nothing_of_anothers_schema_runs_and_its_plain_tables_are_read(base, tmp_path, nodes, what):
    path = changed(base, tmp_path / "theirs.pagelet", SCHEMAS[what])
    before = path.read_bytes()
    for way in (Workspace.open, Workspace.reading):
        try:
            with way(path) as workspace:
                assert "open for reading only, without what another program put" in workspace.damage
                for key in KEYS:
                    assert len(workspace.load_gold(key, nodes).marks) == 2
                with pytest.raises(WorkspaceError, match="reading only"):
                    workspace.set_setting("layers", [])
        except WorkspaceError as error:
            assert what == "endless pages"
            assert "no page in it can be read" in str(error)  # noqa: PT017
    assert path.read_bytes() == before


def test_plain_tables_of_anothers_file_can_be_merged_into_a_new_one(base, tmp_path, nodes):
    path = changed(base, tmp_path / "theirs.pagelet", SCHEMAS["a trigger that swallows"])
    merged = merge([path], tmp_path / "mine.pagelet")
    assert "without what another program put into it" in merged.notes[0]
    assert use(tmp_path / "mine.pagelet", nodes).count(2) == 2


@pytest.mark.parametrize("is_summed", [False, True])
@pytest.mark.parametrize("what", RECORDS)
def test_whatever_records_are_merged_ones_own_file_can_be_used_or_stays_as_it_is(
    base, tmp_path, nodes, what, is_summed
):
    mine = made(tmp_path / "mine.pagelet", nodes)
    theirs = changed(base, tmp_path / "theirs.pagelet", RECORDS[what], is_summed=is_summed)
    before = mine.read_bytes(), theirs.read_bytes()
    try:
        merged = merge([theirs], mine)
    except PageletError as error:
        assert "\n" not in str(error)  # noqa: PT017
        assert mine.read_bytes() == before[0]
    else:
        assert is_summed or "is damaged" in "".join(merged.notes)
    assert theirs.read_bytes() == before[1]
    assert use(mine, nodes)[:2] == [2, 2]


@pytest.mark.parametrize("what", RECORDS)
def test_records_that_are_none_are_said_when_they_are_opened(base, tmp_path, nodes, what):
    path = changed(base, tmp_path / "theirs.pagelet", RECORDS[what])
    with Workspace.open(path) as workspace:
        assert "damaged and open for reading only" in workspace.damage
        for entry in workspace.pages():
            workspace.load_gold(entry.key, nodes)
            workspace.undo_history(entry.key, nodes)


@pytest.mark.parametrize("what", RECORDS)
def test_with_right_checksums_each_page_loads_or_says_why_not(base, tmp_path, nodes, what):
    path = changed(base, tmp_path / "theirs.pagelet", RECORDS[what], is_summed=True)
    with Workspace.open(path) as workspace:
        for key in KEYS:
            for ask in (workspace.load_gold, workspace.undo_history):
                try:
                    ask(key, nodes)
                except PageletError as error:
                    assert "damaged" in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("table", "column"),
    [("marks", "record"), ("changes", "delta"), ("changes", "what"), ("pages", "title"),
     ("pages", "url"), ("annotators", "name"), ("settings", "value"), ("pages", "checksum")],
)  # fmt: skip
def test_a_letter_that_turned_in_a_row_is_said(base, tmp_path, nodes, table, column):
    turned = f"UPDATE {table} SET {column} = replace(replace({column}, 'e', 'd'), 'k', 'j')"
    if column in ("title", "checksum"):
        turned = f"UPDATE {table} SET {column} = {column} || '1'"
    path = changed(base, tmp_path / "turned.pagelet", turned)
    with Workspace.open(path) as workspace:
        assert "is damaged and open for reading only" in workspace.damage
        assert len(workspace.pages()) == 2


def test_every_bit_of_the_records_that_turns_is_said(base, tmp_path, nodes):
    whole = base.read_bytes()
    path = tmp_path / "turned.pagelet"
    with closing(sqlite3.connect(f"{base.as_uri()}?mode=ro", uri=True)) as db:
        texts = [row[0] for row in db.execute("SELECT record FROM marks")]
        texts += [row[0] for row in db.execute("SELECT delta FROM changes")]
    at = sorted({whole.index(text.encode()[:60]) for text in texts})
    for start in at:
        for offset in range(0, 60, 7):
            torn = bytearray(whole)
            torn[start + offset] ^= 1 << offset % 8
            path.write_bytes(torn)
            with Workspace.open(path) as workspace:
                assert "is damaged" in workspace.damage
