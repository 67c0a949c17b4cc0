"""Pages with one template, put together: single linkage and k-median over a matrix of distances.

Source: T. Gottron, dissertation 2008, section 7.1.2.  Labels are int64 (n,), numbered from 0 in the
order in which clusters first occur.

Readings.  The threshold of single linkage is the largest distance that still joins.  Where several
merges happen at one height, a cut into k clusters undoes the last of them in the order of the
library.  k-median starts from random labels; a cluster that loses all its pages stays empty; of
equally central pages the first is the median; a page as close to two medians goes to the first.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # whose parts load when they are first used

from engine.tree import lock

Doubles = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

STARTS = 100
_MOST_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """The merges of single linkage over n pages, closest first.

    Attributes:
        merges: float64 (n - 1, 4). The two clusters merged (n + i is what merge i made), their
            distance, and how many pages the new cluster has: the form scipy draws.
        size: n.
    """

    merges: Doubles
    size: int

    def __post_init__(self) -> None:
        lock(self.merges)

    @property
    def heights(self) -> Doubles:
        """Distance of each merge, ascending, float64 (n - 1,)."""
        return np.asarray(self.merges[:, 2], dtype=np.float64)

    @property
    def widest_gap(self) -> float:
        """The threshold in the middle of the widest gap between merges."""
        return widest_gap(self.heights)

    def at(self, threshold: float) -> Labels:
        """Return the clusters that distances up to ``threshold`` join."""
        return self._after(int(np.searchsorted(self.heights, threshold, side="right")))

    def into(self, k: int) -> Labels:
        """Return k clusters; n if there are fewer pages, one if k is below 1."""
        return self._after(min(max(self.size - max(k, 1), 0), len(self.merges)))

    def _after(self, count: int) -> Labels:
        """Return the clusters after so many merges."""
        cluster = np.arange(self.size + len(self.merges))
        for place in range(count - 1, -1, -1):  # from the root down
            first, second = self.merges[place, :2].astype(np.int64)
            cluster[[first, second]] = cluster[self.size + place]
        return numbered(cluster[: self.size])


def single_linkage(matrix: Doubles) -> Dendrogram:
    """Merge the two closest clusters until one is left.  O(n^2)."""
    size = len(matrix)
    if size < 2:
        return Dendrogram(np.zeros((0, 4)), size)
    merges = scipy.cluster.hierarchy.linkage(
        scipy.spatial.distance.squareform(matrix, checks=False), method="single"
    )
    return Dendrogram(np.asarray(merges, dtype=np.float64), size)


def widest_gap(values: npt.ArrayLike) -> float:
    """Return the middle of the widest gap between values that follow each other in size.

    Of a matrix the values are its distances, of a dendrogram its heights.  Of equally wide gaps
    the first; a single value, or none, gives itself, or 0.
    """
    found = np.unique(np.asarray(values, dtype=np.float64))
    if found.size < 2:
        return float(found.max(initial=0.0))
    at = int(np.argmax(np.diff(found)))
    return float((found[at] + found[at + 1]) / 2)


def distances_of(matrix: Doubles) -> Doubles:
    """Return each pair's distance once, float64 (n (n - 1) / 2,)."""
    return np.asarray(matrix[np.triu_indices(len(matrix), 1)], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class KMedian:
    """What k-median found from each of its starts.

    Attributes:
        labels: int64 (starts, n).
        cost: float64 (starts,). Sum of all pages' distances to their medians.
    """

    labels: npt.NDArray[np.int64]
    cost: Doubles

    @property
    def best(self) -> Labels:
        """The labels of least cost, of equal ones the first."""
        return np.asarray(self.labels[int(np.argmin(self.cost))], dtype=np.int64)


def k_median(matrix: Doubles, k: int, *, starts: int = STARTS, seed: int = 0) -> KMedian:
    """Cluster around k pages, from random starts.  O(starts * rounds * k * n^2).

    ``seed`` makes the random starts the same each time.
    """
    size = len(matrix)
    chance = np.random.default_rng(seed)
    found = np.zeros((starts, size), dtype=np.int64)
    cost = np.zeros(starts)
    for start in range(starts if size else 0):
        labels = chance.integers(0, k, size)
        for _ in range(_MOST_ROUNDS):
            medians = _medians(matrix, labels, k)
            after = np.argmin(matrix[:, medians], axis=1)
            cost[start] = float(matrix[np.arange(size), medians[after]].sum())
            labels, before = medians[after], labels
            if np.array_equal(numbered(labels), numbered(before)):
                break
            labels = numbered(labels)
        found[start] = numbered(labels)
    return KMedian(found, cost)


def _medians(matrix: Doubles, labels: Labels, k: int) -> npt.NDArray[np.int64]:
    """Return the page of each cluster with the least sum of distances within it."""
    member = labels[:, None] == np.arange(k)[None, :]
    total = np.where(member, matrix @ member, np.inf)
    return np.asarray(np.argmin(total, axis=0)[member.any(axis=0)], dtype=np.int64)


def numbered(labels: npt.NDArray[np.int64]) -> Labels:
    """Return the same clusters numbered from 0 in the order in which they first occur."""
    _, first, number = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return np.asarray(rank[number], dtype=np.int64)
