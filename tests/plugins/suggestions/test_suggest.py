"""Suggestions: blocks and main content of several methods, merged where they agree."""

import numpy as np

from algorithms.results import Block, Extraction, Segmentation
from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Target
from annotate.plugins.suggestions.suggestions import accept_suggestion, open_ones, suggest
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


def test_equal_blocks_of_methods_are_merged_even_around_a_wrapper():
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


def test_level_and_type_follow_most_methods_or_else_the_first():
    result = suggest(
        PAGE,
        {
            "a": blocks(("head", 2, "Logo")),
            "b": blocks(("head", 1, "Header")),
            "c": blocks(("head", 1, "")),
        },
    )
    assert told(result) == [(1, "Logo", (row("head"),), ("a", "b", "c"))]


def test_main_content_is_suggested_by_element_with_the_methods_keeping_it():
    both, one = "The ferry is back.", "Nobody was hurt."
    result = suggest(PAGE, {"a": text(both, one), "b": text(both)})
    assert told(result) == [
        (MAIN, "", (row("one"),), ("a", "b")),
        (MAIN, "", (row("two"),), ("a",)),
    ]
    assert suggest(PAGE, {"a": text(both, one), "b": text(both, one)})[0].rows == (row("wrap"),)


def test_an_element_counts_as_kept_from_half_of_its_text():
    assert told(suggest(PAGE, {"a": text("Nobody was")})) == [(MAIN, "", (row("two"),), ("a",))]
    assert suggest(PAGE, {"a": text("Nobody")}) == ()


def test_marked_and_rejected_elements_are_not_suggested_again():
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
    gold = accept_suggestion(accept_suggestion(Gold(), NODES, first), NODES, second)
    assert [(m.level, m.type, m.is_draft) for m in gold.marks] == [
        (1, "Header", False),
        (MAIN, "", False),
    ]


def test_a_page_without_results_of_methods_has_no_suggestions():
    assert suggest(PAGE, {}) == ()
    assert suggest(PAGE, {"a": blocks(), "b": Extraction(PAGE.dom, np.zeros((0, 2)))}) == ()
