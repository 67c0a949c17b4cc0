"""Figures of Boilerpipe: words and densities of each block, and how gold divides them.

Source: C. Kohlschuetter, P. Fankhauser, W. Nejdl, WSDM 2010: section 3.4 (blocks as a sequence),
figure 5 (how often each density occurs, by class).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.extraction.boilerpipe import MOST_LINKS, BlockParams, LargestParams, Min10Params
from algorithms.features.text_blocks import INLINE_TAGS, TextBlocks, text_blocks
from algorithms.figures.figure import (
    DROPPED,
    GOLD,
    KEPT,
    NO_ITEMS,
    Bands,
    Bars,
    Figure,
    Items,
    Threshold,
    bands,
    curve,
    dots_of,
    items,
)
from algorithms.plugins.figure.source_reading import Reading, quote
from algorithms.trace import Trace
from engine.runs import runs_of
from engine.source import Source
from engine.tree import Bools, Ints

_X = "text blocks"


def figures(
    trace: Callable[[Source, Any], Trace] | None,
) -> Callable[[Reading, BlockParams | LargestParams | Min10Params], tuple[Figure, ...]]:
    """Return a function that makes the figures of one of the classifiers, given its trace."""
    assert trace is not None

    def make(
        reading: Reading, params: BlockParams | LargestParams | Min10Params
    ) -> tuple[Figure, ...]:
        source = reading.source
        result = text_blocks(source, INLINE_TAGS if params.blocks == "library" else ("a",))
        if not len(result):
            return ()
        decided = trace(source, params)
        positions = np.stack([result.first, result.last], axis=1).astype(np.int32)
        is_kept = decided.kept[result.first]
        labels = tuple(
            f"{quote(source, low, high)} · "
            + " → ".join(each.sentence for each in decided.decisions(low))
            for low, high in positions.tolist()
        )
        limit: tuple[Threshold, ...] = ()
        if isinstance(params, Min10Params):
            limit = (Threshold("kept from", params.words, "y", "words"),)
        wide = _TextBlockColumns(reading, result, positions, is_kept, labels)
        return (
            wide.figure("Words of each block", "words", result.words, limit),
            wide.figure("Text density of each block", "words per line", result.text_density, ()),
            wide.figure(
                "Link density of each block", "share of words in links", result.link_density,
                (Threshold("kept up to", MOST_LINKS),),
            ),
            wide.plane(),
            *wide.by_gold(),
        )  # fmt: skip

    return make


class _TextBlockColumns:
    """The blocks of one page, as every figure of them needs them."""

    def __init__(
        self,
        reading: Reading,
        blocks: TextBlocks,
        spans: Ints,
        is_kept: Bools,
        labels: tuple[str, ...],
    ) -> None:
        self._blocks, self._spans, self._is_kept, self._labels = blocks, spans, is_kept, labels
        self._share = reading.gold_share(spans)

    def figure(self, title: str, label: str, values: Any, limit: tuple[Threshold, ...]) -> Figure:  # noqa: ANN401
        """Return a bar for each block."""
        y = np.asarray(values, dtype=np.float64)
        low = np.arange(y.size, dtype=np.float64) - 0.5
        drawn = tuple(
            Bars(name, low[which], low[which] + 1.0, y[which], tone)
            for name, tone, which in (
                ("kept", KEPT, self._is_kept),
                ("dropped", DROPPED, ~self._is_kept),
            )
            if which.any()
        )
        gold: tuple[Bands, ...] = ()
        if self._share is not None:
            gold = (bands("gold", np.stack(runs_of(self._share >= 0.5), axis=1) - 0.5, GOLD),)
        pointed = items(low, low + 1.0, y, self._spans, self._labels)
        return Figure(
            title, _X, label, bars=drawn, bands=gold, thresholds=limit, items=pointed,
            note="Point at a block to read its way through the tree of decisions.",
        )  # fmt: skip

    def plane(self) -> Figure:
        """Return text density against link density."""
        across, up = self._blocks.text_density, self._blocks.link_density
        groups = (("kept", KEPT, self._is_kept), ("dropped", DROPPED, ~self._is_kept))
        pointed: Items = items(across, across, up, self._spans, self._labels)
        return Figure(
            "Text density and link density", "words per line", "share of words in links",
            dots=dots_of(across, up, groups), items=pointed, is_plane=True,
        )  # fmt: skip

    def by_gold(self) -> tuple[Figure, ...]:
        """Return the number of words in blocks of each density, by gold: figure 5."""
        if self._share is None:
            return ()
        density, words = self._blocks.text_density, self._blocks.words
        bins = np.arange(0, np.ceil(density.max(initial=1.0)) + 2)
        is_gold = self._share >= 0.5
        counts = [
            np.histogram(density[which], bins, weights=words[which])[0].astype(np.float64)
            for which in (is_gold, ~is_gold)
        ]
        both = (("gold", GOLD, counts[0], is_gold), ("not gold", DROPPED, counts[1], ~is_gold))
        drawn = tuple(
            curve(name, bins, np.append(count, 0.0), tone, is_stepped=True)
            for name, tone, count, which in both
            if which.any()
        )
        title = "Words by density, gold and not"
        return (Figure(title, "words per line", "words", curves=drawn, items=NO_ITEMS),)
