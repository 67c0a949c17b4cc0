"""What of a workspace waits while another program writes to it, and is saved later."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotate.marks import journal
from annotate.workspace.page_rows import PageStatus
from annotate.workspace.store import Store
from engine.errors import PageletError, WorkspaceBusy, WorkspaceError

log = logging.getLogger(__name__)


class LateSaves:
    """The part of a `Workspace` that can wait: settings, statuses, visits, changes, queries.

    Attributes:
        waits: Called where a setting, status, visit or comment has to wait for another program,
            until `save_late` has saved it; None where that is an error, as in commands.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.waits: Callable[[], None] | None = None
        self._late: dict[str, str] = {}  # settings that wait
        self._read: dict[str, tuple[Any, ...] | None] = {}
        self._late_visits: list[Callable[[], None]] = []
        self._late_statuses: dict[tuple[int, str], PageStatus] = {}  # by annotator and page
        self._late_changes: list[Callable[[Store], None]] = []
        self._refused: list[tuple[Callable[[Store], None], str]] = []  # of these, and why
        self._rows: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}  # by query and values
        self._late_rows: set[tuple[Any, ...]] = set()
        self._is_held_up = False  # something waits already: no need to wait for the next

    @property
    def path(self) -> Path:
        return self._store.path

    def setting(self, key: str, default: Any = None) -> Any:  # noqa: ANN401
        """Return a setting, any JSON value; a damaged one counts as missing."""
        row = (self._late[key],) if key in self._late else self._setting_row(key)
        try:
            return default if row is None else json.loads(row[0])
        except (ValueError, OverflowError, TypeError, RecursionError) as error:
            log.warning("%s: the setting %r is damaged and not used: %s", self.path, key, error)
            return default

    def _setting_row(self, key: str) -> tuple[Any, ...] | None:
        """Return a setting's text; as it was read last, where a window would have to wait."""
        try:
            row = self._store.one("SELECT value FROM settings WHERE key = ?", key)
        except WorkspaceBusy:
            if self.waits is None:
                raise
            return self._read.get(key)
        self._read[key] = row
        return row

    def set_setting(self, key: str, value: object) -> None:
        """Keep a setting: layers, enabled methods, parameters ...; anything JSON can hold."""
        self._late[key] = journal.dump(value)
        self._save_or_wait()

    def save_late(self) -> bool:
        """Save delayed changes; return whether none are left."""
        is_done = self._save_late_values() and self._save_late_changes() and self._read_late()
        self._is_held_up = self._is_held_up and not is_done
        return is_done

    def save_or_wait(self, change: Callable[[Store], None]) -> None:
        """Apply a change in a separate transaction; waits as settings do, in the order made.

        After an error it is dropped; earlier delayed changes may be in `take_refused`.
        """
        self._late_changes.append(change)
        try:
            self._save_or_wait()
        except PageletError:
            self._late_changes = [each for each in self._late_changes if each is not change]
            self._refused = [each for each in self._refused if each[0] is not change]
            raise

    @property
    def late_changes(self) -> Sequence[Callable[[Store], None]]:
        """Changes given to `save_or_wait` that are not in the file yet."""
        return tuple(self._late_changes)

    @property
    def has_refused(self) -> bool:
        """Whether `take_refused` has any."""
        return bool(self._refused)

    def take_refused(self) -> Sequence[tuple[Callable[[Store], None], str]]:
        """Return, once, the changes that waited and then could not be saved, each with why."""
        refused = tuple(self._refused)
        self._refused.clear()
        return refused

    def drop_late(self, change: Callable[[Store], None]) -> None:
        self._late_changes.remove(change)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query; as they were read last, where a window would have to wait.

        Then `waits` is called, and `save_late` reads them again.
        """
        query: tuple[Any, ...] = (sql, *values)
        try:
            with self._hurrying():
                self._rows[query] = self._store.all(*query)
        except WorkspaceBusy:
            if self.waits is None:
                raise
            self._late_rows.add(query)
            self._is_held_up = True
            self.waits()
        return self._rows.get(query, [])

    @contextmanager
    def _hurrying(self) -> Iterator[None]:
        """Wait for another program only where it is not known yet that there is one."""
        with self._store.waiting(0 if self._is_held_up else self._store.patience):
            yield

    def _read_late(self) -> bool:
        try:
            for query in tuple(self._late_rows):
                self._rows[query] = self._store.all(*query)
                self._late_rows.discard(query)
        except WorkspaceBusy:
            return False
        return True

    def _save_late_changes(self) -> bool:
        while self._late_changes:
            try:
                with self._store.saving():
                    self._late_changes[0](self._store)
            except WorkspaceBusy:
                return False
            except PageletError as error:
                self._refused.append((self._late_changes.pop(0), str(error)))
                raise
            del self._late_changes[0]
        return True

    def _save_late_values(self) -> bool:
        if not (self._late or self._late_visits or self._late_statuses):
            return True
        try:
            with self._store.saving():
                for note in self._late_visits:
                    note()
                for key, text in self._late.items():
                    self._put_text(key, text)
                for (annotator, key), status in self._late_statuses.items():
                    self._put_status(annotator, key, status)
        except WorkspaceBusy:
            return False
        except WorkspaceError:
            self._forget_late_values()
            raise
        self._forget_late_values()
        return True

    def _save_or_wait(self) -> None:
        """Save delayed changes; keep them if another program writes and a retry is possible."""
        with self._hurrying():
            if self.save_late():
                return
        if self.waits is None:
            self._forget_late_values()
            self._late_changes.clear()
            raise WorkspaceBusy(f"{self.path} cannot be saved: another program is writing to it")
        self._is_held_up = True
        self.waits()

    @property
    def _is_late(self) -> bool:
        return bool(self._late or self._late_visits or self._late_statuses or self._late_changes)

    def _forget_late_values(self) -> None:
        self._late.clear()
        self._late_statuses.clear()
        self._late_visits.clear()

    def _put_status(self, annotator: int, key: str, status: PageStatus) -> None:
        self._store.run(
            "UPDATE pages SET status = ? WHERE annotator = ? AND key = ? AND status IS NOT ?",
            *(str(status), annotator, key, str(status)),
        )

    def _put_setting(self, key: str, value: object) -> None:
        self._put_text(key, journal.dump(value))

    def _put_text(self, key: str, text: str) -> None:
        self._store.run(
            "INSERT INTO settings (key, value) VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value"
            " WHERE value IS NOT excluded.value",  # a statement without effect writes no journal
            *(key, text),
        )
