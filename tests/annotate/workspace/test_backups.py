"""Backups before a migration, rotating backups, and migrations that lose nothing."""

import itertools
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta

import pytest

import resources
from annotate.workspace import backups
from annotate.workspace.workspace import PageStatus, Workspace
from engine.document import Document
from engine.errors import WorkspaceError
from gui.cli.main import main

RECORD = '{"id":"a","level":1,"type":"Header","targets":[],"quote":"Harbour"}'
NOW = datetime(2026, 5, 17, 12, tzinfo=UTC)


@pytest.fixture
def old(tmp_path):
    """Return a workspace of the second format with a page, a mark, a change and a stored run."""
    path = tmp_path / "marks.pagelet"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for number in (1, 2):
            db.executescript(resources.read_text(f"sql/{number:04}.sql"))
        db.execute("PRAGMA foreign_keys = ON")
        db.execute(
            "INSERT INTO pages (id, key, place, url, title, revision)"
            " VALUES (7, 'https://example.org/', 1, 'https://example.org/', 'Harbour', 1)"
        )
        db.execute("INSERT INTO marks VALUES (7, 'a', 1, ?)", (RECORD,))
        delta = f'{{"set":[{RECORD}],"drop":[]}}'
        db.execute("INSERT INTO changes VALUES (7, 1, '2026', 'mark', 'edit', ?)", (delta,))
        db.execute(
            "INSERT INTO runs VALUES (1, 7, 0, '', '', 0, '', '', 'dom', 'bte', '1', '{}', 1, 0)"
        )
        db.execute(
            "INSERT INTO scores (run, place, measure, status, reason) VALUES (1, 1, 'm', 'ok', '')"
        )
    return path


def test_an_older_file_is_brought_up_to_date_with_all_in_it_and_a_backup(old):
    before = dump(old)
    with Workspace.open(old) as workspace:
        (entry,) = workspace.pages()
        assert (entry.title, entry.marks, entry.status) == ("Harbour", 1, PageStatus.IN_PROGRESS)
        assert [change.what for change in workspace.history(entry.key)] == ["mark"]
        for table in ("runs", "scores"):
            assert workspace.store.all(f"SELECT count(*) FROM {table}") == [(1,)]
        assert workspace.store.all("PRAGMA foreign_key_check") == []
        workspace.add_pages([Document("https://example.org/2", "https://example.org/2")])
    (copy,) = backups.folder_of(old).iterdir()
    assert copy.name.startswith("format-2 ")
    assert dump(copy) == before
    with Workspace.open(copy) as remaining:
        assert len(remaining.pages()) == 1


def dump(path):
    with closing(sqlite3.connect(path)) as db:
        return list(db.iterdump())


def test_a_new_workspace_and_one_up_to_date_need_no_backup(tmp_path):
    path = tmp_path / "new.pagelet"
    for _ in range(2):
        Workspace.open(path).close()
    assert not backups.folder_of(path).exists()


@contextmanager
def full_disk():
    """Simulate a full disk with the limit on file sizes."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, old[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, ignored)


def test_without_room_for_a_backup_an_old_file_opens_for_reading_only(old):
    before = old.read_bytes()
    with full_disk(), Workspace.open(old) as workspace:
        assert "it is open for reading only" in workspace.damage
        assert "disk is full" in workspace.damage
        assert [entry.marks for entry in workspace.pages()] == [1]
    assert old.read_bytes() == before
    assert list(backups.folder_of(old).glob("*.pagelet*")) == []
    with Workspace.open(old) as workspace:  # there is room again
        assert workspace.damage == ""


def test_reading_leaves_an_older_file_as_it_is(old):
    before = old.read_bytes()
    with Workspace.reading(old) as workspace:
        assert [entry.marks for entry in workspace.pages()] == [1]
    assert old.read_bytes() == before
    assert [each.name for each in old.parent.iterdir()] == [old.name]


@pytest.mark.slow
def test_backups_rotate(tmp_path):
    path = tmp_path / "marks.pagelet"
    Workspace.open(path).close()
    assert backups.rotate(path, NOW) is not None
    assert backups.rotate(path, NOW + timedelta(hours=1)) is None  # there is a fresh one
    for hours in range(5, 24 * 70, 5):
        os.utime(path, (hours, hours))
        backups.rotate(path, NOW + timedelta(hours=hours))
    left = sorted(backups.folder_of(path).iterdir())
    assert len(left) <= backups.LATEST + backups.DAYS + backups.WEEKS
    ages = [NOW + timedelta(hours=24 * 70) - t for t, _ in backups._dated(path)]
    assert min(ages) < timedelta(hours=10)
    assert max(ages) > timedelta(weeks=6)


def test_a_backup_from_a_wrong_clock_neither_stands_in_for_new_ones_nor_is_taken_first(
    tmp_path, caplog
):
    path = tmp_path / "marks.pagelet"
    Workspace.open(path).close()
    ahead = backups.rotate(path, NOW + timedelta(days=365 * 40))
    for day in range(4):
        os.utime(path, (day + 1, day + 1))
        assert backups.rotate(path, NOW + timedelta(days=day)) is not None
    assert ahead.exists()
    assert len(list(backups.folder_of(path).iterdir())) == 5
    assert "a clock is wrong" in caplog.text
    assert backups.newest(path).made == NOW + timedelta(days=3)


def test_retained_backups_cover_six_weeks_with_gaps_up_to_two_weeks():
    """Thinning out must not delete the weekly backup before there is a newer one."""
    there: list[datetime] = []
    for day in range(120):
        there = backups.choose_retained([*there, NOW + timedelta(days=day)])
    ages = [(there[-1] - when).days for when in there]
    assert ages[-4:] == [3, 2, 1, 0]
    assert max(ages) >= 42
    assert max(b - a for b, a in itertools.pairwise(ages)) <= 14


def test_reading_creates_no_side_files(tmp_path):
    path = tmp_path / "marks.pagelet"
    Workspace.open(path).close()
    Workspace.reading(path).close()
    assert [each.name for each in tmp_path.iterdir()] == ["marks.pagelet"]


def test_an_unchanged_workspace_is_not_backed_up_again(tmp_path):
    path = tmp_path / "marks.pagelet"
    with Workspace.open(path) as workspace:
        first = datetime.now(UTC)
        assert backups.rotate(path, first)
        assert backups.rotate(path, first + timedelta(days=1)) is None
        workspace.set_setting("layers", [])
        assert backups.rotate(path, first + timedelta(days=1))


def test_fewer_backups_are_kept_if_they_exceed_the_size_limit(tmp_path, monkeypatch):
    path = tmp_path / "marks.pagelet"
    Workspace.open(path).close()
    monkeypatch.setattr(backups, "LARGEST", 3 * path.stat().st_size)
    for day in range(6):
        os.utime(path, (day, day))
        assert backups.rotate(path, NOW + timedelta(days=day))
    assert len(list(backups.folder_of(path).iterdir())) == 3
    monkeypatch.setattr(backups, "LARGEST", 1)
    assert backups.rotate(path, NOW + timedelta(days=7)) is None
    assert len(list(backups.folder_of(path).iterdir())) == 2


def test_a_damaged_file_is_not_backed_up(tmp_path):
    path = tmp_path / "marks.pagelet"
    Workspace.open(path).close()
    assert backups.rotate(path, NOW)
    damage(path)
    os.utime(path, (2e9, 2e9))
    with pytest.raises(sqlite3.DatabaseError):
        backups.rotate(path, NOW + timedelta(days=1))
    assert len(list(backups.folder_of(path).iterdir())) == 1


def damage(path):
    """Overwrite the beginning of each page but the first."""
    data = bytearray(path.read_bytes())
    for at in range(4096, len(data), 4096):
        data[at : at + 64] = bytes(64)
    path.write_bytes(data)


@pytest.fixture
def backed_up(tmp_path):
    """Return a damaged workspace with one page and an intact backup."""
    path = tmp_path / "marks.pagelet"
    with Workspace.open(path) as workspace:
        workspace.add_pages([Document("https://example.org/", "https://example.org/")])
    backups.rotate(path, NOW)
    damage(path)
    return path


def test_a_damaged_file_names_its_backup(backed_up, capsys):
    backup = backups.newest(backed_up)
    assert (backup.pages, backup.marks, backup.made) == (1, 0, NOW)
    with pytest.raises(WorkspaceError, match="May 2026") as refused:
        Workspace.open(backed_up)
    assert str(backup.path) in str(refused.value)
    assert main(["evaluate", str(backed_up)]) == 1
    assert str(backup.path) in capsys.readouterr().err
    backed_up.write_bytes(b"nothing of it is left")
    with pytest.raises(WorkspaceError, match="May 2026"):
        Workspace.open(backed_up)


def test_a_damaged_backup_is_skipped(backed_up):
    os.utime(backed_up, (2e9, 2e9))
    shutil.copy(backed_up, backups.folder_of(backed_up) / "2026-06-01T00-00-00.pagelet")
    assert backups.newest(backed_up).made == NOW


def test_a_backup_replaces_a_damaged_file_and_the_damaged_file_is_kept(backed_up):
    damaged = backed_up.read_bytes()
    aside = backups.take(backed_up, backups.newest(backed_up))
    assert aside.read_bytes() == damaged
    with Workspace.open(backed_up) as workspace:
        assert not workspace.damage
        assert len(workspace.pages()) == 1


def test_backups_made_while_another_program_writes_are_consistent(tmp_path):
    """Each copy must be one state of the file."""
    path = tmp_path / "marks.pagelet"
    with Workspace.open(path) as workspace:
        stop = threading.Event()
        made = []

        def copy():
            hours = 0
            while not stop.is_set():
                hours += 24
                os.utime(path)
                made.append(backups._copy(path, f"{hours}.pagelet"))

        thread = threading.Thread(target=copy)
        thread.start()
        for k in range(200):
            with workspace.store.saving():
                workspace._put_setting("a", k)
                workspace._put_setting("b", k)
        stop.set()
        thread.join()
    assert made
    for each in made:
        with Workspace.open(each) as copied:
            assert copied.setting("a") == copied.setting("b")


def test_a_migration_removes_partial_copies_of_dead_programs(old):
    folder = backups.folder_of(old)
    first = backups.before_migration(old, 2)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = [folder / f"a.pagelet.{dead.pid}.part", folder / f"a.pagelet.{dead.pid}.part-journal"]
    there = folder / f"b.pagelet.{os.getppid()}.part"  # its program is still running
    for part in (*left, there):
        part.write_bytes(b"x")
    assert backups.before_migration(old, 2) == first
    assert sorted(folder.iterdir()) == sorted([first, there])
