"""Clicks and keys do not change the page, and keys go to Pagelet."""

import itertools

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt

from annotate.marks.gold import MAIN
from gui.state.selection import Mode
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

FORM = """
<title>Form</title>
<style>body{margin:0;font:16px/24px sans-serif} p{margin:10px}</style>
<p><input id=line value=old autofocus> <select id=choice><option>one<option>two</select>
<input id=tick type=checkbox> <input id=knob type=range value=10>
<p id=edit contenteditable>edit me</p>
<details id=more><summary id=sum>More</summary>hidden</details>
<p id=long>Some words <a id=link href=/x>of a link that is long</a> and more words.</p>
<p id=last>The last words of the page.</p>
<div style="height:3000px"></div>
"""


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(FORM)
    return made


def text_position(hand, selector: str, share: float) -> QPoint:
    """Return a place in the first line of an element, ``share`` of its width from the left."""
    x, y = hand.ask(
        f"(() => {{ const r = document.createRange();"
        f" r.selectNodeContents(document.querySelector('{selector}'));"
        f" const b = r.getClientRects()[0];"
        f" return [b.left + {share} * b.width, b.top + b.height / 2]; }})()"
    )
    zoom = hand.workbench.canvas.view.zoomFactor()
    return QPoint(round(x * zoom), round(y * zoom))


def test_a_field_with_autofocus_does_not_receive_keys(window, hand):
    press(hand, Qt.Key.Key_1)
    assert window.session.selection.mode is Mode.LEVEL_1
    press(hand, Qt.Key.Key_M)
    assert window.session.selection.mode is Mode.MAIN
    assert hand.ask("document.activeElement.localName") == "body"
    assert hand.ask("document.querySelector('#line').value") == "old"


@pytest.mark.slow
def test_a_click_neither_changes_nor_focuses_a_control(window, hand):
    modes = (Mode.SELECT, Mode.MAIN, Mode.LEVEL_1)
    controls = ("#line", "#choice", "#tick", "#knob", "#edit", "#sum")
    for mode, selector in itertools.product(modes, controls):
        window.workbench.session.selection.set_mode(mode)
        window.session.selection.set_candidate(-1)
        hand.click(selector)
        hand.qtbot.waitUntil(lambda: window.session.selection.candidate >= 0)
        hand.qtbot.keyClicks(hand.target, "xx")  # twice, so that the current layer is as before
        state = hand.ask(
            "((q) => [q('#line').value, q('#choice').value, q('#tick').checked, q('#knob').value,"
            " q('#edit').textContent, q('#more').open, document.activeElement.localName])"
            "((s) => document.querySelector(s))"
        )
        assert state == ["old", "one", False, "10", "edit me", False, "body"], (mode, selector)


def drag_in_time(hand, start: QPoint, end: QPoint) -> None:
    """Drag as slowly as a user: the browser sees more than one move."""
    kind, none = QEvent.Type, Qt.MouseButton.NoButton
    hand._mouse(kind.MouseButtonPress, start, hand.left, hand.left)
    steps = (start + (end - start) * (k % 9 + 1) / 9 for k in itertools.count())

    def selects() -> bool:
        hand._mouse(kind.MouseMove, next(steps), none, hand.left)
        return bool(hand.ask("getSelection().toString().length"))

    hand.qtbot.waitUntil(selects)
    hand._mouse(kind.MouseMove, end, none, hand.left)
    hand._mouse(kind.MouseButtonRelease, end, hand.left, none)


def test_a_drag_marks_text_in_links_and_editable_elements(window, hand):
    window.workbench.session.selection.set_mode(Mode.MAIN)
    for selector in ("#link", "#edit"):
        drag_in_time(hand, text_position(hand, selector, 0.05), text_position(hand, selector, 0.9))
        hand.qtbot.waitUntil(lambda: bool(hand.marked(MAIN)))
        text = window.session.open.gold.as_extraction(window.session.open.page).text
        assert text
        assert text in hand.ask(f"document.querySelector('{selector}').textContent")
        window.workbench.page_session.undo()
        assert not hand.marked(MAIN)


def test_a_drag_backwards_marks_the_same_text(window, hand):
    window.workbench.session.selection.set_mode(Mode.MAIN)
    start, end = text_position(hand, "#long", 0.05), text_position(hand, "#last", 0.5)
    hand.drag(start, end)
    hand.qtbot.waitUntil(lambda: bool(hand.marked(MAIN)))
    forwards = window.session.open.gold.as_extraction(window.session.open.page).text
    window.workbench.page_session.undo()
    hand.drag(end, start)
    hand.qtbot.waitUntil(lambda: bool(hand.marked(MAIN)))
    assert window.session.open.gold.as_extraction(window.session.open.page).text == forwards
    assert forwards.startswith("Some words of a link")


def test_the_frame_does_not_follow_the_mouse_during_a_drag_over_text(window, hand):
    window.workbench.session.selection.set_mode(Mode.MAIN)
    hand.hover("#long")
    hand.qtbot.waitUntil(lambda: window.session.selection.candidate == hand.row("#long"))
    framed = []
    window.session.selection.candidate_changed.connect(
        lambda: framed.append(window.session.selection.candidate)
    )
    hand.drag(text_position(hand, "#long", 0.05), text_position(hand, "#last", 0.9))
    hand.qtbot.waitUntil(lambda: bool(hand.marked(MAIN)))
    assert hand.row("#last") not in framed


def test_the_page_scrolls_by_key(hand):
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_Space, Qt.Key.Key_End):
        hand.ask("(scrollTo(0, 0), 1)")
        hand.qtbot.waitUntil(lambda: hand.ask("scrollY") == 0)
        press(hand, key)
        hand.qtbot.waitUntil(lambda: hand.ask("scrollY") > 100)


def test_ctrl_a_selects_no_text_of_the_page(window, hand):
    press(hand, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    hand.hover("#last")
    hand.qtbot.waitUntil(lambda: window.session.selection.candidate == hand.row("#last"))
    assert hand.ask("getSelection().toString()") == ""
