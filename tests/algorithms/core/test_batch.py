"""Runs of methods on a page: each has a status, and each missing score a reason."""

import pickle

import numpy as np
import pytest

from algorithms.core.attempt import BlockGold
from algorithms.core.batch import (
    RunStatus,
    Setup,
    measures_of,
    run_extractor,
    run_segmenter,
)
from algorithms.core.catalogue import method
from algorithms.measures.prf import Score
from algorithms.measures.snippets import Snippets
from algorithms.measures.text import Words, score_words
from algorithms.measures.text_comparison import GoldText
from algorithms.results import Block, Segmentation
from engine.errors import InputError
from engine.page import Page
from engine.source import Source
from tests.tables import table

LONG = "The ferry came back this morning after nine long years away, and the whole town stood on "
LONG += "the quay to watch it."
HTML = f"<ul><li><a>Home</a><li><a>News</a></ul><p>{LONG}</p><p>{LONG}</p>"


def setup(key, source="original", **values):
    return Setup(key, method(key).params(**values), source)


def run(what, html=HTML, gold=f"{LONG}\n{LONG}", measures="ws"):
    page = Page("page", Source.from_text(html))
    return run_extractor(page, GoldText(gold, page.original), what, measures_of(measures).text)


def test_a_run_is_scored_and_keeps_its_text():
    result = run(setup("bte"), measures="ws,cetr")
    assert result.status is RunStatus.OK
    assert result.text == f"{LONG}\n{LONG}"
    assert result.scores["ws"].value == 1
    assert result.scores["cetr"].value == 1
    assert result.seconds > 0
    empty = run(setup("bte", tag_cost=20))
    assert empty.status in (RunStatus.OK, RunStatus.EMPTY)
    both = Words(empty.text), Words(f"{LONG}\n{LONG}")
    assert empty.scores["ws"].value == score_words(*both).ws.f1


def test_a_method_that_finds_nothing_is_empty_and_scored():
    result = run(setup("plain"), "<p></p>")
    assert (result.status, result.text) == (RunStatus.EMPTY, "")
    assert (result.scores["ws"].precision, result.scores["ws"].value) == (1, 0)


def test_an_empty_gold_is_a_gold():
    assert run(setup("plain"), "<p></p>", gold="").scores["ws"].value == 1


def test_gold_with_only_phrases_is_scored_only_by_phrases():
    page = Page("page", Source.from_text(HTML))
    snippets = Snippets(("ferry came back", "nobody says this"), ("Home",))
    gold = GoldText(None, page.original, snippets)
    result = run_extractor(page, gold, setup("bte"), measures_of("ws,snippets").text)
    assert result.scores["snippets"] == Score(pytest.approx(2 / 3), 1.0, 0.5)
    assert result.unscored == {"ws": "only phrases are known of this page's gold text"}
    assert run(setup("bte"), measures="snippets").unscored == {
        "snippets": "no phrases are known of this page"
    }


def two_paragraphs():
    words = [("p", (0, 40 * k, 1000, 20), text) for k, text in enumerate(("one two", "three"))]
    return table(("body", (0, 0, 1000, 800), words))


def test_blocks_are_compared_by_place_only_where_the_gold_has_one():
    nodes = two_paragraphs()
    page = Page("page", nodes=nodes)
    expected = Segmentation(nodes, (Block((1,), 1), Block((3,), 1)))
    texts = [(expected.text_of(block), block.level) for block in expected.blocks]
    measures = measures_of("exact,b3-nodes,b3-edges-fine").blocks
    placed = run_segmenter(
        page, BlockGold(texts, expected), setup("webterrain", "rendered"), measures
    )
    assert placed.scores["exact"].value is not None
    assert placed.scores["b3-nodes"].value is not None
    assert placed.unscored == {"b3-edges-fine": "there is no picture of the page to find edges in"}
    gold = BlockGold(texts, None, "marked elsewhere")
    elsewhere = run_segmenter(page, gold, setup("webterrain", "rendered"), measures)
    assert elsewhere.scores["exact"] == placed.scores["exact"]
    assert elsewhere.unscored["b3-nodes"] == "marked elsewhere"
    assert set(elsewhere.scores) == {"exact"}


def test_a_segmenter_that_breaks_down_is_a_failed_run():
    result = run_segmenter(
        Page("page"),
        BlockGold([("x", 1)]),
        setup("webterrain", "rendered"),
        measures_of("exact").blocks,
    )
    assert result.status is RunStatus.FAILED
    assert result.reason == "this method needs the rendered page"
    assert result.blocks is None


def test_one_list_selects_text_and_block_measures():
    result = measures_of("ws,fuzzy")
    assert [m.key for m in result.text] == ["ws"]
    assert [m.key for m in result.blocks] == ["fuzzy"]
    assert measures_of(None).keys == measures_of("text,blocks,b3").keys
    assert measures_of("fuzzy").of(method("bte")) == measures_of(None).text
    assert set(measures_of("all").keys) > set(measures_of(None).keys)
    assert measures_of("all").need_edges
    assert not measures_of(None).need_edges


def test_unknown_measures_and_measures_of_the_wrong_kind_are_refused():
    with pytest.raises(
        InputError,
        match=r"; the nearest are .*; pagelet methods --measures lists",
    ):
        measures_of("ws,nonsense")
    with pytest.raises(InputError, match="none of them scores blocks"):
        measures_of("ws", ["segmentation"])


def test_a_setup_is_pickled_without_the_class_of_its_parameters():
    sent = setup("bte", tag_cost=2.5)
    pickled = pickle.dumps(sent)
    assert pickle.loads(pickled) == sent
    assert pickle.loads(pickled).params.tag_cost == 2.5
    assert type(sent.params).__name__.encode() not in pickled


def test_an_unread_page_has_a_fresh_copy_of_its_document():
    page = Page("page", Source.from_text(HTML))
    fresh = page.unread()
    assert fresh.original is not page.original
    assert fresh.original.html == page.original.html
    assert np.array_equal(fresh.original.tokens.spans, page.original.tokens.spans)
