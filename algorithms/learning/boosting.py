"""Training of gradient-boosted trees: the same trees for any number of threads."""

from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.learning.forest import Forest, from_lightgbm
from engine.errors import InputError
from engine.tree import Doubles

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
    return from_lightgbm(booster.dump_model()["tree_info"])
