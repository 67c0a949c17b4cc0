"""APC: content nodes, and those of them that are blocks."""

import pytest

from algorithms.plugins.baselines.apc import ApcParams, content_nodes, find_blocks
from tests.tables import table

BOX = (0, 0, 1000, 100)


def names(nodes, blocks):
    return [(nodes.name_of(block.rows[0]), block.level, block.type) for block in blocks]


def page(*body):
    return table(("body", (0, 0, 1000, 800), list(body)), size=(1000, 800))


def test_wrappers_are_skipped_and_sections_are_blocks():
    nodes = page(
        ("div", BOX, [("div", BOX, [("nav", BOX, [("ul", BOX, [("li", BOX, "home")])])])]),
        ("div", BOX, {"role": "main"}, [("div", BOX, [("p", BOX, "a story")])]),
    )
    assert names(nodes, find_blocks(nodes, ApcParams())) == [
        ("nav", 1, "Menu"), ("ul", 2, ""), ("div", 1, "Content"),
    ]  # fmt: skip


def test_layout_tables_are_blocks_and_their_cells_optionally():
    cell = ("td", BOX, [("p", BOX, "words")])
    nodes = page(("table", BOX, [("tbody", BOX, [("tr", BOX, [cell, cell])])]))
    assert names(nodes, find_blocks(nodes, ApcParams())) == [("table", 1, "Table")]
    cells = find_blocks(nodes, ApcParams(kinds="groups and cells"))
    assert names(nodes, cells)[1:] == [("td", 2, ""), ("td", 2, "")]
    kinds = [kind for _, kind, _ in content_nodes(nodes)]
    assert kinds == ["table", "row", "cell", "paragraph", "cell", "paragraph"]


@pytest.mark.parametrize(
    ("css", "name"), [({"position": "fixed"}, "fixed"), ({"overflow-y": "scroll"}, "scrolls")]
)
def test_fixed_and_scrolling_elements_are_containers(css, name):
    nodes = page(("div", BOX, {"css": css}, [("p", BOX, "words")]))
    (row, kind, sign), _ = content_nodes(nodes)
    assert (nodes.name_of(row), kind, sign) == ("div", "container", name)


def test_hidden_elements_and_fallbacks_of_objects_are_no_content_nodes():
    nodes = page(
        ("nav", (0, 0, 0, 0), {"css": {"display": "none"}}, [("p", (0, 0, 0, 0), "hidden")]),
        ("object", BOX, [("form", BOX, [("p", BOX, "fallback")])]),
        ("form", BOX, [("input", BOX)]),
    )
    assert [kind for _, kind, _ in content_nodes(nodes)] == ["form", "control"]
    (block,) = find_blocks(nodes, ApcParams())
    assert block.reason == "a content node of its own: form"
