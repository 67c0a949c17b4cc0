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

_AT_ONCE, _STEPS = 64, 4
"""Rows at a time, whose ways stay in the processor's cache; steps until those at leaves go."""


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
        value = self.value.astype(np.float64)
        parts = [matrix[first : first + _AT_ONCE] for first in range(0, len(matrix), _AT_ONCE)]
        result = [value[self._leaves(part)].sum(axis=1) for part in parts]
        return np.concatenate(result) if result else np.zeros(0)

    @cached_property
    def _ways(self) -> tuple[Longs, Longs]:
        """The column each node asks for, a leaf's some column; and the nodes right and left of it.

        A leaf leads to itself, so that a step too many does no harm.
        """
        below = np.stack([self.right, self.left], axis=1).reshape(-1)
        return np.maximum(self.column, 0).astype(np.int64), below.astype(np.int64)

    def _leaves(self, matrix: npt.NDArray[np.float32]) -> Longs:
        rows, width = matrix.shape
        flat = np.ascontiguousarray(matrix).reshape(-1)
        column, below = self._ways
        node = np.tile(self.roots.astype(np.int64), rows)
        base = np.repeat(np.arange(rows) * width, self.roots.size)
        alive, at = np.arange(node.size), node
        # All indices exist (`check`), so numpy need not look; of 64 bits, it need not convert them.
        while alive.size:
            for _ in range(_STEPS):
                asked = column.take(at, mode="clip") + base
                is_left = flat.take(asked, mode="clip") <= self.limit.take(at, mode="clip")
                at = below.take(2 * at + is_left, mode="clip")
            node[alive] = at
            on = np.flatnonzero(self.column.take(at, mode="clip") >= 0)
            alive, at, base = alive[on], at[on], base[on]
        return node.reshape(rows, self.roots.size)

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
        """Raise `ValueError` unless every path ends in a leaf and uses existing columns."""
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
        level = np.unique(self.roots)
        for _ in range(MOST_DEPTH):
            level = level[~is_leaf[level]]
            if not level.size:
                return
            level = np.unique(np.concatenate((self.left[level], self.right[level])))
        raise TooLarge(f"its trees are deeper than {MOST_DEPTH} nodes")

    @property
    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The columns by name, as they are stored."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def _leads_on(below: npt.NDArray[np.int32], index: Longs, is_leaf: Bools) -> bool:
    """Whether leaves lead to themselves, and all else ahead: a way back would never end."""
    is_right = np.where(is_leaf, below == index, (below > index) & (below < index.size))
    return bool(is_right.all())
