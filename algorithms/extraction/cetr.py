"""CETR, Content Extraction via Tag Ratios: lines with much text per tag, or next to a jump of it.

Source: T. Weninger, W. Hsu, J. Han, "CETR - Content Extraction via Tag Ratios", WWW 2010, sec. 5.

Each line is a point: its smoothed tag ratio, and the smoothed absolute difference between it and
the mean of the next three.  Clusters of points, one of which stays at the origin, tell content from
the rest: whatever is not nearest to the origin is content.

Departures.  Lines are wrapped on pages with long lines, not only on pages of one line (parameter).
Smoothing windows reaching over an end take the mean of what is there; sigma is the deviation of the
smoothed sequence's own values, as printed, or fixed.  The mean over the next lines is over those
that exist.  Centroids start at extreme points (the one farthest from the origin, then the one
farthest from both), not at random, so that results repeat.

Cost: O(l log l) for l lines, plus k-means, a few passes over l points.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.shared import shared
from algorithms.smoothing import Floats
from algorithms.spans import everything, keep_words
from algorithms.tag_ratios import REWRAP, smoothed, smoothed_ratios, tag_ratios
from engine.source import Source
from engine.tree import Bools, lock


@dataclass(frozen=True)
class CetrParams(Params):
    """Parameters of CETR."""

    clusters: int = param(3, "clusters, the one at the origin included", low=2, high=10)
    ahead: int = param(3, "lines ahead whose mean a line is compared with", low=1, high=20)
    sigma: float = param(
        0.0, "width of smoothing in lines; 0: the deviation of the ratios", low=0.0, high=500.0
    )
    rewrap: str = param("long", "which pages' lines are wrapped", choices=REWRAP)


def extract(source: Source, params: CetrParams) -> Extraction:
    """Return the words on lines that are not clustered with the origin."""
    if not source.tokens.is_tag.any():
        return everything(source)
    lines = tag_ratios(source, params.rewrap)
    content = _content_of(source, params.rewrap, params.clusters, params.ahead, params.sigma)
    return keep_words(source, lines.words_on(content, source.tokens.words.size))


@shared
def _content_of(source: Source, rewrap: str, clusters: int, ahead: int, sigma: float) -> Bools:
    content = _off_origin(smoothed_ratios(source, rewrap, sigma), clusters, ahead, sigma)
    lock(content)
    return content


def content_lines(ratio: Floats, clusters: int = 3, ahead: int = 3, sigma: float = 0.0) -> Bools:
    """Return which lines, float64 (l,), are content, bool (l,)."""
    return _off_origin(smoothed(ratio, sigma), clusters, ahead, sigma)


def _off_origin(height: Floats, clusters: int, ahead: int, sigma: float) -> Bools:
    jump = np.abs(smoothed(_difference(height, ahead), sigma))
    return cluster(np.stack([height, jump], axis=1), clusters) > 0


def _difference(height: Floats, ahead: int) -> Floats:
    """Return the mean of the next ``ahead`` values minus each, 0 for the last."""
    size = height.size
    total = np.concatenate(([0.0], np.cumsum(height)))
    low = np.minimum(np.arange(size) + 1, size)
    high = np.minimum(low + ahead, size)
    mean = (total[high] - total[low]) / np.maximum(high - low, 1)
    return np.where(high > low, mean - height, 0.0)


def cluster(points: Floats, clusters: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the cluster of each point, (l, 2), by k-means; cluster 0 stays at the origin."""
    centre = np.zeros((clusters, 2))
    if not len(points):
        return np.zeros(0, dtype=np.int64)
    nearest = np.sum(points**2, axis=1)
    for k in range(1, clusters):
        centre[k] = points[np.argmax(nearest)]
        nearest = np.minimum(nearest, np.sum((points - centre[k]) ** 2, axis=1))
    x, y = np.ascontiguousarray(points.T)
    label = np.zeros(len(points), dtype=np.int64)
    for _ in range(100):
        new = np.argmin([(x - a) ** 2 + (y - b) ** 2 for a, b in centre.tolist()], axis=0)
        if np.array_equal(new, label):
            break
        label = new
        size = np.bincount(label, minlength=clusters)
        total = np.stack(
            [np.bincount(label, column, minlength=clusters) for column in (x, y)], axis=1
        )
        moved = size > 0
        moved[0] = False
        centre[moved] = total[moved] / size[moved, None]
    return label


METHOD = Method(
    key="cetr",
    name="CETR",
    params=CetrParams,
    output="extraction",
    cite="Weninger, Hsu, Han 2010",
    on_source=extract,
    summary="Lines with much text per tag, and lines next to a jump of it.",
)
