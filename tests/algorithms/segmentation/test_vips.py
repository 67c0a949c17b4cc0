"""VIPS: its rules one by one, a pass, and the rounds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.segmentation.vips.content_tree import divide_page
from algorithms.segmentation.vips.layout import VipsLayout
from algorithms.segmentation.vips.rules import (
    RULES,
    NodeOnWalk,
    Verdict,
    decide,
    doc_by_size,
    kind_of,
)
from algorithms.segmentation.vips.vips import METHOD, VipsParams, segment
from algorithms.segmentation.vips.visual_blocks import VisualBlock, extract_blocks
from engine.errors import ParameterError
from engine.page import Page
from tests.tables import rows_of, table

SIZE = (1000, 1000)
WHOLE = 1e6


def body(*children):
    return table(("body", (0, 0, *SIZE), list(children)), size=SIZE)


def asked(node, tag, *, root=False, follows_block=False, small=0.1):
    """Return the verdict of the rules on the first element with this tag."""
    nodes = body(node)
    row = rows_of(nodes, tag)[0]
    return decide(VipsLayout(nodes), NodeOnWalk(row, root, follows_block, small, WHOLE))


def label(nodes, row):
    return nodes.attributes[row].get("id", nodes.name_of(row))


BIG, TINY = (0, 0, 900, 900), (0, 0, 90, 20)
PARA = ("p", (0, 0, 900, 400), "words")
IMG = ("img", (0, 0, 90, 90))


def test_rule_1_cuts_invisible_nodes():
    assert asked(("div", BIG), "div").action is Verdict.CUT
    assert asked(("div", BIG, [("div", (0, 0, 0, 0))]), "div").rule == 1


def test_rule_2_divides_an_only_child_that_is_no_text():
    decision = asked(("div", BIG, [PARA]), "div")
    assert (decision.action, decision.rule) == (Verdict.DIVIDE, 2)
    assert asked(("div", BIG, "words"), "div").rule == 4


def test_rule_3_divides_the_block_itself():
    assert asked(("tr", BIG, [PARA, PARA]), "tr", root=True).rule == 3
    assert asked(("tr", BIG, [PARA, PARA]), "tr").rule == 13


def test_rule_4_keeps_text_and_is_surer_if_it_is_of_one_kind():
    bold = ("b", TINY, {"css": {"font-weight": "700"}}, "bold")
    plain = asked(("p", BIG, ["words ", ("i", TINY, "more")]), "p")
    mixed = asked(("p", BIG, ["words ", ("i", TINY, [bold])]), "p")
    assert (plain.rule, plain.doc) == (4, 10)
    assert (mixed.rule, mixed.doc) == (4, 9)


def test_rule_5_divides_a_line_broken_inside():
    inside = ["words ", ("div", TINY, "more")]
    assert asked(("p", BIG, inside), "p").rule == 5
    assert asked(("span", BIG, inside), "span").rule == 5
    made_block = ("span", TINY, {"css": {"display": "block"}}, "more")
    assert asked(("p", BIG, ["words ", made_block]), "p").rule == 5


def test_rule_6_divides_at_a_line_drawn_across():
    assert asked(("div", BIG, [PARA, ("hr", (0, 0, 900, 2)), PARA]), "div").rule == 6


def test_rule_7_divides_where_children_stick_out():
    assert asked(("div", (0, 0, 900, 10), [PARA, PARA]), "div").rule == 7
    exactly = [("p", (0, 0, 900, 450), "a"), ("p", (0, 450, 900, 450), "b")]
    assert asked(("div", BIG, exactly), "div").rule == 12


def test_rule_8_keeps_the_child_of_another_color_whole():
    dark = {"css": {"background-color": "rgb(0, 0, 90)"}}
    cells = [("td", (0, 0, 300, 900), dark, "menu"), ("td", (300, 0, 600, 900), "story")]
    decision = asked(("tr", BIG, cells), "tr")
    assert (decision.action, decision.rule) == (Verdict.DIVIDE, 8)
    ((_, doc),) = decision.apart
    assert 6 <= doc <= 8
    clear = [("td", (0, 0, 300, 900), "menu"), ("td", (300, 0, 600, 900), "story")]
    assert asked(("tr", BIG, dark, clear), "tr").rule == 13


def test_rule_9_keeps_a_small_box_with_direct_text():
    inside = [("#text", TINY, "words"), ("div", (0, 0, 90, 10), "more")]
    assert asked(("div", (0, 0, 90, 90), inside), "div").rule == 9
    assert asked(("div", BIG, inside), "div", small=0.0).rule == 12


def test_rule_10_keeps_a_box_without_a_large_child():
    small = [("p", TINY, "a"), ("p", TINY, "b")]
    assert asked(("div", BIG, small), "div").rule == 10
    assert asked(("div", BIG, [PARA, PARA]), "div").rule == 12


def test_rules_11_to_13_answer_in_the_end():
    two = [PARA, PARA]
    assert asked(("td", BIG, two), "td", follows_block=True).rule == 11
    assert asked(("td", BIG, two), "td").rule == 13
    assert asked(("table", BIG, two), "table").rule == 13
    assert asked(("ul", BIG, two), "ul").rule == 12
    for rules in RULES.values():
        assert rules[-1] in (12, 13)


def test_kinds_of_node():
    nodes = body(("th", TINY, "x"), ("a", TINY, "x"), ("p", TINY, "x"), ("ul", TINY, "x"))
    kinds = [kind_of(VipsLayout(nodes), rows_of(nodes, tag)[0]) for tag in ("th", "a", "p", "ul")]
    assert kinds == ["td", "inline", "p", "other"]


def test_smaller_boxes_have_a_higher_degree_of_coherence():
    sizes = [(0, 0, 1000 / 2**k, 900) for k in range(9)]
    nodes = body(*(("div", rect, [("img", (0, 0, 1, 1))]) for rect in sizes))
    docs = [doc_by_size(VipsLayout(nodes), row) for row in rows_of(nodes, "div")]
    assert docs == [2, 3, 4, 5, 6, 7, 8, 8, 8]


def test_backgrounds_shine_through():
    red = {"css": {"background-color": "rgb(200, 0, 0)"}}
    nodes = body(("div", BIG, red, [("p", TINY, "words")]), ("section", TINY, "words"))
    layout = VipsLayout(nodes)
    (div,), (p,), (section,) = (rows_of(nodes, tag) for tag in ("div", "p", "section"))
    assert layout.background[div] == layout.background[p] != layout.background[section]


def test_a_wrapper_of_no_height_is_seen_through_its_floats():
    nodes = body(("div", (0, 0, 900, 0), [PARA]))
    layout = VipsLayout(nodes)
    (div,) = rows_of(nodes, "div")
    assert layout.is_valid[div]
    assert layout.areas[div] == 900 * 400


SHOP = body(
    ("div", (0, 0, 1000, 150), {"id": "head"}, [
        ("img", (0, 0, 200, 150), {"id": "logo"}),
        ("ul", (200, 0, 800, 150), {"id": "menu"}, [
            ("li", (200 + 200 * k, 0, 200, 150), [
                ("a", (200 + 200 * k, 0, 90, 20), f"entry {k}"),
            ]) for k in range(4)
        ]),
    ]),
    ("div", (0, 150, 1000, 800), {"id": "story"}, [
        ("h1", (0, 150, 1000, 200), {"id": "title", "css": {"font-size": "32px"}}, "Title"),
        ("p", (0, 350, 1000, 600), {"id": "text"}, [
            "words ", ("b", TINY, {"id": "bold"}, "bold"), " words",
        ]),
    ]),
)  # fmt: skip


def test_one_pass_divides_large_blocks():
    layout = VipsLayout(SHOP)
    page = VisualBlock((1,), 1, 13)
    pool = extract_blocks(layout, page, 0.1, WHOLE)
    assert [label(SHOP, b.rows[0]) for b in pool] == ["logo", "menu", "title", "text"]
    assert [b.rule for b in pool] == [0, 10, 4, 4]


def test_later_rounds_divide_blocks_below_the_permitted_coherence():
    layout = VipsLayout(SHOP)
    first = divide_page(layout, 1, 0.1)
    assert [len(r) for r in first.rounds] == [1]
    finer = divide_page(layout, 10, 0.1)
    menu = next(b for b in finer.parts(finer.page) if label(SHOP, b.rows[0]) == "menu")
    assert [label(SHOP, b.rows[0]) for b in finer.parts(menu)] == ["a"] * 4
    assert [d.block for d in finer.rounds[1]] == [menu]
    assert finer.leaves(menu) == list(finer.parts(menu))


def test_texts_left_over_side_by_side_are_one_block():
    layout = VipsLayout(SHOP)
    (text,) = (row for row in rows_of(SHOP, "p") if label(SHOP, row) == "text")
    (whole,) = extract_blocks(layout, VisualBlock((text,), 5, 10), 0.0, WHOLE)
    assert len(whole.rows) == 3
    assert extract_blocks(layout, whole, 0.0, WHOLE) == []


def test_levels_are_the_first_division_and_the_leaves():
    page = Page("about:blank", nodes=SHOP)
    result = segment(page, VipsParams(pdoc=10, separators=False)).blocks
    names = [(b.level, label(SHOP, b.rows[0])) for b in result]
    assert names == [
        (1, "logo"), (1, "menu"), (2, "a"), (2, "a"), (2, "a"), (2, "a"),
        (1, "title"), (1, "text"),
    ]  # fmt: skip
    assert result[0].reason.endswith("(DoC 10)")


def test_each_round_lists_its_blocks_separators_and_merges():
    menu = ("div", (0, 300, 200, 700), {"id": "menu"}, [
        ("a", (0, 300 + 200 * k, 200, 90), f"entry {k}") for k in range(3)
    ])  # fmt: skip
    nodes = body(
        ("p", (0, 0, 1000, 100), {"id": "head"}, "a headline"), menu,
        ("p", (240, 300, 760, 700), {"id": "story"}, "a story"),
    )  # fmt: skip
    (first,) = segment(Page("about:blank", nodes=nodes), VipsParams()).rounds
    assert [label(nodes, part.rows[0]) for part in first.divided] == ["body"]
    assert [label(nodes, part.rows[0]) for part in first.found] == ["head", "menu", "story"]
    assert all(part.label.startswith("DoC ") for part in first.found)
    across, down = first.separators
    assert (across.rect, down.rect) == ((0, 100, 1000, 200), (200, 300, 40, 700))
    assert across.weight > down.weight
    assert across.reason.startswith("200 px between (+5)")
    (merged,) = first.merged  # over the lighter of the two
    assert [label(nodes, row) for row in merged.rows] == ["menu", "story"]
    alone = segment(Page("about:blank", nodes=nodes), VipsParams(separators=False)).rounds
    assert not any(each.separators or each.merged for each in alone)


def test_rounds_can_be_stopped_after_each():
    page = Page("about:blank", nodes=SHOP)
    one, all_ = (segment(page, VipsParams(pdoc=10, rounds=k)) for k in (1, 0))
    assert (len(one.rounds), len(all_.rounds)) == (1, 2)
    assert len(one.blocks) < len(all_.blocks)
    assert segment(page, VipsParams(pdoc=10, rounds=9)).blocks == all_.blocks


@pytest.mark.parametrize("nodes", [body(), table(), body(("div", BIG)), body("words")])
def test_nearly_empty_pages_have_one_block_or_none(nodes):
    result = segment(Page("about:blank", nodes=nodes), VipsParams()).blocks
    assert len(result) == int(nodes.has_words.any())


def test_pdoc_has_the_bounds_of_the_report():
    assert METHOD.params.specs()["pdoc"].low == 1
    assert METHOD.params.specs()["pdoc"].high == 11
    with pytest.raises(ParameterError):
        VipsParams(pdoc=12)


TAGS = st.sampled_from(["div", "p", "table", "tr", "td", "span", "hr", "img", "ul"])
RECT = st.tuples(*[st.integers(0, 20).map(lambda k: k * 50)] * 4)
NODE = st.recursive(
    st.tuples(TAGS, RECT) | st.just("words"),
    lambda inner: st.tuples(TAGS, RECT, st.lists(inner, max_size=4)),
    max_leaves=25,
)


@settings(max_examples=60)
@given(st.lists(NODE, max_size=5), st.integers(1, 11))
def test_parts_lie_inside_their_block_and_apart_from_each_other(children, pdoc):
    nodes = body(*children)
    layout = VipsLayout(nodes)
    result = divide_page(layout, pdoc, 0.1)

    def below(block):
        return {r for row in block.rows for r in range(row, int(nodes.end[row]))}

    for division in result.divisions:
        seen = set()
        for part in division.parts:
            assert below(part) <= below(division.block)
            assert not below(part) & seen
            seen |= below(part)
            assert 1 <= part.doc <= 10
        words = {r for r in below(division.block) if layout.is_valid[r] and nodes.is_text[r]}
        hidden = {r for r in words if _inside_showing(layout, r)}
        assert words - hidden <= seen  # no visible text is lost


def _inside_showing(layout, row):
    while row >= 0:
        row = int(layout.nodes.parent[row])
        if row >= 0 and (layout.is_showing[row] or not layout.is_valid[row]):
            return True
    return False
