"""Drafts in the window: adopted from a layer, drawn apart from gold, confirmed by key."""

import itertools

import pytest
from PySide6.QtCore import Qt

from algorithms.results import Block, Segmentation
from algorithms.segmentation import terrain
from annotate.marks.drafts import FREE_SHARE, adopt, seed_of
from annotate.marks.gold import MAIN, Gold, MarkState
from gui.features.drafts.controller import BEGINS, DraftsController
from gui.features.marks.repeating import RepeatedBlocks
from gui.features.outline.panel import OutlineDock
from gui.page.overlay.specs import gold_specs
from tests.gui.parts import press
from tests.hand import Hand, hand_in_window

pytestmark = pytest.mark.web

PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} header,nav,main,footer{padding:20px}</style>
<header id=top><h1>The Courier of the quay</h1></header>
<nav id=nav><a href=/a>Home</a> <a href=/b>Ferries</a> <a href=/c>Tide tables</a></nav>
<main id=story><h2>Ferry back</h2>
<p id=first>The ferry returned to the harbour this morning, and all of the town was on its feet.</p>
<p id=second>Nobody was hurt, the captain said later, and the coffee had been warm all the time.</p>
</main><footer id=foot>Printed at the quay by those who wait for the ferry to come in</footer>
"""
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def window(window):
    workspace = window.workbench.workspace
    workspace.set_setting(BEGINS, False)
    workspace.set_setting(FREE_SHARE, 0)
    return window


hand = hand_in_window


@pytest.fixture
def drafted(window, hand):
    """Adopt the blocks of Terrain as drafts."""
    if all(layer.key != "terrain" for layer in window.session.layers.all):
        window.session.layers.add_method("terrain")
    window.session.layers.set_current_layer("terrain")
    hand.qtbot.waitUntil(lambda: "terrain" in window.session.layers.outcomes, timeout=60_000)
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_A, SHIFT)
    return hand


def found(window):
    result = window.session.layers.outcomes["terrain"].result
    assert isinstance(result, Segmentation)
    return result.blocks


def begin_drafted(window, hand):
    if all(layer.key != "terrain" for layer in window.session.layers.all):
        window.session.layers.add_method("terrain")
    window.session.layers.set_current_layer("terrain")
    hand.wait_for_methods()
    press(hand, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier | ALT)


@pytest.mark.slow
def test_new_pages_begin_with_drafts_but_pages_worked_on_do_not(window, hand, qtbot):
    session = window.session
    begin_drafted(window, hand)
    assert len(session.open.gold.drafts()) == len(found(window)) > 1
    press(hand, Qt.Key.Key_Delete, SHIFT)
    assert session.open.gold.marks == ()
    first = session.documents[0]
    hand.open(PAGE, "mill.html")
    qtbot.waitUntil(lambda: bool(session.open.gold.drafts()), timeout=60_000)
    assert "from Terrain" in session.messages.message
    hand.open_path(hand.folder / "ferry.html")
    assert session.open.document == first
    assert session.open.gold.marks == ()  # dropped before: no drafts are made again
    press(hand, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier | ALT)
    hand.open(PAGE, "quay.html")
    assert session.open.gold.marks == ()


@pytest.mark.slow
def test_pages_kept_free_of_drafts_begin_without_marks(window, hand, qtbot):
    window.workbench.get(DraftsController).set_share("100 %")
    begin_drafted(window, hand)
    hand.open(PAGE, "mill.html")
    assert window.session.layers.outcomes["terrain"].result is not None
    assert window.session.open.gold.marks == ()


def test_one_key_adopts_a_layer_as_drafts_and_one_undo_removes_them(window, drafted):
    session = window.session
    assert len(session.open.gold.drafts()) == len(found(window)) > 1
    assert {mark.seed.method for mark in session.open.gold.marks} == {"terrain"}
    assert session.layers.scores.get("terrain") is None
    press(drafted, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.open.gold.marks == ()


def test_confirming_selects_the_next_draft_and_brings_scores(window, drafted):
    session = window.session
    press(drafted, Qt.Key.Key_N, SHIFT)
    first = session.selection.selected
    press(drafted, Qt.Key.Key_Y)
    assert session.open.gold.find(first[0]).is_draft is False
    assert session.selection.selected != first
    assert session.open.gold.find(session.selection.selected[0]).is_draft
    assert session.layers.scores["terrain"] is not None
    press(drafted, Qt.Key.Key_Y, SHIFT)
    assert session.open.gold.drafts() == ()
    assert {mark.seed.method for mark in session.open.gold.marks} == {"terrain"}


def test_one_key_confirms_all_drafts_in_the_frame(window, drafted):
    session, row = window.session, drafted.row("#story")
    session.selection.set_selected(())
    session.selection.set_candidate(row)
    press(drafted, Qt.Key.Key_Y, ALT)
    nodes = session.open.page.rendered()
    assert session.open.gold.sure.marks
    assert all(nodes.is_inside(m.targets[0].row, row) for m in session.open.gold.sure.marks)
    assert session.open.gold.drafts()


def test_dropping_drafts_keeps_confirmed_marks(window, drafted):
    press(drafted, Qt.Key.Key_N, SHIFT)
    press(drafted, Qt.Key.Key_Y)
    press(drafted, Qt.Key.Key_Delete, SHIFT)
    assert len(window.session.open.gold.marks) == 1
    assert not window.session.open.gold.drafts()


LONG = "<title>Tides</title><style>p{margin:0 0 8px;height:300px}</style>" + "".join(
    f"<p id=p{k}>The tide of day {k} comes in at noon and goes out again by night.</p>"
    for k in range(14)
)


@pytest.mark.slow
def test_a_draft_on_a_hidden_element_is_confirmed_at_any_scroll_position(window, hand, qtbot):
    hand.open(f"<p id=gone style='display: none'>words</p>{LONG}", "long.html")
    nodes, row = window.session.open.page.rendered(), hand.row("#gone")
    assert not nodes.rect[row].any()
    seed = seed_of("terrain", "1", terrain.METHOD.params(), "rendered")
    blocks = Segmentation(nodes, (Block((row,), 1, "Article"),))
    after = adopt(window.session.open.gold, window.session.open.page, blocks, seed).gold
    window.workbench.marking.change("adopt", lambda _gold, _nodes: after)
    assert window.session.open.gold.drafts()
    hand.ask("(scrollTo(0, 500), 1)")
    qtbot.waitUntil(lambda: window.workbench.canvas.seen[0] > 100)
    press(hand, Qt.Key.Key_Y, SHIFT)
    assert not window.session.open.gold.drafts()
    assert [m.targets[0].row for m in window.session.open.gold.sure.marks] == [row]


def test_one_key_confirms_drafts_in_view_and_scrolls_to_the_next_one(window, hand, qtbot):
    hand.open(LONG, "long.html")
    seed = seed_of("terrain", "1", terrain.METHOD.params(), "rendered")
    rows = [hand.row(f"#p{k}") for k in range(14)]
    blocks = Segmentation(
        window.session.open.page.rendered(), tuple(Block((row,), 1, "Article") for row in rows)
    )
    after = adopt(window.session.open.gold, window.session.open.page, blocks, seed).gold
    window.workbench.marking.change("adopt", lambda _gold, _nodes: after)
    first, last = window.workbench.canvas.seen
    in_view = sum(308 * k + 150 <= last for k in range(14))
    assert first == 0
    assert 1 < in_view < 6
    press(hand, Qt.Key.Key_Y, SHIFT)
    gold = window.session.open.gold
    assert [m.targets[0].row for m in gold.sure.marks] == rows[:in_view]
    rest = f"{in_view} marks confirmed; {14 - in_view} more below the view"
    assert window.session.messages.message == rest
    assert gold.find(window.session.selection.selected[0]).targets[0].row == rows[in_view]
    qtbot.waitUntil(lambda: window.workbench.canvas.seen[0] > 0)
    hand.ask("(scrollTo(0, 1e6), 1)")
    end = hand.ask("scrollY")
    qtbot.waitUntil(lambda: window.workbench.canvas.seen[0] == end)
    press(hand, Qt.Key.Key_Y, SHIFT)
    assert "more above the view" in window.session.messages.message
    while window.session.open.gold.drafts():
        before = window.workbench.canvas.seen
        press(hand, Qt.Key.Key_Y, SHIFT)
        qtbot.waitUntil(
            lambda before=before: (
                not window.session.open.gold.drafts() or window.workbench.canvas.seen != before
            )
        )


@pytest.mark.slow
def test_a_draft_cut_off_at_the_bottom_is_scrolled_into_view_before_it_is_confirmed(
    window, hand, qtbot
):
    canvas, session = window.workbench.canvas, window.session
    hand.open(LONG, "first.html")
    room = canvas.seen[1] - 110
    parts = "".join(f"<p id=p{k} style='height:{100 + 200 * (k > 0)}px'>Part {k}" for k in range(3))
    style = "<style>body,p{margin:0}</style>"
    hand.open(f"{style}<div style='height:{room}px'></div>{parts}<div style='height:3000px'>",
              "edge.html")  # fmt: skip
    nodes, rows = session.open.page.rendered(), tuple(hand.row(f"#p{k}") for k in range(3))
    seed = seed_of("terrain", "1", terrain.METHOD.params(), "rendered")
    blocks = Segmentation(nodes, (Block(rows, 1, "Article"),))
    after = adopt(session.open.gold, session.open.page, blocks, seed).gold
    window.workbench.marking.change("adopt", lambda _gold, _nodes: after)
    press(hand, Qt.Key.Key_Y, SHIFT)
    assert session.open.gold.drafts(), "hardly any of it was in view"
    qtbot.waitUntil(lambda: canvas.seen[0] > 0)
    press(hand, Qt.Key.Key_Y, SHIFT)
    assert not session.open.gold.drafts()


@pytest.mark.slow
def test_fast_keys_wait_until_the_page_shows_the_selected_draft(window, drafted, qtbot):
    session, canvas = window.session, window.workbench.canvas
    bridge, shown = canvas.stage.bridge, []
    bridge.painted.connect(shown.append)
    press(drafted, Qt.Key.Key_N, SHIFT)
    decided, painted = [], []

    def note():
        decided.append(len(session.open.gold.drafts()))
        painted.append(len(shown))

    session.open.gold_changed.connect(note)
    count = len(session.open.gold.drafts())
    for _ in range(count):
        press(drafted, Qt.Key.Key_Y)
    assert decided == list(range(count - 1, -1, -1))  # none is dropped
    assert painted[0] >= 1
    assert all(late > early for early, late in itertools.pairwise(painted))
    outline = window.panel(OutlineDock)
    outline.tree.setFocus()
    before = len(shown)
    qtbot.keyClick(outline.tree, Qt.Key.Key_Home)
    qtbot.keyClick(outline.tree, Qt.Key.Key_Down)
    qtbot.keyClick(outline.tree, Qt.Key.Key_Down)
    assert len(shown) >= before + 2


def test_only_blocks_in_the_frame_are_adopted(window, hand):
    session = window.session
    session.layers.set_current_layer("webterrain")
    session.selection.set_candidate(hand.row("#story"))
    press(hand, Qt.Key.Key_A, SHIFT | ALT)
    nodes = session.open.page.rendered()
    assert session.open.gold.drafts()
    inside = [
        nodes.is_inside(m.targets[0].row, hand.row("#story")) for m in session.open.gold.marks
    ]
    assert all(inside)


def test_main_content_is_adopted_as_drafts(window, hand):
    session = window.session
    session.layers.set_current_layer("accb")
    press(hand, Qt.Key.Key_A, SHIFT)
    assert {mark.level for mark in session.open.gold.drafts()} == {MAIN}
    assert session.open.gold.as_extraction(session.open.page).text == ""
    press(hand, Qt.Key.Key_Y, SHIFT)
    got = session.open.gold.as_extraction(session.open.page).text.split()
    assert got == session.layers.outcomes["accb"].result.text.split()


def test_a_page_kept_free_of_drafts_refuses_them_with_a_message(window, hand):
    window.workbench.get(DraftsController).set_share("100 %")
    window.session.layers.set_current_layer("webterrain")
    press(hand, Qt.Key.Key_A, SHIFT)
    assert window.session.open.gold.marks == ()
    assert "kept free of drafts" in window.session.messages.message
    window.workbench.get(DraftsController).set_share("a few")
    assert window.workbench.get(DraftsController).share == 1.0


def test_drafts_are_drawn_hatched_and_dashed_unlike_confirmed_marks(window, drafted):
    session = window.session
    press(drafted, Qt.Key.Key_N, SHIFT)
    press(drafted, Qt.Key.Key_Y)
    level = session.open.gold.sure.marks[0].level
    layer = session.layers.layer(f"gold-{level}")
    pieces = window.workbench.canvas.pieces
    specs = {spec["id"]: spec for spec in gold_specs(layer, session.open.gold, (), pieces)}
    assert all(not box["hatched"] for box in specs[layer.key]["boxes"])
    drafts = specs[f"{layer.key}-drafts"]["boxes"]
    assert drafts
    assert all(box["hatched"] and box["dash"] == "dashed" for box in drafts)
    assert all("draft" in box["label"] for box in drafts)


def test_a_letter_or_delete_selects_the_next_draft_during_a_walk(window, drafted):
    session = window.session
    press(drafted, Qt.Key.Key_N, SHIFT)
    first = session.selection.selected[0]
    press(drafted, Qt.Key.Key_S)
    assert session.open.gold.find(first).type == "Sidebar"
    assert session.open.gold.find(first).is_draft is False
    second = session.selection.selected[0]
    assert second != first
    assert session.open.gold.find(second).is_draft
    press(drafted, Qt.Key.Key_Delete)
    assert session.open.gold.find(second) is None
    assert session.open.gold.find(session.selection.selected[0]).is_draft
    press(drafted, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.open.gold.find(second).is_draft


def test_a_draft_selected_outside_a_walk_stays_selected_when_it_gets_a_type(window, drafted):
    session = window.session
    chosen = session.open.gold.drafts()[0].id
    session.selection.set_selected((chosen,))
    press(drafted, Qt.Key.Key_S)
    assert session.selection.selected == (chosen,)


def test_one_key_makes_drafts_of_the_parts_of_a_level_1_block(window, hand):
    session = window.session
    press(hand, Qt.Key.Key_1)
    hand.hover("#first")
    hand.workbench.session.selection.set_candidate(hand.row("#story"))
    press(hand, Qt.Key.Key_Return)
    hand.qtbot.waitUntil(lambda: hand.marked(1) == [[hand.row("#story")]], timeout=60_000)
    press(hand, Qt.Key.Key_O, SHIFT)
    parts = [[hand.row(name)] for name in ("#first", "#second")]
    assert [rows for rows in hand.marked(2) if rows in parts] == parts
    assert session.open.gold.drafts() == session.open.gold.of_level(2)
    press(hand, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert hand.marked(2) == []
    press(hand, Qt.Key.Key_Escape)
    press(hand, Qt.Key.Key_O, SHIFT)
    assert "its parts become drafts" in session.messages.message


CARDS = """
<title>Cards</title><style>.card{display:block;width:300px;height:60px;margin:10px}</style>
<main id=all><section class=card id=one>Ferry back</section><section class=card id=two>Tide mill
opens</section><section class=card id=three>Harbour feast</section>
<section class=note id=note>Rain</section></main>
"""


@pytest.fixture
def cards(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(CARDS, "cards.html")
    press(hand, Qt.Key.Key_2)
    hand.click("#one")
    hand.qtbot.waitUntil(lambda: hand.marked(2) == [[hand.row("#one")]], timeout=60_000)
    return hand


def test_one_key_marks_all_elements_similar_to_a_block_and_undo_removes_them(window, cards):
    press(cards, Qt.Key.Key_R)
    press(cards, Qt.Key.Key_E, SHIFT)
    assert cards.marked(2) == [[cards.row(name)] for name in ("#one", "#two", "#three")]
    assert {mark.type for mark in window.session.open.gold.marks} == {"Article"}
    press(cards, Qt.Key.Key_E, SHIFT)
    assert "nothing else" in window.session.messages.message
    press(cards, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert cards.marked(2) == [[cards.row("#one")]]


def test_one_key_selects_all_similar_blocks_and_a_letter_types_them(window, cards):
    session = window.session
    press(cards, Qt.Key.Key_E, SHIFT)
    press(cards, Qt.Key.Key_S, SHIFT)
    assert len(session.selection.selected) == 3
    press(cards, Qt.Key.Key_K)
    assert {mark.type for mark in session.open.gold.marks} == {"Link list"}
    session.selection.set_selected(())
    window.workbench.get(RepeatedBlocks).select()
    assert "select a block first" in session.messages.message


def drafts_of_all(window, hand):
    """Turn all marks into drafts and point at the first."""
    now = window.session.open.gold.marks
    drafts = Gold(tuple(mark.with_(state=MarkState.DRAFT) for mark in now))
    window.workbench.marking.change("draft", lambda _gold, _nodes: drafts)
    press(hand, Qt.Key.Key_V)
    press(hand, Qt.Key.Key_Escape)
    hand.hover("#one")
    one = next(m.id for m in drafts.marks if m.targets[0].row == hand.row("#one"))
    hand.qtbot.waitUntil(lambda: window.session.selection.pointed == one, timeout=60_000)


def test_deleting_a_draft_with_similar_ones_keeps_the_others(window, cards):
    press(cards, Qt.Key.Key_E, SHIFT)
    cards.click("#note")
    cards.qtbot.waitUntil(lambda: len(cards.marked(2)) == 4, timeout=60_000)
    drafts_of_all(window, cards)
    press(cards, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert cards.marked(2) == [[cards.row("#note")]]
    press(cards, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(cards.marked(2)) == 4


def test_header_is_set_on_one_of_several_similar_drafts_and_article_on_all(window, cards):
    session = window.session
    press(cards, Qt.Key.Key_E, SHIFT)
    drafts_of_all(window, cards)
    kinds = {mark.type for mark in session.open.gold.marks}
    session.messages.say("")
    press(cards, Qt.Key.Key_H)
    types = {m.targets[0].row: m.type for m in session.open.gold.marks}
    assert types.pop(cards.row("#one")) == "Header"
    assert set(types.values()) == kinds
    assert "similar" not in session.messages.message
    press(cards, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    press(cards, Qt.Key.Key_R)
    assert {mark.type for mark in session.open.gold.marks} == {"Article"}
    assert "2 similar drafts are Article, too" in session.messages.message


def test_a_draft_moved_to_its_parent_replaces_the_drafts_inside(window, cards):
    press(cards, Qt.Key.Key_E, SHIFT)
    drafts_of_all(window, cards)
    press(cards, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier | SHIFT)
    assert cards.marked(2) == [[cards.row("#all")]]


def test_keys_act_on_the_mark_under_the_mouse_when_nothing_is_selected(window, cards):
    session = window.session
    press(cards, Qt.Key.Key_E, SHIFT)
    press(cards, Qt.Key.Key_V)
    press(cards, Qt.Key.Key_Escape)

    def over(name):
        cards.hover(name)
        row = cards.row(name)
        cards.qtbot.waitUntil(
            lambda: (
                (result := session.open.gold.find(session.selection.pointed)) is not None
                and result.targets[0].row == row
            ),
            timeout=60_000,
        )

    over("#two")
    press(cards, Qt.Key.Key_K)
    assert [mark.type for mark in session.open.gold.of_level(2)] == ["", "Link list", ""]
    assert session.selection.selected == ()
    over("#three")
    press(cards, Qt.Key.Key_Delete)
    assert cards.marked(2) == [[cards.row("#one")], [cards.row("#two")]]
    cards.hover("#note")
    cards.qtbot.waitUntil(lambda: session.selection.pointed == "", timeout=60_000)
    press(cards, Qt.Key.Key_Delete)
    assert len(cards.marked(2)) == 2
    cards.click("#one")
    cards.qtbot.waitUntil(lambda: len(session.selection.selected) == 1, timeout=60_000)
    over_nothing = session.selection.pointed
    assert over_nothing == ""  # the selection counts, wherever the mouse is


def test_keys_move_split_and_change_the_level_of_the_mark_under_the_mouse(window, cards):
    session, ctrl = window.session, Qt.KeyboardModifier.ControlModifier
    press(cards, Qt.Key.Key_V)
    press(cards, Qt.Key.Key_Escape)

    def over():
        cards.hover("#one")
        cards.qtbot.waitUntil(lambda: bool(session.selection.pointed), timeout=60_000)

    over()
    press(cards, Qt.Key.Key_Up, ctrl | SHIFT)
    assert cards.marked(2) == [[cards.row("#all")]]
    over()
    press(cards, Qt.Key.Key_U, SHIFT)
    parts = [[cards.row(name)] for name in ("#one", "#two", "#three", "#note")]
    assert cards.marked(2) == parts
    over()
    press(cards, Qt.Key.Key_1, ctrl | ALT)
    assert cards.marked(1) == parts[:1]
    over()
    press(cards, Qt.Key.Key_S, SHIFT)
    assert len(session.selection.selected) == 1  # the others are on level 2


def test_one_key_confirms_the_draft_under_the_mouse_without_selecting_another(window, drafted):
    session = window.session
    draft = session.open.gold.drafts()[-1]
    session.selection.set_selected(())
    session.selection.set_pointed(draft.id)
    press(drafted, Qt.Key.Key_Y)
    assert session.open.gold.find(draft.id).is_draft is False
    assert session.selection.selected == ()


def test_one_key_drops_the_draft_under_the_mouse_with_all_drafts_inside(window, drafted):
    session = window.session
    nodes = session.open.page.rendered()
    counts = {
        mark.id: sum(nodes.is_inside(m.targets[0].row, mark.targets[0].row) for m in marks)
        for marks in [session.open.gold.drafts()]
        for mark in marks
    }
    outer = max(counts, key=counts.get)
    before = len(session.open.gold.drafts())
    session.selection.set_selected(())
    session.selection.set_pointed(outer)
    press(drafted, Qt.Key.Key_Delete, ALT)
    assert len(session.open.gold.drafts()) == before - counts[outer]
    assert session.open.gold.find(outer) is None
    press(drafted, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(session.open.gold.drafts()) == before
