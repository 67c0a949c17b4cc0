"""A page cut into items: what lies in exactly the same blocks of two segmentations.

An item is made of atoms (pixels, nodes, characters, words) and weighs what they do.  All that
measures of blocks ask is which blocks items are in, so a `Table` is enough: the distinct
memberships on either side, and the weight of what is in each two of them.  A `Cut` makes the tables
of two segmentations: one set of items gives those of both levels and, since only weights differ,
those of all atoms that lie in blocks the same way (pixels, on edges or not; nodes, characters and
words).

A pixel is in a block if it lies in the box of one of the block's rows, as large as what is seen in
it; a node if it is below one of them (identity of nodes, not containment of boxes).

Cost: items are found by adding up a random number per part of a block over the page, so that equal
sums are (but for chance, once in 2^64 pairs) equal memberships; which blocks an item is in is then
looked up.  For r rows of blocks, pixels take O(r^2), one pass over the grid that edges of boxes
make, and nodes O(r log r).  Boxes are measured in 1/64 px, so areas add up without rounding.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from algorithms.results import Block, Segmentation
from algorithms.shared import shared
from engine import geometry
from engine.nodes import NodeTable
from engine.tree import Bools, lock

Atoms = Literal["pixels", "nodes", "chars", "words"]
Doubles = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Marks = npt.NDArray[np.uint64]
Parts = tuple[Places, Places]
"""Rows of blocks, and the place of the block each is of, ascending; int64 (r,) both."""

Items = tuple[Bools, Bools, Doubles]
"""Whether each item is in each block of one side, (k, n), and of the other, (k, m); its weight."""

_FEW = 300_000_000
"""Memberships x memberships x blocks that are multiplied at once: some milliseconds."""


class Marked:
    """Some of a page's pixels, counted in any rectangle in a moment; keep it for all that is asked.

    Args:
        mask: bool (h, w). A picture of the whole page, its width that of the page.
    """

    def __init__(self, mask: Bools) -> None:
        self.height, self.width = mask.shape
        total = np.zeros((self.height + 1, self.width + 1), dtype=np.int32)
        np.cumsum(mask, axis=0, dtype=np.int32, out=total[1:, 1:])
        np.cumsum(total[1:, 1:], axis=1, out=total[1:, 1:])
        self._total = total

    def up_to(self, xs: Doubles, ys: Doubles, scale: float) -> npt.NDArray[np.int32]:
        """Return how many have their centre above and left of each corner of a grid, (ys, xs).

        ``scale`` is how many pixels the picture has for one of the page.
        """
        columns = np.clip(np.ceil(xs * scale - 0.5), 0, self.width).astype(np.intp)
        rows = np.clip(np.ceil(ys * scale - 0.5), 0, self.height).astype(np.intp)
        return self._total[np.ix_(rows, columns)]


class Side:
    """The distinct memberships of one segmentation.

    Attributes:
        members: bool (p, n). Whether each membership is in each block; that in none comes first.
    """

    def __init__(self, members: Bools) -> None:
        self.members = members

    @cached_property
    def is_in_any(self) -> Bools:
        """Which memberships are in a block, bool (p,)."""
        return np.asarray(self.members.any(axis=1))

    @cached_property
    def shared(self) -> Doubles:
        """How many blocks each two memberships are both in, float64 (p, p)."""
        rows, blocks = self.members.shape
        if rows * rows * blocks < _FEW:
            # Counts are small, so float32 has them exactly.
            few = self.members.astype(np.float32)
            return (few @ few.T).astype(np.float64)
        # Most blocks are small, and many memberships are in none of the same.
        found = np.zeros((rows, rows))
        for block in self.members.T:
            inside = np.flatnonzero(block)
            found[np.ix_(inside, inside)] += 1
        return found

    @cached_property
    def most(self) -> int:
        """The most blocks that one membership is in."""
        return int(self.shared.max(initial=0))

    @cached_property
    def near(self) -> Doubles:
        """1 where two memberships share a block, else 0, float64 (p, p)."""
        return self.at_least(1)

    @cached_property
    def share(self) -> Doubles:
        """1 over `shared`, 0 where that is 0, float64 (p, p)."""
        return np.divide(1.0, self.shared, out=np.zeros_like(self.shared), where=self.shared > 0)

    def at_least(self, count: int) -> Doubles:
        """Return 1 where two memberships share so many blocks, else 0, float64 (p, p)."""
        return (self.shared >= count).astype(np.float64)

    def only(self, blocks: Sequence[int]) -> tuple["Side", Places]:
        """Return the memberships of some blocks alone, and the place there of each of these."""
        if len(blocks) == self.members.shape[1]:
            return self, np.arange(len(self.members))
        members, place = distinct(self.members[:, blocks])
        return Side(members), place


@dataclass(frozen=True, eq=False)
class Table:
    """How two segmentations of a page lie over each other.

    Attributes:
        ours, theirs: The memberships on either side: p and q of them.
        weight: float64 (p, q). What lies in both, together; what is in no block is left out.
    """

    ours: Side
    theirs: Side
    weight: Doubles


def table_of(in_first: Bools, in_second: Bools, weights: Doubles) -> Table:
    """Return the table of items, as `Items` has them."""
    return _Grouped.of(in_first, in_second).table(weights)


class Cut:
    """Two segmentations of a page; what they share is worked out when asked for, once."""

    def __init__(self, predicted: Segmentation, gold: Segmentation) -> None:
        self.predicted = predicted
        self.gold = gold
        self._grouped: dict[tuple[bool, str], _Grouped] = {}
        self._tables: dict[tuple[Atoms, str], Table] = {}

    def table(self, atoms: Atoms, level: str = "all", marked: "Marked | None" = None) -> Table:
        """Return the table of one level (``"1"``, ``"2"``), or of both together.

        ``marked`` leaves of the pixels those of it.
        """
        if marked is not None:
            return self._make(atoms, level, self._pixels.weights_on(marked))
        found = self._tables.get((atoms, level))
        if found is None:
            found = self._make(atoms, level, self._weights(atoms))
            self._tables[atoms, level] = found
        return found

    def _make(self, atoms: Atoms, level: str, weights: Doubles) -> Table:
        return self._of_level(atoms == "pixels", level).table(weights)

    def _weights(self, atoms: Atoms) -> Doubles:
        if atoms == "pixels":
            return self._pixels.weights
        return self._nodes.weights_of(atom_sums(self.gold.nodes, atoms))

    def _of_level(self, is_pixels: bool, level: str) -> "_Grouped":
        key = is_pixels, level
        found = self._grouped.get(key)
        if found is None:
            if level == "all":
                members = (self._pixels if is_pixels else self._nodes).members
                split = len(self.predicted.blocks)
                found = _Grouped.of(members[:, :split], members[:, split:])
            else:
                found = self._of_level(is_pixels, "all").only(
                    places_of(self.predicted, level), places_of(self.gold, level)
                )
            self._grouped[key] = found
        return found

    @cached_property
    def _pixels(self) -> "_Cells":
        nodes = self.gold.nodes
        rows, owner = self._parts
        rects = geometry.visual_rects(nodes)[rows]
        return _Cells(rects, owner, self._count, (nodes.width, nodes.height))

    @cached_property
    def _nodes(self) -> "_Runs":
        return _Runs(self.gold.nodes, *self._parts, self._count)

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

    def __init__(self, ours: Side, theirs: Side, first: Places, second: Places) -> None:
        self._ours, self._theirs = ours, theirs
        self._first, self._second = first, second
        self._place = first * len(theirs.members) + second
        is_in_any = ours.is_in_any[:, None] | theirs.is_in_any[None, :]
        self._is_outside = None if is_in_any.all() else ~is_in_any

    @classmethod
    def of(cls, in_first: Bools, in_second: Bools) -> "_Grouped":
        """Make it of memberships of items."""
        ours, first = distinct(in_first)
        theirs, second = distinct(in_second)
        return cls(Side(ours), Side(theirs), first, second)

    def only(self, first: Sequence[int], second: Sequence[int]) -> "_Grouped":
        """Return the same items by some blocks of either side alone."""
        ours, to_ours = self._ours.only(first)
        theirs, to_theirs = self._theirs.only(second)
        return _Grouped(ours, theirs, to_ours[self._first], to_theirs[self._second])

    def table(self, weights: Doubles) -> Table:
        """Return the table of items that weigh so much, float64 (k,)."""
        p, q = len(self._ours.members), len(self._theirs.members)
        weight = np.bincount(self._place, weights=weights, minlength=p * q).reshape(p, q)
        if self._is_outside is not None:
            weight[self._is_outside] = 0.0
        return Table(self._ours, self._theirs, np.asarray(weight, dtype=np.float64))


class _Cells:
    """Items of pixels.

    Args:
        rects: (r, 4). The boxes of blocks.
        owner: int64 (r,). The block each is of.
        count: How many blocks there are.
        size: Width and height of the page; what sticks out of it is cut off.

    Attributes:
        members: bool (k, count). Whether each item is in each block.
        weights: float64 (k,). Its pixels.
    """

    def __init__(
        self, rects: geometry.Rects, owner: Places, count: int, size: tuple[float, float]
    ) -> None:
        edges = np.clip(geometry.corners(rects), 0, (*size, *size))
        solid = (edges[:, 2] > edges[:, 0]) & (edges[:, 3] > edges[:, 1])
        edges, owner = edges[solid], owner[solid]
        self._width = size[0]
        self._xs, across = np.unique(edges[:, ::2], return_inverse=True)
        self._ys, down = np.unique(edges[:, 1::2], return_inverse=True)
        left, right = across.reshape(-1, 2).T
        top, bottom = down.reshape(-1, 2).T
        cells = _summed(left, top, right, bottom, (self._ys.size, self._xs.size))
        # Most cells are like the one before them: what is looked at is runs of equal ones.
        begins = np.ones(cells.shape, dtype=bool)
        np.not_equal(cells[:, 1:], cells[:, :-1], out=begins[:, 1:])
        starts = np.flatnonzero(begins)
        ends = np.append(starts[1:], cells.size)
        used = cells.ravel()[starts] != 0
        starts, ends = starts[used], ends[used]
        columns = max(self._xs.size - 1, 1)
        self._row, self._first = np.divmod(starts, columns)
        self._last = self._first + (ends - starts)
        example, self._item = distinct_numbers(cells.ravel()[starts])
        row, column = self._row[example], self._first[example]
        inside = (left[:, None] <= column) & (column < right[:, None])
        inside &= top[:, None] <= row
        inside &= row < bottom[:, None]
        self.members = _by_block(inside, owner, count)
        wide = self._xs[self._last] - self._xs[self._first]
        self.weights = self._added(wide * (self._ys[self._row + 1] - self._ys[self._row]))

    def weights_on(self, marked: Marked) -> Doubles:
        """Return how many marked pixels each item has, float64 (k,); by their centres."""
        if not self._width:
            return np.zeros(len(self.members))
        corners = marked.up_to(self._xs, self._ys, marked.width / self._width)
        above, below = corners[self._row], corners[self._row + 1]
        each = np.arange(self._row.size)
        down = below[each, self._last] - below[each, self._first]
        return self._added(down - (above[each, self._last] - above[each, self._first]))

    def _added(self, weights: npt.NDArray[np.generic]) -> Doubles:
        count = len(self.members)
        return np.asarray(np.bincount(self._item, weights=weights, minlength=count))


class _Runs:
    """Items of nodes: rows of the page that follow each other.

    Attributes:
        members: bool (k, count). Whether each item is in each block.
    """

    def __init__(self, nodes: NodeTable, rows: Places, owner: Places, count: int) -> None:
        ends = nodes.end[rows].astype(np.intp)
        bounds, place = np.unique(np.concatenate((rows, ends)), return_inverse=True)
        marks = _marks(rows.size)
        line = np.zeros(bounds.size, dtype=np.uint64)
        np.add.at(line, place[: rows.size], marks)
        np.subtract.at(line, place[rows.size :], marks)
        line = np.cumsum(line, dtype=np.uint64)
        used = np.flatnonzero(line)  # none is open after the last bound
        self._starts, self._stops = bounds[used], bounds[used + 1]
        example, self._item = distinct_numbers(line[used])
        at = self._starts[example]
        inside = (rows[:, None] <= at) & (at < ends[:, None])
        self.members = _by_block(inside, owner, count)

    def weights_of(self, sums: Doubles) -> Doubles:
        """Return what each item weighs, float64 (k,), from `atom_sums`."""
        weights = sums[self._stops] - sums[self._starts]
        count = len(self.members)
        return np.asarray(np.bincount(self._item, weights=weights, minlength=count))


@shared
def atom_sums(nodes: NodeTable, atoms: Atoms) -> Doubles:
    """Return what all atoms before each row weigh together, float64 (n + 1,)."""
    sums = np.concatenate(([0.0], np.cumsum(_atom_weights(nodes, atoms))))
    lock(sums)
    return sums


def _atom_weights(nodes: NodeTable, atoms: Atoms) -> Doubles:
    """Return what each row weighs as an atom, float64 (n,); 0 for what is no atom."""
    if atoms == "chars":
        lengths = [len(" ".join(text.split())) for text in nodes.text]
        return np.asarray(np.array(lengths, dtype=np.float64) * nodes.visible, dtype=np.float64)
    if atoms == "words":
        words = np.array([len(text.split()) for text in nodes.text], dtype=np.float64)
        return np.asarray(words * nodes.visible, dtype=np.float64)
    return np.asarray(nodes.visible & (nodes.has_words | ~nodes.is_text), dtype=np.float64)


def weight_of_all(nodes: NodeTable, atoms: Atoms) -> float:
    """Return what all atoms of a page weigh together."""
    if atoms == "pixels":
        return float(nodes.width) * float(nodes.height)
    return float(atom_sums(nodes, atoms)[-1])


def pixel_items(
    first: Sequence[geometry.Rects],
    second: Sequence[geometry.Rects],
    size: tuple[float, float],
    marked: Marked | None = None,
) -> Items:
    """Cut a page into items of pixels by boxes, whoever's they are.

    Args:
        first, second: One array (r, 4) of rectangles a segment: it is their union.
        size: Width and height of the page; what sticks out of it is cut off.
        marked: Only these pixels count.
    """
    segments = [*first, *second]
    owner = np.repeat(np.arange(len(segments)), [len(rects) for rects in segments])
    rects = np.concatenate(segments) if segments else np.zeros((0, 4))
    cells = _Cells(rects, owner, len(segments), size)
    weights = cells.weights if marked is None else cells.weights_on(marked)
    seen = weights > 0
    return cells.members[seen, : len(first)], cells.members[seen, len(first) :], weights[seen]


def of_level(segmentation: Segmentation, level: str) -> list[Block]:
    """Return the blocks of one level (``"1"``, ``"2"``), or of both (``"all"``)."""
    return [segmentation.blocks[place] for place in places_of(segmentation, level)]


def places_of(segmentation: Segmentation, level: str) -> list[int]:
    """Return which blocks `of_level` returns."""
    blocks = enumerate(segmentation.blocks)
    return [place for place, block in blocks if level in ("all", str(block.level))]


def distinct(members: Bools) -> tuple[Bools, Places]:
    """Return the distinct rows of a membership, bool (k, n), ascending, and the place of each row.

    O(k log k) comparisons of n / 64 numbers.
    """
    count, segments = members.shape
    if not count or not segments:
        return members[:1], np.zeros(count, dtype=np.intp)
    packed = np.packbits(members, axis=1)
    words = np.zeros((count, -(-segments // 64) * 8), dtype=np.uint8)
    words[:, : packed.shape[1]] = packed
    numbers = words.view(">u8").astype(np.uint64)
    order = np.argsort(numbers[:, 0]) if numbers.shape[1] == 1 else np.lexsort(numbers.T[::-1])
    ordered = numbers[order]
    is_new = np.ones(count, dtype=bool)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    place = np.empty(count, dtype=np.intp)
    place[order] = np.cumsum(is_new) - 1
    return members[order[is_new]], place


def distinct_numbers(numbers: Marks) -> tuple[Places, Places]:
    """Return where each distinct number stands, and for each number which of these it is."""
    order = np.argsort(numbers)
    ordered = numbers[order]
    is_new = np.ones(numbers.size, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    place = np.empty(numbers.size, dtype=np.intp)
    place[order] = np.cumsum(is_new) - 1
    return order[is_new], place


def _summed(
    left: Places, top: Places, right: Places, bottom: Places, shape: tuple[int, int]
) -> Marks:
    """Return the sum of the marks of all boxes on each cell of the grid between their corners."""
    height, width = shape
    marks = _marks(left.size)
    grid = np.zeros(height * width, dtype=np.uint64)
    np.add.at(grid, np.concatenate((top * width + left, bottom * width + right)), np.tile(marks, 2))
    np.subtract.at(
        grid, np.concatenate((top * width + right, bottom * width + left)), np.tile(marks, 2)
    )
    grid = grid.reshape(shape)
    np.cumsum(grid, axis=0, out=grid)
    np.cumsum(grid, axis=1, out=grid)
    return grid[:-1, :-1]


def _by_block(inside: Bools, owner: Places, count: int) -> Bools:
    """Turn whether a part holds an item, bool (parts, k), into item in block, bool (k, count)."""
    if not owner.size:
        return np.zeros((inside.shape[1], count), dtype=bool)
    begins = np.flatnonzero(np.append(True, owner[1:] != owner[:-1]))
    if begins.size == count == owner.size:
        return inside.T
    members = np.zeros((count, inside.shape[1]), dtype=bool)
    members[owner[begins]] = np.logical_or.reduceat(inside, begins, axis=0)
    return members.T


@cache
def _all_marks() -> Marks:
    return np.random.default_rng(20200).integers(1, 2**64, size=1024, dtype=np.uint64)


def _marks(count: int) -> Marks:
    """Return random numbers to tell sums of parts apart; the same in every run."""
    if count <= _all_marks().size:
        return _all_marks()[:count]
    return np.random.default_rng(20200).integers(1, 2**64, size=count, dtype=np.uint64)
