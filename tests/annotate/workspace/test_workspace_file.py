"""A workspace used by several programs: locks are kept, logs of 0.2 applied, saves kept."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from annotate.datasets.opening import open_pages
from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.workspace import backups
from annotate.workspace.page_rows import _digest
from annotate.workspace.store import Store
from annotate.workspace.workspace import PageStatus, Workspace
from annotate.workspace.workspace_file import header_of, is_workspace
from engine.document import Document
from engine.errors import InputError, PageletError, WorkspaceBusy, WorkspaceError
from engine.fetch import read_file
from tests.e2e.scribe import KEY, page

TRY = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    db.execute("BEGIN IMMEDIATE")
    print("free")
except sqlite3.OperationalError as error:
    print(error)
"""

HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=5, isolation_level=None)
db.execute(sys.argv[2])
db.execute("SELECT count(*) FROM pages").fetchone()
print("held", flush=True)
sys.stdin.read(1)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "marks.pagelet"


@pytest.fixture
def workspace(path):
    with Workspace.open(path) as opened:
        opened.add_pages([Document(KEY, KEY)])
        yield opened


def marked() -> Gold:
    """Return the gold of a page with one block."""
    return edits.add_block(Gold(), page(), [Target(2)], 1)


def another_program(path: Path) -> str:
    """Return the error of another program that wants to write, or "free"."""
    text = subprocess.run(
        [sys.executable, "-c", TRY, str(path)], capture_output=True, text=True, check=True
    )
    return text.stdout.strip()


@contextmanager
def holding(path: Path, sql: str):
    """Run another program that begins a transaction and does not end it."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), sql],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def backed_up(path):
    return backups.rotate(path)


READERS = (
    is_workspace,
    header_of,
    lambda path: Store.reading(path).close(),
    lambda path: Workspace.open(path).close(),
    open_pages,
    backed_up,
    read_file,
    lambda path: _digest(str(path)),
)


@pytest.mark.parametrize("read", READERS)
def test_readers_of_the_open_workspace_do_not_release_its_locks(workspace, path, read):
    with workspace.store.saving():
        workspace.store.run("UPDATE pages SET title = 'Harbour'")
        assert another_program(path) == "database is locked"
        with suppress(PageletError):  # it may be refused; only the locks count
            read(path)
        assert another_program(path) == "database is locked"
    assert another_program(path) == "free"


@pytest.mark.slow
def test_a_locked_workspace_is_busy_and_not_damaged(workspace, path):
    workspace.close()
    with holding(path, "BEGIN EXCLUSIVE"), pytest.raises(WorkspaceBusy, match="another program"):
        Store.reading(path)


def test_a_plain_descriptor_drops_the_locks(workspace, path):
    """Shows what the test above would detect."""
    with workspace.store.saving():
        path.open("rb").close()
        assert another_program(path) == "free"


def test_read_file_reads_a_closed_workspace_and_refuses_an_open_one(workspace, path):
    with pytest.raises(InputError, match="open"):
        read_file(path)
    workspace.close()
    assert read_file(path)[:6] == b"SQLite"
    assert [each.name for each in path.parent.iterdir()] == [path.name]


OLD = """
import sqlite3, sys
import resources
from tests.e2e.scribe import KEY
db = sqlite3.connect(sys.argv[1], isolation_level=None)
for number in (1, 2, 3, 4):
    db.executescript(resources.read_text(f"sql/{number:04}.sql"))
db.execute("PRAGMA journal_mode = WAL")
page = (KEY, KEY, "in the log")
db.execute("INSERT INTO pages (annotator, key, place, url, title) VALUES (1, ?, 1, ?, ?)", page)
print("ready", flush=True)
sys.stdin.read(1)
"""


@pytest.fixture
def old(path):
    """Run version 0.2 on a file: its last change is only in the log."""
    root = str(Path(__file__).resolve().parents[3])
    with subprocess.Popen(
        [sys.executable, "-c", OLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, env=os.environ | {"PYTHONPATH": root},
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def test_a_workspace_of_a_killed_0_2_is_converted_with_its_log(old, path):
    old.send_signal(signal.SIGKILL)
    old.wait()
    assert path.with_name(f"{path.name}-wal").stat().st_size
    with Workspace.open(path) as workspace:
        assert not workspace.damage
        assert workspace.store.one("PRAGMA journal_mode") == ("persist",)
        assert [each.title for each in workspace.pages()] == ["in the log"]
        workspace.save_gold(KEY, marked(), page(), "mark")
    beside = {each.name for each in path.parent.iterdir()}
    assert beside == {path.name, f"{path.name}.backups"}
    assert path.read_bytes()[18:20] == b"\x01\x01"


def test_a_workspace_open_in_0_2_is_read_and_converted_once_it_is_closed(old, path):
    with Workspace.open(path) as workspace:
        assert "open in an older Pagelet" in workspace.damage
        assert "open for reading only" in workspace.damage
        assert [each.title for each in workspace.pages()] == ["in the log"]
    old.communicate("x")
    with Workspace.open(path) as workspace:
        assert not workspace.damage


@pytest.mark.parametrize("sql", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN"])
def test_a_save_waits_for_another_program_until_the_time_limit(workspace, path, sql):
    workspace.store.patience = 0.1
    with holding(path, sql) as other:
        start = time.monotonic()
        with pytest.raises(WorkspaceBusy, match="another program"):
            workspace.save_gold(KEY, marked(), page(), "mark")
        assert time.monotonic() - start < 1.5
        other.communicate("x")
    workspace.save_gold(KEY, marked(), page(), "mark")
    assert read_by_another(path) == 1


def read_by_another(path: Path) -> int:
    code = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM marks').fetchone()[0])"  # noqa: E501
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def save_while(workspace, happens):
    """Call a function in the middle of a transaction."""
    with workspace.store.saving():
        workspace.store.run("UPDATE pages SET title = 'Harbour'")
        happens()


def test_a_save_fails_if_the_file_is_replaced_during_the_transaction(workspace, path):
    """The file is replaced by a copy during a transaction."""
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    with pytest.raises(WorkspaceError, match="moved or deleted"):
        save_while(workspace, lambda: copy.replace(path))


def test_an_empty_journal_left_by_a_kill_is_deleted_at_the_next_opening(workspace, path):
    workspace.close()
    journal = path.with_name(f"{path.name}-journal")
    journal.touch()
    with Workspace.reading(path) as reading:
        assert len(reading.pages()) == 1
    with Workspace.open(path) as again:
        assert not again.damage
        assert len(again.pages()) == 1
    assert not journal.exists()


def test_a_workspace_that_was_replaced_leaves_the_journal_of_the_other_file(workspace, path):
    workspace.set_setting("layers", [])
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)
    journal = path.with_name(f"{path.name}-journal")
    journal.write_bytes(b"of a program that writes to the other file")
    workspace.close()
    assert journal.read_bytes() == b"of a program that writes to the other file"


def test_a_save_whose_journal_was_deleted_is_not_made(workspace, path):
    with pytest.raises(WorkspaceError, match="journal"):
        save_while(workspace, path.with_name(f"{path.name}-journal").unlink)
    assert workspace.pages()[0].title == ""
    workspace.set_setting("layers", [])  # and the next one is


def test_settings_are_saved_later_if_another_program_is_writing(workspace, path):
    asked = []
    workspace.store.patience = 0
    with holding(path, "BEGIN IMMEDIATE") as other:
        with pytest.raises(WorkspaceBusy):
            workspace.set_setting("layers", ["a"])
        workspace.waits = lambda: asked.append(1)
        workspace.set_setting("layers", ["bte"])
        assert asked == [1]
        assert workspace.setting("layers") == ["bte"]
        assert not workspace.save_late()
        other.communicate("x")
    assert workspace.save_late()
    with Workspace.open(path) as again:
        assert again.setting("layers") == ["bte"]


OPEN_AND_CLOSE = """
import sys
from pathlib import Path
from annotate.workspace.workspace import Workspace
Workspace.open(Path(sys.argv[1])).close()
"""


def test_the_same_setting_and_status_again_are_saved_after_another_program_closed(workspace, path):
    """SQLite writes nothing then, and the other program has deleted the journal."""
    for _ in range(2):
        workspace.set_setting("layers", ["bte"])
        workspace.set_status(KEY, PageStatus.DONE)
        subprocess.run(
            [sys.executable, "-c", OPEN_AND_CLOSE, str(path)],
            check=True, env=os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[3])},
        )  # fmt: skip
        assert not path.with_name(f"{path.name}-journal").exists()
