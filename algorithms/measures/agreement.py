"""Agreement beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha, Gwet's AC1.

Source: J. Cohen, "A coefficient of agreement for nominal scales", 1960; J. L. Fleiss, "Measuring
nominal scale agreement among many raters", 1971; K. Krippendorff, "Content Analysis", 2004, the
nominal coefficient by the coincidence matrix; K. L. Gwet, "Computing inter-rater reliability and
its variance in the presence of high agreement", 2008.

The rated items are atoms of a page (words, nodes, characters).  ``ratings``, int (a, n), are the
category of each atom by each annotator, -1 where there is none; ``weights``, float64 (n,), those of
the atoms, 1 if not given.  An atom of weight w counts as w atoms of weight 1.

Corners: where no chance of disagreement exists (all ratings are one category) and none is there,
the coefficient is 1; where nothing was rated by two annotators it is NaN.
"""

import numpy as np
import numpy.typing as npt

from engine.tree import Doubles

Ratings = npt.NDArray[np.integer]


def cohen_kappa(
    first: npt.ArrayLike, second: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> float:
    """Return Cohen's kappa of two annotators; atoms that one did not rate are left out.

    Args:
        first, second: int (n,). Category of each atom, -1 where there is none.
        weights: float64 (n,). Weight of each atom; 1 if not given.
    """
    ours, theirs = np.asarray(first), np.asarray(second)
    weight = _weights(weights, ours.size)
    rated = (ours >= 0) & (theirs >= 0)
    ours, theirs, weight = ours[rated], theirs[rated], weight[rated]
    total = weight.sum()
    if not total:
        return float("nan")
    size = int(max(ours.max(), theirs.max())) + 1
    observed = weight[ours == theirs].sum() / total
    shares = [np.bincount(side, weight, minlength=size) / total for side in (ours, theirs)]
    return _beyond(float(observed), float((shares[0] * shares[1]).sum()))


def fleiss_kappa(ratings: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
    """Return Fleiss' kappa of a annotators; atoms that not all rated are left out."""
    table = np.asarray(ratings)
    weight = _weights(weights, table.shape[1])
    rated = (table >= 0).all(axis=0)
    table, weight = table[:, rated], weight[rated]
    raters, total = len(table), weight.sum()
    if raters < 2 or not total:
        return float("nan")
    counts = _counts(table)
    agreed = ((counts**2).sum(axis=0) - raters) / (raters * (raters - 1))
    shares = (counts * weight).sum(axis=1) / (raters * total)
    return _beyond(float((agreed * weight).sum() / total), float((shares**2).sum()))


def krippendorff_alpha(ratings: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
    """Return Krippendorff's nominal alpha; annotators may have left atoms out."""
    table = np.asarray(ratings)
    weight = _weights(weights, table.shape[1])
    counts = _counts(table)
    raters = counts.sum(axis=0)
    paired = raters >= 2  # an atom that one annotator alone rated has no pair
    counts, weight, raters = counts[:, paired], weight[paired], raters[paired]
    each = (counts * weight).sum(axis=1)
    total = each.sum()
    if not total:
        return float("nan")
    # Pairs within an atom, each worth 1 / (raters - 1), so that an atom counts by its ratings.
    same = (counts * (counts - 1) * weight / (raters - 1)).sum()
    expected = (total**2 - (each**2).sum()) / (total - 1) if total > 1 else 0.0
    if not expected:
        return 1.0
    return float(1.0 - (total - same) / expected)


def gwet_ac1(
    ratings: npt.ArrayLike, weights: npt.ArrayLike | None = None, categories: int = 0
) -> float:
    """Return Gwet's AC1, which stays high where nearly all atoms are of one category.

    ``categories`` is how many categories there are; those that occur if not given.
    """
    table = np.asarray(ratings)
    weight = _weights(weights, table.shape[1])
    counts = _counts(table)
    raters = counts.sum(axis=0)
    counts, weight, raters = counts[:, raters > 0], weight[raters > 0], raters[raters > 0]
    paired = raters > 1
    if not weight[paired].sum():
        return float("nan")
    shares = (counts / raters * weight).sum(axis=1) / weight.sum()
    count = categories or int((shares > 0).sum())
    expected = float((shares * (1 - shares)).sum()) / (count - 1) if count > 1 else 0.0
    agreed = ((counts * (counts - 1)).sum(axis=0) / (raters * (raters - 1)).clip(1))[paired]
    return _beyond(float((agreed * weight[paired]).sum() / weight[paired].sum()), expected)


def _beyond(observed: float, expected: float) -> float:
    return 1.0 if expected >= 1.0 else (observed - expected) / (1.0 - expected)


def _counts(table: Ratings) -> Doubles:
    """Return how many annotators put each atom into each category, float64 (k, n)."""
    size = int(table.max(initial=-1)) + 1
    return np.stack([(table == category).sum(axis=0) for category in range(max(size, 1))]).astype(
        np.float64
    )


def _weights(weights: npt.ArrayLike | None, size: int) -> Doubles:
    return np.ones(size) if weights is None else np.asarray(weights, dtype=np.float64)
