"""Menus by keyboard: Alt with a letter, F10, arrows."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from gui.window.action_table import MNEMONICS, menus_without_letter
from gui.window.actions import ACTIONS
from tests.hand import Hand

pytestmark = pytest.mark.web
ALT = Qt.KeyboardModifier.AltModifier
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
PAGE = "<title>Ferry</title><p id=first>The ferry returned.</p><p id=second>Nobody was hurt.</p>"


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.windowHandle(), key, modifiers)


def opened():
    menu = QApplication.activePopupWidget()
    return menu.title().replace("&", "") if isinstance(menu, QMenu) else ""


def test_alt_with_its_letter_opens_each_menu(window):
    window.workbench.canvas.view.setFocus()
    for name, letter in MNEMONICS.items():
        press(window, Qt.Key(ord(letter)), ALT)
        assert opened() == name
        press(window, Qt.Key.Key_Escape)
        assert opened() == ""


def test_f10_opens_the_first_menu_and_escape_restores_the_focus(window, qtbot):
    before = window.focusWidget()
    press(window, Qt.Key.Key_F10)
    assert opened() == "File"
    press(window, Qt.Key.Key_Escape)
    assert opened() == ""
    qtbot.waitUntil(lambda: window.focusWidget() is before)
    press(window, Qt.Key.Key_P, CTRL_SHIFT)
    assert window.type_field.isVisible()


def test_arrow_keys_walk_an_open_menu_and_do_not_reach_the_page(window, qtbot, tmp_path):
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open(PAGE, "ferry.html")
    row = hand.row("#first")
    window.session.selection.set_candidate(row)
    press(window, Qt.Key.Key_F, ALT)
    press(window, Qt.Key.Key_Right)
    assert opened() == "Edit"
    press(window, Qt.Key.Key_Left)
    press(window, Qt.Key.Key_Left)
    assert opened() == "Help"
    press(window, Qt.Key.Key_Down)
    press(window, Qt.Key.Key_Down)
    assert window.session.selection.candidate == row
    press(window, Qt.Key.Key_Escape)


def test_no_action_uses_alt_with_the_letter_of_a_menu():
    assert menus_without_letter(ACTIONS) == set()


def test_a_user_defined_key_takes_precedence_over_the_letter_of_a_menu(window):
    triggered = []
    window.actions_["panels"].triggered.connect(lambda: triggered.append(True))
    window.own_keys.choose({"panels": ("Alt+F",)})
    press(window, Qt.Key.Key_F, ALT)
    assert triggered == [True]
    assert opened() == ""
    window.own_keys.choose({})
    press(window, Qt.Key.Key_F, ALT)
    assert opened() == "File"
    press(window, Qt.Key.Key_Escape)
