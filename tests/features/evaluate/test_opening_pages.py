"""Pages opened from the table of scores, and the return to it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from gui.features.errors.state import ErrorWalk
from gui.features.evaluate.filtering import ComparedPair
from gui.features.evaluate.view import EvaluateView
from gui.features.layers.controller import ShownLayers
from gui.features.layers.panel import LayersDock
from tests.features.evaluate.desk import BTE, CONTROL, DSC, LEFT, PLAIN, WEBTERRAIN, make_desk
from tests.features.evaluate.scored import STORIES

pytestmark = pytest.mark.web


@pytest.fixture
def window(new_window):
    """Return a new window: each test creates the view, which stays."""
    return new_window


@pytest.fixture
def desk(window, qtbot, tmp_path):
    return make_desk(window, qtbot, tmp_path / "pages")


def test_a_double_click_on_a_cell_opens_its_page_with_its_method_and_gold(desk):
    row = desk.listed().index("owl.html")
    desk.open_cell(row, BTE)
    assert not desk.main_area.shows(EvaluateView)
    desk.wait_for_page("owl.html")
    assert desk.drawn() == {"gold-main", "bte"}
    assert desk.session.layers.current_layer == "bte"


def test_a_page_opened_from_a_cell_shows_errors_and_a_key_restores_the_layers(desk):
    before = desk.session.layers.all
    desk.open_cell(1, 1)
    desk.qtbot.waitUntil(
        lambda: (
            desk.session.get(ErrorWalk).is_shown
            and (
                desk.session.get(ErrorWalk).index == 0 or bool(desk.session.get(ErrorWalk).trouble)
            )
        ),
        timeout=20_000,
    )
    assert desk.drawn() != {layer.key for layer in before if layer.visible}
    assert not desk.window.panel(LayersDock).back.isHidden()  # Debug shows no such panel
    desk.window.workbench.get(ShownLayers).keep()
    remaining = desk.window.workbench.workspace.setting("layers")
    assert [each["visible"] for each in remaining] == [layer.visible for layer in before]
    desk.window.workbench.canvas.view.setFocus()
    desk.press(Qt.Key.Key_Escape, Qt.KeyboardModifier.ShiftModifier)
    assert desk.session.layers.all == before
    assert desk.window.panel(LayersDock).back.isHidden()


@pytest.mark.slow
def test_enter_on_a_difference_opens_the_page_with_both_methods(desk):
    desk.grid.compare(ComparedPair(BTE, DSC))
    desk.grid.setFocus()
    first = desk.listed()[0]
    desk.press(Qt.Key.Key_Return)
    desk.wait_for_page(first)
    assert desk.drawn() == {"gold-main", "bte", "dsc"}


@pytest.mark.slow
def test_a_cell_of_a_segmenter_opens_the_page_with_the_gold_blocks(desk):
    desk.open_cell(0, WEBTERRAIN)
    desk.wait_for_page(desk.listed()[0])
    assert desk.drawn() == {"gold-1", "gold-2", "webterrain"}


@pytest.mark.slow
def test_the_table_keeps_the_widths_of_panels_and_fits_the_smallest_window(desk, qtbot):
    window = desk.window
    desk.press(Qt.Key.Key_F8)
    pages, _, layers = window.panels.docks
    window.resizeDocks([pages, layers], [300, 420], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: (pages.width(), layers.width()) == (300, 420))
    for _ in range(2):
        desk.press(Qt.Key.Key_F8)
        assert desk.table.isVisible()
        desk.press(Qt.Key.Key_F8)
    assert (pages.width(), layers.width()) == (300, 420)
    desk.press(Qt.Key.Key_F8)
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: desk.table.width() <= window.width())
    for part in (desk.bar.more, desk.bar.compare, desk.table.run_bar.more):
        right = part.mapTo(window, part.rect().bottomRight()).x()
        assert part.isVisible()
        assert right < window.width()


def test_leaving_the_view_keeps_its_sorting_filter_and_position(desk):
    window = desk.window
    panels = [dock.isVisible() for dock in window.panels.docks]
    assert not any(panels)
    window.resize(1000, 520)
    desk.click_head(PLAIN)
    desk.bar.high.setValue(0.95)
    desk.grid.setCurrentIndex(desk.model.index(3, DSC))
    before = desk.listed(), desk.grid.verticalScrollBar().value(), desk.grid.currentIndex().row()
    desk.press(Qt.Key.Key_F8)
    assert window.main_area.stack.currentWidget() is window.workbench.canvas
    assert all(dock.isVisible() for dock in window.panels.docks)
    desk.press(Qt.Key.Key_F8)
    after = desk.listed(), desk.grid.verticalScrollBar().value(), desk.grid.currentIndex().row()
    assert after == before
    assert desk.grid.hasFocus()


def test_escape_first_clears_the_filter_and_then_leaves_the_view(desk):
    desk.press(Qt.Key.Key_F, CONTROL)
    desk.qtbot.keyClicks(QApplication.focusWidget(), "owl")
    desk.press(Qt.Key.Key_Escape)
    assert len(desk.listed()) == len(STORIES)
    assert desk.grid.hasFocus()
    desk.press(Qt.Key.Key_Escape)
    assert not desk.main_area.shows(EvaluateView)


def test_a_page_opened_by_its_title_leaves_the_layers_unchanged(desk):
    drawn = desk.drawn()
    pages = desk.grid.pages
    position = QPoint(40, pages.sectionViewportPosition(3) + 5)
    desk.qtbot.mouseClick(pages.viewport(), LEFT, pos=position)
    desk.wait_for_page(desk.listed()[3])
    assert desk.drawn() == drawn
