"""Test levels of blocks and rectangles by position."""

from annotate.marks import edits
from annotate.marks.fit import fit_rectangle, inside, level_at, marks_in
from annotate.marks.gold import Gold, Target
from tests.annotate.pages import page_of, row_of
from tests.tables import table

NODES = page_of(
    "<div id=a><p id=ap>Ferry back</p></div><div id=b><p id=bp>Tide mill opens</p></div>"
).rendered()


def at(*names):
    return tuple(Target(row_of(NODES, name)) for name in names)


def test_a_block_inside_a_level_1_block_has_level_2_and_others_level_1():
    gold = edits.add_block(Gold(), NODES, at("a"), 1)
    result = [level_at(gold, NODES, at(name)) for name in ("ap", "bp", "b", "a")]
    assert result == [2, 1, 1, 1]


def test_blocks_inside_either_node_of_a_grouped_level_1_block_have_level_2():
    gold = edits.add_block(Gold(), NODES, at("a", "b"), 1)
    assert [level_at(gold, NODES, at(name)) for name in ("ap", "bp", "a")] == [2, 2, 2]
    assert level_at(gold, NODES, at("a", "b")) == 1


def test_a_level_2_block_does_not_change_the_level_of_blocks_inside():
    gold = edits.add_block(Gold(), NODES, at("a"), 2)
    assert level_at(gold, NODES, at("ap")) == 1


# rows: 0 html  1 body  2 header  3 div  4 div  5 main
FLOATS = table(
    (
        "body",
        (0, 0, 1024, 800),
        [
            (
                "header",
                (0, 0, 1024, 0),
                [("div", (0, 0, 300, 90), "The"), ("div", (600, 0, 424, 90), "Courier")],
            ),
            ("main", (0, 100, 1024, 700), "Ferry back"),
        ],
    )
)


def test_a_rectangle_around_its_floats_fits_an_element_without_height():
    assert fit_rectangle(FLOATS, (0, 0, 1024, 90)) == (Target(2),)
    assert fit_rectangle(FLOATS, (-8, 2, 1030, 90)) == (Target(2),)


def test_a_rectangle_fits_a_child_of_an_element_without_height():
    assert fit_rectangle(FLOATS, (0, 0, 300, 90)) == (Target(3),)


def test_marks_of_elements_without_height_are_found_in_a_rectangle():
    gold = edits.add_block(Gold(), FLOATS, (Target(2),), 1)
    assert marks_in(gold, FLOATS, (0, 0, 1024, 95)) == gold.marks
    assert marks_in(gold, FLOATS, (0, 0, 500, 95)) == ()


# rows: 0 html  1 body  2 h1  3 #text  4 div  5 p  6 #text  7 p  8 #text
COLUMN = table(
    (
        "body",
        (0, 0, 1000, 800),
        [
            ("h1", (100, 20, 800, 40), [("#text", (100, 20, 290, 40), "Ferry back")]),
            (
                "div",
                (100, 100, 800, 300),
                [
                    ("p", (100, 100, 380, 300), "The ferry went back."),
                    ("p", (500, 100, 380, 300), "Nobody was hurt."),
                ],
            ),
        ],
    )
)


def test_a_rectangle_around_the_words_of_a_wide_heading_means_the_heading():
    heading = int(COLUMN.parent[3])
    assert fit_rectangle(COLUMN, (96, 16, 300, 48)) == (Target(heading),)


def test_a_rectangle_for_main_content_takes_all_elements_in_it():
    assert fit_rectangle(COLUMN, (90, 10, 480, 380)) == ()
    taken = inside(COLUMN, (90, 10, 820, 380))
    assert [COLUMN.name_of(target.row) for target in taken] == ["h1", "div"]
    assert inside(COLUMN, (0, 600, 50, 50)) == ()


# rows: 0 html  1 body  2 header  3 nav  4 main
BANNER = table(
    (
        "body",
        (0, 0, 1024, 800),
        [
            ("header", (0, 0, 1024, 170), ["The Courier of the quay"]),
            ("nav", (0, 170, 1024, 50), ["Home Tides"]),
            ("main", (0, 220, 1024, 580), ["The ferry returned"]),
        ],
    )
)


def test_a_rectangle_around_a_header_and_a_thin_menu_means_both():
    both = fit_rectangle(BANNER, (2, 3, 1018, 215), slack=20)
    assert [BANNER.name_of(t.row) for t in both] == ["header", "nav"]
    alone = fit_rectangle(BANNER, (2, 3, 1018, 172), slack=20)
    assert [BANNER.name_of(t.row) for t in alone] == ["header"]
