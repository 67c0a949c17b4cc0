"""Every explanation is confirmed by a run of the method."""

from dataclasses import replace

import numpy as np
import pytest

import resources
from algorithms.core.catalogue import METHODS, method
from algorithms.explain.differences import ErrorKind, text_errors, words_kept
from algorithms.explain.why import TextQuery
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words
from algorithms.results import Extraction, keep_words
from engine.source import Source

TRACED = [entry for entry in METHODS if entry.trace_source is not None]
TAKE_SECONDS = "gleaner", "union", "ccb", "accb"
TURNED = {
    "bte", "dsc", "adsc", "ccb", "accb", "tccb", "cetr-tm", "cetr-km", "cetr", "bp-min10", "lqf-25",
    "lqf", "lqf-75", "lqf-nested", "crunch",
}  # fmt: skip
"""Methods of which one parameter alone turns a decision on the article within a second."""
MENU = (
    "<ul><li><a href=a>home</a><li><a href=b>news</a><li><a href=c>about us</a></ul>"
    "<p>the long story of the day, told at <a href=d>length</a> and with care</p>"
)


@pytest.fixture(scope="module")
def article():
    return Source.from_bytes((resources.path("corpus") / "news" / "index.html").read_bytes())


def test_a_link_list_is_dropped_for_its_share_of_links():
    source = Source.from_text(MENU)
    why = TextQuery(method("lqf"), source, method("lqf").params()).why(0)
    assert why is not None
    assert not why.is_kept
    assert why.text == "home"
    assert why.sentence == (
        "dropped: share of the block's characters in links 1.00 (at most .50 allowed); the "
        "block is <li>"
    )


def test_the_counterfactual_of_a_threshold_is_the_nearest_value_that_turns_it():
    source = Source.from_text(f"{MENU}<p>Another story, without a link, is left on the page.</p>")
    entry = method("lqf")
    asked = TextQuery(entry, source, entry.params())
    story = asked.why(5)
    change = asked.counterfactual(story).counterfactual
    assert (change.parameter, change.before) == ("threshold", 0.5)
    share = story.decisions[-1].value
    assert share - 0.01 <= change.after < share


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(each, marks=pytest.mark.slow if each.key in TAKE_SECONDS else (), id=each.key)
        for each in TRACED
    ],
)
def test_a_counterfactual_turns_the_decision_when_the_method_is_run_with_it(entry, article):
    params = entry.params()
    asked = TextQuery(entry, article, params, article.text)
    results = 0
    for word in range(3, asked.trace.size, asked.trace.size // 5):
        why = asked.why(word)
        change = asked.counterfactual(why, seconds=1.0).counterfactual
        if change is None:
            continue
        results += 1
        result = entry.on_source(article, replace(params, **{change.parameter: change.after}))
        is_kept = words_kept(result, article)[why.first : why.last].mean() > 0.5
        assert is_kept != why.is_kept
        again = score_words(Words(result.text), Words(article.text)).ws.f1
        assert change.f1 == pytest.approx(again)
    assert results or entry.key not in TURNED


def test_the_cost_is_the_score_with_only_that_decision_turned(article):
    entry = method("accb")
    gold = article.text
    asked = TextQuery(entry, article, entry.params(), gold)
    why = asked.why(asked.trace.size // 2)
    words = asked.trace.kept.copy()
    assert why.f1 == score_words(Words(keep_words(article, words).text), Words(gold)).ws.f1
    words[why.first : why.last] = not why.is_kept
    assert why.turned_f1 == score_words(Words(keep_words(article, words).text), Words(gold)).ws.f1


def test_errors_are_the_words_only_one_side_has():
    source = Source.from_text("<p>one two</p><p>three four</p><p>five</p>")
    first, rest = np.array([[3, 10]]), np.array([[10, 45]])
    errors = text_errors(Extraction(source, first), Extraction(source, rest))
    assert [(e.kind, e.text, e.words) for e in errors] == [
        (ErrorKind.SUPERFLUOUS, "one two", 2),
        (ErrorKind.MISSING, "three four\nfive", 3),
    ]


def test_a_result_equal_to_gold_has_no_errors(article):
    result = method("plain").on_source(article, method("plain").params())
    assert text_errors(result, result) == ()
