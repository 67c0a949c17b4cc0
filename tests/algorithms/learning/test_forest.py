"""A forest scores as one walks through its trees, row by row."""

from dataclasses import replace

import numpy as np
import pytest

from algorithms.learning.forest import Forest


def grown(trees: int, seed: int, columns: int = 5) -> Forest:
    """A forest of random shapes; some limits are values of the rows."""
    draw = np.random.default_rng(seed)
    rows: list[list[float]] = []

    def add(deepest: int) -> int:
        at = len(rows)
        rows.append([-1, 0.0, at, at, draw.normal()])
        if deepest and draw.random() < 0.8:
            rows[at][:2] = draw.integers(columns), draw.integers(-3, 4) / 2
            rows[at][2] = add(deepest - 1)
            rows[at][3] = add(deepest - 1)
        return at

    roots = np.array([add(int(draw.integers(9))) for _ in range(trees)], np.int32)
    kinds = (np.int16, np.float32, np.int32, np.int32, np.float32)
    return Forest(
        roots, *(np.array(x, kind) for x, kind in zip(zip(*rows, strict=True), kinds, strict=True))
    )


def walked(forest: Forest, row: np.ndarray) -> float:
    values = []
    for node in forest.roots.tolist():
        while forest.column[node] >= 0:
            is_left = row[forest.column[node]] <= forest.limit[node]
            node = int((forest.left if is_left else forest.right)[node])
        values.append(float(forest.value[node]))
    return float(np.array(values).sum())


@pytest.mark.parametrize("rows", [0, 1, 63, 64, 65, 300])
@pytest.mark.parametrize("trees", [1, 2, 40])
def test_scores_are_those_of_a_walk(trees, rows):
    forest = grown(trees, seed=rows)
    matrix = np.random.default_rng(rows).integers(-3, 4, (rows, 5)).astype(np.float32) / 2
    matrix[matrix == 1.5] = np.nan
    forest.check(5)
    expected = [walked(forest, row) for row in matrix]
    np.testing.assert_array_equal(forest.scores(matrix), expected)
    shares, base = forest.contributions(matrix)
    np.testing.assert_allclose(shares.sum(axis=1) + base, expected, atol=1e-6)


def test_a_node_with_two_ways_to_it_is_damage():
    made = {name: array.copy() for name, array in grown(3, seed=1).arrays.items()}
    inner = int(np.flatnonzero(made["column"] >= 0)[0])
    made["left"][inner] = made["right"][inner]
    with pytest.raises(ValueError, match="trees are damaged"):
        Forest(**made).check(5)


def test_a_forest_without_trees_scores_nothing():
    whole = grown(1, seed=1)
    none = Forest(whole.roots[:0], *(getattr(whole, name)[:0] for name in (
        "column", "limit", "left", "right", "value")))  # fmt: skip
    none.check(5)
    assert none.scores(np.ones((3, 5), np.float32)).tolist() == [0, 0, 0]


def test_limits_in_double_precision_score_the_same():
    forest = grown(9, seed=2)
    double = replace(forest, limit=forest.limit.astype(np.float64))
    rows = np.random.default_rng(0).integers(-3, 4, (70, 5)).astype(np.float32) / 2
    double.check(5)
    np.testing.assert_array_equal(double.scores(rows), forest.scores(rows))
