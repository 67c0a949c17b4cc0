"""Areas of the window by keyboard: from one to the next, and a panel closed."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDockWidget, QToolBar

from gui.window.tasks import TASKS
from tests.gui.annotated import PAGE
from tests.hand import Hand

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
NONE, KEYPAD = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier


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


@pytest.mark.web
def test_the_switch_of_views_is_one_stop_and_arrows_lead_round_it(window, hand, qtbot):
    window.resize(1600, 1000)
    switch = window.toolbar.switch
    qtbot.waitUntil(switch.buttons[-1].isVisible)

    def stops():
        return [each for each in switch.buttons if each.focusPolicy() & Qt.FocusPolicy.TabFocus]

    assert stops() == [switch.buttons[0]]
    window.toolbar.menu_button.setFocus()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    seen = [window.focusWidget()]
    for _ in switch.buttons:
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Right)
        seen.append(window.focusWidget())
    assert seen == [*switch.buttons, switch.buttons[0]]
    assert window.tasks.shown.name == TASKS[0].name  # an arrow chooses none
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Left)
    assert window.focusWidget() is switch.buttons[-1]
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    assert window.focusWidget() in window.toolbar.modes
    assert stops() == [switch.buttons[0]]
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Backtab)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    assert window.tasks.shown.name == TASKS[2].name
    window.toolbar.menu_button.setFocus()
    assert stops() == [switch.buttons[2]]
    qtbot.keyClick(window, Qt.Key.Key_1, ALT)
    assert stops() == [switch.buttons[0]]


@pytest.mark.web
def test_tools_are_one_stop_and_an_arrow_takes_none(window, hand, qtbot):
    select, main, *_ = window.toolbar.modes
    select.setFocus()
    qtbot.keyClick(select, Qt.Key.Key_Right)
    assert window.focusWidget() is main
    assert window.session.selection.mode == "select"
    qtbot.keyClick(main, Qt.Key.Key_Space)
    assert window.session.selection.mode == "main"


@pytest.mark.web
@pytest.mark.parametrize(("enter", "modifier"), [("Return", NONE), ("Enter", KEYPAD)])
def test_enter_chooses_a_view_and_a_tool(window, hand, qtbot, enter, modifier):
    key = getattr(Qt.Key, f"Key_{enter}")
    window.resize(1600, 1000)
    buttons = window.toolbar.switch.buttons
    qtbot.waitUntil(buttons[-1].isVisible)
    main = window.toolbar.modes[1]
    main.setFocus()
    qtbot.keyClick(main, key, modifier)
    assert window.session.selection.mode == "main"
    buttons[2].setFocus()
    qtbot.keyClick(buttons[2], key, modifier)
    assert window.tasks.shown.name == TASKS[2].name
    qtbot.keyClick(window, Qt.Key.Key_1, ALT)


@pytest.mark.web
def test_arrows_of_the_keypad_move_in_a_bar(window, hand, qtbot):
    select, main, *_ = window.toolbar.modes
    select.setFocus()
    qtbot.keyClick(select, Qt.Key.Key_Right, KEYPAD)
    assert window.focusWidget() is main
    qtbot.keyClick(main, Qt.Key.Key_Left, KEYPAD)
    assert window.focusWidget() is select


@pytest.mark.web
@pytest.mark.parametrize(("modifier", "is_kept"), [(NONE, True), (KEYPAD, True), (CTRL, False)])
def test_a_bar_keeps_its_keys_from_shortcuts(window, modifier, is_kept):
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Right, modifier)
    event.ignore()
    QCoreApplication.sendEvent(window.toolbar, event)
    assert event.isAccepted() == is_kept
