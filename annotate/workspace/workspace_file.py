"""The file below a workspace: opening it by SQLite, its header, its journal, who writes to it.

Locks of a process are dropped when any descriptor of the file is closed in it
(`engine.held_files`), so a workspace is read through SQLite alone, its header too.

A workspace has a rollback journal (``PERSIST``: on the disk sooner than one that is deleted
or cut each time).  With a write-ahead log, as up to version 0.2, a process whose locks were
dropped wrote on into a log that the next reader had deleted; a rollback journal is opened by its
name in each transaction.
"""

import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from annotate.workspace import side_files
from annotate.workspace.limits import guard
from annotate.workspace.side_files import APPLICATION as APPLICATION
from engine import held_files
from engine.errors import WorkspaceBusy, WorkspaceError

BUSY_SECONDS = 2.0
"""How long reading or saving waits while another program writes to the file."""

JOURNAL_LIMIT = 2**20
"""Bytes that a journal may keep between two transactions."""

_POLL_S = 0.02


class HeldConnection(sqlite3.Connection):
    """A connection to a file that is exclusive in this process until it is closed."""

    _which: held_files.FileIdentity | None = None

    def hold(self, path: Path) -> None:
        """Register the file as open."""
        self._which = held_files.hold(path)

    def close(self) -> None:
        """Close the file, then let others open it."""
        super().close()
        which, self._which = self._which, None
        held_files.release(which)


def connect(path: Path, mode: str, busy_s: float) -> sqlite3.Connection:
    """Open a database file; `sqlite3.Error` or `WorkspaceError` if it cannot be.

    Args:
        path: Of the file.
        mode: As in SQLite's URIs: ``rwc``, ``rw``, ``ro``, ``ro&immutable=1``.
        busy_s: Time to wait for other programs, in seconds.
    """
    if path.exists() and not path.is_file():  # SQLite would wait for a pipe
        raise WorkspaceError(f"{path} cannot be opened: it is not a file")
    side_files.check_all_plain(path)
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=busy_s,
        isolation_level=None,  # transactions are started and ended explicitly
        factory=HeldConnection,
    )
    db.hold(path)
    return db


def header_of(path: Path) -> tuple[int, int] | None:
    """Return a database's application number and version, None of others.

    Neither waits nor takes a lock, and leaves nothing beside the file.
    """
    if not path.is_file():
        return None
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as db:
            db.execute("PRAGMA writable_schema = ON")  # a truncated one has its header
            (application,) = db.execute("PRAGMA application_id").fetchone()
            (version,) = db.execute("PRAGMA user_version").fetchone()
    except (sqlite3.Error, OSError):
        return None
    return application, version


def is_workspace(path: Path) -> bool:
    """Whether a file has the header of a workspace, of any version."""
    result = header_of(path)
    return result is not None and result[0] == APPLICATION


def read_only(path: Path, *, is_repair: bool = False) -> sqlite3.Connection:
    """Open a file for reading, also where nothing can be written beside it; raises as `connect`.

    Where no program has it open nothing is left beside it either.  Nothing of its schema runs;
    with ``is_repair`` what of a damaged file is whole is used.
    """
    error: sqlite3.Error | None = None
    modes = ["ro", "ro&immutable=1"]
    if _is_at_rest_with_log(path):
        modes.reverse()
    elif _is_alone(path):
        del modes[0]
    for mode in modes:
        db = connect(path, mode, 5.0)
        try:
            guard(db, is_repair=is_repair)
            if is_repair:
                db.execute("PRAGMA writable_schema = ON")
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error as raised:
            db.close()
            error = raised
            if is_busy(raised):
                break  # unlocked it would be read in the middle of a change
        else:
            return db
    assert error is not None
    raise error


def _is_alone(path: Path) -> bool:
    """Whether nothing beside a file is its own: an open workspace has no log, an empty one nothing.

    SQLite would read the log, and delete files beside an empty file.
    """
    has_log = side_files.name_side_file(path, side_files.LOG).exists()
    return (has_log and held_files.is_held(path)) or not path.stat().st_size


def _is_at_rest_with_log(path: Path) -> bool:
    """Whether a file is one of version 0.2 that is not open: its log would be created again."""
    if side_files.name_side_file(path, side_files.LOG).exists() or held_files.is_held(path):
        return False
    try:
        with held_files.open_held(path) as file:
            return file.read(20)[18:] == b"\x02\x02"
    except OSError:
        return False


def keep_journal(db: sqlite3.Connection, path: Path, busy_s: float) -> None:
    """Use a rollback journal that is synchronised; a file with a write-ahead log is taken over.

    `WorkspaceBusy` where a Pagelet up to 0.2 has the file open: it keeps the log.
    """
    until = time.monotonic() + busy_s
    while _mode(db, "PERSIST") == "wal":
        if time.monotonic() > until:
            raise WorkspaceBusy(f"{path} is open in an older Pagelet: close it there")
        time.sleep(_POLL_S)
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA fullfsync = ON")  # else macOS leaves it in the disk's cache
    db.execute(f"PRAGMA journal_size_limit = {JOURNAL_LIMIT}")
    db.execute("PRAGMA cache_spill = OFF")  # readers are kept out while it is committed, not before


def end_journal(db: sqlite3.Connection) -> None:
    """Leave no journal beside the file; another program that writes keeps its own."""
    with suppress(sqlite3.Error):
        db.execute("PRAGMA busy_timeout = 0")
        _mode(db, "DELETE")


def _mode(db: sqlite3.Connection, mode: str) -> str:
    """Set the journal's mode; return the one there is."""
    try:
        row: tuple[Any, ...] = db.execute(f"PRAGMA journal_mode = {mode}").fetchone()
    except sqlite3.OperationalError as error:
        if not is_busy(error):
            raise
        row = db.execute("PRAGMA journal_mode").fetchone()
    return str(row[0])


def is_busy(error: Exception) -> bool:
    """Return whether another program holds a lock on the file."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
