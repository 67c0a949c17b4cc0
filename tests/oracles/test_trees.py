"""Test that the text of a document is that of the tree a browser builds, in its order."""

import pytest

from engine import mask
from engine.source import Source
from tests.oracles.html5lib_trees import cases_in, text_of

_MOST_OTHERS = 14
"""Tests that differ: text that tables move before themselves, frames that noscript leaves open,
U+0000 before a frameset, and a tag that no end of the document ends."""


def others(folder):
    """Return the tests whose text differs, and how many there are."""
    cases = list(cases_in(folder))
    found = []
    for case in cases:
        data = case.html.encode("utf-8", "surrogatepass")
        text = Source.from_bytes(data, "utf-8").text
        if "".join(text.split()) != "".join(case.text.split()):
            found.append((case.name, case.html, case.text, text))
    return found, len(cases)


def test_texts_of_html5libs_trees_are_read_in_their_order(suites):
    found, count = others(suites / "html5lib" / "tree-construction")
    print(f"{count} documents, {len(found)} differ")
    assert count > 500
    assert len(found) <= _MOST_OTHERS * max(1, count / 1544), found


def test_the_oracle_finds_a_reader_without_data_sections(tmp_path, monkeypatch):
    test = '#data\n<svg><![CDATA[a]]>b\n#errors\n#document\n| <html>\n|   <svg svg>\n|     "ab"\n'
    (tmp_path / "own.dat").write_text(test)
    assert others(tmp_path) == ([], 1)
    monkeypatch.setattr(mask._Foreign, "holds", lambda *_: False)
    assert len(others(tmp_path)[0]) == 1


def test_the_text_of_a_tree_is_without_its_title_and_over_lines():
    tree = '| <html>\n|   <head>\n|     <title>\n|       "t"\n|   <body>\n|     "a\n\nb"\n'
    assert text_of(tree) == "a\n\nb"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<math><mi>a</mi><mi>b</mi><p>c<svg><![CDATA[d <b>]]></svg><p>e", "ab|cd <b>|e"),
        ("<svg><text>a<div>b</svg>c", "a|bc"),
        ("<svg><foreignObject><div>a</div>b</svg>c", "a|bc"),
        ("<svg><title>icon</svg><p>a", "a"),
        ("<p>a<plaintext><p>b", "a|<p>b"),
    ],
)
def test_what_follows_an_unclosed_formula_or_picture_is_in_the_page(html, text):
    assert Source.from_text(html).text.replace("\n", "|") == text


def test_a_formula_ends_where_html_begins_again():
    tree = Source.from_text("<p>a<math><mi>b<mi>c<p>d<b>e</b></math>f").tree
    assert not tree.within("math")[tree.text.index("d")]
    tree = Source.from_text("<svg><foreignObject><p>a</p></foreignObject></svg>").tree
    assert tree.within("svg")[tree.text.index("a")]


@pytest.mark.parametrize(
    ("html", "outer", "inner"),
    [
        ("<blockquote><div>a</blockquote><p>b", "blockquote", "b"),
        ("<pre><div><code>a</code></pre><p>b", "pre", "b"),
        ("<ul><li><div>a</ul><p>b", "ul", "b"),
        ("<table><tr><td><div>a</table><p>b", "table", "b"),
    ],
)
def test_the_end_of_a_block_closes_what_is_open_in_it(html, outer, inner):
    tree = Source.from_text(html).tree
    assert not tree.within(outer)[tree.text.index(inner)]


@pytest.mark.parametrize("html", ["<div><table><tr><td>a</div>b", "<ul><li>a<ul></li>b</ul></ul>"])
def test_the_end_of_a_block_does_not_reach_out_of_a_cell_or_list(html):
    tree = Source.from_text(html).tree
    outer = "table" if "table" in html else "li"
    assert tree.within(outer)[tree.text.index("b")]
