"""What Tables 7.2 to 7.5 of Gottron's dissertation need beside Pagelet: k-median, and indices.

Source: T. Gottron, dissertation 2008, section 7.1.2 for k-median, 7.1.3 for Dunn, Rand, purity and
mutual information; beside them the adjusted Rand index (Hubert, Arabie 1985) and the silhouette
(Rousseeuw 1987).

Readings.  k-median starts from random labels; a cluster that loses all its pages stays empty; of
equally central pages the first is the median; a page as close to two medians goes to the first.

The thesis defines mutual information with logarithms of base g k, g templates and k clusters: five
templates found as five clusters give log_25 5 = .5.  Its Tables 7.3 to 7.5 print .1553 for that,
which is .5 / ln 25: the numbers there were divided by the logarithm of the base once more.
`mutual_information` is the definition; `tabled` turns it into the numbers of the tables.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.measures.clusters import compare
from algorithms.plugins.site.clustering import distances_of, renumber
from engine.tree import Doubles, Longs

STARTS = 100
_MOST_ROUNDS = 100


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
    def best(self) -> Longs:
        """The labels of least cost, of equal ones the first."""
        return np.asarray(self.labels[int(np.argmin(self.cost))], dtype=np.int64)


def k_median(matrix: Doubles, k: int, *, starts: int = STARTS, seed: int = 0) -> KMedian:
    """Cluster around k pages, from random starts.  O(starts * rounds * k * n^2).

    ``seed`` makes the random starts the same each time.
    """
    size = len(matrix)
    chance = np.random.default_rng(seed)
    result = np.zeros((starts, size), dtype=np.int64)
    cost = np.zeros(starts)
    for start in range(starts if size else 0):
        labels = chance.integers(0, k, size)
        for _ in range(_MOST_ROUNDS):
            medians = _medians(matrix, labels, k)
            after = np.argmin(matrix[:, medians], axis=1)
            cost[start] = float(matrix[np.arange(size), medians[after]].sum())
            labels, before = medians[after], labels
            if np.array_equal(renumber(labels), renumber(before)):
                break
            labels = renumber(labels)
        result[start] = renumber(labels)
    return KMedian(result, cost)


def _medians(matrix: Doubles, labels: Longs, k: int) -> npt.NDArray[np.int64]:
    """Return the page of each cluster with the least sum of distances within it."""
    member = labels[:, None] == np.arange(k)[None, :]
    total = np.where(member, matrix @ member, np.inf)
    return np.asarray(np.argmin(total, axis=0)[member.any(axis=0)], dtype=np.int64)


def contingency(found: Longs, known: Longs) -> npt.NDArray[np.float64]:
    """Return how many pages are in each cluster (row) and of each template (column)."""
    _, row = np.unique(found, return_inverse=True)
    _, column = np.unique(known, return_inverse=True)
    table = np.zeros((int(row.max(initial=-1)) + 1, int(column.max(initial=-1)) + 1))
    np.add.at(table, (row, column), 1)
    return table


def rand(found: Longs, known: Longs) -> float:
    """Return the share of pairs on which both agree: together or apart.  1 for fewer than 2."""
    first = found[:, None] == found[None, :]
    second = known[:, None] == known[None, :]
    agree = distances_of((first == second).astype(np.float64))
    return float(agree.mean()) if agree.size else 1.0


def average_purity(found: Longs, known: Longs) -> float:
    """Return the mean over clusters of the share of the most frequent template; 1 for no page."""
    table = contingency(found, known)
    return float((table.max(axis=1) / table.sum(axis=1)).mean()) if table.size else 1.0


def mutual_information(found: Longs, known: Longs) -> float:
    """Return the mutual information, logarithms of base g k; 0 where both are one cluster."""
    table = contingency(found, known)
    base = math.log(table.size) if table.size else 0.0
    if base == 0.0:
        return 0.0
    total = table.sum()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    some = table > 0
    terms = table[some] * np.log(table[some] * total / expected[some])
    return float(terms.sum() / total / base)


def tabled(found: Longs, known: Longs) -> float:
    """Return mutual information as Tables 7.3 to 7.5 of the thesis print it."""
    size = contingency(found, known).size
    return mutual_information(found, known) / math.log(size) if size > 1 else 0.0


def adjusted_rand(found: Longs, known: Longs) -> float:
    """Return the adjusted Rand index: 1 if equal, 0 as by chance."""
    return compare(contingency(found, known)).ari if found.size else 1.0


def dunn(matrix: Doubles, labels: Longs) -> float:
    """Return the least distance between clusters over the largest within one.

    Infinite where no cluster has two different pages, or there is but one cluster.
    """
    together = distances_of((labels[:, None] == labels[None, :]).astype(np.float64)) > 0
    distances = distances_of(matrix)
    widest = float(distances[together].max(initial=0.0))
    closest = float(distances[~together].min(initial=np.inf))
    return closest / widest if widest > 0 else math.inf


def silhouette(matrix: Doubles, labels: Longs) -> float:
    """Return the mean over pages of (b - a) / max(a, b), -1 to 1.

    a is the mean distance to the page's own cluster, b that to the closest other.  A page alone in
    its cluster counts 0, and so does a page all of whose distances are 0; so does the whole where
    there is but one cluster.
    """
    _, number = np.unique(labels, return_inverse=True)
    member = number[:, None] == np.arange(int(number.max(initial=-1)) + 1)[None, :]
    if member.shape[1] < 2:
        return 0.0
    sizes = member.sum(axis=0)
    total = matrix @ member
    own = total[member] / np.maximum(sizes[number] - 1, 1)
    other = np.where(member, np.inf, total / sizes).min(axis=1)
    larger = np.maximum(own, other)
    parts = np.where(larger > 0, (other - own) / np.where(larger > 0, larger, 1.0), 0.0)
    return float(np.where(sizes[number] > 1, parts, 0.0).mean())
