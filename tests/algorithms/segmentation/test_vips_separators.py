"""VIPS' second and third stage: separators, their weights, and the tree built from them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.segmentation.vips.content_tree import merge
from algorithms.segmentation.vips.layout import VipsLayout
from algorithms.segmentation.vips.separators import find_region, gaps
from algorithms.segmentation.vips.vips import VipsParams, segment, structure
from algorithms.segmentation.vips.visual_blocks import VisualBlock
from algorithms.segmentation.vips.weights import Lines, Pool
from engine.page import Page
from tests.tables import rows_of, table

SIZE = (1000, 1000)
FULL = (0, 0, 1000, 1000)


def body(*children):
    return table(("body", FULL, list(children)), size=SIZE)


def pool_of(nodes, tag="p"):
    """Return the elements of one name as a pool."""
    layout = VipsLayout(nodes)
    blocks = [VisualBlock((row,), 10, 4) for row in rows_of(nodes, tag)]
    return Pool(layout, Lines(layout), blocks)


def weighed(*children):
    """Return weight and reasons of the only separator between the ``p`` elements."""
    _, (separator,) = merge(pool_of(body(*children)))
    return separator.weight, separator.reasons


def test_a_block_splits_shortens_and_removes_separators():
    assert gaps([(0, 10), (90, 100), (40, 60)]) == [(10, 40), (60, 90)]  # split twice
    assert gaps([(0, 10), (90, 100), (40, 60), (5, 20)]) == [(20, 40), (60, 90)]  # shortened
    assert gaps([(0, 10), (90, 100), (40, 60), (8, 50)]) == [(60, 90)]  # removed
    assert gaps([(0, 10), (90, 100), (0, 100)]) == []
    assert gaps([(20, 30)]) == []  # only the border is left


SPANS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 8)).map(lambda s: (s[0], s[0] + s[1])), max_size=12
)


@given(SPANS)
def test_gaps_cover_the_free_positions_between_spans_in_any_order(spans):
    free = {x for x in range(40) if not any(a <= x < b for a, b in spans)}
    inside = {x for x in free if any(b <= x for _, b in spans) and any(x < a for a, _ in spans)}
    result = gaps(spans)
    assert {x for a, b in result for x in range(a, b)} == inside
    assert result == sorted(result) == gaps(spans[::-1])


def edges(*boxes):
    return np.array([(a, b, c - a, d - b) for a, b, c, d in boxes], dtype=float)


HEADER, MENU, STORY, FOOTER = (
    (0, 0, 100, 20), (0, 30, 30, 80), (40, 30, 100, 90), (0, 90, 100, 100),
)  # fmt: skip


def test_columns_below_a_header_are_separated_in_their_own_region():
    region = find_region(edges(HEADER, MENU, STORY, FOOTER))
    assert [(s.start, s.end, s.before, s.after) for s in region.rows] == [
        (20, 30, (0,), (1, 2)), (90, 90, (2,), (3,)),
    ]  # fmt: skip
    assert region.columns == ()
    middle = region.cells[1][1]
    assert middle.members == (1, 2)
    assert [(s.start, s.end) for s in middle.columns] == [(30, 40)]


def test_blocks_that_overlap_by_a_border_are_separated_and_by_more_are_not():
    assert [(s.start, s.end) for s in find_region(edges((0, 0, 9, 51), (0, 49, 9, 99))).rows] == [
        (50, 50)
    ]
    overlapping = find_region(edges((0, 0, 9, 55), (0, 45, 9, 99)))
    assert (overlapping.rows, overlapping.columns, overlapping.cells) == ((), (), ())


BOX = st.tuples(*[st.integers(0, 12).map(lambda k: k * 10)] * 2, *[st.integers(1, 6)] * 2).map(
    lambda b: (b[0], b[1], b[0] + 10 * b[2], b[1] + 10 * b[3])
)


@given(st.lists(BOX, min_size=1, max_size=9))
def test_every_separator_crosses_its_region_and_meets_no_block_of_it(boxes):
    rects = edges(*boxes)
    waiting = [find_region(rects)]
    while waiting:
        region = waiting.pop()
        inside = [m for _, cell in region.cells for m in cell.members]
        assert not region.cells or sorted(inside) == list(region.members)
        waiting.extend(cell for _, cell in region.cells)
        for strip in (*region.rows, *region.columns):
            axis = 1 if strip.horizontal else 0
            for member in region.members:
                assert boxes[member][axis + 2] <= strip.start or strip.end <= boxes[member][axis]
            assert {boxes[m][axis + 2] for m in strip.before} == {strip.start}
            assert {boxes[m][axis] for m in strip.after} == {strip.end}


UPPER, LOWER = (0, 0, 1000, 100), (0, 100, 1000, 100)


@pytest.mark.parametrize(
    ("distance", "weight"), [(0, 1), (3, 1), (4, 2), (8, 3), (16, 4), (40, 5), (64, 6), (400, 6)]
)
def test_a_larger_distance_makes_a_separator_heavier(distance, weight):
    apart = [
        ("p", UPPER, "words"),
        ("p", (0, 100 + distance, 1000, 100), [("img", (0, 100 + distance, 9, 9))]),
    ]
    assert weighed(*apart)[0] == weight


def test_a_line_makes_a_separator_heavier():
    above, below = ("p", UPPER, "words"), ("p", (0, 103, 1000, 100), [("img", (0, 120, 9, 9))])
    plain, _ = weighed(above, below)
    for line in (
        ("hr", (0, 101, 1000, 1)),
        ("img", (100, 100, 800, 2)),
        ("div", (0, 102, 1000, 200), {"css": {"border-top-width": "1px"}}),
    ):
        weight, reasons = weighed(above, line, below)
        assert weight == plain + 2
        assert "a line is drawn along it (+2)" in reasons
    assert weighed(above, ("hr", (0, 101, 300, 1)), below)[0] == plain  # runs along a third of it


def test_backgrounds_and_type_make_it_heavier_and_like_blocks_lighter():
    dark = {"css": {"background-color": "rgb(0, 0, 90)"}}
    large = {"css": {"font-size": "32px"}}
    img = [("img", LOWER)] * 2
    assert weighed(("p", UPPER, "a"), ("p", LOWER, img))[0] == 1
    assert weighed(("p", UPPER, "a"), ("p", LOWER, dark, img))[0] == 3
    assert weighed(("p", UPPER, "a"), ("p", LOWER, large, ["b", *img]))[0] == 3
    assert weighed(("p", UPPER, large, "a"), ("p", LOWER, ["b", *img]))[0] == 2
    weight, reasons = weighed(("p", UPPER, "a"), ("p", LOWER, dark, "b"))
    assert weight == 1
    assert reasons == (
        "0 px between (+0)", "different backgrounds (+2)", "a similar build on either side (-2)",
    )  # fmt: skip


def test_type_and_build_do_not_count_between_columns():
    left, right = ("p", (0, 0, 400, 900), "a"), ("p", (420, 0, 500, 900), "b")
    assert weighed(left, right)[0] == 4


def nested(group):
    return [nested(child) for child in group.children] or group.members[0]


def test_blocks_are_merged_over_the_lightest_separators_first():
    tops = [0, 100, 210, 320, 500]  # 0, 10, 10 and 80 px between blocks 100 px high
    nodes = body(*(("p", (0, top, 1000, 100), [("img", (0, top, 9, 9))] if k % 2 else "words")
                   for k, top in enumerate(tops)))  # fmt: skip
    root, separators = merge(pool_of(nodes))
    assert [s.weight for s in separators] == [1, 3, 3, 6]
    assert nested(root) == [[[0, 1], 2, 3], 4]
    assert root.weight == 6


def test_columns_are_merged_before_the_header_and_the_footer():
    boxes = [(0, 0, 1000, 20), (0, 20, 300, 500), (364, 20, 636, 500), (0, 520, 1000, 400)]
    root, _ = merge(pool_of(body(*(("p", box, "words") for box in boxes))))
    assert nested(root) == [0, [1, 2], 3]
    assert root.weight == 6  # that of the heaviest separator in it


def test_a_grid_is_merged_by_rows_where_rows_are_farther_apart():
    boxes = [(x, y, 100, 100) for y in (0, 200) for x in (0, 110)]
    root, separators = merge(pool_of(body(*(("p", box, [("img", box)]) for box in boxes))))
    assert [s.weight for s in separators] == [4, 3]
    assert nested(root) == [[0, 1], [2, 3]]


def test_blocks_that_nothing_separates_are_one_group():
    boxes = [(0, 0, 600, 600), (300, 300, 600, 600), (100, 100, 50, 50)]
    root, separators = merge(pool_of(body(*(("p", box, "words") for box in boxes))))
    assert (nested(root), root.weight, separators) == ([0, 1, 2], 0, ())


def shop():
    """Return a page of a header, a menu next to a story below a line, and a footer."""
    return body(
        ("div", (0, 0, 1000, 100), {"id": "head"}, [("p", (0, 0, 1000, 100), "shop")]),
        ("hr", (0, 110, 1000, 2)),
        ("div", (0, 120, 1000, 700), {"id": "middle"}, [
            ("div", (0, 120, 200, 700), {"id": "menu"}, [
                ("p", (0, 120 + 200 * k, 200, 180), f"entry {k}") for k in range(3)
            ]),
            ("div", (220, 120, 780, 700), {"id": "story"}, [
                ("h1", (220, 120, 780, 90), {"css": {"font-size": "32px"}}, "Title"),
                ("p", (220, 220, 780, 600), "words"),
            ]),
        ]),
        ("div", (0, 900, 1000, 100), {"id": "foot"}, [("p", (0, 900, 1000, 100), "end")]),
    )  # fmt: skip


def label(nodes, block):
    return " ".join(nodes.attributes[r].get("id", nodes.name_of(r)) for r in block.rows)


def test_merged_nodes_of_the_content_structure_are_named_by_their_parent():
    nodes = shop()
    result = structure(Page("about:blank", nodes=nodes), VipsParams(small=0.3))
    (first,) = result.rounds[0]
    assert [label(nodes, b) for b in first.parts] == ["p", "middle", "p"]
    head, middle, foot = first.parts
    assert [label(nodes, b) for b in result.parts(middle)] == ["menu", "story"]
    assert "merged" in result.parts(middle)[1].reason
    assert not result.parts(head)
    assert not result.parts(foot)
    assert not any("hr" in label(nodes, block) for block in first.pool)
    assert any("a line is drawn along it (+2)" in s.reasons for s in first.separators)


def test_levels_are_two_steps_down_and_the_leaves():
    page = Page("about:blank", nodes=shop())
    result = segment(page, VipsParams(small=0.3, pdoc=10)).blocks
    assert [(b.level, label(page.nodes, b)) for b in result] == [
        (1, "p"), (1, "menu"), (2, "p"), (2, "p"), (2, "p"),
        (1, "story"), (2, "h1"), (2, "p"), (1, "p"),
    ]  # fmt: skip
    deeper = segment(page, VipsParams(small=0.3, pdoc=10, depth=1)).blocks
    assert [label(page.nodes, b) for b in deeper if b.level == 1] == ["p", "middle", "p"]


TAGS = st.sampled_from(["div", "p", "table", "tr", "td", "span", "hr", "img", "ul"])
RECT = st.tuples(*[st.integers(0, 20).map(lambda k: k * 50)] * 4)
NODE = st.recursive(
    st.tuples(TAGS, RECT) | st.just("words"),
    lambda inner: st.tuples(TAGS, RECT, st.lists(inner, max_size=4)),
    max_leaves=25,
)


@settings(max_examples=80)
@given(st.lists(NODE, max_size=5), st.integers(1, 11))
def test_parts_of_a_node_are_as_coherent_as_it_and_are_all_there_is_in_it(children, pdoc):
    nodes = body(*children)
    page = Page("about:blank", nodes=nodes)
    result = structure(page, VipsParams(pdoc=pdoc))
    layout = VipsLayout(nodes)

    def shown(block):
        rows = {r for row in block.rows for r in range(row, int(nodes.end[row]))}
        return {r for r in rows if layout.counts[r] and not layout.children[r]}

    plain = structure(page, VipsParams(pdoc=pdoc, separators=False))
    want = [b for b in plain.leaves(plain.page) if layout.counts[list(b.rows)].any()]
    assert {b.rows for b in result.leaves(result.page)} == {b.rows for b in want or [result.page]}
    waiting = [result.page]
    while waiting:
        block = waiting.pop()
        parts = result.parts(block)
        assert all(part.doc >= block.doc for part in parts)
        assert len(parts) != 1 or block == result.page or parts[0].rows != block.rows
        if parts and block.rule == 14:
            assert shown(block) == set().union(*(shown(part) for part in parts))
        assert sum(len(shown(part)) for part in parts) == len(
            set().union(*(shown(part) for part in parts))
        )
        waiting.extend(parts)
