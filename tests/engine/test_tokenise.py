"""Test that the tokeniser recognises markup as a browser does and never raises."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tokenise import attributes, tokenise

SIGNS = [*"<>/=!-?&;\"' \n\0aB1é漢\ud800İ", ' x="y>z"', " q='<b>'", "<a href=x>", "<SCRIPT "]
MARKUP = (
    "<p> </p> <br/> <!-- --> --!> <script> </script> <style> <title> </title> <textarea> "
    "</textarea> <xmp> <![CDATA[ ]]> <?xml <td &nbsp; &#160 &#xA0; &amp; word"
).split()
HTML = st.lists(st.sampled_from(SIGNS + MARKUP), max_size=40).map("".join)


def seen(html):
    """Return words as written, and tags as <name> and </name>."""
    tokens = tokenise(html)
    rows = zip(tokens.start, tokens.end, tokens.name, tokens.is_close, strict=True)
    return [
        html[start:end] if name < 0 else f"<{'/' if close else ''}{tokens.names[name]}>"
        for start, end, name, close in rows
    ]


@pytest.mark.parametrize(
    ("html", "tokens"),
    [
        ("", []),
        ("two words", ["two", "words"]),
        ("<p>a <b>b</b>c</P>", ["<p>", "a", "<b>", "b", "</b>", "c", "</p>"]),
        ("<br/><IMG src=x />", ["<br>", "<img>"]),
        ("1 < 2 and 3 <4> 5", ["1", "<", "2", "and", "3", "<4>", "5"]),
        ("a<!-- <p>no</p> -->b", ["a", "b"]),
        ("a<!-->b<!--->c<!-- x --!>d", ["a", "b", "c", "d"]),
        ("<!DOCTYPE html><?xml version='1'?>a", ["a"]),
        ("a<![CDATA[ no <b>b</b> ]]>c", ["a", "b", "</b>", "]]>c"]),
        ("<svg><![CDATA[a <b> ]]>c", ["<svg>", "a", "<b>", "c"]),
        ("<svg><p><![CDATA[ b>c", ["<svg>", "<p>", "c"]),
        (
            "<iframe>a<b></iframe>c<iframe>d<p>",
            ["<iframe>", "a<b>", "</iframe>", "c", "<iframe>", "d", "<p>"],
        ),
        (
            "<noscript><iframe></noscript>a</iframe>",
            ["<noscript>", "<iframe>", "</noscript>", "a", "</iframe>"],
        ),
        ("a<plaintext><b></plaintext>", ["a", "<plaintext>", "<b></plaintext>"]),
        (
            "<frameset>a<noframes>b<p></noframes>c",
            ["<frameset>", "<noframes>", "b<p>", "</noframes>"],
        ),
        ("a<frameset>b", ["a", "<frameset>", "b"]),
        ("<svg><title>a</svg>b", ["<svg>", "<title>", "</svg>", "b"]),
        ("a</>b</ no>c", ["a", "b", "c"]),
        ("<script>if (a<b) c</script>d", ["<script>", "</script>", "d"]),
        ("<SCRIPT>x</Script >d", ["<script>", "</script>", "d"]),
        (
            "<style>p > a {}</style><title>t</title>d",
            ["<style>", "</style>", "<title>", "</title>", "d"],
        ),
        ("<scripted>a</scripted>", ["<scripted>", "a", "</scripted>"]),
        ("<script><!-- w('<script>x</script>') --></script>d", ["<script>", "</script>", "d"]),
        ("<script>'<!--'</script>d", ["<script>", "</script>", "d"]),
        ("<textarea><b>raw</textarea>d", ["<textarea>", "<b>raw", "</textarea>", "d"]),
        ("a<!-- never closed <p>b", ["a"]),
        ("a<script>never closed <p>b", ["a", "<script>"]),
        ("a <p class='x", ["a"]),
        ("a<p <b>c", ["a", "<p>", "c"]),
        ('<a title="x > y">z</a>', ["<a>", "z", "</a>"]),
        ('<a title=\'<b>"x"</b>\' id = "<i>">z', ["<a>", "z"]),
        ('<p data-x="<script>">a</p>b', ["<p>", "a", "</p>", "b"]),
        ('<p data-x="<!-- ">a</p>b<!-- c -->', ["<p>", "a", "</p>", "b"]),
        ('<p title="never closed>a</p>b', ["<p>", "a", "</p>", "b"]),
        ("a&nbsp;b&#160;c&#xA0;d&#32e&ensp;f", ["a", "b", "c", "d", "e", "f"]),
        ("a\u00a0b\u3000c&amp;d&#1600;e", ["a", "b", "c&amp;d&#1600;e"]),
        ("İ<SCRIPT>x</SCRIPT>y", ["İ", "<script>", "</script>", "y"]),
    ],
)
def test_words_and_tags_are_split_as_in_a_browser(html, tokens):
    assert seen(html) == tokens


def test_words_apart_have_different_gaps():
    tokens = tokenise("a<b>b</b> c<!-- -->d<script>  </script>e")
    gaps = tokens.gap[tokens.words].tolist()
    assert gaps == [0, 0, 1, 1, 1]


def test_joints_tell_blanks_and_breaks_between_words():
    tokens = tokenise("a <i>b</i>c<br>d<p>e</p> f")
    assert tokens.joints.tolist() == [0, 1, 0, 2, 2, 2]


def test_the_first_title_is_the_title():
    html = "<title>one</title><svg><title>two</title></svg>"
    start, end = tokenise(html).title
    assert html[start:end] == "one"


def test_attributes_of_a_tag_are_parsed():
    html = "<a HREF = 'x>y' id=z checked title=\"a 'b'\" id=second/>"
    result = attributes(html, 0, len(html))
    assert result == {"href": "x>y", "id": "z", "checked": "", "title": "a 'b'"}


@given(st.one_of(st.text(max_size=60), HTML))
def test_any_text_gives_ordered_tokens_inside_it(html):
    tokens = tokenise(html)
    edges = [edge for pair in zip(tokens.start, tokens.end, strict=True) for edge in pair]
    assert edges == sorted(edges)
    assert all(end > start for start, end in zip(tokens.start, tokens.end, strict=True))
    assert not edges or (edges[0] >= 0 and edges[-1] <= len(html))
    for start, end in tokens.spans.tolist():
        assert html[start:end].split() == [html[start:end]]
    for start in tokens.start[tokens.is_tag].tolist():
        assert html[start] == "<"


@given(st.text(alphabet="ab \n&;é漢", max_size=60))
def test_text_without_tags_is_split_at_blanks(html):
    assert seen(html) == html.split()


HOSTILE = [
    "<a", "<", '<a b=">"', "<a b='", "<!--", "<script>", "</script>", "<a =", "</", "<p>a</p>",
    "<script><!--<script></script>", "x y ", "<a b='>'", '<!><a b="<', '<title a=">"',
    "&nbsp", "<textarea>", '<a b="<script>',
]  # fmt: skip


@pytest.mark.parametrize("part", HOSTILE)
def test_time_is_linear_in_hostile_input(part):
    def seconds(size):
        html = part * (size // len(part))
        start = time.thread_time()  # processor time, independent of other processes
        tokenise(html)
        return time.thread_time() - start

    seconds(20_000)
    short = min(seconds(50_000) for _ in range(3))
    long = seconds(500_000)
    assert long < 40 * short  # ten times the input; a square would be a hundred
    assert long < 1.0  # and a thousand steps a letter would be linear, too


def test_a_tag_with_a_thousand_attributes_is_one_token():
    many = " ".join(f'a{k}="x > y"' for k in range(1000))
    assert seen(f"<p {many}>b</p>") == ["<p>", "b", "</p>"]


def test_newlines_are_found_only_in_text():
    html = "a\n<p\nid=x>b\r\n<!-- \n --><script>\n</script>\nc <title>\n</title>\n<i\n"
    tokens = tokenise(html)
    ends = [html.index("\n"), html.index("\r"), html.index("\r") + 1, html.index("\nc")]
    assert tokens.newline.tolist() == [*ends, html.index("\n<i")]


def test_positions_after_skipped_markup_are_those_of_the_document():
    html = (
        "é<!-- a comment --><script>if (a < b) c</script> <b>d</b><style></style>\u2028e<!-->f<!x"
    )
    tokens = tokenise(html)
    words = [html[start:end] for start, end in tokens.spans.tolist()]
    assert words == ["é", "d", "e", "f"]
    assert tokens.gap[tokens.words].tolist() == [0, 1, 2, 2]
    tags = [html[tokens.start[k] : tokens.end[k]] for k in tokens.is_tag.nonzero()[0]]
    assert tags == ["<script>", "</script>", "<b>", "</b>", "<style>", "</style>"]
