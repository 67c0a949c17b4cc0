"""What a figure is made of: a page as a method read it, and parts that several figures have."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.figures.figure import (
    DROPPED,
    GOLD,
    KEPT,
    PLAIN,
    Bands,
    Bars,
    Curve,
    bands,
    curve,
)
from engine.runs import runs_of
from engine.source import Source
from engine.tree import Bools, Doubles, Ints, Tree

Groups = tuple[tuple[str, str, Bools], ...]
"""Name, tone, and which of the places."""


@dataclass(frozen=True, eq=False)
class MethodReading:
    """Page as one method reads it.

    Attributes:
        read: The source of a method that extracts; None for one that reads the rendered page.
        gold: Which words of the source gold holds, bool (w,); None where nothing is marked.
    """

    read: Source | None = None
    gold: Bools | None = None

    @property
    def source(self) -> Source:
        assert self.read is not None
        return self.read

    def gold_share(self, indices: Ints) -> Doubles | None:
        """Return the share of gold in each run of words, int32 (d, 2); None without gold."""
        if self.gold is None:
            return None
        total = np.concatenate(([0], np.cumsum(self.gold)))
        at = np.maximum(indices, 0)
        size = np.maximum(at[:, 1] - at[:, 0], 1)
        return np.asarray((total[at[:, 1]] - total[at[:, 0]]) / size, dtype=np.float64)


def quote(source: Source, first: int, last: int, letters: int = 60) -> str:
    """Return the text of a range of words, cut to one line."""
    text = " ".join(source.words[first : min(last, first + letters // 2)])
    if len(text) > letters:
        return f"{text[: letters - 1]}…"
    return f"{text} …" if last - first > letters // 2 else text


def kept_or_not(is_kept: Bools) -> Groups:
    return (("kept", KEPT, is_kept), ("dropped", DROPPED, ~is_kept))


def bars_of(low: Doubles, width: Doubles | float, y: Doubles, groups: Groups) -> tuple[Bars, ...]:
    """Return bars by group, as `dots_of` returns dots."""
    high = low + width
    return tuple(
        Bars(name, low[which], high[which], y[which], tone)
        for name, tone, which in groups
        if which.any()
    )


def gold_bands(
    is_gold: Bools | None, low: npt.NDArray[Any], high: npt.NDArray[Any]
) -> tuple[Bands, ...]:
    """Return the ranges of gold, of what extends from ``low`` to ``high`` along x; (n,) each."""
    if is_gold is None:
        return ()
    first, end = runs_of(is_gold)
    return (bands("gold", np.stack([low[first], high[end - 1]], axis=1), GOLD),)


def make_steps(name: str, edges: npt.ArrayLike, values: Doubles, tone: str = PLAIN) -> Curve:
    """Return a curve that holds each value between two edges."""
    return curve(name, edges, np.append(values, values[-1]), tone, is_stepped=True)


def rows_of(tree: Tree) -> Ints:
    """Return each row of a tree as a place on the page."""
    at = np.arange(len(tree), dtype=np.int32)
    return np.stack([at, at + 1], axis=1)


def flagged(size: int, rows: int | Sequence[int] | npt.NDArray[np.integer]) -> Bools:
    flags = np.zeros(size, dtype=bool)
    flags[rows] = True
    return flags
