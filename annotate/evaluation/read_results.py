"""Reads again what an evaluation wrote: the rows of ``scores.csv`` or ``scores.sqlite``."""

import csv
import io
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from pathlib import Path

from annotate.evaluation.results import Results
from annotate.evaluation.rows import NEW_COLUMNS, ROW_COLUMNS, ResultRow, parse_row
from annotate.evaluation.stored_rows import whole_rows
from annotate.workspace.limits import deadline, guard
from annotate.workspace.schema import is_plain
from engine import bounded_file
from engine.errors import InputError

_NAMES = ("scores.csv", "scores.sqlite")
_MOST_ROWS = 2**31  # bytes of them as CSV
_MAGIC = b"SQLite format 3\x00"


def results_in(path: Path) -> Path | None:
    """Return the file of scores at a path, or in a folder; None if there is none."""
    if path.is_dir():
        return next((path / name for name in _NAMES if (path / name).is_file()), None)
    return path if path.name in _NAMES and path.is_file() else None


def read_results(path: Path) -> Results:
    """Return the results in a file or folder; a page an evaluation was in the middle of included.

    `InputError` if there are none that can be read.
    """
    return Results.of(read_rows(path))


def read_rows(path: Path) -> tuple[ResultRow, ...]:
    """Return the rows that `read_results` makes results of; raises as that."""
    result = results_in(path)
    if result is None:
        raise InputError(
            f"{path} holds no results: name a folder that `pagelet evaluate` wrote, with scores.csv"
        )
    try:
        with bounded_file.opened(result) as file:
            is_database = file.read(len(_MAGIC)) == _MAGIC
        rows = tuple(_from_database(result) if is_database else _from_csv(result))
    except OSError as error:
        raise InputError(f"cannot read {result}: {error.strerror or error}") from error
    except sqlite3.Error as error:
        raise InputError(f"{result} is damaged: {error}") from error
    if not rows:
        raise InputError(f"{result} holds no results yet: no page is done")
    return rows


def _from_csv(path: Path) -> Iterator[ResultRow]:
    reader = _reader(bounded_file.read_bytes(path, _MOST_ROWS))
    _check(path, reader.fieldnames or ())
    yield from whole_rows(reader)


def rows_in_csv(data: bytes) -> Iterator[ResultRow]:
    """Yield the rows of a file of scores that is known to be one."""
    yield from whole_rows(_reader(data))


def _reader(data: bytes) -> "csv.DictReader[str]":
    text = data.decode("utf-8", "replace")
    whole = text[: text.rfind("\n") + 1]  # it may be written to just now
    return csv.DictReader(io.StringIO(whole, newline=""), strict=True)


def _from_database(path: Path) -> Iterator[ResultRow]:
    """Yield the rows of a file that anybody may have made; `sqlite3.Error` where that is odd."""
    size = path.stat().st_size
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"  # with no journal of anybody
    with closing(sqlite3.connect(address, uri=True)) as db:
        guard(db)
        with deadline(db, size):
            if not is_plain(db, "scores"):
                raise InputError(f"{path} is not a file of scores: it has no plain table of scores")
            known = [name for _, name, *_ in db.execute("PRAGMA table_info(scores)")]
            _check(path, known)
            there = [name for name in ROW_COLUMNS if name in known]
            columns = ", ".join(f'"{name}"' for name in there)
            asked = db.execute(f"SELECT {columns} FROM scores LIMIT {size // len(ROW_COLUMNS) + 1}")
            for cells in asked:
                texts = ("" if cell is None else str(cell) for cell in cells)
                with suppress(ValueError, KeyError, TypeError):  # a row that is damaged is left out
                    yield parse_row(dict(zip(there, texts, strict=True)))


def _check(path: Path, columns: Collection[str]) -> None:
    missing = [name for name in ROW_COLUMNS if name not in {*columns, *NEW_COLUMNS}]
    if missing:
        raise InputError(f"{path} is not a file of scores: it has no column {missing[0]}")
