"""Boilerpipe: text blocks and the printed decision tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.extraction.bp_numwords import NumWordsParams, content_blocks, extract
from algorithms.text_blocks import TextBlocks, text_blocks
from engine.source import Source


def blocks(html, **kwargs):
    found = text_blocks(Source.from_text(html), **kwargs)
    return [(found.text(k), int(found.words[k]), int(found.linked[k])) for k in range(len(found))]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", []),
        ("<p>one two<p>three", [("one two", 2, 0), ("three", 1, 0)]),
        ("<p>one <a>two three</a> <b>four</b>", [("one two three four", 4, 2)]),
        ("one<br>two", [("one", 1, 0), ("two", 1, 0)]),
        ("one<img>two", [("one", 1, 0), ("two", 1, 0)]),
        ("|<p>a", [("|", 0, 0), ("a", 1, 0)]),
        ("don't stop-gap (now)", [("don't stop-gap (now)", 3, 0)]),
        (
            "here\u2014there \u201cquoted\u201d \u2013 x",
            [("here\u2014there \u201cquoted\u201d \u2013 x", 4, 0)],
        ),
        ("f<b>oo</b>bar", [("foobar", 1, 0)]),
        ("a<abbr>b</abbr>", [("ab", 2, 0)]),
        ("a<a>b</a>", [("ab", 2, 1)]),
        ("a<noscript>no</noscript><select><option>no</select>b", [("a", 1, 0), ("b", 1, 0)]),
        ("<a><p>linked</p></a>", [("linked", 1, 1)]),
    ],
)
def test_blocks_with_their_words_and_links(html, expected):
    assert blocks(html) == expected


def test_the_papers_blocks_end_at_all_tags_but_links():
    assert blocks("a <b>b</b> <a>c</a>", inline_tags=("a",)) == [
        ("a", 1, 0),
        ("b", 1, 0),
        ("c", 1, 1),
    ]


def test_density_is_words_per_wrapped_line_without_the_last():
    words = " ".join(["ninechars"] * 20)  # eight a line of 80
    found = text_blocks(Source.from_text(f"<p>{words}<p>few words"))
    assert found.text_density.tolist() == [8.0, 2.0]
    assert found.link_density.tolist() == [0.0, 0.0]


def printed(curr_link, prev_link, prev_words, curr_words, next_words):
    """Algorithm 2, branch by branch."""
    if curr_link <= 0.333333:
        if prev_link <= 0.555556:
            if curr_words <= 16:
                if next_words <= 15:
                    return prev_words > 4
                return True
            return True
        if curr_words <= 40:
            return next_words > 17
        return True
    return False


BLOCK = st.tuples(st.integers(0, 60), st.floats(0, 1))


@given(st.lists(BLOCK, max_size=12))
def test_classes_are_the_printed_trees(rows):
    words = np.array([n for n, _ in rows], dtype=np.int64)
    linked = np.array([int(n * share) for n, share in rows], dtype=np.int64)
    n = len(rows)
    found = content_blocks(
        TextBlocks(Source.from_text(""), np.zeros(n, int), np.ones(n, int), words, linked)
    )
    link = [k / m if m else 0.0 for k, m in zip(linked, words, strict=True)]
    at = lambda values, k: values[k] if 0 <= k < n else 0  # noqa: E731
    expected = [
        printed(link[k], at(link, k - 1), at(words, k - 1), words[k], at(words, k + 1))
        for k in range(n)
    ]
    assert found.tolist() == expected


def test_keeps_long_blocks_and_drops_link_lists():
    story = "<p>" + "many words in a paragraph " * 9 + "</p>"
    html = "<ul>" + "<li><a>link</a></li>" * 5 + "</ul>" + story + "<div><a>more</a></div>"
    assert (
        extract(Source.from_text(html), NumWordsParams()).text
        == ("many words in a paragraph " * 9).strip()
    )
