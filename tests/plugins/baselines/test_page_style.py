"""The blocks a page declares."""

from algorithms.plugins.baselines.page_style import PageStyleParams, find_blocks, trace
from tests.tables import page_of, table

BOX = (0, 0, 100, 100)


def blocks(*children, **params):
    nodes = table(("body", BOX, list(children)), size=(100, 100))
    result = find_blocks(nodes, PageStyleParams(**params))
    return [(b.level, b.type, nodes.name_of(b.rows[0])) for b in result]


def test_sections_are_blocks_on_two_levels():
    assert blocks(
        ("header", BOX, [("div", BOX, [("nav", BOX, "menu")])]),
        ("main", BOX, [("article", BOX, [("header", BOX, "title"), ("p", BOX, "words")])]),
        ("footer", BOX, "end"),
    ) == [
        (1, "Header", "header"), (2, "Menu", "nav"),
        (1, "Content", "main"), (2, "Article", "article"),
        (1, "Footer", "footer"),
    ]  # fmt: skip


def test_roles_take_precedence_over_tags():
    assert blocks(
        ("div", BOX, {"role": "Navigation list"}, "menu"),
        ("nav", BOX, {"role": "presentation"}, "no menu"),
        ("aside", BOX, {"role": "search"}, "find"),
    ) == [(1, "Menu", "div"), (1, "Search bar", "aside")]


def test_empty_elements_are_no_blocks_unless_their_descendants_are_visible():
    empty = ("nav", (0, 0, 0, 0))
    around_floats = ("main", (0, 0, 100, 0), [("div", BOX, "words")])
    assert blocks(empty, around_floats) == [(1, "Content", "main")]


def test_blocks_in_articles_move_up_if_articles_are_ignored():
    page = ("article", BOX, [("nav", BOX, "contents")])
    assert blocks(page) == [(1, "Article", "article"), (2, "Menu", "nav")]
    assert blocks(page, articles=False) == [(1, "Menu", "nav")]


def test_a_page_that_declares_nothing_has_no_blocks():
    assert blocks(("div", BOX, "words")) == []
    assert find_blocks(table(), PageStyleParams()) == []


def test_a_trace_lists_what_elements_declare_and_why_others_are_no_blocks():
    title = ("header", BOX, [("p", BOX, "title")])
    article = ("article", BOX, [title])
    page = page_of(
        table(
            (
                "body",
                BOX,
                [
                    ("main", BOX, [article]),
                    ("nav", BOX, {"role": "presentation"}, "no menu"),
                    ("aside", (0, 0, 0, 0)),
                ],
            ),
            size=(100, 100),
        )
    )
    nodes, params = page.rendered(), PageStyleParams()
    result = {name: nodes.names.index(name) for name in ("main", "header", "nav", "aside")}
    rows = {name: nodes.tag.tolist().index(tag) for name, tag in result.items()}

    def told(name, **changed):
        decisions = trace(page, PageStyleParams(**changed) if changed else params)
        return [each.sentence for each in decisions.decisions(rows[name])]

    assert told("main") == [
        "a block: declared as Content by <main>",
        "a block: inside 0 declared blocks (must be less than 2)",
    ]
    assert told("header")[-1] == "no block: inside 2 declared blocks (must be less than 2)"
    assert (
        told("header", articles=False)[-1]
        == "a block: inside 1 declared block (must be less than 2)"
    )
    assert told("nav") == ['no block: role="presentation" is not a landmark']
    assert told("aside")[-1] == "no block: nothing in it is visible"
