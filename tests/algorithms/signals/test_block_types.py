"""Suggested types, and the visible content of a node."""

import pytest

from algorithms.signals.block_types import Typist
from algorithms.signals.visible import VisibleColumns
from tests.tables import table

SIZE = (1000, 2000)
STORY = "many words of a story, " * 12


def suggest(node, level=2, beside=STORY * 3):
    rest = ("p", (0, 900, 1000, 100), beside)
    nodes = table(("body", (0, 0, *SIZE), [node, rest]), size=SIZE)
    return Typist(VisibleColumns(nodes)).suggest(2, level)[0]


def links(rect, count):
    return [("a", rect, {"href": "x"}, f"entry {k}") for k in range(count)]


TOP, WIDE, HIGH = (0, 120, 1000, 100), (0, 500, 1000, 100), (0, 500, 100, 400)


@pytest.mark.parametrize(
    ("node", "level", "want"),
    [
        (("nav", WIDE, STORY), 1, "Menu"),
        (("div", WIDE, {"role": "complementary"}, STORY), 2, "Sidebar"),
        (("header", WIDE, {"role": "main"}, STORY), 1, "Content"),
        (("div", (0, 0, 1000, 100), STORY), 1, "Header"),
        (("div", (0, 1900, 1000, 100), STORY), 1, "Footer"),
        (("div", (0, 500, 200, 900), STORY), 1, "Sidebar"),
        (("div", (0, 500, 200, 900)), 1, ""),
        (("div", (0, 500, 900, 900), STORY), 1, "Content"),
        (("div", (0, 500, 900, 900), STORY * 9), 2, "Article"),
        (("div", TOP, links(TOP, 4)), 2, "Menu"),
        (("div", WIDE, links(WIDE, 4)), 2, "Link list"),
        (("div", TOP, [("a", TOP, {"href": "x"}, STORY)] * 4), 2, "Link list"),
        (("div", HIGH, links(HIGH, 4)), 2, "Link list"),
        (("div", HIGH, links(HIGH, 2)), 2, "Link list"),
        (("img", (0, 0, 90, 90)), 2, "Logo"),
        (("img", (800, 0, 90, 90)), 2, "Image"),
        (("img", (0, 500, 90, 90)), 2, "Image"),
        (("form", WIDE, [("input", WIDE, {"type": "search"})]), 2, "Search bar"),
        (("form", WIDE, [("input", WIDE, {}), ("input", WIDE, {})]), 2, ""),
        (("div", WIDE, [("video", WIDE)]), 2, "Video"),
        (("div", (0, 0, 1000, 100), STORY), 2, "Article"),
        (("div", (0, 0, 300, 100), STORY), 2, "Article"),
        (("div", WIDE, STORY), 2, "Article"),
        (("div", WIDE, "few words"), 2, "Article"),
        (("div", (0, 500, 300, 100), "few words"), 1, "Content"),
        (("div", HIGH), 2, ""),
        (("img", (800, 500, 90, 90), {"src": "img/logo-small.png"}), 2, "Logo"),
        (("img", (200, 0, 728, 90), {"src": "a.gif"}), 2, "Ad"),
        (("div", WIDE, {"id": "mainMenu"}, "few words"), 2, "Menu"),
        (("div", WIDE, {"class": "top site-search"}, STORY), 2, "Search bar"),
        (("div", WIDE, {"class": "shadow"}, STORY), 2, "Article"),
        (("div", WIDE, {"id": "page_footer"}, "few words"), 1, "Footer"),
        (("div", WIDE, {"id": "page_footer"}, "few words"), 2, "Article"),
        (("nav", WIDE, {"id": "footer"}, "few words"), 1, "Menu"),
        (("h2", WIDE, "Ferry returned"), 2, "Title"),
        (("h2", WIDE, STORY), 2, "Article"),
        (("div", WIDE, [("img", WIDE), ("img", WIDE)]), 2, "Image"),
        (("div", TOP, [("a", TOP, {"href": "x"}, [("img", TOP)])] * 3), 2, "Menu"),
        (("div", WIDE, [("a", WIDE, {"href": "x"}, [("img", WIDE)])] * 3), 2, "Image"),
        (("img", (0, 0, 300, 400), {"src": "logo.png"}), 2, "Image"),
        (("iframe", (0, 500, 640, 360), {"src": "//video.example/embed/1"}), 2, "Video"),
        (("iframe", (0, 500, 640, 360), {"src": "//map.example/1"}), 2, "Image"),
        (("div", (0, 500, 900, 300), links(WIDE, 9)), 1, "Content"),
    ],
)
def test_types_have_simple_reasons(node, level, want):
    assert suggest(node, level) == want


def test_seen_counts_visible_letters_links_and_media():
    hidden = ("p", (0, 0, 0, 0), {"css": {"display": "none"}}, [
        ("a", (0, 0, 0, 0), {"href": "x"}, "hidden"),
    ])  # fmt: skip
    nodes = table(("body", (0, 0, 100, 100), [
        hidden, ("p", (0, 0, 100, 50), ["two words ", ("a", (0, 0, 9, 9), {"href": "x"}, "link")]),
        ("img", (0, 50, 10, 10)),
        ("div", (0, 60, 10, 10), {"css": {"background-image": "url(x)"}}),
        ("div", (0, 70, 10, 10)),
    ]), size=(100, 100))  # fmt: skip
    seen = VisibleColumns(nodes)
    assert (seen.letters[0], seen.linked_letters[0], seen.links[0]) == (12, 4, 1)
    assert (seen.media[0], seen.backdrops[0]) == (1, 1)
    shown = [nodes.name_of(row) for row in range(len(nodes)) if seen.shows[row]]
    assert shown == ["html", "body", "p", "#text", "a", "#text", "img", "div"]
    assert seen.share[1] == 1
