"""A key of an unavailable action shows the reason, by keys as the desktop sends them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.features.pages.panel import PagesDock
from tests.hand import Hand

pytestmark = pytest.mark.web
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
PAGE = "<title>Ferry</title><p id=first>The ferry returned.</p><p id=second>Nobody was hurt.</p>"


def said(window, key, modifiers=NONE) -> str:
    window.session.messages.say("")
    QTest.keyClick(window.windowHandle(), key, modifiers)
    return window.session.messages.message


def test_keys_of_marking_without_a_page_ask_to_open_one(window):
    window.empty.take_focus()
    reason = "open a page first, or go back to it (Esc)"
    assert said(window, Qt.Key.Key_A, SHIFT) == reason
    assert said(window, Qt.Key.Key_Delete) == reason


def test_a_key_of_an_unavailable_action_names_the_step_before(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "ferry.html")
    window.session.layers.set_current_layer(window.session.layers.all[0].key)
    window.workbench.canvas.view.setFocus()
    assert said(window, Qt.Key.Key_A, SHIFT) == "choose a method in the Methods panel first"
    assert said(window, Qt.Key.Key_M) == ""
    assert said(window, Qt.Key.Key_Escape) == ""
    assert said(window, Qt.Key.Key_Ampersand) == "", "no action has this key"


def test_letters_typed_in_a_field_or_a_list_trigger_no_action(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "ferry.html")
    window.actions_["palette"].trigger()
    assert said(window, Qt.Key.Key_A, SHIFT) == ""
    assert said(window, Qt.Key.Key_C, CTRL) == ""
    QTest.keyClick(window.type_field.line, Qt.Key.Key_Escape)
    window.panel(PagesDock).view.setFocus()
    assert said(window, Qt.Key.Key_A, SHIFT) == ""


def test_keys_that_scroll_the_page_show_no_message(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(f"{PAGE}<div style='height:3000px'>", "long.html")
    window.workbench.canvas.view.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
                Qt.Key.Key_Space):  # fmt: skip
        assert said(window, key) == ""
