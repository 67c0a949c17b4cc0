"""Non-metric multidimensional scaling: pages as points whose order of distances is kept.

Source: J. Kruskal, "Nonmetric Multidimensional Scaling", Psychometrika 1964; T. Gottron,
dissertation 2008, section 7.1.2: from the principal components of the distances, then Kruskal's
algorithm.  The steps are those of majorisation (SMACOF; de Leeuw 1977), which lower the same stress
without a step size; the monotone regression is scipy's.  Ties in the distances may be broken
(Kruskal's primary approach).
"""

from dataclasses import dataclass

import numpy as np
import scipy  # loads its parts when they are first used

from algorithms.plugins.site.clustering import distances_of
from engine.tree import Doubles, lock


@dataclass(frozen=True, eq=False)
class Scaling:
    """Pages on a map.

    Attributes:
        points: float64 (n, dimensions), around 0.
        stress: Kruskal's stress-1: 0 where the order of all distances is kept.
    """

    points: Doubles
    stress: float

    def __post_init__(self) -> None:
        lock(self.points)


def principal_coordinates(matrix: Doubles, dimensions: int = 2) -> Doubles:
    """Return classical scaling, float64 (n, dimensions): where the non-metric one starts."""
    size = len(matrix)
    squares = matrix**2
    centred = -0.5 * (
        squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    )
    values, vectors = np.linalg.eigh(centred)
    order = np.argsort(values)[::-1][:dimensions]
    points = vectors[:, order] * np.sqrt(np.maximum(values[order], 0.0))
    # The sign of a direction is arbitrary; make it the same on every machine.
    points *= np.where(points[np.abs(points).argmax(axis=0), range(points.shape[1])] < 0, -1, 1)
    return np.pad(points, ((0, 0), (0, dimensions - min(dimensions, size))))


def non_metric(
    matrix: Doubles, dimensions: int = 2, *, rounds: int = 300, tolerance: float = 1e-5
) -> Scaling:
    """Place n pages; stops once a round lowers the stress by less than ``tolerance``.

    O(rounds * n^2 log n).
    """
    if len(matrix) < 2:
        return Scaling(np.zeros((len(matrix), dimensions)), 0.0)
    points = principal_coordinates(matrix, dimensions)
    distances = distances_of(matrix)
    before = np.inf
    best = Scaling(points.copy(), _stress(points, distances)[0])
    for _ in range(rounds):
        stress, target = _stress(points, distances)
        if stress < best.stress:
            best = Scaling(points.copy(), stress)
        if before - stress < tolerance:
            break
        before = stress
        points = _moved(points, target)
    return best


def _stress(points: Doubles, distances: Doubles) -> tuple[float, Doubles]:
    """Return stress-1, and the closest distances to the present ones in the order required."""
    present = scipy.spatial.distance.pdist(points)
    order = np.lexsort((present, distances))  # ties in the order that costs least
    target = np.empty_like(present)
    target[order] = scipy.optimize.isotonic_regression(present[order]).x
    scale = float((present**2).sum())
    if scale == 0.0:
        return 0.0, target
    return float(np.sqrt(((present - target) ** 2).sum() / scale)), target


def _moved(points: Doubles, target: Doubles) -> Doubles:
    """Return the points one majorising step on (Guttman transform)."""
    present = scipy.spatial.distance.squareform(scipy.spatial.distance.pdist(points))
    pull = np.divide(
        scipy.spatial.distance.squareform(target),
        present,
        out=np.zeros_like(present),
        where=present > 0,
    )
    weights = -pull
    weights[np.diag_indices_from(weights)] = pull.sum(axis=1)
    moved = weights @ points / len(points)
    # Stress-1 does not change with size: keep it, lest all points drift into one.
    size = np.sqrt((moved**2).sum())
    return np.asarray(moved * (np.sqrt((points**2).sum()) / size) if size > 0 else moved)
