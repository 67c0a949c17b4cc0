"""Ensembles: votes, weights, one after the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.catalogue import EXTRACTORS, method
from algorithms.extraction.combine import CombineParams, blank_dropped, method_of, serial
from algorithms.members import EnsembleMember, Voter, parse_members, votes
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import keep_words
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
    [(" , ", "empty"), ("x*", "must be a number"), ("x*two", "'two'"), ("x*0", "more than 0"),
     ("x*1(a=1)*2", "x has two weights"), ("x(a=1", "x have no closing bracket"),
     ("*2", "not start with a method's key"),
     ("x(1)", "'1' in x; expected name=value"), ("x(a=1,a=2)", "x has a twice"),
     ("x)y", "after x; expected a blank")],
)  # fmt: skip
def test_invalid_members_are_refused(members, message):
    with pytest.raises(ParameterError, match=message):
        CombineParams(members=members)


def test_an_unknown_member_is_named_with_the_known_ones():
    with pytest.raises(ParameterError, match="unknown method 'q'; choose from x, y, z"):
        run("a", members="x q")


def test_an_invalid_parameter_of_a_member_is_reported_with_its_method():
    for members, message in [
        ("accb(range=x)", "members: accb: range must be a whole number, got 'x'"),
        ("accb(range=0)", "members: accb: range must be at least 1, got 0"),
        ("bte(width=1)", "members: bte: unknown parameter 'width'; choose from tag_cost"),
    ]:
        combine = method("combine")
        with pytest.raises(ParameterError, match=message):
            combine.on_source(Source.from_text("a"), combine.params(members=members))


def test_members_have_weight_1_and_default_parameters_unless_given():
    assert parse_members("bte*2.5, dsc") == (EnsembleMember("bte", 2.5), EnsembleMember("dsc"))
    assert parse_members("accb(range=25, whole=no)*2 x()") == (
        EnsembleMember("accb", 2.0, (("range", "25"), ("whole", "no"))),
        EnsembleMember("x"),
    )
    assert parse_members("""x(tags="table, ul (old)", by='a"b')*3""") == (
        EnsembleMember("x", 3.0, (("tags", "table, ul (old)"), ("by", 'a"b'))),
    )


def test_a_members_parameters_are_its_own():
    html = "<p>" + "a story of many words " * 30 + "</p><ul>" + "<li>and <b>a</b> menu" * 9
    source = Source.from_text(html)
    combine = method("combine")
    for text in ("bp-min10(words=0)", "plain*2 bp-min10(words=0)"):
        params = combine.params(members=text, mode="serial")
        assert (
            combine.on_source(source, params).text
            == method("plain").on_source(source, method("plain").params()).text
        )
    strict = combine.params(members="bp-min10(words=200)")
    assert combine.on_source(source, strict).text == ""


MARKUP = ["<p>", "</p>", "<b>", "word ", "other", "&amp;", " ", "<script>x</script>", "<!-- c -->"]


@given(st.lists(st.sampled_from(MARKUP), max_size=20).map("".join), st.data())
def test_blanking_leaves_all_but_the_words_where_they_were(html, data):
    source = Source.from_text(html)
    size = len(source.words)
    left = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), dtype=bool)
    other = Source.from_text(blank_dropped(source, left))
    assert len(other.html) == len(html)
    remaining = source.tokens.spans[left]
    assert other.tokens.spans.tolist() == remaining.tolist()
    tags = source.tokens.start[source.tokens.is_tag]
    assert other.tokens.start[other.tokens.is_tag].tolist() == tags.tolist()


def test_real_members_agree_with_themselves():
    html = "<ul>" + "<li><a href=x>link</a>" * 20 + "</ul><p>" + "a word of a story " * 40 + "</p>"
    source = Source.from_text(html)
    for entry in EXTRACTORS[:8]:
        alone = entry.on_source(source, entry.params()).text
        voter = Voter(entry, entry.params(), 2.0)
        assert keep_words(source, votes(source, [voter]) == 1.0).text == alone
        assert keep_words(source, serial(source, [voter])).text == alone


def test_the_catalogues_entry_has_members_that_exist():
    combine = method("combine")
    for member in parse_members(combine.params().members):
        assert method(member.key).on_source
