"""CROWDLAB: labels expected from several annotators and a model."""

import numpy as np
import pytest

from algorithms.plugins.audit.crowd import crowd_of

MODEL = np.array([0.9, 0.8, 0.3, 0.1, 0.6, 0.2, 0.05, 0.95])
LABELS = ["11-", "110", "100", "000", "1-0", "010", "00-", "-11"]
"""Labels of three annotators for each block; - for a block that one did not see."""

MARKED = np.array([[each == "1" for each in column] for column in zip(*LABELS, strict=True)])
SEEN = np.array([[each != "-" for each in column] for column in zip(*LABELS, strict=True)])


def test_expected_labels_equal_those_of_cleanlab():
    """Figures of cleanlab 2.9.0, `get_label_quality_multiannotator` with quality "crowdlab"."""
    crowd = crowd_of(MODEL, MARKED, SEEN)
    assert crowd.model == pytest.approx(1.581139, abs=1e-6)
    assert crowd.annotators == pytest.approx((0.090909, 0.272727, 1e-6), abs=1e-6)
    expected = [
        crowd.expected(
            MODEL[[k]],
            [own[[k]] if known[k] else None for own, known in zip(MARKED, SEEN, strict=True)],
        )[0]
        for k in range(len(LABELS))
    ]
    reference = [0.883639, 0.802337, 0.30818, 0.116361, 0.611553, 0.28531, 0.07571, 0.929772]
    assert expected == pytest.approx(reference, abs=1e-6)


def test_annotators_who_err_often_get_less_weight():
    rng = np.random.default_rng(2)
    true = rng.random(600) < 0.4
    marked = np.array([true ^ (rng.random(600) < share) for share in (0.02, 0.05, 0.3)])
    model = np.where(true, 0.8, 0.2)
    careful, usual, careless = crowd_of(model, marked, np.ones((3, 600), bool)).annotators
    assert careful > usual > 2 * careless


def test_blocks_seen_by_one_annotator_leave_all_weights_at_one():
    seen = np.array([[True, True], [False, False]])
    crowd = crowd_of(np.array([0.5, 0.5]), np.ones((2, 2), bool), seen)
    assert (crowd.annotators, crowd.model, crowd.agreement) == ((1.0, 1.0), 1.0, 1.0)
