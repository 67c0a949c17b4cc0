"""Items: sets of pixels or nodes in exactly the same blocks of a page.

A pixel is in a block if it is in the box of one of the block's rows, as large as its visible
content; a node if it is below one of them (identity of nodes, not containment of boxes).

Cost: items are found by adding up a random number per part of a block over the page, so that equal
sums are (but for chance, once in 2^64 pairs) equal memberships; which blocks an item is in is then
looked up.  For r rows of blocks, pixels take O(r^2), one pass over the grid that edges of boxes
make, and nodes O(r log r).  Boxes are measured in 1/64 px, so areas add up without rounding.
"""

import weakref
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from algorithms.signals.memo import shared
from engine import geometry
from engine.nodes import NodeTable
from engine.tree import Bools, Doubles, Indices
from engine.word_units import pieces_in

AtomKind = Literal["pixels", "nodes", "chars", "words"]
AtomBits = npt.NDArray[np.uint64]


class PixelMask:
    """Mask of a page's pixels that counts them in any rectangle in constant time.

    Args:
        mask: bool (h, w). A picture of the whole page, its width that of the page.
    """

    def __init__(self, mask: Bools) -> None:
        import cv2  # takes longer than all else here

        self.height, self.width = mask.shape
        ones = np.ascontiguousarray(mask, dtype=bool).view(np.uint8)
        total = cv2.integral(ones) if mask.size else np.zeros((self.height + 1, self.width + 1))
        self._total = np.asarray(total, dtype=np.int32)

    def up_to(self, xs: Doubles, ys: Doubles, scale: float) -> npt.NDArray[np.int32]:
        """Return how many have their centre above and left of each corner of a grid, (ys, xs).

        ``scale`` is how many pixels the picture has for one of the page.
        """
        columns = np.clip(np.ceil(xs * scale - 0.5), 0, self.width).astype(np.intp)
        rows = np.clip(np.ceil(ys * scale - 0.5), 0, self.height).astype(np.intp)
        return self._total[np.ix_(rows, columns)]


def mark_atoms(mask: Bools) -> PixelMask:
    """Return a mask that several are compared on, counted once; it must not change while it lives.

    Masks are large, so the counts are dropped with the mask.
    """
    known = _marked.get(id(mask))
    if known is None:
        known = _marked[id(mask)] = PixelMask(mask)
        weakref.finalize(mask, _marked.pop, id(mask), None)
    return known


_marked: dict[int, PixelMask] = {}


class Cells:
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
        self, rects: geometry.Rects, owner: Indices, count: int, size: tuple[float, float]
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
        # Most cells equal the one before them, so runs of equal ones are processed.
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

    def weights_on(self, marked: PixelMask) -> Doubles:
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


class Runs:
    """Items of nodes: rows of the page that follow each other.

    Attributes:
        members: bool (k, count). Whether each item is in each block.
    """

    def __init__(self, nodes: NodeTable, rows: Indices, owner: Indices, count: int) -> None:
        ends = nodes.end[rows].astype(np.intp)
        bounds, position = np.unique(np.concatenate((rows, ends)), return_inverse=True)
        marks = _marks(rows.size)
        line = np.zeros(bounds.size, dtype=np.uint64)
        np.add.at(line, position[: rows.size], marks)
        np.subtract.at(line, position[rows.size :], marks)
        line = np.cumsum(line, dtype=np.uint64)
        used = np.flatnonzero(line)  # none is open after the last bound
        self._starts, self._stops = bounds[used], bounds[used + 1]
        example, self._item = distinct_numbers(line[used])
        at = self._starts[example]
        inside = (rows[:, None] <= at) & (at < ends[:, None])
        self.members = _by_block(inside, owner, count)

    def weights_of(self, sums: Doubles) -> Doubles:
        """Return the weight of each item, float64 (k,), from `atom_sums`."""
        weights = sums[self._stops] - sums[self._starts]
        count = len(self.members)
        return np.asarray(np.bincount(self._item, weights=weights, minlength=count))


@shared
def atom_sums(nodes: NodeTable, atoms: AtomKind) -> Doubles:
    """Return the total weight of all atoms before each row, float64 (n + 1,)."""
    return np.concatenate(([0.0], np.cumsum(_atom_weights(nodes, atoms))))


def _atom_weights(nodes: NodeTable, atoms: AtomKind) -> Doubles:
    """Return the weight of each row as an atom, float64 (n,); 0 outside all atoms."""
    if atoms in ("chars", "words"):
        parts = pieces_in if atoms == "words" else lambda text: " ".join(text.split())
        sizes = np.array([len(parts(text)) for text in nodes.text], dtype=np.float64)
        return np.asarray(sizes * nodes.visible, dtype=np.float64)
    return np.asarray(nodes.visible & (nodes.has_words | ~nodes.is_text), dtype=np.float64)


def weight_of_all(nodes: NodeTable, atoms: AtomKind) -> float:
    if atoms == "pixels":
        return float(nodes.width) * float(nodes.height)
    return float(atom_sums(nodes, atoms)[-1])


def distinct(members: Bools) -> tuple[Bools, Indices]:
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
    position = np.empty(count, dtype=np.intp)
    position[order] = np.cumsum(is_new) - 1
    return members[order[is_new]], position


def distinct_numbers(numbers: AtomBits) -> tuple[Indices, Indices]:
    """Return the position of each distinct number, and for each number the index of its value."""
    order = np.argsort(numbers)
    ordered = numbers[order]
    is_new = np.ones(numbers.size, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    position = np.empty(numbers.size, dtype=np.intp)
    position[order] = np.cumsum(is_new) - 1
    return order[is_new], position


def _summed(
    left: Indices, top: Indices, right: Indices, bottom: Indices, shape: tuple[int, int]
) -> AtomBits:
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


def _by_block(inside: Bools, owner: Indices, count: int) -> Bools:
    """Turn whether a part holds an item, bool (parts, k), into item in block, bool (k, count)."""
    if owner.size == count and (owner == np.arange(count)).all():
        return inside.T
    members = np.zeros((inside.shape[1], count), dtype=bool)
    part, item = np.divmod(np.flatnonzero(inside), max(inside.shape[1], 1))
    members[item, owner[part]] = True
    return members


@cache
def _all_marks() -> AtomBits:
    return np.random.default_rng(20200).integers(1, 2**64, size=1024, dtype=np.uint64)


def _marks(count: int) -> AtomBits:
    """Return random numbers to distinguish sums of parts; the same in every run."""
    if count <= _all_marks().size:
        return _all_marks()[:count]
    return np.random.default_rng(20200).integers(1, 2**64, size=count, dtype=np.uint64)
