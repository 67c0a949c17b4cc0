"""Ensembles: votes, weights, one after the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.catalogue import EXTRACTORS, method
from algorithms.extraction.combine import (
    CombineParams,
    blanked,
    method_of,
    parse_members,
    serial,
    votes,
)
from algorithms.method import Method
from algorithms.params import Params
from algorithms.spans import keep_words
from engine.errors import ParameterError
from engine.source import Source


def keeper(key, letters):
    """A method that keeps the words that start with one of these letters."""

    def extract(source, params):
        return keep_words(
            source, np.array([word[0] in letters for word in source.words], dtype=bool)
        )

    return Method(key, key, Params, "extraction", "a test", extract, summary="A test.")


KNOWN = {entry.key: entry for entry in (keeper("x", "ab"), keeper("y", "bc"), keeper("z", "b"))}
COMBINE = method_of(KNOWN)


def run(html, **params):
    return COMBINE.on_source(Source.from_text(html), CombineParams(**params)).text


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"members": "x y z"}, "b"),
        ({"members": "x x y"}, "a b"),
        ({"members": "x y"}, "b"),
        ({"members": "x y", "mode": "weighted"}, "a b c"),
        ({"members": "x*3,y", "mode": "weighted", "threshold": 0.75}, "a b"),
        ({"members": "x*0.1 y*0.2", "mode": "weighted", "threshold": 1.0}, "b"),
        ({"members": "x", "mode": "weighted", "threshold": 0.0}, "a b"),
        ({"members": "x y", "mode": "serial"}, "b"),
        ({"members": "y x", "mode": "serial"}, "b"),
    ],
)
def test_words_stay_by_vote_or_in_turn(params, text):
    assert run("<p>a <b>b</b> c d", **params) == text


@pytest.mark.parametrize(
    ("members", "message"),
    [(" , ", "empty"), ("x*", "want a number"), ("x*two", "'two'"), ("x*0", "more than 0")],
)  # fmt: skip
def test_members_that_make_no_sense_are_refused(members, message):
    with pytest.raises(ParameterError, match=message):
        CombineParams(members=members)


def test_an_unknown_member_is_named_with_those_there_are():
    with pytest.raises(ParameterError, match="no method 'q'; there is: x, y, z"):
        run("a", members="x q")


def test_members_have_weight_one_unless_said():
    assert parse_members("bte*2.5, dsc") == [("bte", 2.5), ("dsc", 1.0)]


MARKUP = ["<p>", "</p>", "<b>", "word ", "other", "&amp;", " ", "<script>x</script>", "<!-- c -->"]


@given(st.lists(st.sampled_from(MARKUP), max_size=20).map("".join), st.data())
def test_blanking_leaves_all_but_the_words_where_they_were(html, data):
    source = Source.from_text(html)
    size = len(source.words)
    left = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), dtype=bool)
    other = Source.from_text(blanked(source, left))
    assert len(other.html) == len(html)
    kept = source.tokens.spans[left]
    assert other.tokens.spans.tolist() == kept.tolist()
    tags = source.tokens.start[source.tokens.is_tag]
    assert other.tokens.start[other.tokens.is_tag].tolist() == tags.tolist()


def test_real_members_agree_with_themselves():
    html = "<ul>" + "<li><a href=x>link</a>" * 20 + "</ul><p>" + "a word of a story " * 40 + "</p>"
    source = Source.from_text(html)
    for entry in EXTRACTORS[:8]:
        alone = entry.on_source(source, entry.params()).text
        share = votes(source, [(entry, 2.0)])
        assert keep_words(source, share == 1.0).text == alone
        assert keep_words(source, serial(source, [entry])).text == alone


def test_the_catalogues_entry_has_members_that_exist():
    combine = method("combine")
    for key, _ in parse_members(combine.params().members):
        assert method(key).on_source
