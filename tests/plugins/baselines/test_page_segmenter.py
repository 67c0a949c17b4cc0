"""PageSegmenter′ against the listing printed in the thesis, and on small trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.plugins.baselines.page_segmenter import (
    PageSegmenterParams,
    cut_siblings,
    find_blocks,
    median_entropy,
    path_entropy,
    trace,
)
from tests.effort import effort
from tests.tables import page_of, table

BOX = (0, 0, 100, 100)


def printed(nodes):
    """Follow algorithm 6.3: try every run, the longest first; nodes are (excess, children)."""
    if not nodes:
        return []
    count = len(nodes)
    for length in range(count, 0, -1):
        for start in range(count - length + 1):
            if length == count > 1:
                continue
            run = nodes[start : start + length]
            before, after = nodes[:start], nodes[start + length :]
            if sum(excess for excess, _, _ in run) <= 0:
                block = [tuple(name for _, name, _ in run)]
                return block + printed(before) + printed(after)
            if length == 1:
                return printed(run[0][2]) + printed(before) + printed(after)
    return []


@given(st.lists(st.integers(-3, 6), max_size=20))
def test_cutting_siblings_equals_the_printed_listing(excess):
    nodes = [(value, index, []) for index, value in enumerate(excess)]
    pieces = cut_siblings(np.array(excess, dtype=np.int64))
    assert [k for run, _ in pieces for k in run] == list(range(len(excess)))
    assert [tuple(run) for run, is_block in pieces if is_block] == sorted(printed(nodes))


TAGS = st.sampled_from(["div", "p", "ul", "b"])
NODE = st.recursive(
    st.tuples(TAGS, st.just(BOX)) | st.just("words") | st.just(" "),
    lambda inner: st.tuples(TAGS, st.just(BOX), st.lists(inner, max_size=4)),
    max_leaves=20,
)


@given(st.lists(NODE, max_size=5))
def test_blocks_of_whole_trees_equal_the_printed_listing(children):
    nodes = table(("body", BOX, list(children)))
    entropy = path_entropy(nodes)
    inner = [row for row in range(len(nodes)) if nodes.children(row).size]
    median = np.median(entropy[inner])
    excess = np.rint((entropy - median) * 2.0**40).astype(np.int64).tolist()

    def node(row):
        return (excess[row], row, [node(child) for child in nodes.children(row).tolist()])

    result = [block.rows for block in find_blocks(nodes, PageSegmenterParams())]
    assert result == sorted(printed([node(0)]))


def test_path_entropy_of_a_small_tree_is_computed():
    nodes = table(("body", BOX, [("p", BOX, "a"), ("p", BOX, "b"), ("i", BOX, "c"), ("br", BOX)]))
    half, quarter = 0.5 * np.log(2), 0.25 * np.log(4)
    assert path_entropy(nodes).tolist() == pytest.approx([
        2 * half + 2 * quarter, 2 * half + 2 * quarter,
        half, half, half, half, quarter, quarter, quarter,
    ])  # fmt: skip


def test_a_list_of_similar_entries_is_one_block():
    menu = ("ul", BOX, [("li", BOX, [("a", BOX, f"entry {k}")]) for k in range(6)])
    story = ("div", BOX, [("h1", BOX, "title"), ("p", BOX, [("b", BOX, "bold"), "words"])])
    nodes = table(("body", BOX, [menu, story]))
    names = [[nodes.name_of(row) for row in b.rows] for b in find_blocks(nodes, _PARAMS)]
    assert ["li"] * 5 in names or ["li"] * 6 in names


_PARAMS = PageSegmenterParams()


def test_invisible_blocks_can_be_left_out():
    nodes = table(("body", BOX, [("script", (0, 0, 0, 0), "code"), ("p", BOX, "words")]))
    remaining = find_blocks(nodes, PageSegmenterParams(visible_only=True))
    assert len(remaining) < len(find_blocks(nodes, _PARAMS))
    assert find_blocks(table(), _PARAMS) != []


@pytest.mark.parametrize("pattern", [[-1, 1, 9], [1], [0, 5], [-1, 1, 1, 9]])
def test_the_work_grows_linearly_with_the_number_of_siblings(pattern):
    def work(count):
        return effort(lambda: cut_siblings(np.resize(np.array(pattern), count)))

    assert work(10_000) < 12 * work(1_000)  # the printed listing takes a thousand times as long


def test_a_trace_lists_the_mean_entropy_of_blocks_with_the_median():
    story = [("p", BOX, "some words") for _ in range(3)]
    page = page_of(table(("body", BOX, [("h1", BOX, "title"), ("div", BOX, story)])))
    nodes = page.rendered()
    result = trace(page, PageSegmenterParams())
    median = median_entropy(nodes, path_entropy(nodes))
    assert [each.sentence.partition(":")[0] for each in result.decisions(0)] == ["no block"]
    for row in np.flatnonzero(result.kept).tolist():
        (text,) = result.decisions(row)
        assert text.threshold == median
        assert text.value <= median
        assert text.sentence.startswith("a block: mean path entropy")
