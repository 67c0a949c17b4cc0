"""Boilerpipe: text blocks and the printed decision tree."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.catalogue import method
from algorithms.extraction.boilerpipe import (
    by_density,
    by_words,
    largest,
    main_part,
    title_parts,
)
from algorithms.signals.text_blocks import TextBlocks, text_blocks
from engine.source import Source


def blocks(html, **kwargs):
    source = Source.from_text(html)
    result = text_blocks(source, **kwargs)
    first, last = source.tokens.spans[result.first, 0], source.tokens.spans[result.last - 1, 1]
    return [
        (source.text_of([[first[k], last[k]]]), int(result.words[k]), int(result.linked[k]))
        for k in range(len(result))
    ]


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


def test_blocks_of_the_paper_end_at_every_tag_except_links():
    assert blocks("a <b>b</b> <a>c</a>", inline_tags=("a",)) == [
        ("a", 1, 0),
        ("b", 1, 0),
        ("c", 1, 1),
    ]


def test_density_is_words_per_wrapped_line_without_the_last():
    words = " ".join(["ninechars"] * 20)  # eight a line of 80
    result = text_blocks(Source.from_text(f"<p>{words}<p>few words"))
    assert result.text_density.tolist() == [8.0, 2.0]
    assert result.link_density.tolist() == [0.0, 0.0]


def wrapped_density(text):
    """Return the density with lines wrapped as in the library: word by word, 80 characters."""
    lines, length, total, in_line = 0, -1, 0, 0
    for word in re.findall(r"[\w\"'.,!@\-:;$?()/]+", text):
        if not re.search(r"[^\W_]", word):
            continue
        total += 1
        in_line += 1
        length += len(word) + 1
        if length > 80:
            lines, length, in_line = lines + 1, len(word), 1
    return (total - in_line) / lines if lines else total


WORDS = st.sampled_from(
    ["a", "word", "x" * 30, "y" * 79, "z" * 80, "q" * 81, "r" * 200, "-", "–", "it's", "a—b"]
)


@given(st.lists(WORDS, max_size=40))
def test_density_is_the_librarys(words):
    text = " ".join(words)
    result = text_blocks(Source.from_text(f"<p>{text}</p><p>end"))
    assert result.text_density.tolist() == ([wrapped_density(text)] if words else []) + [1.0]


GLUE = st.lists(
    st.sampled_from(["foo", "-", "–", ".", "bar ", " ", "<b>", "</b>", "<a>", "</a>", "<i>"]),
    max_size=12,
)


@given(GLUE.map("".join))
def test_words_continue_across_inline_tags_as_in_the_library(html):
    """Tags of links separate words, those of b and i do not."""
    text = re.sub("</?[bi]>", "", re.sub("</?a>", " ", html))
    expected = [w for w in re.findall(r"[\w\"'.,!@\-:;$?()/]+", text) if re.search(r"[^\W_]", w)]
    found = text_blocks(Source.from_text(html))
    assert found.words.sum() == len(expected)
    if all(re.search(r"[^\W_]", w) for w in re.findall(r"[^<>\s]+", re.sub("<[^>]*>", " ", html))):
        assert found.lengths.tolist() == [len(w) for w in expected]


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


def _blocks(words, linked):
    none = np.zeros(0, dtype=np.int64)
    return TextBlocks(none, none, words, linked, none, none)


@given(st.lists(BLOCK, max_size=12))
def test_classes_are_the_printed_trees(rows):
    words = np.array([n for n, _ in rows], dtype=np.int64)
    linked = np.array([int(n * share) for n, share in rows], dtype=np.int64)
    n = len(rows)
    result = by_words(_blocks(words, linked))
    link = [k / m if m else 0.0 for k, m in zip(linked, words, strict=True)]
    at = lambda values, k: values[k] if 0 <= k < n else 0  # noqa: E731
    expected = [
        printed(link[k], at(link, k - 1), at(words, k - 1), words[k], at(words, k + 1))
        for k in range(n)
    ]
    assert result.tolist() == expected


def dense(curr_link, prev_link, prev_density, curr_density, next_density):
    """Algorithm 1, branch by branch."""
    if curr_link <= 0.333333:
        if prev_link <= 0.555556:
            if curr_density <= 9:
                if next_density <= 10:
                    return prev_density > 4
                return True
            return next_density != 0
        return next_density > 11
    return False


@given(st.lists(st.tuples(st.integers(0, 14), st.floats(0, 1)), max_size=12))
def test_dense_classes_are_the_printed_trees(rows):
    """In short blocks the words per line are the number of words."""
    html = "".join(
        "<p>" + "x " * (n - int(n * share)) + "<a>" + "y " * int(n * share) + "</a>|"
        for n, share in rows
    )
    result = text_blocks(Source.from_text(html))
    density, link = result.text_density.tolist(), result.link_density.tolist()
    assert density == [n for n, _ in rows]
    at = lambda values, k: values[k] if 0 <= k < len(rows) else 0  # noqa: E731
    expected = [
        dense(link[k], at(link, k - 1), at(density, k - 1), density[k], at(density, k + 1))
        for k in range(len(rows))
    ]
    assert by_density(result).tolist() == expected


def run(key, html, **params):
    entry = method(key)
    return entry.on_source(Source.from_text(html), entry.params(**params)).text


LONG = "many words in a paragraph " * 9
LINKS = "<ul>" + "<li><a>link</a></li>" * 5 + "</ul>"


@pytest.mark.parametrize("key", ["bp-numwords", "bp-density"])
def test_keeps_long_blocks_and_drops_link_lists(key):
    assert (
        run(key, f"{LINKS}<p>{LONG}</p><p>{LONG}</p>{LINKS}") == f"{LONG.strip()}\n{LONG.strip()}"
    )


def test_the_largest_content_is_the_longest_run_of_neighbours():
    html = f"<p>{LONG}</p>{LINKS}<p>head</p><p>{LONG}</p><p>{LONG}</p>{LINKS}<p>{LONG}</p>"
    both = f"{LONG.strip()}\n{LONG.strip()}"
    result = text_blocks(Source.from_text(html))
    content = by_words(result)
    run_of_content = largest(result, content, before=False)
    assert content.sum() > run_of_content.sum() >= 2
    assert run("bp-numwords+largest", html).endswith(both)
    assert largest(result, content, before=True).sum() == run_of_content.sum() + 1
    assert not largest(result, np.zeros(len(result), dtype=bool)).any()


def test_the_main_content_stands_between_title_and_comments():
    html = (
        f"<title>The long story - Some paper</title><p>{LONG} teaser</p><h1>The long story</h1>"
        f"<p>{LONG} story</p>"
        f"<h3>Comments (3)</h3><p>{LONG} comment</p><p>{LONG} comment</p>"
    )
    text = run("bp-numwords+main", html)
    assert "story" in text
    assert "teaser" not in text
    assert "comment" not in text
    assert run("bp-numwords+largest", html).count("comment") == 2


@pytest.mark.parametrize(
    "marker", ["12 comments", "Post a comment", "User comments:", "Have your say!"]
)
def test_markers_of_a_comments_section(marker):
    source = Source.from_text(f"<p>a</p><p>{marker}</p><p>b</p>")
    assert main_part(source, text_blocks(source)) == slice(0, 1)


def test_a_long_block_is_no_marker():
    source = Source.from_text(f"<p>a</p><p>Comments are what {LONG}</p>")
    assert main_part(source, text_blocks(source)) == slice(0, 2)


@pytest.mark.parametrize(
    ("title", "part"),
    [
        ("A story | Paper", "a story"),
        ("Paper: the long story (video)", "the long story"),
        ("It's", "its"),
    ],
)
def test_parts_of_a_title(title, part):
    assert part in title_parts(title)


def test_blocks_of_ten_words_are_kept_whatever_they_are():
    ten = "a b c d e f g h i j"
    assert run("bp-min10", f"<p>{ten}</p><p>a b c</p><a>{ten}</a>") == f"{ten}\n{ten}"
    assert run("bp-min10", "<p>a b c</p><p>d</p>", words=3) == "a b c"
