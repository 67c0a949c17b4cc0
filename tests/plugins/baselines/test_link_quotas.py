"""Methods on the document tree: link quotas, LSI."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.catalogue import method
from algorithms.extraction.lqf import Lqf25Params, Lqf75Params, LqfParams, extract
from algorithms.plugins.baselines.lsi import LsiParams, extract_rendered, largest_increase
from algorithms.plugins.baselines.lsi import extract as lsi
from engine.page import Page
from engine.source import Source
from tests.serialised import rendered

QUOTAS = (
    "<div>none</div><div>aaaaaa<a href=x>bb</a></div><div>aaa<a href=x>bb</a></div>"
    "<div>a<a href=x>bbb</a></div><ul><li><a href=x>x</a>"
)


@pytest.mark.parametrize(
    ("params", "text"),
    [
        (Lqf25Params(), "none\naaaaaabb"),
        (LqfParams(), "none\naaaaaabb\naaabb"),
        (Lqf75Params(), "none\naaaaaabb\naaabb\nabbb"),
        (LqfParams(threshold=1.0), "none\naaaaaabb\naaabb\nabbb\nx"),
    ],
)
def test_blocks_with_a_link_quota_above_the_threshold_are_dropped(params, text):
    assert extract(Source.from_text(QUOTAS), params).text == text


def test_nested_blocks_have_separate_link_quotas():
    html = "<div>text <ul><li><a href=x>link</a></ul></div><div><a href=x>link <p>text</a>"
    assert extract(Source.from_text(html), LqfParams()).text == "text"


def test_only_anchors_with_an_address_are_links():
    assert extract(Source.from_text("<div><a name=top>top of page</a>"), LqfParams()).text


def test_lqf_25_lqf_and_lqf_75_differ_by_threshold():
    assert [method(key).params().threshold for key in ("lqf-25", "lqf", "lqf-75")] == [
        0.25,
        0.5,
        0.75,
    ]


ARTICLE = (
    "<body><div>menu item</div>"
    "<div><p>first part</p><p>second one</p><p>third part</p></div></body>"
)


def test_lsi_extracts_the_parent_of_the_paragraphs():
    assert lsi(Source.from_text(ARTICLE), LsiParams()).text == "first part\nsecond one\nthird part"


def test_lsi_without_texts_as_children_extracts_the_longest_paragraph():
    html = "<div><p>a</p><p>a very long paragraph in itself</p></div>"
    assert lsi(Source.from_text(html), LsiParams()).text == "a\na very long paragraph in itself"
    one = lsi(Source.from_text(html), LsiParams(texts=False)).text
    assert one == "a very long paragraph in itself"


NESTED = st.recursive(
    st.text("ab", min_size=1, max_size=5),
    lambda inner: st.tuples(st.sampled_from(["div", "b"]), st.lists(inner, max_size=4)),
    max_leaves=12,
).map(lambda tree: ("html", [tree]))


def printed(nodes, sizes):
    """Algorithm 6.1 over elements, with descendants as printed."""
    best, result = 0, 0
    for m in range(len(nodes)):
        if nodes.is_text[m]:
            continue
        inside = range(m + 1, int(nodes.end[m]))
        increase = sizes[m] - max((sizes[c] for c in inside), default=0)
        if increase > best:
            best, result = increase, m
    return result


@given(NESTED)
def test_lsi_equals_the_printed_listing(tree):
    _, nodes = rendered(tree)
    sizes = [len("".join(nodes.text[r : int(nodes.end[r])])) for r in range(len(nodes))]
    assert largest_increase(nodes, sizes) == printed(nodes, sizes)


def test_lsi_on_the_rendered_page_counts_visible_text_only():
    hidden = "a long text that is not shown at all " * 3
    tree = (
        "html",
        [
            ("div", [("p", [hidden]), ("p", [hidden])]),
            ("div", [("p", ["one two"]), ("p", ["three"]), ("p", ["gone"])]),
        ],
    )
    source, nodes = rendered(tree, hidden=(hidden, "gone"))
    page = Page("", dom=source, nodes=nodes)
    assert extract_rendered(page, LsiParams()).text == "one two\nthree"
    assert "not shown" in lsi(source, LsiParams()).text
