"""Store: a workspace's SQLite file; opening it, its transactions, and its troubles in words.

The file has a rollback journal (`annotate.workspace.workspace_file`), and a transaction returns
once it is on the disk itself: neither killing the program nor a power cut loses saved changes (4 to
15 ms a save).  It is saved only where file and journal still have the name they were opened by.

A damaged file is not touched: what can be read of it is shown, and nothing can be saved to it.  So
is one that cannot be written: on a full disk, in a folder that is read-only; and one whose schema
is not Pagelet's own, of which nothing ever runs (`annotate.workspace.schema`).  Before the format
of a file is changed a backup is made (`annotate.workspace.backups`).
"""

import logging
import sqlite3
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Self

from annotate.workspace import checksums, salvage, schema, settling, side_files, workspace_file
from annotate.workspace.database import (
    BROKEN,
    Damaged,
    Foreign,
    backup_of,
    check_all,
    check_header,
    is_damage,
    is_unwritable,
    prepare,
    trouble_of,
)
from annotate.workspace.schema import VERSION as VERSION
from annotate.workspace.workspace_file import BUSY_SECONDS as BUSY_SECONDS
from engine.bounded_file import atomic_write
from engine.errors import InputError, WorkspaceBusy, WorkspaceError, WorkspaceMoved
from engine.held_files import identity
from engine.words import plural

log = logging.getLogger(__name__)


class Store:
    """An open workspace file.  Use it from one thread; several programs may have it open.

    Attributes:
        path: Of the file.
        damage: A sentence, if nothing can be saved: the file is damaged and this is what could be
            read of it, or it cannot be written to.
        is_partial: Whether there may be more in the file than could be read.
        notice: Unused content found beside the file last, as a sentence; "" for none.
        on_notice: Called with each such sentence.
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
        if self._is_in_memory:  # a copy goes with whoever reads it, who need not close it
            weakref.finalize(self, _close, db)
        self._file = identity(path)
        self._beside = side_files.Watch(path)
        self.notice = ""
        self.on_notice: Callable[[str], object] | None = None

    @classmethod
    def open(cls, path: Path, *, create: bool = True) -> Self:
        """Open a workspace file, or create it if it is missing or empty.

        `WorkspaceError` for a file that is none, of which nothing can be read, or that was written
        by a newer Pagelet; such a file is not touched.
        """
        try:
            if _is_new(path) and not create:
                raise WorkspaceError(f"there is no workspace {path}")
            if not _is_new(path):
                check_header(path)
            notice = settling.settle(path)
            if is_new := _is_new(path):
                path.parent.mkdir(parents=True, exist_ok=True)
            db = workspace_file.connect(path, "rwc" if is_new else "rw", BUSY_SECONDS)
        except settling.Unsettled as error:
            return cls._snapshot(path, error)
        except (sqlite3.Error, OSError) as error:
            raise trouble_of(path, "opened", error) from None
        try:
            prepare(db, path)
            result = cls(path, db)
            result._note(notice)
            return result
        except WorkspaceError as error:
            db.close()
            if not isinstance(error, WorkspaceBusy):
                raise
            return cls._snapshot(path, error)
        except (Damaged, OSError, *BROKEN) as error:
            db.close()
            is_broken = isinstance(error, BROKEN)
            if isinstance(error, Damaged) or (is_broken and is_damage(error)):
                return cls._salvaged(path, error)
            if not is_new and (not is_broken or is_unwritable(error)):
                return cls._snapshot(path, trouble_of(path, "written", error))
            raise trouble_of(path, "opened", error) from None

    @classmethod
    def reading(cls, path: Path, *, is_deep: bool = False) -> Self:
        """Open a workspace read-only in its current state: the file is not even migrated.

        ``is_deep`` reads all marks and changes at once: what does not hold together is damaged.
        `WorkspaceError` as `open`.
        """
        try:
            if not path.exists():
                raise WorkspaceError(f"there is no workspace {path}")
            check_header(path)
        except OSError as error:
            raise trouble_of(path, "opened", error) from None
        why = WorkspaceError(f"{path} is open for reading only")
        return cls._snapshot(path, why, is_deep=is_deep)

    @classmethod
    def rehearsing(cls, path: Path) -> Self:
        """Open a copy in memory that can be written to, of a file that need not be there.

        `WorkspaceError` as `open`.
        """
        try:
            if path.exists() and path.stat().st_size:
                check_header(path)
                return cls._snapshot(path, None)
        except OSError as error:
            raise trouble_of(path, "opened", error) from None
        db = sqlite3.connect(":memory:", isolation_level=None)
        check_all(db, path)
        checksums.begin(db)
        return cls(path, db)

    @classmethod
    def _snapshot(cls, path: Path, why: WorkspaceError | None, *, is_deep: bool = False) -> Self:
        """Return a copy in memory in the present format, read-only if damaged or for a why."""
        db = sqlite3.connect(":memory:", isolation_level=None)
        try:
            if too_large := schema.check_size(path):
                raise WorkspaceError(f"{path} cannot be read: {too_large}")
            with (
                settling.readable(path) as (there, notice),
                closing(workspace_file.read_only(there)) as source,
            ):
                source.backup(db)
            if notice:
                _warn(notice)
            check_all(db, path, is_deep=is_deep)
            if why is None:
                checksums.begin(db)
                return cls(path, db)
            db.execute("PRAGMA query_only = ON")
        except (Damaged, *BROKEN) as error:
            db.close()
            if workspace_file.is_busy(error):  # a file that is locked is not damaged
                raise trouble_of(path, "read", error) from None
            return cls._salvaged(path, error)
        except WorkspaceError:
            db.close()
            raise
        end = "" if "reading only" in str(why) else "; it is open for reading only"
        return cls(path, db, f"{why}{end}")

    @classmethod
    def _salvaged(cls, path: Path, why: Exception) -> Self:
        """Open what can be read of a damaged file; `WorkspaceError` if that is nothing."""
        log.info("%s is damaged: %s", path, why)
        foreign = str(why) if isinstance(why, Foreign) else ""
        result = salvage.salvage(path, [schema.step(number) for number in range(1, VERSION + 1)])
        if result is None:
            reason = f"is not a workspace of Pagelet ({foreign})" if foreign else "is damaged"
            raise WorkspaceError(f"{path} {reason}: no page in it can be read{backup_of(path)}")
        (marks,) = result.execute("SELECT count(*) FROM marks").fetchone()
        (pages,) = result.execute("SELECT count(*) FROM pages").fetchone()
        read = f"{plural(pages, 'page')} and {plural(marks, 'mark')} of it can be read"
        reason = "damaged and open for reading only"
        if foreign:
            reason = f"open for reading only, without what another program put into it ({foreign})"
        return cls(path, result, f"{path} is {reason}: {read}{backup_of(path)}", is_partial=True)

    def fault(self) -> str:
        """Return the damage of the written data, as a clause; "" if nothing is."""
        with self._named_errors("read"):
            return salvage.damage(self._db)

    def close(self) -> None:
        """Close the file; everything is saved already."""
        with suppress(sqlite3.ProgrammingError, WorkspaceError):  # closed already
            if not self._is_in_memory and self._file == identity(self.path):
                self._settle()
                workspace_file.end_journal(self._db)  # else that name is another file's journal
        self._db.close()

    def all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        self._settle()
        with self._named_errors("read"):
            return self._db.execute(sql, values).fetchall()

    def one(self, sql: str, *values: object) -> tuple[Any, ...] | None:
        """Return the first row of a query, None if there is none."""
        self._settle()
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
        self._settle()
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
        """Change `patience` within a context."""
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
        """Copy the open database, even if its file was deleted, to a new file.

        `WorkspaceError` where it cannot be; then there is none.
        """
        if path.exists():
            raise WorkspaceError(f"{path} already exists")
        self._settle()
        try:
            with atomic_write(path) as beside, closing(sqlite3.connect(beside)) as copy:
                self._db.backup(copy)
        except (sqlite3.Error, InputError) as error:
            raise WorkspaceError(f"{path} cannot be written: {error}") from None

    def _settle(self) -> None:
        """Deal with what came to lie beside the file since: SQLite looks there each time it reads.

        A sync client may bring back an old journal while the window is open.
        """
        if self._is_in_memory or self._db.in_transaction or self._beside.is_quiet():
            return
        self._note(settling.settle(self.path))
        if not self._beside.is_quiet():
            self._check_name()  # the journal of the file that has the name now

    def _note(self, sentence: str) -> None:
        if not sentence:
            return
        self.notice = sentence
        _warn(sentence)
        if self.on_notice is not None:
            self.on_notice(sentence)

    def _check_journal(self) -> None:
        """Raise, inside a transaction that has changed rows, where its journal has no name."""
        journal = self._beside.journal
        if journal.exists():
            return
        # Rows that were given the values they had began none: this does, and only then.
        self._db.execute(f"PRAGMA user_version = {VERSION}")
        if not journal.exists():
            raise WorkspaceError(f"{self.path} cannot be saved: its journal was deleted")

    def _check_name(self) -> None:
        """Raise if the open file has been deleted or replaced: its changes would be lost."""
        if self._file != identity(self.path):
            raise WorkspaceMoved(f"{self.path} cannot be saved: it was replaced, moved or deleted")

    @contextmanager
    def _named_errors(self, done: str) -> Iterator[None]:
        try:
            yield
        except BROKEN as error:
            if not self.damage:
                self._check_name()
            raise trouble_of(self.path, done, error) from None


def _is_new(path: Path) -> bool:
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


@cache
def _warn(sentence: str) -> None:
    """Print a sentence once, however often a file is read."""
    log.warning("%s", sentence)


def _close(db: sqlite3.Connection) -> None:
    with suppress(sqlite3.ProgrammingError):  # another thread's: garbage collection closes it
        db.close()
