"""Indices of two partitions: adjusted Rand index and normalised mutual information.

Sources: L. Hubert, P. Arabie, "Comparing partitions", 1985; A. Strehl, J. Ghosh, "Cluster
Ensembles", JMLR 2002, whose normalisation by the geometric mean of the entropies is the one
BlockFusion was measured with (Kohlschuetter, Nejdl 2008, on words); the other, by their arithmetic
mean, is given beside it.

Blocks overlap and leave parts out, a partition does neither: an atom belongs to the smallest block
that holds it (of equally large ones the last), and all that is in no block is one cluster more.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.measures.items import Memberships, Table
from engine.tree import Doubles


@dataclass(frozen=True)
class ClusterScores:
    """Similarity of two partitions.

    Attributes:
        ari: Adjusted Rand index: 1 if equal, 0 as by chance, less if worse.
        nmi: Mutual information over the geometric mean of the entropies, 0 to 1.
        nmi_arithmetic: The same over their arithmetic mean.
    """

    ari: float
    nmi: float
    nmi_arithmetic: float


def clusters(table: Table, total: float) -> ClusterScores | None:
    """Compare the two sides of a table as partitions; None if there are no atoms.

    ``total`` is what all atoms of the page weigh.
    """
    ours, theirs = table.ours.members.shape[1] + 1, table.theirs.members.shape[1] + 1
    # Cluster 0 holds all outside blocks, the others are numbered as the blocks.
    first = _smallest(table.ours, table.weight.sum(axis=1)) + 1
    second = _smallest(table.theirs, table.weight.sum(axis=0)) + 1
    position = first[:, None] * theirs + second
    both = np.bincount(position.ravel(), table.weight.ravel(), ours * theirs).reshape(ours, theirs)
    both[0, 0] += max(total - float(table.weight.sum()), 0.0)
    both = both.compress(both.any(axis=1), axis=0).compress(both.any(axis=0), axis=1)
    return compare(both) if both.size else None


def compare(table: npt.ArrayLike) -> ClusterScores:
    """Return the indices of a contingency table, (k, l): the weight in both cluster i and j.

    Two partitions of one cluster each are equal: all indices are 1.  If only one has several, the
    other has no information: all are 0.
    """
    both = np.asarray(table, dtype=np.float64)
    rows, columns, total = both.sum(axis=1), both.sum(axis=0), float(both.sum())
    pairs, in_rows, in_columns = (float(_pairs(x).sum()) for x in (both, rows, columns))
    expected = in_rows * in_columns / float(_pairs(total)) if total > 1 else 0.0
    most = (in_rows + in_columns) / 2
    ari = (pairs - expected) / (most - expected) if most != expected else 1.0
    h_rows, h_columns = _entropy(rows), _entropy(columns)
    shared = max(h_rows + h_columns - _entropy(both.ravel()), 0.0)
    if not h_rows and not h_columns:
        return ClusterScores(ari, 1.0, 1.0)
    product = h_rows * h_columns
    return ClusterScores(
        ari,
        float(min(shared / np.sqrt(product), 1.0)) if product else 0.0,
        min(2 * shared / (h_rows + h_columns), 1.0),
    )


def _pairs(weight: npt.ArrayLike) -> Doubles:
    result = np.asarray(weight, dtype=np.float64)
    return np.asarray(result * (result - 1) / 2)


def _entropy(weights: Doubles) -> float:
    shares = weights[weights > 0] / weights.sum()
    return float(-(shares * np.log(shares)).sum())


def _smallest(side: Memberships, weights: Doubles) -> npt.NDArray[np.intp]:
    """Return the lightest block that each membership, of so much weight, is in; -1 for none."""
    members = side.members
    if not members.size:
        return np.full(len(members), -1, dtype=np.intp)
    order = np.lexsort((-np.arange(members.shape[1]), weights @ side.numbers))
    result = order[np.argmax(members[:, order], axis=1)]
    return np.where(side.is_in_any, result, -1)
