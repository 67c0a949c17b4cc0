"""Test the bias of gold on pages with drafts, and edits for each mark."""

import math

import pytest

from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.marks.journal import CAME_WITH_PAGE, Revision
from annotate.marks.learned.bias import DRAFTING, FEWEST, MeasuredPage, bias_of, measure_bias
from annotate.marks.learned.offers import list_shipped, offer
from tests.annotate.pages import page_of, row_of


def pages(agreements, *, is_free):
    return [
        MeasuredPage(str(k), "", is_free, not is_free, each, 1, 1)
        for k, each in enumerate(agreements)
    ]


def test_too_few_pages_of_a_kind_give_no_estimate():
    bias = bias_of([*pages([0.9] * 20, is_free=False), *pages([0.5], is_free=True)])
    assert math.isnan(bias.half)
    assert bias.sentence.startswith("Too few pages to judge")
    assert "20 pages with drafts and 1 without" in bias.sentence
    assert math.isnan(bias_of([]).bend)


def test_gold_that_agrees_more_with_drafts_is_reported_as_biased():
    drafted, free = [0.9, 0.92, 0.88, 0.9, 0.91], [0.7, 0.72, 0.68, 0.71, 0.69]
    bias = bias_of([*pages(drafted, is_free=False), *pages(free, is_free=True)])
    assert bias.bend == pytest.approx(0.202)
    assert "is biased towards the models: +0.20" in bias.sentence
    turned = bias_of([*pages(free, is_free=False), *pages(drafted, is_free=True)])
    assert "agrees less with the models: -0.20" in turned.sentence


def test_a_difference_within_chance_is_not_reported_as_bias():
    bias = bias_of([
        *pages([0.2, 0.9, 0.5, 0.6, 0.8], is_free=False),
        *pages([0.3, 0.8, 0.4, 0.7, 0.6], is_free=True),
    ])  # fmt: skip
    assert bias.bend - bias.half < 0 < bias.bend + bias.half
    assert bias.sentence.startswith("No bias towards the models is shown")


def test_pages_marked_before_drafts_existed_are_not_counted():
    by_hand = [MeasuredPage(str(k), "", False, False, 0.5, 1, 1) for k in range(FEWEST)]
    bias = bias_of([*by_hand, *pages([0.9] * FEWEST, is_free=True)])
    assert (bias.drafted, bias.free) == (0, FEWEST)


def test_manual_edits_are_counted_and_drafted_pages_recognised_by_their_history():
    page = page_of("<p id=a>The ferry is back.</p><p id=b>Nobody was hurt.</p>")
    nodes = page.rendered()
    gold = edits.add_block(Gold(), nodes, [Target(row_of(nodes, "a"))], 2, "Article")
    history = [
        Revision(k, f"2026-01-0{k}", what, "edit")
        for k, what in enumerate((f"{DRAFTING}2 marks from 1 page", "confirm 1 mark", "drop"), 1)
    ]
    offered = offer(page, "s", list_shipped())
    about = measure_bias(offered, gold, history, "key", is_free=False)
    assert (about.edits, about.marks, about.is_drafted, about.made) == (2, 1, True, "2026-01-01")
    assert about.edits_per_mark == 2
    assert 0 <= about.agreement <= 1
    came = measure_bias(
        offered, gold, [Revision(1, "", CAME_WITH_PAGE, "edit")], "key", is_free=True
    )
    assert (came.edits, came.is_drafted, came.is_free) == (0, False, True)
