"""What a workspace's file must be to be opened, and its troubles in words."""

import errno
import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from annotate.workspace import backups, checksums, salvage, schema, workspace_file
from annotate.workspace.limits import deadline, guard
from annotate.workspace.schema import VERSION
from annotate.workspace.workspace_file import BUSY_SECONDS
from engine.errors import WorkspaceBusy, WorkspaceError, WorkspaceMoved

log = logging.getLogger(__name__)


def check_header(path: Path) -> None:
    """Reject files that are not workspaces of this version, without changing them."""
    if not path.is_file():
        raise WorkspaceError(f"{path} is not a workspace: it is not a file")
    header = workspace_file.header_of(path)
    if header is None and not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if header is None or header[0] != workspace_file.APPLICATION:
        reason = "another program made it, or it is damaged"
        raise WorkspaceError(f"{path} is not a workspace: {reason}{backup_of(path)}")
    _check_version(path, header[1])


def backup_of(path: Path) -> str:
    """Return the end of a sentence on a damaged file: which backup there is; "" for none."""
    backup = backups.newest(path)
    return "" if backup is None else f"; {backup.summary}: {backup.path}"


def _check_version(path: Path, version: int) -> None:
    if version > VERSION:
        raise WorkspaceError(
            f"{path} was written by a newer Pagelet (format {version}, this one knows {VERSION})"
        )


def prepare(db: sqlite3.Connection, path: Path) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    _check_version(path, version)
    guard(db)
    if 0 < version < VERSION:
        _check_schema(db)
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
            db.backup(copy)
            check_all(copy, path)  # before anything of it is rewritten
    elif version:
        check_all(db, path)
    workspace_file.keep_journal(db, path, BUSY_SECONDS)
    if 0 < version < VERSION:
        log.info("%s is kept as it was in %s", path, backups.before_migration(path, version))
    if version < VERSION:
        check_all(db, path)
    checksums.begin(db)
    db.execute("PRAGMA foreign_keys = ON")
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"PRAGMA user_version = {VERSION}")  # to know that it could be written
        db.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        if not workspace_file.is_busy(error):
            raise


def _check_schema(db: sqlite3.Connection) -> None:
    """Raise `Foreign` if a file has another schema than Pagelet makes."""
    if different := schema.difference(db):
        raise Foreign(different)


def check_all(db: sqlite3.Connection, path: Path, *, is_deep: bool = False) -> None:
    """Migrate a file to the current format; raise `Damaged` if it is incomplete, before or then."""
    guard(db)
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    (each,) = db.execute("PRAGMA page_size").fetchone()
    with deadline(db, pages * each):
        _check_schema(db)
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version and (result := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise Damaged(result)
        _migrate(db, path)
        if result := salvage.damage(db, is_deep=is_deep, is_older=0 < version < checksums.FIRST):
            raise Damaged(result)


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    """Take the steps that are missing, each as a whole or not; a new file takes all at once."""
    db.execute("PRAGMA foreign_keys = OFF")  # a table is made again without its rows' children
    checksums.register(db)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    _check_version(path, version)
    while version < VERSION:
        last = version + 1 if version else VERSION  # each commit waits for the disk
        steps = "\n".join(map(schema.step, range(version + 1, last + 1)))
        steps += checksums.fill() if version < checksums.FIRST <= last else ""
        try:
            db.executescript(f"BEGIN IMMEDIATE;\n{steps}\nCOMMIT;")
        except sqlite3.Error:
            # Another program may have taken this step in the meantime.
            if db.in_transaction:
                db.execute("ROLLBACK")
            (now,) = db.execute("PRAGMA user_version").fetchone()
            if now <= version:
                raise
        (version,) = db.execute("PRAGMA user_version").fetchone()
        log.info("workspace %s is at format %d", path, version)


class Damaged(Exception):
    """The file can be opened but does not hold a workspace."""


class Foreign(Damaged):
    """The file has tables, triggers or other objects that Pagelet does not make."""


BROKEN = (sqlite3.Error, UnicodeError, OverflowError)
"""What asking a database may raise; the latter two, where a text or number is none it can hold."""


_UNWRITABLE = {
    sqlite3.SQLITE_READONLY: "the file or its folder is read-only",
    sqlite3.SQLITE_CANTOPEN: "its folder is missing or read-only",
    sqlite3.SQLITE_PERM: "it may not be opened",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk is full or does not answer",
}


def is_damage(error: Exception) -> bool:
    if not isinstance(error, sqlite3.Error):
        return True
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def is_unwritable(error: Exception) -> bool:
    """Whether a file may be sound, and only cannot be written to."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _UNWRITABLE


def trouble_of(path: Path, done: str, error: Exception) -> WorkspaceError:
    """Return a trouble with the file as one sentence."""
    if isinstance(error, OSError):
        return WorkspaceError(f"{path} cannot be {done}: {error.strerror or error}")
    code = getattr(error, "sqlite_errorcode", 0)
    if workspace_file.is_busy(error):
        return WorkspaceBusy(f"{path} cannot be {done}: another program is writing to it")
    if code == sqlite3.SQLITE_READONLY_DBMOVED:
        return WorkspaceMoved(f"{path} cannot be {done}: it was replaced, moved or deleted")
    reasons = {
        **_UNWRITABLE,
        sqlite3.SQLITE_CORRUPT: "it is damaged",
        sqlite3.SQLITE_NOTADB: "it is not a workspace, or it is damaged",
    }
    if not hasattr(error, "sqlite_errorcode"):  # a text that is none, a number beyond all numbers
        return WorkspaceError(f"{path} cannot be {done}: it is damaged ({error})")
    return WorkspaceError(f"{path} cannot be {done}: {reasons.get(code & 0xFF, str(error))}")
