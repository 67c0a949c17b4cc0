"""Foreign workspaces: their schema does not run, and their records damage no other file."""

import shutil
from pathlib import Path

import pytest

from annotate.marks import edits
from annotate.marks.gold import Target
from annotate.plugins.team_work.merging import merge
from annotate.plugins.team_work.shared_pages import read_in_part
from annotate.workspace import sheets
from annotate.workspace.workspace import Workspace
from engine.errors import InputError, PageletError
from tests.annotate.foreign import RECORDS, SCHEMAS, changed, made
from tests.annotate.pages import nodes_of


@pytest.fixture(scope="module")
def nodes():
    return nodes_of("<h1>Harbour</h1><p>A ferry</p><p>comes <b>back</b></p>")


@pytest.fixture(scope="module")
def base(nodes, tmp_path_factory):
    return made(tmp_path_factory.mktemp("base") / "base.pagelet", nodes, "Other")


@pytest.fixture(scope="module")
def own(nodes, tmp_path_factory):
    return made(tmp_path_factory.mktemp("own") / "own.pagelet", nodes)


def use(path, nodes):
    """Open a workspace, load each page, undo and save; return the numbers of marks."""
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


def test_plain_tables_of_a_foreign_workspace_are_merged_into_a_new_one(base, tmp_path, nodes):
    path = changed(base, tmp_path / "theirs.pagelet", SCHEMAS["a trigger that swallows"])
    merged = merge([path], tmp_path / "mine.pagelet")
    assert "without what another program put into it" in merged.notes[0]
    assert use(tmp_path / "mine.pagelet", nodes).count(2) == 2


@pytest.mark.parametrize("is_summed", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("what", RECORDS)
def test_merging_bad_records_leaves_the_own_workspace_usable_or_unchanged(
    base, own, tmp_path, nodes, what, is_summed
):
    mine = Path(shutil.copy(own, tmp_path / "mine.pagelet"))
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


def test_reading_several_workspaces_names_those_changed_by_other_programs(base, tmp_path):
    path = changed(base, tmp_path / "theirs.pagelet", SCHEMAS["a trigger that deletes"])
    (sentence,) = read_in_part([base, tmp_path, path])
    assert "theirs.pagelet is open for reading only, without what another program" in sentence


def test_a_failed_merge_leaves_no_file(base, tmp_path, monkeypatch):
    def refuse(*_):
        raise InputError("it does not hold together")

    monkeypatch.setattr(sheets, "check", refuse)
    monkeypatch.setattr(sheets, "fault", lambda *_, **__: "")
    with pytest.raises(InputError, match=r"base\.pagelet is not merged: https://example\.org/1"):
        merge([base], tmp_path / "mine.pagelet")
    assert not (tmp_path / "mine.pagelet").exists()
