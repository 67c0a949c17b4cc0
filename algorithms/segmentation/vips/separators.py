"""Separator detection: where a page is crossed without touching a block (section 4.2.1).

A separator is a strip across the pool, from side to side (horizontal) or from top to bottom
(vertical), that meets no block.  As printed: at first one separator is the whole pool.  Every
block in turn splits the separator it lies in, shortens those it sticks into, and removes those it
covers; what is left at the border of the pool is no separator.

Departures:

- Blocks that touch have a separator of no width between them: stripes of colour on today's pages
  stand edge to edge.  For that every block gives way by `SLACK_PX`.
- A strip has to cross the whole pool, so a header keeps the columns below it from having one
  between them.  What lies between the separators of a pool is therefore looked at again by itself
  (`Region`); the report gets there only where the columns have a separate node.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine import geometry
from engine.tree import Doubles, Indices

SLACK_PX = 2.0
"""So many px a block gives way on each side: borders and negative margins overlap by 1 or 2."""

MAX_NESTING = 32
"""Depth to which regions inside regions are examined; real pages have less than ten."""

GapInterval = tuple[float, float]


@dataclass(frozen=True)
class Gap:
    """Separator without a weight yet.

    Attributes:
        horizontal: Whether it separates above from below, rather than left from right.
        start, end: Where it begins and ends across, in px from the page's top or left.
        before, after: The blocks on either side that border on it, as indices in the pool.
    """

    horizontal: bool
    start: float
    end: float
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class Region:
    """Blocks, the separators that cross them all, and the cells between these.

    Attributes:
        members: Indices in the pool, ascending.
        box: left, top, right, bottom around them.
        rows, columns: Horizontal and vertical separators, in order.
        cells: Region in each cell (row, column) of the grid they make; no empty cells, and none if
            nothing divides the members.
    """

    members: tuple[int, ...]
    box: tuple[float, float, float, float]
    rows: tuple[Gap, ...]
    columns: tuple[Gap, ...]
    cells: tuple[tuple[tuple[int, int], "Region"], ...]


def gaps(blocks: Sequence[GapInterval]) -> list[GapInterval]:
    """Return the separators between blocks along one axis, in order, by the report's steps.

    A block (start, end) has a width above 0.  Separators are kept in order, so that those a block
    meets are a run that bisection finds; each block adds one at most.  O(k log k).
    """
    if not blocks:
        return []
    first, last = min(start for start, _ in blocks), max(end for _, end in blocks)
    starts, ends = [first], [last]
    for start, end in blocks:
        low, high = bisect_right(ends, start), bisect_left(starts, end)
        if low >= high:
            continue  # no separator is left at its position
        rest = [(starts[low], start), (end, ends[high - 1])]
        rest = [(a, b) for a, b in rest if a < b]
        starts[low:high] = [a for a, _ in rest]
        ends[low:high] = [b for _, b in rest]
    return [(a, b) for a, b in zip(starts, ends, strict=True) if a > first and b < last]


def find_region(rects: geometry.Rects) -> Region:
    """Return how the blocks of a pool, (k, 4), all with an area, are separated.

    Cost: O(k log k) for each level of nesting.
    """
    edges = geometry.corners(rects)
    give = np.minimum(SLACK_PX, (edges[:, 2:] - edges[:, :2]) / 4)  # no block vanishes
    shrunk = edges + np.concatenate((give, -give), axis=1)
    return _region(np.arange(len(edges)), edges, shrunk, 0)


def _region(members: Indices, edges: Doubles, shrunk: Doubles, depth: int) -> Region:
    box = (*edges[members, :2].min(axis=0).tolist(), *edges[members, 2:].max(axis=0).tolist())
    if len(members) == 1:
        return Region(tuple(members.tolist()), box, (), (), ())
    rows, row = _strips(members, edges, shrunk, 1)
    columns, column = _strips(members, edges, shrunk, 0)
    cells: list[tuple[tuple[int, int], Region]] = []
    if (rows or columns) and depth < MAX_NESTING:
        fields: dict[tuple[int, int], list[int]] = {}
        for index, member in enumerate(members.tolist()):
            fields.setdefault((row[index], column[index]), []).append(member)
        cells = [
            (field, _region(np.array(inside), edges, shrunk, depth + 1))
            for field, inside in sorted(fields.items())
        ]
    return Region(tuple(members.tolist()), box, rows, columns, tuple(cells))


def _strips(
    members: Indices, edges: Doubles, shrunk: Doubles, axis: int
) -> tuple[tuple[Gap, ...], list[int]]:
    """Return the strips across an axis (0: x, 1: y), and their number before each member."""
    low, high = shrunk[members, axis], shrunk[members, axis + 2]
    between = gaps(list(zip(low.tolist(), high.tolist(), strict=True)))
    by_start, by_end = members[np.argsort(low)], members[np.argsort(high)]
    starts, ends = np.sort(low).tolist(), np.sort(high).tolist()
    strips = []
    for begin, end in between:
        before = np.sort(by_end[bisect_left(ends, begin - SLACK_PX) : bisect_right(ends, begin)])
        after = np.sort(by_start[bisect_left(starts, end) : bisect_right(starts, end + SLACK_PX)])
        # The blocks as large as they are again; where they overlap, the line in the middle.
        start, stop = float(edges[before, axis + 2].max()), float(edges[after, axis].min())
        if start > stop:
            start = stop = (start + stop) / 2
        strips.append(Gap(axis == 1, start, stop, tuple(before.tolist()), tuple(after.tolist())))
    positions = np.searchsorted([end for _, end in between], low, side="right")
    return tuple(strips), positions.tolist()
