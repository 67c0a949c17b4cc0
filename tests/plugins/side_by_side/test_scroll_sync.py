"""Two renderings of one page, matched by their nodes."""

from gui.plugins.side_by_side.scroll_sync import ScrollSync, anchor, follow
from tests.tables import table


def page(*heights, extra=0):
    """Return a page of paragraphs of these heights, with an advertisement of ``extra`` px."""
    children, y = [], 0
    for index, height in enumerate(heights):
        if index == 1 and extra:
            children.append(
                ("div", (0, y, 500, extra), {"id": "ad"}, [("b", (0, y, 500, extra), "buy")])
            )
            y += extra
        children.append(("p", (0, y, 500, height), f"paragraph {index}"))
        y += height
    return table(("body", (0, 0, 500, y), children))


SHORT = page(100, 200, 300, 900)
LONG = page(100, 200, 300, 900, extra=700)


def paragraphs(nodes):
    return [row for row in range(len(nodes)) if nodes.name_of(row) == "p"]


def test_equal_pages_scroll_to_the_same_pixel():
    assert follow(ScrollSync(SHORT, page(100, 200, 300, 900)), 345.0) == 345.0


def test_inserted_content_leaves_the_other_elements_matched():
    sync = ScrollSync(SHORT, LONG)
    assert not sync.is_same
    assert [int(sync.rows[row]) for row in paragraphs(SHORT)] == paragraphs(LONG)
    assert [sync.back(row) for row in paragraphs(LONG)] == paragraphs(SHORT)


def test_scrolling_keeps_the_same_share_of_the_same_element_at_the_top():
    assert anchor(SHORT, 150.0) == (paragraphs(SHORT)[1], 0.25)
    assert follow(ScrollSync(SHORT, LONG), 150.0) == 100 + 700 + 50
    assert follow(ScrollSync(LONG, SHORT), 850.0) == 150


def test_content_missing_on_the_other_page_is_matched_with_its_ancestor():
    inside_ad = follow(ScrollSync(LONG, SHORT), 450.0)
    assert 0 < inside_ad < 1500
    ad = next(row for row in range(len(LONG)) if LONG.name_of(row) == "b")
    body = next(row for row in range(len(SHORT)) if SHORT.name_of(row) == "body")
    assert ScrollSync(LONG, SHORT).row(ad) == body


def test_elements_of_other_heights_scroll_by_share():
    assert follow(ScrollSync(SHORT, page(50, 400, 300, 900)), 150.0) == 50 + 0.25 * 400
