"""The layout of docks around the page: sides, tabs and reset."""

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow

from gui.window.dock_layout import LOW, DockLayout


def dock(name, parent):
    made = QDockWidget(name, parent)
    made.setObjectName(name)
    made.setWidget(QLabel(name))
    return made


@pytest.fixture
def window(qtbot):
    """Return a window with three docks on each side, two below and two guests at the right."""
    made = QMainWindow()
    qtbot.addWidget(made)
    made.setCentralWidget(QLabel("page"))
    made.left = [dock(name, made) for name in ("a", "b", "c")]
    made.right = [dock(name, made) for name in ("d", "e", "f")]
    made.below = [dock(name, made) for name in ("g", "h")]
    made.guests = [dock(name, made) for name in ("i", "j")]
    made.panels = DockLayout(
        made, made.left, made.right, [(each, made.right[-1]) for each in made.guests], made.below
    )
    made.resize(1200, 1000)
    made.show()
    qtbot.waitExposed(made)
    return made


def tops(docks):
    return [each.geometry().top() for each in docks]


def test_docks_of_a_side_are_stacked_in_their_order(window):
    window.panels.set_sizes()
    for side in (window.left, window.right):
        assert all(each.isVisible() for each in side)
        assert tops(side) == sorted(set(tops(side)))
    assert window.left[0].geometry().right() < window.right[0].geometry().left()


def test_all_docks_but_guests_are_listed_and_shown_by_their_menu_entry(window, qtbot):
    listed = window.panels.listed
    assert listed == (*window.left, *window.right, *window.below)
    assert not any(each.isVisible() for each in window.below)
    for each in window.below:
        each.toggleViewAction().trigger()
    assert all(each.isVisible() for each in listed)


def test_panels_below_the_page_are_tabs_in_a_narrow_window(window):
    window.panels.fold()
    one, two = window.below
    for each in window.below:
        each.toggleViewAction().trigger()
    assert two in window.tabifiedDockWidgets(one)
    assert not two.visibleRegion().isEmpty()


def test_docks_of_the_right_side_are_tabs_only_in_a_low_window(window):
    window.panels.invite(window.guests[0], True)
    window.panels.fit(LOW - 1)
    first, *others = window.right
    assert set(window.tabifiedDockWidgets(first)) >= {*others, window.guests[0]}
    assert window.guests[1].isHidden()
    window.panels.fit(LOW)
    assert not set(window.tabifiedDockWidgets(first)) & set(others)
    assert window.guests[0] in window.tabifiedDockWidgets(others[-1])


def test_reset_returns_floating_and_hidden_panels_to_their_side(window):
    window.left[1].setFloating(True)
    window.right[2].hide()
    window.panels.reset()
    assert all(each.isVisible() and not each.isFloating() for each in window.panels.docks)
    for side in (window.left, window.right):
        assert tops(side) == sorted(set(tops(side)))


def test_a_panel_below_that_is_drawn_higher_takes_no_width_of_the_sides(window, qtbot):
    panel, sides = window.below[0], [window.left[0], window.right[0]]
    window.resize(2000, 1000)
    panel.toggleViewAction().trigger()
    QCoreApplication.processEvents()
    window.resizeDocks(sides, [230, 230], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: [each.width() for each in sides] == [230, 230])
    window.panels.page_room.keep()
    window.resizeDocks([panel], [450], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: panel.height() > 400)
    window.panels.page_room.keep()
    QCoreApplication.processEvents()
    assert [each.width() for each in sides] == [230, 230]
