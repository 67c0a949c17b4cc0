"""Methods that choose subtrees: pagelets, XWRAP, FeatureExtractor, nested link lists."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.plugins.baselines import crunch
from algorithms.plugins.baselines.feature_extractor import (
    FE,
    FeParams,
    KfeParams,
    extract,
    winner_set,
)
from algorithms.plugins.baselines.lp import LpParams
from algorithms.plugins.baselines.lp import extract as lp
from algorithms.plugins.baselines.lqf_nested import LqfNestedParams, link_lists
from algorithms.plugins.baselines.lqf_nested import extract as lqf_nested
from algorithms.plugins.baselines.xwrap import (
    HfParams,
    LtcParams,
    extract_hf,
    extract_ltc,
    highest_fanout,
    largest_tag_count,
)
from algorithms.signals.dom_cuts import cut
from algorithms.signals.tree_counts import links, pagelets
from engine.errors import ParameterError
from engine.source import Source

MARKUP = "<div> </div> <p> </p> </a> <table> <tr> <td> </table> <ul> </ul> <hr> a bb <img>".split()
TAGS = st.lists(st.sampled_from([*MARKUP, "<a href=x>"]), max_size=40).map("".join)

MENU = "<ul>" + "<li><a href=x>link</a>" * 8 + "</ul>"


def test_the_largest_pagelet_has_the_most_text_without_many_links():
    story = "<p>the long story of one whole day in town</p><p>goes <a href=x>on</a></p>"
    html = f"<body><div>{MENU}</div><div>{story}</div><div>ad</div></body>"
    assert (
        lp(Source.from_text(html), LpParams()).text
        == "the long story of one whole day in town\ngoes on"
    )
    assert lp(Source.from_text(html), LpParams(links=50)).text.startswith("link\nlink")


def printed_pagelets(tree, is_link, k):
    """Algorithm 6.2 with its queue, children for descendants."""
    queue, result = [0], []
    while queue:
        n = queue.pop(0)
        children = tree.children(n).tolist()
        if any(sum(is_link[c : tree.end[c]]) >= k for c in children):
            queue += children
        else:
            result.append(n)
    return sorted(result)


@given(TAGS, st.integers(1, 4))
def test_pagelets_equal_the_printed_listing(html, k):
    source = Source.from_text(html)
    result = pagelets(source.tree, links(source), k)
    assert np.flatnonzero(result).tolist() == printed_pagelets(source.tree, links(source), k)


def test_the_largest_tag_count_selects_the_list_of_records():
    html = f"<body><div><p>a<p>b</div>{MENU}<div>c</div></body>"
    assert extract_ltc(Source.from_text(html), LtcParams()).text == "\n".join(["link"] * 8)
    assert extract_ltc(Source.from_text(html), LtcParams(repeats=False)).text.startswith("a\nb")


def test_the_highest_fanout_selects_the_element_with_most_children():
    html = "<body><div><b>a</b><i>b</i><u>c</u><s>d</s></div><div>x<br>y<br>z</div><p>e</body>"
    assert extract_hf(Source.from_text(html), HfParams()).text == "abcd"
    assert extract_hf(Source.from_text(html), HfParams(texts=True)).text == "x\ny\nz"


@given(TAGS)
def test_fanout_and_tag_count_equal_a_direct_count(html):
    tree = Source.from_text(html).tree
    elements = [row for row in range(len(tree)) if not tree.is_text[row]]
    children = {
        row: [c for c in tree.children(row).tolist() if c in set(elements)] for row in elements
    }
    fan = {row: len(kids) for row, kids in children.items()}
    assert fan[highest_fanout(tree)] == max(fan.values())

    def repeats(row):
        names = [tree.name_of(c) for c in children[row]]
        return max((names.count(name) for name in names), default=0)

    best = largest_tag_count(tree)
    assert repeats(best) == max(map(repeats, elements))


# The thesis' example: two links, an image, three words; a link and four words; a link, an image.
EXAMPLE = (
    "<p><a href=x>one</a> <a href=y>two</a> <img> three</p>"
    "<p>one two <a href=x>three</a> four</p>"
    "<p><a href=x></a><img></p>"
)


def test_fe_and_kfe_extract_the_example_of_the_thesis():
    for probability, text in ((0.0, "one two three four"), (0.8, "one two three four"), (0.81, "")):
        params = FeParams(probability=probability)
        assert extract(Source.from_text(EXAMPLE), params).text == text
    both = extract(Source.from_text(EXAMPLE), KfeParams(clusters=1)).text
    assert both == "one two three\none two three four"  # .5 and .8 pass, 0 does not
    assert extract(Source.from_text(EXAMPLE), KfeParams()).text == "one two three four"


def test_fe_extracts_the_largest_of_equally_pure_blocks():
    html = "<p>one</p><p>one two three</p><p>one two</p>"
    assert extract(Source.from_text(html), FeParams()).text == "one two three"
    assert extract(Source.from_text(html), KfeParams()).text == "one\none two three\none two"


def test_fe_can_prefer_another_feature():
    html = "<p>words only here</p><p><img><img><img>caption</p>"
    assert extract(Source.from_text(html), FeParams(feature="images")).text == "caption"


def test_a_nested_block_lowers_the_share_of_text_of_the_outer_one():
    html = "<ul><li>outer words of three<ul><li>inner</ul></ul>"  # five words and one list
    assert extract(Source.from_text(html), FeParams()).text == "inner"
    everything = extract(Source.from_text(html), KfeParams(clusters=1, probability=0.83)).text
    assert everything == "outer words of three\ninner"
    without = extract(Source.from_text(html), KfeParams(clusters=1, probability=0.84)).text
    assert without == "inner"


def test_three_clusters_are_formed_even_if_most_blocks_are_pure():
    chosen = winner_set(np.array([0.6, 0.9, *[0.98] * 3, *[1.0] * 20]), 3)
    assert chosen.tolist() == [False] * 2 + [True] * 23


def test_empty_tags_are_refused():
    with pytest.raises(ParameterError, match="tags is empty"):
        FeParams(tags=" ")
    assert FE.params().tags == "table tr p hr ul"


def printed_blocks(tree, tags):
    """Algorithm 3.5 with sets."""
    blocks = {0}
    for tag in tags:
        new = set(blocks)
        for b in blocks:
            inside = {m for m in range(b + 1, int(tree.end[b])) if tree.name_of(m) == tag}
            if inside:
                new = (new - {b}) | inside
        blocks = new
    return sorted(blocks)


@given(TAGS)
def test_blocks_equal_the_printed_listing(html):
    tree = Source.from_text(html).tree
    tags = ("table", "tr", "p", "hr", "ul")
    # A block found again inside another that is cut later in the same round stays, as in a set.
    assert cut(tree, tags).tolist() == printed_blocks(tree, tags)


@given(st.lists(st.floats(0.5, 1), min_size=1, max_size=30), st.integers(1, 5))
def test_the_winner_set_consists_of_the_highest_values(values, clusters):
    chosen = winner_set(np.array(values), clusters)
    assert chosen[np.argmax(values)]
    if not chosen.all():
        assert np.array(values)[chosen].min() >= np.array(values)[~chosen].max()


def lists(html, **params):
    source = Source.from_text(html)
    result = np.flatnonzero(link_lists(source, LqfNestedParams(**params)))
    return [source.html[a:b] for a, b in source.tree.outer[result].tolist()]


def test_blocks_of_bare_links_are_link_lists():
    bare = "<div><a href=x>aa</a> <a href=x>bb</a> c</div>"
    assert lists(f"{bare}<div>text <a href=x>d</a> more text</div>") == [bare]
    text = lqf_nested(Source.from_text(f"{bare}<div>text</div>outside"), LqfNestedParams()).text
    assert text == "text\noutside"


def test_links_without_text_do_not_count():
    html = "<div><a href=x></a><a href=x></a><a href=x>aa</a><b>b</b></div>"
    assert lists(html) == []
    assert lists(html.replace("></a>", ">c</a>")) == [html.replace("></a>", ">c</a>")]


def test_elements_without_direct_text_are_counted_on_request():
    html = "<div><ul><li><a href=x>aaaa</a><li><a href=x>bbbb</a></ul></div>"
    assert lists(html) == [html]
    assert lists(html, elements="all") == []  # 2 links among 5 elements


def test_links_of_nested_blocks_are_counted_with_decay():
    inner = "<td><a href=x>aaaa</a><a href=x>aaaa</a><a href=x>aaaa</a></td>"
    html = f"<table><tr>{inner}{inner}</tr></table>"
    # tr: 6 links one element further in, 6 d > .5 * 6; table: two further in, 6 d d > 3.
    row = f"<tr>{inner}{inner}</tr>"
    assert row in lists(html, decay=0.6)
    assert row not in lists(html, decay=0.5)
    assert html not in lists(html, decay=0.7)
    assert html in lists(html, decay=0.75)
    assert inner in lists(html, decay=0.0)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<div>aaaaa aaaaa aaaaa <a href=x>bbbbb</a></div>", "aaaaa aaaaa aaaaa bbbbb"),  # 1 to 3
        ("<div>aaaaa aaaaa <a href=x>bbbbb</a></div>", ""),  # 1 to 2
        ("<p>stays <a href=x>and all its links</a>", "stays and all its links"),
        ("<div>text of a page<ul><li><a href=x>link</a></ul></div>", "text of a page"),
        ("text <a href=http://ads.example.org/x>buy</a>", "text"),
        ("text <a href=/adsorption>read on</a>", "text read on"),
        ("<iframe src=//ad.doubleclick.net/x>shown where frames are not</iframe>text", "text"),
    ],
)
def test_crunch_removes_lists_of_links_and_advertisements(html, text):
    assert crunch.extract(Source.from_text(html), crunch.CrunchParams()).text == text


def test_crunch_filters_can_be_switched_off():
    html = "<div><a href=//ads.example.org>a</a></div>"
    assert crunch.extract(Source.from_text(html), crunch.CrunchParams(lists=False)).text == ""
    off = crunch.CrunchParams(lists=False, ads=False)
    assert crunch.extract(Source.from_text(html), off).text == "a"
