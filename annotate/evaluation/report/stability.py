"""How far the scores of a method change with changes that leave the content of pages.

Of each page that was scored as it is and after a change, the difference of the two scores; pages on
which a change is not harmless were not scored, and are not counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

import numpy as np

from algorithms.measures.measure import Measure
from annotate.evaluation.robustness.perturbations import PERTURBATIONS
from annotate.evaluation.robustness.perturbed import MARK
from annotate.evaluation.store.rows import parameters_of
from annotate.evaluation.tables.axes import Column
from annotate.evaluation.tables.result_table import EMPTY, Results
from annotate.evaluation.tables.summaries import SetupGroup, align_cells, digits, label, mean_column
from engine.tree import Doubles, Indices
from engine.words import join_words

WORST = 10
"""So many places are listed."""

_LEAST_CHANGE = 0.005
_SEEN = {each.key: each.seen for each in PERTURBATIONS if each.seen}
_NAMES = {each.key: each.name for each in PERTURBATIONS}


def change_name(key: str) -> str:
    """Return what a change is called in tables."""
    return _NAMES.get(key, key)


def seen_changes(changes: Sequence[str]) -> str:
    """Return the visible ones of some changes, as a sentence; "" for none."""
    seen = [f"{key} ({_SEEN[key]})" for key in changes if key in _SEEN]
    return f"A reader sees {join_words(seen)}." if seen else ""


@dataclass(frozen=True)
class Drop:
    """A page on which a method fares otherwise after a change.

    Attributes:
        page: Its name.
        method: As tables name it.
        change: Key of the perturbation.
        before, after: The scores.
        dataset: Name of the changed data set.
        column: The method as it is set up.
    """

    page: str
    method: str
    change: str
    before: float
    after: float
    dataset: str
    column: Column


@dataclass(frozen=True)
class MethodStability:
    """Stability of one method on one input under all changes.

    Attributes:
        method: As tables name it.
        input: The form of the pages it read.
        base: Its mean score on the pages as they are.
        scored, empty: Number of these pages, and of those with an empty result.
        differences: Change → score after it less the score before, float64 (pages,); NaN where one
            of both is not known.
    """

    method: str
    input: str
    base: float
    scored: int
    empty: int
    differences: Mapping[str, Doubles]

    @cached_property
    def shift(self) -> float:
        """The mean size of all differences; NaN where there is none."""
        return _mean(np.abs(np.concatenate(list(self.differences.values()))))

    @property
    def runs(self) -> int:
        """Number of changed pages with both scores."""
        return sum(map(self.pages, self.differences))

    @property
    def rank(self) -> tuple[bool, float]:
        """Sort key, most stable first; methods that return nothing on half of the pages are last.

        Nothing changes on a page of which nothing is kept: that is no steadiness.
        """
        return 2 * self.empty >= self.scored, np.inf if np.isnan(self.shift) else self.shift

    def mean(self, change: str) -> float:
        """Return the mean size of the differences after one change; NaN without any."""
        return _mean(np.abs(self.differences[change]))

    def pages(self, change: str) -> int:
        """Return on how many pages both scores are known."""
        return int((~np.isnan(self.differences[change])).sum())


def _mean(numbers: Doubles) -> float:
    """Return the mean of the numbers that are known; NaN where none is."""
    known = numbers[~np.isnan(numbers)]
    return float(known.mean()) if known.size else np.nan


@dataclass(frozen=True)
class Stability:
    """All methods on one data set.

    Attributes:
        dataset: Its name.
        measure: Measure of the scores.
        changes: Keys of the perturbations.
        methods: The steadiest first; last those that return nothing on half of the pages.
        drops: Largest losses of a method, the worst first.
    """

    dataset: str
    measure: Measure
    changes: tuple[str, ...]
    methods: tuple[MethodStability, ...]
    drops: tuple[Drop, ...]


def stabilities(
    results: Results, groups: Mapping[str, Sequence[SetupGroup]]
) -> Iterator[Stability]:
    """Yield, for each data set that was evaluated changed as well, how methods bore it."""
    for dataset, mine in groups.items():
        changed = [name for name in groups if name.startswith(dataset + MARK)]
        for is_text in (True, False):
            chosen = [group for group in mine if group.setup.is_extractor is is_text]
            if changed and chosen:
                yield _stability(results, dataset, changed, chosen)


def _stability(
    results: Results, dataset: str, changed: Sequence[str], groups: Sequence[SetupGroup]
) -> Stability:
    measure = max(groups[0].measures, key=attrgetter("is_main"))
    names = [page.name for page in results.pages if page.dataset == dataset]
    rows = _rows(results, dataset, names)
    methods, drops = [], []
    for group in groups:
        column = Column.of(group.setup.method, parameters_of(group.setup), group.input)
        values = results.values(measure, group.position)
        before, differences = values[rows], {}
        for name in changed:
            key = name.removeprefix(dataset + MARK)
            after = values[_rows(results, name, names)]
            differences[key] = after - before
            drops += [
                Drop(
                    names[k], label(group, groups), key, float(before[k]), float(after[k]),
                    name, column,
                )
                for k in np.flatnonzero(differences[key] < -_LEAST_CHANGE).tolist()
            ]  # fmt: skip
        scored = int((~np.isnan(before)).sum())
        empty = int((results.status_of(measure, group.position)[rows] == EMPTY).sum())
        name = label(group, groups)
        base = _mean(before)
        methods.append(MethodStability(name, group.input, base, scored, empty, differences))
    methods.sort(key=lambda each: each.rank)
    drops.sort(key=lambda drop: drop.after - drop.before)
    keys = tuple(name.removeprefix(dataset + MARK) for name in changed)
    return Stability(dataset, measure, keys, tuple(methods), tuple(drops[:WORST]))


def _rows(results: Results, dataset: str, names: Sequence[str]) -> Indices:
    return np.array([results.row_of(dataset, name) for name in names], dtype=np.intp)


def stability_columns(stability: Stability, none: str) -> list[list[str]]:
    """Return the table of a data set as columns, the head first and the pages last.

    ``none`` marks a missing number.  The number of pages of a mean is in brackets if it
    differs from that of its column.
    """
    methods, changes = stability.methods, stability.changes

    def means(name: str, cells: Sequence[tuple[float, int]]) -> list[str]:
        most = max(pages for _, pages in cells)
        texts = [(none if np.isnan(value) else digits(value), pages) for value, pages in cells]
        return [*mean_column(name, texts, [most] * len(cells)), str(most)]

    return [
        ["method", *(each.method for each in methods), "pages"],
        ["input", *(each.input for each in methods), ""],
        means(stability.measure.name, [(each.base, each.scored) for each in methods]),
        ["empty", *(str(each.empty) for each in methods), ""],
        means("all changes", [(each.shift, each.runs) for each in methods]),
        *(means(each, [(m.mean(each), m.pages(each)) for m in methods]) for each in changes),
    ]


def stability_table(stability: Stability) -> str:
    """Return how methods bore the changes as text, the steadiest first."""
    columns = stability_columns(stability, "-")
    if len({each.input for each in stability.methods}) == 1:
        del columns[1]
    title = (
        f"{stability.dataset}: how far {stability.measure.name} changes with changes that leave "
        "the content, mean of its size"
    )
    parts = [title, align_cells([*zip(*columns, strict=True)]), seen_changes(stability.changes)]
    parts += ["Worst:"] if stability.drops else []
    parts += [
        f"  {drop.before:.3f} → {drop.after:.3f}  {drop.method} on {drop.page}: "
        f"{change_name(drop.change)}"
        for drop in stability.drops
    ]
    return "\n".join(filter(None, parts))
