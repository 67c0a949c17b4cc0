"""Gradient-boosted trees as arrays, read by numpy alone.

Contributions are those of the way through each tree: what a split changes in the expected score is
the contribution of its column (A. Saabas, "Interpreting random forests", 2014).  They and the
expectation over all pages sum to the score.
"""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import numpy.typing as npt

from algorithms.learning.model_file import TooLarge
from engine.tree import Bools, Doubles, Locked, Longs

MOST_TREES, MOST_NODES, MOST_DEPTH = 5_000, 1_000_000, 500
"""Of a forest in a file: what it takes to score a page is bounded by them."""

_AT_ONCE, _ASKED_AT_ONCE = 256, 1024
"""Rows at a time, and questions: what is computed of them stays in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Forest(Locked):
    """Trees one after the other, n nodes.

    Attributes:
        roots: int32 (t,). The first node of each tree.
        column: int16 (n,). What a node asks for; -1 for a leaf.
        limit: float32 (n,). A block goes left where its value is at most this.
        left, right: int32 (n,). The nodes below; a leaf's are itself.
        value: float32 (n,). The expected score of all that comes to a node.
    """

    roots: npt.NDArray[np.int32]
    column: npt.NDArray[np.int16]
    limit: npt.NDArray[np.float32]
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    value: npt.NDArray[np.float32]

    def scores(self, matrix: npt.NDArray[np.float32]) -> Doubles:
        """Return the score of each row, float64 (b,): log odds."""
        if not self.roots.size:
            return np.zeros(len(matrix))
        parts = [matrix[first : first + _AT_ONCE] for first in range(0, len(matrix), _AT_ONCE)]
        result = [self._levels.leaf_values(part).sum(axis=1) for part in parts]
        return np.concatenate(result) if result else np.zeros(0)

    @cached_property
    def _levels(self) -> "_Levels":
        is_inner, limit = self.column >= 0, self.limit.astype(np.float32, copy=False)
        # One question for all nodes that ask it: column and limit as one number.
        key = self.column.astype(np.int64) << 32 | limit.view(np.uint32).astype(np.int64)
        _, first, question = np.unique(key[is_inner], return_index=True, return_inverse=True)
        asked = np.flatnonzero(is_inner)[first]
        of_node = np.zeros(self.column.size, dtype=np.int64)
        of_node[is_inner] = question
        node, tree = self.roots.astype(np.int64), np.arange(self.roots.size)
        levels, leaves, trees = [], [node[:0]], [tree[:0]]
        while node.size:
            inner, leaf = np.flatnonzero(is_inner[node]), np.flatnonzero(~is_inner[node])
            leaves.append(node[leaf])
            trees.append(tree[leaf])
            node, tree = node[inner], np.tile(tree[inner], 2)
            levels.append((leaf, inner, of_node[node]))
            node = np.concatenate((self.left[node], self.right[node])).astype(np.int64)
        found = np.concatenate(trees)
        order = np.argsort(found, kind="stable")
        start = found[order].searchsorted(np.arange(self.roots.size))
        number = np.arange(order.size) - start[found[order]]
        bits = np.arange(int(number.max(initial=0)).bit_length())[:, None]
        return _Levels(
            column=self.column[asked].astype(np.int64),
            limit=limit[asked][:, None],
            levels=tuple(levels),
            order=order,
            start=start,
            masks=(-(number >> bits & 1)).view(np.uint64),
            value=self.value[np.concatenate(leaves)[order]].astype(np.float64),
        )

    def contributions(self, matrix: npt.NDArray[np.float32]) -> tuple[Doubles, float]:
        """Return the contribution of each column to each row's score, (b, columns), and the
        expectation.
        """
        rows, width = matrix.shape
        result = np.zeros(rows * width)
        node = np.tile(self.roots, rows)
        base = np.repeat(np.arange(rows, dtype=np.int64) * width, self.roots.size)
        flat = np.ascontiguousarray(matrix).reshape(-1)
        below = np.stack([self.right, self.left], axis=1).reshape(-1)
        value = self.value.astype(np.float64)
        keep = self.column[node] >= 0
        node, base = node[keep], base[keep]
        while node.size:
            position = base + self.column[node]
            after = below[2 * node + (flat[position] <= self.limit[node])]
            result += np.bincount(
                position, weights=value[after] - value[node], minlength=result.size
            )
            on = self.column[after] >= 0
            node, base = after[on], base[on]
        return result.reshape(rows, width), float(value[self.roots].sum())

    def check(self, width: int) -> None:
        """Raise `ValueError` unless each node has one way to it, that ends in a leaf, and uses
        existing columns.
        """
        size = self.column.size
        if self.roots.size > MOST_TREES or size > MOST_NODES:
            raise TooLarge(f"it has more than {MOST_TREES:,} trees, or {MOST_NODES:,} nodes")
        index = np.arange(size)
        is_leaf = self.column < 0
        columns = (self.column, self.limit, self.left, self.right, self.value)
        kinds = "".join(array.dtype.kind for array in (self.roots, *columns))
        if (
            kinds != "iifiif"
            or self.roots.ndim != 1
            or any(array.shape != (size,) for array in columns)
            or not all(_leads_on(below, index, is_leaf) for below in (self.left, self.right))
            or (self.column >= width).any()
            or not ((self.roots >= 0) & (self.roots < size)).all()
            or not (np.isfinite(self.value).all() and np.isfinite(self.limit).all())
        ):
            raise ValueError("its trees are damaged")
        level, above = self.roots, np.concatenate((self.left[~is_leaf], self.right[~is_leaf]))
        if np.unique(np.concatenate((level, above))).size < level.size + above.size:
            raise ValueError("its trees are damaged")
        for _ in range(MOST_DEPTH):
            level = level[~is_leaf[level]]
            if not level.size:
                return
            level = np.concatenate((self.left[level], self.right[level]))
        raise TooLarge(f"its trees are deeper than {MOST_DEPTH} nodes")

    @property
    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The columns by name, as they are stored."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, eq=False)
class _Levels:
    """A forest, level by level, for 64 rows at a time: a row is a bit of a word.

    As in QuickScorer (C. Lucchese and others, SIGIR 2015) all questions are asked of all rows, and
    bits tell where they lead.  A node's rows are those of its parent that answer so, and of each
    tree's leaves one has a row: the bits of its number are those of the leaves that have it.

    Attributes:
        column, limit: int64 (q,), float32 (q, 1). The different questions.
        levels: For each level, the places in it of leaves and of other nodes, and the questions of
            these; next are their left nodes, then their right ones.
        order: int64 (l,). The leaves as levels list them, tree by tree.
        start: int64 (t,). Where each tree's leaves begin.
        masks: uint64 (k, l). For each bit, all bits of the leaves whose number in the tree has it.
        value: float64 (l,). The expected score of each leaf.
    """

    column: Longs
    limit: npt.NDArray[np.float32]
    levels: tuple[tuple[Longs, Longs, Longs], ...]
    order: Longs
    start: Longs
    masks: npt.NDArray[np.uint64]
    value: Doubles

    def leaf_values(self, matrix: npt.NDArray[np.float32]) -> Doubles:
        """Return what each tree gives to each row, (b, t)."""
        answers = self._answers(matrix)
        rows = np.full((self.start.size, answers.shape[1]), ~np.uint64(0))
        found = []
        # All indices exist, so that numpy need not look.
        for leaf, inner, question in self.levels:
            found.append(rows.take(leaf, axis=0, mode="clip"))
            rows = rows.take(inner, axis=0, mode="clip")
            left = rows & answers.take(question, axis=0, mode="clip")
            rows = np.concatenate((left, rows ^ left))
        leaves = np.concatenate(found).take(self.order, axis=0, mode="clip").T.copy()
        kind = np.min_scalar_type((1 << len(self.masks)) - 1)
        number = np.zeros((self.start.size, len(matrix)), dtype=kind)
        for bit, mask in enumerate(self.masks):
            words = np.bitwise_or.reduceat(leaves & mask, self.start, axis=1).T.astype("<u8")
            has = np.unpackbits(
                words.copy().view(np.uint8), axis=1, bitorder="little", count=len(matrix)
            )
            number |= has.astype(kind, copy=False) << kind.type(bit)
        return self.value.take(number.T + self.start, mode="clip")

    def _answers(self, matrix: npt.NDArray[np.float32]) -> npt.NDArray[np.uint64]:
        """Return which rows are at most at the limit, a bit each, uint64 (q, words)."""
        words = -(-len(matrix) // 64)
        columns = np.zeros((matrix.shape[1], words * 64), dtype=np.float32)
        columns[:, : len(matrix)] = matrix.T
        result = np.empty((self.column.size, words * 8), dtype=np.uint8)
        for first in range(0, self.column.size, _ASKED_AT_ONCE):
            part = slice(first, first + _ASKED_AT_ONCE)
            is_most = columns.take(self.column[part], axis=0, mode="clip") <= self.limit[part]
            bits = np.packbits(is_most.reshape(-1), bitorder="little")
            result[part] = bits.reshape(-1, words * 8)
        return result.view("<u8").astype(np.uint64, copy=False)


def _leads_on(below: npt.NDArray[np.int32], index: Longs, is_leaf: Bools) -> bool:
    """Whether leaves lead to themselves, and all else ahead: a way back would never end."""
    is_right = np.where(is_leaf, below == index, (below > index) & (below < index.size))
    return bool(is_right.all())
