"""The whole window on a live page, by mouse and key."""

import pytest
from PySide6.QtCore import Qt

from algorithms.figures.figure import GOLD
from annotate.evaluation.tables.method_colors import GOLD_COLORS
from annotate.marks.gold import MAIN
from gui.plugins.figure.panel import FigureDock
from gui.widgets.theme import theme_of
from tests.gui.calm import is_seen, page_share
from tests.gui.window.test_window import PAGE  # noqa: F401
from tests.hand import hand_in_window

pytestmark = pytest.mark.web
hand = hand_in_window


@pytest.mark.parametrize(
    ("size", "least", "most"),
    [((1440, 900), 130, 200), pytest.param((1500, 950), 150, 200, marks=pytest.mark.slow)],
)
def test_the_figure_panel_opens_at_a_fitting_height_and_keeps_a_changed_one(
    window, hand, qtbot, size, least, most
):
    window.resize(*size)
    hand.open(
        "<title>Ferry</title><p>The ferry went back to the island this morning.</p>", "f.html"
    )
    hand.session.layers.set_current_layer("accb")
    dock = window.panel(FigureDock)
    qtbot.keyClick(window, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: dock.isVisible() and least <= dock.height() <= most, timeout=60_000)
    qtbot.waitUntil(lambda: dock.figure is not None and not dock.is_busy, timeout=60_000)
    opened = dock.height()
    assert least <= opened <= most
    assert window.workbench.canvas.height() > 240
    window.resizeDocks([dock], [opened + 60], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: dock.height() == opened + 60)
    for _ in range(2):
        qtbot.keyClick(window, Qt.Key.Key_F4)
    assert dock.height() == opened + 60


def test_in_a_narrow_window_the_figure_is_a_tab_beside_the_page(window, hand, qtbot):
    window.resize(1100, 700)
    hand.session.layers.set_current_layer("accb")
    dock, canvas = window.panel(FigureDock), window.workbench.canvas
    qtbot.waitUntil(lambda: window.width() == 1100)
    before = canvas.height()
    qtbot.keyClick(window, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: is_seen(dock) and dock.height() > 400, timeout=60_000)
    qtbot.waitUntil(lambda: canvas.height() == before, timeout=20_000)
    qtbot.waitUntil(lambda: page_share(window) > 0.5, timeout=60_000)
    qtbot.keyClick(window, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: page_share(window) >= 0.6, timeout=60_000)


def test_the_figure_draws_gold_in_the_colour_of_gold(window, hand, qtbot):
    hand.session.layers.set_current_layer("accb")
    dock = window.panel(FigureDock)
    dock.show()
    qtbot.waitUntil(lambda: dock.plot is not None, timeout=60_000)
    assert dock.plot._ink(GOLD, theme_of(dock)) == GOLD_COLORS[MAIN]
