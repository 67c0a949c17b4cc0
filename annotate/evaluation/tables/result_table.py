"""Results: all rows of an evaluation as columns of numbers, page × method, one array a measure.

The text tables, the report and the Evaluate view read this one table.  It receives rows, all at
once or a page at a time, and returns the values of a measure, their summaries with the number left
out, runs that are missing, and stale ones with the reason.  2,000 pages × 40 methods × 70 measures
take 140 MB; a measure costs nothing until a row brings it.
"""

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntFlag
from itertools import groupby
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from algorithms.core.batch import RunStatus, score_of_nothing
from algorithms.measures.choice import main_measure
from algorithms.measures.measure import Measure, TextMeasure
from algorithms.measures.prf import Score
from algorithms.measures.summary import Summary, combine_pages, summarise
from annotate.datasets.key_numbers import KeyNumbers
from annotate.evaluation.store.row_files import read_rows
from annotate.evaluation.store.rows import ResultRow
from annotate.evaluation.tables.axes import Column, ListedPage, PackedPages
from annotate.evaluation.tables.run_outcomes import RunOutcome, RunOutcomes
from engine.tree import Bools, Doubles, Indices

ScorePart = Literal["value", "precision", "recall"]
_PARTS: tuple[ScorePart, ...] = ("value", "precision", "recall")

STATUSES: tuple[str, ...] = ("", *map(str, RunStatus))
"""What a cell's code represents; the first is: not run yet."""
NOT_RUN, OK, EMPTY, FAILED, TIMED_OUT, SKIPPED = range(len(STATUSES))

TIME = "ms"
"""Key of the time a method took, beside those of measures; every run has it."""

MARGIN = "over-everything"
"""Key of how much better a method of text is than everything, by the main measure."""


class Stale(IntFlag):
    """Reason why a score is out of date."""

    GOLD = 1
    PAGE = 2
    VERSION = 4
    RENDERER = 8


class ScoredBy(Protocol):
    """Properties of a measure that the table needs."""

    @property
    def key(self) -> str:
        """As rows name it."""

    @property
    def is_pooled(self) -> bool:
        """Whether a mean is made of mean precision and mean recall."""


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


class _MeasureScores:
    """Scores of one measure, float64 (3, pages, columns) in the order of `_PARTS`, with status."""

    def __init__(self, pages: int, columns: int) -> None:
        self.numbers: Doubles = np.full((len(_PARTS), pages, columns), np.nan)
        self.status = np.zeros((pages, columns), dtype=np.int8)
        self.counts: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.if_empty: dict[tuple[int, int], Score] = {}

    def widen(self) -> None:
        self.numbers = np.pad(self.numbers, ((0, 0), (0, 0), (0, 1)), constant_values=np.nan)
        self.status = np.pad(self.status, ((0, 0), (0, 1)))

    def clear(self, cell: tuple[int, int]) -> None:
        self.numbers[:, *cell] = np.nan
        self.status[cell] = NOT_RUN
        self.counts.pop(cell, None)
        self.if_empty.pop(cell, None)

    def set(self, cell: tuple[int, int], row: ResultRow) -> None:
        score = row.score
        for k, number in enumerate((score.value, score.precision, score.recall)):
            self.numbers[k, *cell] = np.nan if number is None else number
        self.status[cell] = STATUSES.index(row.status)
        if row.counts is not None:
            self.counts[cell] = row.counts.retrieved, row.counts.hits, row.counts.relevant
        if row.if_empty is not None:
            self.if_empty[cell] = row.if_empty


class Results:
    """Results of an evaluation.

    Attributes:
        pages: The rows.
        columns: Methods as they are set up.
        status: Outcome of each run, a code of `STATUSES`, int8 (pages, columns).
        made: Time of each run, POSIX seconds, float64 as above; NaN if unknown.
        gold: Cell → digest of the gold it was scored by, where that is known.
        stale: Why its numbers are out of date, `Stale`, uint8 as above; 0 if they are current.
        facts: Cell → how the run ended.
    """

    def __init__(self, pages: Sequence[ListedPage] = (), columns: Iterable[Column] = ()) -> None:
        self.pages: Sequence[ListedPage] = pages if isinstance(pages, PackedPages) else tuple(pages)
        self.columns: list[Column] = []
        self._rows = KeyNumbers(lambda: ((page.dataset, page.name) for page in self.pages))
        self._column_numbers: dict[Column, int] = {}
        n = len(self.pages)
        self.status = np.zeros((n, 0), dtype=np.int8)
        self.stale = np.zeros((n, 0), dtype=np.uint8)
        self.made: Doubles = np.zeros((n, 0))
        self.gold: dict[tuple[int, int], str] = {}
        self.facts = RunOutcomes(self.pages)
        self._measures: dict[str, _MeasureScores] = {}
        # Cell → measure → why it has no number; "" is for all other measures.
        self._reasons: dict[tuple[int, int], dict[str, str]] = {}
        for column in columns:
            self.column(column)

    @classmethod
    def of(
        cls, rows: Iterable[ResultRow], pages: Iterable[tuple[str, str]] | None = None
    ) -> "Results":
        """Return a table of rows, its columns in order of appearance.

        Args:
            rows: All of them.
            pages: Data set and name of each page that has rows, in order: then rows are released as
                they are read, and those of a page and an input must be adjacent.  None takes pages
                as they come, and holds all rows at once.
        """
        if pages is None:
            rows = tuple(rows)
            pages = dict.fromkeys((row.run.dataset, row.run.page) for row in rows)
            stretches: Iterable[Iterable[ResultRow]] = [rows]
        else:
            stretches = (mine for _, mine in groupby(rows, lambda row: row.run.key))
        made = cls(PackedPages(pages))
        for mine in stretches:
            made.take(mine)
        return made

    @property
    def ms(self) -> Doubles:
        """Milliseconds of each run, float64 as above; NaN where it did not run to an end."""
        return self.facts.ms

    @property
    def size(self) -> Doubles:
        """Bytes that each run read, float64 as above; NaN where there is no run."""
        return self.facts.size

    def row_of(self, dataset: str, name: str) -> int:
        """Return a page's row, -1 if it is not in the table."""
        return self._rows.get((dataset, name))

    def column(self, column: Column) -> int:
        """Return a column's place; it is added if it is new."""
        position = self._column_numbers.get(column)
        if position is None:
            position = self._column_numbers[column] = len(self.columns)
            self.columns.append(column)
            self.status = np.pad(self.status, ((0, 0), (0, 1)))
            self.stale = np.pad(self.stale, ((0, 0), (0, 1)))
            self.made = np.pad(self.made, ((0, 0), (0, 1)), constant_values=np.nan)
            self.facts.widen()
            for scores in self._measures.values():
                scores.widen()
        return position

    def take(
        self, rows: Iterable[ResultRow], made: float = np.nan, gold: str = ""
    ) -> tuple[int, ...]:
        """Add all rows of some runs; return the pages that are in the table.

        ``made`` is the time of the run, ``gold`` the digest of the gold of the scores.

        Earlier results of the same methods on these pages are replaced.  A measure that could not
        be had is skipped with its reason, though the method ran.
        """
        cells: dict[tuple[int, int], dict[str, str]] = {}  # measure → why it has no number
        for row in rows:
            page = self.row_of(row.run.dataset, row.run.page)
            if page < 0:
                continue
            cell = page, self.column(column_of(row))
            if cell not in cells:
                cells[cell] = {}
                self._forget(cell)
                self.made[cell] = made
                if gold:
                    self.gold[cell] = gold
            # A measure may be skipped where the run was not: one row that was scored is enough.
            if self.status[cell] in (NOT_RUN, SKIPPED):
                self.status[cell] = STATUSES.index(row.status)
                self.facts[cell] = RunOutcome(row.run, row.status, row.reason)
            if row.measure not in self._measures:
                self._measures[row.measure] = _MeasureScores(*self.status.shape)
            self._measures[row.measure].set(cell, row)
            cells[cell][row.measure] = row.reason
        for cell, reasons in cells.items():
            messages = set(reasons.values())
            if messages != {""}:  # equal reasons are stored once
                whole = {"": messages.pop()} if len(messages) == 1 else reasons
                self._reasons[cell] = {k: why for k, why in whole.items() if why}
        return tuple(dict.fromkeys(page for page, _ in cells))

    def _forget(self, cell: tuple[int, int]) -> None:
        self.status[cell], self.stale[cell] = NOT_RUN, 0
        self.made[cell] = np.nan
        for scores in self._measures.values():
            scores.clear(cell)
        self._reasons.pop(cell, None)
        self.facts.pop(cell, None)
        self.gold.pop(cell, None)

    def skip(self, pages: Iterable[int], columns: Iterable[Column], reason: str) -> None:
        """Note that methods are not run on pages, and why."""
        indices = [self.column(column) for column in columns]
        for page in pages:
            for position in indices:
                self._forget((page, position))
                self.status[page, position] = SKIPPED
                self._reasons[page, position] = {"": reason}

    def mark_stale(self, page: int, why: Stale) -> bool:
        """Note that the numbers of a page are of yesterday; return whether that is news."""
        ran = self.status[page] != NOT_RUN
        is_news = bool((ran & (self.stale[page] & why == 0)).any())
        self.stale[page, ran] |= np.uint8(why)
        return is_news

    def check(self, page: int, gold: str, digest: str) -> None:
        """Mark scores by other gold, or of another state of the page, as stale.

        A digest of "" is unknown and not compared.
        """
        for column in range(len(self.columns)):
            cell = page, column
            row = self.facts.get(cell)
            page_hash = "" if row is None else row.run.page_hash
            known = "" if row is None else self.gold.get(cell, "")
            for why, then, now in ((Stale.GOLD, known, gold), (Stale.PAGE, page_hash, digest)):
                if then and now:
                    rest = Stale(int(self.stale[cell])) & ~why
                    self.stale[cell] = rest if then == now else rest | why

    def check_versions(self, version_of: Callable[[str], str], renderer: str = "") -> None:
        """Mark as stale what another version of a method computed, or another renderer drew.

        A digest of "" is not compared; nor is the renderer of runs that read no rendering.
        """
        for cell, row in self.facts.items():
            now = version_of(row.run.method)
            if now and row.run.version != now:
                self.stale[cell] |= np.uint8(Stale.VERSION)
            if renderer and row.run.renderer not in ("", renderer):
                self.stale[cell] |= np.uint8(Stale.RENDERER)

    def why_stale(self, page: int, columns: Sequence[int]) -> Stale:
        """Return why numbers of some columns of a page are of yesterday."""
        return Stale(int(np.bitwise_or.reduce(self.stale[page, list(columns)], initial=0)))

    # asking ----------------------------------------------------------------------------------
    @property
    def has_results(self) -> bool:
        return bool((self.status != NOT_RUN).any())

    @property
    def measures(self) -> tuple[str, ...]:
        """Keys of the measures there are rows of, in their order."""
        return tuple(self._measures)

    def measured(self) -> frozenset[str]:
        """Return the keys of the measures with a value anywhere, time included."""
        result = {k for k, s in self._measures.items() if not np.isnan(s.numbers[0]).all()}
        if any(column.keeps_everything for column in self.columns):
            result.add(MARGIN)
        return frozenset(result if np.isnan(self.ms).all() else {*result, TIME})

    def reason(self, page: int, column: int, measure: ScoredBy) -> str:
        """Return why a cell has no number; "" if that is not known."""
        known = self._reasons.get((page, column), {})
        return known.get(measure.key) or known.get("", "")

    def ending(self, page: int, column: int) -> str:
        """Return why a run gave nothing to score; "" where it did."""
        row = self.facts.get((page, column))
        return self._reasons.get((page, column), {}).get("", "") if row is None else row.reason

    def values(self, measure: ScoredBy, column: int, part: ScorePart = "value") -> Doubles:
        """Return a column of one measure, float64 (pages,); NaN where there is no value."""
        if measure.key == TIME and part == "value":
            return self.ms[:, column]
        if measure.key == MARGIN:
            main, read = main_measure("text"), self.columns[column].input
            for whole, other in enumerate(self.columns):
                if other.keeps_everything and other.input == read:
                    return self.values(main, column) - self.values(main, whole)
        scores = self._measures.get(measure.key)
        if scores is None:
            return np.full(len(self.pages), np.nan)
        return scores.numbers[_PARTS.index(part), :, column]

    def value(self, measure: ScoredBy, page: int, column: int, part: ScorePart = "value") -> float:
        """Return one cell, NaN without a value."""
        if measure.key == MARGIN and part != "value":
            return np.nan
        return float(self.values(measure, column, part)[page])

    def scored(self, measure: ScoredBy, column: int, rows: Indices) -> Doubles:
        """Return value, precision and recall on some pages, (3, pages); NaN where not scored."""
        gave = np.isin(self.status_of(measure, column)[rows], (OK, EMPTY))
        parts = [self.values(measure, column, part)[rows] for part in _PARTS]
        return np.where(gave, parts, np.nan)

    def status_of(self, measure: ScoredBy, column: int) -> npt.NDArray[np.int8]:
        """Return how each run of a column ended for one measure, int8 (pages,)."""
        scores = self._measures.get(measure.key)
        result = np.zeros(len(self.pages), np.int8) if scores is None else scores.status[:, column]
        return np.asarray(result, dtype=np.int8)

    def mean(self, measure: ScoredBy, column: int, rows: Indices) -> Mean:
        """Return the mean over some pages, with the numbers of pages."""
        every = (self.values(measure, column, part)[rows] for part in _PARTS)
        values, precision, recall = (part[~np.isnan(part)].tolist() for part in every)
        status = self.status[rows, column]
        return Mean(
            combine_pages(values, precision, recall, is_pooled=measure.is_pooled),
            len(values),
            values.count(0.0),
            int(((status == FAILED) | (status == TIMED_OUT)).sum()),
            int((status == SKIPPED).sum()),
        )

    def summary(self, measure: ScoredBy, column: int, rows: Indices) -> Summary:
        """Return all numbers that a table shows of a column over some pages."""
        scores = self._measures.get(measure.key)
        if scores is None:
            return summarise(np.empty((3, 0)), (), {}, is_pooled=measure.is_pooled)
        status = scores.status[rows, column]
        codes, first, counts = np.unique(status, return_index=True, return_counts=True)
        in_order = [k for k in np.argsort(first).tolist() if codes[k] != NOT_RUN]
        ran_for_nothing = rows[(status == FAILED) | (status == TIMED_OUT)].tolist()
        return summarise(
            scores.numbers[:, rows[(status == OK) | (status == EMPTY)], column],
            [
                scores.if_empty.get((row, column)) or score_of_nothing(measure.key)
                for row in ran_for_nothing
            ],
            {STATUSES[codes[k]]: int(counts[k]) for k in in_order},
            is_pooled=measure.is_pooled,
        )

    def with_empty_gold(self, measures: Iterable[Measure], columns: Iterable[int]) -> Bools:
        """Return which pages have gold text without words, judged by their scores, bool (pages,).

        Empty gold makes the recall 1 of measures that count shared words, whatever the result; else
        it is 1 neither for an empty result nor for one without shared words.
        """
        result = np.zeros(len(self.pages), dtype=bool)
        counting = (m for m in measures if isinstance(m, TextMeasure) and m.counted is not None)
        if (measure := next(counting, None)) is not None:
            for column in columns:
                is_empty = self.status_of(measure, column) == EMPTY
                is_empty |= self.values(measure, column, "precision") == 0
                result |= (self.values(measure, column, "recall") == 1) & is_empty
        return result

    def counts(self, measure: ScoredBy, column: int, rows: Indices) -> tuple[float, ...]:
        """Return the means of the distinct texts that a measure counts; () where it does not."""
        scores = self._measures.get(measure.key)
        known = {} if scores is None else scores.counts
        result = [known[row, column] for row in rows.tolist() if (row, column) in known]
        return tuple(statistics.fmean(each) for each in zip(*result, strict=True))


def read_results(path: Path) -> Results:
    """Return the results in a file or folder; raises as `read_rows`."""
    return Results.of(read_rows(path))


def column_of(row: ResultRow) -> Column:
    """Return which column of a table a row belongs to."""
    return Column.of(row.run.method, row.run.parameters, row.run.input)
