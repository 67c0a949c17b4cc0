"""Test drafts: results of methods as marks that are not gold until confirmed."""

import json

import numpy as np
import pytest

from algorithms.extraction import bte
from algorithms.results import Block, Extraction, Segmentation
from annotate.marks import edits
from annotate.marks.anchor import Anchors
from annotate.marks.drafts import (
    DraftScope,
    adopt,
    drafts_in,
    give_way,
    is_unassisted,
    seed_of,
    share_of,
    similar_drafts,
    unsure,
)
from annotate.marks.gold import MAIN, Gold, MarkState, Target
from annotate.workspace.workspace import Workspace
from engine.document import Document
from tests.annotate.pages import page_of, row_of

PAGE = page_of(
    "<header id=head>The Courier</header>"
    "<main id=main><p id=one>The ferry is back.</p><p id=two>Nobody was hurt.</p></main>"
    "<aside id=side><p id=ad>Buy a boat</p></aside>"
)
NODES = PAGE.rendered()
SEED = seed_of("bte", "0.2", bte.METHOD.params(), "dom")


def row(name):
    return row_of(NODES, name)


def block(level, name, *rows):
    return Block(tuple(row(r) for r in rows), level, name)


BLOCKS = Segmentation(
    NODES,
    (
        block(1, "Header", "head"),
        block(1, "Content", "main"),
        block(2, "Article", "one"),
        block(2, "Article", "two"),
        block(2, "Ad", "ad"),
    ),
)


def text_of(*words):
    spans = [(PAGE.dom.html.index(w), PAGE.dom.html.index(w) + len(w)) for w in words]
    return Extraction(PAGE.dom, np.array(spans, dtype=np.int32))


def places(gold, level):
    return [tuple(t.row for t in mark.targets) for mark in gold.of_level(level)]


def test_adopted_blocks_are_drafts_with_level_type_and_seed():
    result = adopt(Gold(), PAGE, BLOCKS, SEED)
    assert (result.made, result.left_out) == (5, 0)
    assert places(result.gold, 1) == [(row("head"),), (row("main"),)]
    assert [mark.type for mark in result.gold.of_level(2)] == ["Article", "Article", "Ad"]
    assert {mark.state for mark in result.gold.marks} == {MarkState.DRAFT}
    assert {mark.seed for mark in result.gold.marks} == {SEED}
    assert json.loads(SEED.params) == bte.METHOD.params().as_dict()


def test_drafts_are_not_gold_until_confirmed():
    gold = adopt(Gold(), PAGE, BLOCKS, SEED).gold
    gold = adopt(gold, PAGE, text_of("The ferry is back."), SEED).gold
    assert gold.as_results(PAGE).text is None
    assert gold.as_results(PAGE).blocks is None
    assert gold.as_segmentation(PAGE).blocks == ()
    assert gold.as_extraction(PAGE).text == ""
    sure = edits.confirm(gold, NODES, [mark.id for mark in gold.marks])
    assert sure.as_results(PAGE).text.text == "The ferry is back."
    assert len(sure.as_results(PAGE).blocks.blocks) == 5


def test_an_adopted_text_is_drafted_as_the_largest_nodes_and_partial_ends():
    result = adopt(Gold(), PAGE, text_of("The ferry is back.", "Nobody was"), SEED).gold
    first, second = result.of_level(MAIN)
    assert first.targets == (Target(row("one")),)
    assert second.targets == (Target(row("two") + 1, 0, 10),)
    whole = adopt(Gold(), PAGE, text_of("The ferry is back.", "Nobody was hurt."), SEED).gold
    assert places(whole, MAIN) == [(row("main"),)]


def test_existing_marks_are_kept_and_not_drafted_again():
    own = edits.add_block(Gold(), NODES, [Target(row("one"))], 2, "Title")
    own = edits.add_main(own, NODES, [Target(row("one"))])
    result = adopt(own, PAGE, BLOCKS, SEED)
    assert result.gold.marks[:2] == own.marks
    assert result.left_out == 1
    assert places(result.gold.sure, 2) == [(row("one"),)]
    text = adopt(own, PAGE, text_of("The ferry is back.", "Nobody was hurt."), SEED).gold
    assert places(text, MAIN) == [(row("one"),), (row("two"),)]
    assert [mark.is_draft for mark in text.of_level(MAIN)] == [False, True]


def test_a_scope_limits_drafts_to_an_area_type_or_level():
    within = adopt(Gold(), PAGE, BLOCKS, SEED, DraftScope(within=(row("main"),))).gold
    assert places(within, 1) == [(row("main"),)]
    assert places(within, 2) == [(row("one"),), (row("two"),)]
    ads = adopt(Gold(), PAGE, BLOCKS, SEED, DraftScope(type="Ad")).gold
    assert [mark.type for mark in ads.marks] == ["Ad"]
    assert adopt(Gold(), PAGE, BLOCKS, SEED, DraftScope(level=1)).made == 2
    text = adopt(Gold(), PAGE, text_of("Buy a boat"), SEED, DraftScope(within=(row("main"),)))
    assert (text.made, text.gold) == (0, Gold())


def test_a_seed_is_kept_by_confirming_retyping_and_saving(tmp_path):
    gold = adopt(Gold(), PAGE, BLOCKS, SEED).gold
    confirmed, retyped, *_ = gold.marks
    gold = edits.confirm(gold, NODES, [confirmed.id])
    gold = edits.set_type(gold, [retyped.id], "Sidebar")
    document = Document("/p.html", "pagelet://local/p.html", path="p.html", data=b"")
    with Workspace.open(tmp_path / "w.pagelet") as workspace:
        workspace.add_pages([document])
        workspace.save_gold("/p.html", gold, NODES, "confirm")
        assert workspace.marked() == {"/p.html": frozenset({(1, "Header"), (1, "Sidebar")})}
    with Workspace.open(tmp_path / "w.pagelet") as workspace:
        again = workspace.load_gold("/p.html", NODES)
    assert [mark.state for mark in again.marks[:2]] == [MarkState.EXACT, MarkState.EXACT]
    assert {mark.state for mark in again.marks[2:]} == {MarkState.DRAFT}
    assert {mark.seed for mark in again.marks} == {SEED}


def test_gold_digests_change_on_confirming_but_not_on_drafting(tmp_path):
    own = edits.add_main(Gold(), NODES, [Target(row("one"))])
    document = Document("/p.html", "pagelet://local/p.html", path="p.html", data=b"")
    with Workspace.open(tmp_path / "w.pagelet") as workspace:
        workspace.add_pages([document])
        workspace.save_gold("/p.html", own, NODES, "mark")
        before = workspace.gold_digests()
        drafted = adopt(own, PAGE, BLOCKS, SEED).gold
        workspace.save_gold("/p.html", drafted, NODES, "adopt")
        assert workspace.gold_digests() == before
        sure = edits.confirm(drafted, NODES, [drafted.drafts()[0].id])
        workspace.save_gold("/p.html", sure, NODES, "confirm")
        assert workspace.gold_digests() != before


def test_marking_part_of_a_draft_leaves_the_rest_a_draft():
    drafted = adopt(Gold(), PAGE, text_of("The ferry is back.", "Nobody was hurt."), SEED).gold
    gold = edits.add_main(drafted, NODES, [Target(row("one"))])
    by_row = {mark.targets[0].row: mark for mark in gold.of_level(MAIN)}
    assert by_row[row("one")].state is MarkState.EXACT
    assert by_row[row("two")].state is MarkState.DRAFT
    assert by_row[row("two")].seed == SEED
    cut = edits.remove_main(drafted, NODES, [Target(row("one"))])
    assert [mark.state for mark in cut.marks] == [MarkState.DRAFT]
    assert places(cut, MAIN) == [(row("two"),)]


def test_a_mark_around_a_draft_replaces_it():
    drafted = adopt(Gold(), PAGE, text_of("Nobody was"), SEED).gold
    gold = edits.add_main(drafted, NODES, [Target(row("main"))])
    assert [(mark.targets, mark.state) for mark in gold.marks] == [
        ((Target(row("main")),), MarkState.EXACT)
    ]


def test_drafts_are_listed_by_position_and_by_area():
    gold = adopt(Gold(), PAGE, BLOCKS, SEED).gold
    assert [mark.targets[0].row for mark in unsure(gold)] == sorted(
        mark.targets[0].row for mark in gold.marks
    )
    inside = drafts_in(gold, NODES, [row("side")])
    assert [mark.type for mark in inside] == ["Ad"]
    assert drafts_in(gold, NODES, []) == ()


@pytest.mark.parametrize("draft", [{}, {"draft": True}])
def test_records_store_draft_state_and_seed_separately(draft):
    gold = adopt(Gold(), PAGE, BLOCKS, SEED).gold
    record = {k: v for k, v in Anchors(NODES).record(gold.marks[0]).items() if k != "draft"}
    result = Anchors(NODES).find(record | draft)
    assert result.state is (MarkState.DRAFT if draft else MarkState.EXACT)
    assert result.seed == SEED


def test_a_larger_share_of_unassisted_pages_includes_the_smaller_one():
    keys = [f"/pages/{number}.html" for number in range(2000)]
    fifth = {key for key in keys if is_unassisted(key, 0.2)}
    assert 330 < len(fifth) < 470
    assert fifth <= {key for key in keys if is_unassisted(key, 0.5)}
    assert not any(is_unassisted(key, 0.0) for key in keys)
    assert all(is_unassisted(key, 1.0) for key in keys)
    assert [share_of(x) for x in (0.2, 1, None, "a", True, 3.0)] == [0.2, 1.0, 0, 0, 0, 0]


def test_overlapping_drafts_of_the_same_level_give_way_to_a_block():
    gold = adopt(Gold(), PAGE, BLOCKS, SEED).gold
    one, two, ad = (m.id for m in gold.of_level(2))
    wide = edits.set_targets(gold, NODES, one, [Target(row("main"))])
    assert {m.id for m in give_way(wide, NODES, one).of_level(2)} == {one, ad}
    remaining = edits.confirm(wide, NODES, [two])
    assert give_way(remaining, NODES, one) == remaining  # what is confirmed stays
    assert give_way(gold, NODES, "gone") == gold


def test_similar_drafts_leave_out_confirmed_marks():
    gold = adopt(Gold(), PAGE, BLOCKS, SEED).gold
    one, two, _ = (m.id for m in gold.of_level(2))
    assert {m.id for m in similar_drafts(gold, NODES, [one])} == {one, two}
    sure = edits.confirm(gold, NODES, [two])
    assert [m.id for m in similar_drafts(sure, NODES, [one])] == [one]
