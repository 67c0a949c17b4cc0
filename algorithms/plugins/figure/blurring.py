"""Figures of content code blurring: CCB, ACCB, TCCB.

Source: T. Gottron, dissertation 2008, figure 6.3: the content code vector as a strip, and what
each pass of the blur makes of it; and the ratio after the last pass with the threshold.
"""

from collections.abc import Callable

import numpy as np

from algorithms.extraction.ccb import CcbParams, ContentCode, content_code, ratios
from algorithms.figures.figure import (
    Figure,
    Items,
    Strips,
    Threshold,
    bands,
    curve,
    items,
)
from algorithms.plugins.figure.source_reading import MethodReading, gold_bands, quote
from algorithms.signals.smoothing import blur
from engine.tree import Bools, Doubles

MOST_STRIPS = 10
"""So many passes are shown at most, evenly spread, the last among them."""

COLUMNS = 2_000
"""Atoms are averaged into so many columns: more than a screen has pixels."""


def figures(
    by_character: bool, skip_anchors: bool
) -> Callable[[MethodReading, CcbParams], tuple[Figure, ...]]:
    """Return a function that makes the figures of one of the three methods."""

    def make(reading: MethodReading, params: CcbParams) -> tuple[Figure, ...]:
        source = reading.source
        vector = content_code(source, by_character, skip_anchors)
        if not vector.first.size:
            return ()
        ratio = ratios(
            vector.values, params.range, params.threshold, params.passes, params.tolerance
        )
        what = "characters" if by_character else "words and tags"
        pointed = _items(reading, vector, ratio, params)
        is_kept = pointed.y > params.threshold
        blocks = np.stack([pointed.low[is_kept], pointed.high[is_kept]], axis=1)
        gold = gold_bands(reading.gold, vector.first, vector.first + vector.length)
        return (
            Figure(
                "Content code ratio",
                f"{what} so far",
                "share of content around",
                curves=(curve("content code ratio", np.arange(ratio.size), ratio),),
                bands=(bands("kept", blocks), *gold),
                thresholds=(Threshold("kept above", params.threshold, "y", "threshold"),),
                items=pointed,
                note="A text block is kept if one place of it is above the threshold."
                if params.whole
                else "A word is kept if one place of it is above the threshold.",
            ),
            Figure(
                "Blurring, pass by pass",
                f"{what} so far",
                "pass",
                strips=_strips(vector.values, params),
                items=pointed,
                note="White is content, black is code.",
            ),
        )

    return make


def _items(reading: MethodReading, vector: ContentCode, ratio: Doubles, params: CcbParams) -> Items:
    """Return text blocks, or words, each with the highest ratio in it."""
    size = vector.first.size
    edges = np.stack([vector.first, vector.first + vector.length], axis=1)
    highest = np.maximum.reduceat(np.append(ratio, -np.inf), edges.ravel())[::2]
    starts = np.arange(size)
    if params.whole:
        starts = np.concatenate(([0], np.flatnonzero(np.diff(vector.block)) + 1))
        highest = np.maximum.reduceat(highest, starts)
    ends = np.append(starts[1:], size)
    labels = tuple(
        f"{quote(reading.source, low, high)} · {value:.2f} at most"
        for low, high, value in zip(starts.tolist(), ends.tolist(), highest.tolist(), strict=True)
    )
    positions = np.stack([starts, ends], axis=1)
    return items(edges[starts, 0], edges[ends - 1, 1], highest, positions, labels)


def _strips(values: Bools, params: CcbParams) -> Strips:
    steps = np.unique(np.linspace(0, params.passes, min(params.passes, MOST_STRIPS) + 1).round())
    passes = [int(step) for step in steps]
    rows = [blur(values, params.range, params.range / 2.0, times) for times in passes]
    cells = np.stack([_averaged(row) for row in rows]).astype(np.float32)
    return Strips("share of content", cells, 0.0, float(values.size), tuple(map(str, passes)))


def _averaged(values: Doubles) -> Doubles:
    count = min(COLUMNS, values.size)
    edges = np.linspace(0, values.size, count + 1).astype(np.int64)
    return np.asarray(np.add.reduceat(values, edges[:-1]) / np.diff(edges), dtype=np.float64)
