"""Positions of words on a page: common features of errors of a method without reasons."""

from collections.abc import Iterator

import numpy as np

from algorithms.signals.tree_counts import block_of, linked, nearest, words_below
from engine.source import Source

_FRAMES = ("nav", "header", "footer", "aside", "form", "dialog", "table")
_SHORT, _LONG = 10, 40
"""Words of a block's own text: fewer is short, this and more is long."""


class Places:
    """The blocks of a page around its words, and how each is described."""

    def __init__(self, source: Source) -> None:
        tree = source.tree
        self._tree = tree
        row = np.zeros(source.tokens.words.size, dtype=np.int64)
        for text in np.flatnonzero(tree.is_text).tolist():
            row[slice(*tree.words[text])] = text
        self._block = block_of(source)[row]
        self._frame = nearest(tree, tree.has_tag(*_FRAMES))
        self._is_link = words_below(source, linked(source))

    def parts(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield the runs of words ``first`` to ``last`` that lie in one block each."""
        block = self._block[first:last]
        ends = [*(np.flatnonzero(np.diff(block)) + 1 + first).tolist(), last]
        yield from zip([first, *ends], ends, strict=False)

    def of(self, word: int) -> str:
        """Return the kind of block a word is in, its length, its links, and the part around it."""
        block = int(self._block[word])
        own = np.flatnonzero(self._block == block)
        size = "short" if own.size < _SHORT else "long" if own.size >= _LONG else "middling"
        links = ", mostly links" if self._is_link[own].mean() > 0.5 else ""
        frame = int(self._frame[block])
        name, around = self._tree.name_of(block), self._tree.name_of(frame)
        inside = f", in <{around}>" if frame not in (0, block) else ""
        return f"{size} text of <{name}>{links}{inside}"
