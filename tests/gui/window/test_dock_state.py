"""Stored arrangements with other panels shown: as Qt itself stores and restores them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTextEdit

from gui.window.dock_state import with_shown


@pytest.fixture
def framed(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QTextEdit())
    docks = {}
    for name in ("Dock", "DockTwo", "Höhe", "Below"):
        docks[name] = dock = QDockWidget(name)
        dock.setObjectName(name)
        dock.setWidget(QTextEdit())
        is_below = name == "Below"
        area = Qt.DockWidgetArea.BottomDockWidgetArea if is_below else Qt.DockWidgetArea(1)
        window.addDockWidget(area, dock)
    window.tabifyDockWidget(docks["Dock"], docks["DockTwo"])
    docks["Below"].hide()
    window.resize(900, 700)
    window.show()
    return window, docks


def shown(docks):
    return {name for name, dock in docks.items() if not dock.isHidden()}


@pytest.mark.parametrize("wanted", [set(), {"Dock"}, {"DockTwo", "Below"}, {"Höhe", "Dock"}])
def test_qt_shows_exactly_the_panels_asked_for(framed, wanted):
    window, docks = framed
    state = with_shown(window.saveState(), {name: name in wanted for name in docks})
    assert window.restoreState(state)
    assert shown(docks) == wanted
    assert window.tabifiedDockWidgets(docks["Dock"]) in ([docks["DockTwo"]], [])


def test_shown_or_unknown_panels_stay_unchanged(framed):
    window, docks = framed
    state = window.saveState()
    now = {name: not dock.isHidden() for name, dock in docks.items()}
    assert with_shown(state, {**now, "Elsewhere": True}) == state


def test_a_floating_panel_keeps_its_box(framed):
    window, docks = framed
    docks["Höhe"].setFloating(True)
    box = docks["Höhe"].geometry()
    state = with_shown(window.saveState(), {"Höhe": False})
    window.restoreState(with_shown(state, {"Höhe": True}))
    assert docks["Höhe"].isFloating()
    assert docks["Höhe"].geometry() == box
