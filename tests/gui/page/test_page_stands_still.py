"""The page does not react to the mouse: no hover style, tool tip or cursor."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from annotate.marks.gold import MAIN
from gui.state.selection import Mode

pytestmark = pytest.mark.web

PAGE = """
<style>body{margin:0;font:16px/24px sans-serif} p{margin:10px}
#sprite{width:300px;height:100px;background:red;cursor:wait}
#sprite:hover{background:blue;margin-left:250px}
#menu ul{display:none} #menu:hover ul{display:block}
#box{height:120px;overflow:auto}</style>
<div id=sprite title="a tip of the page's own">picture</div>
<div id=menu>Menu<ul><li id=entry>hidden entry</ul></div>
<p id=words>Words <a href=/x>of a link</a> to be dragged over.</p>
<div id=box><p>one</p><p>two</p><p>three</p><p>four</p><p>five</p><p>six</p></div>
<div style="height:3000px">below</div>
"""


def boxes(hand):
    return hand.ask(
        "['sprite', 'menu', 'words'].map((id) => { const e = document.getElementById(id);"
        " const r = e.getBoundingClientRect();"
        " return [r.x, r.y, r.width, r.height, getComputedStyle(e).backgroundColor]; })"
    )


def test_elements_under_the_mouse_get_no_hover_style(hand):
    hand.open(PAGE)
    before = boxes(hand)
    for mode in Mode:
        hand.workbench.session.selection.set_mode(mode)
        for name in ("sprite", "menu", "words"):
            hand.hover(f"#{name}")
            hand.qtbot.waitUntil(
                lambda n=name: hand.session.selection.candidate == hand.row(f"#{n}")
            )
            assert boxes(hand) == before, mode
            hovered = hand.ask("document.querySelectorAll('body :hover, body:hover').length")
            assert hovered == 0, mode


def test_a_click_marks_an_element_that_moves_on_hover(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.click("#sprite")
    hand.qtbot.waitUntil(lambda: hand.marked(1) == [[hand.row("#sprite")]])


def test_tool_tips_and_cursors_of_the_page_are_not_shown(hand):
    hand.open(PAGE)
    hand.hover("#sprite")
    hand.qtbot.waitUntil(lambda: hand.session.selection.candidate == hand.row("#sprite"))
    assert hand.target.cursor().shape() == Qt.CursorShape.ArrowCursor
    hand.workbench.session.selection.set_mode(Mode.LEVEL_1)
    hand.hover("#menu")
    hand.qtbot.waitUntil(lambda: hand.target.cursor().shape() == Qt.CursorShape.CrossCursor)
    assert hand.workbench.canvas.view.toolTip() == ""


def wheel(hand, selector, delta, modifier=Qt.KeyboardModifier.NoModifier):
    position = QPointF(hand.point_of(selector))
    none = Qt.MouseButton.NoButton
    event = QWheelEvent(
        position, hand.target.mapToGlobal(position), QPoint(0, delta), QPoint(0, delta), none,
        modifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(hand.target, event)


def test_the_wheel_scrolls_the_element_under_the_mouse_and_then_the_page(hand):
    hand.open(PAGE)
    hand.hover("#box")

    def scrolls(expression):
        wheel(hand, "#box", -60)
        return hand.ask(expression)

    hand.qtbot.waitUntil(lambda: scrolls("document.querySelector('#box').scrollTop") > 0)
    assert hand.ask("scrollY") == 0
    hand.qtbot.waitUntil(lambda: scrolls("scrollY") > 0)


@pytest.mark.parametrize("modifier", ["AltModifier", "ControlModifier"])
def test_the_wheel_with_a_modifier_widens_and_narrows_the_frame_without_scrolling(hand, modifier):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.LEVEL_2)
    hand.hover("#box p")
    inner, outer = hand.row("#box p"), hand.row("#box")
    hand.qtbot.waitUntil(lambda: hand.session.selection.candidate == inner)
    for delta, row in ((60, outer), (-60, inner)):
        wheel(hand, "#box p", delta, Qt.KeyboardModifier[modifier])
        hand.qtbot.waitUntil(lambda row=row: hand.session.selection.candidate == row)
    assert hand.ask("[scrollY, document.querySelector('#box').scrollTop]") == [0, 0]


def test_a_drag_over_text_marks_it(hand):
    hand.open(PAGE)
    hand.workbench.session.selection.set_mode(Mode.MAIN)
    middle = hand.point_of("#words")
    hand.drag(QPoint(12, middle.y()), QPoint(140, middle.y()))
    hand.qtbot.waitUntil(lambda: bool(hand.marked(MAIN)))
    text = hand.session.open.gold.as_extraction(hand.session.open.page).text
    assert text.startswith("Words of a")
