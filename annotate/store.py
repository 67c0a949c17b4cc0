"""Store: a workspace's SQLite file; opening it, its transactions, and its troubles in words.

The file is in write-ahead mode, and a transaction returns once its log is on the disk itself:
neither killing the program nor a power cut loses what was saved (some 4 ms a save).

A damaged file is not touched: what can be read of it is shown, and nothing can be saved to it.  So
is one that cannot be written: on a full disk, in a folder that is read-only; and one whose schema
is not Pagelet's own, of which nothing ever runs (`annotate.schema`).  Before the format of a file
is changed a backup is made (`annotate.backups`).
"""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

from annotate import backups, checksums, salvage, schema
from annotate.limits import deadline, guard
from annotate.schema import VERSION as VERSION
from engine.errors import WorkspaceError
from engine.words import plural

log = logging.getLogger(__name__)

BUSY_SECONDS = 2.0
"""How long a save waits while another program writes to the file."""

_MAGIC = b"SQLite format 3\x00"
_APPLICATION = b"PGLT"
_HEADER = 100  # bytes; 60..64 user_version, 68..72 application_id (SQLite file format, 1.3)


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
        self._file = _identity(path)

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
            db = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={'rwc' if is_new else 'rw'}",
                uri=True,
                timeout=BUSY_SECONDS,
                isolation_level=None,  # transactions are begun and ended by hand
            )
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
            with closing(backups.read_only(path)) as source:
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
        said = str(why)
        if "reading only" not in said:
            said = f"{said}; it is open for reading only"
        return cls(path, db, said)

    @classmethod
    def _salvaged(cls, path: Path, why: Exception) -> Self:
        """Open what can be read of a damaged file; `WorkspaceError` if that is nothing."""
        log.info("%s is damaged: %s", path, why)
        foreign = str(why) if isinstance(why, _Foreign) else ""
        found = salvage.salvage(path, [schema.step(number) for number in range(1, VERSION + 1)])
        if found is None:
            said = f"is not a workspace of Pagelet ({foreign})" if foreign else "is damaged"
            raise WorkspaceError(f"{path} {said}: no page in it can be read")
        (marks,) = found.execute("SELECT count(*) FROM marks").fetchone()
        (pages,) = found.execute("SELECT count(*) FROM pages").fetchone()
        read = f"{plural(pages, 'page')} and {plural(marks, 'mark')} of it can be read"
        if foreign:
            said = f"open for reading only, without what another program put into it ({foreign})"
        else:
            said = "damaged and open for reading only"
        return cls(path, found, f"{path} is {said}: {read}", is_partial=True)

    def close(self) -> None:
        """Close the file; everything is saved already."""
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
        if self._file != _identity(self.path):
            # The open file has no name any more: what is written to it is gone at exit.
            raise WorkspaceError(f"{self.path} cannot be saved: it was moved or deleted")
        with self._named_errors("saved"):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    @contextmanager
    def _named_errors(self, done: str) -> Iterator[None]:
        try:
            yield
        except BROKEN as error:
            raise _in_words(self.path, done, error) from None


def is_workspace(path: Path) -> bool:
    """Whether a file says of itself that it is a workspace, of whatever version."""
    try:
        with path.open("rb") as file:
            return _is_marked(file.read(_HEADER))
    except OSError:
        return False


def _is_marked(header: bytes) -> bool:
    return header[:16] == _MAGIC and len(header) == _HEADER and header[68:72] == _APPLICATION


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another at the same path; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _check_header(path: Path) -> None:
    """Refuse what is no workspace of this version, without SQLite touching it."""
    if not path.is_file():
        raise WorkspaceError(f"{path} is not a workspace: it is not a file")
    with path.open("rb") as file:
        header = file.read(_HEADER)
    if not _is_marked(header):
        said = "another program made it, or it is damaged"
        raise WorkspaceError(f"{path} is not a workspace: {said}")
    _check_version(path, int.from_bytes(header[60:64], "big"))


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
        log.info("%s is kept as it was in %s", path, backups.before_migration(path, version))
    _check_all(db, path)
    checksums.begin(db)
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA fullfsync = ON")  # on macOS the disk would else keep it in its cache
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
    """Bring a file to the present format; raise `_Damaged` if it is not whole, before or then."""
    guard(db)
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    (each,) = db.execute("PRAGMA page_size").fetchone()
    with deadline(db, pages * each):
        _check_schema(db)
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version and (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise _Damaged(found)
        _migrate(db, path)
        if found := salvage.damage(db, is_deep=is_deep or 0 < version < VERSION):
            raise _Damaged(found)


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    """Take the steps that are missing, each as a whole or not; a new file takes all at once."""
    db.execute("PRAGMA foreign_keys = OFF")  # a table may be made anew without its rows' children
    checksums.register(db)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    _check_version(path, version)
    while version < VERSION:
        last = version + 1 if version else VERSION  # each end of a step waits for the disk
        steps = "\n".join(map(schema.step, range(version + 1, last + 1)))
        steps += checksums.fill() if last == VERSION else ""
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
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    reasons = {
        sqlite3.SQLITE_BUSY: "another program is writing to it",
        sqlite3.SQLITE_LOCKED: "another program is writing to it",
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
