"""Typing a choice: first match, free name, cancelling."""

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


def test_matches_at_the_beginning_come_before_matches_in_later_words():
    assert [c.text for c in matching(CHOICES, "t")] == ["Title", "Table", "Link list"]
    assert [c.text for c in matching(CHOICES, "li")] == ["Link list"]
    assert matching(CHOICES, "") == CHOICES
    assert matching(CHOICES, "zzz") == []


def test_enter_picks_the_first_match(qtbot, field):
    qtbot.keyClicks(field.line, "tab")
    assert field.offered() == ["Table", "tab"]
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.taken == ["Table"]
    assert field.isHidden()


def test_a_name_without_a_match_is_taken_as_typed(qtbot, field):
    qtbot.keyClicks(field.line, "Cookie banner")
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.taken == ["Cookie banner"]


def test_a_name_contained_in_another_can_be_taken_as_typed(qtbot, field):
    qtbot.keyClicks(field.line, "List")
    assert field.offered() == ["Link list", "List"]
    qtbot.keyClick(field.line, Qt.Key.Key_Up)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.taken == ["List"]


def test_arrow_keys_choose_and_enter_picks(qtbot, field):
    qtbot.keyClick(field.line, Qt.Key.Key_Down)
    qtbot.keyClick(field.line, Qt.Key.Key_Down)
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.taken == ["Link list"]


def test_escape_picks_nothing_and_restores_the_focus(qtbot, ground, field):
    qtbot.keyClicks(field.line, "Tit")
    qtbot.keyClick(field.line, Qt.Key.Key_Escape)
    assert field.taken == []
    assert field.isHidden()
    assert ground.focusWidget() is ground.other


def test_enter_without_a_choice_picks_nothing(qtbot, field):
    qtbot.keyClick(field.line, Qt.Key.Key_Return)
    assert field.taken == []


def test_a_click_picks_a_choice(qtbot, field):
    item = field.list.item(2)
    position = field.list.visualItemRect(item).center()
    qtbot.mouseClick(field.list.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert field.taken == ["Title"]


def test_a_complete_typed_path_is_preferred_to_longer_ones(qtbot, ground):
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
