"""Union: what enough members keep, each passage once, in the order of the page."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.attempt import attempt_members
from algorithms.core.catalogue import method
from algorithms.extraction.union import UnionParams, method_of
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import keep_words
from engine.errors import ParameterError
from engine.page import Page
from engine.source import Source


def keeper(key, letters):
    """A method that keeps the words that start with one of these letters."""

    def extract(source, params):
        return keep_words(
            source, np.array([word[0] in letters for word in source.words], dtype=bool)
        )

    return Method(key, key, Params, "extraction", "a test", extract, summary="A test.")


UNION = method_of({key: keeper(key, letters) for key, letters in (("x", "ab"), ("y", "bc"))})
PASSAGE = "<p>a1 a2 a3 a4 a5 a6 a7 a8</p>"


def run(html, **params):
    return UNION.on_source(Source.from_text(html), UnionParams(**params)).text


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"members": "x y"}, "a b c"),
        ({"members": "y x"}, "a b c"),
        ({"members": "x y", "least": 2.0}, "b"),
        ({"members": "x*2 y", "least": 2.0}, "a b"),
        ({"members": "x y", "least": 3.0}, ""),
        ({"members": "x", "least": 0.0}, "a b"),
    ],
)
def test_words_are_kept_by_the_sum_of_weights(params, text):
    assert run("<p>a <b>b</b> c d", **params) == text


def test_a_passage_that_the_page_repeats_is_kept_once_and_why_says_so():
    html = PASSAGE + "<p>b</p><p>b</p>" + PASSAGE
    assert run(html, members="x y").count("a1") == 1
    assert run(html, members="x y").count("b") == 2  # too short to be a passage
    assert run(html, members="x y", once=False).count("a1") == 2
    trace = UNION.trace_source(Source.from_text(html), UnionParams(members="x y"))
    assert "kept before" in trace.steps[1].sentence(0)


@given(st.floats(0, 6), st.floats(0, 6))
def test_more_agreement_keeps_no_other_words(one, other):
    html = "<p>a <b>b</b> c d</p>" + PASSAGE
    least, most = (run(html, members="x*2 y*3", least=k, once=False) for k in sorted((one, other)))
    assert set(most.split()) <= set(least.split())


def test_no_member_is_refused():
    with pytest.raises(ParameterError, match="members is empty"):
        UnionParams(members=" ")


def test_the_members_are_timed_on_a_page():
    entry = method("union")
    page = Page("page", Source.from_text("<p>" + "Some words of a page. " * 9))
    outcomes = attempt_members(entry, page, UnionParams(members="bte plain"), "original")
    assert [name for name, _ in outcomes] == ["BTE", "Plain"]
    assert all(outcome.seconds > 0 and outcome.result is not None for _, outcome in outcomes)
