"""Store: a workspace's SQLite file; opening it, its transactions, and its troubles in words.

The file has a rollback journal (`annotate.workspace.workspace_file`), and a transaction returns
once it is on the disk itself: neither killing the program nor a power cut loses what was saved (4
to 15 ms a save).  It is saved only where file and journal still have the name they were opened by.

A damaged file is not touched: what can be read of it is shown, and nothing can be saved to it.  So
is one that cannot be written: on a full disk, in a folder that is read-only; and one whose schema
is not Pagelet's own, of which nothing ever runs (`annotate.workspace.schema`).  Before the format
of a file is changed a backup is made (`annotate.workspace.backups`).
"""

import errno
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from annotate.workspace import backups, checksums, salvage, schema, workspace_file
from annotate.workspace.limits import deadline, guard
from annotate.workspace.schema import VERSION as VERSION
from engine.errors import InputError, WorkspaceBusy, WorkspaceError, WorkspaceMoved
from engine.held_files import identity
from engine.whole_file import atomic_write
from engine.words import plural

log = logging.getLogger(__name__)

BUSY_SECONDS = 2.0
"""How long reading or saving waits while another program writes to the file."""


class Store:
    """An open workspace file.  Use it from one thread; several programs may have it open.

    Attributes:
        path: Of the file.
        damage: A sentence, if nothing can be saved: the file is damaged and this is what could be
            read of it, or it cannot be written to.
        is_partial: Whether there may be more in the file than could be read.
    """

    def __init__(
        self, path: Path, db: sqlite3.Connection, damage: str = "", *, is_partial: bool = False
    ) -> None:
        self.path = path
        self.damage = damage
        self.is_partial = is_partial
        self._db = db
        self.patience = BUSY_SECONDS
        self._is_in_memory = not isinstance(db, workspace_file.HeldConnection)
        self._file = identity(path)

    @classmethod
    def open(cls, path: Path, *, create: bool = True) -> Self:
        """Open a workspace file, or make one where there is none (or an empty one).

        `WorkspaceError` for a file that is none, of which nothing can be read, or that was written
        by a newer Pagelet; such a file is not touched.
        """
        try:
            is_new = not path.exists() or (path.is_file() and path.stat().st_size == 0)
            if is_new and not create:
                raise WorkspaceError(f"there is no workspace {path}")
            if is_new:
                path.parent.mkdir(parents=True, exist_ok=True)
            else:
                _check_header(path)
            db = workspace_file.connect(path, "rwc" if is_new else "rw", BUSY_SECONDS)
        except (sqlite3.Error, OSError) as error:
            raise _in_words(path, "opened", error) from None
        try:
            _prepare(db, path)
            return cls(path, db)
        except _Damaged as error:
            db.close()
            return cls._salvaged(path, error)
        except BROKEN as error:
            db.close()
            if _is_damage(error):
                return cls._salvaged(path, error)
            if not is_new and _is_unwritable(error):
                return cls._snapshot(path, _in_words(path, "written", error))
            raise _in_words(path, "opened", error) from None
        except OSError as error:
            db.close()
            if not is_new:
                return cls._snapshot(path, _in_words(path, "written", error))
            raise _in_words(path, "opened", error) from None
        except WorkspaceBusy as error:
            db.close()
            return cls._snapshot(path, error)
        except WorkspaceError:
            db.close()
            raise

    @classmethod
    def reading(cls, path: Path, *, is_deep: bool = False) -> Self:
        """Open a workspace as it is now, only to read it: the file is not even brought up to date.

        ``is_deep`` reads all marks and changes at once: what does not hold together is damaged.
        `WorkspaceError` as `open`.
        """
        try:
            if not path.exists():
                raise WorkspaceError(f"there is no workspace {path}")
            _check_header(path)
        except OSError as error:
            raise _in_words(path, "opened", error) from None
        why = WorkspaceError(f"{path} is open for reading only")
        return cls._snapshot(path, why, is_deep=is_deep)

    @classmethod
    def rehearsing(cls, path: Path) -> Self:
        """Open a copy in memory that can be written to, of a file that need not be there.

        `WorkspaceError` as `open`.
        """
        try:
            if path.exists() and path.stat().st_size:
                _check_header(path)
                return cls._snapshot(path, None)
        except OSError as error:
            raise _in_words(path, "opened", error) from None
        db = sqlite3.connect(":memory:", isolation_level=None)
        _check_all(db, path)
        checksums.begin(db)
        return cls(path, db)

    @classmethod
    def _snapshot(cls, path: Path, why: WorkspaceError | None, *, is_deep: bool = False) -> Self:
        """Return a copy in memory in the present format: not to be written to, if there is a why.

        A damaged one is not to be written to either.
        """
        db = sqlite3.connect(":memory:", isolation_level=None)
        try:
            if too_large := schema.check_size(path):
                raise WorkspaceError(f"{path} cannot be read: {too_large}")
            with closing(workspace_file.read_only(path)) as source:
                source.backup(db)
            _check_all(db, path, is_deep=is_deep)
            if why is None:
                checksums.begin(db)
                return cls(path, db)
            db.execute("PRAGMA query_only = ON")
        except (_Damaged, *BROKEN) as error:
            db.close()
            return cls._salvaged(path, error)
        except WorkspaceError:
            db.close()
            raise
        reason = str(why)
        if "reading only" not in reason:
            reason = f"{reason}; it is open for reading only"
        return cls(path, db, reason)

    @classmethod
    def _salvaged(cls, path: Path, why: Exception) -> Self:
        """Open what can be read of a damaged file; `WorkspaceError` if that is nothing."""
        log.info("%s is damaged: %s", path, why)
        foreign = str(why) if isinstance(why, _Foreign) else ""
        result = salvage.salvage(path, [schema.step(number) for number in range(1, VERSION + 1)])
        if result is None:
            reason = f"is not a workspace of Pagelet ({foreign})" if foreign else "is damaged"
            raise WorkspaceError(f"{path} {reason}: no page in it can be read{_backup_of(path)}")
        (marks,) = result.execute("SELECT count(*) FROM marks").fetchone()
        (pages,) = result.execute("SELECT count(*) FROM pages").fetchone()
        read = f"{plural(pages, 'page')} and {plural(marks, 'mark')} of it can be read"
        if foreign:
            reason = f"open for reading only, without what another program put into it ({foreign})"
        else:
            reason = "damaged and open for reading only"
        return cls(path, result, f"{path} is {reason}: {read}{_backup_of(path)}", is_partial=True)

    def fault(self) -> str:
        """Return what is damaged in what was written, as a clause; "" if nothing is."""
        with self._named_errors("read"):
            return salvage.damage(self._db)

    def close(self) -> None:
        """Close the file; everything is saved already."""
        with suppress(sqlite3.ProgrammingError):  # closed already
            if not self._is_in_memory and self._file == identity(self.path):
                workspace_file.end_journal(self._db)  # else that name is another file's journal
        self._db.close()

    def all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._named_errors("read"):
            return self._db.execute(sql, values).fetchall()

    def one(self, sql: str, *values: object) -> tuple[Any, ...] | None:
        """Return the first row of a query, None if there is none."""
        with self._named_errors("read"):
            row: tuple[Any, ...] | None = self._db.execute(sql, values).fetchone()
            return row

    def run(self, sql: str, *values: object) -> int:
        """Change something inside `saving`; return the new row's number after an insert."""
        return self._db.execute(sql, values).lastrowid or 0

    def run_each(self, sql: str, rows: list[tuple[object, ...]]) -> None:
        """Change something inside `saving`, once for each row of values."""
        self._db.executemany(sql, rows)

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Run one transaction: all of it is in the file afterwards, or nothing."""
        if self.damage:
            raise WorkspaceError(self.damage)
        self._check_name()
        with self._named_errors("saved"):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                before = self._db.total_changes
                yield
                if self._db.total_changes != before and not self._is_in_memory:
                    self._check_journal()
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        self._check_name()

    @property
    def patience(self) -> float:
        """Seconds to wait while another program reads or writes; then it is `WorkspaceBusy`."""
        return self._patience

    @patience.setter
    def patience(self, seconds: float) -> None:
        self._patience = seconds
        self._db.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    @contextmanager
    def waiting(self, seconds: float) -> Iterator[None]:
        """Have another `patience` inside."""
        before, self.patience = self.patience, seconds
        try:
            yield
        finally:
            self.patience = before

    def read_back(self, sql: str, *values: object) -> tuple[Any, ...] | None:
        """Return the first row of a query as another program would get it, by the file's name."""
        if self._is_in_memory:
            return self.one(sql, *values)
        with (
            self._named_errors("read"),
            closing(workspace_file.connect(self.path, "ro", self.patience)) as other,
        ):
            row: tuple[Any, ...] | None = other.execute(sql, values).fetchone()
            return row

    def copy_to(self, path: Path) -> None:
        """Copy what is open, whether its file has a name or not, to a file that is not there yet.

        `WorkspaceError` where it cannot be; then there is none.
        """
        if path.exists():
            raise WorkspaceError(f"{path} already exists")
        try:
            with atomic_write(path) as beside, closing(sqlite3.connect(beside)) as copy:
                self._db.backup(copy)
        except (sqlite3.Error, InputError) as error:
            raise WorkspaceError(f"{path} cannot be written: {error}") from None

    @property
    def _journal(self) -> Path:
        return self.path.with_name(f"{self.path.name}-journal")

    def _check_journal(self) -> None:
        """Raise, inside a transaction that has changed rows, where its journal has no name."""
        if self._journal.exists():
            return
        # Rows that were given the values they had began none: this does, and only then.
        self._db.execute(f"PRAGMA user_version = {VERSION}")
        if not self._journal.exists():
            raise WorkspaceError(f"{self.path} cannot be saved: its journal was deleted")

    def _check_name(self) -> None:
        """Raise where the open file has no name any more: what is written to it is gone at exit."""
        if self._file != identity(self.path):
            raise WorkspaceMoved(f"{self.path} cannot be saved: it was replaced, moved or deleted")

    @contextmanager
    def _named_errors(self, done: str) -> Iterator[None]:
        try:
            yield
        except BROKEN as error:
            if not self.damage:
                self._check_name()
            raise _in_words(self.path, done, error) from None


def _check_header(path: Path) -> None:
    """Refuse what is no workspace of this version, without touching it."""
    if not path.is_file():
        raise WorkspaceError(f"{path} is not a workspace: it is not a file")
    header = workspace_file.header_of(path)
    if header is None and not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if header is None or header[0] != workspace_file.APPLICATION:
        reason = "another program made it, or it is damaged"
        raise WorkspaceError(f"{path} is not a workspace: {reason}{_backup_of(path)}")
    _check_version(path, header[1])


def _backup_of(path: Path) -> str:
    """Return the end of a sentence on a damaged file: which backup there is; "" for none."""
    backup = backups.newest(path)
    return "" if backup is None else f"; {backup.summary}: {backup.path}"


def _check_version(path: Path, version: int) -> None:
    if version > VERSION:
        raise WorkspaceError(
            f"{path} was written by a newer Pagelet (format {version}, this one knows {VERSION})"
        )


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    _check_version(path, version)
    guard(db)
    if 0 < version < VERSION:
        _check_schema(db)
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
            db.backup(copy)
            _check_all(copy, path)  # before anything of it is rewritten
    elif version:
        _check_all(db, path)
    workspace_file.keep_journal(db, path, BUSY_SECONDS)
    if 0 < version < VERSION:
        log.info("%s is kept as it was in %s", path, backups.before_migration(path, version))
    if version < VERSION:
        _check_all(db, path)
    checksums.begin(db)
    db.execute("PRAGMA foreign_keys = ON")
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"PRAGMA user_version = {VERSION}")  # to know that it could be written
        db.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise


def _check_schema(db: sqlite3.Connection) -> None:
    """Raise `_Foreign` if a file has another schema than Pagelet makes."""
    if different := schema.difference(db):
        raise _Foreign(different)


def _check_all(db: sqlite3.Connection, path: Path, *, is_deep: bool = False) -> None:
    """Bring a file to the present format; raise `_Damaged` if it is incomplete, before or then."""
    guard(db)
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    (each,) = db.execute("PRAGMA page_size").fetchone()
    with deadline(db, pages * each):
        _check_schema(db)
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version and (result := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise _Damaged(result)
        _migrate(db, path)
        if result := salvage.damage(db, is_deep=is_deep, is_older=0 < version < checksums.FIRST):
            raise _Damaged(result)


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    """Take the steps that are missing, each as a whole or not; a new file takes all at once."""
    db.execute("PRAGMA foreign_keys = OFF")  # a table may be made anew without its rows' children
    checksums.register(db)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    _check_version(path, version)
    while version < VERSION:
        last = version + 1 if version else VERSION  # each end of a step waits for the disk
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


class _Damaged(Exception):
    """The file can be opened, and what is in it is not what a workspace has."""


class _Foreign(_Damaged):
    """The file has tables, triggers or whatever else that Pagelet does not make."""


BROKEN = (sqlite3.Error, UnicodeError, OverflowError)
"""What asking a database may raise; the latter two, where a text or number is none it can hold."""


def _is_damage(error: Exception) -> bool:
    if not isinstance(error, sqlite3.Error):
        return True
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def _is_unwritable(error: Exception) -> bool:
    """Whether a file may be sound, and only cannot be written to."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
    )


def _in_words(path: Path, done: str, error: Exception) -> WorkspaceError:
    """Return a trouble with the file as one sentence."""
    if isinstance(error, OSError):
        return WorkspaceError(f"{path} cannot be {done}: {error.strerror or error}")
    whole = getattr(error, "sqlite_errorcode", 0)
    code = whole & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return WorkspaceBusy(f"{path} cannot be {done}: another program is writing to it")
    if whole == sqlite3.SQLITE_READONLY_DBMOVED:
        return WorkspaceMoved(f"{path} cannot be {done}: it was replaced, moved or deleted")
    reasons = {
        sqlite3.SQLITE_READONLY: "the file or its folder is read-only",
        sqlite3.SQLITE_CANTOPEN: "its folder is missing or read-only",
        sqlite3.SQLITE_PERM: "it may not be opened",
        sqlite3.SQLITE_FULL: "the disk is full",
        sqlite3.SQLITE_IOERR: "the disk is full or does not answer",
        sqlite3.SQLITE_CORRUPT: "it is damaged",
        sqlite3.SQLITE_NOTADB: "it is not a workspace, or it is damaged",
    }
    if not hasattr(error, "sqlite_errorcode"):  # a text that is none, a number beyond all numbers
        return WorkspaceError(f"{path} cannot be {done}: it is damaged ({error})")
    return WorkspaceError(f"{path} cannot be {done}: {reasons.get(code, str(error))}")
