"""Merging workspaces keeps the marks of each, overwrites nothing, and is idempotent."""

import shutil
import sqlite3
from contextlib import closing, suppress

import pytest

from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.plugins.team_work.merging import merge
from annotate.plugins.team_work.shared_pages import marked_pages
from annotate.workspace import annotators
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import PageStatus, Workspace
from engine.document import Document
from engine.errors import InputError, PageletError
from gui.cli.main import main
from tests.annotate.pages import nodes_of, row_of
from tests.annotate.workspace.test_workspace_file import another_program

FERRY, MILL = "https://example.org/ferry", "https://example.org/mill"


@pytest.fixture
def nodes():
    return nodes_of("<h1>Harbour</h1><p id=a>A ferry</p><p id=b>comes <b>back</b></p>")


def mark(workspace, nodes, key, name, level=1, type=""):
    gold = workspace.load_gold(key, nodes)
    gold = edits.add_block(gold, nodes, [Target(row_of(nodes, name))], level, type)
    workspace.save_gold(key, gold, nodes, f"mark {name}")


def workspace_at(path, nodes, marks):
    with Workspace.open(path) as workspace:
        workspace.add_pages([Document(key, key) for key in (FERRY, MILL)])
        for key, name, type in marks:
            mark(workspace, nodes, key, name, type=type)


@pytest.fixture
def files(tmp_path, nodes):
    anna, ben = tmp_path / "anna.pagelet", tmp_path / "ben.pagelet"
    workspace_at(anna, nodes, [(FERRY, "h1", "Title"), (FERRY, "a", ""), (MILL, "b", "")])
    workspace_at(ben, nodes, [(FERRY, "h1", "Header")])
    return anna, ben


def dump(path):
    """Return the contents of a workspace as text."""
    with closing(sqlite3.connect(path)) as db:
        return "\n".join(db.iterdump())


def people(path, nodes, key=FERRY):
    with Workspace.open(path) as workspace:
        return {
            who.name: [m.type for m in gold.marks]
            for who, gold in workspace.golds(key, nodes).items()
        }


def test_merging_keeps_marks_of_each_annotator_and_leaves_files_unchanged(files, tmp_path, nodes):
    out = tmp_path / "both.pagelet"
    before = [path.read_bytes() for path in files]
    merged = merge(files, out)
    assert merged.summary == "marks of anna and ben: 4 pages and 4 marks added"
    assert people(out, nodes) == {"anna": ["Title", ""], "ben": ["Header"]}
    assert people(out, nodes, MILL) == {"anna": [""]}
    assert [path.read_bytes() for path in files] == before
    with Workspace.open(out) as workspace:
        assert workspace.annotator.role is Role.REVIEWER
        assert workspace.pages() == ()  # the reviewer's own


def test_merging_twice_changes_nothing(files, tmp_path):
    out = tmp_path / "both.pagelet"
    merge(files, out)
    once = dump(out)
    assert merge(files, out).summary == "marks of anna and ben: nothing new"
    assert merge(files[::-1], out).summary == "marks of ben and anna: nothing new"
    assert dump(out) == once


def test_marks_made_after_a_merge_are_added_with_their_history(files, tmp_path, nodes):
    out = tmp_path / "both.pagelet"
    merge(files, out)
    with Workspace.open(files[1]) as ben:
        mark(ben, nodes, FERRY, "b")
        ben.set_status(FERRY, PageStatus.DONE)
    assert merge(files, out).marks == 1
    assert people(out, nodes)["ben"] == ["Header", ""]
    with Workspace.open(out) as workspace:
        ben = next(each for each in workspace.annotators if each.name == "ben")
        workspace.work_as(ben)
        assert [change.what for change in workspace.history(FERRY)] == ["mark h1", "mark b"]
        assert workspace.undo_history(FERRY, nodes).index == 2


def test_merging_an_older_copy_removes_no_marks(files, tmp_path, nodes):
    old = tmp_path / "old.pagelet"
    shutil.copy(files[0], old)
    with Workspace.open(files[0]) as anna:
        mark(anna, nodes, FERRY, "b")
    out = tmp_path / "both.pagelet"
    merge([files[0], old], out)
    assert people(out, nodes) == {"anna": ["Title", "", ""]}


def test_two_copies_with_different_changes_are_both_kept(files, tmp_path, nodes):
    laptop = tmp_path / "laptop.pagelet"
    shutil.copy(files[0], laptop)
    with Workspace.open(files[0]) as anna:
        mark(anna, nodes, FERRY, "b", type="Article")
    with Workspace.open(laptop) as anna:
        mark(anna, nodes, FERRY, "b", type="Content")
    out = tmp_path / "both.pagelet"
    for _ in range(2):
        merge([files[0], laptop], out)
        assert people(out, nodes) == {
            "anna": ["Title", "", "Article"],
            "anna (laptop)": ["Title", "", "Content"],
        }


def test_two_annotators_of_the_same_name_are_kept_apart(files, tmp_path, nodes):
    for path in files:
        with Workspace.open(path) as workspace:
            annotators.change(workspace.store, workspace.annotator, "Kim", Role.ANNOTATOR)
    out = tmp_path / "both.pagelet"
    merge(files, out)
    assert people(out, nodes) == {"Kim": ["Title", ""], "Kim 2": ["Header"]}


def test_a_page_in_two_folders_is_merged_into_one(tmp_path, nodes):
    keys = ["/srv/anna/pages/ferry.html", "/srv/ben/gold/ferry.html"]
    paths = [tmp_path / "anna.pagelet", tmp_path / "ben.pagelet"]
    for path, key in zip(paths, keys, strict=True):
        with Workspace.open(path) as workspace:
            workspace.add_pages([Document(key, f"file://{key}")])
            workspace.visit(key, title="Ferry", digest="d" * 64, viewport=(1366, 768))
            mark(workspace, nodes, key, "h1")
    merge(paths, tmp_path / "both.pagelet")
    assert list(people(tmp_path / "both.pagelet", nodes, keys[0])) == ["anna", "ben"]


def test_the_intact_part_of_a_damaged_file_is_merged_with_a_note(files, tmp_path, nodes):
    with closing(sqlite3.connect(files[0])) as db:
        db.execute("UPDATE marks SET record = '{}' WHERE place = 2")
        db.execute("UPDATE changes SET delta = '{}' WHERE revision = 2")
        db.commit()
    out = tmp_path / "both.pagelet"
    merged = merge(files, out)
    assert "is damaged and open for reading only: 2 pages and 2 marks" in merged.notes[0]
    assert people(out, nodes)["anna"] == ["Title"]
    once = dump(out)
    merge(files, out)
    assert dump(out) == once


def test_merge_prints_the_numbers_of_added_pages_and_marks(files, tmp_path, capsys):
    out = tmp_path / "both.pagelet"
    words = ["merge", *map(str, files), "--out", str(out)]
    assert main(words) == 0
    assert capsys.readouterr().out == (f"{out}: marks of anna and ben: 4 pages and 4 marks added\n")
    assert main(words) == 0
    assert "nothing new" in capsys.readouterr().out


def test_merge_refuses_folders_missing_files_and_other_files(files, tmp_path, capsys):
    note = tmp_path / "note.txt"
    note.write_text("no workspace")
    for words, message in (
        ([files[0], tmp_path], f"{tmp_path} is a folder: give workspaces alone, or folders"),
        ([files[0], tmp_path / "gone.pagelet"], "gone.pagelet is not there"),
        ([files[0], note], "note.txt is not a workspace"),
        ([*files, "--out", files[0]], "is one of the files to merge"),
        ([*files, "--out", note], "is not a workspace"),
    ):
        assert main(["merge", *map(str, words)]) in (1, 2)
        assert message in capsys.readouterr().err
    with pytest.raises(InputError, match="is not a workspace"):
        merge([note], tmp_path / "out.pagelet")
    assert not (tmp_path / "out.pagelet").exists()


def test_two_annotators_in_one_file_have_separate_marks_and_status(tmp_path, nodes):
    path = tmp_path / "shared.pagelet"
    workspace_at(path, nodes, [(FERRY, "h1", "Title")])
    with Workspace.open(path) as workspace:
        first = workspace.annotator
        with workspace.store.saving():
            ben = annotators.add(workspace.store, "Ben")
        workspace.set_status(FERRY, PageStatus.DONE)
        workspace.work_as(ben)
        assert [entry.status for entry in workspace.pages()] == [PageStatus.OPEN] * 2
        assert workspace.load_gold(FERRY, nodes) == Gold()
        mark(workspace, nodes, FERRY, "a", type="Article")
        assert workspace.page(FERRY).status is PageStatus.IN_PROGRESS
    with Workspace.open(path) as again:
        assert again.annotator == ben
        again.work_as(first)
        assert again.page(FERRY).status is PageStatus.DONE
        assert [m.type for m in again.load_gold(FERRY, nodes).marks] == ["Title"]
        assert list(again.golds(FERRY, nodes)) == [first, ben]


@pytest.mark.parametrize(
    "read",
    [
        lambda path: merge([path], path.with_name("merged.pagelet")),
        lambda path: marked_pages([path], []),
    ],
)
def test_reading_an_open_workspace_does_not_release_its_locks(read, tmp_path):
    path = tmp_path / "anna.pagelet"
    with Workspace.open(path) as workspace:
        workspace.add_pages([Document(FERRY, FERRY)])
        with workspace.store.saving():
            workspace.store.run("UPDATE pages SET title = 'Harbour'")
            with suppress(PageletError):  # it may be refused; only the lock matters here
                read(path)
            assert another_program(path) == "database is locked"
