"""From scores of pages to the numbers of a table: measures.md#aggregation.

Only pages that were scored are in a mean, median, quartile or deviation; how many were not, and
why, stands beside them.  `Summary.value_of_all` is what a scorer sees that has the extracted texts
only, and takes a missing one for empty.
"""

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.measures.prf import Score, harmonic


@dataclass(frozen=True)
class Spread:
    """How some numbers lie.  All None where there are none.

    Attributes:
        count: How many.
        mean, median, low, high: With the quartiles, linear between neighbours.
        deviation: Sample standard deviation (n - 1); 0 for one number.
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
    found: Sequence[float] = list(values)
    if not found:
        return Spread(0, None, None, None, None, None, 0)
    at = np.linspace(0.0, 1.0, len(found))
    low, median, high = np.interp((0.25, 0.5, 0.75), at, np.sort(found)).tolist()
    return Spread(
        len(found),
        statistics.fmean(found),
        median,
        low,
        high,
        float(np.std(found, ddof=1)) if len(found) > 1 else 0.0,
        sum(value == 0 for value in found),
    )


@dataclass(frozen=True)
class PageScore:
    """What a summary needs of one page.

    Attributes:
        status: How the run ended: ok, empty, failed, timed out, skipped.
        score: None where it was not scored.
        if_missing: What an empty extraction would have scored; None where that is unknown.
    """

    status: str
    score: Score | None = None
    if_missing: Score | None = None


@dataclass(frozen=True)
class Summary:
    """One method, input and measure over the pages of a data set.

    Attributes:
        values: Of the measure's value, over scored pages.
        precision, recall: Means over the pages where they are defined; None where none is.
        value: The mean, or for a pooled measure F1 of mean precision and mean recall.
        value_of_all: The same with each run that failed or timed out counted as an empty
            extraction; None where an empty one's score is unknown.
        statuses: How many pages ended how.
    """

    values: Spread
    precision: float | None
    recall: float | None
    value: float | None
    value_of_all: float | None
    statuses: dict[str, int]

    @property
    def unscored(self) -> int:
        """How many runs failed or timed out."""
        return self.statuses.get("failed", 0) + self.statuses.get("timed out", 0)


def summarise(pages: Sequence[PageScore], *, is_pooled: bool = False) -> Summary:
    """Aggregate the pages of one method, input and measure."""
    scored = [page.score for page in pages if page.score is not None]
    ran = [page for page in pages if page.status != "skipped"]
    everything = [page.score or page.if_missing for page in ran]
    known = [score for score in everything if score is not None]
    return Summary(
        values=spread(score.value for score in scored if score.value is not None),
        precision=_mean(score.precision for score in scored),
        recall=_mean(score.recall for score in scored),
        value=_value(scored, is_pooled),
        value_of_all=_value(known, is_pooled) if len(known) == len(everything) else None,
        statuses=dict(Counter(page.status for page in pages)),
    )


def _value(scores: Sequence[Score], is_pooled: bool) -> float | None:
    values, precision, recall = (
        (
            [number for number in numbers if number is not None]
            for numbers in zip(*((s.value, s.precision, s.recall) for s in scores), strict=True)
        )
        if scores
        else ([], [], [])
    )
    return combined(values, precision, recall, is_pooled=is_pooled)


def combined(
    values: Sequence[float],
    precision: Sequence[float],
    recall: Sequence[float],
    *,
    is_pooled: bool,
) -> float | None:
    """Return the one number of some pages; None where it is not defined.

    It is the mean of the values or, of a pooled measure, F1 of mean precision and mean recall.
    """
    if not is_pooled:
        return _mean(values)
    if not precision or not recall:
        return None
    return harmonic(statistics.fmean(precision), statistics.fmean(recall))


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return statistics.fmean(defined) if defined else None
