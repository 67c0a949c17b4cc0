"""The flag unsure, put on marks by key and brought to the review."""

import pytest
from PySide6.QtCore import Qt

from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from gui.features.outline.panel import OutlineDock
from gui.features.pages.panel import PagesDock
from tests.gui.annotated import PAGE  # noqa: F401
from tests.gui.parts import press
from tests.hand import hand_in_window

pytestmark = pytest.mark.web

ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
hand = hand_in_window


def outline(window):
    tree = window.panel(OutlineDock).tree
    items = tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
    return [item.data(0, Qt.ItemDataRole.AccessibleTextRole) for item in items]


def test_a_key_toggles_the_unsure_flag_of_the_selected_mark(window, hand):
    session = window.session
    press(hand, Qt.Key.Key_1)
    hand.click("#nav")
    hand.qtbot.waitUntil(lambda: bool(session.open.gold.marks), timeout=20_000)
    press(hand, Qt.Key.Key_N)  # Menu: its type stays
    press(hand, Qt.Key.Key_Q, SHIFT)
    assert [(mark.type, mark.is_unsure) for mark in session.open.gold.marks] == [("Menu", True)]
    assert outline(window)[0].startswith("unsure, level 1, Menu")
    assert "unsure" in session.messages.message
    press(hand, Qt.Key.Key_Z, CTRL)
    assert not session.open.gold.marks[0].is_unsure
    press(hand, Qt.Key.Key_Q, SHIFT)
    press(hand, Qt.Key.Key_Q, SHIFT)
    assert not session.open.gold.marks[0].is_unsure
    assert outline(window)[0].startswith("level 1, Menu")


def test_unsure_marks_are_walked_and_their_pages_listed(window, hand):
    session, nodes = window.session, window.session.open.page.rendered()
    gold = Gold()
    for at in ("#foot", "#nav", "#top"):
        gold = edits.add_block(gold, nodes, [Target(hand.row(at))], 1)
    foot, nav, _ = (mark.id for mark in gold.marks)
    press(hand, Qt.Key.Key_Q, ALT | SHIFT)
    assert "no mark of this page is flagged" in session.messages.message
    hand.workbench.marking.change("mark", lambda _gold, _nodes: edits.set_unsure(
        gold, [foot, nav], True))  # fmt: skip
    for expected in (nav, foot, nav):
        press(hand, Qt.Key.Key_Q, ALT | SHIFT)
        assert session.selection.selected == (expected,)
    pages = window.panel(PagesDock)
    menu = pages.narrow.menu()
    next(each for each in menu.actions() if each.text() == "With unsure marks").trigger()
    assert pages.titles() == ["Harbour news"]
    window.workbench.pages.refresh()
    assert window.workbench.pages.facts(session.open.document).unsure == 2
