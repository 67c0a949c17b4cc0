"""Figures over pages, written again: means, quartiles, deviations, pooled measures."""

import statistics
from collections.abc import Sequence
from fractions import Fraction

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
    found: dict[str, float | None] = {
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
        found[name] = mean([number(row[name]) for row in rows])
    found["value"] = found["mean"]
    if any(part in rows[0]["measure"] for part in POOLED):
        shares = found["precision"], found["recall"]
        found["value"] = None if None in shares else harmonic(*shares)
    return found
