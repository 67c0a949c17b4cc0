"""Panels that come when asked: in sight, never in front by themselves, messages off the text."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QPushButton, QTabBar

from gui.features.history.panel import HistoryDock
from gui.features.layers.panel import LayersDock
from gui.features.outline.panel import OutlineDock
from gui.window.features import FEATURES
from tests.gui.calm import controls, cut_texts, is_seen, overlaps, page_share
from tests.gui.parts import make_window, press
from tests.hand import hand_in_window

pytestmark = pytest.mark.web

PAGE = "<title>Ferry</title><h1>Ferry</h1><p>The ferry went back to the island this morning.</p>"
hand = hand_in_window


def bars(window):
    return [each for each in window.findChildren(QTabBar) if is_seen(each)]


def hidden_tabs(window):
    """Return the tabs that no mouse reaches: cut off, outside of their bar, or scrolled away."""
    result = []
    for bar in bars(window):
        for k in range(bar.count()):
            if not bar.rect().contains(bar.tabRect(k)):
                result.append(bar.tabText(k))
    return result


def test_each_panel_is_reached_by_mouse_when_the_window_becomes_narrow(window, hand, qtbot):
    for name in ("history", "errors", "report"):
        window.tasks.toggle_panel(name)
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: len(bars(window)) == 1)
    (bar,) = bars(window)
    qtbot.waitUntil(lambda: bar.count() == 6)
    assert hidden_tabs(window) == []


@pytest.mark.slow
def test_a_panel_opened_once_is_not_in_front_after_a_restart(window, hand, qtbot):
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: len(bars(window)) == 1)
    window.tasks.toggle_panel("history")
    qtbot.waitUntil(lambda: is_seen(window.panel(HistoryDock)))
    window.close()
    again = make_window(window.workbench.workspace.path.parent)
    qtbot.addWidget(again)
    again.resize(1100, 700)
    qtbot.waitUntil(lambda: is_seen(again.panel(LayersDock)))
    assert not is_seen(again.panel(HistoryDock))
    again.close_down()


def test_checks_without_a_finding_leave_the_outline_in_sight(window, hand, qtbot):
    window.actions_["mode-main"].trigger()
    hand.click("p")
    qtbot.waitUntil(lambda: hand.marked(0) != [])
    press(hand, Qt.Key.Key_D)
    qtbot.waitUntil(lambda: window.workbench.pages.status(window.session.open.document) == "done")
    assert is_seen(window.panel(OutlineDock))


def test_messages_leave_the_middle_of_the_page_free_and_cover_nothing(window, hand, qtbot):
    window.actions_["zoom-in"].trigger()
    qtbot.waitUntil(window.zoom.isVisible)
    window.session.messages.say("One message of a usual length")
    window.question.ask("Something waits for an answer")
    desk = window.main_area.desk
    boxes = [
        QRect(each.mapTo(desk, QPoint()), each.size())
        for each in (window.toast, window.question, window.zoom)
    ]
    assert all(each.isVisible() for each in (window.toast, window.question))
    for k, box in enumerate(boxes):
        assert not any(box.intersects(other) for other in boxes[k + 1 :])
        assert desk.rect().contains(box)
        assert not box.contains(desk.rect().center())
        assert box.center().x() > desk.width() // 2
    window.question.ask("")


PANELS = [panel.name for feature in FEATURES for panel in feature.panels]
LEAST_PAGE, LEAST_AT_200 = 0.60, 0.57
"""Share of the window that a page keeps beside any panel one asks for, as at rest (WINDOW.md)."""
MOST_OWN = 12


def bring(window, name, task="mark"):
    """Show a panel in its view, or in a task, in front; return it."""
    panel, dock = window.tasks._docks[name]
    window.tasks.choose(panel.tasks[0] if panel.tasks else task)
    window.tasks.reset()
    if dock.isHidden():
        window.tasks.toggle_panel(name)
    dock.show_up()
    return dock


def faults(window):
    return [*cut_texts(window), *overlaps(window)]


@pytest.mark.slow
@pytest.mark.parametrize("task", ["mark", "debug"])
@pytest.mark.parametrize(
    "size", [(1600, 1000), (1440, 900), (1300, 800), (1100, 700), (960, 540)], ids=str
)
def test_each_panel_that_comes_is_whole_and_leaves_the_page_its_room(
    window, hand, qtbot, size, task
):
    window.resize(*size)
    qtbot.waitUntil(lambda: window.width() == size[0])
    least = LEAST_PAGE if size[0] > 960 else LEAST_AT_200
    for name in PANELS:
        window.tasks.choose(task)
        window.tasks.reset()
        before = len(controls(window))
        dock = bring(window, name, task)
        qtbot.waitUntil(lambda: is_seen(dock))  # noqa: B023
        qtbot.waitUntil(lambda: faults(window) == [], timeout=20_000)
        qtbot.waitUntil(lambda: page_share(window) >= least, timeout=20_000)
        assert len(controls(window)) <= before + MOST_OWN, (name, controls(window))
        dock.hide()


def test_a_panel_too_wide_for_the_page_is_found(window, hand, qtbot):
    window.resize(1300, 800)
    dock = bring(window, "history")
    dock.setMinimumWidth(500)
    qtbot.waitUntil(lambda: dock.width() >= 500)
    qtbot.waitUntil(lambda: window.panels.page_room.is_settled)
    assert page_share(window) < LEAST_PAGE
    dock.setMinimumWidth(0)
    window.panels.page_room.keep_soon()
    qtbot.waitUntil(lambda: page_share(window) >= LEAST_PAGE)


def areas(window, *docks):
    return [window.dockWidgetArea(dock).name for dock in docks]


def test_the_left_side_becomes_tabs_beside_a_panel_below_and_goes_back(window, hand, qtbot):
    window.resize(1440, 900)
    window.tasks.reset()
    left = [window.tasks._docks[name][1] for name in ("pages", "outline")]
    assert areas(window, *left) == ["LeftDockWidgetArea"] * 2
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: areas(window, *left) == ["RightDockWidgetArea"] * 2)
    qtbot.waitUntil(lambda: page_share(window) >= LEAST_PAGE)
    assert is_seen(window.panel(LayersDock))
    assert hidden_tabs(window) == []
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: areas(window, *left) == ["LeftDockWidgetArea"] * 2)
    qtbot.waitUntil(lambda: all(is_seen(dock) for dock in left))


def test_a_view_left_with_joined_sides_is_stored_with_both(window, hand, qtbot):
    window.resize(1440, 900)
    window.tasks.reset()
    left = [window.tasks._docks[name][1] for name in ("pages", "outline")]
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: areas(window, *left) == ["RightDockWidgetArea"] * 2)
    window.tasks.choose("debug")
    window.tasks.choose("mark")
    qtbot.waitUntil(lambda: page_share(window) >= LEAST_PAGE)
    assert areas(window, *left) == ["RightDockWidgetArea"] * 2
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: areas(window, *left) == ["LeftDockWidgetArea"] * 2)


def middle_share(window):
    """Return the share of the middle where there is no page yet."""
    middle = window.centralWidget()
    return middle.width() * middle.height() / (window.width() * window.height())


def open_source(window, qtbot):
    """Show Source at 1440 px, where the left side must become tabs; return Pages and Outline."""
    left = [window.tasks._docks[name][1] for name in ("pages", "outline")]
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: areas(window, *left) == ["RightDockWidgetArea"] * 2)
    qtbot.waitUntil(lambda: page_share(window) >= LEAST_PAGE)
    return left


@pytest.fixture
def at_1440(window, hand, qtbot):
    window.resize(1440, 900)
    window.tasks.reset()
    qtbot.waitUntil(lambda: window.panels.page_room.is_settled)
    return window


def test_visibility_changed_beside_joined_sides_is_stored(at_1440, qtbot):
    window, history = at_1440, at_1440.panel(HistoryDock)
    source = window.tasks._docks["source"][1]
    open_source(window, qtbot)
    window.tasks.toggle_panel("history")
    qtbot.waitUntil(lambda: is_seen(history))
    window.tasks.toggle_panel("source")
    window.tasks.choose("debug")
    window.tasks.choose("mark")
    qtbot.waitUntil(lambda: window.panels.page_room.is_settled)
    assert source.isHidden()
    assert not history.isHidden()


def test_a_panel_moved_beside_joined_sides_is_stored(at_1440, qtbot):
    window, layers = at_1440, at_1440.panel(LayersDock)
    left = open_source(window, qtbot)
    window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, left[1])
    qtbot.waitUntil(lambda: window.panels.page_room.is_settled)
    assert areas(window, *left) == ["RightDockWidgetArea", "TopDockWidgetArea"]
    window.tasks.choose("debug")
    window.tasks.choose("mark")
    qtbot.waitUntil(lambda: window.panels.page_room.is_settled)
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: areas(window, *left) == ["LeftDockWidgetArea", "TopDockWidgetArea"])
    assert areas(window, layers) == ["RightDockWidgetArea"]


def test_a_panel_that_floats_beside_joined_sides_floats_after_them(at_1440, qtbot):
    window = at_1440
    left = open_source(window, qtbot)
    left[1].setFloating(True)
    qtbot.waitUntil(lambda: window.panels.page_room.is_settled)
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: areas(window, left[0]) == ["LeftDockWidgetArea"])
    assert left[1].isFloating()
    left[1].setFloating(False)
    assert areas(window, left[1]) == ["LeftDockWidgetArea"]


def test_tabs_at_the_left_are_restored(at_1440, qtbot):
    window = at_1440
    pages, outline = (window.tasks._docks[name][1] for name in ("pages", "outline"))
    window.tabifyDockWidget(pages, outline)
    outline.raise_()
    open_source(window, qtbot)
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: areas(window, pages) == ["LeftDockWidgetArea"])
    assert window.tabifiedDockWidgets(pages) == [outline]
    qtbot.waitUntil(lambda: is_seen(outline) and not is_seen(pages))


def test_heights_at_the_left_are_restored(at_1440, qtbot):
    window = at_1440
    left = [window.tasks._docks[name][1] for name in ("pages", "outline")]
    window.resizeDocks(left, [520, 200], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: left[0].height() > 400)
    before = [dock.size().toTuple() for dock in left]
    open_source(window, qtbot)
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: areas(window, *left) == ["LeftDockWidgetArea"] * 2)
    qtbot.waitUntil(lambda: [dock.size().toTuple() for dock in left] == before)


def test_a_panel_opened_beside_joined_sides_has_its_first_height(at_1440, qtbot):
    window = at_1440
    figure = window.tasks._docks["figure"][1]
    open_source(window, qtbot)
    window.tasks.toggle_panel("figure")
    qtbot.waitUntil(lambda: is_seen(figure))
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: not is_seen(window.tasks._docks["source"][1]))
    qtbot.waitUntil(lambda: window.panels.page_room.is_settled)
    assert is_seen(figure)
    assert areas(window, figure) == ["BottomDockWidgetArea"]
    assert abs(figure.height() - window.panels.page_room.first_height) < 24
    assert page_share(window) >= LEAST_PAGE


def test_a_panel_opened_beside_joined_sides_is_last_in_its_column(at_1440, qtbot):
    window, layers = at_1440, at_1440.panel(LayersDock)
    report = window.tasks._docks["report"][1]
    open_source(window, qtbot)
    window.tasks.toggle_panel("report")
    qtbot.waitUntil(lambda: is_seen(report))
    window.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: is_seen(layers) and window.panels.page_room.is_settled)
    assert report.y() > layers.y()


def test_the_page_has_its_room_after_a_restart_beside_a_panel_below(at_1440, qtbot):
    window = at_1440
    open_source(window, qtbot)
    window.close()
    again = make_window(window.workbench.workspace.path.parent)
    qtbot.addWidget(again)
    again.resize(1440, 900)  # wider than the screen of the tests
    left = [again.tasks._docks[name][1] for name in ("pages", "outline")]
    qtbot.waitUntil(lambda: is_seen(again.tasks._docks["source"][1]))
    qtbot.waitUntil(lambda: areas(again, *left) == ["RightDockWidgetArea"] * 2)
    qtbot.waitUntil(lambda: middle_share(again) >= LEAST_PAGE)
    again.tasks.toggle_panel("source")
    qtbot.waitUntil(lambda: areas(again, *left) == ["LeftDockWidgetArea"] * 2)
    again.close_down()


def test_a_text_cut_in_a_panel_that_came_is_found(window, hand, qtbot):
    dock = bring(window, "history")
    qtbot.waitUntil(lambda: is_seen(dock))
    assert faults(window) == []
    planted = QPushButton("A planted button with many words", dock.widget())
    planted.setFixedWidth(40)
    dock.body.addWidget(planted)
    qtbot.waitUntil(lambda: any("planted" in each for each in faults(window)))
    planted.deleteLater()


@pytest.mark.slow
@pytest.mark.parametrize("key", ["vips", "terrain", "gleaner"])
def test_details_of_a_method_are_whole_at_1300(window, hand, qtbot, key):
    window.resize(1300, 800)
    session = window.session
    if all(layer.key != key for layer in session.layers.all):
        session.layers.add_method(key)
    session.layers.set_current_layer(key)
    hand.wait_for_methods()
    dock = bring(window, "details")
    qtbot.waitUntil(lambda: is_seen(dock))
    qtbot.waitUntil(lambda: faults(window) == [], timeout=20_000)
