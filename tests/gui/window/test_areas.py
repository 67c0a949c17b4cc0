"""Areas of the window by keyboard: from one to the next, and a panel closed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QToolBar

from tests.gui.annotated import PAGE
from tests.hand import Hand

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def hand(window, qtbot, tmp_path):
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(PAGE)
    window.workbench.canvas.view.setFocus()
    return made


def area(window):
    """Return the name of the area with the keyboard."""
    each = window.focusWidget()
    while each is not None and each is not window:
        if isinstance(each, QToolBar):
            return "bar"
        if isinstance(each, QDockWidget):
            return each.objectName()
        if each is window.workbench.canvas:
            return "page"
        each = each.parentWidget()
    return ""


@pytest.mark.web
def test_a_key_walks_bar_panels_and_page_and_comes_round(window, hand, qtbot):
    seen = []
    for _ in range(12):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_F6, CTRL)
        seen.append(area(window))
        if seen[-1] == "page":
            break
    shown = [
        dock.objectName() for dock in window.findChildren(QDockWidget)
        if not dock.visibleRegion().isEmpty()
    ]  # fmt: skip
    assert seen[0] == "bar"
    assert seen[-1] == "page"
    assert sorted(seen[1:-1]) == sorted(shown)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_F6, CTRL)
    assert area(window) == "bar"


@pytest.mark.web
def test_a_key_closes_the_panel_that_has_the_keyboard_alone(window, hand, qtbot):
    for _ in range(2):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_F6, CTRL)
    name = area(window)
    dock = window.findChild(QDockWidget, name)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_F4, CTRL)
    assert dock.isHidden()
    assert area(window) == "page"
    count = len([each for each in window.findChildren(QDockWidget) if each.isVisible()])
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_F4, CTRL)
    assert len([each for each in window.findChildren(QDockWidget) if each.isVisible()]) == count
