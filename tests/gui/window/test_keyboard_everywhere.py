"""Keys that work in the outline and after opening a page; hints while Alt is held."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.features.outline.panel import OutlineDock
from gui.state.selection import Mode
from tests.hand import Hand

pytestmark = pytest.mark.web
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
PAGE = """<title>Ferry</title><style>section{padding:10px}</style>
<section id=story><div id=box style="padding:9px"><p id=first>The ferry returned.</p>
<p id=second>Nobody was hurt.</p></div></section>"""


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.windowHandle(), key, modifiers)


def test_keys_move_a_block_while_the_outline_has_the_focus(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "ferry.html")
    press(window, Qt.Key.Key_1)
    window.session.selection.set_candidate(hand.row("#box"))
    press(window, Qt.Key.Key_Return)
    tree = window.panel(OutlineDock).tree
    tree.setFocus()
    tree.setCurrentItem(tree.topLevelItem(0))
    press(window, Qt.Key.Key_Down, CTRL_SHIFT)
    qtbot.waitUntil(lambda: hand.marked(1) == [[hand.row("#first")]])
    press(window, Qt.Key.Key_Up, CTRL_SHIFT)
    qtbot.waitUntil(lambda: hand.marked(1) == [[hand.row("#box")]])
    assert tree.hasFocus()


def test_a_page_opened_by_typing_its_address_has_the_focus(window, qtbot, tmp_path):
    file = tmp_path / "ferry.html"
    file.write_text(f"<!doctype html>{PAGE}", encoding="utf-8")
    if (has_keyboard := window.focusWidget()) is not None:
        has_keyboard.clearFocus()  # as in a window that was just opened
    press(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(window.type_field.line, str(file))
    with qtbot.waitSignal(window.session.open.page_changed, timeout=20_000):
        press(window, Qt.Key.Key_Return)
    canvas = window.workbench.canvas
    qtbot.waitUntil(lambda: canvas.isAncestorOf(window.focusWidget() or window))
    press(window, Qt.Key.Key_1)
    assert window.session.selection.mode is Mode.LEVEL_1


def test_buttons_show_their_keys_while_alt_is_held(window, qtbot):
    handle = window.windowHandle()
    QTest.keyPress(handle, Qt.Key.Key_Alt)
    qtbot.waitUntil(lambda: {"V", "M", "1", "D"} <= set(window.key_hints.shown), timeout=3000)
    QTest.keyRelease(handle, Qt.Key.Key_Alt)
    assert window.key_hints.shown == []


def test_alt_with_a_letter_shows_no_key_hints(window, qtbot):
    handle = window.windowHandle()
    QTest.keyPress(handle, Qt.Key.Key_Alt)
    QTest.keyClick(handle, Qt.Key.Key_Y, Qt.KeyboardModifier.AltModifier)
    with qtbot.assertNotEmitted(window.key_hints.destroyed, wait=1200):
        pass
    assert window.key_hints.shown == []
    QTest.keyRelease(handle, Qt.Key.Key_Alt)
