"""The rows of an evaluation as an SQLite file, numbers as numbers, ready for questions in SQL."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from engine.errors import InputError
from engine.whole_file import atomic_write

_NUMBERS = frozenset({
    "bytes", "ms", "unmapped_words", "gold_on_page", "extract_on_page", "precision", "recall",
    "value", "retrieved", "hits",
    "relevant", "pages", "ok", "empty", "failed", "timed out", "skipped", "value_failed_as_empty",
    "value_pages", "precision_pages", "recall_pages",
    "mean", "median", "quartile_1", "quartile_3", "deviation", "zeros", "ms_median", "mb_per_s",
})  # fmt: skip


def write_database(
    path: Path,
    tables: Mapping[str, tuple[Sequence[str], Iterable[Sequence[object]]]],
) -> None:
    """Write tables, each with its columns and rows, in place of the file there is.

    Empty values are NULL.  Raises `InputError` if it cannot be written.
    """
    try:
        with atomic_write(path) as beside, closing(sqlite3.connect(beside)) as db, db:
            for table, (columns, rows) in tables.items():
                typed = ", ".join(
                    f'"{name}" {"NUMERIC" if name in _NUMBERS else "TEXT"}' for name in columns
                )
                db.execute(f'CREATE TABLE "{table}" ({typed})')
                marks = ", ".join("?" * len(columns))
                db.executemany(
                    f'INSERT INTO "{table}" VALUES ({marks})',
                    (list(map(_cell, row)) for row in rows),
                )
    except sqlite3.Error as error:
        raise InputError(f"cannot write {path}: {error}") from error


def _cell(value: object) -> object:
    """Return the value to store: a column of numbers converts text automatically."""
    if not isinstance(value, str) or value.isascii():
        return None if value == "" else value
    return value.encode("utf-8", "backslashreplace").decode()
