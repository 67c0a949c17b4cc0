"""Test that similar elements are found, marked and typed together."""

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
    """Return gold of blocks by (element, level, type), some of them drafts."""
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


def test_elements_are_similar_by_tag_unordered_classes_and_ancestor_tags():
    built = builds(NODES)
    assert built[row("a")] == built[row("b")] == built[row("c")]
    assert len({int(built[row(name)]) for name in "ade"}) == 3


def test_counter_classes_are_ignored_in_similarity():
    rows = [
        f"<p class='views-row views-row-{n} views-row-{odd} {more}' id=r{n}>Tea"
        for n, (odd, more) in enumerate((("odd", "views-row-first"), ("even", ""), ("odd", "hot")))
    ]
    nodes = page_of("".join(rows) + "<p class='col-md-4' id=c4>a<p class='col-md-6' id=c6>b")
    nodes, built = nodes.rendered(), builds(nodes.rendered())
    one, two, hot = (int(built[row_of(nodes, f"r{n}")]) for n in range(3))
    assert one == two != hot
    assert built[row_of(nodes, "c4")] != built[row_of(nodes, "c6")]  # widths, not counters


def test_elements_without_a_class_are_compared_by_ancestor_classes():
    built = builds(NODES)
    assert built[row("ap")] == built[row("bp")]
    assert len({int(built[row(name)]) for name in ("ap", "cp", "dp", "ep")}) == 4


def test_similar_blocks_of_the_same_level_are_found():
    gold = gold_of(("a", 2, ""), ("c", 2, "Ad"), ("b", 1, ""), ("d", 2, ""))
    assert [m.id for m in similar_marks(gold, NODES, ["0"])] == ["0", "1"]
    assert [m.id for m in similar_marks(gold, NODES, ["2"])] == ["2"]
    assert similar_marks(gold, NODES, []) == ()


def test_elements_similar_to_a_block_are_marked_with_its_level_and_type():
    gold = gold_of(("a", 2, "Article"))
    want = dict.fromkeys(("a", "b", "c"), (2, "Article", False))
    assert told(add_similar(gold, NODES, ["0"])) == want


def test_marking_similar_elements_keeps_marks_and_confirms_or_removes_drafts():
    gold = gold_of(("a", 2, "Article"), ("b", 2, "Ad"), ("c", 2, "Menu"), drafts=(2,))
    assert told(add_similar(gold, NODES, ["0"])) == {
        "a": (2, "Article", False), "b": (2, "Ad", False), "c": (2, "Article", False),
    }  # fmt: skip
    around = edits.add_block(gold_of(("a", 2, "")), NODES, [Target(row("left"))], 2)
    assert len(add_similar(around, NODES, ["0"]).marks) == 3  # b is in a block already
    inside = edits.add_block(gold_of(("a", 2, "")), NODES, [Target(row("cp"))], 2)
    inside = Gold((*inside.marks[:-1], inside.marks[-1].with_(state=MarkState.DRAFT)))
    assert told(add_similar(inside, NODES, ["0"])).keys() == {"a", "b", "c"}


def test_marking_elements_similar_to_a_group_is_refused():
    gold = edits.add_block(Gold(), NODES, [Target(row("a")), Target(row("b"))], 2, ids=lambda: "g")
    with pytest.raises(InputError, match="one element"):
        add_similar(gold, NODES, ["g"])


def test_gold_is_unchanged_without_similar_elements():
    gold = gold_of(("d", 2, "Ad"))
    assert add_similar(gold, NODES, ["0"]) is gold


def test_a_type_is_copied_to_similar_drafts_of_the_same_former_type():
    before = gold_of(
        ("a", 2, "Menu"), ("b", 2, "Menu"), ("c", 2, "Ad"), ("d", 2, "Menu"), drafts=(0, 1, 2, 3)
    )
    after = copy_type(before, edits.set_type(before, ["0"], "Article"), NODES, ["0"])
    assert told(after) == {
        "a": (2, "Article", False), "b": (2, "Article", True),
        "c": (2, "Ad", True), "d": (2, "Menu", True),
    }  # fmt: skip


def test_a_type_is_not_copied_to_confirmed_blocks():
    before = gold_of(("a", 2, "Menu"), ("b", 2, "Menu"))
    after = edits.set_type(before, ["0"], "Article")
    assert copy_type(before, after, NODES, ["0"]) is after


def test_the_type_of_similar_typed_blocks_is_suggested():
    gold = gold_of(("a", 2, "Article"), ("d", 2, "Ad"))
    tell = similar_types(gold, NODES)
    assert [tell(row(name), 2) for name in "bcde"] == ["Article", "Article", "Ad", ""]
    assert tell(row("b"), 1) == ""


def test_the_last_type_of_equally_many_wins_and_drafts_are_ignored():
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
    """Return the types of all draft parts after one of them was given a type."""
    before = drafts_of(level)
    after = copy_type(before, edits.set_type(before, [mark_id], kind), PARTS, [mark_id])
    return [mark.type for mark in after.marks]


@pytest.mark.parametrize("kind", ["Header", "Footer", "Content", "Sidebar", "Title", "Logo"])
def test_a_type_that_occurs_once_on_a_page_is_not_copied(kind):
    assert typed(2, "2", kind) == ["", "", kind, ""]
    gold = gold_of(("a", 2, kind))
    assert similar_types(gold, NODES)(row("b"), 2) == ""


def test_level_1_types_are_copied_only_among_ids_that_differ_by_a_number():
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


def test_footer_columns_of_different_classes_are_marked_together():
    columns = [row for row in range(len(FOOTER)) if FOOTER.name_of(row) == "div"]
    gold = edits.add_block(Gold(), FOOTER, [Target(columns[1])], 2, "Link list")
    after = add_similar(gold, FOOTER, [gold.marks[0].id])
    marked = sorted(mark.targets[0].row for mark in after.marks)
    assert marked == columns[:4]  # the last one is written in another font
    assert {mark.type for mark in after.marks} == {"Link list"}
