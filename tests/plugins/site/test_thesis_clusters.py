"""k-median on a few pages; indices against manual results and the tables of the thesis."""

import math

import numpy as np
import pytest

from tests.bench import template_clusters as indices
from tests.bench.template_clusters import k_median

LINE = np.array([0.0, 1.0, 2.0, 10.0, 11.0, 30.0])


def between(points):
    return np.abs(np.subtract.outer(points, points))


def test_k_median_finds_groups_around_their_middle_pages():
    result = k_median(between(LINE), 3, starts=20)
    assert result.best.tolist() == [0, 0, 0, 1, 1, 2]
    assert result.cost.min() == 3.0  # 0-1, 2-1, and one of 10-11
    assert result.labels.shape == (20, 6)


def test_k_median_is_reproducible_and_starts_at_random():
    points = np.repeat(2.0 ** np.arange(9), 3) + np.tile([0.0, 0.1, 0.2], 9)
    first, again = (k_median(between(points), 5, starts=30) for _ in range(2))
    assert np.array_equal(first.labels, again.labels)
    assert len(set(first.cost.tolist())) > 1


def test_k_median_assigns_every_page_to_its_nearest_median():
    points = np.random.default_rng(5).random(30)
    matrix = between(points)
    result = k_median(matrix, 3, starts=5)
    for labels in result.labels:
        members = [np.flatnonzero(labels == k) for k in range(int(labels.max()) + 1)]
        medians = [m[matrix[np.ix_(m, m)].sum(axis=0).argmin()] for m in members]
        own = matrix[np.arange(30), np.array(medians)[labels]]
        assert own == pytest.approx(matrix[:, medians].min(axis=1))


SITES = np.repeat(np.arange(5), 100)


def test_indices_match_the_tables_of_the_thesis():
    """Tables 7.4 and 7.5: 500 pages of five sites; all found, or three sites in one cluster."""
    merged = np.array([0, 0, 0, 1, 2])[SITES]
    assert indices.rand(SITES, SITES) == 1
    assert indices.average_purity(SITES, SITES) == 1
    assert indices.tabled(SITES, SITES) == pytest.approx(0.1553, abs=5e-5)
    assert indices.average_purity(merged, SITES) == pytest.approx(0.7778, abs=5e-5)
    assert indices.rand(merged, SITES) == pytest.approx(0.76, abs=1e-3)
    assert indices.tabled(merged, SITES) == pytest.approx(0.1296, abs=5e-5)


def test_mutual_information_is_defined_with_logarithms_of_base_g_k():
    assert indices.mutual_information(SITES, SITES) == pytest.approx(math.log(5, 25))
    assert indices.mutual_information(np.zeros(4, int), np.zeros(4, int)) == 0


def test_indices_of_four_pages_match_manual_results():
    result, known = np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1])
    # Pairs that agree: 01, and 03 and 13, which both keep apart; 3 of 6.
    assert indices.rand(result, known) == pytest.approx(3 / 6)
    assert indices.average_purity(result, known) == pytest.approx((2 / 3 + 1) / 2)
    expected = (2 * math.log(2 * 4 / (3 * 2)) + math.log(4 / 6) + math.log(4 / 2)) / 4 / math.log(4)
    assert indices.mutual_information(result, known) == pytest.approx(expected)
    assert indices.adjusted_rand(known, known) == 1
    assert indices.adjusted_rand(result, known) == pytest.approx(0)


def test_dunn_is_the_smallest_cluster_distance_over_the_largest_diameter():
    labels = np.array([0, 0, 0, 1, 1, 2])
    assert indices.dunn(between(LINE), labels) == 8 / 2
    assert indices.dunn(between(LINE), np.arange(6)) == math.inf


def test_silhouette_of_three_pages_matches_the_manual_result():
    matrix = between(np.array([0.0, 2.0, 10.0]))
    # Page 0: a 2, b 10; page 1: a 2, b 8; page 2 is alone.
    assert indices.silhouette(matrix, np.array([0, 0, 1])) == pytest.approx((0.8 + 0.75 + 0) / 3)
    assert indices.silhouette(matrix, np.zeros(3, int)) == 0
