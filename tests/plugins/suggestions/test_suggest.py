"""Suggestions: what several methods propose, put together where they agree."""

import numpy as np

from algorithms.results import Block, Extraction, Segmentation
from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Target
from annotate.plugins.suggestions.suggestions import accepted, open_ones, suggest
from tests.annotate.pages import page_of, row_of

PAGE = page_of(
    "<header id=head>The Courier</header>"
    "<div id=wrap><main id=main><p id=one>The ferry is back.</p><p id=two>Nobody was hurt.</p>"
    "</main></div><aside id=side><p id=ad>Buy a boat</p></aside>"
)
NODES = PAGE.rendered()


def row(name):
    return row_of(NODES, name)


def blocks(*found):
    return Segmentation(
        NODES, tuple(Block((row(name),), level, type_) for name, level, type_ in found)
    )


def text(*words):
    spans = [(PAGE.dom.html.index(w), PAGE.dom.html.index(w) + len(w)) for w in words]
    return Extraction(PAGE.dom, np.array(spans, dtype=np.int32))


def told(found):
    return [(s.level, s.type, s.rows, s.methods) for s in found]


def test_methods_that_propose_the_same_agree_also_around_a_wrapper():
    result = suggest(
        PAGE,
        {
            "a": blocks(("head", 1, "Header"), ("wrap", 1, "")),
            "b": blocks(("main", 1, "Content"), ("ad", 2, "Ad")),
        },
    )
    assert told(result) == [
        (1, "Header", (row("head"),), ("a",)),
        (1, "Content", (row("wrap"),), ("a", "b")),
        (2, "Ad", (row("ad"),), ("b",)),
    ]
    assert {s.asked for s in result} == {2}


def test_level_and_type_are_those_of_most_methods_and_of_equals_the_first():
    result = suggest(
        PAGE,
        {
            "a": blocks(("head", 2, "Logo")),
            "b": blocks(("head", 1, "Header")),
            "c": blocks(("head", 1, "")),
        },
    )
    assert told(result) == [(1, "Logo", (row("head"),), ("a", "b", "c"))]


def test_main_content_is_suggested_by_element_with_those_that_keep_it():
    both, one = "The ferry is back.", "Nobody was hurt."
    result = suggest(PAGE, {"a": text(both, one), "b": text(both)})
    assert told(result) == [
        (MAIN, "", (row("one"),), ("a", "b")),
        (MAIN, "", (row("two"),), ("a",)),
    ]
    assert suggest(PAGE, {"a": text(both, one), "b": text(both, one)})[0].rows == (row("wrap"),)


def test_half_a_text_is_kept_and_less_is_not():
    assert told(suggest(PAGE, {"a": text("Nobody was")})) == [(MAIN, "", (row("two"),), ("a",))]
    assert suggest(PAGE, {"a": text("Nobody")}) == ()


def test_what_is_marked_drafted_or_rejected_is_not_suggested_again():
    results = {"a": blocks(("head", 1, "Header"), ("wrap", 1, "")), "b": text("Nobody was hurt.")}
    result = suggest(PAGE, results)
    assert open_ones(result, Gold(), NODES) == result
    gold = edits.add_block(Gold(), NODES, [Target(row("main"))], 1)
    assert [s.rows for s in open_ones(result, gold, NODES)] == [(row("head"),), (row("two"),)]
    gold = edits.add_main(gold, NODES, [Target(row("main"))])
    (left,) = open_ones(result, gold, NODES)
    assert open_ones(result, gold, NODES, {left.key}) == ()


def test_an_accepted_suggestion_is_gold_with_its_type():
    first, second = suggest(PAGE, {"a": blocks(("head", 1, "Header")), "b": text("Buy a boat")})
    gold = accepted(accepted(Gold(), NODES, first), NODES, second)
    assert [(m.level, m.type, m.is_draft) for m in gold.marks] == [
        (1, "Header", False),
        (MAIN, "", False),
    ]


def test_a_page_on_which_nothing_was_found_has_no_suggestions():
    assert suggest(PAGE, {}) == ()
    assert suggest(PAGE, {"a": blocks(), "b": Extraction(PAGE.dom, np.zeros((0, 2)))}) == ()
