"""Quality of predictions on pages with gold, in numbers that can be counted."""

import numpy as np
import pytest

from annotate.evaluation.report.html_report import write_report
from annotate.evaluation.tables.prediction_quality import (
    PredictionQuality,
    prediction_qualities,
    quality_lines,
    sentence_of,
)
from tests.annotate.evaluation.rows import row, table_of


def quality(predicted, real, inside=None):
    inside = np.ones(len(real), dtype=bool) if inside is None else np.array(inside)
    return PredictionQuality("gleaner", "original", np.array(predicted), np.array(real), inside)


def test_a_perfect_order_meets_all_bad_pages_first():
    predicted = np.linspace(0.05, 0.95, 20)
    made = quality(predicted, np.where(np.arange(20) < 5, 0.5, 0.9))
    assert (made.bad, made.auroc) == (5, 1.0)
    assert made.times_random == pytest.approx(4.0)  # two of five in the first two of twenty
    assert made.half_after == pytest.approx(0.15)


def test_a_reversed_order_has_an_auroc_of_0_and_equal_predictions_one_of_half():
    real = np.where(np.arange(20) < 5, 0.5, 0.9)
    assert quality(np.linspace(0.95, 0.05, 20), real).auroc == 0
    assert quality(np.full(20, 0.5), real).auroc == 0.5


def test_calibration_is_the_mean_of_each_tenth_with_three_pages():
    made = quality([0.11, 0.13, 0.18, 0.55, 1.0, 1.0, 1.0], [0.2, 0.3, 0.4, 0.9, 1.0, 0.8, 0.9])
    predicted, real, count = made.calibration
    assert predicted.tolist() == pytest.approx([0.14, 1.0])
    assert real.tolist() == pytest.approx([0.3, 0.9])
    assert count.tolist() == [3, 3]


def test_the_sentence_reports_no_order_without_bad_pages():
    text = sentence_of(quality(np.full(30, 0.9), np.full(30, 0.8), [True] * 15 + [False] * 15))
    assert text == (
        "gleaner, on 30 pages with gold: predictions are off by 0.100, 50% of the pages within "
        "the bounds; 0 below 0.7, which says nothing of the order"
    )


@pytest.fixture
def results():
    """Return results of thirty pages, every third bad and predicted as bad."""
    rows = []
    for k in range(30):
        real = 0.4 if k % 3 == 0 else 0.9
        page = f"page{k}"
        rows.append(row(page, "gleaner", "bow", real))
        for measure, value in (("predicted-f1", real + 0.05), ("predicted-low", 0.3),
                               ("predicted-high", 0.5 if k % 2 else 1.0)):  # fmt: skip
            rows.append(row(page, "gleaner", measure, value))
    return table_of(rows)


def test_pages_with_gold_and_prediction_are_counted(results):
    (made,) = prediction_qualities(results, "news", ["Gleaner"])
    assert (made.method, made.pages, made.bad, made.auroc) == ("Gleaner", 30, 10, 1.0)
    assert made.error == pytest.approx(0.05)
    assert made.covered == pytest.approx(20 / 30)
    (line,) = quality_lines(results)
    assert line.endswith(
        "10 below 0.7, AUROC 1.000, the first tenth holds 3.0 times as many of them as one at "
        "random"
    )


def test_the_report_has_a_chapter_with_table_and_figure(results, tmp_path):
    html = write_report(tmp_path, results, formats=("svg",)).read_text()
    assert "Predictions without gold" in html
    assert "bad pages met" in (tmp_path / "figures" / "predictions_news_dom.svg").read_text()
