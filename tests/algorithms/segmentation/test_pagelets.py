"""Page partitioning against the printed listing."""

from hypothesis import given
from hypothesis import strategies as st

from algorithms.segmentation.pagelets import PageletsParams, find_blocks, trace
from tests.tables import page_of, table

BOX = (0, 0, 100, 100)
LINK = ("a", BOX, {"href": "x"}, "link")


def rows(nodes, **params):
    return [block.rows[0] for block in find_blocks(nodes, PageletsParams(**params))]


def names(nodes, **params):
    return [nodes.attributes[row].get("id", nodes.name_of(row)) for row in rows(nodes, **params)]


def test_a_menu_is_cut_and_a_story_with_two_links_is_not():
    story = ("div", BOX, {"id": "story"}, [("p", BOX, ["words", LINK]), ("p", BOX, [LINK])])
    menu = ("ul", BOX, {"id": "menu"}, [("li", BOX, [LINK]) for _ in range(4)])
    nodes = table(("body", BOX, [menu, story]))
    assert names(nodes) == ["menu", "story"]
    assert names(nodes, links=5) == ["body"]
    assert names(nodes, links=7) == ["html"]
    assert names(nodes, links=1) == ["a", "a", "a", "a", "#text", "a", "a"]


def test_links_without_address_are_none():
    nodes = table(("body", BOX, [("a", BOX, "name") for _ in range(5)]))
    assert names(nodes) == ["html"]


def test_invisible_nodes_are_left_out_by_default():
    menu = ("p", BOX, [LINK, LINK, LINK])
    nodes = table(("body", BOX, [menu, ("script", (0, 0, 0, 0), "code")]))
    assert names(nodes) == ["p"]
    assert names(nodes, visible_only=False) == ["p", "script"]


NODE = st.recursive(
    st.just(LINK) | st.just("words") | st.just(("p", BOX)),
    lambda inner: st.tuples(st.sampled_from(["div", "ul"]), st.just(BOX), st.lists(inner)),
    max_leaves=20,
)


@given(st.lists(NODE, max_size=6), st.integers(1, 4))
def test_finds_what_the_printed_listing_finds(children, k):
    nodes = table(("body", BOX, list(children)))

    def links(row):
        below = range(row, int(nodes.end[row]))
        return sum(nodes.name_of(r) == "a" for r in below)

    queue, result = [0], []
    while queue:
        row = queue.pop()
        below = nodes.children(row).tolist()
        if any(links(child) >= k for child in below):
            queue.extend(below)
        else:
            result.append(row)
    assert rows(nodes, links=k) == sorted(result)


def test_a_trace_tells_the_links_that_made_a_part_too_large():
    menu = ("ul", BOX, {"id": "menu"}, [("li", BOX, [LINK]) for _ in range(4)])
    page = page_of(table(("body", BOX, [menu, ("p", BOX, "words")])))
    body, ul = (page.rendered().attributes.index(each) for each in ({}, {"id": "menu"}))
    result = trace(page, PageletsParams())
    assert (
        result.decisions(body)[0].sentence == "no block: 4 links in one child (must be less than 3)"
    )
    assert result.decisions(ul)[0].sentence == "a block: 1 link in one child (must be less than 3)"
