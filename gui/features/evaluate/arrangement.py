"""Arrangement of a table of scores: shown pages and columns, their order, their numbers."""

from collections.abc import Sequence

import numpy as np

from algorithms.measures.measure import Measure
from annotate.evaluation.tables.axes import Column, ListedPage, OutputKind, PackedPages
from annotate.evaluation.tables.result_table import NOT_RUN, OK, TIME, Mean, Results, Stale
from engine.tree import Indices
from gui.features.evaluate.filtering import (
    ComparedPair,
    PageFilter,
    Sort,
    difference,
    order_pages,
    select_pages,
)
from gui.features.evaluate.measures import KIND_NAMES, KINDS, MEASURES, USUAL, measure

DELTA = -1
"""Index among the shown columns of the difference of the two compared ones."""


_FULL = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0, 10_000.0)


class Arrangement:
    """Arrangement of a table; columns are named by their index in the table.

    Attributes:
        table: All scores.
        types: Types of blocks in each page's gold.
        tags: Tags of each page; () where no page has any.
        kinds: Shown kinds of methods.
        shown: Shown measure of each kind.
        page_filter, sort_by, pair: Filter and order of the pages, and compared columns.
        wanted: Columns to show, of all kinds.
        columns, order: Resulting columns and rows of the table, as shown.
    """

    def __init__(self) -> None:
        self.table = Results()
        self.types: tuple[frozenset[str], ...] = ()
        self.tags: tuple[frozenset[str], ...] = ()
        self.kinds: tuple[OutputKind, ...] = KINDS
        self.shown: dict[OutputKind, Measure] = {kind: measure(kind, USUAL[kind]) for kind in KINDS}
        self.page_filter = PageFilter()
        self.sort_by = Sort()
        self.pair: ComparedPair | None = None
        self.chosen: tuple[Column, ...] = ()
        self.columns: tuple[int, ...] = ()
        self.order: Indices = np.zeros(0, dtype=np.intp)
        self._means: dict[int, Mean] = {}
        self._largest: dict[str, float] = {}
        self._full_bar: float | None = None
        self._shown_before: dict[OutputKind, Measure] | None = None  # results of a file were shown

    # changing it -----------------------------------------------------------------------------
    def begin(self, pages: Sequence[ListedPage]) -> None:
        """Reset all results for other pages."""
        if self._shown_before is not None:
            self.shown, self._shown_before = self._shown_before, None
        self.table = Results(pages, self.chosen)
        self.types, self.tags = (frozenset(),) * len(pages), ()
        self.compare(None)
        self.arrange()

    def show(self, results: Results) -> None:
        """Show other results, with their own columns and measures they have."""
        self.begin(())
        self.table, self.chosen = results, tuple(results.columns)
        self._shown_before = dict(self.shown)
        self.shown = {kind: _shown_of(results, kind, self.shown[kind]) for kind in KINDS}
        self.types = (frozenset(),) * len(results.pages)

    def compare(self, pair: ComparedPair | None) -> None:
        """Show the difference of two columns, largest first; None ends the comparison."""
        self.pair = pair
        if pair is not None:
            self.sort_by = Sort("difference", down=True)
        elif self.sort_by.by == "difference":
            self.sort_by = Sort()

    def want(self, columns: Sequence[Column], kinds: Sequence[OutputKind]) -> None:
        """Show these columns if their kinds are shown."""
        self.chosen, self.kinds = tuple(columns), tuple(kinds)
        there = {self.table.column(c): c for c in columns if c.kind in self.kinds}
        if self.pair is not None and not {self.pair.one, self.pair.other} <= there.keys():
            self.compare(None)
        if isinstance(self.sort_by.by, Column) and self.sort_by.by not in there.values():
            self.sort_by = Sort()

    def arrange(self) -> None:
        """Compute columns and order from the current choices."""
        table = self.table
        there = [table.column(column) for column in self.chosen]
        indices = [p for kind in self.kinds for p in there if table.columns[p].kind == kind]
        if self.pair is not None:
            one, other = self.pair.one, self.pair.other
            rest = [position for position in indices if position not in (one, other)]
            self.columns = (one, DELTA, other, *rest)
        else:
            self.columns = tuple(indices)
        passes = select_pages(
            table, indices, self.shown, self.page_filter, self.types, self.pair, self.tags
        )
        rows = np.flatnonzero(passes)
        self.order = order_pages(table, rows, self.shown, self.sort_by, self.pair)
        self.forget_means()

    @property
    def full_bar(self) -> float:
        """Difference drawn as a full bar: a round number not exceeded by any listed one."""
        if self._full_bar is None:
            values = np.abs(difference(self.table, self.shown, self.compared)[self.order])
            largest = float(np.nanmax(values)) if not np.isnan(values).all() else 0.0
            self._full_bar = next((step for step in _FULL if step >= largest), largest)
        return self._full_bar

    def forget_means(self) -> None:
        """Drop the cached means: new scores have arrived."""
        self._means.clear()
        self._largest.clear()
        self._full_bar = None

    # reading ---------------------------------------------------------------------------------
    def measure_of(self, column: int) -> Measure:
        if column == DELTA:
            return self.measure_of(self.compared.one)
        return self.shown[self.table.columns[column].kind]

    @property
    def compared(self) -> ComparedPair:
        """The two compared columns."""
        assert self.pair is not None, "a column of differences is shown of a pair only"
        return self.pair

    def value(self, page: int, column: int) -> float:
        """Return the number of a cell; NaN if there is none."""
        if column == DELTA:
            pair = self.compared
            return self.value(page, pair.one) - self.value(page, pair.other)
        return self.table.value(self.measure_of(column), page, column)

    def status(self, page: int, column: int) -> int:
        """Return the code of a cell's status; a difference is ok where both have a number."""
        if column == DELTA:
            return NOT_RUN if np.isnan(self.value(page, DELTA)) else OK
        return int(self.table.status[page, column])

    def why_stale(self, page: int) -> Stale:
        """Return why shown numbers of a page are outdated."""
        return self.table.why_stale(page, [column for column in self.columns if column != DELTA])

    def is_stale(self, page: int, column: int) -> bool:
        """Return whether the number of a cell is outdated."""
        if column == DELTA:
            pair = self.compared
            return self.is_stale(page, pair.one) or self.is_stale(page, pair.other)
        return bool(self.table.stale[page, column])

    def share(self, column: int, value: float) -> float:
        """Return the position of a number on the colour scale, 0 to 1.

        Counts go up to the largest of their measure; times to the longest, by their logarithm.
        """
        of = self.measure_of(column)
        if of.is_share:
            return value
        kind = self.table.columns[column].kind
        key = f"{kind} {of.key}"
        if key not in self._largest:
            self._largest[key] = self._largest_of(kind, of)
        largest = self._largest[key]
        if not largest:
            return 0.0
        if of.key == TIME:
            return float(np.log1p(max(value, 0.0)) / np.log1p(largest))
        return value / largest

    def _largest_of(self, kind: OutputKind, of: Measure) -> float:
        columns = enumerate(self.table.columns)
        values = [self.table.values(of, index) for index, each in columns if each.kind == kind]
        numbers = np.concatenate(values)
        numbers = numbers[~np.isnan(numbers)]
        return float(numbers.max()) if numbers.size else 0.0

    def mean(self, column: int) -> Mean:
        """Return a column's mean over the listed pages."""
        if column not in self._means:
            self._means[column] = self._mean(column)
        return self._means[column]

    @property
    def averaged(self) -> Indices:
        """Pages that are averaged: without changed copies of pages listed beside others."""
        if not isinstance(self.table.pages, PackedPages):
            return self.order
        as_they_are = self.order[self.table.pages.as_they_are()[self.order]]
        return as_they_are if as_they_are.size else self.order

    def _mean(self, column: int) -> Mean:
        if column != DELTA:
            return self.table.mean(self.measure_of(column), column, self.averaged)
        values = difference(self.table, self.shown, self.compared)[self.averaged]
        values = values[~np.isnan(values)]
        value = float(values.mean()) if values.size else None
        return Mean(value, int(values.size), int((values == 0).sum()), 0, 0)

    def band(self, column: int) -> str:
        """Return the text above a column and its neighbours of the same kind."""
        if self.pair is not None and column in (DELTA, self.pair.one, self.pair.other):
            return "Compared"
        return KIND_NAMES[self.table.columns[column].kind]


def score_band(shown: Arrangement, page: int, column: int) -> tuple[float, float]:
    """Return the tenth with the score of a cell; 0 to 1 for counts and cells without a score."""
    value = shown.value(page, column)
    if np.isnan(value) or not shown.measure_of(column).is_share:
        return 0.0, 1.0
    low = min(int(value * 10 + 1e-9), 9) / 10
    return low, round(low + 0.1, 1)


def _shown_of(results: Results, kind: OutputKind, usual: Measure) -> Measure:
    """Return the measure to show: the usual one if there are values, else the first with values."""
    measured = results.measured()
    if usual.key in measured:
        return usual
    return next((each for each in MEASURES[kind] if each.key in measured), usual)
