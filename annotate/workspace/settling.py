"""Handling of a journal or log left beside a workspace.

A program that was killed while it saved leaves a journal with which SQLite takes the half-made save
back.  A sync client may bring an old one later, and anybody may put another file's there: with that
marks are lost.  So each is tried on a copy of the file first.  It is used where it is the file's
own and the copy then has all that the file has, or the file is damaged without it; file and journal
are copied to the backups before.  Else the file stays as it is, and the journal is moved there.
"""

import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from annotate.workspace import backups, side_files, workspace_file
from annotate.workspace.database import BROKEN, Damaged, check_all
from annotate.workspace.limits import guard
from annotate.workspace.side_files import JOURNAL, LOG, NotItsOwn
from engine import bounded_file, held_files
from engine.errors import WorkspaceError

log = logging.getLogger(__name__)

try:
    import fcntl
except ImportError:  # Windows: a file that is open cannot be moved there
    fcntl = None  # type: ignore[assignment]

_LOCKS = 512, 0x40000000
"""Length and start of the bytes that SQLite locks in a database."""

_WHERE = "JOIN pages ON pages.id = page LEFT JOIN annotators ON annotators.id = annotator"
_ROWS = (
    f"SELECT uid, key, changes.revision, delta FROM changes {_WHERE}",
    f"SELECT uid, key, marks.id, record FROM marks {_WHERE}",
    "SELECT id, kind, made, text FROM comments",
)


class Unsettled(WorkspaceError):
    """A workspace beside which a journal or log can be neither used nor moved away."""


def settle(path: Path) -> str:
    """Settle the side files of a workspace before writing.

    Return the message; "" for none.

    Raises:
        Unsettled: It can be neither used nor moved.
        WorkspaceError: It is no plain file.
    """
    said = []
    for ending in (LOG, JOURNAL):
        if side_files.is_quiet(path):
            break
        if (beside := _left(path, ending)) is None:
            continue
        try:
            said.append(_settled(path, beside, ending))
        except (OSError, sqlite3.Error) as error:
            raise _trouble(path, beside, error) from None
    return "; ".join(filter(None, said))


@contextmanager
def readable(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the file to read for a workspace, without changing the workspace, and a message.

    That is the file itself, or a copy of it where a journal or log was left.  Raises as `settle`.
    """
    beside, ending = None, LOG
    if not side_files.is_quiet(path) and not held_files.is_held(path):
        beside = _left(path, LOG)
        if beside is None:
            beside, ending = _left(path, JOURNAL), JOURNAL
    if beside is None:
        yield path, ""
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            copy, reason = _tried(path, beside, ending, Path(folder))
        except (OSError, sqlite3.Error) as error:
            raise _trouble(path, beside, error) from None
        yield copy, f"{path} is read without {beside.name} beside it: {reason}" if reason else ""


def _trouble(path: Path, beside: Path, error: Exception) -> WorkspaceError:
    reason = getattr(error, "strerror", None) or error
    return Unsettled(
        f"{beside.name} beside {path} can be neither used nor moved to the backups: {reason}"
    )


def _left(path: Path, ending: str) -> Path | None:
    """Return the journal or log that SQLite would use though no program is at work with it."""
    beside = side_files.name_side_file(path, ending)
    if not os.path.lexists(beside) or (ending == JOURNAL and side_files.is_ended(beside)):
        return None
    if not _has_content(path):
        return beside  # SQLite would delete it
    if ending == LOG:
        return beside if held_files.is_held(path) or not _is_log_in_use(path) else None
    try:
        with bounded_file.open_bounded(beside) as file:
            if file.read(1) == b"\0":
                return beside  # finished, and names another file
        with closing(workspace_file.connect(path, "ro", 0)) as db:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except OSError:
        return beside
    except sqlite3.Error as error:
        # SQLite reports this if a journal is to be used and there is no lock for writing.
        is_hot = error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK
        return beside if is_hot else None
    return None


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False


def _is_log_in_use(path: Path) -> bool:
    """Whether a program has a file open through its log: it keeps a lock as long."""
    if fcntl is None:
        return False
    with held_files.unheld(path):
        try:
            number = os.open(path, os.O_RDWR)
        except OSError:
            return False
        try:
            fcntl.lockf(number, fcntl.LOCK_EX | fcntl.LOCK_NB, *_LOCKS)
        except OSError:
            return True
        finally:
            os.close(number)
    return False


def _settled(path: Path, beside: Path, ending: str) -> str:
    """Apply the remaining side files, or move them to the backups; return the message."""
    about = beside.lstat()
    if _has_content(path):
        with tempfile.TemporaryDirectory() as folder:
            _, reason = _tried(path, beside, ending, Path(folder))
    else:
        reason = "the workspace itself is missing or empty"
    now = side_files.check_plain(path, beside)
    if now is None or _stamp(now) != _stamp(about):
        return ""  # another program dealt with it meanwhile
    if reason:
        there = backups.put_away(path, beside)
        return f"{path}: {beside.name} beside it is not used ({reason}); it is kept in {there}"
    backups.keep_with(path, beside)
    journal = side_files.name_side_file(path, JOURNAL)
    if ending == LOG and not side_files.is_ended(journal):
        backups.put_away(path, journal)  # a file with a log has none, and SQLite would use it
    _use(path)
    log.info("%s was used, a copy of it and of the file is in the backups", beside)
    return ""


def _stamp(about: os.stat_result) -> tuple[int, int, int]:
    return about.st_ino, about.st_size, about.st_mtime_ns


def _use(path: Path) -> None:
    with closing(workspace_file.connect(path, "rw", workspace_file.BUSY_SECONDS)) as db:
        guard(db)
        db.execute("PRAGMA synchronous = FULL")
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def _tried(path: Path, beside: Path, ending: str, folder: Path) -> tuple[Path, str]:
    """Try the side files on a copy.

    Return the best readable copy of the file, and why the side files are not usable: "" if they
    are. Raises `OSError` or `sqlite3.Error` where nothing can be copied.
    """
    without, used = folder / "without.pagelet", folder / "used.pagelet"
    backups.copy_bytes(path, without)
    try:
        is_ended = _check(beside, ending, without)
        shutil.copyfile(without, used)
        shutil.copyfile(beside, f"{used}{ending}")
        _use(used)
        after = _rows(used)
        before = _rows(without)
        if before is None and after is None:
            raise NotItsOwn("the workspace is damaged with it and without it")
        if after is None:
            raise NotItsOwn("the workspace would be damaged")
        if before is not None and (is_ended or before - after):
            raise NotItsOwn("the change that it would undo is saved")
    except NotItsOwn as error:
        return without, str(error)
    except BROKEN as error:
        return without, f"the workspace would be damaged: {error}"
    return used, ""


def _check(beside: Path, ending: str, copy: Path) -> bool:
    """Check the format of the side files; return whether a journal's transaction was ended."""
    try:
        file = bounded_file.open_bounded(beside)
    except OSError as error:
        raise NotItsOwn(f"it cannot be read: {error.strerror}") from None
    with file, copy.open("rb") as database:
        if ending == JOURNAL:
            return side_files.check_journal(file, database)
        side_files.check_log(file, database)
        return False


def _rows(copy: Path) -> frozenset[tuple[Any, ...]] | None:
    """Return the changes, marks and comments in a copy; None if it is damaged."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        try:
            check_all(db, copy, is_deep=True)
            return frozenset(row for sql in _ROWS for row in db.execute(sql))
        except (Damaged, WorkspaceError, *BROKEN):
            return None
