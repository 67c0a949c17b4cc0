"""Two renderings of one page, matched by their nodes: which row is which, and how far to scroll.

Not by pixels: without its scripts, or at another width, a page is longer or shorter.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.nodes import NodeTable
from engine.tree import Ints


@dataclass(frozen=True, eq=False)
class ScrollSync:
    """The rows of one rendering in another.

    ``matched`` has the rows if these are two pages that were matched before, as `rows` does.
    """

    ours: NodeTable
    theirs: NodeTable
    matched: Ints | None = None

    @cached_property
    def is_same(self) -> bool:
        """Whether both have the same nodes, one for one."""
        ours, theirs = self.ours, self.theirs
        return self.matched is None and (
            ours is theirs
            or (
                len(ours) == len(theirs)
                and bool(np.array_equal(ours.parent, theirs.parent))
                and ours.text == theirs.text
                and [ours.names[k] for k in ours.tag] == [theirs.names[k] for k in theirs.tag]
            )
        )

    @cached_property
    def rows(self) -> Ints:
        """The row of theirs for each of ours, int32 (n,); -1 for none.

        Children are paired in order, by tag name and by ``id`` where they have one, from the root
        down: what was put in between moves nothing below.
        """
        if self.matched is not None:
            return self.matched
        if self.is_same:
            return np.arange(len(self.ours), dtype=np.int32)
        result = np.full(len(self.ours), -1, dtype=np.int32)
        result[0] = 0
        for row in range(len(self.ours)):
            if result[row] >= 0:
                self._pair(row, int(result[row]), result)
        return result

    def _pair(self, row: int, other: int, values: Ints) -> None:
        waiting: dict[tuple[str, str], list[int]] = {}
        for child in self.theirs.children(other)[::-1].tolist():
            waiting.setdefault(_name(self.theirs, child), []).append(child)
        for child in self.ours.children(row).tolist():
            there = waiting.get(_name(self.ours, child))
            if there:
                values[child] = there.pop()

    def row(self, row: int) -> int:
        """Return the row of theirs for one of ours, or for the nearest around it that has one."""
        while row >= 0 and self.rows[row] < 0:
            row = int(self.ours.parent[row])
        return int(self.rows[row]) if row >= 0 else -1

    def back(self, row: int) -> int:
        """Return the row of ours for one of theirs, or for the nearest around it that has one."""
        while row >= 0:
            result = np.flatnonzero(self.rows == row)
            if result.size:
                return int(result[0])
            row = int(self.theirs.parent[row])
        return -1


def _name(nodes: NodeTable, row: int) -> tuple[str, str]:
    return nodes.name_of(row), nodes.attributes[row].get("id", "")


def anchor(nodes: NodeTable, top: float) -> tuple[int, float]:
    """Return the row at a vertical position, and the share of it above.

    It is the lowest of the elements there, so that the rest of the page may differ.
    """
    y, height = nodes.rect[:, 1].astype(float), nodes.rect[:, 3].astype(float)
    there = nodes.visible & ~nodes.is_text & (y <= top) & (top < y + height) & (height > 0)
    rows = np.flatnonzero(there)
    if not rows.size:
        return 0, top / max(float(nodes.height), 1.0)
    row = int(rows[np.argmin(height[rows])])
    return row, float((top - y[row]) / height[row])


def top_of(nodes: NodeTable, row: int, share: float) -> float:
    """Return how far down a share of a row stands, CSS px."""
    if row <= 0:
        return share * float(nodes.height)
    return float(nodes.rect[row, 1] + share * nodes.rect[row, 3])


def follow(sync: ScrollSync, top: float) -> float:
    """Return how far to scroll theirs so that its top shows what ours does at ``top``."""
    if sync.is_same and np.array_equal(sync.ours.rect, sync.theirs.rect):
        return top
    row, share = anchor(sync.ours, top)
    other = row
    while other > 0 and (sync.rows[other] < 0 or sync.theirs.rect[sync.rows[other], 3] <= 0):
        other = int(sync.ours.parent[other])
    if other != row:  # the row is missing: use the position within its closest ancestor
        height = float(sync.ours.rect[other, 3]) or 1.0
        share = (top - float(sync.ours.rect[other, 1])) / height if other > 0 else share
    return max(0.0, top_of(sync.theirs, int(sync.rows[other]) if other > 0 else 0, share))
