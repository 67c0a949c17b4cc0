"""Logistic regression on hashed words, to the same bits whatever the number of processors.

All sums are those of `scipy.sparse` and of numpy's own loops, which no thread shares; no BLAS.
"""

import numpy as np

from algorithms.extraction.gleaner.learned import Weights
from engine.tree import Doubles, Longs

BITS = 20
ROUNDS = 60


def fit(
    codes: Longs,
    start: Longs,
    target: Doubles,
    weight: Doubles,
    *,
    ridge: float,
    bits: int = BITS,
    rounds: int = ROUNDS,
) -> Weights:
    """Return weights that tell targets, 0 to 1, (r,), from the hashes of each row.

    Nesterov's method, each weight with a step of its own (diagonal bound of the curvature).
    """
    from scipy import sparse  # training only: half a second to import

    count = np.diff(start)
    scale = 1 / np.sqrt(np.maximum(count, 1))
    mask = (1 << bits) - 1
    present = np.zeros(mask + 1, dtype=bool)  # of few pages most of the table stays empty
    present[codes & mask] = True
    used = np.flatnonzero(present)
    column = np.cumsum(present, dtype=np.int32) - 1
    rows = sparse.csr_matrix(
        (np.repeat(scale, count), column[codes & mask], start), shape=(count.size, used.size)
    )
    rows.sum_duplicates()
    back = rows.T.tocsr()
    reach = np.asarray(abs(rows).sum(axis=1)).ravel() + 1
    curvature = 0.25 * (abs(back) @ (weight * reach)) + ridge
    curvature_bias = 0.25 * float((weight * reach).sum())
    values, ahead = np.zeros(used.size), np.zeros(used.size)
    mean = float((weight * target).sum() / weight.sum())
    bias = bias_ahead = float(np.log(max(mean, 1e-6) / max(1 - mean, 1e-6)))
    speed = 1.0
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-(rows @ ahead + bias_ahead)))
        error = weight * (chance - target)
        stepped = ahead - (back @ error + ridge * ahead) / curvature
        bias_stepped = bias_ahead - float(error.sum()) / curvature_bias
        quicker = (1 + np.sqrt(1 + 4 * speed * speed)) / 2
        push = (speed - 1) / quicker
        ahead = stepped + push * (stepped - values)
        bias_ahead = bias_stepped + push * (bias_stepped - bias)
        values, bias, speed = stepped, bias_stepped, quicker
    table = np.zeros(mask + 1, dtype=np.float32)
    table[used] = values
    return Weights(table, np.array(bias, dtype=np.float32))


def stacked(parts: list[Weights]) -> Weights:
    """Return one-against-rest weights as one table, a column each."""
    return Weights(
        np.stack([part.values for part in parts], axis=1).copy(),
        np.array([float(part.bias) for part in parts], dtype=np.float32),
    )
