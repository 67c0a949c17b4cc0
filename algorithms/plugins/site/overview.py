"""Overview: all pages of a site side by side: their distances, how they merge, and a map of them.

What Gottron's Figures 7.7 to 7.10 are drawn from; of any pages, with the distance asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy  # loads its parts when they are first used

from algorithms.plugins.site.clustering import Dendrogram, distances_of, single_linkage
from algorithms.plugins.site.distances import distance
from algorithms.plugins.site.scaling import Scaling, non_metric
from engine.source import Source
from engine.tree import Doubles, Ints, Longs, lock

_ROUNDS = 60
"""Rounds of the map: later ones move points by less than they are wide on a screen."""


@dataclass(frozen=True, eq=False)
class Overview:
    """n pages, compared.

    Attributes:
        key: Of the distance.
        matrix: float64 (n, n).
        tree: How they merge by single linkage.
        map: Their positions on a map.
        order: int32 (n,). The pages as the dendrogram has them from left to right: similar pages
            are near each other.
    """

    key: str
    matrix: Doubles
    tree: Dendrogram
    map: Scaling
    order: Ints

    def __post_init__(self) -> None:
        lock(self.matrix)
        lock(self.order)

    def __len__(self) -> int:
        return len(self.matrix)

    @property
    def threshold(self) -> float:
        """The largest distance that joins: the published one, else the widest gap's.

        The published ones tell sites apart.  Where one joins all pages, these are of one site, and
        the widest gap tells its templates.
        """
        published = distance(self.key).threshold
        if published is None or published >= self.tree.heights.max(initial=0.0):
            return self.tree.widest_gap
        return published

    @property
    def highest(self) -> float:
        """The largest distance; 1 if all are 0."""
        return float(self.matrix.max(initial=0.0)) or 1.0

    def clusters(self, threshold: float) -> Longs:
        """Return the cluster of each page, the largest being 0, int64 (n,)."""
        labels = self.tree.at(threshold)
        by_size = np.argsort(-np.bincount(labels), kind="stable")
        return np.argsort(by_size)[labels]

    def central(self, members: npt.ArrayLike) -> int:
        """Return the page with the least distance to the others: the one to mark first."""
        indices = np.asarray(members, dtype=np.int64)
        return int(indices[np.argmin(self.matrix[np.ix_(indices, indices)].sum(axis=0))])

    def histogram(self, bins: int) -> tuple[Ints, Doubles]:
        """Return how many pairs have each distance, int32 (bins,), and the edges between."""
        counts, edges = np.histogram(distances_of(self.matrix), bins, (0.0, self.highest))
        return counts.astype(np.int32), np.asarray(edges, dtype=np.float64)


def overview(sources: Sequence[Source], key: str) -> Overview:
    """Compare pages.  Costs the distance, and O(n^2 log n) for each round of the map."""
    matrix = distance(key).matrix(sources)
    tree = single_linkage(matrix)
    order = (
        scipy.cluster.hierarchy.leaves_list(tree.merges)
        if len(tree.merges)
        else np.arange(len(matrix))
    )
    return Overview(key, matrix, tree, non_metric(matrix, rounds=_ROUNDS), order.astype(np.int32))
