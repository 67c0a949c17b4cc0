"""Typing a type: first match, free name, leaving."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from gui.widgets.quick_pick import Choice, QuickPick, matching

CHOICES = [Choice("Header", key="H"), Choice("Link list"), Choice("Title"), Choice("Table")]


@pytest.fixture
def ground(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(600, 500)
    widget.other = QLineEdit(widget)
    widget.show()
    widget.other.setFocus()
    qtbot.waitExposed(widget)
    return widget


@pytest.fixture
def field(ground):
    made = QuickPick(ground)
    made.taken = []
    made.ask("Type of the block", "name", made.taken.append, CHOICES)
    return made


def test_names_that_start_so_come_before_words_and_the_rest():
    assert [c.text for c in matching(CHOICES, "t")] == ["Title", "Table", "Link list"]
    assert [c.text for c in matching(CHOICES, "li")] == ["Link list"]
    assert matching(CHOICES, "") == CHOICES
    assert matching(CHOICES, "zzz") == []


def test_enter_takes_the_first_match(qtbot, field):
    qtbot.keyClicks(field.line, "tab")
    assert field.offered() == ["Table", "tab"]
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.taken == ["Table"]
    assert field.isHidden()


def test_a_name_that_nothing_matches_is_taken_as_typed(qtbot, field):
    qtbot.keyClicks(field.line, "Cookie banner")
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.taken == ["Cookie banner"]


def test_a_name_that_is_part_of_another_can_be_taken_as_typed(qtbot, field):
    qtbot.keyClicks(field.line, "List")
    assert field.offered() == ["Link list", "List"]
    qtbot.keyClick(field.line, Qt.Key.Key_Up)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.taken == ["List"]


def test_arrows_choose_and_enter_takes(qtbot, field):
    qtbot.keyClick(field.line, Qt.Key.Key_Down)
    qtbot.keyClick(field.line, Qt.Key.Key_Down)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.taken == ["Link list"]


def test_escape_takes_nothing_and_gives_the_keyboard_back(qtbot, ground, field):
    qtbot.keyClicks(field.line, "Tit")
    qtbot.keyClick(field.line, Qt.Key.Key_Escape)
    assert field.taken == []
    assert field.isHidden()
    assert ground.focusWidget() is ground.other


def test_enter_on_nothing_takes_nothing(qtbot, field):
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.taken == []


def test_a_click_takes_a_choice(qtbot, field):
    item = field.list.item(2)
    position = field.list.visualItemRect(item).center()
    qtbot.mouseClick(field.list.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert field.taken == ["Title"]


def test_what_is_whole_as_it_is_typed_goes_before_what_begins_so(qtbot, ground):
    field, taken = QuickPick(ground), []
    choices = [Choice("/data/pages/one.html"), Choice("/data/pages")]
    field.ask("Open", "path", taken.append, choices, is_whole=lambda text: text == "/data/pages")
    qtbot.keyClicks(field.line, "/data/pages")
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    field.ask("Open", "path", taken.append, choices[:1], is_whole=lambda text: text == "/data")
    qtbot.keyClicks(field.line, "/data")
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    field.ask("Open", "path", taken.append, choices, is_whole=lambda _text: False)
    qtbot.keyClicks(field.line, "/data/p")
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert taken == ["/data/pages", "/data", "/data/pages/one.html"]
