"""Figures of Boilerpipe: words and densities of each block, and how gold divides them.

Source: C. Kohlschuetter, P. Fankhauser, W. Nejdl, WSDM 2010: section 3.4 (blocks as a sequence),
figure 5 (how often each density occurs, by class).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algorithms.extraction.boilerpipe import MOST_LINKS, BlockParams, LargestParams, Min10Params
from algorithms.figures.figure import (
    DROPPED,
    GOLD,
    Figure,
    Threshold,
    curve,
    dots_of,
    items,
)
from algorithms.plugins.figure.source_reading import (
    MethodReading,
    bars_of,
    gold_bands,
    kept_or_not,
    quote,
)
from algorithms.signals.text_blocks import INLINE_TAGS, TextBlocks, text_blocks
from algorithms.trace import Trace
from engine.source import Source
from engine.tree import Bools, Doubles, Ints

_Params = BlockParams | LargestParams | Min10Params


def figures(
    trace: Callable[[Source, Any], Trace] | None,
) -> Callable[[MethodReading, _Params], tuple[Figure, ...]]:
    """Return a function that makes the figures of one of the classifiers, given its trace."""
    assert trace is not None

    def make(reading: MethodReading, params: _Params) -> tuple[Figure, ...]:
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
        share = reading.gold_share(positions)
        wide = _TextBlockColumns(result, positions, is_kept, labels, share)
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


@dataclass(frozen=True, eq=False)
class _TextBlockColumns:
    """The blocks of one page, as every figure of them needs them."""

    blocks: TextBlocks
    spans: Ints
    is_kept: Bools
    labels: tuple[str, ...]
    share: Doubles | None

    def figure(self, title: str, label: str, values: Any, limit: tuple[Threshold, ...]) -> Figure:  # noqa: ANN401
        """Return a bar for each block."""
        y = np.asarray(values, dtype=np.float64)
        low = np.arange(y.size, dtype=np.float64) - 0.5
        is_gold = None if self.share is None else self.share >= 0.5
        return Figure(
            title,
            "text blocks",
            label,
            bars=bars_of(low, 1.0, y, kept_or_not(self.is_kept)),
            bands=gold_bands(is_gold, low, low + 1.0),
            thresholds=limit,
            items=items(low, low + 1.0, y, self.spans, self.labels),
            note="Point at a block to read its way through the tree of decisions.",
        )

    def plane(self) -> Figure:
        """Return text density against link density."""
        across, up = self.blocks.text_density, self.blocks.link_density
        return Figure(
            "Text density and link density",
            "words per line",
            "share of words in links",
            dots=dots_of(across, up, kept_or_not(self.is_kept)),
            items=items(across, across, up, self.spans, self.labels),
            is_plane=True,
        )

    def by_gold(self) -> tuple[Figure, ...]:
        """Return the number of words in blocks of each density, by gold: figure 5."""
        if self.share is None:
            return ()
        density, words = self.blocks.text_density, self.blocks.words
        bins = np.arange(0, np.ceil(density.max(initial=1.0)) + 2)
        is_gold = self.share >= 0.5
        drawn = []
        for name, tone, which in (("gold", GOLD, is_gold), ("not gold", DROPPED, ~is_gold)):
            if which.any():
                count, _ = np.histogram(density[which], bins, weights=words[which])
                drawn.append(curve(name, bins, np.append(count, 0.0), tone, is_stepped=True))
        title = "Words by density, gold and not"
        return (Figure(title, "words per line", "words", curves=tuple(drawn)),)
