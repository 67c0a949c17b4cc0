"""Test the text and the tree of a source."""

from html import unescape

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import markup
from engine.nesting import innermost
from engine.references import resolve
from engine.source import Source
from engine.tree import TEXT

MARKUP = (
    "<p> </p> <div> </div> <table> </table> <tr> <td> </td> <li> <ul> </ul> <b> </b> <a> </a> <br> "
    "</br> <h1> <h2> </h1> <option> <select> <html> </html> <head> <body> </body> <dl> <dt> <dd> "
    "<tbody> <th> <ruby> <rt> <button> <form> <!--x--> a &lt; <title>t</title> <script>x</script>"
).split()
PIECES = st.lists(st.sampled_from([*MARKUP, " b ", "<a href='>'>"]), max_size=40).map("".join)


def outline(html):
    """Return the tree as nested text: ``html(p(a) p(b))``."""
    tree = Source.from_text(html).tree

    def of(row):
        if tree.names[tree.tag[row]] == TEXT:
            return tree.text[row].strip()
        inside = " ".join(of(child) for child in tree.children(row).tolist())
        return f"{tree.names[tree.tag[row]]}({inside})"

    return of(0)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("<p>one<p>two", "one\ntwo"),
        ("<p>one <b>bold</b>, two</p>", "one bold, two"),
        ("a<b>b</b>c", "abc"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<td>a</td><td>b</td>", "a\nb"),
        ("  a \n\n b  ", "a b"),
        ("a&nbsp;&amp;&nbsp;b &lt;p&gt; &copy;", "a & b <p> ©"),
        ("a<script>x</script>b<!-- y -->c<style>z</style>", "abc"),
        ("<title>t</title>a", "a"),
        ("<p></p><div>a</div>", "a"),
        ("a<img src=x>b", "ab"),
    ],
)
def test_text_breaks_lines_at_blocks_but_not_at_inline_tags(html, text):
    assert Source.from_text(html).text == text


def spans_of(html, *parts):
    return np.array([[html.index(part), html.index(part) + len(part)] for part in parts], np.int32)


@pytest.mark.parametrize(
    ("html", "parts", "text"),
    [
        ("<p>one two three</p>", ["one", "three"], "one three"),
        ("<p>one</p><p>two</p><p>three</p>", ["one", "three"], "one\nthree"),
        ("a<b>x</b>c", ["a", "c"], "a c"),
        ("a<b>x</b>", ["a", "x"], "ax"),
        ("<p>one two</p>", ["ne tw"], "ne tw"),
        ("<p>unhappy</p>", ["un", "happy"], "un happy"),
        ("<p>one</p>", ["<p>"], ""),
        ("<p>one <b>two</b></p> three", ["one <b>two</b></p>"], "one two"),
    ],
)
def test_words_of_separate_spans_are_never_joined(html, parts, text):
    assert Source.from_text(html).text_of(spans_of(html, *parts)) == text


def test_text_of_no_span_is_empty():
    assert Source.from_text("<p>a").text_of(np.zeros((0, 2), np.int32)) == ""


def test_the_title_has_collapsed_blanks_and_resolved_references():
    assert Source.from_text("<title>\n A &amp;  B </title>").title == "A & B"
    assert Source.from_text("<p>a").title == ""


_AROUND_REFERENCES = "&amp; &quot; &#39; &lt; &gt; & amp; a ; #39; lt; &copy;".split()


@given(st.lists(st.sampled_from(_AROUND_REFERENCES)).map("".join))
@example("&amp;quot;&quot;")
def test_references_are_resolved_once(text):
    assert resolve(text) == unescape(text)


@pytest.mark.parametrize(
    ("html", "tree"),
    [
        ("", "html()"),
        ("a", "html(a)"),
        ("<html><body>a", "html(body(a))"),
        ("<!DOCTYPE html><html><head><title>t</title><body><p>a", "html(head(title()) body(p(a)))"),
        ("<p>a<p>b<div>c</div>d", "html(p(a) p(b) div(c) d)"),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "html(ul(li(a) li(b ul(li(c))) li(d)))"),
        ("<dl><dt>a<dd>b<dt>c</dl>d", "html(dl(dt(a) dd(b) dt(c)) d)"),
        ("<table><tr><td>a<td>b<tr><td>c</table>d", "html(table(tr(td(a) td(b)) tr(td(c))) d)"),
        ("<table><tbody><tr><td><p>a<table><tr><td>b</table>c</table>",
         "html(table(tbody(tr(td(p(a) table(tr(td(b))) c)))))"),
        ("<div><table><tr><td></div>a</table>b</div>", "html(div(table(tr(td(a))) b))"),
        ("<select><option>a<option>b</select>c", "html(select(option(a) option(b)) c)"),
        ("<div>a</b>b</div></div>c", "html(div(a b) c)"),
        ("<b><div>a</b>b</div>c", "html(b(div(a b) c))"),
        ("<p><b>a</p>b", "html(p(b(a)) b)"),
        ("a<br>b<hr>c<img>d", "html(a br() b hr() c img() d)"),
        ("<a>a<a>b</a>", "html(a(a) a(b))"),
        ("<h1>a<h2>b</h2>", "html(h1(a) h2(b))"),
        ("<body>a</body>b</html>c<body>d", "html(body(a b c d))"),
        ("<p>a<script>b</script>c", "html(p(a script() c))"),
        ("<p>a<button><p>b</button>c", "html(p(a button(p(b)) c))"),
    ],
)  # fmt: skip
def test_the_tree_closes_elements_with_implied_end_tags(html, tree):
    assert outline(html) == tree


_TAGS = "div p a b li ul td tr table h1 h2 br img hr option select body html head dt dd".split()


@given(
    st.lists(
        st.sampled_from([*(f"<{name}>" for name in _TAGS), *(f"</{name}>" for name in _TAGS), "x "])
    )
)
@example(["<ul>", "<li>", "<a>", "x ", "</a>", "</li>", "</ul>", "<p>", "<div>", "</p>", "<b>"])
def test_the_vectorised_tree_equals_the_tree_of_a_walk(parts):
    source = Source.from_text("".join(parts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markup, "innermost", lambda *tags: (innermost(*tags)[0], 0))
        walked = Source.from_text(source.html).tree
    for column in ("tag", "parent", "past", "outer", "inner", "words", "token"):
        assert getattr(source.tree, column).tolist() == getattr(walked, column).tolist()
    assert source.tree.names == walked.names


def test_a_well_nested_document_is_built_without_a_walk(monkeypatch):
    monkeypatch.setattr(markup._MarkupBuilder, "_walk", None)
    html = "<html><body><ul><li><p>a<br></p></li></ul>"
    tree = Source.from_text(html + "<table><tr><td>b</td></tr></table></body></html>").tree
    assert [tree.name_of(row) for row in range(len(tree))] == (
        "html body ul li p #text br table tr td #text".split()
    )


def test_tree_spans_cover_their_markup():
    html = "<div id=x><p>one<p>two</div>end"
    tree = Source.from_text(html).tree
    outer = {tree.names[t]: html[a:b] for t, (a, b) in zip(tree.tag, tree.outer, strict=True)}
    inner = {tree.names[t]: html[a:b] for t, (a, b) in zip(tree.tag, tree.inner, strict=True)}
    assert outer["div"] == "<div id=x><p>one<p>two</div>"
    assert inner["div"] == "<p>one<p>two"
    assert outer["p"] == "<p>two"
    assert inner["p"] == "two"
    assert outer[TEXT] == inner[TEXT] == "end"
    assert outer["html"] == html


def test_attributes_of_a_row_are_parsed():
    source = Source.from_text("<p><a HREF='x?a&amp;b'>a</a>")
    assert source.attributes(2) == {"href": "x?a&b"}
    assert source.attributes(0) == {}


def test_very_deep_nesting_is_read():
    source = Source.from_text("<div>" * 30_000 + "a")
    assert len(source.tree) == 30_002
    assert source.text == "a"


@given(st.one_of(st.text(max_size=60), PIECES))
def test_the_tree_of_any_text_has_all_its_words(html):
    source = Source.from_text(html)
    tree = source.tree
    n = len(tree)
    assert tree.parent[0] == -1
    assert np.all(tree.parent[1:] < np.arange(1, n))
    assert np.all(tree.parent[1:] >= 0)
    assert np.all(tree.outer[:, 0] <= tree.inner[:, 0])
    assert np.all(tree.inner[:, 0] <= tree.inner[:, 1])
    assert np.all(tree.inner[:, 1] <= tree.outer[:, 1])
    inside = tree.outer[tree.parent[1:]] if n > 1 else tree.outer[:0]
    assert np.all(inside[:, 0] <= tree.outer[1:, 0])
    assert np.all(inside[:, 1] >= tree.outer[1:, 1])
    in_texts = np.diff(tree.words[tree.is_text], axis=1).sum()
    assert in_texts == len(source.words)
    for row in np.flatnonzero(tree.is_text).tolist():
        first, last = tree.words[row].tolist()
        text = "".join(source.words[first:last])
        assert "".join(tree.text[row].replace("\0", "").split()) == "".join(text.split())


def test_comments_are_not_part_of_texts():
    assert outline("<p>a<!-- no -->b <!-- no --> c &lt;") == "html(p(ab c <))"


@given(st.one_of(st.text(max_size=60), PIECES))
def test_text_has_the_words_of_the_source(html):
    source = Source.from_text(html)
    assert "".join(source.text.split()) == "".join("".join(source.words).split())


GAPS = st.sampled_from(
    [" ", "\n", "\t\t", "\0", "\x1c", "\x85", "\u3000", "&nbsp;", "<!-- c -->", "<b>", "</p>\n",
     "<!", "</ "]
)  # fmt: skip


@given(
    st.lists(st.one_of(GAPS, st.sampled_from(["a", "été", "&amp;", "<", "\u200b"])), max_size=12)
)
def test_words_are_the_unescaped_text_at_the_token_spans(parts):
    source = Source.from_text("".join(parts))
    spans = source.tokens.spans.tolist()
    assert list(source.words) == [unescape(source.html[start:end]) for start, end in spans]
    is_kept = [[start, end] for number, (start, end) in enumerate(spans) if number % 3]
    numbers, words, _ = source.pieces_of(is_kept)
    assert numbers.tolist() == [number for number in range(len(spans)) if number % 3]
    assert words == [source.words[number] for number in numbers.tolist()]


@given(
    st.binary(max_size=80),
    st.sampled_from(["", "utf-8", "latin1", "utf-16", "gbk", "nonsense", "é"]),
)
def test_any_bytes_are_read_as_a_source(data, declared):
    source = Source.from_bytes(data, declared)
    assert source.data == data
    assert isinstance(source.text, str)


@pytest.mark.parametrize(
    ("data", "is_as_received"),
    [
        ("é".encode(), True),
        (b"\xef\xbb\xbfplain", False),  # without the byte order mark
        (b"<meta charset=utf-8>\xff", False),
        ("<meta charset=latin-1>é".encode("latin-1"), False),
        (b"", True),
    ],
)
def test_utf8_is_the_received_data_only_where_both_are_equal(data, is_as_received):
    source = Source.from_bytes(data)
    assert source.utf8.decode() == source.html
    assert (source.utf8 is source.data) == is_as_received


@given(st.text(max_size=20))
def test_any_text_is_encoded_as_utf8(html):
    assert Source.from_text(html).utf8.decode("utf-8", "surrogatepass") == html


def test_word_lengths_count_each_reference_as_one_letter():
    source = Source.from_text("<p title='&amp;'>&amp;&nbsp;a&lt;b <!-- & -->&eacute;t&eacute; &c")
    assert source.words == ("&", "a<b", "été", "&c")
    assert source.lengths.tolist() == [1, 3, 3, 2]
    assert Source.from_text("<p>&nbsp;").lengths.tolist() == []


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<a href=1>First</a><a href=2>Second</a>", "First Second"),
        ("<b><span>2026</span></b><i><span class=x>1h 43m</span></i>", "2026 1h 43m"),
        ("<span>Nina</span><img src=a><span>Keeper</span>", "Nina Keeper"),
        ("<span class=drop>T</span><span>he river</span>", "The river"),
        ("<b>over</b><i>flow</i>", "overflow"),
        ("over<span></span>flow", "overflow"),
        ("<span>over</span>flow", "overflow"),
        ("<pre><span>over</span><span>flow</span></pre>", "overflow"),
        ("<span>日本</span><span>語の本</span>", "日本語の本"),
    ],
)
def test_links_and_spans_that_follow_each_other_are_apart(html, text):
    assert Source.from_text(f"<p>{html}</p>").text == text
