"""Rows in a file of scores: only their positions are in memory, the rows are read when needed.

An evaluation of 100,000 pages has a million rows, too many to hold in memory.
"""

import csv
import io
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import IO, cast, overload

import numpy as np

from annotate.datasets.cases import Key
from annotate.datasets.key_numbers import KeyNumbers
from annotate.evaluation.rows import ROW_COLUMNS, ResultRow, cells, parse_row
from engine.csv_cells import guarded, unguarded
from engine.errors import InputError

_NOT_THERE = -1

CellTexts = tuple[str, ...]
"""The texts of a row, one for each of `ROW_COLUMNS`."""


_KEY = tuple(map(ROW_COLUMNS.index, ("dataset", "page", "input")))


class StoredPages(Mapping[Key, list[ResultRow]]):
    """Rows of each page, in memory or in a file."""

    @property
    @abstractmethod
    def all_rows(self) -> int:
        """Number of rows of all pages."""

    @abstractmethod
    def forget(self, key: Key) -> None:
        """Leave a page out, if it is in."""

    @abstractmethod
    def count(self, key: Key) -> int:
        """Return how many rows a page has."""

    @abstractmethod
    def cells(self, keys: Iterable[Key]) -> Iterator[CellTexts]:
        """Yield the rows of pages as texts."""

    @abstractmethod
    def rows(self, keys: Iterable[Key]) -> Iterator[ResultRow]: ...


class MemoryPages(StoredPages):
    """Rows that are written nowhere."""

    def __init__(self) -> None:
        self.known: dict[Key, list[ResultRow]] = {}

    def __getitem__(self, key: Key) -> list[ResultRow]:
        return self.known[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)

    def forget(self, key: Key) -> None:
        """Leave a page out."""
        self.known.pop(key, None)

    def count(self, key: Key) -> int:
        """Return how many there are."""
        return len(self.known[key])

    @property
    def all_rows(self) -> int:
        return sum(map(len, self.known.values()))

    def cells(self, keys: Iterable[Key]) -> Iterator[CellTexts]:
        """Yield them as texts."""
        yield from map(cells, self.rows(keys))

    def rows(self, keys: Iterable[Key]) -> Iterator[ResultRow]:
        """Yield them."""
        for key in keys:
            yield from self.known[key]


class FilePages(StoredPages):
    """Rows in a file: 20 bytes of memory for each page there may be.

    Args:
        path: The file.
        numbers: All pages there may be.

    Attributes:
        end: Start of the next page, in bytes.
    """

    def __init__(self, path: Path, numbers: KeyNumbers[Key]) -> None:
        self._path, self._numbers = path, numbers
        self._offset = np.zeros(len(numbers), dtype=np.int64)
        self._length = np.zeros(len(numbers), dtype=np.int64)
        self._rows = np.full(len(numbers), _NOT_THERE, dtype=np.int32)
        self._count = 0
        self.end = 0

    def __getitem__(self, key: Key) -> list[ResultRow]:
        self._number(key)
        return list(self.rows([key]))

    def __iter__(self) -> Iterator[Key]:
        return (key for number, key in enumerate(self._numbers) if self._rows[number] >= 0)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, key: object) -> bool:
        number = self._numbers.get(cast(Key, key))
        return number >= 0 and bool(self._rows[number] >= 0)

    def _number(self, key: Key) -> int:
        number = self._numbers.get(key)
        if number < 0 or self._rows[number] < 0:
            raise KeyError(key)
        return number

    def locate(self, key: Key, offset: int, length: int, count: int) -> None:
        """Note where the rows of a page are."""
        number = self._numbers.get(key)
        if number < 0:
            raise KeyError(key)
        self._count += bool(self._rows[number] < 0)
        self._offset[number], self._length[number], self._rows[number] = offset, length, count

    def extend(self, key: Key, length: int, count: int) -> None:
        """Note that rows of a page were written at the end."""
        self.locate(key, self.end, length, count)
        self.end += length

    def forget(self, key: Key) -> None:
        """Leave a page out, without changing the file."""
        if key in self:
            self._rows[self._numbers.get(key)] = _NOT_THERE
            self._count -= 1

    def count(self, key: Key) -> int:
        """Return how many there are."""
        return int(self._rows[self._number(key)])

    @property
    def all_rows(self) -> int:
        return int(self._rows[self._rows >= 0].sum())

    def raw(self, keys: Iterable[Key]) -> Iterator[tuple[Key, bytes, int]]:
        """Yield pages with their rows as bytes of the file, and the number of rows.

        `InputError` where the file has become another one.
        """
        try:
            with self._path.open("rb") as file:
                for key in keys:
                    number = self._number(key)
                    offset, length = int(self._offset[number]), int(self._length[number])
                    if file.tell() != offset:
                        file.seek(offset)
                    yield key, file.read(length), int(self._rows[number])
        except OSError as error:
            raise InputError(f"cannot read {self._path}: {error.strerror or error}") from error

    def cells(self, keys: Iterable[Key]) -> Iterator[CellTexts]:
        """Yield them as texts; raises as `raw`."""
        for key, data, count in self.raw(keys):
            if len(data) > csv.field_size_limit():
                csv.field_size_limit(len(data))  # a reason may be long
            text = data.decode("utf-8", "replace")
            lines = [line for line in csv.reader(io.StringIO(text, newline="")) if line]
            mine = [guarded(_written(part)) for part in key]
            if len(lines) != count or any(_key_in(line) != mine for line in lines):
                raise InputError(f"{self._path} was changed while its rows were read: run it again")
            for line in lines:
                texts = [unguarded(cell) for cell in line]
                for column, part in zip(_KEY, key, strict=True):
                    texts[column] = part  # with characters without an encoding
                yield tuple(texts)

    def rows(self, keys: Iterable[Key]) -> Iterator[ResultRow]:
        """Yield them; raises as `raw`."""
        for line in self.cells(keys):
            yield parse_row(dict(zip(ROW_COLUMNS, line, strict=True)))


class StoredRows(Sequence[ResultRow]):
    """The rows of all pages that have some, one after the other, read again each time.

    Args:
        pages: Their positions.
        order: All pages there may be, in order.
    """

    def __init__(self, pages: StoredPages, order: Iterable[Key]) -> None:
        self._pages, self._order = pages, order
        self._count = pages.all_rows

    def _keys(self) -> Iterator[Key]:
        return (key for key in self._order if key in self._pages)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[ResultRow]:
        return self._pages.rows(self._keys())

    @overload
    def __getitem__(self, index: int) -> ResultRow: ...
    @overload
    def __getitem__(self, index: slice) -> list[ResultRow]: ...
    def __getitem__(self, index: int | slice) -> ResultRow | list[ResultRow]:
        if isinstance(index, slice):
            return list(self)[index]
        position = range(self._count)[index]
        return next(islice(self, position, None))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield data set and name of each page, in order."""
        for page, _ in groupby(self._keys(), lambda key: key[:2]):
            yield page

    def cells(self) -> Iterator[CellTexts]:
        return self._pages.cells(self._keys())


def cells_of(rows: Sequence[ResultRow]) -> Iterator[CellTexts]:
    """Yield rows as texts, without a detour where they are some already."""
    return rows.cells() if isinstance(rows, StoredRows) else map(cells, rows)


def _key_in(line: Sequence[str]) -> list[str]:
    return [line[k] for k in _KEY] if len(line) == len(ROW_COLUMNS) else []


def _written(text: str) -> str:
    """Return a text as it will be read back."""
    return text.encode("utf-8", "backslashreplace").decode()


# The file as it is found -------------------------------------------------------------------


@dataclass(frozen=True)
class StoredRange:
    """Rows of one page that stand together in a file.

    Attributes:
        key: The page's.
        rows: The undamaged rows.
        offset, length: Their position, in bytes.
    """

    key: Key
    rows: tuple[ResultRow, ...]
    offset: int
    length: int


class StoredRanges:
    """A file of scores, page by page, up to a row that is torn.

    Attributes:
        columns: Its first line; None of an empty file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = 0
        self.columns = next((tuple(line) for line, _, _ in self._lines()), None)

    def __iter__(self) -> Iterator[StoredRange]:
        def key_of(line: tuple[ResultRow | None, int, int]) -> Key | None:
            return None if line[0] is None else line[0].run.key

        for key, mine in groupby(self._rows(), key_of):
            lines = list(mine)
            if key is not None:
                rows = tuple(row for row, _, _ in lines if row is not None)
                start, end = lines[0][1], lines[-1][2]
                yield StoredRange(key, rows, start, end - start)

    def _rows(self) -> Iterator[tuple[ResultRow | None, int, int]]:
        """Yield rows, None for one that is damaged, and where each begins and ends."""
        for line, start, end in islice(self._lines(), 1, None):
            row = None
            with suppress(ValueError, KeyError, TypeError):
                if len(line) == len(ROW_COLUMNS):
                    texts = map(unguarded, line)
                    row = parse_row(dict(zip(ROW_COLUMNS, texts, strict=True)))
            yield row, start, end

    def _lines(self) -> Iterator[tuple[list[str], int, int]]:
        try:
            with self._path.open("rb") as file:
                self._at = start = 0
                try:
                    for line in csv.reader(self._texts(file), strict=True):
                        if line:
                            yield line, start, self._at
                        start = self._at
                except csv.Error:
                    return
        except OSError as error:
            raise InputError(f"cannot read {self._path}: {error.strerror or error}") from error

    def _texts(self, file: IO[bytes]) -> Iterator[str]:
        for data in file:
            if not data.endswith(b"\n"):
                return  # a line may be torn anywhere, in a number too
            self._at += len(data)
            yield data.decode("utf-8", "replace")


def whole_rows(reader: "csv.DictReader[str]") -> Iterator[ResultRow]:
    """Yield rows up to one that is torn within a cell; one that is damaged is left out."""
    try:
        for texts in reader:
            with suppress(ValueError, KeyError, TypeError):
                yield parse_row({name: unguarded(cell) for name, cell in texts.items()})
    except csv.Error:
        return


def encoded_rows(rows: Iterable[ResultRow]) -> bytes:
    """Return rows as the file has them."""
    return b"".join(map(encoded_line, map(cells, rows)))


def encoded_line(line: Sequence[str]) -> bytes:
    """Return a line as in the file; characters without an encoding are escaped."""
    text = io.StringIO(newline="")
    csv.writer(text).writerow(map(guarded, line))
    return text.getvalue().encode("utf-8", "backslashreplace")
