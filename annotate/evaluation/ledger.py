"""scores.csv of a long run: written as pages are done, taken up again where it stopped.

A page is in it with all its rows or not at all: an unfinished page of a killed run is left out when
the file is read again.  At the end the rows are in the order of the data sets.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

import numpy as np

from annotate.datasets.cases import Key
from annotate.datasets.key_numbers import KeyNumbers
from annotate.evaluation.planned_runs import PlannedRuns
from annotate.evaluation.rows import ROW_COLUMNS, ResultRow
from annotate.evaluation.stored_rows import (
    FilePages,
    MemoryPages,
    StoredPages,
    StoredRange,
    StoredRanges,
    StoredRows,
    encoded_line,
    encoded_rows,
)
from engine.errors import InputError
from engine.whole_file import atomic_write

DoneRuns = Mapping[Key, Collection[tuple[str, str, str, str]]]
"""The pages, in order, and the `ResultRow.kind` of each row that one must have."""

Origins = frozenset[tuple[str, str]]
"""Renderers and word units."""


class Ledger:
    """The rows of all pages that are done.

    They are only in the file; their positions are known for each page.  Without a file they are in
    memory.

    Args:
        path: Of the file; one that is there is overwritten, or with ``resumes`` gone on with.
            None keeps the rows in memory only.
        kinds: The rows there must be.

    Raises:
        InputError: The file cannot be written, or holds rows of another evaluation.

    Attributes:
        pages: The rows of each page that is done.
    """

    def __init__(
        self,
        path: Path | None,
        kinds: DoneRuns,
        *,
        resumes: bool = False,
    ) -> None:
        self._kinds = kinds
        self._origins: _OriginsByPage | None = None
        self._file: IO[bytes] | None = None
        if path is None:
            self.pages: StoredPages = MemoryPages()
            return
        self._path = path
        self._numbers = (
            kinds.numbers if isinstance(kinds, PlannedRuns) else KeyNumbers(lambda: kinds)
        )
        self.pages = self._stored = FilePages(path, self._numbers)
        before: Iterable[tuple[Key, bytes, int]] = ()
        if resumes and path.is_file():
            before = self._read()
        self._rewrite(before)
        try:
            self._file = self._path.open("ab")
        except OSError as error:
            raise self._unwritable(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # failures were reported when the row was added
                self._file.close()

    @property
    def rows(self) -> StoredRows:
        """All rows, in the order of the pages; read from the file each time."""
        return StoredRows(self.pages, self._kinds)

    def add(self, key: Key, rows: Sequence[ResultRow]) -> None:
        """Write the rows of a page, all at once."""
        if self._file is None:
            assert isinstance(self.pages, MemoryPages)
            self.pages.known[key] = list(rows)
            return
        # A page may hold characters without an encoding; a row is never lost to that.
        data = encoded_rows(rows)
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from error
        self._stored.extend(key, len(data), len(rows))

    def drop(self, keys: Iterable[Key]) -> None:
        """Forget pages that are to be done again; their rows leave the file when new ones come."""
        for key in keys:
            self.pages.forget(key)

    def done_before(self, test: Callable[[Origins], bool]) -> list[Key]:
        """Return the pages that were done before and whose renderers and word units pass a test."""
        if self._origins is None:
            return []
        return [key for key in self._origins.pages(test) if key in self.pages]

    def finish(self) -> None:
        """Sort the rows by the order of the pages."""
        if self._file is not None:
            self._file.close()  # a file that is open cannot be replaced everywhere
            self._rewrite(self._stored.raw(key for key in self._kinds if key in self.pages))

    def _read(self) -> Iterator[tuple[Key, bytes, int]]:
        """Return the pages of the file that are whole: their rows as they stand, and how many."""
        stretches = StoredRanges(self._path)
        if stretches.columns is not None and stretches.columns != ROW_COLUMNS:
            raise self._other("its columns are different")
        self._origins = _OriginsByPage(self._numbers)
        scattered: dict[Key, dict[tuple[str, ...], ResultRow]] = {}
        for each in stretches:
            self._check(each)
            key, kinds = each.key, {row.kind for row in each.rows}
            self._origins.add(key, each.rows)
            is_whole = len(each.rows) == len(kinds) == len(self._kinds[key])
            if is_whole and key not in scattered and key not in self.pages:
                self._stored.locate(key, each.offset, each.length, len(each.rows))
                continue
            # Rows of a page that are not adjacent, as after a kill or a sort of the file.
            rows = scattered.setdefault(key, {row.kind: row for row in self.pages.get(key, ())})
            self.pages.forget(key)
            rows.update({row.kind: row for row in each.rows})
        whole = (
            key
            for key in self._kinds
            if key in self.pages or len(scattered.get(key, ())) == len(self._kinds[key])
        )
        return self._again(whole, scattered)

    def _again(
        self, keys: Iterable[Key], scattered: Mapping[Key, Mapping[tuple[str, ...], ResultRow]]
    ) -> Iterator[tuple[Key, bytes, int]]:
        for key in keys:
            if key in scattered:
                rows = list(scattered[key].values())
                yield key, encoded_rows(rows), len(rows)
            else:
                yield from self._stored.raw([key])

    def _check(self, stretch: StoredRange) -> None:
        key = stretch.key
        if key not in self._kinds:
            raise self._other(f"it has rows of {' '.join(key)}")
        for row in stretch.rows:
            if row.kind not in self._kinds[key]:
                raise self._other(f"it has rows of {_not_asked(row, self._kinds[key])}")

    def _other(self, why: str) -> InputError:
        return InputError(
            f"{self._path} is of another evaluation ({why}): "
            "choose another folder, or start anew without --resume"
        )

    def _rewrite(self, pages: Iterable[tuple[Key, bytes, int]]) -> None:
        """Rewrite the file atomically."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error
        written = FilePages(self._path, self._numbers)
        with atomic_write(self._path) as beside, beside.open("wb") as file:
            written.end = file.write(encoded_line(ROW_COLUMNS))
            for key, data, count in pages:
                file.write(data)
                written.extend(key, len(data), count)
        self.pages = self._stored = written

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"cannot write to {self._path.parent}: {error.strerror or error}")


def _not_asked(row: ResultRow, kinds: Collection[tuple[str, str, str, str]]) -> str:
    """Return what of a row is in none of those there must be."""
    method, version, parameters, measure = row.kind
    if (method, version, parameters) in {kind[:3] for kind in kinds}:
        return f"the measure {measure}"
    if (method, version) in {kind[:2] for kind in kinds}:
        return f"{method} with other parameters"
    return f"{method} {version}"


class _OriginsByPage:
    """Renderers and word units of the rows of each page that was done before."""

    def __init__(self, numbers: KeyNumbers[Key]) -> None:
        self._numbers = numbers
        self._codes = np.zeros(len(numbers), dtype=np.int32)
        self._known: dict[Origins, int] = {frozenset(): 0}  # nearly all pages have the same

    def add(self, key: Key, rows: Iterable[ResultRow]) -> None:
        """Note those of some rows of a page."""
        number = self._numbers.get(key)
        known = tuple(self._known)[self._codes[number]]
        origins = known | {(row.run.renderer, row.run.word_unit) for row in rows}
        self._codes[number] = self._known.setdefault(origins, len(self._known))

    def pages(self, test: Callable[[Origins], bool]) -> Iterator[Key]:
        """Yield the pages whose pass a test."""
        codes = [code for origins, code in self._known.items() if origins and test(origins)]
        if codes:
            passes = np.isin(self._codes, codes)
            yield from (key for number, key in enumerate(self._numbers) if passes[number])
