"""k-means of numbers on a line, from given centres, so that results repeat."""

import numpy as np
import numpy.typing as npt

from algorithms.smoothing import Floats

MOST_ROUNDS = 100


def line_clusters(values: Floats, centres: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return the cluster of each value, (n,), and the final centres, ascending.

    ``centres`` must ascend; a centre without values stays where it is.  O(n log k) a round.
    """
    centre = np.asarray(centres, dtype=np.float64)
    label = np.zeros(values.size, dtype=np.int64)
    for _ in range(MOST_ROUNDS):
        # On a line the nearest centre is told by the borders half way between.
        label = np.searchsorted((centre[1:] + centre[:-1]) / 2.0, values, side="right")
        size = np.bincount(label, minlength=centre.size)
        total = np.bincount(label, values, minlength=centre.size)
        moved = np.where(size > 0, total / np.maximum(size, 1), centre)
        if np.array_equal(moved, centre):
            break
        centre = moved
    return label, centre
