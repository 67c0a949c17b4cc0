"""B-cubed: how well two segmentations agree on which atoms of a page belong together.

Source: J. Kiesel et al., "Web Page Segmentation Revisited: Evaluation Framework and Dataset",
CIKM 2020; the extended B-cubed of E. Amigó et al., "A comparison of extrinsic clustering
evaluation metrics", 2009, so that segments may overlap and leave parts of the page out.

Precision of S against T: for each atom in S, which share (by weight) of the atoms it shares a
segment of S with it also shares segments of T with, each pair counted as often as it is in both;
averaged over the atoms in S by weight.  Recall is precision with S and T exchanged.  Splitting
never costs precision and merging never recall, so the larger of the two tells agreement apart
from granularity (`agreement`).

Atoms: *pixels* of the page, each of weight 1; *edges*, those of them that an edge mask of the
screenshot marks; *nodes*, visible elements and texts, each of weight 1; *chars* and *words*,
visible texts weighted by their characters (white space collapsed) or words.  Their blocks are
defined in `algorithms.measures.atoms`.

Departure: the published code enlarges each region by a pixel before it counts edges in it, so that
an edge between two blocks counts in both; here it counts where it lies.

Corners: two segmentations of no atom agree (1); if only one has none, all is 0.

Cost: how often a pair shares segments depends on its memberships alone, so the sums are over the
distinct ones of each side, by matrices.
"""

import numpy as np

from algorithms.measures.atoms import AtomKind
from algorithms.measures.items import Cut, Memberships, Table
from algorithms.measures.prf import Prf, harmonic
from algorithms.results import Segmentation
from engine.tree import Doubles, Indices


def score_bcubed(
    predicted: Segmentation, gold: Segmentation, atoms: AtomKind = "pixels", level: str = "all"
) -> Prf:
    """Compare two segmentations of one page, on one level (``"1"``, ``"2"``) or both together."""
    return bcubed(Cut(predicted, gold).table(atoms, level))


def agreement(prf: Prf) -> float:
    """Return agreement apart from granularity: the larger of precision and recall."""
    return max(prf.precision, prf.recall)


def bcubed(table: Table) -> Prf:
    """Return precision, recall and F1 of the members of either side's segments."""
    precision = _one_way(table.ours, table.theirs, table.weight)
    recall = _one_way(table.theirs, table.ours, table.weight.T)
    if precision is None and recall is None:
        return Prf(1.0, 1.0, 1.0)
    precision, recall = precision or 0.0, recall or 0.0
    return Prf(precision, recall, harmonic(precision, recall))


def _one_way(ours: Memberships, theirs: Memberships, weight: Doubles) -> float | None:
    """Return precision of ``ours``; None if its segments have no weight.

    For memberships a and b it is w[a, b] times what all a', b' add, and min(A, B) / A is the sum
    over k = 1, 2, ... of [A >= k] / A times [B >= k].
    """
    rows = np.nonzero(ours.is_in_any & weight.any(axis=1))[0]
    if not rows.size:
        return None
    if not theirs.most:
        return 0.0
    weight = weight.take(rows, axis=0)
    columns = np.nonzero(weight.any(axis=0))[0]
    weight = weight.take(columns, axis=1)
    # If each membership is in one segment, segments share none.
    near, good = weight.sum(axis=1), weight
    if ours.most > 1:
        near = _between(ours.at_least(1), rows) @ near
        share = _between(ours.share, rows)
        good = share @ weight
    if theirs.most > 1:
        good = good @ _between(theirs.at_least(1), columns)
    elif not theirs.is_in_any.all():
        good = good * theirs.is_in_any[columns]
    for k in range(2, min(ours.most, theirs.most) + 1):
        shared = share * _between(ours.at_least(k), rows)
        good += shared @ weight @ _between(theirs.at_least(k), columns)
    return float((weight * good / near[:, None]).sum() / weight.sum())


def _between(square: Doubles, some: Indices) -> Doubles:
    """Return some rows, and the same columns, of a matrix."""
    return square if some.size == len(square) else square.take(some, axis=0).take(some, axis=1)
