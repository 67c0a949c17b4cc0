"""The cost of a segmenter's decision, and the changes that reverse it."""

from dataclasses import replace

import pytest

from algorithms.core.attempt import GoldResults
from algorithms.core.catalogue import method
from algorithms.explain.why import BlockQuery, has_turned
from algorithms.measures.bcubed import score_bcubed
from algorithms.measures.choice import measure_of
from algorithms.results import Block, Segmentation
from engine.page import Page
from tests.tables import table

# rows: 0 html  1 body  2 header  3 #text  4 main  5 h1  6 #text  7 p  8 #text  9 aside  10 #text
NODES = table(
    (
        "body",
        (0, 0, 1000, 800),
        [
            ("header", (0, 0, 1000, 100), "The Courier"),
            (
                "main",
                (0, 100, 700, 700),
                [
                    ("h1", (0, 100, 700, 100), "Ferry back"),
                    ("p", (0, 200, 700, 600), "It returned this morning."),
                ],
            ),
            ("aside", (700, 100, 300, 700), "Most read today"),
        ],
    )
)
PAGE = Page("/pages/ferry.html", nodes=NODES)
HEADER, MAIN, TITLE, STORY, ASIDE = 2, 4, 5, 7, 9
GOLD = Segmentation(NODES, tuple(Block((row,), 1) for row in (HEADER, MAIN, ASIDE)))


def gold_of(blocks, why_no_location=""):
    return GoldResults(None, blocks, None, why_no_location).block_gold


def asked(*rows: int, gold: Segmentation | None = GOLD) -> BlockQuery:
    entry = method("webterrain")
    result = Segmentation(NODES, tuple(Block((row,), 1) for row in rows))
    return BlockQuery(entry, PAGE, entry.params(), "rendered", result, gold_of(gold))


def test_gold_without_a_location_has_no_f1_and_gives_a_reason():
    entry = method("webterrain")
    result = Segmentation(NODES, (Block((MAIN,), 1),))
    gold = gold_of(GOLD, "it was marked elsewhere")
    run = BlockQuery(entry, PAGE, entry.params(), "rendered", result, gold)
    why = run.why(STORY)
    assert (why.f1, why.turned_f1, why.in_gold) == (None, None, None)
    assert why.why_no_f1 == gold.why_not(measure_of("b3-pixels")) == "it was marked elsewhere"


def test_a_block_that_gold_has_is_right_and_leaving_it_out_costs():
    why = asked(HEADER, MAIN, ASIDE).why(STORY)
    assert (why.is_kept, why.block.rows) == (True, (MAIN,))
    assert why.in_gold is True
    assert why.f1 == 1.0
    without = Segmentation(NODES, tuple(Block((row,), 1) for row in (HEADER, ASIDE)))
    assert why.turned_f1 == score_bcubed(without, GOLD, "pixels", "1").f1 < 1.0


def test_a_missed_gold_block_raises_f1_when_the_decision_is_reversed():
    why = asked(HEADER, MAIN).why(ASIDE + 1)
    assert (why.is_kept, why.block.rows) == (False, (ASIDE,))
    assert why.in_gold is True
    assert why.f1 < why.turned_f1 == 1.0


def test_reversing_the_decision_for_a_parent_replaces_the_blocks_inside_it():
    why = asked(HEADER, TITLE, STORY, ASIDE).why(MAIN)
    assert not why.is_kept
    assert why.turned_f1 == 1.0


def test_a_decision_without_gold_has_no_f1():
    why = asked(HEADER, gold=None).why(HEADER)
    assert why.is_kept
    assert (why.in_gold, why.f1, why.turned_f1) == (None, None, None)


def test_without_any_block_the_selected_node_is_the_candidate():
    why = asked().why(MAIN)
    assert (why.is_kept, why.block) == (False, Block((MAIN,), 1))
    assert why.f1 == 0.0 < why.turned_f1


SLOW = "terrain", "terrain-learned"


@pytest.mark.parametrize(
    "key", ["webterrain", "vips", *(pytest.param(key, marks=pytest.mark.slow) for key in SLOW)]
)
def test_every_change_that_is_named_turns_the_decision(key):
    entry = method(key)
    source = "rendered"
    params = entry.params()
    result = entry.run(PAGE, params, source)
    run = BlockQuery(entry, PAGE, params, source, result, gold_of(GOLD))
    for row in (HEADER, TITLE, STORY, ASIDE):
        why = run.why(row)
        change = run.counterfactual(why, seconds=2.0).counterfactual
        if change is None:
            continue
        again = entry.run(PAGE, replace(params, **{change.parameter: change.after}), source)
        assert has_turned(again, why)
        assert change.measure == why.measure
        assert change.f1 == score_bcubed(again, GOLD, "pixels", _level(why)).f1
        text = "" if _level(why) == "all" else f", level {_level(why)}"
        assert why.measure == f"B³ pixels{text}"


def test_webterrain_has_a_counterfactual_for_some_node():
    entry = method("webterrain")
    result = entry.run(PAGE, entry.params(), "rendered")
    run = BlockQuery(entry, PAGE, entry.params(), "rendered", result, gold_of(GOLD))
    rows = range(1, len(NODES))
    assert any(
        run.counterfactual(run.why(row), seconds=5.0).counterfactual is not None for row in rows
    )


def _level(why) -> str:
    return "1" if why.block.level == 1 else "all"
