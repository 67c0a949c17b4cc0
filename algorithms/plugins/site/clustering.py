"""Pages with one template, put together: single linkage over a matrix of distances.

Source: T. Gottron, dissertation 2008, section 7.1.2.  Labels are int64 (n,), numbered from 0 in the
order in which clusters first occur.

Readings.  The threshold of single linkage is the largest distance that still joins.  Where several
merges happen at one height, a cut into k clusters undoes the last of them in the order of the
library.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # loads its parts when they are first used

from engine.tree import Doubles, Longs, lock


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

    def at(self, threshold: float) -> Longs:
        """Return the clusters that distances up to ``threshold`` join."""
        count = int(np.searchsorted(self.heights, threshold, side="right"))
        cluster = np.arange(self.size + len(self.merges))
        for index in range(count - 1, -1, -1):  # starting at the root
            first, second = self.merges[index, :2].astype(np.int64)
            cluster[[first, second]] = cluster[self.size + index]
        return renumber(cluster[: self.size])


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
    result = np.unique(np.asarray(values, dtype=np.float64))
    if result.size < 2:
        return float(result.max(initial=0.0))
    at = int(np.argmax(np.diff(result)))
    return float((result[at] + result[at + 1]) / 2)


def distances_of(matrix: Doubles) -> Doubles:
    """Return each pair's distance once, float64 (n (n - 1) / 2,)."""
    return np.asarray(matrix[np.triu_indices(len(matrix), 1)], dtype=np.float64)


def renumber(labels: npt.NDArray[np.int64]) -> Longs:
    """Return the same clusters numbered from 0 by first occurrence."""
    _, first, number = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[number]
