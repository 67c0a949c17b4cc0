"""Whether a page can choose how finely it is cut, and what one mark of the annotator tells of that.

Parts ``granularity`` and ``mark`` of `tests.bench.terrain_learned_ideas`.
"""

from collections.abc import Callable, Sequence

import lightgbm
import numpy as np

from algorithms.learning.blocks.candidates import Candidates
from algorithms.learning.blocks.near_twins import NEARLY, taken_at
from engine.tree import Bools, Doubles, Longs

PRICES = (0.08, 0.12, 0.16, 0.2, 0.24, 0.28, 0.32, 0.36, 0.4, 0.45, 0.5, 0.55, 0.6)
"""Of a block; beside the set that ships."""

TREES = {
    "objective": "regression", "num_leaves": 6, "learning_rate": 0.05, "min_data_in_leaf": 60,
    "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5,
    "verbosity": -1, "num_threads": 1,
}  # fmt: skip
RIDGE, ROUNDS = 300, 80

Chooser = Callable[[Doubles], Doubles]
"""From rows of `set_columns` to the gain in F of each."""


def set_columns(
    stretches: Candidates, alone: Bools, kind: Longs, depth: Longs, chance: Doubles,
    taken: Sequence[int], price: float,
) -> list[float]:  # fmt: skip
    """Return what a set of stretches is judged by: size, chances, evenness, cover, nesting."""
    if not len(taken):
        return [0.0] * 16
    at = np.array(taken)
    is_taken = np.zeros(len(stretches), dtype=bool)
    is_taken[at] = True
    own, size, letters = np.where(alone, chance, 0.0), stretches.size, len(stretches.letters)
    group = np.unique(stretches.parent * 100003 + kind, return_inverse=True)[1]
    count, chosen = np.bincount(group), np.bincount(group, is_taken)
    partly = (chosen > 0) & (count > 1)
    cover = np.zeros(letters + 1)
    np.add.at(cover, stretches.first[at], 1)
    np.add.at(cover, stretches.last[at], -1)
    cover = np.cumsum(cover)
    relevant = own[taken_at(own, size, stretches.parent, 0.0, NEARLY)].sum()
    hits = own[at].sum()
    return [
        price, at.size, np.log1p(at.size), own[at].mean(), own[at].min(), hits, relevant,
        2 * hits / (at.size + relevant),
        chosen[partly].sum() / count[partly].sum() if partly.any() else 1.0,
        (cover > 0).mean(), (cover > 1).mean(), np.median(size[at]),
        size[at].max() / max(letters, 1), at.size / max(alone.sum(), 1), depth[at].mean(),
        1000 * at.size / max(letters, 1),
    ]  # fmt: skip


def choosers(rows: Doubles, gain: Doubles) -> dict[str, Chooser]:
    """Return what predicts the gain in F of a set, by name, from rows and gains of other pages."""
    trees = [
        lightgbm.train(
            {**TREES, "seed": seed, "extra_trees": extra}, lightgbm.Dataset(rows, gain), ROUNDS
        )
        for seed in (0, 1)
        for extra in (False, True)
    ]
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9

    def terms(values: Doubles) -> Doubles:
        scaled = (values - middle) / spread
        price = scaled[:, :1]
        return np.hstack([scaled, price**2, price * scaled, np.ones((len(values), 1))])

    seen = terms(rows)
    weights = np.linalg.solve(seen.T @ seen + RIDGE * np.eye(seen.shape[1]), seen.T @ gain)
    return {
        "trees": lambda values: np.mean([tree.predict(values) for tree in trees], axis=0),
        "ridge": lambda values: terms(values) @ weights,
    }


def told_by(
    stretches: Candidates, kind: Longs, odds: Doubles, mark: int, *, same: float, other: float
) -> Doubles:
    """Return the log odds of a page after a mark: its kind gains ``same``, kinds around and inside
    lose ``other``."""
    result, parent = odds.copy(), stretches.parent
    around = []
    row = int(parent[mark])
    while row >= 0:
        around.append(row)
        row = int(parent[row])
    is_same = kind == kind[mark]
    inside = np.zeros(len(odds), dtype=bool)
    for row, up in enumerate(parent.tolist()):
        inside[row] = up >= 0 and (is_same[up] or inside[up])
    result[is_same] += same
    result[np.isin(kind, kind[around]) & ~is_same] -= other
    result[inside & ~is_same] -= other
    result[around] -= other
    return result
