"""The rows of a run, in an SQLite database, and ``scores.csv``, which is written along with it.

The database is a temporary file that SQLite deletes itself, with some 2 MB of memory: an evaluation
of 100,000 pages has a million rows.  ``scores.csv`` has a page with all its rows or not at all,
from the moment the page is done, so that a killed run is resumed from it; an unfinished page is
left out when it is read again.  At the end its rows are in the order of the data sets.
"""

import weakref
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Literal, Self

import numpy as np

from annotate.archives.disk_names import disk_errors, temporary_database
from annotate.datasets.cases import Key
from annotate.datasets.key_numbers import KeyNumbers
from annotate.evaluation.store.row_files import (
    CellTexts,
    encode_rows,
    row_of,
    table_lines,
    write_rows,
)
from annotate.evaluation.store.rows import ROW_COLUMNS, ResultRow, cells, parse_row
from engine.errors import InputError, convert_os_error
from engine.words import UNICODE

RowKinds = frozenset[tuple[str, ...]]
"""The `ResultRow.kind` of each row that a page must have."""

_KIND = itemgetter(*map(ROW_COLUMNS.index, ("method", "version", "parameters", "measure")))
_COLUMNS = ", ".join(f'"{name}"' for name in ROW_COLUMNS)


class PlannedRuns(Mapping[Key, RowKinds]):
    """Pages in their order, and the rows each must have, in 14 bytes a page.

    Args:
        pages: Returns them; called again each time all pages are needed.
    """

    def __init__(self, pages: Callable[[], Iterable[tuple[Key, RowKinds]]]) -> None:
        self._codes = array("i")
        self._kinds: dict[RowKinds, int] = {}
        self.numbers: KeyNumbers[Key] = KeyNumbers(lambda: (key for key, _ in pages()))
        for key, kinds in pages():
            if self.numbers.get(key) == len(self._codes):  # the first of equal ones
                self._codes.append(self._kinds.setdefault(kinds, len(self._kinds)))
        self._known = tuple(self._kinds)

    def __getitem__(self, key: Key) -> RowKinds:
        number = self.numbers.get(key)
        if number < 0:
            raise KeyError(key)
        return self._known[self._codes[number]]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and self.numbers.get(key) >= 0

    def __iter__(self) -> Iterator[Key]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)


class RunStore(Iterable[ResultRow]):
    """The rows of all pages that are done; iterating reads them in the order of the pages.

    Args:
        path: Of ``scores.csv``; one that is there is overwritten, or with ``resumes`` continued.
            None writes none.
        planned: The rows there must be.

    Raises:
        InputError: The file cannot be written, or holds rows of another evaluation.
    """

    def __init__(self, path: Path | None, planned: PlannedRuns, *, resumes: bool = False) -> None:
        self._path, self._planned = path, planned
        self._is_done = np.zeros(len(planned), dtype=bool)
        self._file: IO[bytes] | None = None
        self._db = temporary_database()
        weakref.finalize(self, self._db.close)
        self._db.execute(
            f"CREATE TABLE rows (number INTEGER, place INTEGER, {_COLUMNS},"
            " PRIMARY KEY (number, place)) WITHOUT ROWID"
        )
        if path is None:
            return
        if resumes and path.is_file():
            self._resume(path)
        write_rows(path, self.lines())
        with convert_os_error(f"write to {path.parent}"):
            self._file = path.open("ab")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # failures were reported when the row was added
                self._file.close()

    def __iter__(self) -> Iterator[ResultRow]:
        return (_row(texts) for _, *texts in self._select())

    @property
    def done(self) -> int:
        return int(self._is_done.sum())

    def has(self, key: Key) -> bool:
        number = self._planned.numbers.get(key)
        return number >= 0 and bool(self._is_done[number])

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield data set and name of each page that is done, in order."""
        done = (key for key, is_done in zip(self._planned, self._is_done, strict=True) if is_done)
        for page, _ in groupby(done, lambda key: key[:2]):
            yield page

    def lines(self) -> Iterator[CellTexts]:
        """Yield the rows as texts, in order."""
        return (tuple(texts) for _, *texts in self._select())

    def rows_of(self, key: Key) -> list[ResultRow]:
        """Return the rows of a page that is done."""
        return [_row(texts) for _, *texts in self._select(self._planned.numbers.get(key))]

    def add(self, key: Key, rows: Iterable[ResultRow]) -> None:
        """Store the rows of a page, all at once."""
        lines = [tuple(cells(row)) for row in rows]
        if self._file is not None and self._path is not None:
            with convert_os_error(f"write to {self._path.parent}"):
                self._file.write(encode_rows(lines))
                self._file.flush()
        self._put(self._planned.numbers.get(key), lines)

    def drop(self, keys: Iterable[Key]) -> None:
        """Forget pages that are to be done again; their rows leave the file at the end."""
        self._drop([self._planned.numbers.get(key) for key in keys])

    def drop_others(self, column: Literal["renderer", "word_unit"], value: str) -> int:
        """Forget the pages with a row that has another value in a column; return how many.

        A row without a value is none of those.
        """
        others = f"SELECT DISTINCT number FROM rows WHERE \"{column}\" NOT IN ('', ?)"
        with disk_errors("the rows"):
            numbers = [number for (number,) in self._db.execute(others, (value,))]
        self._drop(numbers)
        return len(numbers)

    def finish(self) -> None:
        """Sort the rows of the file by the order of the pages."""
        if self._file is not None and self._path is not None:
            self._file.close()  # a file that is open cannot be replaced everywhere
            write_rows(self._path, self.lines())

    def _select(self, number: int | None = None) -> Iterator[tuple[int, *CellTexts]]:
        where = "" if number is None else f"WHERE number = {number}"
        asked = f"SELECT number, {_COLUMNS} FROM rows {where} ORDER BY number, place"
        with disk_errors("the rows"):
            for number, *texts in self._db.execute(asked):
                yield number, *map(UNICODE.read, texts)

    def _put(self, number: int, lines: Iterable[CellTexts]) -> None:
        self._drop([number])
        insert = f"INSERT INTO rows VALUES ({', '.join('?' * (2 + len(ROW_COLUMNS)))})"
        rows = ((number, place, *map(UNICODE.write, texts)) for place, texts in enumerate(lines))
        with disk_errors("the rows"):
            self._db.executemany(insert, rows)
        self._is_done[number] = True

    def _drop(self, numbers: Iterable[int]) -> None:
        with disk_errors("the rows"):
            for number in numbers:
                if self._is_done[number]:
                    self._db.execute("DELETE FROM rows WHERE number = ?", (number,))
                    self._is_done[number] = False

    def _resume(self, path: Path) -> None:
        """Take over the rows of a file, of pages of which all are there.

        Those of a page need not be adjacent, as after a kill or a sort of the file.
        """
        unfinished: set[int] = set()
        with convert_os_error(f"read {path}"), path.open("rb") as file:
            lines = table_lines(file)
            if tuple(next(lines, ROW_COLUMNS)) != ROW_COLUMNS:
                raise _other(path, "its columns are different")
            whole = (line for line in lines if row_of(ROW_COLUMNS, line, is_exact=True))
            for key, mine in groupby(whole, itemgetter(0, 1, ROW_COLUMNS.index("input"))):
                number = self._planned.numbers.get(key)
                if number < 0:
                    raise _other(path, f"it has rows of {' '.join(key)}")
                asked = self._planned[key]
                rows = {_KIND(texts): tuple(texts) for _, *texts in self._select(number)}
                rows.update((_KIND(texts), texts) for texts in mine)
                if others := [kind for kind in rows if kind not in asked]:
                    raise _other(path, f"it has rows of {_not_asked(others[0], asked)}")
                self._put(number, rows.values())
                (unfinished.add if len(rows) < len(asked) else unfinished.discard)(number)
        self._drop(unfinished)


def _row(texts: Sequence[str]) -> ResultRow:
    return parse_row(dict(zip(ROW_COLUMNS, texts, strict=True)))


def _other(path: Path, why: str) -> InputError:
    return InputError(
        f"{path} is of another evaluation ({why}): "
        "choose another folder, or start anew without --resume"
    )


def _not_asked(kind: Sequence[str], asked: Collection[tuple[str, ...]]) -> str:
    """Return what of a row is in none of those there must be."""
    method, version, parameters, measure = kind
    if (method, version, parameters) in {each[:3] for each in asked}:
        return f"the measure {measure}"
    if (method, version) in {each[:2] for each in asked}:
        return f"{method} with other parameters"
    return f"{method} {version}"
