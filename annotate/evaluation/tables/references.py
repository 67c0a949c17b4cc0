"""What scores are to be seen against: everything, the best of each page, the choice without gold.

They are made of runs that are there, and cost none: *everything* is the method ``plain`` with its
usual parameters, *best parameters per page* is known of methods that ran with several, and *chosen
per page without gold* where F1 was predicted.  How much better than everything a method is, is the
mean difference on the pages that both were scored on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.measures.choice import measure_of
from algorithms.measures.measure import Measure
from algorithms.measures.summary import Summary, summarise
from annotate.evaluation.tables.result_table import EMPTY, OK, Results
from engine.tree import Doubles, Indices

EVERYTHING = "everything"
BEST = "best method per page"
BEST_PARAMETERS = "best parameters per page"
CHOSEN = "chosen per page without gold"

_PREDICTED = "predicted-f1"


@dataclass(frozen=True)
class References:
    """References for some methods, by one measure.

    Attributes:
        known: Name → summary; "everything" and others, as far as they are known.
        margins: Column, or name of `known` → how much better it is than everything on the pages
            on which both have a value, and how many those are; empty where nothing keeps
            everything.
    """

    known: Mapping[str, Summary]
    margins: Mapping[int | str, tuple[float | None, int]]


def references(
    results: Results, columns: Sequence[int], rows: Indices, measure: Measure
) -> References:
    """Return what methods are to be seen against.

    Args:
        results: All results.
        columns: The extractors that are compared, on one input.
        rows: The pages.
        measure: A measure of text.
    """
    numbers = _Numbers(results, columns, rows)
    scored = numbers.of(measure)
    better = _least if measure.is_low_best else _most
    made: dict[str, Doubles] = {}
    for k, position in enumerate(columns):
        if results.columns[position].keeps_everything:
            made[EVERYTHING] = scored[k]
    if len(columns) > 1:
        made[BEST] = _picked(scored, _ranks(scored, measure), better)
    for method, own in _by_method(results, columns).items():
        if len(own) > 1:
            ranks = _ranks(scored[own], measure)
            made[f"{BEST_PARAMETERS}, {method}"] = _picked(scored[own], ranks, better)
    predicted = numbers.of_key(_PREDICTED)
    if len(columns) > 1 and not np.isnan(predicted).all():
        known = ~np.isnan(_ranks(scored, measure))
        made[CHOSEN] = _picked(scored, np.where(known, predicted, np.nan), _most)
    summaries = {
        name: summarise(values, (), {}, is_pooled=measure.is_pooled)
        for name, values in made.items()
    }
    there = {name: mine for name, mine in summaries.items() if mine.value is not None}
    margins: dict[int | str, tuple[float | None, int]] = {}
    if EVERYTHING in there:
        whole = made[EVERYTHING]
        margins |= {at: _margin(scored[k], whole, measure) for k, at in enumerate(columns)}
        margins |= {name: _margin(made[name], whole, measure) for name in there}
    return References(there, margins)


def _margin(own: Doubles, whole: Doubles, measure: Measure) -> tuple[float | None, int]:
    in_both = ~np.isnan(own) & ~np.isnan(whole)
    one, other = (
        summarise(np.where(in_both, numbers, np.nan), (), {}, is_pooled=measure.is_pooled)
        for numbers in (own, whole)
    )
    if one.value is None or other.value is None:
        return None, 0
    return one.value - other.value, one.pages


class _Numbers:
    """Scores of some columns, NaN where a run was not scored."""

    def __init__(self, results: Results, columns: Sequence[int], rows: Indices) -> None:
        self._results, self._columns, self._rows = results, columns, rows

    def of(self, measure: Measure) -> Doubles:
        """Return value, precision and recall, float64 (columns, 3, pages)."""
        result = np.full((len(self._columns), 3, len(self._rows)), np.nan)
        for k, column in enumerate(self._columns):
            status = self._results.status_of(measure, column)[self._rows]
            is_scored = np.isin(status, (OK, EMPTY))
            for part, name in enumerate(("value", "precision", "recall")):
                values = self._results.values(measure, column, name)  # type: ignore[arg-type]
                result[k, part] = np.where(is_scored, values[self._rows], np.nan)
        return result

    def of_key(self, key: str) -> Doubles:
        """Return the values of a measure, float64 (columns, pages)."""
        return self.of(measure_of(key))[:, 0]


def _by_method(results: Results, columns: Sequence[int]) -> dict[str, list[int]]:
    made: dict[str, list[int]] = {}
    for k, position in enumerate(columns):
        made.setdefault(results.columns[position].method, []).append(k)
    return made


def _ranks(scored: Doubles, measure: Measure) -> Doubles:
    """Return what pages are compared by, float64 (columns, pages), of (columns, 3, pages).

    A page may have a share in the pooled F1 of a measure without an F1 of its own: for example
    precision alone, where the gold is empty.  Its rank is by the share that is defined, minus 1,
    and so below any F1.
    """
    if not measure.is_pooled:
        return scored[:, 0]
    share = np.where(np.isnan(scored[:, 1]), scored[:, 2], scored[:, 1]) - 1
    return np.where(np.isnan(scored[:, 0]), share, scored[:, 0])


def _most(values: Doubles) -> Indices:
    return np.asarray(np.where(np.isnan(values), -np.inf, values).argmax(axis=0))


def _least(values: Doubles) -> Indices:
    return np.asarray(np.where(np.isnan(values), np.inf, values).argmin(axis=0))


def _picked(scored: Doubles, by: Doubles, pick: Callable[[Doubles], Indices]) -> Doubles:
    """Return the numbers of the column picked on each page, float64 (3, pages)."""
    return np.asarray(scored[pick(by), :, np.arange(scored.shape[2])].T)
