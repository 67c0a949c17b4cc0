"""The whole window on a live page, by mouse and key."""

import pytest
from PySide6.QtCore import Qt

from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from gui.plugins.figure.panel import FigureDock
from gui.plugins.team_work.team.panel import CommentsDock

pytestmark = pytest.mark.web


def test_comments_are_a_tab_of_layers_in_a_low_window_else_of_details(window, qtbot):
    keys = Qt.KeyboardModifier
    layers, details, comments = (
        window.panel(LayersDock),
        window.panel(DetailsDock),
        window.panel(CommentsDock),
    )
    details.show()
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: details in window.tabifiedDockWidgets(layers))
    qtbot.keyClick(window, Qt.Key.Key_N, keys.AltModifier | keys.ShiftModifier)
    assert comments in window.tabifiedDockWidgets(layers)
    qtbot.waitUntil(lambda: not comments.visibleRegion().isEmpty())
    window.resize(1300, 850)
    qtbot.waitUntil(lambda: details not in window.tabifiedDockWidgets(layers))
    assert comments in window.tabifiedDockWidgets(details)
    comments.raise_()
    qtbot.waitUntil(lambda: not comments.visibleRegion().isEmpty())
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: comments in window.tabifiedDockWidgets(layers))
    qtbot.waitUntil(lambda: not comments.visibleRegion().isEmpty())
    assert window.panel(FigureDock).isHidden()
