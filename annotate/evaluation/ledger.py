"""scores.csv of a long run: written as pages are done, taken up again where it stopped.

A page is in it with all its rows or not at all: what a run was in the middle of when it was killed
is left out when the file is read again.  At the end the rows stand in the order of the data sets.
"""

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from annotate.datasets.cases import Key
from annotate.evaluation.csv_cells import guarded, unguarded
from annotate.evaluation.rows import ROW_COLUMNS, ResultRow, cells, parse_row
from engine.errors import InputError
from engine.whole_file import replaced

DoneRuns = Mapping[Key, Collection[tuple[str, str, str, str]]]
"""The pages, in order, and the `ResultRow.kind` of each row that one must have."""


class Ledger:
    """The rows of all pages that are done.

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
        self.pages: dict[Key, list[ResultRow]] = {}
        self._places: dict[Key, tuple[int, int]] = {}  # offset and length in the file
        self._end = 0
        self._file: IO[bytes] | None = None
        if path is None:
            return
        self._path = path
        if resumes and path.is_file():
            self._read()
        self._rewrite((key, _encoded(self._text(rows))) for key, rows in self.pages.items())
        try:
            self._file = self._path.open("ab")
        except OSError as error:
            raise self._unwritable(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # what could not be written was said when it was added
                self._file.close()

    @property
    def rows(self) -> list[ResultRow]:
        """All rows, in the order of the pages."""
        return [row for key in self._kinds for row in self.pages.get(key, ())]

    def add(self, key: Key, rows: Sequence[ResultRow]) -> None:
        """Write the rows of a page, all at once."""
        self.pages[key] = list(rows)
        if self._file is not None:
            # A page may hold what no encoding can say; a row is never lost to that.
            data = _encoded(self._text(rows))
            try:
                self._file.write(data)
                self._file.flush()
            except OSError as error:
                raise self._unwritable(error) from error
            self._places[key] = self._end, len(data)
            self._end += len(data)

    def drop(self, keys: Iterable[Key]) -> None:
        """Forget pages that are to be done again; their rows leave the file when new ones come."""
        for key in keys:
            del self.pages[key]
            self._places.pop(key, None)

    def finish(self) -> None:
        """Put the rows into the order of the pages."""
        if self._file is not None:
            self._file.close()  # a file that is open cannot be replaced everywhere
            places = {key: self._places[key] for key in self._kinds if key in self.pages}
            self._rewrite(self._as_written(places))

    def _as_written(self, places: Mapping[Key, tuple[int, int]]) -> Iterator[tuple[Key, bytes]]:
        """Yield the rows of pages as they stand in the file."""
        with self._path.open("rb") as file:
            for key, (offset, length) in places.items():
                file.seek(offset)
                yield key, file.read(length)

    def _read(self) -> None:
        try:
            text = self._path.read_bytes().decode("utf-8", "replace")
        except OSError as error:
            raise InputError(f"cannot read {self._path}: {error.strerror or error}") from error
        whole = text[: text.rfind("\n") + 1]  # a line may be torn anywhere, in a number too
        reader = csv.DictReader(io.StringIO(whole, newline=""), strict=True)
        if reader.fieldnames is not None and tuple(reader.fieldnames) != ROW_COLUMNS:
            raise self._other("its columns are others")
        found: dict[Key, dict[tuple[str, ...], ResultRow]] = {}
        for row in whole_rows(reader):
            run = row.run
            if run.key not in self._kinds:
                raise self._other(f"it has rows of {' '.join(run.key)}")
            if row.kind not in self._kinds[run.key]:
                raise self._other(f"it has rows of {run.method} {run.version}")
            found.setdefault(run.key, {})[row.kind] = row
        self.pages = {
            key: list(rows.values())
            for key, rows in found.items()
            if len(rows) == len(self._kinds[key])
        }

    def _other(self, why: str) -> InputError:
        return InputError(
            f"{self._path} is of another evaluation ({why}): "
            "choose another folder, or start anew without --resume"
        )

    def _rewrite(self, pages: Iterable[tuple[Key, bytes]]) -> None:
        """Write the file anew, whole or not at all."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error
        places: dict[Key, tuple[int, int]] = {}
        with replaced(self._path) as beside, beside.open("wb") as file:
            end = file.write(_encoded(_line(ROW_COLUMNS)))
            for key, data in pages:
                places[key] = end, len(data)
                end += file.write(data)
        self._places, self._end = places, end

    def _unwritable(self, error: OSError) -> InputError:
        return InputError(f"cannot write to {self._path.parent}: {error.strerror or error}")

    def _text(self, rows: Iterable[ResultRow]) -> str:
        return _line(*map(cells, rows))


def _line(*cells: Sequence[str]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(map(guarded, line) for line in cells)
    return text.getvalue()


def whole_rows(reader: "csv.DictReader[str]") -> Iterator[ResultRow]:
    """Yield rows up to one that is torn within a cell; one that is damaged is left out."""
    try:
        for texts in reader:
            with suppress(ValueError, KeyError, TypeError):
                yield parse_row({name: unguarded(cell) for name, cell in texts.items()})
    except csv.Error:
        return


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
