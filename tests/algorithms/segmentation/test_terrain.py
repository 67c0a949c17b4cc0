"""Terrain: each of its rules on the smallest page that shows it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.segmentation.terrain import TerrainParams, find_blocks
from tests.tables import table

SIZE = (1000, 1000)
STORY = "a story long enough to stand for itself on any page"


def box(name, rect, *rest):
    return ("div", rect, {"id": name}, *rest)


def page(*children):
    return table(("body", (0, 0, *SIZE), list(children)), size=SIZE)


def blocks(*children, **params):
    nodes = page(*children)
    result = find_blocks(nodes, TerrainParams(**params))
    return [(b.level, nodes.attributes[b.rows[0]].get("id", nodes.name_of(b.rows[0])))
            for b in result]  # fmt: skip


def lines(name, left, top, count=2, width=200, height=100):
    """Return a column of boxes with a story each."""
    return box(name, (left, top, width, count * height), [
        box(f"{name}{k}", (left, top + k * height, width, height), STORY) for k in range(count)
    ])  # fmt: skip


HEAD = box("head", (0, 0, 1000, 100), STORY)


def test_adjacent_parts_are_level_1_and_their_parts_level_2():
    assert blocks(HEAD, lines("main", 0, 100, 3, 1000)) == [
        (1, "head"), (1, "main"), (2, "main0"), (2, "main1"), (2, "main2"),
    ]  # fmt: skip


def test_a_wrapper_without_height_has_the_size_of_its_visible_content():
    wrapper = box("wrapper", (0, 100, 1000, 0), [
        box("left", (0, 100, 500, 900), STORY), box("right", (500, 100, 500, 900), STORY),
    ])  # fmt: skip
    assert [name for level, name in blocks(HEAD, wrapper) if level == 1] == ["head", "wrapper"]
    assert (2, "left") in blocks(HEAD, wrapper)
    assert blocks(HEAD, wrapper, whole_boxes=False) == [(1, "head")]


def test_an_empty_layer_over_the_whole_window_is_ignored():
    layer = box("layer", (0, 0, 1000, 1000))
    assert blocks(layer, HEAD, box("main", (0, 100, 1000, 900), STORY)) == [
        (1, "head"), (1, "main"),
    ]  # fmt: skip


def test_a_dominant_child_is_followed_even_with_siblings():
    most = box("most", (0, 0, 1000, 980), [HEAD, box("main", (0, 100, 1000, 880), STORY)])
    rest = box("rest", (0, 980, 1000, 20), STORY)
    assert blocks(most, rest) == [(1, "head"), (1, "main")]
    assert (1, "most") in blocks(most, rest, dominance=0.99)


def test_a_background_layer_of_the_whole_page_is_ignored():
    pattern = {"css": {"background-image": 'url("stars.png")'}}
    layer = ("div", (0, 0, 1000, 1000), {"id": "stars", **pattern})
    main = box("main", (0, 100, 1000, 900), STORY)
    assert blocks(layer, HEAD, main) == [(1, "head"), (1, "main")]
    assert blocks(layer, HEAD, main, backgrounds=False) == [(1, "stars")]
    banner = ("div", (0, 0, 1000, 50), {"id": "stars", **pattern})
    assert (1, "stars") in blocks(banner, box("main", (0, 50, 1000, 950), STORY))


def test_text_moved_off_the_page_makes_nothing_larger():
    skip = box("skip", (-90_000, 0, 500, 1000), STORY)
    logo = box("logo", (0, 0, 100, 100), [skip, box("name", (0, 0, 100, 100), STORY)])
    main = box("main", (0, 100, 1000, 900), STORY)
    assert blocks(logo, main) == [(1, "logo"), (2, "name"), (1, "main")]
    assert (1, "main") not in blocks(logo, main, seen_only=False)


def test_with_stacking_a_menu_is_not_enlarged_by_its_overlay():
    above = {"css": {"position": "absolute", "z-index": "9"}}
    fold = ("div", (0, 20, 1000, 980), {"id": "fold", **above}, STORY)
    menu = box("menu", (0, 0, 1000, 20), [box("bar", (0, 0, 1000, 20), STORY), fold])
    main = box("main", (0, 20, 1000, 900), STORY)
    assert {name for level, name in blocks(menu, main) if level == 1} == {"fold"}
    result = blocks(menu, main, stacking=True)
    assert {name for level, name in result if level == 1} == {"menu", "main"}


def test_small_parts_are_blocks_on_level_1_only():
    menu = lines("menu", 0, 100, 2, 100, 50)  # each entry .5 % of the page
    assert blocks(HEAD, menu) == [(1, "head"), (1, "menu")]
    assert (2, "menu0") in blocks(HEAD, menu, least_area=0.004)
    assert (2, "menu0") in blocks(HEAD, menu, drop_crumbs=False)


def test_running_text_is_not_opened():
    text = [("p", (0, 100 + 300 * k, 1000, 300), STORY) for k in range(3)]
    main = box("main", (0, 100, 1000, 900), text)
    assert blocks(HEAD, main) == [(1, "head"), (1, "main")]
    assert len(blocks(HEAD, main, keep_text=False)) == 5


def nested(parts):
    """Return a level-1 block, with a level-2 block 300 px wide that has parts, and others."""
    column = box("column", (0, 100, 300, 600), parts)
    return HEAD, box("main", (0, 100, 1000, 900), [column, lines("other", 300, 100, 2, 700, 450)])


def test_parts_are_opened_further_if_all_of_them_are_substantial():
    even = [box(f"part{k}", (0, 100 + 200 * k, 300, 200), STORY) for k in range(3)]
    assert (2, "part0") in blocks(*nested(even))
    assert (2, "part0") not in blocks(*nested(even), open_even=False)
    crumb = box("crumb", (0, 700, 300, 20), STORY)
    assert (2, "part0") not in blocks(*nested([*even, crumb]))


def test_large_parts_are_opened_whatever_is_in_them():
    even = [box(f"part{k}", (0, 100 + 200 * k, 300, 200), STORY) for k in range(3)]
    crumb = box("crumb", (0, 700, 300, 20), STORY)
    assert (2, "part0") in blocks(*nested([*even, crumb]), large=0.1)
    assert (2, "part0") not in blocks(*nested([*even, crumb]), large=0.1, open_large=False)


def test_a_block_that_was_opened_gives_way_to_its_parts():
    even = [box(f"part{k}", (0, 100 + 200 * k, 300, 200), STORY) for k in range(3)]
    assert (2, "column") not in blocks(*nested(even))
    assert (2, "column") in blocks(*nested(even), give_way=False)


def test_small_texts_are_not_blocks_but_small_pictures_are():
    parts = [
        box("story", (0, 100, 1000, 300), STORY),
        box("short", (0, 400, 1000, 100), "few letters"),
        box("flat", (0, 500, 1000, 5), STORY),
        ("img", (0, 510, 20, 20), {"id": "picture"}),
    ]
    main = box("main", (0, 100, 1000, 900), parts)
    assert blocks(HEAD, main) == [
        (1, "head"), (1, "main"), (2, "story"), (2, "picture"),
    ]  # fmt: skip
    assert (2, "picture") not in blocks(HEAD, main, pictures=False)


def test_a_menu_beside_other_text_is_a_block():
    entries = [("li", (0, 6 + 6 * k, 150, 6), [
        ("a", (0, 6 + 6 * k, 150, 6), {"href": "x"}, f"entry number {k}"),
    ]) for k in range(4)]  # fmt: skip
    menu = ("ul", (0, 6, 150, 24), {"id": "menu"}, entries)  # too small to be a block otherwise
    head = box("head", (0, 0, 150, 30), [("p", (0, 0, 150, 6), STORY), menu])
    main = box("main", (0, 100, 1000, 900), STORY)
    assert blocks(head, main) == [(1, "head"), (2, "menu"), (1, "main")]
    assert blocks(head, main, lists=False) == [(1, "head"), (1, "main")]
    alone = box("head", (0, 0, 150, 30), [menu])
    assert blocks(alone, main) == [(1, "head"), (1, "main")]


def test_every_block_has_a_reason():
    nodes = page(HEAD, lines("main", 0, 100, 3, 1000))
    reasons = [b.reason for b in find_blocks(nodes, TerrainParams())]
    assert reasons[0] == "one of several parts side by side on the page; at the top of the page"
    assert all(reasons)


@pytest.mark.parametrize("nodes", [page(), table(), page(box("empty", (0, 0, 9, 9)))])
def test_a_page_with_nothing_to_see_is_one_block(nodes):
    assert len(find_blocks(nodes, TerrainParams())) == 1


TAGS = st.sampled_from(["div", "p", "ul", "a", "img", "hr", "form"])
RECT = st.tuples(*[st.integers(0, 20).map(lambda k: k * 50)] * 4)
NODE = st.recursive(
    st.tuples(TAGS, RECT) | st.just(STORY),
    lambda inner: st.tuples(TAGS, RECT, st.lists(inner, max_size=4)),
    max_leaves=25,
)


SWITCHES = st.fixed_dictionaries({
    name: st.booleans() for name, default in TerrainParams.defaults().items() if default is True
    or default is False
})  # fmt: skip


@given(st.lists(NODE, max_size=5), SWITCHES)
def test_level_2_blocks_are_inside_level_1_blocks_on_any_page(children, switches):
    nodes = page(*children)
    result = find_blocks(nodes, TerrainParams(**switches))
    first = [b.rows[0] for b in result if b.level == 1]
    assert len({(b.rows, b.level) for b in result}) == len(result)
    for one, other in pairwise(first):
        assert other >= nodes.end[one]
    for block in result:
        if block.level == 2:
            assert any(row < block.rows[0] < nodes.end[row] for row in first)
