"""History: changes are listed, and a click leads there and back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from gui.features.history.controller import LOCKED
from gui.features.history.panel import HistoryDock
from gui.widgets.theme import CHOICES, theme_of
from tests.gui.annotated import PAGE
from tests.gui.parts import press
from tests.hand import Hand

pytestmark = pytest.mark.web

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def hand(window, qtbot, tmp_path):
    """Open a page, mark three blocks on it and open the panel by its key."""
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE)
    for key, at in ((Qt.Key.Key_1, "#nav"), (Qt.Key.Key_1, "#side"), (Qt.Key.Key_1, "#foot")):
        press(made, key)
        count = len(made.session.open.gold.marks)
        made.click(at)
        qtbot.waitUntil(lambda n=count: len(made.session.open.gold.marks) == n + 1, timeout=20_000)
    press(made, Qt.Key.Key_H, CTRL)
    dock = window.findChild(HistoryDock)
    qtbot.waitUntil(lambda: dock.isVisible() and len(dock.items()) == 4, timeout=20_000)
    made.dock = dock
    return made


def click(hand, number: int) -> None:
    """Click a row, 0 for the newest."""
    tree = hand.dock.tree
    place = tree.visualItemRect(hand.dock.items()[number]).center()
    hand.qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)


def marks(hand) -> set[str]:
    return {mark.id for mark in hand.session.open.gold.marks}


def wait_for(hand, wanted: set[str]) -> None:
    hand.qtbot.waitUntil(lambda: marks(hand) == wanted, timeout=20_000)
    hand.qtbot.waitUntil(lambda: not hand.dock._timer.isActive())


def test_a_click_leads_back_and_another_forth_as_undo_and_redo_do(hand):
    first, second, third = (mark.id for mark in hand.session.open.gold.marks)
    stack = hand.workbench.marking.stack
    count = stack.count()
    click(hand, 2)
    wait_for(hand, {first})
    assert (stack.count(), stack.index()) == (count, count - 2)
    assert hand.workbench.page_session.redo_text
    click(hand, 0)
    wait_for(hand, {first, second, third})
    assert (stack.count(), stack.index()) == (count, count)
    click(hand, 3)
    wait_for(hand, set())
    press(hand, Qt.Key.Key_Y, CTRL)
    wait_for(hand, {first})


def test_a_change_that_was_replaced_comes_back_by_one_that_undo_takes_back(hand):
    first, second, third = (mark.id for mark in hand.session.open.gold.marks)
    click(hand, 1)
    wait_for(hand, {first, second})
    press(hand, Qt.Key.Key_1)
    hand.click("#story")
    hand.qtbot.waitUntil(lambda: len(marks(hand)) == 3, timeout=20_000)
    hand.qtbot.waitUntil(lambda: len(hand.dock.items()) == 5)
    now = marks(hand)
    assert third not in now
    click(hand, 1)
    wait_for(hand, {first, second, third})
    press(hand, Qt.Key.Key_Z, CTRL)
    wait_for(hand, now)


@pytest.mark.slow
def test_changes_of_an_earlier_session_are_listed_and_come_back(hand):
    file = hand.folder / "page1.html"
    before = marks(hand)
    first = hand.session.open.gold.marks[0].id
    hand.open("<p>another page</p>")
    hand.qtbot.waitUntil(lambda: not hand.dock.tree.isVisible())
    hand.open_path(file)
    hand.qtbot.waitUntil(lambda: len(hand.dock.items()) == 4, timeout=20_000)
    click(hand, 2)
    wait_for(hand, {first})
    click(hand, 0)
    wait_for(hand, before)


@pytest.mark.slow
def test_more_changes_than_undo_remembers_are_reached_all_the_same(hand):
    first = hand.session.open.gold.marks[0].id
    before = marks(hand)
    hand.workbench.marking.stack.clear()
    click(hand, 2)
    wait_for(hand, {first})
    assert hand.workbench.marking.stack.count() == 1
    press(hand, Qt.Key.Key_Z, CTRL)
    wait_for(hand, before)


def test_rows_are_grey_with_the_reason_while_the_marks_are_locked(hand):
    hand.session.open.is_locked = True
    hand.dock.refresh()
    before = marks(hand)
    rows = hand.dock.items()
    assert all(LOCKED in row.toolTip(0) for row in rows)
    click(hand, 2)
    assert marks(hand) == before


def test_each_row_has_its_time_and_what_a_click_does(hand):
    newest, *_, oldest = hand.dock.items()
    assert newest.text(1).count(":") == 1
    assert newest.toolTip(0).endswith("the marks as they are now")
    assert "undoes 3 changes" in oldest.toolTip(0)
    assert hand.dock.remark().startswith("3 changes")


@pytest.mark.slow
def test_rows_follow_the_theme(hand, window):
    click(hand, 1)
    hand.qtbot.waitUntil(lambda: hand.dock.items()[1].font(0).bold(), timeout=20_000)
    colours = set()
    for theme in CHOICES[1:]:
        window.themes.choose(theme)
        muted = QColor(theme_of(hand.dock).muted)
        hand.qtbot.waitUntil(lambda m=muted: hand.dock.items()[0].foreground(0).color() == m)
        colours.add(muted.name())
    window.themes.choose(CHOICES[0])
    assert len(colours) == 2
