"""Rectangles dragged on the page: fitted to elements, over drafts and around marks."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from algorithms.extraction import bte
from algorithms.results import Block, Segmentation
from annotate.marks.drafts import adopt, seed_of
from annotate.marks.gold import MAIN
from gui.state.selection import Mode

pytestmark = pytest.mark.web

PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} section,nav{padding:10px;margin:10px}
 p{margin:10px} </style>
<nav id=nav>Home, sport, tide tables and everything else</nav>
<section id=story><div id=wrap><p id=first>The ferry returned to the harbour this morning.</p>
<p id=second>Nobody was hurt, the captain said later.</p></div></section>
<section id=more><p id=third>Buy a boat at the end of the quay.</p></section>
<div style="height:1400px"></div><footer id=foot style="margin:10px;padding:10px">Quay</footer>
"""


def corners(hand, first, last=""):
    """Return two corners just outside some elements, in px of the view."""
    box = hand.ask(
        "((a, b) => [a.left - 2, a.top - 2, b.right + 2, b.bottom + 2])"
        f"(document.querySelector('{first}').getBoundingClientRect(),"
        f" document.querySelector('{last or first}').getBoundingClientRect())"
    )
    zoom = hand.workbench.canvas.view.zoomFactor()
    left, top, right, bottom = (round(value * zoom) for value in box)
    return QPoint(left, top), QPoint(right, bottom)


def test_a_rectangle_around_an_element_marks_it_with_the_chosen_type(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.workbench.set_type("Content")
    hand.drag(*corners(hand, "#story"))
    hand.qtbot.waitUntil(lambda: hand.marked(1) == [[hand.row("#story")]], timeout=60_000)
    assert hand.session.open.gold.marks[0].type == "Content"
    hand.qtbot.waitUntil(lambda: hand.session.selection.highlight.rows == (), timeout=60_000)


def test_a_rectangle_around_neighbours_marks_them_as_one_block(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.drag(*corners(hand, "#nav", "#story"))
    both = [[hand.row("#nav"), hand.row("#story")]]
    hand.qtbot.waitUntil(lambda: hand.marked(1) == both, timeout=60_000)


def test_a_rectangle_without_elements_marks_nothing_and_reports_it(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    start, _ = corners(hand, "#first")
    hand.drag(start + QPoint(30, 8), start + QPoint(60, 20))
    hand.qtbot.waitUntil(lambda: "no element lies" in hand.session.messages.message, timeout=60_000)
    assert hand.session.open.gold.marks == ()


def test_an_alt_drag_in_main_mode_marks_by_rectangle(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.drag(*corners(hand, "#story"), Qt.KeyboardModifier.AltModifier)
    hand.qtbot.waitUntil(lambda: hand.marked(MAIN) == [[hand.row("#story")]], timeout=60_000)


def test_a_rectangle_in_select_mode_selects_the_marks_inside(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    for selector in ("#first", "#second", "#third"):
        hand.session.selection.set_candidate(hand.row(selector))
        hand.workbench.marking.take()
    hand.workbench.session.selection.set_mode(Mode.SELECT)
    hand.workbench.clear_selection()
    hand.drag(*corners(hand, "#story"))
    hand.qtbot.waitUntil(lambda: len(hand.session.selection.selected) == 2, timeout=60_000)
    hand.workbench.delete_selected()
    assert hand.marked(2) == [[hand.row("#third")]]


@pytest.mark.parametrize("keys", ["alt", "ctrl and shift"])
def test_an_alt_drag_in_select_mode_marks_a_block_of_the_level_of_its_place(hand, keys):
    hand.open(PAGE)
    alt = Qt.KeyboardModifier.AltModifier
    if keys != "alt":  # for window managers that use Alt with the mouse
        alt = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    hand.drag(*corners(hand, "#story"), alt)
    hand.qtbot.waitUntil(lambda: hand.marked(1) == [[hand.row("#story")]], timeout=60_000)
    hand.drag(*corners(hand, "#first"), alt)
    hand.qtbot.waitUntil(lambda: hand.marked(2) == [[hand.row("#first")]], timeout=60_000)
    assert hand.session.selection.mode is Mode.SELECT
    hand.drag(*corners(hand, "#story"))
    hand.qtbot.waitUntil(lambda: len(hand.session.selection.selected) == 2, timeout=60_000)


def test_keys_act_on_a_block_drawn_in_select_mode_until_the_mouse_moves_away(hand):
    hand.open(PAGE)
    hand.drag(*corners(hand, "#story"), Qt.KeyboardModifier.AltModifier)
    hand.qtbot.waitUntil(lambda: bool(hand.session.open.gold.marks), timeout=60_000)
    story = hand.session.open.gold.marks[0].id
    _, end = corners(hand, "#first")
    hand.drag(corners(hand, "#first")[0], end, Qt.KeyboardModifier.AltModifier)
    hand.qtbot.waitUntil(lambda: len(hand.session.open.gold.marks) == 2, timeout=60_000)
    first = hand.session.open.gold.marks[1].id
    assert (hand.session.selection.selected, hand.session.selection.pointed) == ((), first)
    hand.move(end + QPoint(3, 5))  # over the outer block, hardly moved
    hand.move(end + QPoint(4, 5))
    hand.workbench.set_type("Article")
    hand.move(hand.point_of("#second"))
    hand.qtbot.waitUntil(lambda: hand.session.selection.pointed == story, timeout=60_000)
    hand.workbench.set_type("Content")
    result = {mark.id: mark.type for mark in hand.session.open.gold.marks}
    assert result == {story: "Content", first: "Article"}
    hand.workbench.page_session.undo()  # of the type alone
    hand.workbench.page_session.undo()  # block and type are one step
    assert [mark.id for mark in hand.session.open.gold.marks] == [story]


def test_keys_no_longer_act_on_a_new_block_after_escape(hand):
    hand.open(PAGE)
    hand.drag(*corners(hand, "#story"), Qt.KeyboardModifier.AltModifier)
    hand.qtbot.waitUntil(lambda: bool(hand.session.selection.pointed), timeout=60_000)
    hand.workbench.clear_selection()
    assert hand.session.selection.meant_marks() == ()


def test_a_ctrl_rectangle_selects_marks_in_the_marking_modes(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    for selector in ("#first", "#second", "#third"):
        hand.session.selection.set_candidate(hand.row(selector))
        hand.workbench.marking.take()
    hand.workbench.clear_selection()
    ctrl, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    hand.drag(*corners(hand, "#story"), ctrl)
    hand.qtbot.waitUntil(lambda: len(hand.session.selection.selected) == 2, timeout=60_000)
    hand.drag(*corners(hand, "#more"), ctrl | shift)
    hand.qtbot.waitUntil(lambda: len(hand.session.selection.selected) == 3, timeout=60_000)
    hand.workbench.set_type("Article")
    assert [mark.type for mark in hand.session.open.gold.of_level(2)] == ["Article"] * 3
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    hand.drag(*corners(hand, "#story"), ctrl)
    hand.qtbot.waitUntil(lambda: len(hand.session.selection.selected) == 2, timeout=60_000)
    assert hand.marked(MAIN) == []


def drafted(hand, *found):
    page = hand.session.open.page
    blocks = tuple(Block((hand.row(name),), level, kind) for name, level, kind in found)
    seed = seed_of("bte", "1", bte.METHOD.params(), "dom")
    after = adopt(hand.session.open.gold, page, Segmentation(page.rendered(), blocks), seed).gold
    hand.workbench.marking.change("adopt", lambda _gold, _nodes: after)
    return seed


def test_a_block_replaces_the_drafts_it_touches_and_keeps_the_type_of_an_equal_one(hand):
    hand.open(PAGE)
    seed = drafted(hand, ("#first", 2, "Article"), ("#second", 2, "Ad"), ("#third", 2, "Menu"))
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.drag(*corners(hand, "#first", "#second"))
    hand.qtbot.waitUntil(lambda: len(hand.session.open.gold.drafts()) == 1, timeout=60_000)
    (made,) = hand.session.open.gold.sure.marks
    assert made.targets[0].row in (hand.row("#wrap"), hand.row("#first"))
    assert made.type in ("", "Article")
    hand.workbench.page_session.undo()
    assert len(hand.session.open.gold.drafts()) == 3
    hand.drag(*corners(hand, "#third"))
    hand.qtbot.waitUntil(lambda: bool(hand.session.open.gold.sure.marks), timeout=60_000)
    (made,) = hand.session.open.gold.sure.marks
    assert (made.type, made.seed) == ("Menu", seed)


def test_marking_a_marked_block_with_a_chosen_type_changes_its_type(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(hand.row("#nav"))
    hand.workbench.marking.take()
    hand.session.selection.set_selected(())
    hand.workbench.set_type("Header")
    hand.session.selection.set_candidate(hand.row("#nav"))
    hand.workbench.marking.take()
    assert [mark.type for mark in hand.session.open.gold.marks] == ["Header"]


def test_the_last_type_is_kept_for_the_next_blocks_or_repeated_once(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    for selector in ("#first", "#second"):
        hand.session.selection.set_candidate(hand.row(selector))
        hand.workbench.marking.take()
        if selector == "#first":
            hand.workbench.set_type("Article")
    hand.workbench.marking.commands.repeat_type()
    assert [mark.type for mark in hand.session.open.gold.marks] == ["Article", "Article"]
    hand.session.selection.set_keeps_type(True)
    hand.workbench.set_type("Ad")
    hand.session.selection.set_candidate(hand.row("#third"))
    hand.workbench.marking.take()
    assert [mark.type for mark in hand.session.open.gold.marks] == ["Article", "Ad", "Ad"]


def test_a_block_is_split_into_its_parts_and_these_are_merged_again(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.session.selection.set_candidate(hand.row("#story"))
    hand.workbench.marking.take()
    hand.workbench.set_type("Content")
    hand.workbench.marking.commands.split()
    assert hand.marked(1) == [[hand.row("#first")], [hand.row("#second")]]
    assert {mark.type for mark in hand.session.open.gold.marks} == {"Content"}
    hand.session.selection.set_selected([mark.id for mark in hand.session.open.gold.marks])
    hand.workbench.marking.commands.merge()
    assert hand.marked(1) == [[hand.row("#wrap")]]


def test_a_rectangle_dragged_to_the_edge_scrolls_the_page(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    start, _ = corners(hand, "#more")
    hand.hold(start, QPoint(400, hand.target.height() - 3))
    hand.qtbot.waitUntil(lambda: hand.ask("scrollY") > 300, timeout=60_000)
    hand.let_go(QPoint(400, hand.target.height() - 3))
    assert hand.ask("pagelet.overlay.setBand(null), true")


def drag_from_beside(hand, start, end, keys=Qt.KeyboardModifier.NoModifier):
    """Drag over the area around the page, in its px, by the events that Qt sends."""
    ground = hand.workbench.canvas.stage.area.viewport()
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    kind = QEvent.Type
    steps = [start + (end - start) * k / 6 for k in range(7)]
    events = [(kind.MouseButtonPress, start, left, left)]
    events += [(kind.MouseMove, step, none, left) for step in steps]
    events.append((kind.MouseButtonRelease, end, left, none))
    for name, at, button, held in events:
        position = QPointF(at)
        sent = QMouseEvent(name, position, ground.mapToGlobal(position), button, held, keys)
        QApplication.sendEvent(ground, sent)


@pytest.mark.parametrize("mode", [Mode.LEVEL_1, Mode.MAIN])
def test_a_rectangle_can_begin_and_end_outside_of_the_page(hand, mode):
    hand.open(PAGE.replace("section,nav{padding:10px;margin:10px}", "section,nav{padding:10px}"))
    canvas = hand.workbench.canvas
    assert canvas.view.width() < canvas.stage.area.viewport().width()
    hand.session.selection.set_mode(mode)
    (_, top), (_, bottom) = (each.toTuple() for each in corners(hand, "#story"))
    level = 1 if mode is Mode.LEVEL_1 else MAIN
    wide = canvas.stage.area.viewport().width()
    drag_from_beside(hand, QPoint(2, top), QPoint(wide - 2, bottom))
    hand.qtbot.waitUntil(lambda: hand.marked(level) == [[hand.row("#story")]], timeout=60_000)


def test_a_drag_from_outside_the_page_selects_marks_and_a_click_there_does_nothing(
    hand,
):
    hand.open(PAGE)
    hand.session.selection.set_mode(Mode.LEVEL_2)
    for selector in ("#first", "#second", "#third"):
        hand.session.selection.set_candidate(hand.row(selector))
        hand.workbench.marking.take()
    hand.session.selection.set_mode(Mode.SELECT)
    selected = hand.session.selection.selected
    (_, top), (_, bottom) = (each.toTuple() for each in corners(hand, "#story"))
    drag_from_beside(hand, QPoint(2, top), QPoint(2, top))
    hand.ask("1")
    assert hand.session.selection.selected == selected
    wide = hand.workbench.canvas.stage.area.viewport().width()
    drag_from_beside(hand, QPoint(2, top), QPoint(wide - 2, bottom))
    hand.qtbot.waitUntil(lambda: len(hand.session.selection.selected) == 2, timeout=60_000)
    assert len(hand.session.open.gold.marks) == 3
