"""Limits of an SQLite connection to a file that anybody may have made.

Nothing that a file's schema holds may run, one value takes so much memory at most, and a query so
much time.  Python 3.12 provides SQLite's own switches for triggers, views and changes of the
schema; before that an authorizer refuses actions from within one of those.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 64 << 20
"""Bytes of the longest text or row that is read or written."""

SECONDS = 30.0
"""How long it may take to read or check a file, and a second more for each `_SPEED` bytes."""

_SPEED = 2e7
_STEPS = 20_000  # SQLite instructions between two checks of the clock; some .2 ms
_OWN = "checksum_"

_SWITCHES = {
    "SQLITE_DBCONFIG_DEFENSIVE": True,
    "SQLITE_DBCONFIG_ENABLE_TRIGGER": False,
    "SQLITE_DBCONFIG_ENABLE_VIEW": False,
    "SQLITE_DBCONFIG_TRUSTED_SCHEMA": False,
}


def guard(db: sqlite3.Connection, *, is_repair: bool = False) -> None:
    """Run nothing of a file's schema, and limit the size of values.

    Triggers of the connection's own (temporary ones, `annotate.workspace.checksums`) continue to
    run. With ``is_repair`` the schema itself can be changed.
    """
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA mmap_size = 0")
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    db.setlimit(sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 8)
    if hasattr(db, "setconfig"):
        for name, value in _SWITCHES.items():
            if not (is_repair and "DEFENSIVE" in name):
                db.setconfig(getattr(sqlite3, name), value)
    db.set_authorizer(_authorized)


def _authorized(
    action: int, first: str | None, second: str | None, database: str | None, within: str | None
) -> int:
    """Refuse what a trigger or view that is not the connection's own would do."""
    is_own = within is None or within.startswith(_OWN)
    return sqlite3.SQLITE_OK if is_own else sqlite3.SQLITE_DENY


@contextmanager
def deadline(db: sqlite3.Connection, size: int = 0) -> Iterator[None]:
    """End queries that take too long for a file of ``size`` bytes by `sqlite3.OperationalError`."""
    end = time.monotonic() + SECONDS + size / _SPEED
    interrupts: list[KeyboardInterrupt] = []

    def is_over() -> bool:
        try:
            return time.monotonic() > end
        except KeyboardInterrupt as error:  # SQLite would swallow it
            interrupts.append(error)
            return True

    db.set_progress_handler(is_over, _STEPS)
    try:
        yield
    finally:
        db.set_progress_handler(None, 0)
        if interrupts:
            raise interrupts[0]
