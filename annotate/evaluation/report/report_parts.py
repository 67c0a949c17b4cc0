"""Results → what may be compared: what the report's chapters read.

A part is what may be compared: one data set, one input, and either blocks or text.  In a part every
setup (a method with its parameters) has one score for each measure and page, or a reason for none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from algorithms.measures.choice import measure_of
from algorithms.measures.measure import Measure, MeasureKind
from algorithms.measures.summary import Summary, combined
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


@dataclass(frozen=True)
class Ending:
    """Outcome of one run.

    Attributes:
        status: ok, empty, failed, timed out, skipped.
        reason: Reason for the last three.
        ms: Milliseconds it took; None where it did not run.
    """

    status: str
    reason: str = ""
    ms: float | None = None


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
    def endings(self) -> dict[tuple[str, str], Ending]:
        """Outcome of each run, by setup and page."""
        result = self.results
        return {
            (setup, result.pages[row].name): Ending(
                STATUSES[result.status[row, column]],
                result.ending(row, column),
                None if np.isnan(result.ms[row, column]) else float(result.ms[row, column]),
            )
            for setup, column in self.columns.items()
            for row in self.rows.tolist()
            if result.status[row, column] != NOT_RUN
        }

    def key(self, page: str) -> Key:
        """Return what rows call one of its pages."""
        return self.dataset, page, self.input

    def summary(self, setup: str, measure: Measure) -> Summary:
        """Return the numbers of a setup by a measure."""
        key = setup, measure.key
        if key not in self._summaries:
            column = self.columns[setup]
            self._summaries[key] = self.results.summary(measure, column, self.rows)
        return self._summaries[key]

    def values(self, setup: str, measure: Measure) -> Doubles:
        """Return the scores of a setup, float64 (pages,), NaN where a page was not scored."""
        return self._scored(setup, measure)[0]

    def _scored(self, setup: str, measure: Measure) -> tuple[Doubles, Doubles, Doubles]:
        column = self.columns[setup]
        status = self.results.status_of(measure, column)[self.rows]
        value, precision, recall = (
            np.where(
                np.isin(status, (OK, EMPTY)),
                self.results.values(measure, column, part)[self.rows],
                np.nan,
            )
            for part in ("value", "precision", "recall")
        )
        return value, precision, recall

    def runs(
        self, setup: str, measure: Measure
    ) -> list[tuple[str, str, float | None, float | None, float | None]]:
        """Return page, status, value, precision and recall of each run, in the order of pages."""
        column = self.columns[setup]
        codes = self.results.status_of(measure, column)[self.rows].tolist()
        numbers = (part.tolist() for part in self._scored(setup, measure))
        return [
            (page, STATUSES[code], *(None if n != n else n for n in own))
            for page, code, *own in zip(self.pages, codes, *numbers, strict=True)
        ]

    def counts(self, setup: str, measure: Measure) -> Mapping[str, float]:
        """Return the means of `COUNTS`; empty where the measure has none."""
        result = self.results.counts(measure, self.columns[setup], self.rows)
        return dict(zip(COUNTS, result, strict=True)) if result else {}

    def ranked(self, measure: Measure) -> tuple[str, ...]:
        """Return the setups, best first; those that were never scored last."""
        means = {setup: self.summary(setup, measure).value for setup in self.setups}
        known = [setup for setup in self.setups if means[setup] is not None]
        known.sort(key=lambda setup: means[setup] or 0.0, reverse=not measure.is_low_best)
        return (*known, *(setup for setup in self.setups if means[setup] is None))

    def references(self, measure: Measure) -> References:
        """Return what methods of text are to be seen against; nothing of blocks."""
        if self.kind != "text":
            return References({}, {})
        columns = [self.columns[setup] for setup in self.setups]
        return references(self.results, columns, self.rows, measure)

    def oracle(self, measure: Measure) -> "Oracle":
        """Return what the best method of each page scores, chosen by who knows the gold.

        Of methods that are equal the first is chosen; a page that none was scored on has no best.
        """
        numbers = np.array([self._scored(setup, measure) for setup in self.setups])
        values = numbers[:, 0] if len(self.setups) else np.zeros((0, len(self.pages)))
        best = np.full(len(self.pages), -1)
        known = ~np.isnan(values).all(axis=0) if len(self.setups) else best >= 0
        if known.any():
            seen = values[:, known]
            best[known] = np.nanargmin(seen, 0) if measure.is_low_best else np.nanargmax(seen, 0)
        at = np.flatnonzero(known)
        chosen = numbers[best[at], :, at] if at.size else np.zeros((0, 3))
        value, precision, recall = ([n for n in part if n == n] for part in chosen.T.tolist())
        mean = combined(value, precision, recall, is_pooled=measure.is_pooled) if value else None
        choice = {self.pages[k]: self.setups[best[k]] for k in at.tolist()}
        is_best = np.round(values[:, at], _DIGITS) == np.round(chosen[:, 0], _DIGITS)
        wins = {s: int(own.sum()) for s, own in zip(self.setups, is_best, strict=True) if own.any()}
        return Oracle(
            mean,
            choice,
            dict(zip(choice, chosen[:, 0].tolist(), strict=True)),
            dict(sorted(wins.items(), key=lambda each: -each[1])),
            int((is_best.sum(axis=0) > 1).sum()),
        )

    def times(self, setup: str) -> Doubles:
        """Return the milliseconds of each run of a setup that gave a result."""
        column = self.columns[setup]
        ms = self.results.ms[self.rows, column]
        gave = np.isin(self.results.status[self.rows, column], (OK, EMPTY))
        result: Doubles = ms[gave & ~np.isnan(ms)]
        return result


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
    """A method as it was run.

    Attributes:
        label: Its name in the report.
        method, version: Key and version.
        parameters: By name.
    """

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
    for cell, row in sorted(results.facts.items(), key=lambda pair: (pair[0][1], pair[0][0])):
        column, label = results.columns[cell[1]], named[cell[1]]
        if label not in facts:
            facts[label] = SetupFacts(label, column.method, row.run.version, column.values)
    datasets: dict[str, int] = {}
    for page in results.pages:
        if MARK in page.dataset:
            continue  # changed pages have a chapter of their own
        datasets[page.dataset] = datasets.get(page.dataset, 0) + 1
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
    results, rows = part.results, part.rows
    there = [
        m
        for m in measures
        if any(_has_rows(results, [m], column, rows) for column in part.columns.values())
    ]
    missed: dict[str, dict[Measure, None]] = {}
    for column in part.columns.values():
        ran = results.status[rows, column] != SKIPPED
        for measure in there:
            is_missed = ran & (results.status_of(measure, column)[rows] == SKIPPED)
            for row in rows[is_missed].tolist():
                missed.setdefault(results.reason(row, column, measure), {})[measure] = None
    part.unmeasured = {reason: tuple(result) for reason, result in missed.items()}
    setups = tuple(part.columns)
    part.setups = (
        tuple(
            setup
            for setup, column in part.columns.items()
            if not np.isin(results.status[rows, column], (NOT_RUN, SKIPPED)).all()
        )
        or setups
    )
    part.skipped = tuple(setup for setup in setups if setup not in part.setups)
    part.measures = tuple(
        m for m in there if any(not np.isnan(part.values(s, m)).all() for s in setups)
    ) or tuple(there)
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
    result: list[tuple[tuple[bool, float], WorstRun]] = []
    endings = part.endings
    for page, status, value, precision, recall in part.runs(setup, part.main):
        has_failed = status not in SCORED
        if status in ("", "skipped") or (value is None and not has_failed):
            continue
        reason = endings[setup, page].reason
        run = WorstRun(
            part.key(page), setup, part.main.key, value, precision, recall, status, reason
        )
        result.append(((not has_failed, value or 0.0), run))
    result.sort(key=lambda pair: pair[0])
    return tuple(run for _, run in result[:most])
