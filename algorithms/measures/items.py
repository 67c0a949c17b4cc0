"""A page cut into items: sets in exactly the same blocks of two segmentations.

An item is made of atoms (pixels, nodes, characters, words) and has their weight.  All that
measures of blocks ask is which blocks items are in, so a `Table` is enough: the distinct
memberships on either side, and the weight shared by each two of them.  A `Cut` makes the tables
of two segmentations: one set of items gives those of both levels and, since only weights differ,
those of all atoms that lie in blocks the same way (pixels, on edges or not; nodes, characters and
words).

What an item is made of, and which blocks it is in: `algorithms.measures.atoms`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from algorithms.measures.atoms import AtomKind, Cells, PixelMask, Runs, atom_sums, distinct
from algorithms.results import Block, Segmentation
from engine import geometry
from engine.tree import Bools, Doubles, Indices

Parts = tuple[Indices, Indices]
"""Rows of blocks, and the place of the block each is of, ascending; int64 (r,) both."""

_FEW = 300_000_000
"""Memberships x memberships x blocks that are multiplied at once: some milliseconds."""


class Memberships:
    """The distinct memberships of one segmentation.

    Attributes:
        members: bool (p, n). Whether each membership is in each block; that in none comes first.
    """

    def __init__(self, members: Bools) -> None:
        self.members = members
        self._at_least: dict[int, Doubles] = {}

    @cached_property
    def numbers(self) -> Doubles:
        """Members as 0 and 1, float64 (p, n), for multiplication."""
        return self.members.astype(np.float64)

    @cached_property
    def is_in_any(self) -> Bools:
        """Memberships in any block, bool (p,)."""
        return np.asarray(self.members.any(axis=1))

    @cached_property
    def shared(self) -> Doubles:
        """Number of blocks that hold both of two memberships, float64 (p, p)."""
        rows, blocks = self.members.shape
        if rows * rows * blocks < _FEW:
            # Counts are small, so float32 has them exactly.
            few = self.members.astype(np.float32)
            return (few @ few.T).astype(np.float64)
        # Most blocks are small, and many memberships are in none of the same.
        result = np.zeros((rows, rows))
        for block in self.members.T:
            inside = np.flatnonzero(block)
            result[np.ix_(inside, inside)] += 1
        return result

    @cached_property
    def most(self) -> int:
        """The most blocks that one membership is in; if 1, no two memberships share any."""
        return int(self.members.sum(axis=1).max(initial=0))

    @cached_property
    def share(self) -> Doubles:
        """1 over `shared`, 0 where that is 0, float64 (p, p)."""
        return np.divide(1.0, self.shared, out=np.zeros_like(self.shared), where=self.shared > 0)

    def at_least(self, count: int) -> Doubles:
        """Return 1 where two memberships share this many blocks, else 0, float64 (p, p)."""
        if count not in self._at_least:
            self._at_least[count] = (self.shared >= count).astype(np.float64)
        return self._at_least[count]

    def only(self, blocks: Sequence[int]) -> tuple["Memberships", Indices]:
        """Return the memberships of some blocks alone, and the place there of each of these."""
        if len(blocks) == self.members.shape[1]:
            return self, np.arange(len(self.members))
        members, position = distinct(self.members[:, blocks])
        return Memberships(members), position


@dataclass(frozen=True, eq=False)
class Table:
    """Overlap of two segmentations of a page.

    Attributes:
        ours, theirs: The memberships on either side: p and q of them.
        weight: float64 (p, q). Weight of the common items; items in no block are left out.
    """

    ours: Memberships
    theirs: Memberships
    weight: Doubles


class Cut:
    """Two segmentations of a page; their shared weight is computed on first use."""

    def __init__(self, predicted: Segmentation, gold: Segmentation) -> None:
        self.predicted = predicted
        self.gold = gold
        self._grouped: dict[tuple[bool, str], _Grouped] = {}
        self._tables: dict[tuple[AtomKind, str, PixelMask | None], Table] = {}
        self._known_weights: dict[AtomKind | PixelMask, Doubles] = {}

    def table(self, atoms: AtomKind, level: str = "all", marked: PixelMask | None = None) -> Table:
        """Return the table of one level (``"1"``, ``"2"``), or of both together.

        ``marked`` leaves of the pixels those of it.
        """
        key = atoms, level, marked
        if key not in self._tables:
            weights = self._weights(atoms, marked)
            self._tables[key] = self._of_level(atoms == "pixels", level).table(weights)
        return self._tables[key]

    def _weights(self, atoms: AtomKind, marked: PixelMask | None) -> Doubles:
        if marked is None and atoms == "pixels":
            return self._pixels.weights
        key = atoms if marked is None else marked
        if key not in self._known_weights:
            self._known_weights[key] = (
                self._pixels.weights_on(marked)
                if marked is not None
                else self._nodes.weights_of(atom_sums(self.gold.nodes, atoms))
            )
        return self._known_weights[key]

    def _of_level(self, is_pixels: bool, level: str) -> "_Grouped":
        key = is_pixels, level
        if key not in self._grouped and level != "all":
            chosen = indices_of(self.predicted, level), indices_of(self.gold, level)
            self._grouped[key] = self._of_level(is_pixels, "all").only(*chosen)
        elif key not in self._grouped:
            members = (self._pixels if is_pixels else self._nodes).members
            split = len(self.predicted.blocks)
            ours, first = distinct(members[:, :split])
            theirs, second = distinct(members[:, split:])
            self._grouped[key] = _Grouped(Memberships(ours), Memberships(theirs), first, second)
        return self._grouped[key]

    @cached_property
    def _pixels(self) -> Cells:
        nodes = self.gold.nodes
        rows, owner = self._parts
        rects = geometry.visual_rects(nodes)[rows]
        return Cells(rects, owner, self._count, (nodes.width, nodes.height))

    @cached_property
    def _nodes(self) -> Runs:
        return Runs(self.gold.nodes, *self._parts, self._count)

    @property
    def _count(self) -> int:
        return len(self.predicted.blocks) + len(self.gold.blocks)

    @cached_property
    def _parts(self) -> Parts:
        rows, owner = self.predicted.parts
        more, others = self.gold.parts
        split = len(self.predicted.blocks)
        return np.concatenate((rows, more)), np.concatenate((owner, others + split))


class _Grouped:
    """Items by their memberships: a table that lacks nothing but weights."""

    def __init__(
        self, ours: Memberships, theirs: Memberships, first: Indices, second: Indices
    ) -> None:
        self._ours, self._theirs = ours, theirs
        self._first, self._second = first, second
        self._cell = first * len(theirs.members) + second
        is_in_any = ours.is_in_any[:, None] | theirs.is_in_any[None, :]
        self._is_outside = None if is_in_any.all() else ~is_in_any

    def only(self, first: Sequence[int], second: Sequence[int]) -> "_Grouped":
        """Return the same items by some blocks of either side alone."""
        ours, to_ours = self._ours.only(first)
        theirs, to_theirs = self._theirs.only(second)
        return _Grouped(ours, theirs, to_ours[self._first], to_theirs[self._second])

    def table(self, weights: Doubles) -> Table:
        """Return the table of items of these weights, float64 (k,)."""
        p, q = len(self._ours.members), len(self._theirs.members)
        weight = np.bincount(self._cell, weights=weights, minlength=p * q).reshape(p, q)
        if self._is_outside is not None:
            weight[self._is_outside] = 0.0
        return Table(self._ours, self._theirs, np.asarray(weight, dtype=np.float64))


def of_level(segmentation: Segmentation, level: str) -> list[Block]:
    """Return the blocks of one level (``"1"``, ``"2"``), or of both (``"all"``)."""
    return [segmentation.blocks[position] for position in indices_of(segmentation, level)]


def indices_of(segmentation: Segmentation, level: str) -> list[int]:
    """Return which blocks `of_level` returns."""
    blocks = enumerate(segmentation.blocks)
    return [position for position, block in blocks if level in ("all", str(block.level))]
