"""CETR-TM, tag ratios with a threshold: lines with more text per tag than the ratios' deviation.

Source: T. Weninger, W. Hsu, J. Han, "CETR - Content Extraction via Tag Ratios", WWW 2010, sec. 4.

The ratios are smoothed with a Gauss curve of their own standard deviation; a line is content if its
smoothed ratio reaches lambda times that deviation.  Departures: lines are wrapped on pages with
long lines, not only on pages of one line (parameter); at the ends the mean is over what is there.
The deviation is that of the ratios before smoothing, as printed; of the smoothed ones as parameter.

Cost: O(l log l) for l lines.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.smoothing import Floats
from algorithms.spans import everything, keep_words
from algorithms.tag_ratios import REWRAP, smoothed, smoothed_ratios, tag_ratios
from engine.source import Source
from engine.tree import Bools


@dataclass(frozen=True)
class CetrTmParams(Params):
    """Parameters of CETR-TM."""

    strictness: float = param(
        1.0, "how many deviations a line's smoothed ratio must reach (lambda)", low=0.0, high=5.0
    )
    deviation: str = param(
        "ratios", "whose deviation counts: the ratios' or the smoothed ratios'",
        choices=("ratios", "smoothed"),
    )  # fmt: skip
    sigma: float = param(
        0.0, "width of smoothing in lines; 0: the deviation of the ratios", low=0.0, high=500.0
    )
    rewrap: str = param("long", "which pages' lines are wrapped", choices=REWRAP)


def extract(source: Source, params: CetrTmParams) -> Extraction:
    """Return the words on lines that reach the threshold."""
    if not source.tokens.is_tag.any():
        return everything(source)
    lines = tag_ratios(source, params.rewrap)
    smooth = smoothed_ratios(source, params.rewrap, params.sigma)
    content = _above(lines.ratio, smooth, params.strictness, params.deviation == "smoothed")
    return keep_words(source, lines.words_on(content, source.tokens.words.size))


def content_lines(
    ratio: Floats, strictness: float = 1.0, of_smoothed: bool = False, sigma: float = 0.0
) -> Bools:
    """Return which lines, float64 (l,), are content, bool (l,)."""
    return _above(ratio, smoothed(ratio, sigma), strictness, of_smoothed)


def _above(ratio: Floats, smooth: Floats, strictness: float, of_smoothed: bool) -> Bools:
    if not ratio.size:
        return np.zeros(0, dtype=bool)
    deviation = np.std(smooth if of_smoothed else ratio)
    return np.asarray(smooth >= strictness * deviation, dtype=bool)


METHOD = Method(
    key="cetr-tm",
    name="CETR-TM",
    params=CetrTmParams,
    output="extraction",
    cite="Weninger, Hsu, Han 2010",
    on_source=extract,
    summary="Lines with more text per tag than a threshold taken from the page.",
)
