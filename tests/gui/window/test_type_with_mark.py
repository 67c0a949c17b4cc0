"""A type given right after a mark is one step to undo with it, though each is saved when made."""

import pytest
from PySide6.QtCore import Qt

from annotate.workspace.workspace import Workspace, page_key
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PAGE = """
<title>Harbour news</title>
<style>body{margin:0;font:16px/24px sans-serif} section{padding:10px}</style>
<section id=story><p id=first>The ferry returned to the harbour this morning.</p>
<p id=second>Nobody was hurt, the captain said later.</p></section>
<footer id=foot>Printed at the quay</footer>
"""


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE, "ferry.html")
    return made


def mark_first(hand) -> None:
    press(hand, Qt.Key.Key_2)
    hand.click("#first")
    hand.qtbot.waitUntil(lambda: hand.marked(2) == [[hand.row("#first")]], timeout=60_000)


def types(hand) -> list[str]:
    return [mark.type for mark in hand.session.open.gold.marks]


def reopen(hand) -> None:
    with hand.qtbot.waitSignal(hand.session.open.page_changed, timeout=60_000):
        hand.workbench.navigation.reload()


def test_one_undo_takes_a_mark_and_the_letter_after_it_back_and_one_redo_brings_both(hand):
    mark_first(hand)
    press(hand, Qt.Key.Key_R)
    assert types(hand) == ["Article"]
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == []
    press(hand, Qt.Key.Key_Z, CTRL | SHIFT)
    assert types(hand) == ["Article"]


def test_another_type_after_the_first_is_a_step_of_its_own(hand):
    mark_first(hand)
    press(hand, Qt.Key.Key_R)
    hand.workbench.set_type("Menu")
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == ["Article"]
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == []


def test_a_type_given_later_or_to_others_is_a_step_of_its_own(hand):
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
    hand.workbench.page_session.redo()  # a mark that was done again is an old one
    hand.session.selection.set_selected([hand.session.open.gold.marks[1].id])
    press(hand, Qt.Key.Key_R)
    press(hand, Qt.Key.Key_Z, CTRL)
    assert types(hand) == ["", ""]


def test_both_are_on_disk_as_they_are_shown_and_one_step_when_the_page_is_opened_again(hand):
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


def test_a_program_that_ends_between_mark_and_type_leaves_two_steps(hand):
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
