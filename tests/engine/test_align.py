"""Test the alignment of words of a source with rendered text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.align import Alignment
from engine.source import Source
from tests.serialised import rendered

TEXTS = st.text(alphabet="ab <>&\u00a0é漢\n;", min_size=1, max_size=12)
TREES = st.recursive(
    TEXTS,
    lambda inner: st.tuples(st.sampled_from(["div", "b", "td"]), st.lists(inner, max_size=4)),
    max_leaves=8,
).map(lambda tree: ("html", [tree]))


@given(TREES)
def test_every_word_of_the_dom_is_aligned_exactly(tree):
    source, nodes = rendered(tree)
    alignment = Alignment.of_dom(source, nodes)
    assert alignment.share == 1.0
    for word, (row, start, end) in zip(source.words, alignment.place.tolist(), strict=True):
        piece = nodes.text[row][start:end]
        assert word.startswith(piece)
        assert piece == word or end == len(nodes.text[row])  # the word continues in the next node


@given(TREES)
def test_alignments_of_original_and_dom_agree_on_one_document(tree):
    source, nodes = rendered(tree)
    exact, result = Alignment.of_dom(source, nodes), Alignment.of_original(source, nodes)
    texts = [nodes.text[row] for row in np.flatnonzero(nodes.is_text)]
    if all(text == text.strip() and text for text in texts):
        return  # neighbouring texts may be joined: words differ
    same = exact.place == result.place
    assert np.all(same | (result.place < 0) | ~same.all(axis=1, keepdims=True))


def test_references_and_raw_text_are_aligned():
    tree = ("html", ["a & b\u00a0c", ("noscript", ["<p>d &amp; e</p>"]), ("p", ["x<y z"])])
    source, nodes = rendered(tree)
    alignment = Alignment.of_dom(source, nodes)
    pieces = [nodes.text[row][start:end] for row, start, end in alignment.place.tolist()]
    assert pieces == ["a", "&", "b", "c", "d", "&amp;", "e", "x<y", "z"]


ARTICLE = ("html", [("p", ["one two ", ("b", ["three"]), " four"]), ("p", ["five & six"])])


def spans(html, *parts):
    return [[html.index(part), html.index(part) + len(part)] for part in parts]


def test_spans_are_converted_to_ranges_of_text_nodes():
    source, nodes = rendered(ARTICLE)
    alignment = Alignment.of_dom(source, nodes)
    whole = alignment.ranges([[0, len(source.html)]]).tolist()
    assert [nodes.text[r][a:b] for r, a, b in whole] == ["one two", "three", "four", "five & six"]
    some = alignment.ranges(spans(source.html, "wo <b>thr", "&amp;")).tolist()
    assert [nodes.text[r][a:b] for r, a, b in some] == ["wo", "thr", "&"]
    assert alignment.ranges([]).shape == (0, 3)


def test_ranges_are_converted_to_spans_of_the_source():
    source, nodes = rendered(ARTICLE)
    alignment = Alignment.of_dom(source, nodes)
    one, three, five = (nodes.text.index(t) for t in ("one two ", "three", "five & six"))
    ranges = [[one, 0, 7], [three, 0, 5], [five, 2, 8]]
    result = [source.html[a:b] for a, b in alignment.spans(ranges).tolist()]
    assert result == ["one two <b>three", "ve", "&amp;", "s"]
    assert alignment.spans([]).shape == (0, 2)
    assert alignment.spans([[one, 3, 4]]).shape == (0, 2)


@given(TREES, st.data())
def test_spans_converted_to_ranges_and_back_keep_their_words(tree, data):
    source, nodes = rendered(tree)
    alignment = Alignment.of_dom(source, nodes)
    count = len(source.words)
    chosen = sorted(data.draw(st.sets(st.integers(0, max(0, count - 1)), max_size=count)))
    expected = source.tokens.spans[chosen] if count else np.zeros((0, 2), np.int32)
    back = alignment.spans(alignment.ranges(expected))
    result = [k for first, last in source.words_in(back).tolist() for k in range(first, last)]
    positions = [tuple(position) for position in alignment.place.tolist()]
    assert {positions[k] for k in result} == {positions[k] for k in chosen if count}


@given(
    TREES,
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 12), st.integers(0, 12)), max_size=5),
)
def test_any_ranges_are_converted_to_ordered_spans(tree, ranges):
    source, nodes = rendered(tree)
    for alignment in (Alignment.of_dom(source, nodes), Alignment.of_original(source, nodes)):
        edges = alignment.spans(ranges).ravel().tolist()
        assert edges == sorted(edges)


def test_an_original_with_different_markup_is_aligned():
    _, nodes = rendered(ARTICLE)
    source = Source.from_text(
        "<title>one</title><p>one two gone <i>three</i> four<p>five &#38; six"
    )
    alignment = Alignment.of_original(source, nodes)
    result = [nodes.text[r][a:b] if r >= 0 else "" for r, a, b in alignment.place.tolist()]
    assert result == ["one", "two", "", "three", "four", "five", "&", "six"]
    assert alignment.share == pytest.approx(7 / 8)


def test_a_source_without_words_is_aligned_completely():
    source, nodes = rendered(("html", []))
    assert Alignment.of_dom(source, nodes).share == 1.0
    assert Alignment.of_original(source, nodes).share == 1.0
