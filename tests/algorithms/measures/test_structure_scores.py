"""Measures of structure: worked examples, and properties of any two trees."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.measures import table_distance
from algorithms.measures.structure_measures import STRUCTURE_MEASURES
from algorithms.measures.structure_scores import in_order, score_bags, score_pairs, score_parts
from algorithms.measures.table_distance import teds_of_pairs
from algorithms.measures.text_comparison import Comparison, GoldText
from algorithms.results import Extraction, everything, nothing
from algorithms.structure.parts import LeveledText, StructureParts
from algorithms.structure.tree import tree_of_html
from engine.source import Source
from tests.algorithms.structure.pages import pages

BY_LABEL = {measure.label: measure for measure in STRUCTURE_MEASURES}


def teds(one, other):
    return float(teds_of_pairs([one], [other])[0, 0])


def table(*rows, head=0):
    """Return a ``table`` element of rows of cells; a cell may be a pair of text and columns."""
    lines = []
    for number, row in enumerate(rows):
        tag = "th" if number < head else "td"
        cells = (cell if isinstance(cell, tuple) else (cell, 1) for cell in row)
        lines.append(
            "<tr>" + "".join(f"<{tag} colspan={span}>{text}</{tag}>" for text, span in cells)
        )
    caption = "<caption>c</caption>"
    found = tree_of_html(f"<table>{caption}{''.join(lines)}</table>").find(".//table")
    assert found is not None
    return found


def parts(page):
    return StructureParts(tree_of_html(page))


def score(label, extract, page, phrases):
    """Score an extract, which is another page, against phrases marked in a page."""
    source = Source.from_text(page)
    spans = [(page.index(phrase), page.index(phrase) + len(phrase)) for phrase in phrases]
    gold = GoldText(source.text_of(spans), source)
    found = everything(Source.from_text(extract)) if isinstance(extract, str) else extract
    return BY_LABEL[label].score(Comparison(found, gold))


# TEDS: 1 - edit distance / nodes of the larger tree ----------------------------------------

PLAIN = (("a", "bcde"), ("f", "g"))  # table, tbody, 2 tr, 4 td: 8 nodes


@pytest.mark.parametrize(
    ("other", "distance", "nodes"),
    [
        (table(*PLAIN), 0, 8),
        (table(("a", "bcdx"), ("f", "g")), 1 / 4, 8),  # one letter of four
        (table(("a", ""), ("f", "g")), 1, 8),  # all letters
        (table(("a", "bcde"), ("f", "g"), ("h", "i")), 3, 11),  # a row and its two cells
        (table(("a", "bcde", "x"), ("f", "g", "y")), 2, 10),  # a column
        (table(("a", ("bcde", 2)), ("f", "g")), 1, 8),  # another span costs a cell
        (table(*PLAIN, head=1), 5, 9),  # a body for a head and a body, headers for two cells
        (table(("f", "g"), ("a", "bcde")), 4, 8),  # four texts
    ],
)
def test_teds_of_small_tables(other, distance, nodes):
    assert teds(table(*PLAIN), other) == pytest.approx(1 - distance / nodes)
    assert teds(other, table(*PLAIN)) == pytest.approx(1 - distance / nodes)


texts = st.text("ab", max_size=3)
tables = st.lists(
    st.lists(st.tuples(texts, st.sampled_from([1, 1, 2])), min_size=2, max_size=3),
    min_size=2,
    max_size=3,
).filter(lambda rows: any(text for row in rows for text, _ in row))


def _plain(element):
    children = () if element.tag in ("td", "th") else element
    text = " ".join("".join(element.itertext()).split()) if element.tag in ("td", "th") else ""
    kind = element.tag, element.get("colspan", "1"), element.get("rowspan", "1")
    return kind, text, tuple(_plain(child) for child in children if child.tag != "caption")


@cache
def _edits(a, b):
    """Return the edit distance of two forests, by its definition."""
    if not a or not b:
        return sum(1 + _edits(tree[2], ()) for tree in a) + sum(
            1 + _edits((), tree[2]) for tree in b
        )
    (kind, text, below), (kind_b, text_b, below_b) = a[-1], b[-1]
    if kind != kind_b:
        cost = 1.0
    else:
        longest = max(len(text), len(text_b))
        cost = _letters(text, text_b) / longest if longest else 0.0
    return min(
        1 + _edits((*a[:-1], *below), b),
        1 + _edits(a, (*b[:-1], *below_b)),
        cost + _edits(a[:-1], b[:-1]) + _edits(below, below_b),
    )


@cache
def _letters(a, b):
    if not a or not b:
        return len(a) + len(b)
    return min(
        1 + _letters(a[1:], b), 1 + _letters(a, b[1:]), (a[0] != b[0]) + _letters(a[1:], b[1:])
    )


def _size(tree):
    return 1 + sum(map(_size, tree[2]))


@given(tables, tables, st.booleans())
def test_teds_is_the_edit_distance_of_trees_by_its_definition(rows, others, has_head):
    a, b = table(*rows, head=has_head), table(*others)
    mine, other = _plain(a), _plain(b)
    expected = 1 - _edits((mine,), (other,)) / max(_size(mine), _size(other))
    assert teds(a, b) == pytest.approx(max(0.0, expected))
    assert teds(b, a) == pytest.approx(teds(a, b))
    assert teds(a, a) == 1


def test_large_tables_are_compared_by_their_rows(monkeypatch):
    monkeypatch.setattr(table_distance, "MOST_PAIRS", 10)
    assert teds(table(*PLAIN), table(("a", "bcde"), ("x", "y"))) == 0.5


def test_tables_are_paired_in_order():
    other = table(("1", "2"), ("3", "4"))
    found = score_pairs((table(*PLAIN), other), (other,), teds_of_pairs)
    assert (found.value, found.precision, found.recall) == (pytest.approx(2 / 3), 0.5, 1)


# Headings, lists, code, links --------------------------------------------------------------


def test_a_heading_on_another_level_is_worth_half():
    marked = parts("<h1>Tea</h1><h2>Green</h2><h2>Black</h2>").headings
    found = parts("<h1>Tea</h1><h3>Green</h3>").headings
    got = score_parts(found, marked)
    assert (got.precision, got.recall) == (1.5 / 2, 1.5 / 3)
    assert got.value == pytest.approx(2 * 1.5 / 5)


def test_headings_out_of_order_are_paired_as_far_as_both_orders_hold():
    marked = parts("<h2>Green</h2><h2>Black</h2>").headings
    assert score_parts(marked[::-1], marked).value == 0.5


def test_items_of_lists_have_kind_and_depth_and_their_own_text():
    assert parts("<ul><li>a <b>b</b><ol><li>c</ol><li>d</ul>").items == (
        LeveledText("ul 1", "a b"),
        LeveledText("ol 2", "c"),
        LeveledText("ul 1", "d"),
    )


def test_an_item_is_compared_by_its_own_list_and_not_by_those_around():
    """A list of another kind around it costs once, at its own items."""
    found = parts("<ol><li>a<ul><li>b<li>c</ul></ol>").items
    marked = parts("<ul><li>a<ul><li>b<li>c</ul></ul>").items
    assert score_parts(found, marked).value == pytest.approx((0.5 + 1 + 1) / 3)


def test_code_is_compared_by_its_letters_and_white_space():
    marked = parts("<pre>if a:\n  b</pre>").code
    assert score_parts(parts("<pre>if a:\n b</pre>").code, marked).value == pytest.approx(8 / 9)


def test_links_are_addresses_as_often_as_they_are_linked_to():
    found = parts("<a href=x>1</a> <a href=x>2</a> <a href=y>3</a>").links
    marked = parts("<a href=x>1</a> <a href=z>3</a>").links
    assert score_bags(found, marked).value == pytest.approx(2 / 5)


def test_words_count_only_in_the_right_element():
    page = "<h2>Tea time</h2><ul><li>hot tea</ul><p>Buy"
    got = score("words in elements", "<h2>Tea time</h2><p>hot tea", page, ["Tea time", "hot tea"])
    assert (got.precision, got.recall, got.value) == (0.5, 0.5, 0.5)


def test_an_extract_of_the_page_has_the_elements_of_the_page():
    page = "<h2>Tea</h2><ul><li>hot<li>black</ul><p>Buy"
    source = Source.from_text(page)
    part = Extraction(source, [(0, page.index("<p>"))])
    for label in ("words in elements", "headings", "lists"):
        assert score(label, part, page, ["Tea</h2><ul><li>hot<li>black"]).value == 1
    assert score("TEDS", part, page, ["Tea"]).value is None


@given(pages)
def test_a_page_scores_1_against_itself_and_an_empty_extraction_0(page):
    source = Source.from_text(page)
    whole = everything(source)
    gold = GoldText(whole.text, source)
    gold.extraction = whole
    for measure in STRUCTURE_MEASURES:
        value = measure.score(Comparison(whole, gold)).value
        assert value is None or value == pytest.approx(1)
        none = measure.score(Comparison(nothing(source), gold)).value
        assert (none is None) == (value is None)
        assert not none


@given(pages, pages)
def test_scores_are_shares_and_symmetric_where_both_have_parts(one, other):
    a, b = Source.from_text(one), Source.from_text(other)
    gold_a, gold_b = GoldText("", a), GoldText("", b)
    gold_a.extraction, gold_b.extraction = everything(a), everything(b)
    for measure in STRUCTURE_MEASURES:
        found = measure.score(Comparison(everything(a), gold_b))
        turned = measure.score(Comparison(everything(b), gold_a))
        if found.value is not None and turned.value is not None:
            assert found.value == pytest.approx(turned.value)
            assert found.precision == pytest.approx(turned.recall)
        assert found.value is None or 0 <= found.value <= 1 + 1e-9


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=4))
def test_the_largest_sum_in_order_is_that_of_all_pairings(rows):
    import numpy as np

    @cache
    def best(i, j):
        if i == len(rows) or j == 3:
            return 0.0
        return max(best(i + 1, j), best(i, j + 1), rows[i][j] + best(i + 1, j + 1))

    assert in_order(np.array(rows)) == pytest.approx(best(0, 0))
