"""The share of gold that is on the page, over many pages, in numbers and words."""

import numpy as np
import pytest

from annotate.evaluation.tables.run_outcomes import Located, percent


@pytest.mark.parametrize(
    ("share", "text"),
    [(1.0, "100 %"), (0.99999, "99.9 %"), (0.5, "50.0 %"), (0.1234, "12.3 %"), (0.0, "0.0 %")],
)
def test_only_a_share_of_1_is_shown_as_100_percent(share, text):
    assert percent(share) == text


def test_pages_without_a_share_are_not_counted():
    result = Located(np.array([1.0, 0.995, 0.4, np.nan]), np.full(4, np.nan))
    assert result.gold_below() == (2, 1, 1, 1)
    assert result.means == (pytest.approx(2.395 / 3), None)
    assert not result.is_whole
    assert result.sentence == (
        "79.8 % of the gold is on the page; not all on 2 of 3 pages, less than half on 1"
    )
    assert Located(np.array([1.0, np.nan]), np.full(2, np.nan)).sentence == ""
