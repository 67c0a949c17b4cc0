"""Scores as columns of numbers: page × method, one array a measure; knows no Qt.

It is fed with the rows of an evaluation a page at a time and answers what a table asks: the values
of a measure, their means with what was left out of them, what has not been run yet, what has
changed since.  2,000 pages × 40 methods × 70 measures are 134 MB; a measure costs nothing until a
row brings it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from algorithms.catalogue import method
from engine.errors import InputError
from gui.matrix.measures import TIME, Kind, Measure

Key = tuple[str, str, str]
"""Data set, page, input."""
Row = Mapping[str, str]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]

Part = Literal["value", "precision", "recall"]
_PARTS: tuple[Part, ...] = ("value", "precision", "recall")

STATUSES = ("", "ok", "empty", "failed", "timed out", "skipped")
"""What a cell's code stands for; the first is: not run yet."""
NOT_RUN, OK, EMPTY, FAILED, TIMED_OUT, SKIPPED = range(len(STATUSES))


@dataclass(frozen=True)
class Page:
    """One row of the table.

    Attributes:
        dataset, name: What an evaluation calls it.
        title: What the user sees.
        note: Where it comes from, for the tool tip.
    """

    dataset: str
    name: str
    title: str
    note: str = ""


@dataclass(frozen=True)
class Column:
    """One column: a method as it is set up.

    Attributes:
        method: Its key.
        parameters: As `canonical` writes them.
        input: What it reads.
    """

    method: str
    parameters: str
    input: str

    @property
    def name(self) -> str:
        """The method's name; its key where this Pagelet does not have it."""
        try:
            return method(self.method).name
        except InputError:
            return self.method

    @property
    def kind(self) -> Kind:
        """What it gives."""
        return _kind(self.method)

    @property
    def values(self) -> dict[str, bool | int | float | str]:
        """The parameters."""
        return cast(dict[str, bool | int | float | str], json.loads(self.parameters))


@lru_cache(maxsize=512)
def _kind(key: str) -> Kind:
    try:
        return "segmentation" if method(key).output == "segmentation" else "extraction"
    except InputError:
        return "extraction"


@lru_cache(maxsize=512)
def canonical(parameters: str) -> str:
    """Return parameters (JSON) so that equal ones are equal texts."""
    return json.dumps(json.loads(parameters or "{}"), sort_keys=True)


@dataclass(frozen=True)
class Mean:
    """A column over some pages.

    Attributes:
        value: The mean over the pages with a value, pooled where the measure is; None without any.
        scored, zeros: Pages with a value; those of them with 0.
        failures: Pages it failed on or took too long on; never part of the mean.
        skipped: Pages it was not run on.
    """

    value: float | None
    scored: int
    zeros: int
    failures: int
    skipped: int


class ScoreTable:
    """All that is known of an evaluation."""

    def __init__(self, pages: Sequence[Page] = (), columns: Sequence[Column] = ()) -> None:
        self.pages: tuple[Page, ...] = tuple(pages)
        self.columns: list[Column] = []
        self._rows = {(page.dataset, page.name): row for row, page in enumerate(self.pages)}
        self._places: dict[Column, int] = {}
        n = len(self.pages)
        self.status = np.zeros((n, 0), dtype=np.int8)
        self.stale: Bools = np.zeros(n, dtype=bool)
        self._arrays: dict[str, Floats] = {}
        # Cell → measure → why it has no number; "" stands for all measures not named.
        self._reasons: dict[tuple[int, int], dict[str, str]] = {}
        for column in columns:
            self.column(column)

    def row_of(self, dataset: str, name: str) -> int:
        """Return a page's row, -1 if it is not in the table."""
        return self._rows.get((dataset, name), -1)

    def column(self, column: Column) -> int:
        """Return a column's place; it is added if it is new."""
        place = self._places.get(column)
        if place is None:
            place = self._places[column] = len(self.columns)
            self.columns.append(column)
            n = len(self.pages)
            self.status = np.hstack((self.status, np.zeros((n, 1), dtype=np.int8)))
            for key, array in self._arrays.items():
                more = np.full((len(_PARTS), n, 1), np.nan)
                self._arrays[key] = np.concatenate((array, more), axis=2)
        return place

    def take(self, key: Key, rows: Iterable[Row]) -> int:
        """Take in all rows of one page; return its row, -1 if the table has no such page.

        What was known of the same methods on the page is replaced.  A measure that could not be
        had is skipped with its reason, though the method ran.
        """
        page = self.row_of(*key[:2])
        if page < 0:
            return -1
        cells: dict[int, dict[str, str]] = {}  # column → measure → why it has no number
        for row in rows:
            place = self.column(Column(row["method"], canonical(row["parameters"]), row["input"]))
            if place not in cells:
                cells[place] = {}
                self._begin(page, place)
            self._take(page, place, row)
            cells[place][row["measure"]] = row["reason"]
        for place, reasons in cells.items():
            said = set(reasons.values())
            if said != {""}:  # one reason for all is kept once
                whole = {"": said.pop()} if len(said) == 1 else reasons
                self._reasons[page, place] = {k: why for k, why in whole.items() if why}
        self.stale[page] = False
        return page

    def _begin(self, page: int, place: int) -> None:
        """Forget what was known of a cell."""
        self.status[page, place] = NOT_RUN
        for array in self._arrays.values():
            array[:, page, place] = np.nan
        self._reasons.pop((page, place), None)

    def _take(self, page: int, place: int, row: Row) -> None:
        status = STATUSES.index(row["status"])
        if self.status[page, place] in (NOT_RUN, SKIPPED):
            self.status[page, place] = status
        self._array(TIME)[0, page, place] = _number(row["ms"])
        numbers = [_number(row[part]) for part in _PARTS]
        self._array(row["measure"])[:, page, place] = numbers

    def skip(self, pages: Iterable[int], columns: Iterable[Column], reason: str) -> None:
        """Note that methods are not run on pages, and why."""
        places = [self.column(column) for column in columns]
        for page in pages:
            for place in places:
                self._begin(page, place)
                self.status[page, place] = SKIPPED
                self._reasons[page, place] = {"": reason}
            self.stale[page] = False

    def reason(self, page: int, column: int, measure: Measure) -> str:
        """Return why a cell has no number; "" if that is not known."""
        known = self._reasons.get((page, column), {})
        return known.get(measure.key) or known.get("", "")

    def _array(self, measure: str) -> Floats:
        found = self._arrays.get(measure)
        if found is None:
            shape = (len(_PARTS), *self.status.shape)
            found = self._arrays[measure] = np.full(shape, np.nan)
        return found

    # asking ----------------------------------------------------------------------------------
    @property
    def has_results(self) -> bool:
        """Whether anything was run."""
        return bool((self.status != NOT_RUN).any())

    def measured(self) -> frozenset[str]:
        """Return the keys of the measures that have a value somewhere."""
        return frozenset(k for k, a in self._arrays.items() if not np.isnan(a[0]).all())

    def values(self, measure: Measure, column: int, part: Part = "value") -> Floats:
        """Return a column of one measure, float64 (pages,); NaN where there is no value."""
        array = self._arrays.get(measure.key)
        if array is None:
            return np.full(len(self.pages), np.nan)
        return array[_PARTS.index(part), :, column]

    def value(self, measure: Measure, page: int, column: int, part: Part = "value") -> float:
        """Return one cell, NaN without a value."""
        array = self._arrays.get(measure.key)
        return np.nan if array is None else float(array[_PARTS.index(part), page, column])

    def mean(self, measure: Measure, column: int, rows: Rows) -> Mean:
        """Return the mean over some pages, and what is not in it."""
        values = self.values(measure, column)[rows]
        there = values[~np.isnan(values)]
        status = self.status[rows, column]
        value = float(there.mean()) if there.size else None
        if measure.is_pooled and there.size:
            value = self._pooled(measure, column, rows)
        return Mean(
            value,
            int(there.size),
            int((there == 0).sum()) if measure.is_share else 0,
            int(((status == FAILED) | (status == TIMED_OUT)).sum()),
            int((status == SKIPPED).sum()),
        )

    def _pooled(self, measure: Measure, column: int, rows: Rows) -> float | None:
        means = []
        for part in _PARTS[1:]:
            numbers = self.values(measure, column, part)[rows]
            numbers = numbers[~np.isnan(numbers)]
            if not numbers.size:
                return None
            means.append(float(numbers.mean()))
        total = sum(means)
        return 2 * means[0] * means[1] / total if total else 0.0

    def unfinished(self, columns: Sequence[int]) -> Rows:
        """Return the pages on which one of these columns was not run yet."""
        if not columns:
            return np.zeros(0, dtype=np.intp)
        return np.flatnonzero((self.status[:, list(columns)] == NOT_RUN).any(axis=1))


def _number(text: str) -> float:
    return float(text) if text else np.nan
