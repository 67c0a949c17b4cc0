"""Two pages of one template: corresponding nodes, shared parts and differences."""

import numpy as np
import pytest

from annotate.plugins.page_diff.page_diff import diff_pages
from tests.tables import table


def page(*stories, banner="", crumb="Home", pages_foot="Imprint"):
    children = []
    if banner:
        children.append(("div", (0, 0, 9, 9), {"class": "banner"}, banner))
    children += [
        ("nav", (0, 0, 9, 9), [("a", (0, 0, 9, 9), "News"), ("a", (0, 0, 9, 9), "Sport")]),
        ("p", (0, 0, 9, 9), {"class": "crumb"}, crumb),
        ("main", (0, 0, 9, 9), [("p", (0, 0, 9, 9), each) for each in stories]),
        ("footer", (0, 0, 9, 9), pages_foot),
    ]
    return table(("body", (0, 0, 9, 9), children))


def said(nodes, rows):
    return " | ".join(
        " ".join(t for t in nodes.text[row : nodes.end[row]] if t).strip() for row in rows
    )


def told(found, places):
    return [(said(found.ours, each.ours), said(found.theirs, each.theirs)) for each in places]


def test_equal_text_is_shared_and_other_text_is_paired_by_position():
    result = diff_pages(
        page("The ferry is back.", "Nobody was hurt."),
        page("A new bridge.", "It opens in May.", "It cost much."),
    )
    assert told(result, result.shared) == [
        ("News Sport | Home", "News Sport | Home"), ("Imprint", "Imprint"),
    ]  # fmt: skip
    assert told(result, result.differing) == [
        ("The ferry is back. Nobody was hurt.", "A new bridge. It opens in May. It cost much.")
    ]


def test_content_of_one_page_only_differs_alone_and_keeps_the_rest_paired():
    one, other = page("The ferry is back.", banner="Buy now"), page("The ferry is back.")
    result = diff_pages(one, other)
    assert told(result, result.differing) == [("Buy now", "")]
    assert result.differing[0].is_single
    assert len(result.shared) == 1
    turned = diff_pages(other, one)
    assert told(turned, turned.differing) == [("", "Buy now")]


def test_two_equal_pages_share_every_node():
    one = page("The ferry is back.")
    result = diff_pages(one, page("The ferry is back."))
    assert result.rows.tolist() == list(range(len(one)))
    assert told(result, result.shared) == [(said(one, [0]),) * 2]
    assert not result.differing


def test_a_page_without_words_shares_nothing_with_another():
    empty = table(("body", (0, 0, 9, 9), []))
    result = diff_pages(empty, page("The ferry is back."))
    assert not result.shared
    assert len(result.differing) == 1


def test_a_turned_diff_swaps_both_pages():
    one = page("The ferry is back.", "Nobody was hurt.", banner="Buy now")
    result = diff_pages(one, page("A new bridge.", crumb="Home > News"))
    back = result.turned()
    assert back.ours is result.theirs
    assert told(back, back.shared) == [pair[::-1] for pair in told(result, result.shared)]
    paired = np.flatnonzero(result.rows >= 0)
    assert back.rows[result.rows[paired]].tolist() == paired.tolist()
    assert back.turned().rows.tolist() == result.rows.tolist()


@pytest.mark.parametrize("seed", range(8))
def test_matched_nodes_of_random_pages_are_one_to_one_in_order_and_of_one_name(seed):
    chance = np.random.default_rng(seed)
    names, words = ["div", "p", "ul", "span"], ["a", "b", "c", "d e"]

    def some(depth):
        if depth == 0:
            return str(chance.choice(words))
        below = [some(depth - 1) for _ in range(int(chance.integers(1, 5)))]
        return (str(chance.choice(names)), (0, 0, 9, 9), below)

    one, other = (table(("body", (0, 0, 9, 9), [some(4)])) for _ in range(2))
    result = diff_pages(one, other)
    paired = np.flatnonzero(result.rows >= 0)
    assert len(set(result.rows[paired].tolist())) == paired.size
    for row in paired.tolist():
        there = int(result.rows[row])
        assert one.name_of(row) == other.name_of(there)
        if row:
            assert result.rows[one.parent[row]] == other.parent[there]
    for row in range(len(one)):
        below = [int(result.rows[child]) for child in one.children(row)]
        below = [each for each in below if each >= 0]
        assert below == sorted(below)
    for each in result.shared:
        assert sorted(said(one, each.ours).split()) == sorted(said(other, each.theirs).split())
    for nodes, side in ((one, "ours"), (other, "theirs")):
        positions = (*result.shared, *result.differing)
        rows = sorted(row for each in positions for row in getattr(each, side))
        inside = [row for top in rows for row in range(top, int(nodes.end[top]))]
        texts = [row for row in range(len(nodes)) if nodes.text[row].strip()]
        assert len(inside) == len(set(inside))
        assert set(texts) <= set(inside)
