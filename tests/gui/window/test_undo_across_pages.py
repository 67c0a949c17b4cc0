"""Ctrl+Z undoes a decision on the page before and returns to that page."""

import pytest
from PySide6.QtCore import Qt

from annotate.marks.checks import FindingKind
from annotate.workspace.workspace import page_key
from gui.features.checks.state import CheckWalk
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
STORY = "The ferry returned to the harbour this morning, and all of the town was there. " * 4
PAGE = "<!doctype html><meta charset=utf-8><title>{0}</title><main id=m><p id=p>{0} " + STORY


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Open the first of two pages and mark a block on it."""
    made = Hand(window.workbench, qtbot, tmp_path)
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.html").write_text(PAGE.format(name), encoding="utf-8")
    made.open_path(folder)
    press(made, Qt.Key.Key_2)
    made.click("#p")
    qtbot.waitUntil(lambda: len(made.session.open.gold.marks) == 1, timeout=20_000)
    press(made, Qt.Key.Key_R)
    walk, no_main = made.session.get(CheckWalk), [FindingKind.NO_MAIN]
    qtbot.waitUntil(lambda: [each.kind for each in walk.items] == no_main, timeout=20_000)
    return made


def open_name(hand) -> str:
    document = hand.session.open.document
    return "" if hand.session.open.page is None else page_key(document).rsplit("/", 1)[-1]


def wait_for(hand, name: str) -> None:
    hand.qtbot.waitUntil(lambda: open_name(hand) == name, timeout=20_000)
    hand.wait_for_methods()


def status(hand, number: int) -> str:
    return hand.workbench.pages.status(hand.session.documents[number])


def go_on(hand) -> None:
    press(hand, Qt.Key.Key_Period)
    wait_for(hand, "two.html")


def test_undo_after_done_reopens_the_page_as_in_progress(hand):
    press(hand, Qt.Key.Key_D)
    if status(hand, 0) != "done":  # a finding is left: D asks once
        press(hand, Qt.Key.Key_D)
    wait_for(hand, "two.html")
    assert status(hand, 0) == "done"
    press(hand, Qt.Key.Key_Z, CTRL)
    wait_for(hand, "one.html")
    assert status(hand, 0) == "in progress"
    assert [mark.type for mark in hand.session.open.gold.marks] == ["Article"]
    press(hand, Qt.Key.Key_Z, CTRL | SHIFT)
    assert status(hand, 0) == "done"


@pytest.mark.slow
def test_undo_on_an_unchanged_page_reverts_the_last_change_on_its_page(window, hand):
    go_on(hand)
    assert window.actions_["undo"].isEnabled()
    press(hand, Qt.Key.Key_Z, CTRL)
    wait_for(hand, "one.html")
    hand.qtbot.waitUntil(lambda: hand.session.open.gold.marks == (), timeout=20_000)
    press(hand, Qt.Key.Key_Z, CTRL | SHIFT)
    assert [mark.type for mark in hand.session.open.gold.marks] == ["Article"]


def test_undo_first_reverts_marks_of_the_page_and_then_earlier_decisions(hand):
    hand.wait_for_methods()
    for _ in range(3):  # D asks once for each list of open findings
        if status(hand, 0) != "done":
            press(hand, Qt.Key.Key_D)
    wait_for(hand, "two.html")
    hand.click("#p")
    hand.qtbot.waitUntil(lambda: len(hand.session.open.gold.marks) == 1, timeout=20_000)
    press(hand, Qt.Key.Key_Z, CTRL)
    assert (open_name(hand), hand.session.open.gold.marks) == ("two.html", ())
    assert status(hand, 0) == "done"
    press(hand, Qt.Key.Key_Z, CTRL)
    wait_for(hand, "one.html")
    assert status(hand, 0) == "in progress"


@pytest.mark.slow
def test_undo_while_the_next_page_loads_returns_to_the_page_before(hand):
    press(hand, Qt.Key.Key_D)
    if status(hand, 0) != "done":
        press(hand, Qt.Key.Key_D)
    hand.workbench.page_session.undo()
    wait_for(hand, "one.html")
    assert status(hand, 0) == "in progress"


@pytest.mark.slow
def test_undo_lists_an_ignored_finding_again(window, hand):
    walk = hand.session.get(CheckWalk)
    no_main = [FindingKind.NO_MAIN]  # the block had no type for a moment
    hand.qtbot.waitUntil(lambda: [each.kind for each in walk.items] == no_main, timeout=20_000)
    before = walk.items
    walk.show(True)
    walk.choose(0)
    press(hand, Qt.Key.Key_I, SHIFT)
    assert walk.items == ()
    press(hand, Qt.Key.Key_Z, CTRL)
    assert walk.items == before
    assert walk.index == 0


def test_the_menu_names_the_change_on_another_page_to_undo(window, hand):
    hand.workbench.page_session.set_status("question")
    go_on(hand)
    assert window.actions_["undo"].text() == "Undo page is question"
