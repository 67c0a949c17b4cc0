"""Agreement of annotators, on published vectors and by its definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.agreement import (
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
)

FIRST = [1] * 40 + [0] * 45 + [1] * 10 + [0] * 5
SECOND = [1] * 40 + [0] * 45 + [0] * 10 + [1] * 5

FLEISS_1971 = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
"""The usual worked example: ten subjects, fourteen raters, five categories; kappa .210."""


def test_kappa_and_alpha_of_the_worked_example():
    assert cohen_kappa(FIRST, SECOND) == pytest.approx(0.7, abs=5e-5)
    assert krippendorff_alpha([FIRST, SECOND]) == pytest.approx(0.7008, abs=5e-5)


def test_fleiss_kappa_of_the_textbook_example():
    ratings = np.array(
        [[k for k, count in enumerate(row) for _ in range(count)] for row in FLEISS_1971]
    ).T
    assert fleiss_kappa(ratings) == pytest.approx(0.210, abs=5e-4)


def test_alpha_handles_what_some_did_not_rate():
    # Krippendorff's own example of nominal data with gaps: four observers, twelve units.
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, -1, -1, -1],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, -1, 3],
        [-1, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, -1],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, -1],
    ]
    assert krippendorff_alpha(table) == pytest.approx(0.743, abs=5e-4)


def test_a_weight_counts_as_so_many_atoms():
    light, heavy = [1, 0, 1], [1, 0, 0]
    repeated = [[1, 1, 1, 0, 1, 1], [1, 1, 1, 0, 0, 0]]
    weights = [3, 1, 2]
    assert cohen_kappa(light, heavy, weights) == pytest.approx(cohen_kappa(*repeated))
    assert krippendorff_alpha([light, heavy], weights) == pytest.approx(
        krippendorff_alpha(repeated)
    )


def test_agreement_of_a_single_annotator_is_undefined():
    assert np.isnan(fleiss_kappa([[0, 1, 1]]))
    assert np.isnan(krippendorff_alpha([[0, 1, 1]]))


ratings = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.integers(0, 3), min_size=raters, max_size=raters), min_size=1, max_size=30
    )
)


@given(ratings)
def test_equal_ratings_agree_fully_and_none_agrees_more(table):
    columns = np.array(table).T
    same = np.stack([columns[0]] * len(columns))
    for measure in (fleiss_kappa, krippendorff_alpha):
        assert measure(same) == pytest.approx(1.0)
        assert measure(columns) <= 1.0 + 1e-12


@given(ratings)
def test_the_order_of_annotators_does_not_matter(table):
    columns = np.array(table).T
    assert krippendorff_alpha(columns) == pytest.approx(krippendorff_alpha(columns[::-1]))
    assert cohen_kappa(columns[0], columns[1]) == pytest.approx(cohen_kappa(columns[1], columns[0]))


THREE = [
    [0, 0, 1, 1, 2, 2, 0, 1, 2, 0, 1, 0],
    [0, 1, 1, 1, 2, 0, 0, 1, 2, 0, -1, 0],
    [0, 0, 1, 2, 2, 2, -1, 1, -1, 0, 1, 1],
]


def test_ac1_and_alpha_are_those_of_irrcac():
    # irrCAC 0.4.4, told the three categories; it rounds to five digits.
    assert gwet_ac1(THREE) == pytest.approx(0.66935, abs=5e-6)
    assert krippendorff_alpha(THREE) == pytest.approx(0.64045, abs=5e-6)
    assert gwet_ac1(THREE[:2]) == pytest.approx(0.73216, abs=5e-6)


def test_ac1_stays_high_where_nearly_all_is_one_category():
    first, second = [0] * 98 + [1, 0], [0] * 98 + [0, 1]
    assert cohen_kappa(first, second) < 0
    assert gwet_ac1([first, second]) > 0.97
    assert gwet_ac1([[0, 0], [0, 0]], categories=2) == 1.0
    assert np.isnan(gwet_ac1([[0, -1], [-1, 1]]))


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)), min_size=1))
def test_ac1_of_a_weight_is_that_of_so_many_atoms(atoms):
    first, second, weights = zip(*atoms, strict=True)
    repeated = [np.repeat(each, weights) for each in (first, second)]
    assert gwet_ac1([first, second], weights) == pytest.approx(gwet_ac1(repeated))
