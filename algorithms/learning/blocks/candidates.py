"""Candidates for blocks: the distinct parts of a page's text that elements contain.

Texts are counted in letters, that is without any white space, as Kreuzer's measure reads them: all
text below an element, shown or not.  Elements around the same text are one candidate; all elements
without letters that show something, as pictures do, are one more for the whole page, as the measure
counts them.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.signals.memo import shared
from algorithms.signals.visible import VisibleColumns
from engine import geometry
from engine.nodes import NodeTable
from engine.tree import Doubles, Indices, Longs


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates of a page, m of them, outer ones before those inside them.

    Attributes:
        top, bottom: int64 (m,). Outermost and innermost element that holds the candidate.
        first, last: int64 (m,). The letters of the page it begins and ends at.
        parent: int64 (m,). The smallest candidate around it; -1 for the whole page.
        of_row: int64 (n,). The candidate of each row; -1 for rows that have none, as texts beside
            elements.
        pictures: int64 (k,). Rows that show something without a letter, in no other such row.
        letters: All letters of the page.
    """

    top: Longs
    bottom: Longs
    first: Longs
    last: Longs
    parent: Longs
    of_row: Longs
    pictures: Longs
    letters: str

    def __len__(self) -> int:
        return int(self.top.size)

    def text(self, index: int) -> str:
        """Return the letters of a candidate."""
        return self.letters[int(self.first[index]) : int(self.last[index])]

    @property
    def size(self) -> Longs:
        """Letters of each, int64 (m,)."""
        return self.last - self.first


@shared
def seen_on_page(nodes: NodeTable) -> VisibleColumns:
    """Return the visible content of a page; boxes count as far as they are on it."""
    return VisibleColumns(nodes, geometry.visual_rects(nodes, on_page=True))


@shared
def letter_offsets(nodes: NodeTable) -> tuple[Longs, str]:
    """Return the number of letters before each row, int64 (n + 1,), and all letters."""
    parts = ["".join(text.split()) if text else "" for text in nodes.text]
    counts = np.fromiter(map(len, parts), np.int64, len(parts))
    own = nodes.frame == 0
    counts[~own] = 0
    letters = "".join(part for part, is_own in zip(parts, own.tolist(), strict=True) if is_own)
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64), letters


@shared
def candidates(nodes: NodeTable) -> Candidates:
    """Return the candidates of a page. O(n)."""
    size = len(nodes)
    offsets, letters = letter_offsets(nodes)
    seen = seen_on_page(nodes)
    first, last = offsets[:-1], offsets[nodes.end]
    shows = (seen.share > 0) & ~nodes.is_text & (nodes.frame == 0)
    may_be = shows & (last > first)
    of_row = np.full(size, -1, dtype=np.int64)
    top: list[int] = []
    bottom: list[int] = []
    parent: list[int] = []
    above = nodes.parent.tolist()
    starts, ends, flags = first.tolist(), last.tolist(), may_be.tolist()
    around = [-1] * size  # the candidate around a row's children
    for row in range(size):
        outer = around[above[row]] if above[row] >= 0 else -1
        around[row] = outer
        if not flags[row]:
            continue
        if outer >= 0 and (starts[row], ends[row]) == (starts[top[outer]], ends[top[outer]]):
            bottom[outer] = row
            of_row[row] = outer
        else:
            of_row[row] = around[row] = len(top)
            top.append(row)
            bottom.append(row)
            parent.append(outer)
    tops = np.array(top, dtype=np.int64)
    bare = shows & (last == first) & seen.shows
    outermost = bare.copy()
    outermost[1:] &= ~bare[nodes.parent[1:]]
    return Candidates(
        tops, np.array(bottom, dtype=np.int64), first[tops], last[tops],
        np.array(parent, dtype=np.int64), of_row, np.flatnonzero(outermost), letters,
    )  # fmt: skip


def same_texts(stretches: Candidates) -> Longs:
    """Return for each candidate the first one with the same letters, int64 (m,)."""
    known: dict[str, int] = {}
    return np.array(
        [known.setdefault(stretches.text(k), k) for k in range(len(stretches))], np.int64
    )


def sum_over(groups: Indices | Longs, values: Doubles, size: int) -> Doubles:
    """Return the sums of values by group, (size,); group -1 is left out."""
    on = groups >= 0
    return np.asarray(np.bincount(groups[on], weights=values[on], minlength=size), dtype=np.float64)
