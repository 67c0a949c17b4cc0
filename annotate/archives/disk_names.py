"""Names on disk: looked up and put in order without a list of them in memory.

Three files each of a million pages are three million names.  SQLite keeps them in a temporary file
that it deletes itself, with some 2 MB of memory.
"""

import re
import sqlite3
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from engine.errors import InputError

_DIGITS = re.compile(r"(\d+)")


class DiskNames:
    """Names, each there once, with a number each."""

    def __init__(self, names: Iterable[tuple[str, int]] = ()) -> None:
        self._db = temporary_database()
        weakref.finalize(self, self._db.close)
        self._db.execute("CREATE TABLE names (name BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID")
        self.count = 0
        for name, number in names:
            self.add(name, number)

    def add(self, name: str, number: int) -> bool:
        """Add a name; return whether it is new, without a change if not."""
        with disk_errors():
            done = self._db.execute(
                "INSERT OR IGNORE INTO names VALUES (?, ?)", (_blob(name), number)
            )
        self.count += done.rowcount
        return bool(done.rowcount)

    def number(self, name: str) -> int | None:
        """Return the number of a name; None where it is not there."""
        with disk_errors():
            line = self._db.execute(
                "SELECT number FROM names WHERE name = ?", (_blob(name),)
            ).fetchone()
        return None if line is None else int(line[0])

    def __contains__(self, name: str) -> bool:
        return self.number(name) is not None

    def __iter__(self) -> Iterator[tuple[str, int]]:
        with disk_errors():
            for name, number in self._db.execute("SELECT name, number FROM names"):
                yield _text(name), number

    def close(self) -> None:
        self._db.close()


class OrderedNames:
    """Names by their numbers, then as people count: 2 before 10; read from any of them on."""

    def __init__(self, names: Iterable[tuple[int, str]]) -> None:
        self._db = temporary_database()
        weakref.finalize(self, self._db.close)
        with disk_errors():
            self._db.execute("CREATE TABLE unordered (first INTEGER, place BLOB, name BLOB)")
            self._db.executemany(
                "INSERT INTO unordered VALUES (?, ?, ?)",
                ((first, order_key(name), _blob(name)) for first, name in names),
            )
            self._db.execute("CREATE TABLE ordered (name BLOB)")  # rowid is its place, from 1
            self._db.execute(
                "INSERT INTO ordered SELECT name FROM unordered ORDER BY first, place, name"
            )
            self._db.execute("DROP TABLE unordered")
            self.count: int = self._db.execute("SELECT count(*) FROM ordered").fetchone()[0]

    def __iter__(self) -> Iterator[str]:
        return self.read(0, self.count)

    def read(self, start: int, count: int) -> Iterator[str]:
        with disk_errors():
            lines = self._db.execute(
                "SELECT name FROM ordered WHERE rowid > ? ORDER BY rowid LIMIT ?", (start, count)
            )
            for (name,) in lines:
                yield _text(name)

    def close(self) -> None:
        self._db.close()


def order_key(name: str) -> bytes:
    """Return bytes in whose order 2 comes before 10, as by `reading.in_order`."""
    result = b""
    for position, part in enumerate(_DIGITS.split(name)):
        if position % 2:
            number = int(part).to_bytes(len(part), "big").lstrip(b"\0")
            result += len(number).to_bytes(2, "big") + number
        else:
            result += _blob(part) + b"\0"
    return result


def temporary_database() -> sqlite3.Connection:
    """Return a database in a temporary file, deleted when it is closed."""
    database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("BEGIN")  # never committed: it is not read afterwards
    return database


@contextmanager
def disk_errors(what: str = "the list of pages") -> Iterator[None]:
    """Raise `InputError` where such a database cannot be written, or read."""
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(f"cannot store {what} for the moment: {error}") from error


def _blob(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogatepass")
