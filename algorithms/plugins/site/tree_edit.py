"""RTDM: the restricted top-down tree edit distance, for many pages at once.

Source: D. Reis, P. Golgher, A. da Silva, A. Laender, "Automatic Web News Extraction Using Tree
Edit Distance", WWW 2004; T. Gottron, dissertation 2008, Algorithm 7.1 (linear space).

Children are aligned with children, below aligned parents only.  Inserting or deleting costs 1 for
every node of the subtree, replacing a leaf by another name 1.  As printed, two inner nodes are
aligned at no cost of their own whatever their names (``renamed_inner=False``); with True another
name costs 1 there too, which makes the distance an upper bound of the unrestricted tree edit
distance.  The threshold of the listing, which prunes and may give more than the distance, is left
out: the distance is exact.  Roots are aligned by definition.  Nodes are elements and texts; the
content of texts does not count.

How it is made fast, without changing a value:

- Equal subtrees, on whatever page, are one *shape* with a number: identity costs one comparison,
  and a pair of shapes is worked out once for all pages.
- Equal shapes at both ends of two lists of children are aligned with each other.  That is exact:
  a distance is never less than the difference of sizes, so no other use of them is cheaper.
- Lists of leaves are plain sequences: bit-parallel Levenshtein distance.
- A row of the table over long lists is one numpy expression.

Cost: space linear in the children, beside the remembered pairs of shapes (`_MOST_PAIRS`); time at
worst the product of the sizes, O(n1 n2) a pair of pages: 3 to 35 s for the pages of a site of
fifty, about 9 ms a pair of 339 mixed pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from algorithms.templates.structure import Names
from engine.source import Source

_MOST_PAIRS = 4_000_000
_LONG = 12  # size from which numpy is faster than a loop

NodePair = tuple[int, int]


@dataclass(eq=False)
class Shapes:
    """Distinct subtrees of some pages, numbered; children come before their parents.

    Attributes:
        tag: Number of the root's name.
        children: Shapes of the root's children, in order.
        size: Nodes of the subtree.
        leaves: Names of the children where all are leaves; None where one is not.
    """

    tag: list[int] = field(default_factory=list)
    children: list[tuple[int, ...]] = field(default_factory=list)
    size: list[int] = field(default_factory=list)
    leaves: list[tuple[int, ...] | None] = field(default_factory=list)
    known: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)
    names: Names = field(default_factory=Names)

    def add(self, tag: int, children: tuple[int, ...]) -> int:
        """Return the number of a subtree, a new one if it was not seen before."""
        key = (tag, children)
        number = self.known.get(key)
        if number is None:
            number = self.known[key] = len(self.tag)
            self.tag.append(tag)
            self.children.append(children)
            self.size.append(1 + sum([self.size[child] for child in children]))
            flat = not any(map(self.children.__getitem__, children))
            self.leaves.append(tuple([self.tag[child] for child in children]) if flat else None)
        return number

    def of(self, source: Source) -> int:
        """Return the shape of a whole page.  O(n)."""
        tree = source.tree
        tags = self.names.of(tree.names)[tree.tag].tolist()
        parents = tree.parent.tolist()
        below: list[list[int]] = [[] for _ in tags]
        shape = 0
        for row in range(len(tags) - 1, -1, -1):
            shape = self.add(tags[row], tuple(reversed(below[row])))
            if parents[row] >= 0:
                below[parents[row]].append(shape)
        return shape


class TreeEdit:
    """Distances between shapes; remembers them."""

    def __init__(self, shapes: Shapes, *, renamed_inner: bool = False) -> None:
        self._shapes = shapes
        self._renamed_inner = renamed_inner
        self._known: dict[NodePair, int] = {}

    def distance(self, first: int, second: int) -> int:
        """Return the distance of two shapes, their roots aligned."""
        if first == second:
            return 0
        stack = [_pair(first, second)]
        known = self._known
        if len(known) > _MOST_PAIRS:
            known.clear()
        while stack:  # children first; no recursion: trees may be thousands deep
            pair = stack[-1]
            if pair in known:
                stack.pop()
                continue
            at_once = self._at_once(*pair)
            if at_once is not None:
                known[pair] = at_once
                stack.pop()
                continue
            ours, theirs = self._unlike(*pair)
            missing = self._missing(ours, theirs)
            if missing:
                stack.extend(missing)
                continue
            known[pair] = self._aligned(ours, theirs) + self._own(*pair)
            stack.pop()
        return known[_pair(first, second)]

    def _missing(self, ours: tuple[int, ...], theirs: tuple[int, ...]) -> list[NodePair]:
        """Return the pairs of children that are not computed yet."""
        known, others = self._known, set(theirs)
        return [
            pair
            for a in set(ours)
            for b in others
            if a != b and (pair := (a, b) if a < b else (b, a)) not in known
        ]

    def _own(self, first: int, second: int) -> int:
        """Return the cost of the two roots."""
        shapes = self._shapes
        return int(self._renamed_inner and shapes.tag[first] != shapes.tag[second])

    def _at_once(self, first: int, second: int) -> int | None:
        """Return the distance of two shapes where no inner nodes are to be aligned, else None."""
        shapes = self._shapes
        ours, theirs = shapes.children[first], shapes.children[second]
        if not ours or not theirs:
            renamed = shapes.tag[first] != shapes.tag[second]
            return int(renamed) + abs(shapes.size[first] - shapes.size[second])
        flat, other = shapes.leaves[first], shapes.leaves[second]
        if flat is not None and other is not None:
            return int(Levenshtein.distance(flat, other)) + self._own(first, second)
        return None

    def _unlike(self, first: int, second: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the children without those alike at both ends."""
        ours, theirs = self._shapes.children[first], self._shapes.children[second]
        shorter = min(len(ours), len(theirs))
        head = 0
        while head < shorter and ours[head] == theirs[head]:
            head += 1
        tail = 0
        while tail < shorter - head and ours[-1 - tail] == theirs[-1 - tail]:
            tail += 1
        return ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]

    def _aligned(self, ours: tuple[int, ...], theirs: tuple[int, ...]) -> int:
        """Return the cost of turning one list of subtrees into another; one row at a time."""
        size, known = self._shapes.size, self._known
        inserts = [size[shape] for shape in theirs]
        if len(theirs) >= _LONG:
            return self._aligned_long(ours, theirs)
        row = [0]
        for cost in inserts:
            row.append(row[-1] + cost)
        for shape in ours:
            delete = size[shape]
            before, left = row[0], row[0] + delete
            row[0] = left
            for index, other in enumerate(theirs, 1):
                above = row[index]
                swap = before  # the least of three, written out: half of all time is spent here
                if shape != other:
                    swap += known[(shape, other) if shape < other else (other, shape)]
                left += inserts[index - 1]
                before = above
                if above + delete < left:
                    left = above + delete
                if swap < left:
                    left = swap
                row[index] = left
        return row[-1]

    def _aligned_long(self, ours: tuple[int, ...], theirs: tuple[int, ...]) -> int:
        """Compute the same, a whole row at a time: insertions are a running minimum."""
        size, known = self._shapes.size, self._known
        total = np.concatenate(([0], np.cumsum([size[shape] for shape in theirs])))
        row = total.copy()
        for shape in ours:
            swap = np.array(
                [
                    0
                    if shape == other
                    else known[(shape, other) if shape < other else (other, shape)]
                    for other in theirs
                ]
            )
            result = row + size[shape]
            np.minimum(result[1:], row[:-1] + swap, out=result[1:])
            row = np.minimum.accumulate(result - total) + total
        return int(row[-1])


def tree_edit_matrix(
    sources: Sequence[Source], *, renamed_inner: bool = False
) -> npt.NDArray[np.float64]:
    """Return the distances of all pages, float64 (n, n), in nodes."""
    shapes = Shapes()
    roots = [shapes.of(source) for source in sources]
    edit = TreeEdit(shapes, renamed_inner=renamed_inner)
    result = np.zeros((len(roots), len(roots)))
    for index, first in enumerate(roots):
        for other in range(index):
            result[index, other] = result[other, index] = edit.distance(first, roots[other])
    return result


def _pair(first: int, second: int) -> NodePair:
    return (first, second) if first < second else (second, first)
