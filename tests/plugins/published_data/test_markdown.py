"""Markdown is converted to the text that a reader sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.plugins.published_data.markdown import plain_text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# The ferry #\n\nIt came *back* at **noon**, _late_ and ***wet***.",
         "The ferry\nIt came back at noon, late and wet."),
        ("Ferry\n=====\nback\n---\nnoon\n\n* * *\nend", "Ferry\nback\nnoon\nend"),
        ("* one\n  - two\n+ three\n1. four\n2) five", "one\ntwo\nthree\nfour\nfive"),
        ("1\\. High water\n\\# no heading \\*no star\\*", "1. High water\n# no heading *no star*"),
        ("> quoted\n> > twice\n>bare", "quoted\ntwice\nbare"),
        ("[the ferry](http://x/a_(b) \"t\") and [more][1]\n\n[1]: http://x/ 'y'",
         "the ferry and more"),
        ("![a boat](b.png) [![c](c.png)](http://x/) d", "d"),
        ("<http://x/a_b_c> stays", "http://x/a_b_c stays"),
        ("| a | b |\n|---|:-:|\n| *c* | d\\|e |\nafter | all", "a b\nc d|e\nafter all"),
        ("a | b\n---|---\nc | `x|y`\n\nnot | a row", "a b\nc x|y\nnot | a row"),
        ("```python\nx = a*b*c\n# no heading\n```\nand `a*b*c` too",
         "x = a*b*c\n# no heading\nand a*b*c too"),
        ("~~~\na\n```\nb\n~~~\nc", "a\n```\nb\nc"),
        ("snake_case_name and 2 * 3 * 4 and a*b", "snake_case_name and 2 * 3 * 4 and a*b"),
        ("~~gone~~ caf&eacute; &lt;b&gt; <b>bold</b> a<br>b <!-- no -->",
         "gone café <b> bold a\nb"),
        ("$a_1 \\times b_2$", "$a_1 \\times b_2$"),
        ("a < b and c > d", "a < b and c > d"),
        ("", ""),
    ],
)  # fmt: skip
def test_markup_is_removed_and_words_are_kept(markdown, text):
    assert plain_text(markdown) == text


@given(st.text("ab*_`[]()|#>-~!\\\n<&; ", max_size=60))
def test_no_letters_are_added(markdown):
    text = plain_text(markdown)
    letters = [letter for letter in text if letter in "ab"]
    assert len(letters) <= sum(letter in "ab" for letter in markdown)
    assert not any(ord(letter) >= 0xF0000 for letter in text)


@pytest.mark.parametrize("piece", ["[", "![", "*a", "_a ", "`", "<a", "|a", "- ", "\\*", "~~a"])
def test_many_unclosed_marks_keep_their_words_in_linear_time(piece):
    """Quadratic time would take minutes."""
    data = plain_text(piece * 20_000)
    assert data.count("a") == piece.count("a") * 20_000
    assert data.count("[") == piece.count("[") * 20_000
