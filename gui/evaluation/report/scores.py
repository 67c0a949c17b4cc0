"""Rows of an evaluation → columns of numbers by part: what the report's chapters read.

A part is what may be compared: one data set, one input, and either blocks or text.  In a part every
setup (a method with its parameters) has one score for each measure and page, or a reason for none.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from algorithms.batch import score_of_nothing
from algorithms.measures.prf import Score
from algorithms.measures.summary import PageScore, Summary, summarise
from annotate.cases import Key
from gui.evaluation.ledger import Row
from gui.evaluation.report.measures import Kind, Measure, measure_of

Floats = npt.NDArray[np.float64]

COUNTS = ("retrieved", "hits", "relevant")
"""Distinct texts found, found and right, and in the gold, as Kreuzer's tables have them."""

SCORED = ("ok", "empty")
"""Statuses of runs that gave something to score."""


@dataclass(frozen=True, eq=False)
class Series:
    """One setup, one measure, all pages of a part, in their order.

    Attributes:
        value, precision, recall: float64 (n,), NaN where there is none.
        statuses: How each run ended; "" where there is no row.
        if_empty: Place → what an empty result would have scored, where a run has no score.
        counts: `COUNTS` → the mean over scored pages, of a measure that has them.
    """

    value: Floats
    precision: Floats
    recall: Floats
    statuses: tuple[str, ...]
    if_empty: Mapping[int, Score]
    counts: Mapping[str, float]

    def summary(self, *, is_pooled: bool) -> Summary:
        """Return its numbers for a table."""
        columns = (self.value, self.precision, self.recall)
        values = zip(*(map(_known, column.tolist()) for column in columns), strict=True)
        pages = [
            PageScore(status, Score(*found))
            if status in SCORED
            else PageScore(status, None, self.if_empty.get(place))
            for place, (status, found) in enumerate(zip(self.statuses, values, strict=True))
            if status
        ]
        return summarise(pages, is_pooled=is_pooled)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


@dataclass(frozen=True)
class Ending:
    """How one run ended.

    Attributes:
        status: ok, empty, failed, timed out, skipped.
        reason: Why, where it is none of the first two.
        ms: Milliseconds it took; None where it did not run.
    """

    status: str
    reason: str = ""
    ms: float | None = None


@dataclass(eq=False)
class Part:
    """What may be compared.

    Attributes:
        dataset, input, kind: What it is.
        pages: In the order of the rows.
        setups: Labels of those that ran on a page at least, in the order of the rows; all, if none
            did.
        skipped: Labels of those that did not run on any page, where others did.
        measures: In the order of the rows.
        series: Setup and measure → scores.
        endings: Setup and page → how the run ended.
        unmeasured: Reason → measures that did not score runs which gave something to score.
    """

    dataset: str
    input: str
    kind: Kind
    pages: tuple[str, ...] = ()
    setups: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
    series: dict[tuple[str, str], Series] = field(default_factory=dict)
    endings: dict[tuple[str, str], Ending] = field(default_factory=dict)
    unmeasured: dict[str, tuple[Measure, ...]] = field(default_factory=dict)
    _summaries: dict[tuple[str, str], Summary] = field(default_factory=dict)

    @property
    def main(self) -> Measure:
        """The measure it is judged by first."""
        return next((m for m in self.measures if m.is_main), self.measures[0])

    def key(self, page: str) -> Key:
        """Return what rows call one of its pages."""
        return self.dataset, page, self.input

    def summary(self, setup: str, measure: Measure) -> Summary:
        """Return the numbers of a setup by a measure."""
        place = setup, measure.key
        if place not in self._summaries:
            found = self.series.get(place, _nothing(len(self.pages)))
            self._summaries[place] = found.summary(is_pooled=measure.is_pooled)
        return self._summaries[place]

    def values(self, setup: str, measure: Measure) -> Floats:
        """Return the scores of a setup, float64 (pages,), NaN where a page was not scored."""
        found = self.series.get((setup, measure.key))
        return np.full(len(self.pages), np.nan) if found is None else found.value

    def counts(self, setup: str, measure: Measure) -> Mapping[str, float]:
        """Return the means of `COUNTS`; empty where the measure has none."""
        found = self.series.get((setup, measure.key))
        return {} if found is None else found.counts

    def ranked(self, measure: Measure) -> tuple[str, ...]:
        """Return the setups, best first; those that were never scored last."""
        means = {setup: self.summary(setup, measure).value for setup in self.setups}
        known = [setup for setup in self.setups if means[setup] is not None]
        known.sort(key=lambda setup: means[setup] or 0.0, reverse=not measure.is_best_low)
        return (*known, *(setup for setup in self.setups if means[setup] is None))

    def times(self, setup: str) -> Floats:
        """Return the milliseconds of each run of a setup that gave a result."""
        found = (self.endings.get((setup, page)) for page in self.pages)
        return np.array([e.ms for e in found if e and e.status in SCORED and e.ms is not None])


def _nothing(count: int) -> Series:
    column = np.full(count, np.nan)
    return Series(column, column, column, ("",) * count, {}, {})


@dataclass(frozen=True)
class SetupFacts:
    """A method as it was run.

    Attributes:
        label: What the report calls it.
        method, version: Key and version.
        parameters: By name.
    """

    label: str
    method: str
    version: str
    parameters: Mapping[str, object]


@dataclass(frozen=True)
class Results:
    """All that was evaluated.

    Attributes:
        parts: In the order of the rows.
        setups: By label.
        datasets: Name → number of pages, whatever the input.
        renderers, viewports: Those that pages were rendered with.
    """

    parts: tuple[Part, ...]
    setups: Mapping[str, SetupFacts]
    datasets: Mapping[str, int]
    renderers: tuple[str, ...]
    viewports: tuple[str, ...]


def setup_labels(rows: Sequence[Row]) -> dict[tuple[str, str], str]:
    """Return the label of each method and parameters (as rows have them).

    A method that is there once goes by its key; one with several sets of parameters has those
    behind its key in which the sets differ, as in ``lqf ratio=0.25``.
    """
    sets: dict[str, dict[str, dict[str, object]]] = {}
    for method, parameters in dict.fromkeys((row["method"], row["parameters"]) for row in rows):
        sets.setdefault(method, {})[parameters] = _parameters(parameters)
    return {
        (method, text): _label(method, values, tuple(of.values()))
        for method, of in sets.items()
        for text, values in of.items()
    }


def _parameters(text: str) -> dict[str, object]:
    try:
        found = json.loads(text) if text else {}
    except ValueError:
        found = None
    return dict(found) if isinstance(found, dict) else {"parameters": text}


def _label(method: str, values: Mapping[str, object], sets: Sequence[Mapping[str, object]]) -> str:
    names = dict.fromkeys(name for each in sets for name in each)
    other = [name for name in names if any(each.get(name) != sets[0].get(name) for each in sets)]
    said = (f"{name}={shown(values[name])}" for name in other if name in values)
    return " ".join((method, *said))


def shown(value: object) -> str:
    """Return a parameter's value as one types it."""
    return value if isinstance(value, str) else json.dumps(value)


def read_results(rows: Sequence[Row]) -> Results:
    """Sort rows out; O(rows)."""
    labels = setup_labels(rows)
    facts: dict[str, SetupFacts] = {}
    pages: dict[tuple[str, str], dict[str, int]] = {}
    sorted_out: dict[tuple[str, str, Kind], dict[tuple[str, str], list[Row]]] = {}
    measures = {key: measure_of(key) for key in dict.fromkeys(row["measure"] for row in rows)}
    for row in rows:
        label = labels[row["method"], row["parameters"]]
        if label not in facts:
            values = _parameters(row["parameters"])
            facts[label] = SetupFacts(label, row["method"], row["version"], values)
        place = row["dataset"], row["input"]
        here = pages.setdefault(place, {})
        here.setdefault(row["page"], len(here))
        of_part = sorted_out.setdefault((*place, measures[row["measure"]].kind), {})
        of_part.setdefault((label, row["measure"]), []).append(row)
    parts = (
        _part(name, pages[name[0], name[1]], found, measures) for name, found in sorted_out.items()
    )
    datasets: dict[str, set[str]] = {}
    for (dataset, _), names in pages.items():
        datasets.setdefault(dataset, set()).update(names)
    return Results(
        tuple(part for part in parts if part is not None),
        facts,
        {name: len(found) for name, found in datasets.items()},
        tuple(filter(None, dict.fromkeys(row["renderer"] for row in rows))),
        tuple(filter(None, dict.fromkeys(row["viewport"] for row in rows))),
    )


def _part(
    name: tuple[str, str, Kind],
    pages: Mapping[str, int],
    found: Mapping[tuple[str, str], Sequence[Row]],
    measures: Mapping[str, Measure],
) -> Part | None:
    """Return a part; None if no method has anything to do with it."""
    part = Part(*name, pages=tuple(pages))
    for place, rows in found.items():
        part.series[place] = _series(rows, pages)
        for row in rows:
            ending = part.endings.get((place[0], row["page"]))
            # A measure may be skipped where the run was not: one row that was scored is enough.
            if ending is None or ending.status == "skipped" != row["status"]:
                ms = float(row["ms"]) if row["ms"] else None
                part.endings[place[0], row["page"]] = Ending(row["status"], row["reason"], ms)
    missed: dict[str, dict[Measure, None]] = {}
    for (setup, key), rows in found.items():
        for row in rows:
            if row["status"] == "skipped" != part.endings[setup, row["page"]].status:
                missed.setdefault(row["reason"], {})[measures[key]] = None
    part.unmeasured = {reason: tuple(keys) for reason, keys in missed.items()}
    setups = tuple(dict.fromkeys(setup for setup, _ in found))
    ran = {setup for (setup, _), ending in part.endings.items() if ending.status != "skipped"}
    part.setups = tuple(setup for setup in setups if setup in ran) or setups
    part.skipped = tuple(setup for setup in setups if setup not in part.setups)
    keys = dict.fromkeys(key for _, key in found)
    is_scored = {
        key for (_, key), series in part.series.items() if any(series.value == series.value)
    }
    part.measures = tuple(measures[key] for key in keys if key in is_scored) or tuple(
        measures[key] for key in keys
    )
    return part


def _series(rows: Sequence[Row], pages: Mapping[str, int]) -> Series:
    columns = np.full((3, len(pages)), np.nan)
    statuses = [""] * len(pages)
    if_empty: dict[int, Score] = {}
    counts: dict[str, list[float]] = {}
    for row in rows:
        place = pages[row["page"]]
        status = row["status"]
        statuses[place] = status
        if status in SCORED:
            for k, name in enumerate(("value", "precision", "recall")):
                if text := row[name]:
                    columns[k, place] = float(text)
            for name in COUNTS if row.get(COUNTS[0]) else ():
                counts.setdefault(name, []).append(float(row[name]))
        elif (missing := _if_empty(row)) is not None:
            if_empty[place] = missing
    means = {name: sum(found) / len(found) for name, found in counts.items()}
    return Series(columns[0], columns[1], columns[2], tuple(statuses), if_empty, means)


def _if_empty(row: Row) -> Score | None:
    if text := row.get("if_empty", ""):
        precision, recall, value = json.loads(text)
        return Score(value, precision, recall)
    return score_of_nothing(row["measure"])
