"""Views by task: each has its panels, keeps changes of the user and folds when narrow."""

import pytest
from PySide6.QtCore import Qt

from gui.features.errors.panel import ErrorsDock
from gui.features.evaluate.view import EvaluateView
from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from gui.features.outline.panel import OutlineDock
from gui.features.pages.panel import PagesDock
from gui.features.why.panel import WhyDock
from gui.state.selection import Mode
from gui.window.actions import ACTIONS
from gui.window.features import FEATURES
from gui.window.tasks import TASKS
from tests.gui.parts import make_window, press
from tests.hand import hand_in_window

pytestmark = pytest.mark.web

ALT = Qt.KeyboardModifier.AltModifier
PAGE = "<title>Ferry</title><h1>Ferry</h1><p>The ferry went back to the island this morning.</p>"
hand = hand_in_window


def shown(window):
    return {panel.objectName() for panel in window.panels.every if not panel.isHidden()}


def test_every_panel_and_action_of_a_task_exists():
    names = {panel.name for feature in FEATURES for panel in feature.panels}
    actions = {action.name for action in ACTIONS}
    for task in TASKS:
        assert {*task.left, *task.right, *task.below} <= names, task.name
        for panel, action in task.walks:
            assert panel in (*task.left, *task.right), task.name
            assert action in actions
        assert {tool for tool, _ in task.tools} <= set(actions)
        assert len(task.facts) <= 3
        assert task.first_step


def test_a_key_shows_the_panels_of_a_task_and_sets_its_mode(window, hand, qtbot):
    press(hand, Qt.Key.Key_3, ALT)
    assert shown(window) == {"ErrorsDock", "WhyDock", "FigureDock"}
    assert window.session.selection.mode is Mode.WHY
    assert window.actions_["task-debug"].isChecked()
    press(hand, Qt.Key.Key_4, ALT)
    assert shown(window) == {"ReviewDock"}
    assert window.session.selection.mode is Mode.SELECT
    press(hand, Qt.Key.Key_1, ALT)
    assert shown(window) == {"PagesDock", "OutlineDock", "LayersDock"}


@pytest.mark.slow
def test_the_task_and_its_panels_are_restored_after_a_restart(window, hand, qtbot):
    press(hand, Qt.Key.Key_4, ALT)
    window.panel(PagesDock).hide()
    window.close()
    again = make_window(window.workbench.workspace.path.parent)
    qtbot.addWidget(again)
    again.resize(1300, 850)
    assert again.actions_["task-review"].isChecked()
    assert again.panel(PagesDock).isHidden()
    again.close_down()


@pytest.mark.parametrize("name", ["mark", "compare", "debug", "review"])
def test_the_page_keeps_60_percent_of_the_width_in_a_small_window(window, hand, qtbot, name):
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: window.width() == 1100)
    window.actions_[f"task-{name}"].trigger()
    qtbot.waitUntil(lambda: window.main_area.stack.width() >= 660)
    is_bare = name == "compare"
    assert window.panel(PagesDock).isHidden() == (name != "mark")
    assert (window.main_area.stack.width() == window.width()) == is_bare


@pytest.mark.parametrize("name", ["mark", "debug", "review"])
def test_the_page_keeps_60_percent_of_the_width_at_medium_sizes(window, hand, qtbot, name):
    window.resize(1600, 900)
    window.actions_[f"task-{name}"].trigger()
    for width in (1450, 1366, 1300, 1280, 1200, 1300, 1400):
        window.resize(width, 900)
        qtbot.waitUntil(lambda width=width: window.width() == width)
        qtbot.waitUntil(lambda width=width: window.main_area.stack.width() >= 0.6 * width)
    window.actions_["task-compare"].trigger()
    window.resize(1600, 900)
    window.actions_[f"task-{name}"].trigger()
    window.panels.set_sizes()
    window.actions_["task-compare"].trigger()
    window.resize(1300, 900)
    window.actions_[f"task-{name}"].trigger()  # as it was stored in a wider window
    qtbot.waitUntil(lambda: window.main_area.stack.width() >= 780)


def test_panels_keep_their_width_over_a_change_of_task(window, hand, qtbot):
    layers = window.panel(LayersDock)
    wide = layers.width() + 120
    window.resizeDocks([layers], [wide], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: layers.width() == wide)
    press(hand, Qt.Key.Key_4, ALT)
    press(hand, Qt.Key.Key_1, ALT)
    assert layers.width() == wide


def test_panels_grow_once_when_the_window_becomes_wide(window, hand, qtbot):
    pages, layers = window.panel(PagesDock), window.panel(LayersDock)
    before = pages.width(), layers.width()
    window.resize(3840, 2000)
    qtbot.waitUntil(lambda: pages.width() > 1.3 * before[0] and layers.width() > 1.3 * before[1])
    assert window.main_area.stack.width() >= 0.6 * 3840
    window.resizeDocks([layers], [before[1]], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: layers.width() <= before[1] + 2)
    window.resize(3600, 2000)
    press(hand, Qt.Key.Key_1, ALT)
    assert layers.width() <= before[1] + 2, "as its user has made it"


def test_a_very_wide_window_has_whole_titles_and_details_below_the_methods(window, hand, qtbot):
    layers, details = window.panel(LayersDock), window.panel(DetailsDock)
    assert details.isHidden()
    window.actions_["layout"].trigger()  # as at the first start
    window.resize(3840, 2130)
    letter = window.fontMetrics().averageCharWidth()
    qtbot.waitUntil(lambda: window.panel(PagesDock).width() >= 58 * letter)
    qtbot.waitUntil(details.isVisible)
    assert details.geometry().top() > layers.geometry().bottom()
    details.hide()
    press(hand, Qt.Key.Key_3, ALT)
    press(hand, Qt.Key.Key_1, ALT)
    assert details.isHidden(), "as its user has left it"


def test_a_view_that_was_arranged_keeps_its_panels_when_the_window_becomes_wide(
    window, hand, qtbot
):
    outline, layers = window.panel(OutlineDock), window.panel(LayersDock)
    window.resize(1600, 1000)
    window.actions_["layout"].trigger()
    window._settings.remove("state")  # no view was left yet
    outline.close()
    layers.setFloating(True)
    before = shown(window)
    window.resize(3840, 2000)
    qtbot.waitUntil(lambda: window.tasks._is_wide)
    assert shown(window) == before
    assert layers.isFloating()
    layers.setFloating(False)


def test_a_closed_panel_stays_closed_when_the_window_becomes_wide_again(window, hand, qtbot):
    details = window.panel(DetailsDock)
    window.actions_["layout"].trigger()
    window.resize(3840, 2000)
    qtbot.waitUntil(details.isVisible)
    details.close()
    window.resize(1600, 1000)
    qtbot.waitUntil(lambda: not window.tasks._is_wide)
    window.resize(3840, 2000)
    qtbot.waitUntil(lambda: window.tasks._is_wide)
    assert details.isHidden()


def test_panels_become_tabs_in_a_narrow_window_and_separate_again(window, hand, qtbot):
    layers, outline = window.panel(LayersDock), window.panel(OutlineDock)
    window.resize(1100, 900)
    qtbot.waitUntil(lambda: outline in window.tabifiedDockWidgets(layers))
    assert shown(window) == {"PagesDock", "OutlineDock", "LayersDock"}
    window.actions_["errors"].trigger()
    assert window.panel(ErrorsDock) in window.tabifiedDockWidgets(layers)
    window.actions_["errors"].trigger()
    window.resize(1300, 850)
    qtbot.waitUntil(lambda: outline not in window.tabifiedDockWidgets(layers))
    assert outline.geometry().right() < layers.geometry().left()
    assert window.panel(WhyDock).isHidden()


def test_the_task_switch_is_one_button_when_six_do_not_fit(window, qtbot):
    switch = window.toolbar.switch
    assert all(button.isVisible() for button in switch.buttons)
    window.resize(860, 700)
    qtbot.waitUntil(switch.one.isVisible)
    assert switch.one.text().startswith("Mark")
    window.resize(1300, 850)
    qtbot.waitUntil(switch.buttons[5].isVisible)
    qtbot.mouseClick(switch.buttons[3], Qt.MouseButton.LeftButton)
    assert window.tasks.shown.name == "review"


def test_the_parts_of_the_bar_are_aligned(window, qtbot):
    bar = window.toolbar
    parts = (window.toolbar.switch.buttons[0], bar.menu_button, bar.modes[0], bar.search, bar.done)
    qtbot.waitUntil(parts[0].isVisible)
    middles = [part.mapTo(bar, part.rect().center()).y() for part in parts]
    assert max(middles) - min(middles) <= 1


def test_evaluate_is_one_of_the_tasks(window, hand):
    press(hand, Qt.Key.Key_7, ALT)
    assert window.main_area.shows(EvaluateView)
    assert window.actions_["task-evaluate"].isChecked()
    assert [b.text() for b in window.toolbar.switch.buttons][-1] == "Evaluate"
    press(hand, Qt.Key.Key_1, ALT)
    assert window.actions_["task-mark"].isChecked()


def test_methods_are_hidden_in_the_mark_task_and_shown_in_debug(window, hand):
    window.workbench.page_session.judges_first = True
    hand.open(PAGE, "work.html")
    assert window.session.layers.is_gold_only
    press(hand, Qt.Key.Key_3, ALT)
    assert not window.session.layers.is_gold_only
    press(hand, Qt.Key.Key_1, ALT)
    assert window.session.layers.is_gold_only


@pytest.mark.slow
def test_layers_shown_for_a_score_are_removed_when_another_page_opens(window, hand):
    session = window.session
    window.workbench.page_session.judges_first = True
    own = session.layers.all
    session.layers.lend_layers(own[:4], session.open.document)
    hand.open(PAGE, "another.html")
    assert session.layers.all == own
    assert not session.layers.own_layers
    assert session.layers.is_gold_only
