"""What is built alike: found, marked together, typed together."""

import pytest

from annotate.marks import edits
from annotate.marks.gold import Gold, Mark, MarkState, Target
from annotate.marks.similar import add_similar, builds, copy_type, similar_marks, similar_types
from engine.errors import InputError
from tests.annotate.pages import page_of, row_of
from tests.tables import table

NODES = page_of(
    "<div id=left><div class='card hot' id=a><p id=ap>Ferry back</p></div>"
    "<div class='hot card' id=b><p id=bp>Tide mill opens</p></div></div>"
    "<div id=right class=wide><div class='card hot' id=c><p id=cp>Harbour feast</p></div>"
    "<div class=ad id=d><p id=dp>Buy a boat</p></div>"
    "<section class='card hot' id=e><p id=ep>Rain</p></section></div>"
).rendered()


def row(name):
    return row_of(NODES, name)


def gold_of(*blocks, drafts=()):
    """Blocks by (element, level, type); drafts among them by their place."""
    gold = Gold()
    for index, (name, level, kind) in enumerate(blocks):
        gold = edits.add_block(
            gold, NODES, [Target(row(name))], level, kind, lambda n=index: f"{n}"
        )
    marks = (
        mark.with_(state=MarkState.DRAFT) if index in drafts else mark
        for index, mark in enumerate(gold.marks)
    )
    return Gold(tuple(marks))


def told(gold):
    by_row = {row(name): name for name in "abcde"}
    return {by_row[m.targets[0].row]: (m.level, m.type, m.is_draft) for m in gold.marks}


def test_elements_are_alike_by_tag_classes_in_any_order_and_the_tags_above():
    built = builds(NODES)
    assert built[row("a")] == built[row("b")] == built[row("c")]
    assert len({int(built[row(name)]) for name in "ade"}) == 3


def test_classes_that_only_count_an_element_among_its_like_do_not_tell_it_apart():
    rows = [
        f"<p class='views-row views-row-{n} views-row-{odd} {more}' id=r{n}>Tea"
        for n, (odd, more) in enumerate((("odd", "views-row-first"), ("even", ""), ("odd", "hot")))
    ]
    nodes = page_of("".join(rows) + "<p class='col-md-4' id=c4>a<p class='col-md-6' id=c6>b")
    nodes, built = nodes.rendered(), builds(nodes.rendered())
    one, two, hot = (int(built[row_of(nodes, f"r{n}")]) for n in range(3))
    assert one == two != hot
    assert built[row_of(nodes, "c4")] != built[row_of(nodes, "c6")]  # widths, not counters


def test_elements_without_a_class_are_alike_by_the_classes_above():
    built = builds(NODES)
    assert built[row("ap")] == built[row("bp")]
    assert len({int(built[row(name)]) for name in ("ap", "cp", "dp", "ep")}) == 4


def test_blocks_of_one_level_that_are_built_alike_are_found_from_one_of_them():
    gold = gold_of(("a", 2, ""), ("c", 2, "Ad"), ("b", 1, ""), ("d", 2, ""))
    assert [m.id for m in similar_marks(gold, NODES, ["0"])] == ["0", "1"]
    assert [m.id for m in similar_marks(gold, NODES, ["2"])] == ["2"]
    assert similar_marks(gold, NODES, []) == ()


def test_all_elements_like_a_block_become_blocks_of_its_level_and_type():
    gold = gold_of(("a", 2, "Article"))
    want = dict.fromkeys(("a", "b", "c"), (2, "Article", False))
    assert told(add_similar(gold, NODES, ["0"])) == want


def test_marked_elements_stay_and_drafts_are_confirmed_or_give_way():
    gold = gold_of(("a", 2, "Article"), ("b", 2, "Ad"), ("c", 2, "Menu"), drafts=(2,))
    assert told(add_similar(gold, NODES, ["0"])) == {
        "a": (2, "Article", False), "b": (2, "Ad", False), "c": (2, "Article", False),
    }  # fmt: skip
    around = edits.add_block(gold_of(("a", 2, "")), NODES, [Target(row("left"))], 2)
    assert len(add_similar(around, NODES, ["0"]).marks) == 3  # b is in a block already
    inside = edits.add_block(gold_of(("a", 2, "")), NODES, [Target(row("cp"))], 2)
    inside = Gold((*inside.marks[:-1], inside.marks[-1].with_(state=MarkState.DRAFT)))
    assert told(add_similar(inside, NODES, ["0"])).keys() == {"a", "b", "c"}


def test_a_group_is_not_looked_for():
    gold = edits.add_block(Gold(), NODES, [Target(row("a")), Target(row("b"))], 2, ids=lambda: "g")
    with pytest.raises(InputError, match="one element"):
        add_similar(gold, NODES, ["g"])


def test_nothing_alike_is_no_change():
    gold = gold_of(("d", 2, "Ad"))
    assert add_similar(gold, NODES, ["0"]) is gold


def test_a_type_goes_on_to_drafts_built_alike_that_had_the_same_and_they_stay_drafts():
    before = gold_of(
        ("a", 2, "Menu"), ("b", 2, "Menu"), ("c", 2, "Ad"), ("d", 2, "Menu"), drafts=(0, 1, 2, 3)
    )
    after = copy_type(before, edits.set_type(before, ["0"], "Article"), NODES, ["0"])
    assert told(after) == {
        "a": (2, "Article", False), "b": (2, "Article", True),
        "c": (2, "Ad", True), "d": (2, "Menu", True),
    }  # fmt: skip


def test_a_type_does_not_go_on_to_what_is_confirmed():
    before = gold_of(("a", 2, "Menu"), ("b", 2, "Menu"))
    after = edits.set_type(before, ["0"], "Article")
    assert copy_type(before, after, NODES, ["0"]) is after


def test_a_type_is_known_from_blocks_built_alike_that_were_given_one():
    gold = gold_of(("a", 2, "Article"), ("d", 2, "Ad"))
    tell = similar_types(gold, NODES)
    assert [tell(row(name), 2) for name in "bcde"] == ["Article", "Article", "Ad", ""]
    assert tell(row("b"), 1) == ""


def test_of_several_types_most_blocks_tell_and_of_equals_the_last_and_drafts_nothing():
    both = gold_of(("a", 2, "Article"), ("b", 2, "Ad"))
    assert similar_types(both, NODES)(row("c"), 2) == "Ad"
    drafts = gold_of(("a", 2, "Article"), ("b", 2, "Ad"), drafts=(1,))
    assert similar_types(drafts, NODES)(row("c"), 2) == "Article"


PARTS = page_of(
    "<main id=all><section class=part id=section-header><p id=sp>Harbour news</p></section>"
    "<section class=part id=section-slider><p>Ferry back</p></section>"
    "<section class=part id=post-1><p>Tide mill opens</p></section>"
    "<section class=part id=post-2><p>Rain</p></section></main>"
).rendered()


def drafts_of(level):
    blocks = range(row_of(PARTS, "all"), int(PARTS.end[row_of(PARTS, "all")]))
    rows = [row for row in blocks if PARTS.name_of(row) == "section"]
    marks = [Mark(f"{n}", level, (Target(row),), state=MarkState.DRAFT)
             for n, row in enumerate(rows)]  # fmt: skip
    return Gold(tuple(marks))


def typed(level, mark_id, kind):
    """The types of all parts after one of them, drafts before, was given a type."""
    before = drafts_of(level)
    after = copy_type(before, edits.set_type(before, [mark_id], kind), PARTS, [mark_id])
    return [mark.type for mark in after.marks]


@pytest.mark.parametrize("kind", ["Header", "Footer", "Content", "Sidebar", "Title", "Logo"])
def test_a_type_that_stands_once_on_a_page_does_not_go_on(kind):
    assert typed(2, "2", kind) == ["", "", kind, ""]
    gold = gold_of(("a", 2, kind))
    assert similar_types(gold, NODES)(row("b"), 2) == ""


def test_a_type_does_not_go_on_among_parts_of_a_page_with_names_of_their_own():
    assert typed(1, "0", "Menu") == ["Menu", "", "", ""]
    assert typed(1, "2", "Article") == ["", "", "Article", "Article"]  # post-1, post-2
    assert typed(2, "0", "Article") == ["Article"] * 4
    one = Gold((drafts_of(1).marks[0].with_(type="Menu", state=MarkState.EXACT),))
    assert similar_types(one, PARTS)(drafts_of(1).marks[1].targets[0].row, 1) == ""


def column(left, name, **css):
    box = (left, 700, 180, 90)
    return ("div", box, [("p", box, name)], {"class": f"col-{name}", "css": css})


# rows: 0 html  1 body  2 footer, then three rows a column: div, p, text
FOOTER = table(
    (
        "body",
        (0, 0, 1000, 800),
        [
            (
                "footer",
                (0, 700, 1000, 100),
                [
                    *(column(200 * n, name) for n, name in enumerate(("a", "b", "c", "d"))),
                    column(800, "small", **{"font-size": "11px"}),
                ],
            )
        ],
    )
)


def test_columns_of_a_footer_are_marked_together_though_each_has_a_class_of_its_own():
    columns = [row for row in range(len(FOOTER)) if FOOTER.name_of(row) == "div"]
    gold = edits.add_block(Gold(), FOOTER, [Target(columns[1])], 2, "Link list")
    after = add_similar(gold, FOOTER, [gold.marks[0].id])
    marked = sorted(mark.targets[0].row for mark in after.marks)
    assert marked == columns[:4]  # the last one is written in another font
    assert {mark.type for mark in after.marks} == {"Link list"}
