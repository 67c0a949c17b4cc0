"""Figures of CETR, CETR-KM and CETR-TM.

Source: T. Weninger, W. Hsu, J. Han, "CETR - Content Extraction via Tag Ratios", WWW 2010: tag
ratios of the lines before and after smoothing (figures 2 and 3), their differences (4), and both
as a plane with its clusters (5), here also by gold.  Figure 6, F1 over lambda, is the score
against a parameter that every method has.
"""

from dataclasses import replace

import numpy as np

from algorithms.extraction.cetr import (
    CetrKmParams,
    CetrParams,
    CetrTmParams,
    TagRatios,
    above_deviation,
    cluster,
    difference,
    outside_lowest,
    smooth_ratios,
    smoothed_ratios,
    tag_ratios,
)
from algorithms.figures.figure import (
    DROPPED,
    FAINT,
    GOLD,
    KEPT,
    NOWHERE,
    SECOND,
    Bands,
    Curve,
    Figure,
    Items,
    Threshold,
    bands,
    dots_of,
    items,
)
from algorithms.plugins.figure.source_reading import MethodReading, gold_bands, make_steps, quote
from algorithms.signals.k_means import line_clusters
from engine.runs import runs_of
from engine.tree import Bools, Doubles, Ints

_LINES, _RATIO = "lines", "characters of text per tag"


def tm(reading: MethodReading, params: CetrTmParams) -> tuple[Figure, ...]:
    """Return the ratios with the threshold, and their differences."""
    lines, smooth = _lines(reading, params)
    by_smoothed = params.deviation == "smoothed"
    content = above_deviation(lines.ratio, smooth, params.strictness, by_smoothed)
    deviation = float(np.std(smooth if by_smoothed else lines.ratio)) if smooth.size else 0.0
    limit = Threshold(
        "content from", params.strictness * deviation, "y", "strictness", deviation or 1.0
    )
    drawn = _ratios(reading, lines, smooth, content, (limit,))
    return drawn, _differences(reading, lines, smooth, content, 3, params.sigma)


def km(reading: MethodReading, params: CetrKmParams) -> tuple[Figure, ...]:
    """Return the ratios with the centres of their clusters and the border of the lowest."""
    lines, smooth = _lines(reading, params)
    content = outside_lowest(smooth, params.clusters)
    limits: tuple[Threshold, ...] = ()
    if smooth.size:
        start = np.linspace(smooth.min(), smooth.max(), params.clusters)
        label, centre = line_clusters(smooth, start)
        there = np.unique(label)
        limits = tuple(
            Threshold(f"centre {k}", float(value))
            for k, value in enumerate(np.sort(centre[there]).tolist(), start=1)
        )
        if content.any() and not content.all():
            border = (smooth[~content].max() + smooth[content].min()) / 2
            limits = (Threshold("content above", float(border)), *limits)
    drawn = _ratios(reading, lines, smooth, content, limits)
    return drawn, _differences(reading, lines, smooth, content, 3, params.sigma)


def cetr(reading: MethodReading, params: CetrParams) -> tuple[Figure, ...]:
    """Return the plane of ratio and jump by cluster and by gold, the ratios, and the jumps."""
    lines, smooth = _lines(reading, params)
    jump = np.abs(smooth_ratios(difference(smooth, params.ahead), params.sigma))
    label = cluster(np.stack([smooth, jump], axis=1), params.clusters)
    positions = _words(lines)
    tones = (DROPPED, KEPT, SECOND, FAINT)
    groups = tuple(
        ("cluster at the origin" if not k else f"cluster {k}", tones[k % len(tones)], label == k)
        for k in range(params.clusters)
    )
    plane = Figure(
        "Ratio and jump, by cluster",
        "smoothed ratio",
        "smoothed jump to the next lines",
        dots=dots_of(smooth, jump, groups),
        items=_items(reading, smooth, jump, positions, smooth),
        is_plane=True,
        note="What is not nearest to the origin is content.",
    )
    figures = [plane]
    if (share := reading.gold_share(positions)) is not None:
        has_words = positions[:, 0] >= 0
        by_gold = (
            ("not gold", DROPPED, has_words & (share < 0.5)),
            ("gold", GOLD, has_words & (share >= 0.5)),
            ("no words", FAINT, ~has_words),
        )
        dots = dots_of(smooth, jump, by_gold)
        figures.append(replace(plane, title="Ratio and jump, by gold", dots=dots, note=""))
    return (
        *figures,
        _ratios(reading, lines, smooth, label > 0, ()),
        _differences(reading, lines, smooth, label > 0, params.ahead, params.sigma),
    )


def _lines(
    reading: MethodReading, params: CetrTmParams | CetrKmParams | CetrParams
) -> tuple[TagRatios, Doubles]:
    source = reading.source
    return (tag_ratios(source, params.rewrap), smoothed_ratios(source, params.rewrap, params.sigma))


def _words(lines: TagRatios) -> Ints:
    """Return first and one past the last word on each line; `NOWHERE` on lines of tags."""
    count = lines.ratio.size
    result = np.full((count, 2), NOWHERE, dtype=np.int32)
    result[lines.line[::-1], 0] = lines.word[::-1]
    result[lines.line, 1] = lines.word + 1
    return result


def _items(reading: MethodReading, x: Doubles, y: Doubles, spans: Ints, ratio: Doubles) -> Items:
    source = reading.source
    labels = tuple(
        f"line {k + 1}: {quote(source, low, high) if low >= 0 else 'tags'} · {value:.0f} per tag"
        for k, ((low, high), value) in enumerate(zip(spans.tolist(), ratio.tolist(), strict=True))
    )
    return items(x, x, y, spans, labels)


def _along(reading: MethodReading, lines: TagRatios, y: Doubles, ratio: Doubles) -> Items:
    """Return lines as items side by side."""
    pointed = _items(reading, np.arange(y.size, dtype=np.float64) - 0.5, y, _words(lines), ratio)
    return replace(pointed, high=pointed.low + 1.0)


def _ratios(
    reading: MethodReading,
    lines: TagRatios,
    smooth: Doubles,
    content: Bools,
    limits: tuple[Threshold, ...],
) -> Figure:
    return Figure(
        "Tag ratios",
        _LINES,
        _RATIO,
        curves=(*_steps("before smoothing", lines.ratio, FAINT), *_steps("smoothed", smooth)),
        bands=(_content(content), *_gold(reading, lines)),
        thresholds=limits,
        items=_along(reading, lines, smooth, smooth),
    )


def _differences(
    reading: MethodReading,
    lines: TagRatios,
    smooth: Doubles,
    content: Bools,
    ahead: int,
    sigma: float,
) -> Figure:
    change = difference(smooth, ahead)
    jump = np.abs(smooth_ratios(change, sigma))
    return Figure(
        "Derivative of the ratios",
        _LINES,
        f"mean of the next {ahead} less the line's own",
        curves=(*_steps("difference", change, FAINT), *_steps("its size, smoothed", jump)),
        bands=(_content(content), *_gold(reading, lines)),
        items=_along(reading, lines, jump, smooth),
    )


def _steps(name: str, values: Doubles, tone: str = "plain") -> tuple[Curve, ...]:
    if not values.size:
        return ()
    return (make_steps(name, np.arange(values.size + 1) - 0.5, values, tone),)


def _content(content: Bools) -> Bands:
    return bands("kept", np.stack(runs_of(content), axis=1) - 0.5)


def _gold(reading: MethodReading, lines: TagRatios) -> tuple[Bands, ...]:
    share = reading.gold_share(_words(lines))
    low = np.arange(lines.ratio.size) - 0.5
    return gold_bands(None if share is None else share >= 0.5, low, low + 1.0)
