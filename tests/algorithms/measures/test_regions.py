"""Blocks matched by IoU, splits and merges, types."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures.assignment import assign
from algorithms.measures.items import Cut
from algorithms.measures.regions import (
    NO_BLOCK,
    UNTYPED,
    confusion,
    match_regions,
    overlaps_in,
    relations,
    type_accuracy,
)
from algorithms.results import Block, Segmentation
from tests.tables import rows_of, table

WORTH = st.integers(0, 5).flatmap(
    lambda m: st.lists(
        st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=m, max_size=m), max_size=5
    )
)


def outcomes(*counts):
    names = ("right", "split", "merged", "off", "missed", "false")
    return Counter(dict(zip(names, counts, strict=True)))


@given(WORTH)
def test_no_assignment_is_worth_more(rows):
    worth = np.array(rows, dtype=float).reshape(len(rows), -1) if rows else np.zeros((0, 3))
    pairs = assign(worth)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert all(worth[pair] > 0 for pair in pairs)
    n, m = worth.shape
    wide = worth if n <= m else worth.T
    best = max(
        sum(wide[i, j] for i, j in enumerate(order))
        for order in permutations(range(max(n, m)), min(n, m))
    )
    assert sum(worth[pair] for pair in pairs) == pytest.approx(best)


def test_a_greedy_choice_is_not_the_best():
    assert assign([[0.9, 0.8], [0.8, 0.1]]) == [(0, 1), (1, 0)]


def page(*boxes):
    """Return a page with one ``p`` for each box (left, top, right, bottom)."""
    nodes = [("p", (a, b, c - a, d - b), f"text {k}") for k, (a, b, c, d) in enumerate(boxes)]
    return table(("body", (0, 0, 100, 100), nodes), size=(100, 100))


def overlaps(predicted, gold, atoms="pixels"):
    return overlaps_in(Cut(predicted, gold).table(atoms), predicted.blocks, gold.blocks)


def compare(predicted, gold, types=((), ()), atoms="pixels"):
    nodes = page(*predicted, *gold)
    rows = rows_of(nodes, "p")
    sides = []
    for part, names in ((rows[: len(predicted)], types[0]), (rows[len(predicted) :], types[1])):
        names = [*names, *[""] * len(part)]
        sides.append(
            Segmentation(nodes, tuple(Block((row,), 1, name)
                                      for row, name in zip(part, names, strict=False)))
        )  # fmt: skip
    return overlaps(*sides, atoms)


HALVES = [(0, 0, 50, 100), (50, 0, 100, 100)]
SHIFTED = [(0, 0, 60, 100), (60, 0, 100, 100)]
WHOLE = [(0, 0, 100, 100)]


def test_shifted_columns_are_hits_at_a_half_and_not_at_three_quarters():
    result = compare(SHIFTED, [*HALVES, (0, 0, 10, 10)])
    score = match_regions(result, 0.5)
    assert [(i, j) for i, j, _ in score.hits] == [(0, 0), (1, 1)]
    assert [iou for _, _, iou in score.hits] == pytest.approx([50 / 60, 40 / 50])
    assert (score.prf.precision, score.prf.recall) == (1, pytest.approx(2 / 3))
    assert len(match_regions(result, 0.81).hits) == 1
    assert match_regions(result, 0.9).hits == ()


def test_each_gold_block_is_right_split_merged_off_or_missed():
    #                                           right split merged off missed false
    assert relations(compare(HALVES, HALVES)) == outcomes(2, 0, 0, 0, 0, 0)
    assert relations(compare(HALVES, WHOLE)) == outcomes(0, 1, 0, 0, 0, 0)
    assert relations(compare(WHOLE, HALVES)) == outcomes(0, 0, 2, 0, 0, 0)
    assert relations(compare(WHOLE, [HALVES[0]])) == outcomes(0, 0, 0, 1, 0, 0)
    assert relations(compare([HALVES[0]], [HALVES[1]])) == outcomes(0, 0, 0, 0, 1, 1)
    assert relations(compare([HALVES[0]], WHOLE)) == outcomes(0, 0, 0, 1, 0, 0)
    assert relations(compare(SHIFTED, HALVES))["right"] == 2
    assert relations(compare(SHIFTED, HALVES), share=0.9) == outcomes(0, 0, 0, 2, 0, 0)


BOX = st.tuples(*[st.integers(0, 4)] * 2, *[st.integers(1, 5)] * 2).map(
    lambda b: (20 * b[0], 20 * b[1], min(100, 20 * (b[0] + b[2])), min(100, 20 * (b[1] + b[3])))
)
BOXES = st.lists(BOX, max_size=5)


@given(BOXES, BOXES)
def test_every_gold_block_is_in_one_state_and_iou_is_that_of_the_boxes(predicted, gold):
    result = compare(predicted, gold)

    def pixels(box):
        return {(x, y) for x in range(box[0], box[2], 20) for y in range(box[1], box[3], 20)}

    for i, one in enumerate(predicted):
        for j, other in enumerate(gold):
            a, b = pixels(one), pixels(other)
            assert result.iou[i, j] == pytest.approx(len(a & b) / len(a | b))
    states = relations(result)
    assert states.total() - states["false"] == len(gold)
    assert states["false"] <= len(predicted)
    score = match_regions(result)
    assert (score.prf.f1 == 1) == (len(score.hits) == len(gold) == len(predicted))
    counts = confusion(result)
    assert sum(counts.values()) == len(gold) + len(predicted) - len(score.hits)


@given(BOXES)
def test_a_segmentation_against_itself_is_right(boxes):
    result = compare(boxes, boxes)
    assert match_regions(result, 0.75).prf.f1 == 1
    assert relations(result) == outcomes(len(boxes), 0, 0, 0, 0, 0)


def test_blocks_that_cannot_be_seen_are_left_out():
    result = compare([*HALVES, (7, 7, 7, 9)], HALVES)
    assert len(result.predicted) == 2
    assert match_regions(result).prf.precision == 1


def test_an_empty_prediction_has_precision_1_and_recall_0():
    prf = match_regions(compare([], HALVES)).prf
    assert (prf.precision, prf.recall, prf.f1) == (1, 0, 0)


def test_overlaps_of_words_are_those_of_the_nodes():
    nodes = page(*HALVES)
    rows = rows_of(nodes, "p")
    both = Segmentation(nodes, (Block(tuple(rows), 1),))
    one = Segmentation(nodes, (Block((rows[0],), 1),))
    assert overlaps(both, one, "words").iou.tolist() == [[0.5]]


def test_types_are_counted_over_hits_and_unmatched_blocks():
    result = compare([*HALVES, (0, 0, 9, 9)], [*HALVES, (90, 90, 99, 99)],
                    (("Menu", "Content", "Ad"), ("Menu", "Sidebar", "")))  # fmt: skip
    counts = confusion(result)
    assert counts == {
        ("Menu", "Menu"): 1, ("Sidebar", "Content"): 1, (NO_BLOCK, "Ad"): 1, (UNTYPED, NO_BLOCK): 1,
    }  # fmt: skip
    assert type_accuracy(counts) == 0.5
    assert type_accuracy({("Menu", UNTYPED): 1, ("Ad", "Ad"): 1}) == 0.5


def test_a_method_without_types_and_gold_without_types_have_no_accuracy():
    assert type_accuracy(confusion(compare(HALVES, HALVES, ((), ("Menu", "Ad"))))) is None
    assert type_accuracy(confusion(compare(HALVES, HALVES, (("Menu", "Ad"), ())))) is None
