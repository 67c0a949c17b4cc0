"""Journals and logs next to a workspace: only its own are used, and no mark is lost."""

import shutil
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from annotate.evaluation.store.row_files import read_rows, write_database
from annotate.evaluation.store.rows import ROW_COLUMNS
from annotate.workspace import backups, side_files
from annotate.workspace.workspace import Workspace
from engine.errors import InputError, PageletError, WorkspaceError
from tests.annotate import journals
from tests.annotate.journals import NO_FILES, changes, journal, states, torn
from tests.typed_commands import typed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="makes pipes and links")


@pytest.fixture
def path(tmp_path):
    """Return a workspace with seven saves."""
    result = tmp_path / "here" / "w.pagelet"
    result.parent.mkdir()
    result.write_bytes(states()[6])
    return result


@pytest.fixture
def victim(tmp_path):
    result = tmp_path / "thesis.txt"
    result.write_text("a year of work\n")
    return result


def beside(path: Path, data: bytes, ending: str = "-journal") -> Path:
    """Write a file next to a workspace."""
    result = Path(f"{path}{ending}")
    result.write_bytes(data)
    return result


def kept(path: Path) -> list[bytes]:
    """Return the journals and logs among the backups."""
    found = backups.folder_of(path).glob("*")
    return [each.read_bytes() for each in found if each.name.startswith("not-used")]


def notice(path: Path) -> str:
    """Open a workspace for writing; return its message about its side files."""
    with Workspace.open(path) as workspace:
        assert not workspace.damage
        return workspace.store.notice


COMMANDS = (
    ("merge", "W", "--out", "merged.pagelet"),
    ("agreement", "W"),
    ("export", "W", "--out", "gold"),
    ("team", "team", "--sync", "W", "--as", "Anna"),
    ("import", "boxes.json", "--format", "coco", "--onto", ".", "--workspace", "W"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_no_command_deletes_the_file_that_a_journal_names(path, victim, words, tmp_path):
    (tmp_path / "team").mkdir()
    (tmp_path / "boxes.json").write_text('{"images": [], "annotations": [], "categories": []}')
    for lying in (bytes(512), journal(states()[5], states()[6])):
        data = journals.naming(lying, victim)
        there = beside(path, data)
        names = {"W": path, "team": tmp_path / "team", "boxes.json": tmp_path / "boxes.json",
                 ".": tmp_path, "merged.pagelet": tmp_path / "m.pagelet",
                 "gold": tmp_path / "gold"}  # fmt: skip
        done = typed(*(names.get(word, word) for word in words))
        assert victim.read_text() == "a year of work\n"
        assert "Traceback" not in done.stderr
        assert there.exists() or data in kept(path)
        assert journals.saved(states()[6]) <= changes(path)


def test_a_journal_that_names_another_file_is_reported_and_backed_up(path, victim):
    beside(path, journals.naming(bytes(512), victim))
    said = notice(path)
    assert "w.pagelet-journal beside it is not used (it names another file" in said
    assert victim.exists()
    assert len(kept(path)) == 1


@pytest.mark.parametrize("then", range(6))
def test_an_old_journal_that_reappears_removes_no_mark(path, then):
    """A sync client may copy it during a save; the last one is of the latest save."""
    old = journal(states()[then], states()[then + 1])
    beside(path, old)
    with Workspace.reading(path) as reading:
        assert len(reading.history(journals.KEY)) == 7
    assert Path(f"{path}-journal").exists(), "reading moves nothing"
    said = notice(path)
    assert ("is saved" if then == 5 else "was saved since") in said
    assert kept(path) == [old]
    assert changes(path) == journals.saved(states()[6])


def test_a_journal_of_a_later_state_leaves_an_older_file_as_it_is(path):
    """The file was synced late, or restored from a backup."""
    path.write_bytes(states()[2])
    beside(path, journal(states()[5], states()[6]))
    assert "of a later state" in notice(path)
    assert changes(path) == journals.saved(states()[2])


def test_another_database_s_journal_is_not_used(path, tmp_path):
    other = journals.hot_journal(tmp_path)
    beside(path, other)
    assert "is not used" in notice(path)
    assert changes(path) == journals.saved(states()[6])
    assert kept(path) == [other]


def test_another_workspace_s_journal_of_the_same_save_is_not_used(path):
    """Page size, length and number of saves are equal: only a trial on a copy finds it."""
    beside(path, journal(states("b")[5], states("b")[6]))
    assert "the workspace would be damaged" in notice(path)
    assert changes(path) == journals.saved(states()[6])


@pytest.mark.parametrize("segments", [1, 3])
@pytest.mark.parametrize("written", range(4))
def test_its_own_journal_rolls_back_a_partial_save_and_both_are_backed_up(path, written, segments):
    half, own = torn(states()[5], states()[6], written), journal(states()[5], states()[6], 7,
                                                                 segments)  # fmt: skip
    path.write_bytes(half)
    beside(path, own)
    with Workspace.reading(path) as reading:
        assert len(reading.history(journals.KEY)) == 6
    assert path.read_bytes() == half
    assert notice(path) == ""
    assert changes(path) == journals.saved(states()[5])
    (folder,) = backups.folder_of(path).iterdir()
    assert (folder / "w.pagelet").read_bytes() == half
    assert (folder / "w.pagelet-journal").read_bytes() == own


def test_a_save_killed_after_its_last_write_is_kept(path):
    beside(path, journal(states()[5], states()[6]))
    notice(path)
    assert changes(path) == journals.saved(states()[6])


@pytest.mark.parametrize("written", range(1, 4))
def test_a_partial_save_without_its_journal_keeps_all_earlier_marks(path, written):
    path.write_bytes(torn(states()[5], states()[6], written))
    with Workspace.open(path) as workspace:
        assert len(workspace.load_gold(journals.KEY, journals.nodes()).marks) >= 6


@pytest.mark.parametrize("there", [None, b""])
def test_a_journal_without_its_workspace_is_backed_up(path, there):
    path.unlink()
    if there is not None:
        path.write_bytes(there)
    own = journal(states()[5], states()[6])
    beside(path, own)
    with pytest.raises(WorkspaceError, match="there is no workspace"):
        Workspace.open(path, create=False)
    assert "missing or empty" in notice(path)
    assert kept(path) == [own]


def test_a_log_next_to_a_workspace_without_one_is_not_used(path):
    log = journals.with_log(states("b")[3])[1]
    beside(path, log, "-wal")
    with Workspace.reading(path) as reading:
        assert len(reading.history(journals.KEY)) == 7
    assert "has no write-ahead log" in notice(path)
    assert kept(path) == [log]
    assert changes(path) == journals.saved(states()[6])


@pytest.mark.parametrize("of", [("", 2), ("b", 3), ("b", 6)])
def test_an_old_or_foreign_log_removes_no_mark(path, of):
    name, number = of
    path.write_bytes(journals.with_log(states()[6])[0])
    beside(path, journals.with_log(states(name)[number])[1], "-wal")
    assert "is not used" in notice(path)
    assert changes(path) >= journals.saved(states()[6])


def test_the_log_of_a_killed_0_2_is_used_despite_a_foreign_journal(path):
    data, log = journals.with_log(states()[6], "in the log")
    path.write_bytes(data)
    beside(path, log, "-wal")
    beside(path, journal(states()[1], states()[2]))
    with Workspace.open(path) as workspace:
        assert [page.title for page in workspace.pages()] == ["in the log"]
    assert changes(path) >= journals.saved(states()[6])


@pytest.mark.parametrize("kind", ["old", "last", "another's", "names", "log"])
def test_side_files_synced_into_an_open_workspace_remove_no_mark(path, victim, kind):
    old = {
        "old": journal(states()[2], states()[3]),
        "last": journal(states()[5], states()[6]),
        "another's": journal(states("b")[5], states("b")[6]),
        "names": journals.naming(bytes(512), victim),
        "log": journals.with_log(states("b")[3])[1],
    }[kind]
    said = []
    with Workspace.open(path) as workspace:
        workspace.store.on_notice = said.append
        for number in (7, 8, 9):
            beside(path, old, "-wal" if kind == "log" else "-journal")
            assert len(workspace.pages()) == 1
            journals.add_mark(workspace, number)
        beside(path, old, "-wal" if kind == "log" else "-journal")
    assert len(changes(path)) == 10
    assert journals.saved(states()[6]) < changes(path)
    assert any("is not used" in sentence for sentence in said)
    assert victim.exists()


def test_a_pipe_next_to_an_open_workspace_delays_saving_until_it_is_deleted(path):
    with Workspace.open(path) as workspace:
        pipe = Path(f"{path}-wal")
        NO_FILES["a pipe"](pipe, path)
        with pytest.raises(WorkspaceError, match="a pipe, not a plain file"):
            journals.add_mark(workspace, 7)
        pipe.unlink()
        journals.add_mark(workspace, 7)
    assert len(changes(path)) == 8


def test_a_file_that_replaces_an_open_workspace_keeps_its_own_journal(path, tmp_path):
    """SQLite would apply it to the replaced file."""
    with Workspace.open(path) as workspace:
        newer = tmp_path / "newer"
        newer.write_bytes(torn(states()[5], states()[6], 2))
        newer.replace(path)
        beside(path, journal(states()[5], states()[6]))
        with pytest.raises(WorkspaceError, match="replaced, moved or deleted"):
            journals.add_mark(workspace, 7)
        assert len(workspace.history(journals.KEY)) == 7
    assert notice(path) == ""
    assert changes(path) == journals.saved(states()[5])


def test_the_journal_of_a_linked_workspace_is_found_as_sqlite_finds_it(path, tmp_path):
    link = tmp_path / "link.pagelet"
    link.symlink_to(path)
    beside(path, journal(states()[2], states()[3]))
    assert "was saved since" in notice(link)
    assert changes(path) == journals.saved(states()[6])


def test_a_workspace_whose_journal_cannot_be_moved_opens_for_reading_only(path):
    beside(path, journal(states()[2], states()[3]))
    backups.folder_of(path).write_text("in the way")
    with Workspace.open(path) as workspace:
        assert "can be neither used nor moved" in workspace.damage
        assert len(workspace.history(journals.KEY)) == 7
    assert Path(f"{path}-journal").exists()


def test_backups_are_not_written_through_a_link_to_another_folder(path, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "old.part").write_text("a download")
    backups.folder_of(path).symlink_to(elsewhere)
    with pytest.raises(OSError, match="is a link"):
        backups.rotate(path)
    beside(path, journal(states()[2], states()[3]))
    with Workspace.open(path) as workspace:
        assert "is a link, not a folder" in workspace.damage
    assert [each.name for each in elsewhere.iterdir()] == ["old.part"]


def test_a_journal_that_sqlite_left_is_used_as_sqlite_would(path, tmp_path):
    """The journal is real: another program was killed during a large change."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.execute("INSERT INTO settings (key, value) VALUES ('x', ?)", ("y" * 90_000,))
        db.execute("UPDATE pages SET title = 'half'")
        db.execute("DELETE FROM changes")
        copy = tmp_path / "copy" / "w.pagelet"
        copy.parent.mkdir()
        shutil.copy(path, copy)
        shutil.copy(f"{path}-journal", f"{copy}-journal")
        db.execute("ROLLBACK")
    assert notice(copy) == ""
    assert changes(copy) == journals.saved(states()[6])


@pytest.mark.parametrize("kind", ["a pipe", "a link", "a journal", "a log"])
def test_scores_are_read_without_their_journal_or_log(tmp_path, victim, kind):
    scores = tmp_path / "scores.sqlite"
    row = dict.fromkeys(ROW_COLUMNS, "")
    write_database(scores, {"scores": (list(row), [list(row.values())])})
    for ending in side_files.ENDINGS:
        there = Path(f"{scores}{ending}")
        if kind in NO_FILES:
            NO_FILES[kind](there, victim)
        else:
            hot = journals.naming(journals.hot_journal(tmp_path), victim)
            there.write_bytes(hot if kind == "a journal" else journals.with_log(states()[3])[1])
    with pytest.raises(InputError, match="no results yet"):
        read_rows(scores)
    assert victim.read_text() == "a year of work\n"
    assert {each.name for each in tmp_path.iterdir()} == {
        "thesis.txt", *(f"scores.sqlite{ending}" for ending in ("", *side_files.ENDINGS))
    }  # fmt: skip


def test_journals_of_any_length_are_rejected_quickly(path):
    own = journal(states()[5], states()[6])
    for data, size in ((own, 2**42), (journals.header(0, 19) * 40_000, 0), (own[:512], 2**42)):
        there = beside(path, data)
        with there.open("r+b") as file:
            file.truncate(max(size, len(data)))
        start = time.monotonic()
        assert "is not used" in notice(path)
        assert time.monotonic() - start < 10
        assert changes(path) == journals.saved(states()[6])
    for kept_file in backups.folder_of(path).iterdir():
        kept_file.unlink()


def test_a_journal_without_the_first_page_changes_no_whole_file(path):
    """All else may be valid, but its save is unknown."""
    whole = journal(states()[2], states()[6])
    pages = [whole[at : at + 4104] for at in range(512, len(whole), 4104)]
    assert int.from_bytes(pages[0][:4], "big") == 1
    beside(path, journals.header(len(pages) - 1, 19, 0x1234_5678) + b"".join(pages[1:]))
    assert "is not used" in notice(path)
    assert changes(path) == journals.saved(states()[6])


def test_a_pipe_among_the_backups_is_skipped(path):
    backups.rotate(path)
    NO_FILES["a pipe"](backups.folder_of(path) / "2099-01-01T00-00-00.pagelet", path)
    newest = backups.newest(path)
    assert newest is not None
    assert newest.marks == 7


def test_the_last_journals_are_kept(path):
    written = [
        journal(states()[2], states()[3], salt=number) for number in range(backups.JOURNALS + 3)
    ]
    for data in written:
        beside(path, data)
        notice(path)
    assert sorted(kept(path)) == sorted(written[-backups.JOURNALS :])


def test_a_refusal_is_one_sentence(path, victim):
    NO_FILES["a link"](Path(f"{path}-journal"), victim)
    with pytest.raises(PageletError) as caught:
        Workspace.open(path)
    assert str(caught.value) == (
        f"{path} cannot be opened: w.pagelet-journal beside it is a link, not a plain file;"
        " move it away"
    )
