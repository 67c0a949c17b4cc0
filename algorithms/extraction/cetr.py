"""CETR, CETR-KM, CETR-TM, content extraction via tag ratios: lines with much text per tag.

Source: T. Weninger, W. Hsu, J. Han, "CETR - Content Extraction via Tag Ratios", WWW 2010.

Lines (sections 3, 4.1 and 5.3, Algorithm 1).  A line's tag ratio is its characters of text per tag.
A line ends where the source has a line end in text; a tag belongs to the line it starts on, one
with line ends inside is not cut.  Scripts, styles, comments and empty lines are no part of it;
white space counts as one blank between two words.  Wrapping breaks a line after 65 characters, or
where the next text is if that is in a tag; line ends of the source stay.  The ratios are smoothed
with a Gauss curve of the same standard deviation.

- TM (section 4): a line is content if its smoothed ratio reaches lambda times the deviation.
- KM (section 4.3): all lines but those in the k-means cluster of the lowest ratios.
- CETR (section 5): each line is a point: its smoothed ratio, and the smoothed absolute difference
  between it and the mean of the next three.  One of the clusters of points stays at the origin;
  whatever is not nearest to the origin is content.

Departures.  Lines are wrapped on pages with long lines, not only on pages of one line (parameter).
Smoothing windows reaching over an end take the mean of the values inside; sigma is the deviation of
the sequence's own values, as printed, or fixed.  TM's deviation is that of the ratios before
smoothing, as printed, or that of the smoothed ones (parameter).  The mean over the next lines is
over those that exist.  Centroids do not start at random, so that results repeat: those of KM evenly
spread from the lowest smoothed ratio to the highest, those of CETR at extreme points (the one
farthest from the origin, then the one farthest from both).

Cost: O(l log l) for l lines, plus k-means, a few passes over l points.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, everything, keep_words
from algorithms.signals.k_means import line_clusters
from algorithms.signals.memo import shared
from algorithms.signals.smoothing import blur
from algorithms.signals.stretches import stretches
from algorithms.trace import Rule, Trace, step
from engine.source import Source
from engine.tree import Bools, Doubles, Indices, Locked, Longs

WRAP_COLUMN = 65
LONG_LINE = 500
"""Mean characters a line above which a page counts as minified."""

REWRAP = ("long", "always", "single", "never")
"""When lines are wrapped: on minified pages, on all, on pages of one line (as printed), on none."""


_SIGMA = partial(
    param,
    0.0,
    "width of smoothing in lines; 0: the deviation of the ratios",
    low=0.0,
    high=500.0,
    special="the deviation of the ratios",
)
_REWRAP = partial(param, "long", "which pages' lines are wrapped", choices=REWRAP)


@dataclass(frozen=True)
class CetrTmParams(Params):
    strictness: float = param(
        1.0, "how many deviations a line's smoothed ratio must reach (lambda)", low=0.0, high=5.0
    )
    deviation: str = param(
        "ratios", "whose deviation counts: the ratios' or the smoothed ratios'",
        choices=("ratios", "smoothed"),
    )  # fmt: skip
    sigma: float = _SIGMA()
    rewrap: str = _REWRAP()


@dataclass(frozen=True)
class CetrKmParams(Params):
    clusters: int = param(3, "clusters of lines", low=2, high=10)
    sigma: float = _SIGMA()
    rewrap: str = _REWRAP()


@dataclass(frozen=True)
class CetrParams(Params):
    clusters: int = param(3, "clusters, the one at the origin included", low=2, high=10)
    ahead: int = param(3, "lines ahead whose mean a line is compared with", low=1, high=20)
    sigma: float = _SIGMA()
    rewrap: str = _REWRAP()


def extract_tm(source: Source, params: CetrTmParams) -> Extraction:
    """Return the words on lines that reach the threshold."""
    ratio = tag_ratios(source, params.rewrap).ratio
    smooth = smoothed_ratios(source, params.rewrap, params.sigma)
    content = above_deviation(ratio, smooth, params.strictness, params.deviation == "smoothed")
    return _keep_lines(source, params.rewrap, content)


def extract_km(source: Source, params: CetrKmParams) -> Extraction:
    """Return the words on lines outside the lowest cluster."""
    smooth = smoothed_ratios(source, params.rewrap, params.sigma)
    return _keep_lines(source, params.rewrap, outside_lowest(smooth, params.clusters))


def extract_cetr(source: Source, params: CetrParams) -> Extraction:
    """Return the words on lines that are not clustered with the origin."""
    content = _content_of(source, params.rewrap, params.clusters, params.ahead, params.sigma)
    return _keep_lines(source, params.rewrap, content)


def _keep_lines(source: Source, rewrap: str, content: Bools) -> Extraction:
    """Return the words on chosen lines; all of them on a page without tags: it has no ratios."""
    if not source.tokens.is_tag.any():
        return everything(source)
    lines = tag_ratios(source, rewrap)
    return keep_words(source, lines.words_on(content, source.tokens.words.size))


# From ratios to content ---------------------------------------------------------------------


def above_deviation(
    ratio: Doubles, smooth: Doubles, strictness: float = 1.0, of_smoothed: bool = False
) -> Bools:
    """Return which lines are content by the threshold, bool (l,): TM."""
    if not ratio.size:
        return np.zeros(0, dtype=bool)
    deviation = np.std(smooth if of_smoothed else ratio)
    return np.asarray(smooth >= strictness * deviation, dtype=bool)


def outside_lowest(smooth: Doubles, clusters: int = 3) -> Bools:
    """Return which lines are not in the cluster of the lowest ratios, bool (l,): KM."""
    if not smooth.size:
        return np.zeros(0, dtype=bool)
    label, centre = line_clusters(smooth, np.linspace(smooth.min(), smooth.max(), clusters))
    return np.asarray(label != np.argmin(np.abs(centre)), dtype=bool)


@shared
def _content_of(source: Source, rewrap: str, clusters: int, ahead: int, sigma: float) -> Bools:
    return off_origin(smoothed_ratios(source, rewrap, sigma), clusters, ahead, sigma)


def off_origin(height: Doubles, clusters: int = 3, ahead: int = 3, sigma: float = 0.0) -> Bools:
    """Return which lines of these smoothed ratios are content, bool (l,): CETR."""
    jump = np.abs(smooth_ratios(difference(height, ahead), sigma))
    return cluster(np.stack([height, jump], axis=1), clusters) > 0


def difference(height: Doubles, ahead: int) -> Doubles:
    """Return the mean of the next ``ahead`` values minus each, 0 for the last."""
    size = height.size
    total = np.concatenate(([0.0], np.cumsum(height)))
    low = np.minimum(np.arange(size) + 1, size)
    high = np.minimum(low + ahead, size)
    mean = (total[high] - total[low]) / np.maximum(high - low, 1)
    return np.where(high > low, mean - height, 0.0)


def cluster(points: Doubles, clusters: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
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
    from_origin = x**2 + y**2
    for _ in range(100):
        first = from_origin.copy()
        others = [(x - a) ** 2 + (y - b) ** 2 for a, b in centre[1:].tolist()]
        new = np.zeros(len(points), dtype=np.int64)
        for k, distance in enumerate(others, 1):
            new[distance < first] = k
            np.minimum(first, distance, out=first)
        if (new == label).all():
            break
        label = new
        size = np.bincount(label, minlength=clusters)
        moved = size > 0
        moved[0] = False
        for axis, column in enumerate((x, y)):
            total = np.bincount(label, column, minlength=clusters)
            np.divide(total, size, out=centre[:, axis], where=moved)
    return label


# Lines --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TagRatios(Locked):
    """The lines of one source that are not empty, l of them.

    Attributes:
        ratio: float64 (l,). Characters of text per tag; characters where there is no tag.
        line: int64 (p,). The line of each piece of a word; a wrapped word has several pieces.
        word: int64 (p,). The word each piece is of; ascending.
    """

    ratio: Doubles
    line: npt.NDArray[np.int64]
    word: npt.NDArray[np.int64]

    def words_on(self, lines: Bools, words: int) -> Bools:
        """Return which of the words have a piece on the chosen lines, bool (w,)."""
        is_kept = np.zeros(words, dtype=bool)
        is_kept[self.word[lines[self.line]]] = True
        return is_kept


@shared
def tag_ratios(source: Source, rewrap: str = "long") -> TagRatios:
    """Read the lines of a source.  O(n), once."""
    tokens = source.tokens
    keep = np.flatnonzero(~tokens.is_named("script", "style"))
    is_word = tokens.is_word[keep]
    size = (tokens.end[keep] - tokens.start[keep]).astype(np.int64)
    size[is_word] = source.lengths
    blank = np.diff(tokens.gap[keep], prepend=0) > 0
    end = np.cumsum(size + blank)
    start = end - size
    # Lines before each token; most documents have fewer lines than tokens.
    after = tokens.start[keep].searchsorted(tokens.newline)
    natural = np.bincount(after, minlength=keep.size + 1)[: keep.size].cumsum()

    lines = np.count_nonzero(np.diff(natural)) + 1
    length = int(end[-1]) if end.size else 0
    if (
        rewrap == "always"
        or (rewrap == "single" and lines == 1)
        or (rewrap == "long" and length > LONG_LINE * lines)
    ):
        line, chars, token = _wrapped(start, end, is_word, natural)
    else:
        line, chars, token = natural, np.where(is_word, size, 0), np.arange(keep.size)

    line = np.cumsum(np.diff(line, prepend=line[:1]) > 0)  # leaves out empty lines
    is_text = is_word[token]
    count = int(line[-1]) + 1 if line.size else 0
    text = np.bincount(line, chars, minlength=count)
    # The space before a word counts where another word precedes it in its line.
    pieces = np.flatnonzero(is_text)
    later = pieces[1:][line[pieces[1:]] == line[pieces[:-1]]]
    earlier = pieces[:-1][line[pieces[1:]] == line[pieces[:-1]]]
    gap = tokens.gap[keep][token]
    text += np.bincount(line[later], gap[later] > gap[earlier], minlength=count)
    tags = np.bincount(line[~is_text], minlength=count)
    number = np.cumsum(is_word) - 1
    return TagRatios(text / np.maximum(tags, 1), line[is_text], number[token[is_text]])


@shared
def smoothed_ratios(source: Source, rewrap: str = "long", sigma: float = 0.0) -> Doubles:
    """Return the smoothed ratios of the lines of a source, float64 (l,).  Once."""
    return smooth_ratios(tag_ratios(source, rewrap).ratio, sigma)


def smooth_ratios(values: Doubles, sigma: float = 0.0) -> Doubles:
    """Smooth with a Gauss curve cut off at one sigma; 0 takes the values' own deviation."""
    sigma = sigma or float(np.std(values)) if values.size else 0.0
    if not 0.0 < sigma < np.inf:
        return values.copy()
    # Beyond the sequence itself a wider window changes nothing but the cost.
    radius = min(int(np.ceil(sigma)), max(1, values.size))
    return blur(values, radius, sigma)


def _wrapped(
    start: Longs, end: Longs, is_word: Bools, natural: Indices
) -> tuple[Longs, Longs, Longs]:
    """Wrap lines: the line, characters of text and token of each tag and piece of a word."""
    result: list[tuple[int, int, int]] = []
    line = 0
    opened = 0  # start of the line
    before = -1
    columns = zip(start.tolist(), end.tolist(), is_word.tolist(), natural.tolist(), strict=True)
    for token, (low, high, word, number) in enumerate(columns):
        if number != before:
            before = number
            line, opened = line + 1, low
        if not word:
            result.append((line, 0, token))
            continue
        if low >= opened + WRAP_COLUMN:
            line, opened = line + 1, low
        while high > opened + WRAP_COLUMN:
            cut = opened + WRAP_COLUMN
            result.append((line, cut - low, token))
            line, opened, low = line + 1, cut, cut
        result.append((line, high - low, token))
    table = np.array(result, dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


# Why ----------------------------------------------------------------------------------------

_LINE = "smoothed text-to-tag ratio of the line"
_RATIO = "the line has a smoothed text-to-tag ratio of {}"


def trace_tm(source: Source, params: CetrTmParams) -> Trace:
    """Return for each line its smoothed ratio and the threshold."""
    lines = tag_ratios(source, params.rewrap)
    smooth = smoothed_ratios(source, params.rewrap, params.sigma)
    by_smoothed = params.deviation == "smoothed"
    content = above_deviation(lines.ratio, smooth, params.strictness, by_smoothed)
    deviation = float(np.std(smooth if by_smoothed else lines.ratio)) if smooth.size else 0.0
    rule = Rule(_LINE, ">=", ("strictness", "sigma"), measured=_RATIO)
    return _trace(source, lines, rule, content, smooth, params.strictness * deviation)


def trace_km(source: Source, params: CetrKmParams) -> Trace:
    """Return for each line its smoothed ratio and the border of the lowest cluster."""
    lines = tag_ratios(source, params.rewrap)
    smooth = smoothed_ratios(source, params.rewrap, params.sigma)
    content = outside_lowest(smooth, params.clusters)
    border = np.inf
    if content.any() and not content.all():
        # Where two centres are equally near: half-way from the lowest to the next.
        border = (smooth[~content].max() + smooth[content].min()) / 2
    rule = Rule(_LINE, ">", ("clusters", "sigma"), measured=_RATIO)
    return _trace(source, lines, rule, content, smooth, border)


def trace_cetr(source: Source, params: CetrParams) -> Trace:
    """Return for each line its distance from the origin, and from the nearest other centre."""
    lines = tag_ratios(source, params.rewrap)
    smooth = smoothed_ratios(source, params.rewrap, params.sigma)
    jump = np.abs(smooth_ratios(difference(smooth, params.ahead), params.sigma))
    points = np.stack([smooth, jump], axis=1)
    label = cluster(points, params.clusters)
    away, nearest = np.full(smooth.size, np.inf), np.zeros(smooth.size, dtype=np.int64)
    for k in np.unique(label[label > 0]).tolist():
        centre = points[label == k].mean(axis=0)
        distance = np.sqrt(np.sum((points - centre) ** 2, axis=1))
        nearest[distance < away] = k
        away = np.minimum(away, distance)
    rule = Rule(
        "distance of the line's ratio and jump from the origin", ">",
        ("clusters", "sigma", "ahead"),
        says=(
            "nearer to another cluster ({limit}) than to the origin ({value})",
            "nearer to the origin ({value}) than to any other cluster ({limit})",
        ),
    )  # fmt: skip
    notes = tuple(
        f"text-to-tag ratio {height:.0f}, jump {change:.0f}"
        + (f", nearest other cluster {k}" if k else "")
        for (height, change), k in zip(points.tolist(), nearest.tolist(), strict=True)
    )
    return _trace(source, lines, rule, label > 0, np.hypot(smooth, jump), away, notes)


def _trace(
    source: Source,
    lines: TagRatios,
    rule: Rule,
    content: Bools,
    values: Doubles,
    thresholds: Doubles | float,
    notes: tuple[str, ...] = (),
) -> Trace:
    """Return decisions on lines as decisions on the words on them."""
    size = source.tokens.words.size
    if not source.tokens.is_tag.any():
        none = Rule("the page has no tags, so no ratios: all of it is content")
        return Trace((step(none, [[0, size]] if size else [], True),), size)
    # A word that was wrapped is on several lines: one that is content decides, else the first.
    line_of = np.full(size, -1, dtype=np.int64)
    for is_content in (False, True):
        pieces = np.flatnonzero(content[lines.line] == is_content)[::-1]
        line_of[lines.word[pieces]] = lines.line[pieces]
    positions = stretches(source, line_of)
    line = line_of[positions[:, 0]]
    positions, line = positions[line >= 0], line[line >= 0]
    limits = thresholds[line] if isinstance(thresholds, np.ndarray) else thresholds
    step_notes = tuple(notes[k] for k in line.tolist()) if notes else ()
    return Trace((step(rule, positions, content[line], values[line], limits, step_notes),), size)


_method = partial(Method, output="extraction", cite="Weninger, Hsu, Han 2010")
CETR_TM = _method(
    key="cetr-tm", name="CETR-TM", params=CetrTmParams, on_source=extract_tm, trace_source=trace_tm,
    summary="Lines with more text per tag than a threshold taken from the page.",
)  # fmt: skip
CETR_KM = _method(
    key="cetr-km", name="CETR-KM", params=CetrKmParams, on_source=extract_km, trace_source=trace_km,
    summary="Lines outside the cluster of those with least text per tag.",
)  # fmt: skip
CETR = _method(
    key="cetr", name="CETR", params=CetrParams, on_source=extract_cetr, trace_source=trace_cetr,
    summary="Lines with much text per tag, and lines next to a jump of it.",
)  # fmt: skip
METHODS = (CETR_TM, CETR_KM, CETR)
