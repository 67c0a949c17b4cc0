"""From scores of pages to the numbers of a table: measures.md#aggregation.

Only pages that were scored are in a mean, median, quartile or deviation; the number of others, and
the reasons, are given beside them.  `Summary.value_of_all` is what a scorer sees that has the
extracted texts only, and takes a missing one for empty.
"""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.measures.prf import Score, harmonic
from engine.tree import Doubles


@dataclass(frozen=True)
class Spread:
    """Distribution of some numbers. All None where there are none.

    Attributes:
        count: How many.
        mean, median, low, high: With the quartiles, linear between neighbours.
        deviation: Sample standard deviation (n - 1); None for one number, of which there is none.
        zeros: How many are 0.
    """

    count: int
    mean: float | None
    median: float | None
    low: float | None
    high: float | None
    deviation: float | None
    zeros: int


def spread(values: Iterable[float]) -> Spread:
    """Describe some numbers."""
    result: Sequence[float] = list(values)
    if not result:
        return Spread(0, None, None, None, None, None, 0)
    at = np.linspace(0.0, 1.0, len(result))
    low, median, high = np.interp((0.25, 0.5, 0.75), at, np.sort(result)).tolist()
    deviation = float(np.std(result, ddof=1)) if len(result) > 1 else None
    zeros = sum(value == 0 for value in result)
    return Spread(len(result), statistics.fmean(result), median, low, high, deviation, zeros)


@dataclass(frozen=True)
class Summary:
    """Summary of one method, input and measure over the pages of a data set.

    Attributes:
        values: Of the measure's value, over scored pages.
        precision, recall: Means over the pages where they are defined; None where none is.
        precision_pages, recall_pages: On how many pages they are defined.
        value: The mean, or for a pooled measure F1 of mean precision and mean recall.
        pages: On how many pages it is; of a pooled measure the larger of the two above.
        value_of_all: The same with each run that failed or timed out counted as an empty
            extraction; None where an empty one's score is unknown.
        pages_of_all: On how many pages that is.
        statuses: How many pages ended how.
    """

    values: Spread
    precision: float | None
    recall: float | None
    precision_pages: int
    recall_pages: int
    value: float | None
    pages: int
    value_of_all: float | None
    pages_of_all: int
    statuses: dict[str, int]

    @property
    def rank_value(self) -> float | None:
        """What methods are ranked by: failing is no way to the top.  As ``value_of_all`` if known;
        None without any score."""
        return self.value if self.value is None or self.value_of_all is None else self.value_of_all

    @property
    def unscored(self) -> int:
        """Number of runs that failed or timed out."""
        return self.statuses.get("failed", 0) + self.statuses.get("timed out", 0)


def summarise(
    scored: Doubles,
    missing: Sequence[Score | None],
    statuses: Mapping[str, int],
    *,
    is_pooled: bool = False,
) -> Summary:
    """Aggregate the pages of one method, input and measure.

    Args:
        scored: Value, precision and recall of each page that was scored, float64 (3, n); NaN where
            one is not defined.
        missing: Of each that failed or timed out, what an empty extraction would have scored.
        statuses: How many pages ended how.
        is_pooled: Whether F1 is made of mean precision and mean recall.
    """
    columns = [column[~np.isnan(column)].tolist() for column in scored]
    known = [score for score in missing if score is not None]
    value_of_all, pages_of_all = None, 0
    if len(known) == len(missing):
        others = ((s.value, s.precision, s.recall) for s in known)
        more = zip(*others, strict=True) if known else ((), (), ())
        every = [
            column + [number for number in numbers if number is not None]
            for column, numbers in zip(columns, more, strict=True)
        ]
        value_of_all = combine_pages(*every, is_pooled=is_pooled)
        pages_of_all = _pages(every, is_pooled=is_pooled)
    return Summary(
        values=spread(columns[0]),
        precision=_mean(columns[1]),
        recall=_mean(columns[2]),
        precision_pages=len(columns[1]),
        recall_pages=len(columns[2]),
        value=combine_pages(*columns, is_pooled=is_pooled),
        pages=_pages(columns, is_pooled=is_pooled),
        value_of_all=value_of_all,
        pages_of_all=pages_of_all,
        statuses=dict(statuses),
    )


def combine_pages(
    values: Sequence[float], precision: Sequence[float], recall: Sequence[float], *, is_pooled: bool
) -> float | None:
    """Return the one number of some pages; None where it is not defined.

    It is the mean of the values or, of a pooled measure, F1 of mean precision and mean recall.
    """
    if not is_pooled:
        return _mean(values)
    if not precision or not recall:
        return None
    return harmonic(statistics.fmean(precision), statistics.fmean(recall))


def _pages(columns: Sequence[Sequence[float]], *, is_pooled: bool) -> int:
    """Return the number of pages behind the value of `combine_pages` for these columns."""
    return max(map(len, columns[1:])) if is_pooled else len(columns[0])


def _mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None
