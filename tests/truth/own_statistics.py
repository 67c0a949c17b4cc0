"""Figures over pages, written again: means, quartiles, deviations, pooled measures."""

import math
import statistics
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from scipy import stats

from tests.truth.own_text import harmonic

POOLED = ("shingles", "-star")


def quantile(values: Sequence[float], share: Fraction) -> float:
    """Linear between neighbours, the ends being the smallest and the largest value."""
    ordered = sorted(values)
    rank = share * (len(ordered) - 1)
    below = int(rank)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * float(rank - below)


def number(cell: str) -> float | None:
    return float(cell) if cell else None


def mean(values: Sequence[float | None]) -> float | None:
    there = [each for each in values if each is not None]
    return statistics.fmean(there) if there else None


def summarised(rows: list[dict[str, str]]) -> dict[str, float | None]:
    """The figures of summary.csv from the rows of scores.csv of one method, input and measure."""
    scored = [row for row in rows if row["value"]]
    values = [float(row["value"]) for row in scored]
    result: dict[str, float | None] = {
        "pages": len(rows),
        **{
            status: sum(row["status"] == status for row in rows)
            for status in ("ok", "empty", "failed", "timed out", "skipped")
        },
        "zeros": sum(value == 0 for value in values),
        "mean": mean(values),
        "median": quantile(values, Fraction(1, 2)) if values else None,
        "quartile_1": quantile(values, Fraction(1, 4)) if values else None,
        "quartile_3": quantile(values, Fraction(3, 4)) if values else None,
        "deviation": statistics.stdev(values) if len(values) > 1 else None,
    }
    for name in ("precision", "recall", "retrieved", "hits", "relevant"):
        result[name] = mean([number(row[name]) for row in rows])
    result["value"] = result["mean"]
    if any(part in rows[0]["measure"] for part in POOLED):
        shares = result["precision"], result["recall"]
        result["value"] = None if None in shares else harmonic(*shares)
    return result


def interval(values: Sequence[float], resamples: int, seed: int) -> tuple[float, float]:
    """95 % percentile bootstrap of the mean (Efron and Tibshirani 1993, chapter 13)."""
    drawn = np.random.default_rng(seed).integers(0, len(values), size=(resamples, len(values)))
    means = sorted(math.fsum(values[index] for index in pages) / len(values) for pages in drawn)
    return quantile(means, Fraction(1, 40)), quantile(means, Fraction(39, 40))


def signed_rank(differences: Sequence[float]) -> tuple[float, float]:
    """Two-sided p of Wilcoxon 1945, and Kerby's r; differences of 0 are left out.

    Up to 50 differences by counting the sums of all 2^n signs of the ranks at hand, ties sharing
    theirs; beyond by the normal distribution as SciPy has it.
    """
    there = [rounded for each in differences if (rounded := round(each, 12))]
    if not there:
        return 1.0, 0.0
    doubled = [round(2 * rank) for rank in stats.rankdata([abs(each) for each in there])]
    plus = sum(rank for rank, each in zip(doubled, there, strict=True) if each > 0)
    total = sum(doubled)
    effect = (2 * plus - total) / total
    if len(there) > 50:
        return stats.wilcoxon(there, correction=True, method="asymptotic").pvalue, effect
    ways = {0: 1}
    for rank in doubled:
        after = dict(ways)
        for reached, count in ways.items():
            after[reached + rank] = after.get(reached + rank, 0) + count
        ways = after
    tail = min(plus, total - plus)
    extreme = sum(count for reached, count in ways.items() if reached <= tail)
    return min(1.0, 2 * extreme / 2 ** len(there)), effect


def holm(values: Sequence[float]) -> list[float]:
    """Holm 1979: the k-th smallest times how many are no smaller, never less than those before."""
    result = {}
    largest = 0.0
    for rank, (p, index) in enumerate(sorted((p, index) for index, p in enumerate(values))):
        largest = max(largest, min(1.0, (len(values) - rank) * p))
        result[index] = largest
    return [result[index] for index in range(len(values))]
