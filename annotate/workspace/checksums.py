"""Checksums of the rows of a workspace: a bit that turned on the disk is noticed.

SQLite keeps none.  Each row carries the CRC-32 of its other columns, which finds every change of
up to 32 bits in a row.  Triggers of the connection, not of the file, write it with each row.
Runs and scores have none: they can be had again.
"""

import sqlite3
import zlib
from collections.abc import Sequence

FIRST = 5
"""The first format with checksums.  A later step that changes these tables refills them."""

COLUMNS: dict[str, tuple[str, ...]] = {
    "annotators": ("id", "uid", "name", "role"),
    "pages": (
        "id", "annotator", "key", "place", "url", "title", "digest", "width", "height", "status",
        "visited", "revision",
    ),
    "marks": ("page", "id", "place", "record"),
    "changes": ("page", "revision", "made", "what", "step", "delta"),
    "comments": (
        "id", "page", "mark", "author", "made", "kind", "text", "answers", "settled",
    ),
    "assignments": ("annotator", "key", "place", "control"),
    "decisions": ("page", "item", "choice"),
    "settings": ("key", "value"),
    "versions": ("key", "digest", "seen"),
}  # fmt: skip
"""Table → the columns its checksum is of, in this order."""

_KEYS = {
    "annotators": ("id",), "pages": ("id",), "marks": ("page", "id"),
    "changes": ("page", "revision"), "comments": ("id",), "assignments": ("annotator", "key"),
    "decisions": ("page", "item"), "settings": ("key",), "versions": ("key", "digest"),
}  # fmt: skip
_BETWEEN = "\x1f"


def register(db: sqlite3.Connection) -> None:
    """Make the function known that `begin` and step 5 of the schema call."""
    # Written in C: an interrupt in the middle of it is seen behind it.
    db.create_function("crc32", 1, zlib.crc32, deterministic=True)


def begin(db: sqlite3.Connection) -> None:
    """Write a checksum with each row from now on; needs `register` and the tables."""
    db.execute("PRAGMA temp_store = MEMORY")
    for table, columns in COLUMNS.items():
        ours = " AND ".join(f"{key} = new.{key}" for key in _KEYS[table])
        for after in ("INSERT", f"UPDATE OF {', '.join(columns)}"):
            db.execute(
                f"CREATE TEMP TRIGGER checksum_{table}_{after[:6].lower()} AFTER {after}"
                f" ON main.{table} BEGIN"
                f" UPDATE {table} SET checksum = {_of(columns)} WHERE {ours}; END"
            )


def fill() -> str:
    """Return SQL that gives all rows their checksums."""
    return "\n".join(
        f"UPDATE {table} SET checksum = {_of(columns)};" for table, columns in COLUMNS.items()
    )


def fault(db: sqlite3.Connection) -> str:
    """Return which row is not as it was written, as a clause; "" if all are."""
    for table, columns in COLUMNS.items():
        keys = ", ".join(_KEYS[table])
        sql = f"SELECT {keys} FROM {table} WHERE checksum IS NOT {_of(columns)} LIMIT 1"
        if db.execute(sql).fetchone() is not None:
            return f"a row of its {table} is not as it was written"
    return ""


def of(values: Sequence[object]) -> int:
    """Return the checksum of a row's columns, as read."""
    return zlib.crc32(_BETWEEN.join(map(str, values)).encode("utf-8", "surrogatepass"))


def _of(columns: Sequence[str]) -> str:
    joined = f" || char({ord(_BETWEEN)}) || ".join(columns)
    return f"crc32(CAST({joined} AS BLOB))"
