"""How far predictions without gold hold, on pages that have gold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from algorithms.measures.choice import measure_of
from annotate.evaluation.tables.result_table import OK, Results
from engine.tree import Bools, Doubles, Longs
from engine.words import plural

BAD = 0.7
"""F1 below which a page is bad; predicted, probably bad."""

FEWEST = 20
"""Fewest pages with gold and a prediction for a statement."""

_FEWEST_BAD = 5
_BINS, _FEWEST_IN_BIN = 10, 3
_FIRST = 0.1


@dataclass(frozen=True, eq=False)
class PredictionQuality:
    """Quality of the predictions for one method on one input.

    Attributes:
        method, input: Method and form of the pages.
        predicted, real: float64 (n,). F1 in words, page by page.
        inside: bool (n,). Whether the real one is within the bounds.
    """

    method: str
    input: str
    predicted: Doubles
    real: Doubles
    inside: Bools

    @property
    def pages(self) -> int:
        return int(self.real.size)

    @property
    def error(self) -> float:
        """The mean size of the difference."""
        return float(np.abs(self.predicted - self.real).mean())

    @property
    def covered(self) -> float:
        """Share of pages with the real F1 within the bounds, meant to be at least .8."""
        return float(self.inside.mean())

    @property
    def bad(self) -> int:
        return int((self.real < BAD).sum())

    @property
    def has_ranking(self) -> bool:
        """Whether there are enough bad and other pages to judge their order."""
        return _FEWEST_BAD <= self.bad <= self.pages - _FEWEST_BAD

    @property
    def auroc(self) -> float:
        """Share of the pairs of a bad page and another in which the bad one is predicted lower."""
        is_bad = self.real < BAD
        low, high = self.predicted[is_bad][:, None], self.predicted[~is_bad][None, :]
        return float((low < high).mean() + (low == high).mean() / 2)

    @property
    def shares(self) -> tuple[Doubles, Doubles]:
        """Share of pages inspected, lowest prediction first, and of bad pages found, (n + 1,)."""
        order = np.argsort(self.predicted, kind="stable")
        met = np.concatenate(([0], np.cumsum((self.real < BAD)[order]))) / max(self.bad, 1)
        return np.arange(met.size) / max(self.pages, 1), met

    @property
    def times_random(self) -> float:
        """Number of bad pages in the first tenth of the predictions, relative to a random tenth."""
        looked, met = self.shares
        return float(np.interp(_FIRST, looked, met)) / _FIRST

    @property
    def half_after(self) -> float:
        """Share of the pages after which half of the bad ones are met."""
        looked, met = self.shares
        return float(looked[np.argmax(met >= 0.5)])

    @property
    def calibration(self) -> tuple[Doubles, Doubles, Longs]:
        """Mean prediction, mean real F1 and pages of each tenth of the scale with some pages."""
        number = np.minimum((self.predicted * _BINS).astype(np.int64), _BINS - 1)
        count = np.bincount(number, minlength=_BINS)
        enough = count >= _FEWEST_IN_BIN
        predicted, real = (
            np.bincount(number, weights=each, minlength=_BINS)[enough] / count[enough]
            for each in (self.predicted, self.real)
        )
        return predicted, real, count[enough]


def prediction_qualities(
    results: Results, dataset: str, labels: Sequence[str]
) -> Iterator[PredictionQuality]:
    """Yield how far predictions hold for each method with enough pages of a data set.

    ``labels`` are what the methods of ``results.columns`` are called.
    """
    rows = np.array([page.dataset == dataset for page in results.pages])
    keys = ("predicted-f1", "predicted-low", "predicted-high", "bow")
    for position, column in enumerate(results.columns):
        numbers = np.stack([results.values(measure_of(key), position) for key in keys])
        known = rows & (results.status[:, position] == OK) & ~np.isnan(numbers).any(axis=0)
        if known.sum() >= FEWEST:
            predicted, low, high, real = numbers[:, known]
            inside = (low <= real) & (real <= high)
            yield PredictionQuality(labels[position], column.input, predicted, real, inside)


def quality_lines(results: Results) -> list[str]:
    """Return a sentence for each method and data set with enough gold."""
    names = [each.method for each in results.columns]
    datasets = dict.fromkeys(page.dataset for page in results.pages)
    qualities = (prediction_qualities(results, dataset, names) for dataset in datasets)
    return list(map(sentence_of, chain.from_iterable(qualities)))


def sentence_of(quality: PredictionQuality) -> str:
    """Return how far the predictions of a method hold, for the reader."""
    first = (
        f"{quality.method}, on {plural(quality.pages, 'page')} with gold: predictions are off by "
        f"{quality.error:.3f}, {quality.covered:.0%} of the pages within the bounds"
    )
    if not quality.has_ranking:
        return f"{first}; {quality.bad} below {BAD:g}, which says nothing of the order"
    return (
        f"{first}; {quality.bad} below {BAD:g}, AUROC {quality.auroc:.3f}, the first tenth holds "
        f"{quality.times_random:.1f} times as many of them as one at random"
    )
