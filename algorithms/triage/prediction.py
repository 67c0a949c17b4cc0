"""The F1 that an extraction would have, predicted without gold.

Gleaner gives each block of a page the share of it that gold would have.  The F1 in words (bag of
words) of what a method keeps follows in scenarios of the gold: in each, all log odds of the page
are shifted together, since gleaner errs on a page's grid or comments as a whole and not on each
block by itself.  The mean over the scenarios is the prediction.  Its bounds held the F1 of eight in
ten pages of WCXB at least, whatever the method, when they were fitted on other sites: gold is less
regular than any scenario.  What else was tried as a signal gained nothing (methods.md#triage).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

import resources
from algorithms.extraction import boilerpipe, bte, ccb, dsc, lqf
from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.extraction.gleaner.gleaner_model import model_of
from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.results import Extraction
from algorithms.signals.memo import shared
from engine.runs import mark_covered
from engine.source import Source
from engine.tree import Doubles

COMMITTEE = (
    bte.METHOD, dsc.DSC, boilerpipe.METHODS[0], ccb.CCB, lqf.METHOD, gleaner.METHOD,
)  # fmt: skip
"""Native methods whose agreement on a page is measured: quick, and unlike each other."""

SCENARIOS = 32
_SHIFT = 1.0
"""Standard deviation of the shifts, in log odds."""

_CERTAIN = 1e-6

ALIKE = (0.98, 0.9)
"""Agreement with gleaner from which on an extraction is nearly its own, and much like it."""


@dataclass(frozen=True, eq=False)
class Expected:
    """Expectation of gleaner for a page's b blocks.

    Attributes:
        chance: float64 (b,). Which share of each block is expected to be content.
        words: float64 (b,). Words of each.
        kept: float64 (b,). 1 for what gleaner keeps itself, else 0.
        types: The probability of each type of page.
    """

    chance: Doubles
    words: Doubles
    kept: Doubles
    types: Mapping[str, float]


@dataclass(frozen=True)
class Prediction:
    """Prediction for one extraction.

    Attributes:
        f1: The expected F1 in words.
        low, high: Eight pages in ten are within them.
    """

    f1: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Calibration:
    """Residuals and page properties of the training data.

    Attributes:
        f1: Predictions, ascending; float64 (k,).
        low, high: The bounds of such a prediction; float64 (3, k): of extractions that are nearly
            gleaner's own, of such that are much like it, and of others; they rise with it.
        page: Properties that show whether a page is unlike others; centre and scale of each.
        distances: Quantiles of the training pages' distances from the centre, 0 to 100 %.
    """

    f1: Doubles
    low: Doubles
    high: Doubles
    page: Mapping[str, tuple[float, float]]
    distances: Doubles


@lru_cache(maxsize=1)
def calibration() -> Calibration:
    """Return the calibration that ships."""
    stored = json.loads(resources.path("triage/calibration.json").read_text(encoding="utf-8"))
    f1, low, high, distances = (np.array(stored[k]) for k in ("f1", "low", "high", "distances"))
    page = {name: (centre, scale) for name, (centre, scale) in stored["page"].items()}
    return Calibration(f1, low, high, page, distances)


def expected_f1(expected: Expected, share: Doubles, foreign: float = 0.0) -> float:
    """Return the expected F1 in words of the kept words.

    Args:
        expected: What gleaner expects.
        share: float64 (b,). Which share of each block's words is kept.
        foreign: How many words are kept that are not on the page.
    """
    chance = np.clip(expected.chance, _CERTAIN, 1 - _CERTAIN)
    odds = np.log(chance / (1 - chance)) + _shifts()[:, None]
    content = expected.words / (1 + np.exp(-odds))
    size = float((expected.words * share).sum()) + foreign
    f1 = 2 * (content @ share) / np.maximum(content.sum(axis=1) + size, 1e-9)
    return float(f1.mean())


@lru_cache(maxsize=1)
def _shifts() -> Doubles:
    normal = NormalDist(0, _SHIFT)
    return np.array([normal.inv_cdf((k + 0.5) / SCENARIOS) for k in range(SCENARIOS)])


def line_of(agreed: float) -> int:
    """Return which line of the calibration is that of an extraction, by `agreement` with gleaner.

    What gleaner keeps itself is predicted worst: where it errs, so does the prediction.
    """
    return sum(agreed < least for least in ALIKE)


def with_bounds(f1: float, agreed: float) -> Prediction:
    """Return a prediction with its bounds; ``agreed`` is as `line_of` takes it.

    Of what keeps nothing that may be content the F1 is 0, or 1 where the gold is empty, too: no
    prediction shows which.
    """
    if f1 == 0:
        return Prediction(0.0, 0.0, 1.0)
    known, line = calibration(), line_of(agreed)
    low, high = (float(np.interp(f1, known.f1, bound[line])) for bound in (known.low, known.high))
    return Prediction(f1, min(low, f1), max(high, f1))


def agreement(one: Doubles, other: Doubles, words: Doubles) -> float:
    """Return the F1 in words of two extractions, by their shares of blocks; 1 if both are empty."""
    size = float((words * (one + other)).sum())
    return 2 * float((words * np.minimum(one, other)).sum()) / size if size else 1.0


def page_signals(expected: Expected) -> dict[str, float]:
    """Return the properties of a page that show whether it is unlike others."""
    chance = np.clip(expected.chance, _CERTAIN, 1 - _CERTAIN)
    entropy = -(chance * np.log2(chance) + (1 - chance) * np.log2(1 - chance))
    content, total = float((chance * expected.words).sum()), float(expected.words.sum())
    return {
        "words": float(np.log1p(total)),
        "blocks": float(np.log1p(chance.size)),
        "words of content": float(np.log1p(content)),
        "share of content": content / max(total, 1.0),
        "undecided text": float((entropy * expected.words).sum()) / max(total, 1.0),
        "clear type": max(expected.types.values(), default=1.0),
    }


def distance(values: Mapping[str, float], page: Mapping[str, tuple[float, float]]) -> float:
    """Return how far a page is from the centre, in standard deviations."""
    z = [(values[name] - centre) / scale for name, (centre, scale) in page.items()]
    return float(np.sqrt(np.mean(np.square(z))))


# Of a source -------------------------------------------------------------------------------


@shared
def expectation(source: Source) -> Expected:
    """Return gleaner's expectation for a page."""
    prediction = model_of("").predict(source)
    words = text_runs(source).words.astype(np.float64)
    kept = prediction.choice.is_kept.astype(np.float64)
    return Expected(prediction.chance, words, kept, dict(prediction.types))


@shared
def committee(source: Source) -> dict[str, Doubles]:
    """Return which share of each block each method of `COMMITTEE` keeps, (b,)."""
    shares = {}
    for entry in COMMITTEE:
        assert entry.on_source is not None
        result = entry.on_source(source, entry.params())
        assert isinstance(result, Extraction)
        shares[entry.key] = kept_share(source, result)
    return shares


def kept_share(source: Source, result: Extraction) -> Doubles:
    """Return which share of each block an extraction of an equal source keeps, (b,)."""
    runs = text_runs(source)
    first, last = source.words_in(result.spans).T
    total = np.concatenate(([0], np.cumsum(mark_covered(first, last, len(source.words)))))
    return np.asarray((total[runs.last] - total[runs.first]) / (runs.last - runs.first))


def predict(source: Source, result: Extraction) -> Prediction:
    """Predict the F1 of an extraction of a source."""
    expected, share = expectation(source), kept_share(source, result)
    agreed = agreement(share, expected.kept, expected.words)
    return with_bounds(expected_f1(expected, share, result.unmapped), agreed)


def agreement_with_others(source: Source, result: Extraction) -> float:
    """Return the mean F1 in words of an extraction with those of `COMMITTEE`."""
    share, words = kept_share(source, result), text_runs(source).words.astype(np.float64)
    return float(np.mean([agreement(share, o, words) for o in committee(source).values()]))


def unlikeness(source: Source) -> float:
    """Return which share of the training pages is more like the others than this page is."""
    known = calibration()
    far = distance(page_signals(expectation(source)), known.page)
    return float(np.interp(far, known.distances, np.linspace(0, 1, known.distances.size)))


def undecided_share(source: Source) -> float:
    """Return the share of the page's words on which gleaner is undecided, and gold would help."""
    return page_signals(expectation(source))["undecided text"]
