"""Classifiers of text blocks: accuracy, both classes, area under the ROC curve."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.classification import is_content, roc_auc, score_blocks


def test_a_worked_example():
    # 3 content blocks of 10, 20, 30 words, 2 others of 5 and 35; the second and the last are wrong
    found = score_blocks(
        [True, False, True, False, True], [True, True, True, False, False], [10, 20, 30, 5, 35]
    )
    assert found.accuracy == 0.45
    assert (found.content.precision, found.content.recall) == (40 / 75, 40 / 60)
    assert (found.other.precision, found.other.recall) == (5 / 25, 5 / 40)
    assert found.false_positives == 35 / 40
    assert found.auc == pytest.approx((40 / 60 + 5 / 40) / 2)  # a curve of one corner
    unweighted = score_blocks([True, False], [True, True])
    assert (unweighted.accuracy, unweighted.auc) == (0.5, None)


def test_without_blocks_nothing_is_wrong():
    found = score_blocks([], [])
    assert (found.accuracy, found.content.f1, found.auc) == (1.0, 1.0, None)


def test_shapes_must_agree():
    with pytest.raises(ValueError, match="must be one"):
        score_blocks([True], [True, False])


BLOCKS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]), st.booleans(), st.integers(0, 9)),
    max_size=20,
)


@given(BLOCKS)
def test_the_area_is_the_chance_of_a_right_order(blocks):
    sure = np.array([b[0] for b in blocks])
    gold = np.array([b[1] for b in blocks], dtype=bool)
    weight = np.array([b[2] for b in blocks], dtype=float)
    right = total = 0.0
    for i in np.flatnonzero(gold):
        for j in np.flatnonzero(~gold):
            pair = weight[i] * weight[j]
            total += pair
            right += pair * ((sure[i] > sure[j]) + (sure[i] == sure[j]) / 2)
    found = roc_auc(sure, gold, weight)
    assert found == (pytest.approx(right / total) if total else None)


def test_a_block_is_content_where_most_of_its_words_are():
    assert is_content([3, 2, 0, 0], [4, 4, 4, 0]).tolist() == [True, False, False, False]
