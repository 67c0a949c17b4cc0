"""CETR-KM, tag ratios by k-means: all lines but those in the cluster of the lowest ratios.

Source: T. Weninger, W. Hsu, J. Han, "CETR - Content Extraction via Tag Ratios", WWW 2010, sec. 4.3.

Departures: lines are wrapped on pages with long lines, not only on pages of one line (parameter);
at the ends smoothing takes the mean of what is there; centroids start evenly spread from the lowest
smoothed ratio to the highest, not at random, so that results repeat.

Cost: O(l log l) for l lines.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.clusters import line_clusters
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.smoothing import Floats
from algorithms.spans import everything, keep_words
from algorithms.tag_ratios import REWRAP, smoothed, smoothed_ratios, tag_ratios
from engine.source import Source
from engine.tree import Bools


@dataclass(frozen=True)
class CetrKmParams(Params):
    """Parameters of CETR-KM."""

    clusters: int = param(3, "clusters of lines", low=2, high=10)
    sigma: float = param(
        0.0, "width of smoothing in lines; 0: the deviation of the ratios", low=0.0, high=500.0
    )
    rewrap: str = param("long", "which pages' lines are wrapped", choices=REWRAP)


def extract(source: Source, params: CetrKmParams) -> Extraction:
    """Return the words on lines outside the lowest cluster."""
    if not source.tokens.is_tag.any():
        return everything(source)
    lines = tag_ratios(source, params.rewrap)
    smooth = smoothed_ratios(source, params.rewrap, params.sigma)
    content = _outside_lowest(smooth, params.clusters)
    return keep_words(source, lines.words_on(content, source.tokens.words.size))


def content_lines(ratio: Floats, clusters: int = 3, sigma: float = 0.0) -> Bools:
    """Return which lines, float64 (l,), are content, bool (l,)."""
    return _outside_lowest(smoothed(ratio, sigma), clusters)


def _outside_lowest(smooth: Floats, clusters: int) -> Bools:
    if not smooth.size:
        return np.zeros(0, dtype=bool)
    label, centre = line_clusters(smooth, np.linspace(smooth.min(), smooth.max(), clusters))
    return np.asarray(label != np.argmin(np.abs(centre)), dtype=bool)


METHOD = Method(
    key="cetr-km",
    name="CETR-KM",
    params=CetrKmParams,
    output="extraction",
    cite="Weninger, Hsu, Han 2010",
    on_source=extract,
    summary="Lines outside the cluster of those with least text per tag.",
)
