"""Training of gradient-boosted trees: the same trees for any number of threads."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.learning.forest import Forest
from engine.errors import InputError
from engine.tree import Doubles

Say = Callable[[str], None]
"""Called with what a training does next."""

DETERMINISTIC: dict[str, Any] = {
    "objective": "cross_entropy", "seed": 1, "deterministic": True, "force_col_wise": True,
    "verbose": -1,
}  # fmt: skip
"""Settings of every training: soft labels, fixed seeds."""


FEWEST_PAGES = 10
"""Nothing is learned from fewer."""


def check_lightgbm() -> None:
    """Raise `InputError` where the training library is not installed; imports nothing."""
    if find_spec("lightgbm") is None:
        raise InputError('training needs LightGBM: pip install "pagelet[train]"')


def for_few(settings: dict[str, Any], count: int, softest: int) -> dict[str, Any]:
    """Return settings with which a handful of rows teach something.

    ``lambda_l2`` is at most one for each ``softest`` rows.
    """
    return {
        **settings,
        "min_data_in_leaf": max(2, min(settings["min_data_in_leaf"], count // 50)),
        "lambda_l2": min(settings["lambda_l2"], count / softest),
    }


def fit_trees(
    matrix: npt.NDArray[np.float32],
    target: Doubles,
    weight: Doubles,
    settings: dict[str, Any],
    *,
    rounds: int,
    threads: int,
) -> Forest:
    """Return trees that tell targets, 0 to 1, (r,), from rows, (r, c), that count by weight."""
    import lightgbm

    data = lightgbm.Dataset(matrix, target, weight=weight * weight.size / weight.sum())
    chosen = {**DETERMINISTIC, **settings, "num_threads": threads}
    booster = lightgbm.train(chosen, data, num_boost_round=rounds)
    return forest_of(booster.dump_model()["tree_info"])


def forest_of(trees: list[dict[str, Any]]) -> Forest:
    """Return the trees of LightGBM's ``dump_model()["tree_info"]``."""
    roots: list[int] = []
    column: list[int] = []
    limit: list[float] = []
    left: list[int] = []
    right: list[int] = []
    value: list[float] = []

    def add(node: dict[str, Any]) -> int:
        at = len(column)
        is_leaf = "split_feature" not in node
        column.append(-1 if is_leaf else node["split_feature"])
        limit.append(0.0 if is_leaf else _below(float(node["threshold"])))
        value.append(node["leaf_value"] if is_leaf else node["internal_value"])
        left.append(at)
        right.append(at)
        if not is_leaf:
            left[at] = add(node["left_child"])
            right[at] = add(node["right_child"])
        return at

    for tree in trees:
        roots.append(add(tree["tree_structure"]))
    return Forest(
        np.array(roots, np.int32), np.array(column, np.int16), np.array(limit, np.float32),
        np.array(left, np.int32), np.array(right, np.int32), np.array(value, np.float32),
    )  # fmt: skip


def _below(threshold: float) -> float:
    """Return the largest float32 not above: floats of 32 bits fall on the same side of it."""
    near = np.float32(threshold)
    return float(near if near <= threshold else np.nextafter(near, np.float32(-np.inf)))
