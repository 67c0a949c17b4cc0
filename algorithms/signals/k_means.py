"""k-means of numbers on a line, such that results repeat: from given centres, or the best one."""

import numpy as np

from engine.tree import Doubles, Longs

MOST_ROUNDS = 100


def line_clusters(values: Doubles, centres: Doubles) -> tuple[Longs, Doubles]:
    """Return the cluster of each value, (n,), and the final centres, ascending.

    ``centres`` must ascend; a centre without values stays where it is.  O(n log k) a round.
    """
    centre = np.asarray(centres, dtype=np.float64)
    label = np.zeros(values.size, dtype=np.int64)
    for _ in range(MOST_ROUNDS):
        # On a line the nearest centre follows from the borders half way between.
        label = np.searchsorted((centre[1:] + centre[:-1]) / 2.0, values, side="right")
        size = np.bincount(label, minlength=centre.size)
        total = np.bincount(label, values, minlength=centre.size)
        moved = np.where(size > 0, total / np.maximum(size, 1), centre)
        if np.array_equal(moved, centre):
            break
        centre = moved
    return label, centre


def best_line_clusters(values: Doubles, clusters: int) -> Longs:
    """Return the cluster of each value, (n,), ascending: those with the least squared distances.

    That is what k-means looks for and finds or not, as it starts; on a line it can be computed.
    There are fewer clusters where there are fewer different values.  O(k n log n).

    Source: H. Wang, M. Song, "Ckmeans.1d.dp: Optimal k-means Clustering in One Dimension by Dynamic
    Programming", The R Journal 3(2), 2011; a better split is found near that of the neighbours, as
    A. Grønlund et al., "Fast Exact k-Means, k-Medians and Bregman Divergence Clustering in 1D",
    2017, show.
    """
    distinct, which, count = np.unique(values, return_inverse=True, return_counts=True)
    last = distinct.size - 1
    if clusters > last:
        return which.astype(np.int64)
    spread = _Variance(distinct, count)
    cost = spread.of(np.zeros(last + 1, dtype=np.int64), np.arange(last + 1))
    splits = []  # for each number of clusters from two on, where the last of them starts
    for _ in range(clusters - 1):
        cost, split = _with_one_more(cost, spread)
        splits.append(split)
    is_first = np.zeros(last + 1, dtype=np.int64)
    for split in reversed(splits):
        first = int(split[last])
        is_first[first] = 1
        last = first - 1
    return np.asarray(np.cumsum(is_first)[which], dtype=np.int64)


class _Variance:
    """Squared deviation from the mean in each run of sorted, distinct values."""

    def __init__(self, values: Doubles, count: Longs) -> None:
        centred = values - np.average(values, weights=count)  # or the differences lose digits
        sums = (count, centred * count, centred**2 * count)
        self._sums = [np.concatenate(([0.0], np.cumsum(column))) for column in sums]

    def of(self, first: Longs, last: Longs) -> Doubles:
        """Return the sum of squared distances of the values ``first`` to ``last``, (r,)."""
        count, total, squares = (column[last + 1] - column[first] for column in self._sums)
        return np.asarray(squares - total**2 / count, dtype=np.float64)


def _with_one_more(cost: Doubles, spread: _Variance) -> tuple[Doubles, Longs]:
    """Add a cluster at the end: for each value as last of all, the least cost and where it starts.

    ``cost`` is that without it.  Cut points are monotone, so each is searched between those of its
    neighbours (divide and conquer).
    """
    size = cost.size
    least = np.full(size, np.inf)  # a value alone cannot be in two clusters
    split = np.zeros(size, dtype=np.int64)
    step = 1 << (size - 1).bit_length()
    while step:
        last = np.arange(step, size, 2 * step)
        low = np.maximum(split[last - step], 1)
        beyond = last + step
        is_known = beyond < size
        high = np.where(is_known, split[np.where(is_known, beyond, 0)], last)
        high = np.maximum(np.minimum(high, last), low)
        width = high - low + 1
        end = np.cumsum(width)
        start = end - width
        first = np.arange(int(end[-1]) if end.size else 0) + np.repeat(low - start, width)
        if first.size:
            costs = cost[first - 1] + spread.of(first, np.repeat(last, width))
            least[last] = np.minimum.reduceat(costs, start)
            is_least = np.flatnonzero(costs == np.repeat(least[last], width))
            split[last] = first[is_least[np.searchsorted(is_least, start)]]
        step //= 2
    return least, split
