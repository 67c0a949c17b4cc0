"""Rows of the page ↔ spans of one of its two sources, in both directions."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.page import Page
from engine.sequences import common_words
from engine.source import Source
from engine.tree import Bools, Ints

NOWHERE = (-1, -1)

_IMPLIED = frozenset(["html", "head", "body", "tbody", "colgroup"])
"""Elements added by a parser if omitted, not by a script."""


@dataclass(frozen=True, eq=False)
class SourceLocations:
    """Mapping between a source and the rendered page."""

    page: Page
    source: Source

    @property
    def is_dom(self) -> bool:
        """Whether it is the serialised DOM, in which every row's position is known exactly."""
        return self.source is self.page.dom

    def span(self, row: int) -> tuple[int, int]:
        """Return the span of a row in the source, `NOWHERE` if there is none.

        In the document as received this is the smallest element with all of the row's words found
        there; of those with the same extent, the topmost with the row's tag name.
        """
        nodes = self.page.rendered()
        if self.is_dom:
            start, end = nodes.outer[row].tolist()
            return (start, end) if start >= 0 else NOWHERE
        position = self.page.alignment(self.source).place[:, 0]
        words = np.flatnonzero((position >= row) & (position < nodes.end[row]))
        if not words.size:
            return NOWHERE
        tree = self.source.tree
        first, last = int(words[0]), int(words[-1]) + 1
        around = np.flatnonzero((tree.words[:, 0] <= first) & (tree.words[:, 1] >= last))
        if not around.size:
            return NOWHERE
        size = tree.words[around, 1] - tree.words[around, 0]
        best = around[size == size.min()]
        named = [at for at in best.tolist() if tree.name_of(at) == nodes.name_of(row)]
        start, end = tree.outer[named[0] if named else int(best[-1])].tolist()
        return start, end

    def row(self, offset: int) -> int:
        """Return the row of the innermost element at an offset of the source, -1 for none."""
        nodes = self.page.rendered()
        if self.is_dom:
            around = (nodes.outer[:, 0] <= offset) & (offset < nodes.outer[:, 1])
            inside = np.flatnonzero(around & ~nodes.is_text)
            return int(inside[-1]) if inside.size else -1
        tree = self.source.tree
        around = (tree.outer[:, 0] <= offset) & (offset < tree.outer[:, 1])
        for at in np.flatnonzero(around)[::-1].tolist():
            first, last = tree.words[at].tolist()
            rows = self.page.alignment(self.source).place[first:last, 0]
            rows = rows[rows >= 0]
            if rows.size:
                return self._above(int(rows.min()), int(rows.max()))
        return -1

    def _above(self, first: int, last: int) -> int:
        """Return the lowest element that contains two rows."""
        nodes = self.page.rendered()
        row = int(nodes.parent[first]) if nodes.is_text[first] else first
        while row > 0 and nodes.end[row] <= last:
            row = int(nodes.parent[row])
        return row

    @cached_property
    def unplaced(self) -> Ints:
        """Spans of words that are not on the page, int32 (k, 2)."""
        alignment = self.page.alignment(self.source)
        return np.asarray(alignment.words[~alignment.is_placed], dtype=np.int32)


def find_scripted(page: Page, source: Source) -> Ints:
    """Return spans of words and start tags in only one of the sources, (k, 2).

    In the document as received these were removed by scripts, in the DOM added. End tags and
    elements added by the parser do not count. Some 100 ms for a megabyte.
    """
    original, dom = page.original, page.dom
    if original is None or dom is None:
        return np.zeros((0, 2), dtype=np.int32)
    ours, spans = _items(source)
    theirs, _ = _items(dom if source is original else original)
    pairs = common_words(ours, theirs)
    is_new: Bools = np.ones(len(ours), dtype=bool)
    is_new[pairs[:, 0]] = False
    return spans[is_new]


def _items(source: Source) -> tuple[list[str], Ints]:
    """Return words, and start tags as ``<name``, with their spans."""
    tokens, tree = source.tokens, source.tree
    rows = np.flatnonzero(tree.token >= 0)
    rows = rows[~tree.has_tag(*_IMPLIED)[rows]]
    tags = tree.token[rows]
    names = [f"<{tree.name_of(row)}" for row in rows.tolist()]
    tag_spans = np.stack([tokens.start[tags], tokens.end[tags]], axis=1)
    spans = np.concatenate([tokens.spans, tag_spans]).astype(np.int32)
    words = list(source.words) + names
    order = np.argsort(spans[:, 0], kind="stable")
    return [words[position] for position in order.tolist()], spans[order]
