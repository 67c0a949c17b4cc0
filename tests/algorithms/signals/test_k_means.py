"""Clusters of numbers on a line."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.signals.k_means import best_line_clusters, line_clusters

VALUES = st.lists(st.sampled_from([0.5, 0.6, 0.75, 0.8, 0.9, 0.95, 0.99, 1.0]), min_size=1)


def spread(values, label):
    """Return the sum of squared distances to the means of the clusters."""
    return sum(float(np.sum((values[label == k] - values[label == k].mean()) ** 2))
               for k in np.unique(label))  # fmt: skip


@given(VALUES | st.lists(st.floats(-100, 100), min_size=1, max_size=12), st.integers(1, 4))
def test_best_line_clusters_have_the_smallest_spread(values, clusters):
    values = np.array(values)
    distinct = np.unique(values)
    result = best_line_clusters(values, clusters)
    cuts = combinations(distinct[1:], min(clusters, distinct.size) - 1)
    least = min(spread(values, np.searchsorted(cut, values, side="right")) for cut in cuts)
    assert spread(values, result) == pytest.approx(least, abs=1e-9)


@given(VALUES, st.integers(1, 4))
def test_clusters_ascend_and_there_are_as_many_as_asked_for(values, clusters):
    values = np.array(values)
    result = best_line_clusters(values, clusters)
    assert np.all(np.diff(result[np.argsort(values, kind="stable")]) >= 0)
    assert set(result) == set(range(min(clusters, np.unique(values).size)))


@pytest.mark.parametrize("size", [1, 2, 3, 17, 400, 1025])
def test_best_clusters_of_many_values_are_stable(size):
    values = np.random.default_rng(size).random(size)
    result = best_line_clusters(values, 3)
    centres = np.array([values[result == k].mean() for k in np.unique(result)])
    again, _ = line_clusters(values, centres)
    assert np.array_equal(result, again)


def test_a_start_at_equal_centres_forms_fewer_clusters_than_there_could_be():
    """This is why `best_line_clusters` exists."""
    values = np.array([0.6, 0.8] + [1.0] * 20)
    start = np.quantile(values, [1 / 6, 3 / 6, 5 / 6])
    assert np.unique(line_clusters(values, start)[0]).size == 2
    assert np.unique(best_line_clusters(values, 3)).size == 3
