"""What scores are to be seen against: everything, the best of each page, the choice without gold.

They are made of runs that are there, and cost none: *everything* is the method ``plain`` with its
usual parameters, *best parameters per page* is known of methods that ran with several, and *chosen
per page without gold* where F1 was predicted.  The best of each page is taken of methods that have
not seen gold of these pages.  How much better than everything a method is, is the mean difference
on the pages that both were scored on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.measures.choice import measure_of
from algorithms.measures.measure import Measure
from algorithms.measures.summary import Summary, summarise
from annotate.evaluation.tables.result_table import Results
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
    scored = _scored(results, columns, rows, measure)
    ranks, sign = _ranks(scored, measure), -1 if measure.is_low_best else 1
    made: dict[str, Doubles] = {}
    by_method: dict[str, list[int]] = {}
    for k, position in enumerate(columns):
        by_method.setdefault(results.columns[position].method, []).append(k)
        if results.columns[position].keeps_everything:
            made[EVERYTHING] = scored[k]
    unseen = [k for k, at in enumerate(columns) if not results.facts.seen(at, rows)]
    if len(unseen) > 1:
        made[BEST] = _picked(scored[unseen], sign * ranks[unseen])
    for method, own in by_method.items():
        if len(own) > 1:
            made[f"{BEST_PARAMETERS}, {method}"] = _picked(scored[own], sign * ranks[own])
    predicted = _scored(results, columns, rows, measure_of(_PREDICTED))[:, 0]
    if len(columns) > 1 and not np.isnan(predicted).all():
        made[CHOSEN] = _picked(scored, np.where(np.isnan(ranks), np.nan, predicted))
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


def _scored(results: Results, columns: Sequence[int], rows: Indices, measure: Measure) -> Doubles:
    """Return the scores of some columns, float64 (columns, 3, pages)."""
    every = [results.scored(measure, column, rows) for column in columns]
    return np.array(every).reshape(len(columns), 3, len(rows))


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


def _picked(scored: Doubles, by: Doubles) -> Doubles:
    """Return the numbers of the column that has most on each page, float64 (3, pages)."""
    first = np.where(np.isnan(by), -np.inf, by).argmax(axis=0)
    return np.asarray(scored[first, :, np.arange(scored.shape[2])].T)
