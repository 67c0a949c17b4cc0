"""Results → what may be compared: what the report's chapters read.

A part is what may be compared: one data set, one input, and either blocks or text.  In a part every
setup (a method with its parameters) has one score for each measure and page, or a reason for none.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from algorithms.measures.choice import measure_of
from algorithms.measures.measure import Measure, MeasureKind
from algorithms.measures.summary import Summary, combine_pages
from annotate.datasets.cases import Key
from annotate.evaluation.robustness.perturbed import MARK
from annotate.evaluation.store.rows import COUNTS, SCORED
from annotate.evaluation.tables.axes import pages_of_dataset, setup_label
from annotate.evaluation.tables.references import References, references
from annotate.evaluation.tables.result_table import EMPTY, NOT_RUN, OK, SKIPPED, STATUSES, Results
from engine.tree import Doubles, Indices
from engine.word_units import WORD_UNITS, WordUnit

_DIGITS = 12
"""Scores that are the same up to here are equal."""


@dataclass(eq=False)
class ReportPart:
    """Part of the results that may be compared.

    Attributes:
        dataset, input, kind: Its data set, input and kind.
        results: All results.
        rows: Rows of its pages in them.
        columns: Setup → which of their columns it is.
        setups: Labels of those that ran on a page at least, in the order of the columns; all, if
            none did.
        skipped: Labels of those that did not run on any page, where others did.
        measures: In the order of the results.
        unmeasured: Reason → measures that did not score runs which gave something to score.
    """

    dataset: str
    input: str
    kind: MeasureKind
    results: Results
    rows: Indices
    columns: Mapping[str, int]
    setups: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
    unmeasured: Mapping[str, tuple[Measure, ...]] = field(default_factory=dict)
    _summaries: dict[tuple[str, str], Summary] = field(default_factory=dict)

    @property
    def main(self) -> Measure:
        """The measure it is judged by first."""
        return next((m for m in self.measures if m.is_main), self.measures[0])

    @property
    def pages(self) -> tuple[str, ...]:
        return tuple(self.results.pages[row].name for row in self.rows.tolist())

    @property
    def endings(self) -> Iterator[tuple[str, str, str, str]]:
        """Setup, page, status and, of those without a score, the reason of each run."""
        result = self.results
        for setup, column in self.columns.items():
            for row in self.rows[result.status[self.rows, column] != NOT_RUN].tolist():
                status = STATUSES[result.status[row, column]]
                yield setup, result.pages[row].name, status, result.ending(row, column)

    def summary(self, setup: str, measure: Measure) -> Summary:
        """Return the numbers of a setup by a measure."""
        key = setup, measure.key
        if key not in self._summaries:
            column = self.columns[setup]
            self._summaries[key] = self.results.summary(measure, column, self.rows)
        return self._summaries[key]

    def values(self, setup: str, measure: Measure) -> Doubles:
        """Return the scores of a setup, float64 (pages,), NaN where a page was not scored."""
        return np.asarray(self._scored(setup, measure)[0])

    def _scored(self, setup: str, measure: Measure) -> Doubles:
        return self.results.scored(measure, self.columns[setup], self.rows)

    def runs(
        self, setup: str, measure: Measure
    ) -> list[tuple[int, str, float | None, float | None, float | None]]:
        """Return row, status, value, precision and recall of each run, in the order of pages."""
        codes = self.results.status_of(measure, self.columns[setup])[self.rows].tolist()
        numbers = self._scored(setup, measure).tolist()
        return [
            (row, STATUSES[code], *(None if n != n else n for n in own))
            for row, code, *own in zip(self.rows.tolist(), codes, *numbers, strict=True)
        ]

    def counts(self, setup: str, measure: Measure) -> Mapping[str, float]:
        """Return the means of `COUNTS`; empty where the measure has none."""
        result = self.results.counts(measure, self.columns[setup], self.rows)
        return dict(zip(COUNTS, result, strict=True)) if result else {}

    def ranked(self, measure: Measure) -> tuple[str, ...]:
        """Return the setups, best first, a run that failed counted as an empty one.

        Then those that have seen gold of these pages, which have no rank, and those never scored.
        """
        means = {setup: self.summary(setup, measure).rank_value for setup in self.setups}
        known = [setup for setup in self.setups if means[setup] is not None]
        known.sort(key=lambda setup: means[setup] or 0.0, reverse=not measure.is_low_best)
        known.sort(key=lambda setup: self.seen(setup) > 0)
        return (*known, *(setup for setup in self.setups if means[setup] is None))

    def seen(self, setup: str) -> int:
        """Return on how many of the pages a setup had learned from their gold."""
        return self.results.facts.seen(self.columns[setup], self.rows)

    def references(self, measure: Measure) -> References:
        """Return what methods of text are to be seen against; nothing of blocks."""
        if self.kind != "text":
            return References({}, {})
        columns = [self.columns[setup] for setup in self.setups]
        return references(self.results, columns, self.rows, measure)

    def oracle(self, measure: Measure) -> "Oracle":
        """Return what the best method of each page scores, chosen by who knows the gold.

        Of methods that are equal the first is chosen; a page that none was scored on has no best.
        A method that has seen gold of these pages is not among them, as in the ranks.
        """
        setups = [setup for setup in self.setups if not self.seen(setup)]
        every = [self._scored(setup, measure) for setup in setups]
        numbers = np.array(every).reshape(len(every), 3, len(self.pages))
        values = numbers[:, 0]
        best = np.full(len(self.pages), -1)
        known = ~np.isnan(values).all(axis=0)
        if known.any():
            seen = values[:, known]
            best[known] = np.nanargmin(seen, 0) if measure.is_low_best else np.nanargmax(seen, 0)
        at = np.flatnonzero(known)
        chosen = numbers[best[at], :, at]
        value, precision, recall = ([n for n in part if n == n] for part in chosen.T.tolist())
        mean = (
            combine_pages(value, precision, recall, is_pooled=measure.is_pooled) if value else None
        )
        choice = {self.pages[k]: setups[best[k]] for k in at.tolist()}
        is_best = np.round(values[:, at], _DIGITS) == np.round(chosen[:, 0], _DIGITS)
        wins = {s: int(own.sum()) for s, own in zip(setups, is_best, strict=True) if own.any()}
        return Oracle(
            mean,
            choice,
            dict(zip(choice, chosen[:, 0].tolist(), strict=True)),
            dict(sorted(wins.items(), key=lambda each: -each[1])),
            int((is_best.sum(axis=0) > 1).sum()),
        )

    def times(self, setup: str) -> Doubles:
        """Return the milliseconds of each run of a setup that gave a result."""
        at = self.rows, self.columns[setup]
        ms, gave = self.results.ms[at], np.isin(self.results.status[at], (OK, EMPTY))
        return np.asarray(ms[gave & ~np.isnan(ms)])


@dataclass(frozen=True)
class Oracle:
    """The best method of each page: what choosing among these methods could reach at most.

    Attributes:
        value: Over all pages, as a method's is; None where nothing was scored.
        choice: Page → the setup that did best on it.
        values: Page → its score there.
        wins: Setup → on how many pages it is the best, alone or with others; the most first.
        ties: On how many pages several are, and are counted for each.
    """

    value: float | None
    choice: Mapping[str, str]
    values: Mapping[str, float]
    wins: Mapping[str, int]
    ties: int


@dataclass(frozen=True)
class SetupFacts:
    """A method as it was run; ``label`` is its name in the report."""

    label: str
    method: str
    version: str
    parameters: Mapping[str, object]


@dataclass(frozen=True)
class Sorted:
    """Results of an evaluation, sorted into parts.

    Attributes:
        parts: In the order of the results.
        setups: By label.
        datasets: Name → number of pages, whatever the input.
        renderers, viewports: Renderers and viewports of the pages.
        word_units: Word units of the scores.
    """

    parts: tuple[ReportPart, ...]
    setups: Mapping[str, SetupFacts]
    datasets: Mapping[str, int]
    renderers: tuple[str, ...]
    viewports: tuple[str, ...]
    word_units: tuple[WordUnit, ...] = ()


def setup_labels(results: Results) -> dict[tuple[str, str], str]:
    """Return the label of each method and parameters (as columns have them).

    A method with its published parameters is named by its key.  Others have a star and the changed
    parameters after it, as in ``lqf * ratio=0.25``; where there are several sets of parameters,
    each has those in which the sets differ.
    """
    sets: dict[str, dict[str, Mapping[str, object]]] = {}
    for column in results.columns:
        sets.setdefault(column.method, {}).setdefault(column.parameters, column.values)
    return {
        (method, text): setup_label(method, values, tuple(of.values()))
        for method, of in sets.items()
        for text, values in of.items()
    }


def sort_out(results: Results) -> Sorted:
    """Sort results out; O(cells)."""
    labels = setup_labels(results)
    named = [labels[column.method, column.parameters] for column in results.columns]
    facts: dict[str, SetupFacts] = {}
    for cell, row in sorted(results.facts.items(), key=lambda pair: pair[0][::-1]):
        column, label = results.columns[cell[1]], named[cell[1]]
        if label not in facts:
            facts[label] = SetupFacts(label, column.method, row.run.version, column.values)
    # Changed pages have their own chapter.
    datasets = Counter(page.dataset for page in results.pages if MARK not in page.dataset)
    runs = [row.run for row in results.facts.values()]
    viewports = dict.fromkeys(run.viewport for run in runs if run.viewport)
    return Sorted(
        tuple(_parts(results, named)),
        facts,
        datasets,
        tuple(dict.fromkeys(run.renderer for run in runs if run.renderer)),
        tuple("x".join(map(str, viewport)) for viewport in viewports),
        tuple(unit for unit in WORD_UNITS if any(run.word_unit == unit for run in runs)),
    )


def _parts(results: Results, named: Sequence[str]) -> Iterator[ReportPart]:
    """Yield parts in the order of data sets, inputs, and of kinds as their methods come."""
    measures = [measure_of(key) for key in results.measures]
    inputs = dict.fromkeys(column.input for column in results.columns)
    for dataset in dict.fromkeys(page.dataset for page in results.pages):
        if MARK in dataset:
            continue
        here = pages_of_dataset(results.pages, dataset)
        for name in inputs:
            columns = [k for k, column in enumerate(results.columns) if column.input == name]
            rows = np.flatnonzero(here & (results.status[:, columns] != NOT_RUN).any(axis=1))
            for kind in dict.fromkeys(measure.kind for measure in measures):
                of_kind = [measure for measure in measures if measure.kind == kind]
                mine = [k for k in columns if _has_rows(results, of_kind, k, rows)]
                if mine:
                    there = {named[k]: k for k in mine}
                    yield _part(ReportPart(dataset, name, kind, results, rows, there), of_kind)


def _has_rows(results: Results, measures: Sequence[Measure], column: int, rows: Indices) -> bool:
    return any((results.status_of(m, column)[rows] != NOT_RUN).any() for m in measures)


def _part(part: ReportPart, measures: Sequence[Measure]) -> ReportPart:
    """Fill in the setups and measures that have results."""
    results, rows, columns = part.results, part.rows, part.columns.values()
    there = [m for m in measures if any(_has_rows(results, [m], k, rows) for k in columns)]
    missed: dict[str, dict[Measure, None]] = {}
    for column in columns:
        ran = results.status[rows, column] != SKIPPED
        for measure in there:
            is_missed = ran & (results.status_of(measure, column)[rows] == SKIPPED)
            for row in rows[is_missed].tolist():
                missed.setdefault(results.reason(row, column, measure), {})[measure] = None
    part.unmeasured = {reason: tuple(result) for reason, result in missed.items()}
    setups = tuple(part.columns)
    idle = {
        setup
        for setup, column in part.columns.items()
        if np.isin(results.status[rows, column], (NOT_RUN, SKIPPED)).all()
    }
    part.setups = tuple(setup for setup in setups if setup not in idle) or setups
    part.skipped = tuple(setup for setup in setups if setup not in part.setups)
    scored = (m for m in there if any(not np.isnan(part.values(s, m)).all() for s in setups))
    part.measures = tuple(scored) or tuple(there)
    return part


WORST_LISTED = 10


@dataclass(frozen=True)
class WorstRun:
    """Run among a setup's worst.

    Attributes:
        key: Data set, page and input.
        setup: Label of the setup, as `report_parts.setup_labels` makes it.
        measure: Key of the measure it was judged by: fuzzy match for blocks, word sequences for
            text, or the first there is.
        value, precision, recall: None where there is none; a run that failed has no value.
        status, reason: Outcome of the run.
    """

    key: Key
    setup: str
    measure: str
    value: float | None
    precision: float | None
    recall: float | None
    status: str
    reason: str


def worst_runs(results: Results, most: int = WORST_LISTED) -> tuple[WorstRun, ...]:
    """Return each setup's worst pages by data set, input and kind of gold, the worst first.

    Runs that failed or timed out are worse than any score; skipped runs did not run, and undefined
    scores are not judged.  Pages as bad as each other keep their order.
    """
    return tuple(
        run
        for part in sort_out(results).parts
        for setup in part.setups
        for run in worst_of(part, setup, most)
    )


def worst_of(part: ReportPart, setup: str, most: int = WORST_LISTED) -> tuple[WorstRun, ...]:
    """Return the worst pages of one setup in one part."""
    result: list[WorstRun] = []
    results, measure = part.results, part.main
    for row, status, value, p, r in part.runs(setup, measure):
        if status in ("", "skipped") or (value is None and status in SCORED):
            continue
        key = part.dataset, results.pages[row].name, part.input
        reason = results.ending(row, part.columns[setup])
        result.append(WorstRun(key, setup, measure.key, value, p, r, status, reason))
    result.sort(key=lambda run: (run.status in SCORED, run.value or 0.0))
    return tuple(result[:most])
