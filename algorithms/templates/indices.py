"""How well clusters agree with known templates, and how well distances keep templates apart.

Source: T. Gottron, dissertation 2008, section 7.1.3, for Dunn, Rand, purity and mutual information;
beside them the adjusted Rand index (Hubert, Arabie 1985) and the silhouette (Rousseeuw 1987).

The thesis defines mutual information with logarithms of base g k, g templates and k clusters: five
templates found as five clusters give log_25 5 = .5.  Its Tables 7.3 to 7.5 print .1553 for that,
which is .5 / ln 25: the numbers there were divided by the logarithm of the base once more.
`mutual_information` is the definition; `tabled` turns it into the numbers of the tables.
"""

import math

import numpy as np
import numpy.typing as npt

from algorithms.measures.clusters import compare
from algorithms.templates.clustering import Doubles, Labels, distances_of


def contingency(found: Labels, known: Labels) -> npt.NDArray[np.float64]:
    """Return how many pages are in each cluster (row) and of each template (column)."""
    _, row = np.unique(found, return_inverse=True)
    _, column = np.unique(known, return_inverse=True)
    table = np.zeros((int(row.max(initial=-1)) + 1, int(column.max(initial=-1)) + 1))
    np.add.at(table, (row, column), 1)
    return table


def rand(found: Labels, known: Labels) -> float:
    """Return the share of pairs on which both agree: together or apart.  1 for fewer than 2."""
    first = found[:, None] == found[None, :]
    second = known[:, None] == known[None, :]
    agree = distances_of((first == second).astype(np.float64))
    return float(agree.mean()) if agree.size else 1.0


def average_purity(found: Labels, known: Labels) -> float:
    """Return the mean over clusters of the share of the most frequent template; 1 for no page."""
    table = contingency(found, known)
    return float((table.max(axis=1) / table.sum(axis=1)).mean()) if table.size else 1.0


def mutual_information(found: Labels, known: Labels) -> float:
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


def tabled(found: Labels, known: Labels) -> float:
    """Return mutual information as Tables 7.3 to 7.5 of the thesis print it."""
    size = contingency(found, known).size
    return mutual_information(found, known) / math.log(size) if size > 1 else 0.0


def adjusted_rand(found: Labels, known: Labels) -> float:
    """Return the adjusted Rand index: 1 if equal, 0 as by chance."""
    return compare(contingency(found, known)).ari if found.size else 1.0


def dunn(matrix: Doubles, labels: Labels) -> float:
    """Return the least distance between clusters over the largest within one.

    Infinite where no cluster has two different pages, or there is but one cluster.
    """
    together = distances_of((labels[:, None] == labels[None, :]).astype(np.float64)) > 0
    distances = distances_of(matrix)
    widest = float(distances[together].max(initial=0.0))
    closest = float(distances[~together].min(initial=np.inf))
    return closest / widest if widest > 0 else math.inf


def silhouette(matrix: Doubles, labels: Labels) -> float:
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
