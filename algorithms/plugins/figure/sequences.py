"""Figures of methods on the sequence of tokens: BTE, DSC, ADSC.

Source: T. Gottron, dissertation 2008, figure 3.1: the document slope curve, the tags so far over
the tokens so far, on which BTE's run and DSC's low windows and regions are intervals.
"""

import numpy as np
import numpy.typing as npt

from algorithms.extraction.bte import BteParams, best_run
from algorithms.extraction.dsc import AdscParams, DscParams, low_regions, window_size, window_slopes
from algorithms.figures.figure import (
    DROPPED,
    Bands,
    Figure,
    Items,
    Threshold,
    bands,
    curve,
    items,
)
from algorithms.plugins.figure.source_reading import MethodReading, gold_bands, make_steps, quote
from algorithms.signals.stretches import stretches
from engine.runs import runs_of
from engine.source import Source
from engine.tree import Ints

_X = "tokens so far"


def bte(reading: MethodReading, params: BteParams) -> tuple[Figure, ...]:
    """Return the tag curve with the run, and the quantity that BTE maximises."""
    source = reading.source
    gain = np.where(source.tokens.is_tag, -params.tag_cost, 1.0)
    start, end = best_run(gain)
    run = bands("the run", [[start, end]] if end > start else [])
    total = np.concatenate(([0.0], np.cumsum(gain)))
    worth = curve("words less tags so far", np.arange(total.size), total)
    return (
        _tag_curve(reading, (run,)),
        Figure(
            "Words less tags",
            _X,
            "words less the cost of tags so far",
            curves=(worth,),
            bands=(run, *_gold(reading)),
            items=_stretches(source, total, "worth so far"),
            note="The run goes from a valley to the highest peak after it.",
        ),
    )


def dsc(reading: MethodReading, params: DscParams) -> tuple[Figure, ...]:
    """Return the tag curve with windows and regions, and the slope of each window."""
    is_tag = reading.source.tokens.is_tag
    average = np.count_nonzero(is_tag) / max(1, is_tag.size)
    return _slopes(reading, params, params.slope * average, "slope", average)


def adsc(reading: MethodReading, params: AdscParams) -> tuple[Figure, ...]:
    """Return the same, with a threshold that is the same for every page."""
    return _slopes(reading, params, params.tags, "tags", 1.0)


def _slopes(
    reading: MethodReading, params: DscParams | AdscParams, limit: float, name: str, unit: float
) -> tuple[Figure, ...]:
    source = reading.source
    is_tag = source.tokens.is_tag
    label = low_regions(is_tag, limit, params.windows, params.whole, params.early)
    if not is_tag.any():
        label = np.ones(is_tag.size, dtype=bool)
    regions = bands("regions", np.stack(runs_of(label), axis=1))
    width = window_size(is_tag.size)
    starts, slopes = window_slopes(is_tag)
    if not starts.size:
        return (_tag_curve(reading, (regions,)),)
    low = starts[slopes < limit]
    windows = bands("low windows", np.stack([low, low + width], axis=1), DROPPED)
    edges = np.append(starts, starts[-1] + width // 2)
    words = _words_of(source, np.stack([edges[:-1], edges[1:]], axis=1))
    slope = Figure(
        "Slope of each window",
        _X,
        "tags per token in the window",
        curves=(make_steps("slope", edges, slopes),),
        bands=(regions, *_gold(reading)),
        thresholds=(Threshold("low below", limit, "y", name, unit),),
        items=items(
            edges[:-1], edges[1:], slopes, words,
            tuple(
                f"{value:.2f} tags per token, {'low' if value < limit else 'not low'}"
                for value in slopes.tolist()
            ),
        ),
        note=f"{width} tokens a window; {params.windows} in a row start or end a region.",
    )  # fmt: skip
    return slope, _tag_curve(reading, (regions, windows))


def _tag_curve(reading: MethodReading, stretches_: tuple[Bands, ...]) -> Figure:
    source = reading.source
    tags = np.concatenate(([0], np.cumsum(source.tokens.is_tag))).astype(np.float64)
    return Figure(
        "Document slope curve",
        _X,
        "tags so far",
        curves=(curve("tags so far", np.arange(tags.size), tags),),
        bands=(*stretches_, *_gold(reading)),
        items=_stretches(source, tags, "tags so far"),
        note="Text is where the curve is flat.",
    )


def _stretches(source: Source, total: npt.NDArray[np.float64], what: str) -> Items:
    """Return the runs of words between tags, each as high as the curve where it starts."""
    positions = stretches(source)
    if not len(positions):
        return items([], [], [], [], ())
    first = source.tokens.words[positions[:, 0]]
    last = source.tokens.words[positions[:, 1] - 1] + 1
    height = total[first]
    labels = tuple(
        f"{quote(source, low, high)} · {value:g} {what}"
        for (low, high), value in zip(positions.tolist(), height.tolist(), strict=True)
    )
    return items(first, last, height, positions, labels)


def _words_of(source: Source, tokens: npt.NDArray[np.int64]) -> Ints:
    """Return first and one past the last word of runs of tokens; `NOWHERE` where there is none."""
    positions = np.searchsorted(source.tokens.words, tokens).astype(np.int32)
    positions[positions[:, 0] >= positions[:, 1]] = -1
    return positions


def _gold(reading: MethodReading) -> tuple[Bands, ...]:
    at = reading.source.tokens.words
    return gold_bands(reading.gold, at, at + 1)
