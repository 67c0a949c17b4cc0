"""Scores of pages are summarized for a table; a failure is never a score."""

import pytest

from algorithms.measures.prf import Score
from algorithms.measures.summary import spread
from tests.algorithms.measures.page_scores import PageScore, summary_of


def test_spread_of_numbers():
    result = spread([0.0, 1.0, 1.0, 0.5])
    assert (result.count, result.mean, result.median, result.zeros) == (4, 0.625, 0.75, 1)
    assert (result.low, result.high) == (0.375, 1.0)
    assert result.deviation == pytest.approx(0.4787, abs=1e-4)  # n - 1
    assert spread([0.4]).deviation is None
    assert spread([]).mean is None


def test_failures_are_excluded_from_the_mean_or_counted_as_empty():
    pages = [
        PageScore("ok", Score(0.8, 0.7, 0.9)),
        PageScore("empty", Score(0.0, 1.0, 0.0)),
        PageScore("failed", None, Score(0.0, 1.0, 0.0)),
        PageScore("timed out", None, Score(1.0, 1.0, 1.0)),  # the gold was empty too
        PageScore("skipped"),
    ]
    result = summary_of(pages)
    assert result.value == result.values.mean == 0.4
    assert result.value_of_all == 0.45
    assert result.unscored == 2
    assert result.values.count == 2
    assert result.statuses == {"ok": 1, "empty": 1, "failed": 1, "timed out": 1, "skipped": 1}
    assert result.precision == pytest.approx(0.85)


def test_a_page_that_could_not_be_read_leaves_the_whole_unknown():
    result = summary_of([PageScore("ok", Score(1.0)), PageScore("failed")])
    assert (result.value, result.value_of_all) == (1.0, None)


def test_a_pooled_measure_is_made_from_mean_precision_and_recall():
    pages = [
        PageScore("ok", Score(1.0, 1.0, 1.0)),
        PageScore("ok", Score(None, None, 0.0)),
        PageScore("failed", None, Score(None, None, 0.0)),
    ]
    result = summary_of(pages, is_pooled=True)
    assert result.value == pytest.approx(2 / 3)
    assert result.value_of_all == pytest.approx(0.5)


def test_a_summary_of_no_pages_has_no_values():
    result = summary_of([])
    assert (result.value, result.value_of_all, result.precision) == (None, None, None)
