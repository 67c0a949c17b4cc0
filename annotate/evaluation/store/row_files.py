"""Files of an evaluation's folder, written and read again.

Rows in ``scores.csv`` and ``scores.sqlite``, and locations and rendering of the pages in
``run.json``, to show them again.
"""

import csv
import io
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from annotate.archives.magic import SQLITE
from annotate.evaluation.store.rows import NEW_COLUMNS, ROW_COLUMNS, ResultRow, parse_row
from annotate.workspace.limits import deadline, guard
from annotate.workspace.schema import is_plain
from engine import bounded_file
from engine.bounded_file import atomic_write
from engine.csv_cells import guard_cell, unguard_cell, write_csv
from engine.errors import InputError, convert_os_error
from engine.words import UNICODE

CellTexts = tuple[str, ...]
"""The texts of a row, one for each of `ROW_COLUMNS`."""

ORIGIN_FILE = "run.json"
_NAMES = ("scores.csv", "scores.sqlite")
_MOST_BYTES = 2**31
_NUMBERS = frozenset({
    "bytes", "ms", "unmapped_words", "gold_on_page", "extract_on_page", "precision", "recall",
    "value", "retrieved", "hits",
    "relevant", "pages", "ok", "empty", "failed", "timed out", "skipped", "value_failed_as_empty",
    "value_pages", "precision_pages", "recall_pages",
    "mean", "median", "quartile_1", "quartile_3", "deviation", "zeros", "ms_median", "mb_per_s",
})  # fmt: skip
"""Columns of the database that hold numbers as numbers."""


def encode_rows(lines: Iterable[Sequence[str]]) -> bytes:
    """Return lines of cells as a CSV file has them."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(map(guard_cell, line) for line in lines)
    return text.getvalue().encode()


def write_rows(path: Path, lines: Iterable[CellTexts]) -> None:
    """Write ``scores.csv``; raises as `write_csv`."""
    write_csv(path, ROW_COLUMNS, lines)


def write_database(
    path: Path, tables: Mapping[str, tuple[Sequence[str], Iterable[Sequence[object]]]]
) -> None:
    """Write tables, each with its columns and rows, in place of the SQLite file there is.

    Numbers are numbers, ready for questions in SQL; empty values are NULL.  Raises `InputError` if
    it cannot be written.
    """
    try:
        with atomic_write(path) as beside, closing(sqlite3.connect(beside)) as db, db:
            for table, (columns, rows) in tables.items():
                kinds = ["NUMERIC" if name in _NUMBERS else "TEXT" for name in columns]
                typed = ", ".join(map('"{}" {}'.format, columns, kinds))
                db.execute(f'CREATE TABLE "{table}" ({typed})')
                insert = f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(columns))})'
                db.executemany(insert, (list(map(_cell, row)) for row in rows))
    except sqlite3.Error as error:
        raise InputError(f"cannot write {path}: {error}") from error


def _cell(value: object) -> object:
    """Return the value to store: a column of numbers converts text automatically."""
    if not isinstance(value, str):
        return value
    return UNICODE.write(value) or None


def table_lines(file: Iterable[bytes]) -> Iterator[CellTexts]:
    """Yield the lines of a CSV file, up to one that is torn; it may be written to just now."""

    def whole() -> Iterator[str]:
        for data in file:
            if not data.endswith(b"\n"):
                return  # a line may be torn anywhere, in a number too
            yield data.decode("utf-8", "replace")

    with suppress(csv.Error):
        for line in csv.reader(whole(), strict=True):
            if line:
                yield tuple(map(unguard_cell, line))


def row_of(columns: Sequence[str], texts: CellTexts, *, is_exact: bool = False) -> ResultRow | None:
    """Return the row of a line, None for one that is damaged.

    ``is_exact`` refuses a line that is longer, too.
    """
    with suppress(ValueError, KeyError, TypeError):
        return parse_row(dict(zip(columns, texts, strict=is_exact)))
    return None


def rows_in(path: Path, data: bytes) -> Iterator[ResultRow]:
    """Yield the rows of a CSV file of that content; `InputError` if it lacks a column."""
    lines = table_lines(io.BytesIO(data))
    columns = next(lines, ())
    _check(path, columns)
    yield from filter(None, (row_of(columns, texts) for texts in lines))


def results_in(path: Path) -> Path | None:
    """Return the file of scores at a path, or in a folder; None if there is none."""
    if path.is_dir():
        return next((path / name for name in _NAMES if (path / name).is_file()), None)
    return path if path.name in _NAMES and path.is_file() else None


def read_rows(path: Path) -> tuple[ResultRow, ...]:
    """Return the rows in a file or folder; a page an evaluation was in the middle of included.

    `InputError` if there are none that can be read.
    """
    result = results_in(path)
    if result is None:
        raise InputError(
            f"{path} holds no results: name a folder that `pagelet evaluate` wrote, with scores.csv"
        )
    try:
        with convert_os_error(f"read {result}"):
            with bounded_file.open_bounded(result) as file:
                is_database = file.read(len(SQLITE)) == SQLITE
            if is_database:
                rows = tuple(_from_database(result))
            else:
                rows = tuple(rows_in(result, bounded_file.read_bytes(result, _MOST_BYTES)))
    except sqlite3.Error as error:
        raise InputError(f"{result} is damaged: {error}") from error
    if not rows:
        raise InputError(f"{result} holds no results yet: no page is done")
    return rows


def _from_database(path: Path) -> Iterator[ResultRow]:
    """Yield the rows of a file that anybody may have made; `sqlite3.Error` where that is odd."""
    size = path.stat().st_size
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"  # without any journal
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
            for line in asked:
                texts = tuple("" if cell is None else str(cell) for cell in line)
                if (row := row_of(there, texts)) is not None:
                    yield row


def _check(path: Path, columns: Collection[str]) -> None:
    missing = [name for name in ROW_COLUMNS if name not in {*columns, *NEW_COLUMNS}]
    if missing:
        raise InputError(f"{path} is not a file of scores: it has no column {missing[0]}")


@dataclass(frozen=True)
class RunOrigin:
    """Stored origin of an evaluation.

    Attributes:
        datasets: Its data sets that are still there.
        repeatable: See `engine.document.Document`; None left it to the page.
    """

    datasets: tuple[Path, ...] = ()
    repeatable: bool | None = None


def write_origin(out: Path, datasets: Sequence[str | Path], repeatable: bool | None = None) -> None:
    """Note an evaluation's origin in its folder; `InputError` if it cannot be written."""
    paths = [str(Path(each).expanduser().absolute()) for each in datasets]
    content = {"datasets": paths, "repeatable": repeatable}
    with atomic_write(out / ORIGIN_FILE) as beside:
        beside.write_text(json.dumps(content, indent=1), "utf-8")


def read_origin(out: Path) -> RunOrigin:
    """Return the stored origin of an evaluation, empty if there is none.

    ``out`` is its folder, or the file of its rows there.  Raises `InputError` if the note is
    damaged.
    """
    out = out.parent if out.is_file() else out
    try:
        content = json.loads(bounded_file.read_text(out / ORIGIN_FILE))
        named = [Path(each) for each in content["datasets"]]
        repeatable = content.get("repeatable")  # older ones have none
        if not isinstance(repeatable, bool | None):
            raise TypeError
    except FileNotFoundError:
        return RunOrigin()
    except (OSError, ValueError, OverflowError, KeyError, TypeError, RecursionError):
        damaged = f"{out / ORIGIN_FILE} is damaged"
        raise InputError(f"{damaged}: name the data sets with --data") from None
    return RunOrigin(tuple(path for path in named if path.exists()), repeatable)
