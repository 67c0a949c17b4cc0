"""Clusters of a few pages on a line, and their scaling to maps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.plugins.site.clustering import distances_of, renumber, single_linkage, widest_gap
from algorithms.plugins.site.scaling import non_metric, principal_coordinates

LINE = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 30.0])


def between(points):
    return np.abs(np.subtract.outer(points, points))


def test_single_linkage_joins_distances_up_to_and_including_the_threshold():
    tree = single_linkage(between(LINE))
    assert tree.at(0.5).tolist() == [0, 1, 2, 3, 4, 5]
    assert tree.at(1.0).tolist() == [0, 0, 0, 1, 1, 2]
    assert tree.at(7.9).tolist() == [0, 0, 0, 1, 1, 2]
    assert tree.at(8.0).tolist() == [0, 0, 0, 0, 0, 1]
    assert tree.at(19.0).tolist() == [0] * 6


def test_single_linkage_of_one_page_or_none_has_one_cluster_or_none():
    assert single_linkage(np.zeros((1, 1))).at(1.0).tolist() == [0]
    assert single_linkage(np.zeros((0, 0))).at(3.0).tolist() == []


@given(st.lists(st.integers(0, 30), min_size=2, max_size=9), st.integers(0, 12))
def test_clusters_of_a_threshold_are_the_connected_components(points, threshold):
    matrix = between(np.array(points, dtype=np.float64))
    reach = matrix <= threshold
    for _ in points:
        reach = reach @ reach
    labels = single_linkage(matrix).at(threshold)
    assert np.array_equal(labels[:, None] == labels[None, :], reach)


def test_the_widest_gap_is_the_middle_of_the_largest_step_between_distances():
    assert widest_gap(single_linkage(between(LINE)).heights) == 13.5  # 1, 1, 1, 8, 19
    assert widest_gap(distances_of(between(np.array([0.0, 1.0, 5.0])))) == 2.5  # 1, 4, 5
    assert widest_gap([3.0]) == 3.0
    assert widest_gap([]) == 0.0


def test_labels_are_numbered_in_order_of_first_occurrence():
    assert renumber(np.array([7, 7, 2, 9, 2])).tolist() == [0, 0, 1, 2, 1]


def test_scaling_recovers_a_map_from_its_distances():
    points = np.random.default_rng(1).random((12, 2))
    matrix = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    result = principal_coordinates(matrix)
    again = np.sqrt(((result[:, None] - result[None]) ** 2).sum(axis=2))
    assert again == pytest.approx(matrix)
    assert non_metric(matrix).stress < 1e-6


def test_scaling_of_distorted_distances_keeps_the_order_of_the_points():
    matrix = between(LINE) ** 3  # the order of a line, but no line
    result = non_metric(matrix, 1)
    assert result.stress < 0.02
    order = np.argsort(result.points[:, 0]).tolist()
    assert order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0])


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_scaling_of_a_few_pages_returns_one_point_per_page(size):
    result = non_metric(between(np.arange(float(size))))
    assert result.points.shape == (size, 2)
    assert np.isfinite(result.points).all()
