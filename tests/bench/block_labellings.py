"""Blocks of a page decided together: labellings drawn from trees that read what was decided before.

From outside in each stretch is a block or not, and has blocks inside or not; both are drawn from
trees that read its columns and what was drawn of the stretches around and before it: its parent,
its siblings, those of its kind among them, on its depth and on the page.  Of many labellings the
set is taken that has the highest mean F (minimum Bayes risk), where stretches that are nearly one
match.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.learning.blocks.near_twins import NEARLY
from algorithms.learning.forest import Forest
from algorithms.plugins.training.boosting import fit_trees
from engine.tree import Bools, Doubles, Longs

TREES = {
    "num_leaves": 12, "learning_rate": 0.05, "feature_fraction": 0.3, "lambda_l2": 10.0,
    "min_data_in_leaf": 20, "max_bin": 63,
}  # fmt: skip
ROUNDS, DRAWN = 120, 60
_CONTEXT = 12
_SWEEPS = 12


@dataclass(frozen=True, eq=False)
class Tree:
    """The m stretches of a page.

    Attributes:
        matrix: float32 (m, c). Their columns.
        parent, size, same: int64 (m,). As in `Candidates` and `BlockPage`.
        kind, depth: int64 (m,). Stretches of one kind have a number; how many are around each.
        has_picture: Whether something without words is a block, too.
    """

    matrix: npt.NDArray[np.float32]
    parent: Longs
    size: Longs
    same: Longs
    kind: Longs
    depth: Longs
    has_picture: bool

    @property
    def has_inside(self) -> Bools:
        """Which stretches have others inside, bool (m,)."""
        inner = self.parent[self.parent >= 0]
        return np.asarray(np.bincount(inner, minlength=self.parent.size) > 0)

    @property
    def near(self) -> Bools:
        """Which two stretches would match the same block, bool (m, m)."""
        result = np.eye(self.parent.size, dtype=bool)
        for index in range(self.parent.size):
            up = int(self.parent[index])
            while up >= 0 and self.size[index] >= NEARLY * self.size[up]:
                result[index, up] = result[up, index] = True
                up = int(self.parent[up])
        return result


class _Decided:
    """What was decided so far, in several labellings of a page at a time."""

    def __init__(self, tree: Tree, count: int) -> None:
        self._tree, self._count = tree, count
        size = tree.parent.size
        self.is_block, self.is_open, self._around = (np.zeros((size, count)) for _ in range(3))
        self._holder = np.zeros((size, count))  # letters of the smallest block around, or its own
        self._total = np.zeros(count)
        self._of: dict[tuple[object, ...], Doubles] = {}  # reached, blocks, open; (3, count)

    def _keys(self, index: int) -> tuple[tuple[object, ...], ...]:
        tree, up = self._tree, int(self._tree.parent[index])
        kind, depth = int(tree.kind[index]), int(tree.depth[index])
        return ("beside", up), ("kind", up, kind), ("page", kind, depth), ("depth", depth)

    def context(self, index: int) -> Doubles:
        """Return what trees read beside the columns, (count, c); -1 where nothing is known."""
        up = int(self._tree.parent[index])
        result = np.full((self._count, _CONTEXT), -1.0)
        if up >= 0:
            holder = self._holder[up]
            share = self._tree.size[index] / np.maximum(holder, 1)
            result[:, 0], result[:, 1] = self._around[up], np.where(holder > 0, share, 0)
            result[:, 2] = self.is_block[up]
        for place, key in enumerate(self._keys(index)):
            known = self._of.get(key)
            if known is not None:
                on, some = known[0] > 0, np.maximum(known[0], 1)
                result[:, 3 + 2 * place] = np.where(on, known[1] / some, -1)
                result[:, 4 + 2 * place] = np.where(on, known[2] / some, -1)
        result[:, 11] = self._total
        return result

    def reached(self, index: int) -> Doubles:
        """Return which labellings have blocks inside what is around a stretch, (count,)."""
        up = int(self._tree.parent[index])
        return np.ones(self._count) if up < 0 else self.is_open[up]

    def decide(self, index: int, is_block: Doubles, is_open: Doubles) -> None:
        """Note what a stretch is in each labelling."""
        up, on = int(self._tree.parent[index]), self.reached(index)
        self.is_block[index], self.is_open[index] = is_block, is_open
        self._around[index] = is_block + (self._around[up] if up >= 0 else 0)
        around = self._holder[up] if up >= 0 else 0.0
        self._holder[index] = np.where(is_block > 0, float(self._tree.size[index]), around)
        for key in self._keys(index):
            known = self._of.setdefault(key, np.zeros((3, self._count)))
            known += np.stack([on, is_block * on, is_open * on])
        self._total = self._total + is_block * on


def _taught(tree: Tree, is_block: Doubles) -> tuple[Doubles, Doubles, Bools]:
    """Return what trees learn from: rows, which have blocks inside, which are reached."""
    size = tree.parent.size
    is_open = np.zeros(size)
    for index in range(size - 1, 0, -1):
        if tree.parent[index] >= 0 and (is_block[index] or is_open[index]):
            is_open[tree.parent[index]] = 1
    decided, context, on = _Decided(tree, 1), np.zeros((size, _CONTEXT)), np.zeros(size, dtype=bool)
    for index in range(size):
        on[index] = bool(decided.reached(index)[0])
        context[index] = decided.context(index)[0]
        decided.decide(index, is_block[index : index + 1], is_open[index : index + 1])
    return np.concatenate([tree.matrix, context], axis=1), is_open, on


@dataclass(frozen=True, eq=False)
class Labeller:
    """Trees that tell blocks, and what has blocks inside; `labeller` trains one."""

    blocks: Forest
    opens: Forest

    def drawn(self, tree: Tree, seed: int = 1) -> Doubles:
        """Return labellings of a page, 0 or 1, float64 (m, `DRAWN`)."""
        random, decided, has_inside = (
            np.random.default_rng(seed),
            _Decided(tree, DRAWN),
            tree.has_inside,
        )
        for index in range(tree.parent.size):
            is_block, is_open = np.zeros(DRAWN), np.zeros(DRAWN)
            on = np.flatnonzero(decided.reached(index))
            if on.size:
                own = np.repeat(tree.matrix[index][None], on.size, axis=0)
                rows = np.concatenate([own, decided.context(index)[on]], axis=1)
                is_block[on] = random.random(on.size) < _chance(self.blocks, rows)
                if has_inside[index]:
                    rows = np.concatenate([rows, is_block[on, None]], axis=1)
                    is_open[on] = random.random(on.size) < _chance(self.opens, rows)
            decided.decide(index, is_block, is_open)
        result = decided.is_block.copy()
        np.maximum.at(result, tree.same, decided.is_block)
        return result[tree.same]


def _chance(forest: Forest, rows: Doubles) -> Doubles:
    return np.asarray(1 / (1 + np.exp(-forest.scores(rows.astype(np.float32)))))


def labeller(pages: Sequence[tuple[Tree, Doubles]]) -> Labeller:
    """Train on pages with 1 for each stretch that is a block, else 0; pages weigh the same."""
    parts: tuple[list[tuple[Doubles, Doubles]], ...] = ([], [])
    for tree, is_block in pages:
        rows, is_open, on = _taught(tree, is_block)
        parts[0].append((rows[on], is_block[on]))
        on &= tree.has_inside
        parts[1].append((np.concatenate([rows, is_block[:, None]], axis=1)[on], is_open[on]))
    forests = []
    for part in parts:
        weight = np.concatenate(
            [np.full(len(target), 1 / max(len(target), 1)) for _, target in part]
        )
        rows = np.concatenate([rows for rows, _ in part]).astype(np.float32)
        target = np.concatenate([target for _, target in part])
        forests.append(fit_trees(rows, target, weight, TREES, rounds=ROUNDS, threads=1))
    return Labeller(*forests)


def best_on_average(tree: Tree, labellings: Doubles) -> list[int]:
    """Return the set with the highest mean F over labellings, (m, s), as local search finds it."""
    near, alone = tree.near, tree.same == np.arange(tree.same.size)
    hit = ((near.astype(np.float64) @ labellings) > 0).astype(np.float64)
    picture = float(tree.has_picture)
    relevant = labellings[alone].sum(axis=0) + picture
    taken = np.zeros(tree.same.size, dtype=bool)

    def worth(chosen: Bools) -> float:
        both = 2 * (hit[chosen].sum(axis=0) + picture)
        return float((both / np.maximum(relevant + chosen.sum() + picture, 1)).mean())

    best = worth(taken)
    for _ in range(_SWEEPS):
        before = best
        for index in np.flatnonzero(alone).tolist():
            other = taken & ~near[index]
            other[index] = not taken[index]
            value = worth(other)
            if value > best + 1e-9:
                taken, best = other, value
        if best == before:
            break
    return np.flatnonzero(taken).tolist()
