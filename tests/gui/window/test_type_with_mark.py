"""A type set right after a mark is one undo step with it, though each is saved at once."""

import pytest
from PySide6.QtCore import Qt

from annotate.workspace.workspace import Workspace, page_key
from tests.gui.parts import press
from tests.hand import hand_in_window

pytestmark = pytest.mark.web

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} section{padding:10px}</style>
<section id=story><p id=first>The ferry returned to the harbour this morning.</p>
<p id=second>Nobody was hurt, the captain said later.</p></section>
<footer id=foot>Printed at the quay</footer>
"""
hand = hand_in_window


def mark_first(hand) -> None:
    press(hand, Qt.Key.Key_2)
    hand.click("#first")
    hand.qtbot.waitUntil(lambda: hand.marked(2) == [[hand.row("#first")]], timeout=60_000)


def types(hand) -> list[str]:
    return [mark.type for mark in hand.session.open.gold.marks]


def reopen(hand) -> None:
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=60_000):
        hand.workbench.navigation.reload()


def test_one_undo_removes_a_mark_with_its_type_and_one_redo_restores_both(hand):
    mark_first(hand)
    press(hand, Qt.Key.Key_R)
    assert types(hand) == ["Article"]
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == []
    press(hand, Qt.Key.Key_Z, CTRL | SHIFT)
    assert types(hand) == ["Article"]


def test_a_second_type_is_a_separate_undo_step(hand):
    mark_first(hand)
    press(hand, Qt.Key.Key_R)
    hand.workbench.set_type("Menu")
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == ["Article"]
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == []


def test_a_type_set_later_or_on_another_mark_is_a_separate_undo_step(hand):
    mark_first(hand)
    hand.click("#second")
    hand.qtbot.waitUntil(lambda: len(hand.marked(2)) == 2, timeout=60_000)
    hand.session.selection.set_selected([hand.session.open.gold.marks[0].id])
    press(hand, Qt.Key.Key_R)
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == ["", ""]
    hand.workbench.page_session.redo()
    hand.workbench.page_session.undo()
    hand.workbench.page_session.undo()
    hand.workbench.page_session.redo()  # a mark that was redone counts as an old one
    hand.session.selection.set_selected([hand.session.open.gold.marks[1].id])
    press(hand, Qt.Key.Key_R)
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == ["", ""]


def test_mark_and_type_are_saved_at_once_and_stay_one_undo_step_after_a_reload(hand):
    mark_first(hand)

    def on_disk() -> list[str]:
        with Workspace.open(hand.workbench.workspace.path) as other:
            key = page_key(hand.session.open.document)
            return [m.type for m in other.load_gold(key, hand.session.open.page.rendered()).marks]

    assert on_disk() == [""]
    press(hand, Qt.Key.Key_R)
    assert on_disk() == ["Article"]
    reopen(hand)
    hand.workbench.page_session.undo()
    assert types(hand) == []
    hand.workbench.page_session.redo()
    assert types(hand) == ["Article"]


@pytest.mark.slow
def test_mark_and_type_are_two_undo_steps_after_a_reload_between_them(hand):
    mark_first(hand)
    reopen(hand)
    assert types(hand) == [""]
    hand.session.selection.set_selected([hand.session.open.gold.marks[0].id])
    press(hand, Qt.Key.Key_R)
    reopen(hand)
    hand.workbench.page_session.undo()
    assert types(hand) == [""]
    hand.workbench.page_session.undo()
    assert types(hand) == []
