"""Explanations of why words are in a block or in none, on the command line."""

import json
from dataclasses import replace

import pytest

from algorithms.core.attempt import GoldResults
from algorithms.core.catalogue import method
from algorithms.explain.why import has_turned
from algorithms.results import Block, Segmentation
from engine.errors import InputError
from engine.page import Page
from engine.source import Source
from gui.cli.questions import PageQuestion
from gui.cli.why import as_json, as_text, explain_blocks, explain_text, rows_of_text
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
                    ("p", (0, 200, 700, 600), "It   returned this morning."),
                ],
            ),
            ("aside", (700, 100, 300, 700), "Most read today"),
        ],
    )
)
PAGE = Page("/pages/ferry.html", nodes=NODES)
GOLD = Segmentation(NODES, tuple(Block((row,), 1) for row in (2, 4, 9)))


def answer(key: str, words: str, gold: Segmentation | None = GOLD):
    entry = method(key)
    of = PageQuestion(entry, entry.params(), "rendered", PAGE)
    return explain_blocks(of, GoldResults(None, gold), words)


@pytest.mark.parametrize(
    ("words", "row"),
    [("returned  THIS", 8), ("Most read", 10), ("Ferry back It returned this", 8), ("back", 6)],
)
def test_words_are_found_in_any_case_and_with_any_white_space(words, row):
    assert rows_of_text(NODES, words)[0] == row


def test_words_beside_a_number_without_a_gap_are_found():
    item = (
        "li",
        (0, 0, 99, 20),
        [("b", (0, 0, 9, 20), "1"), ("a", (9, 0, 90, 20), "Swan holds up")],
    )
    nodes = table(("body", (0, 0, 99, 40), [item]))
    assert nodes.text[rows_of_text(nodes, "swan holds")[0]] == "Swan holds up"
    with pytest.raises(InputError, match="does not show"):
        rows_of_text(nodes, "wan holds")


@pytest.mark.parametrize(("words", "problem"), [("turned", "does not show"), ("  ", "is empty")])
def test_missing_and_empty_words_are_refused_with_one_sentence(words, problem):
    with pytest.raises(InputError, match=problem):
        rows_of_text(NODES, words)


@pytest.mark.parametrize("key", ["webterrain", "vips", "terrain", "page-style"])
def test_an_answer_has_decision_cost_and_a_counterfactual_confirmed_by_a_run(key):
    result = answer(key, "Most read")
    data = json.loads(json.dumps(as_json(result)))
    assert data["decision"] == ("block" if result.explanation.why.is_kept else "no block")
    assert "Most read today" in data["text"]
    assert 0 <= data["f1"] <= 1
    assert 0 <= data["f1_if_turned"] <= 1
    assert data["measure"] in as_text(result)
    change = data["flip"]
    if change is None:
        assert "No change of a single parameter" in as_text(result)
        return
    entry = method(key)
    params = replace(entry.params(), **{change["parameter"]: change["after"]})
    again = entry.run(PAGE, params, "rendered")
    assert has_turned(again, result.explanation.why)
    now = change["before"] if not change["meaning"] else f"{change['before']}: {change['meaning']}"
    assert f"{change['after']} (now {now})" in as_text(result)


SHARE = "its largest part is"


def test_the_explanation_of_vips_lists_each_round_with_rules_and_numbers():
    explanation = answer("vips", "returned this").explanation
    assert explanation.steps[:5] == (
        "<body> divided: round 1; it is all of the block being divided (rule 3)",
        "<p> kept whole: round 1; nothing but text in it (rule 4, DoC 10)",
        (
            f"<main> divided: {SHARE} .53 of the block being divided (must be less than .10); "
            f"round 1: no rule keeps it whole (rule 12)"
        ),
        "<p> coherent enough: degree of coherence (DoC) 10 (at least 4 needed); after round 1",
        "<main> a node: laid out again in round 1; merged over light separators (DoC 10)",
    )


def test_an_answer_without_gold_has_no_cost():
    result = answer("page-style", "Most read", None)
    assert as_json(result)["f1"] is None
    assert "with this one decision reversed" not in as_text(result)


@pytest.mark.parametrize("words", ["so marvellous", "caf\u00e9", "cafe\u0301"])
def test_words_are_found_in_any_spelling_of_accents_and_soft_hyphens(words):
    text = "so mar\u00advel\u00adlous a cafe\u0301"
    nodes = table(("body", (0, 0, 99, 40), [("p", (0, 0, 99, 20), text)]))
    assert nodes.text[rows_of_text(nodes, words)[0]] == text


MENU_AND_STORY = (
    "<ul><li><a href=/>Open letter to the council</a><li><a href=/x>All letters</a></ul>"
    "<div><p>Open letter to the council, that was written by the people of the harbour.</div>"
)


def test_words_in_two_places_are_reported_as_two():
    entry = method("lqf")
    page = Page("letter.html", Source.from_text(MENU_AND_STORY))
    of = PageQuestion(entry, entry.params(), "original", page)
    result = explain_text(of, "Open letter to the council")
    assert as_json(result)["decision"] == "dropped"
    assert as_json(result)["kept_elsewhere"] == [True]
    assert as_json(result)["elsewhere"] == [
        "council All letters Open letter to the council, that was written"
    ]
    said = as_text(result)
    assert "2 times. This is the first; the other: kept in “council All letters Open" in said
    alone = explain_text(of, "All letters")
    assert as_json(alone)["kept_elsewhere"] == []
    assert "places" not in as_text(alone)


def test_words_in_two_rows_are_reported_as_two():
    nodes = table(
        (
            "body",
            (0, 0, 999, 900),
            [("p", (0, 0, 999, 50), "Swan lake"), ("p", (0, 60, 999, 50), "Swan lake")],
        )
    )
    entry = method("vips")
    of = PageQuestion(entry, entry.params(), "rendered", Page("/x.html", nodes=nodes))
    result = explain_blocks(of, GoldResults(), "Swan lake")
    assert len(as_json(result)["kept_elsewhere"]) == 1
    assert "The page has these words 2 times" in as_text(result)
