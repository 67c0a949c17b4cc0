"""Test edits of gold and the invariants they keep."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.marks import edits
from annotate.marks.anchor import Anchors
from annotate.marks.gold import MAIN, Gold, Mark, MarkState, Target
from annotate.marks.page_text import page_text
from annotate.marks.targets import holds, selected_targets
from engine.errors import InputError, PageletError
from tests.annotate.pages import nodes_of, page_of, row_of, text_row

BODY = """<header id=h>Top <b id=b>of</b> it</header><article id=a><h1 id=t>A headline</h1>
<p id=p1>The first paragraph.</p><img id=i src=x.png><br><p id=p2>The second one.</p></article>
<footer id=f>The end</footer>"""


@pytest.fixture
def page():
    return page_of(BODY)


@pytest.fixture
def nodes(page):
    return page.rendered()


def node(nodes, name):
    return Target(row_of(nodes, name))


def part(nodes, words):
    row = text_row(nodes, words)
    start = nodes.text[row].index(words)
    return Target(row, start, start + len(words))


def names(nodes, gold):
    """Return ids or texts of marked nodes, and words of marked parts."""
    result = []
    for mark in gold.marks:
        for t in mark.targets:
            if t.is_whole:
                result.append(nodes.attributes[t.row].get("id") or nodes.text[t.row].strip())
            else:
                result.append(nodes.text[t.row][t.start : t.end])
    return result


def clicks(nodes, *targets):
    gold = Gold()
    for target in targets:
        gold = edits.toggle_main(gold, nodes, target)
    return gold


# -- main content


def test_a_second_click_unmarks_a_node(nodes):
    assert clicks(nodes, node(nodes, "p1"), node(nodes, "p1")) == Gold()


def test_unmarking_a_child_of_marked_content_keeps_its_siblings(page, nodes):
    gold = clicks(nodes, node(nodes, "a"), node(nodes, "p1"))
    assert names(nodes, gold) == ["t", "i", "p2"]
    assert gold.as_extraction(page).text == "A headline\nThe second one."


def test_unmarking_a_grandchild_keeps_the_siblings_of_its_ancestors(nodes):
    gold = clicks(nodes, Target(row_of(nodes, "body")), node(nodes, "b"))
    assert names(nodes, gold) == ["Top", "it", "a", "f"]


def test_marking_a_node_replaces_marks_inside_it(nodes):
    gold = clicks(nodes, node(nodes, "p1"), part(nodes, "second"), node(nodes, "f"))
    gold = edits.toggle_main(gold, nodes, node(nodes, "a"))
    assert names(nodes, gold) == ["f", "a"]


def test_a_click_on_a_parent_unmarks_its_children_if_all_are_marked(nodes):
    gold = clicks(nodes, *(node(nodes, name) for name in ("t", "p1", "i", "p2")))
    assert edits.is_main(gold, nodes, node(nodes, "a"))
    assert edits.toggle_main(gold, nodes, node(nodes, "a")) == Gold()


def test_a_parent_with_an_unmarked_picture_is_not_fully_marked(nodes):
    gold = clicks(nodes, *(node(nodes, name) for name in ("t", "p1", "p2")))
    assert names(nodes, edits.toggle_main(gold, nodes, node(nodes, "a"))) == ["a"]


def test_a_part_of_a_text_can_be_marked_and_unmarked(page, nodes):
    gold = clicks(nodes, node(nodes, "p2"))
    gold = edits.remove_main(gold, nodes, [part(nodes, "second")])
    assert names(nodes, gold) == ["The ", " one."]
    assert gold.as_extraction(page).text == "The one."
    again = edits.add_main(gold, nodes, [part(nodes, "second")])
    assert names(nodes, again) == ["The second one."]
    assert len({mark.id for mark in gold.marks} & {mark.id for mark in again.marks}) == 1


def test_the_first_piece_of_a_split_mark_keeps_its_id(nodes):
    gold = clicks(nodes, node(nodes, "a"))
    cut = edits.remove_main(gold, nodes, [node(nodes, "t")])
    assert [m.id for m in cut.marks][:1] == [gold.marks[0].id]
    assert len({m.id for m in cut.marks}) == 3


def test_white_space_is_never_marked(nodes):
    blank = next(row for row, text in enumerate(nodes.text) if text and not text.strip())
    assert edits.add_main(Gold(), nodes, [Target(blank, 0, 1)]) == Gold()
    row = text_row(nodes, "second")
    everything = Target(row, 0, len(nodes.text[row]))
    assert names(nodes, edits.add_main(Gold(), nodes, [everything])) == ["The second one."]


def test_quotes_are_the_text_of_the_targets(nodes):
    gold = clicks(nodes, node(nodes, "h"), part(nodes, "first paragraph"))
    assert [mark.quote for mark in gold.marks] == ["Top of it", "first paragraph"]


def test_a_selection_includes_whole_elements_between_its_ends(nodes):
    first, last = part(nodes, "headline"), part(nodes, "second")
    targets = selected_targets(nodes, first.row, first.start, last.row, last.end)
    gold = edits.add_main(Gold(), nodes, targets)
    assert names(nodes, gold) == ["headline", "p1", "The second"]


def test_a_selection_in_one_text_is_a_part_of_it_in_either_direction(nodes):
    target = part(nodes, "first")
    for ends in ((target.start, target.end), (target.end, target.start)):
        assert selected_targets(nodes, target.row, ends[0], target.row, ends[1]) == (target,)
    row = target.row
    assert selected_targets(nodes, row, 0, row, len(nodes.text[row])) == (Target(row),)
    assert selected_targets(nodes, row, 3, row, 3) == ()


def test_text_of_scripts_is_not_content():
    nodes = nodes_of("<div id=d><script>var x = 1</script><p id=p>Words</p></div>")
    gold = clicks(nodes, node(nodes, "d"), node(nodes, "p"))
    assert gold == Gold()


# -- blocks


def test_blocks_may_nest_on_one_level_and_level_2_needs_no_level_1(nodes):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "a")], 1, " Content ")
    gold = edits.add_block(gold, nodes, [node(nodes, "p1")], 1)
    gold = edits.add_block(gold, nodes, [node(nodes, "h")], 2, "Menu")
    gold = edits.add_block(gold, nodes, [node(nodes, "a")], 2, "Article")
    assert [(m.level, m.type) for m in gold.marks] == [
        (1, "Content"),
        (1, ""),
        (2, "Menu"),
        (2, "Article"),
    ]


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda g, n: edits.add_block(g, n, [node(n, "a")], 1), "marked on level 1 already"),
        (lambda g, n: edits.add_block(g, n, [node(n, "a")], 3), "must be 1 or 2, got 3"),
        (lambda g, n: edits.add_block(g, n, [], 1), "at least one node"),
        (lambda g, n: edits.add_block(g, n, [part(n, "first")], 1), "whole nodes"),
        (lambda g, n: edits.add_block(g, n, [Target(9999)], 1), "no row 9999"),
        (lambda g, n: edits.add_block(g, n, [node(n, "a"), node(n, "p1")], 1), "share one parent"),
        (lambda g, n: edits.add_block(g, n, [node(n, "t"), node(n, "p2")], 1), "<p> stands"),
        (lambda g, n: edits.set_level(g, [g.marks[1].id], 1), "marked on level 1 already"),
        (lambda g, n: edits.set_level(g, [g.marks[2].id], 1), "no block level"),
        (lambda g, n: edits.set_type(g, [g.marks[2].id], "Ad"), "has no type"),
        (lambda g, n: edits.set_targets(g, n, g.marks[1].id, [part(n, "Top")]), "whole nodes"),
        (lambda g, n: edits.set_targets(g, n, "gone", [node(n, "a")]), "no longer there"),
        (lambda g, n: edits.group(g, n, [g.marks[0].id]), "one block"),
        (lambda g, n: edits.group(g, n, [g.marks[0].id, g.marks[1].id]), "different levels"),
        (lambda g, n: edits.group(g, n, [g.marks[0].id, g.marks[2].id]), "main content"),
        (lambda g, n: edits.group(g, n, [g.marks[0].id, g.marks[3].id]), "lost block"),
        (lambda g, n: edits.ungroup(g, n, g.marks[0].id), "single node"),
        (lambda g, n: edits.confirm(g, n, [g.marks[3].id]), "cannot be confirmed"),
        (lambda g, n: edits.add_main(g, n, [Target(-1)]), "no row -1"),
    ],
)
def test_impossible_edits_raise_an_input_error_with_the_reason(nodes, edit, words):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "a")], 1)
    gold = edits.add_block(gold, nodes, [node(nodes, "a")], 2)
    gold = edits.add_main(gold, nodes, [node(nodes, "p1")])
    gold = Gold((*gold.marks, Mark("lost", 1, (), state=MarkState.LOST, quote="gone")))
    with pytest.raises(InputError, match=words):
        edit(gold, nodes)


def test_neighbours_are_grouped_into_one_block_and_ungrouped(nodes):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "p1")], 2)
    gold = edits.add_block(gold, nodes, [node(nodes, "f")], 2, "Footer")
    gold = edits.add_block(gold, nodes, [node(nodes, "t")], 2, "Title")
    ids = [gold.marks[0].id, gold.marks[2].id]
    grouped = edits.group(gold, nodes, ids)
    assert [m.targets for m in grouped.marks] == [
        (node(nodes, "f"),),
        (node(nodes, "t"), node(nodes, "p1")),
    ]
    block = grouped.marks[1]
    assert (block.id, block.type, block.quote) == (
        ids[1],
        "Title",
        "A headline The first paragraph.",
    )
    apart = edits.ungroup(grouped, nodes, block.id)
    assert [(m.targets, m.type) for m in apart.marks[1:]] == [
        ((node(nodes, "t"),), "Title"),
        ((node(nodes, "p1"),), "Title"),
    ]


def with_same_box(nodes, wrapper, inner):
    rect = nodes.rect.copy()
    rect[row_of(nodes, wrapper)] = rect[row_of(nodes, inner)]
    return replace(nodes, rect=rect)


def test_a_node_is_grouped_by_a_wrapper_of_the_same_box():
    nodes = nodes_of("<div id=outer><div id=inner><p>Top</p></div></div><nav id=n>Menu</nav>")
    nodes = with_same_box(nodes, "outer", "inner")
    gold = edits.add_block(Gold(), nodes, [node(nodes, "inner")], 1)
    gold = edits.add_block(gold, nodes, [node(nodes, "n")], 1)
    grouped = edits.group(gold, nodes, [m.id for m in gold.marks])
    (mark,) = grouped.marks
    assert mark.targets == (node(nodes, "outer"), node(nodes, "n"))


def test_a_wrapper_of_another_box_is_not_used_for_grouping():
    nodes = nodes_of("<div id=outer><div id=inner><p>Top</p></div></div><nav id=n>Menu</nav>")
    gold = edits.add_block(Gold(), nodes, [node(nodes, "inner")], 1)
    gold = edits.add_block(gold, nodes, [node(nodes, "n")], 1)
    with pytest.raises(InputError, match="not neighbours"):
        edits.group(gold, nodes, [m.id for m in gold.marks])


def test_a_wrapper_is_not_a_neighbour_of_its_content():
    nodes = nodes_of("<div id=outer><div id=inner><p>Top</p></div></div>")
    nodes = with_same_box(nodes, "outer", "inner")
    gold = edits.add_block(Gold(), nodes, [node(nodes, "inner")], 1)
    gold = edits.add_block(gold, nodes, [node(nodes, "outer")], 1)
    with pytest.raises(InputError, match="not neighbours"):
        edits.group(gold, nodes, [m.id for m in gold.marks])


def test_a_block_is_extended_by_a_neighbour_and_keeps_its_type(nodes):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "p1")], 2, "Content")
    ids = [gold.marks[0].id]
    (mark,) = edits.extend(gold, nodes, ids, node(nodes, "t"), 2).marks
    assert (mark.targets, mark.type) == ((node(nodes, "t"), node(nodes, "p1")), "Content")
    with pytest.raises(InputError, match="not neighbours"):
        edits.extend(gold, nodes, ids, node(nodes, "f"), 2)


def test_an_extended_block_takes_in_confirmed_blocks_between(nodes):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "i")], 2, "Image")
    gold = edits.add_block(gold, nodes, [node(nodes, "p2")], 2, "Article")
    _, article = gold.marks
    (whole,) = edits.extend(gold, nodes, [article.id], node(nodes, "t"), 2).marks
    assert [t.row for t in whole.targets] == [row_of(nodes, x) for x in ("t", "p1", "i", "p2")]
    assert (whole.id, whole.type) == (article.id, "Article")


def test_a_block_taken_in_brings_its_elements_beyond_the_click(nodes):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "t")], 2, "Title")
    gold = edits.add_block(gold, nodes, [node(nodes, "i"), node(nodes, "p2")], 2, "Article")
    (whole,) = edits.extend(gold, nodes, [gold.marks[0].id], node(nodes, "i"), 2).marks
    assert [t.row for t in whole.targets] == [row_of(nodes, x) for x in ("t", "p1", "i", "p2")]
    assert whole.type == "Title"


def test_ungrouping_that_would_duplicate_a_block_is_refused(nodes):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "t"), node(nodes, "p1")], 1)
    gold = edits.add_block(gold, nodes, [node(nodes, "p1")], 1)
    with pytest.raises(InputError, match="already"):
        edits.ungroup(gold, nodes, gold.marks[0].id)


def test_a_block_with_new_targets_keeps_id_level_and_type(nodes):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "b")], 2, "Logo")
    moved = edits.set_targets(gold, nodes, gold.marks[0].id, [node(nodes, "h")])
    (mark,) = moved.marks
    assert mark == gold.marks[0].with_(targets=(node(nodes, "h"),), quote="Top of it")


def test_main_content_with_new_targets_is_normalised(nodes):
    gold = clicks(nodes, node(nodes, "t"), node(nodes, "p1"))
    wide = edits.set_targets(gold, nodes, gold.marks[0].id, [node(nodes, "a")])
    assert names(nodes, wide) == ["a"]
    assert wide.marks[0].id == gold.marks[0].id


def test_confirming_sets_the_quote_to_the_present_text(nodes):
    moved = Mark("m", 2, (node(nodes, "t"),), "Title", MarkState.MOVED, "Another headline")
    (mark,) = edits.confirm(Gold((moved,)), nodes, ["m"]).marks
    assert (mark.state, mark.quote, mark.type) == (MarkState.EXACT, "A headline", "Title")


def test_edits_without_effect_return_the_same_gold(nodes):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "a")], 1, "Content")
    gold = edits.add_main(gold, nodes, [node(nodes, "a")])
    ids = [gold.marks[0].id]
    assert edits.set_type(gold, ids, "Content") is gold
    assert edits.set_level(gold, ids, 1) is gold
    assert edits.confirm(gold, nodes, ids) is gold
    assert edits.remove(gold, ["unknown"]) is gold
    assert edits.add_main(gold, nodes, [node(nodes, "p1")]) is gold
    assert edits.remove_main(gold, nodes, [node(nodes, "f")]) is gold


def test_main_content_in_a_frame_is_part_of_the_extraction(page):
    nodes = page.rendered()
    row = row_of(nodes, "p1")
    frame = nodes.frame.copy()
    frame[row : nodes.end[row]] = 1
    framed = type(page)(url=page.url, dom=page.dom, nodes=_with_columns(nodes, frame=frame))
    gold = edits.add_main(Gold(), framed.rendered(), [Target(row), node(nodes, "f")])
    assert len(gold.marks) == 2
    assert gold.as_extraction(framed).text == gold.as_extraction(page).text


def _with_columns(nodes, **columns):
    from dataclasses import replace

    return replace(nodes, **columns)


# -- any page, any order of clicks

WORDS = st.sampled_from(["one two", " three ", "a & b", "x", "four\n five", "   ", "<six>"])


def markup(children):
    return st.lists(children, min_size=1, max_size=4).map("".join)


TREES = st.recursive(
    WORDS.map(lambda t: t.replace("&", "&amp;").replace("<", "&lt;"))
    | st.sampled_from(["<img src=i.png>", "<br>", "<script>x()</script>", "<i hidden>no</i>"]),
    lambda children: st.tuples(st.sampled_from(["div", "section", "span"]), markup(children)).map(
        lambda made: f"<{made[0]}>{made[1]}</{made[0]}>"
    ),
    max_leaves=12,
)


@st.composite
def pages_and_targets(draw):
    page = page_of(draw(markup(TREES)))
    nodes = page.rendered()
    targets = []
    for _ in range(draw(st.integers(1, 8))):
        row = draw(st.integers(1, len(nodes) - 1))
        text = nodes.text[row]
        if len(text) > 1 and draw(st.booleans()):
            start = draw(st.integers(0, len(text) - 1))
            targets.append(Target(row, start, draw(st.integers(start + 1, len(text)))))
        else:
            targets.append(Target(row))
    return page, targets


def content(nodes, targets):
    """Return the characters of words and the pictures in some targets."""
    shown = page_text(nodes).content
    result = set()
    for t in targets:
        if t.is_whole:
            for row in range(t.row, int(nodes.end[t.row])):
                if shown[row]:
                    text = nodes.text[row]
                    result.update((row, k) for k, c in enumerate(text) if not c.isspace())
                    if not text:
                        result.add((row, -1))
        elif shown[t.row]:
            text = nodes.text[t.row]
            result.update((t.row, k) for k in range(t.start, t.end) if not text[k].isspace())
    return result


def main_targets(gold):
    return [t for mark in gold.marks if mark.level == MAIN for t in mark.targets]


@settings(deadline=None)
@given(pages_and_targets())
def test_clicks_mark_and_unmark_exactly_the_clicked_content(made):
    page, targets = made
    nodes = page.rendered()
    gold, expected = Gold(), set()
    for target in targets:
        was_in = edits.is_main(gold, nodes, target)
        gold = edits.toggle_main(gold, nodes, target)
        clicked = content(nodes, [target])
        seen = {(row, k) for row, k in clicked if nodes.visible[row]}
        assert not was_in or seen <= expected
        expected = expected - clicked if was_in else expected | clicked
        marked = main_targets(gold)
        assert content(nodes, marked) == expected
        for one in marked:
            assert not any(one != other and holds(nodes, one, other) for other in marked)
        assert len(set(marked)) == len(marked)
        assert len({mark.id for mark in gold.marks}) == len(gold.marks)
        assert all(mark.quote == page_text(nodes).quote(mark.targets) for mark in gold.marks)


@settings(deadline=None)
@given(pages_and_targets())
def test_gold_as_extraction_has_exactly_the_marked_characters(made):
    page, targets = made
    nodes = page.rendered()
    gold = Gold()
    for target in targets:
        gold = edits.toggle_main(gold, nodes, target)
    spans = gold.as_extraction(page).spans
    assert (spans[:, 0] < spans[:, 1]).all()
    assert (spans[1:, 0] > spans[:-1, 1]).all()
    text = "".join(gold.as_extraction(page).text.split())
    marked = sorted((row, k) for row, k in content(nodes, main_targets(gold)) if k >= 0)
    assert text == "".join(nodes.text[row][k] for row, k in marked)


@settings(deadline=None)
@given(pages_and_targets(), st.lists(st.integers(0, 9), max_size=12), st.data())
def test_any_sequence_of_block_edits_keeps_gold_valid(made, choices, data):
    page, targets = made
    nodes = page.rendered()
    gold = Gold()
    for target, choice in zip(targets * 2, choices, strict=False):
        ids = [mark.id for mark in gold.marks]
        chosen = data.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else []
        before = gold
        try:
            if choice < 4:
                gold = edits.add_block(gold, nodes, [target], 1 + choice % 2, "Ad")
            elif choice < 6:
                gold = edits.group(gold, nodes, chosen)
            elif choice == 6:
                gold = edits.set_level(gold, chosen, 1)
            elif choice == 7 and chosen:
                gold = edits.ungroup(gold, nodes, chosen[0])
            elif choice == 8 and chosen:
                gold = edits.set_targets(gold, nodes, chosen[0], [target])
            else:
                gold = edits.remove(gold, chosen)
        except PageletError:
            assert gold is before
        positions = [(mark.level, mark.targets) for mark in gold.marks]
        assert len(set(positions)) == len(positions)
        assert len({mark.id for mark in gold.marks}) == len(gold.marks)
        blocks = gold.as_segmentation(page).blocks
        assert len(blocks) == len(gold.marks)
        assert all(block.rows for block in blocks)


def test_merging_and_splitting_keep_the_unsure_flag(nodes):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "p1")], 2, "Article")
    gold = edits.add_block(gold, nodes, [node(nodes, "p2")], 2)
    gold = edits.set_unsure(gold, [gold.marks[1].id], True)
    assert [mark.is_unsure for mark in gold.marks] == [False, True]
    joined = edits.merge_around(gold, nodes, [mark.id for mark in gold.marks])
    parts = edits.split(joined, nodes, joined.marks[0].id)
    assert len(parts.marks) > 1
    assert all(mark.is_unsure for mark in (*joined.marks, *parts.marks))
    sure = edits.set_unsure(joined, [joined.marks[0].id], False)
    assert not sure.marks[0].is_unsure
    assert edits.set_unsure(sure, [joined.marks[0].id], False) is sure


def test_the_unsure_flag_is_stored_in_records(nodes):
    gold = edits.add_block(Gold(), nodes, [node(nodes, "p1")], 2, "Article")
    anchors, (mark,) = Anchors(nodes), gold.marks
    flagged = anchors.record(mark.with_(is_unsure=True))
    assert anchors.find(flagged) == mark.with_(is_unsure=True)
    assert "unsure" not in anchors.record(mark)
