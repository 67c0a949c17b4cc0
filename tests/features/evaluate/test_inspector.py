"""What a score in the table leads to: its page in Debug, and only such pages."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from gui.features.errors.state import ErrorWalk
from gui.features.evaluate.arrangement import score_band
from tests.features.evaluate.desk import DSC, make_desk

pytestmark = pytest.mark.web


@pytest.fixture
def window(new_window):
    """Return a new window: each test creates the view, which stays."""
    return new_window


@pytest.fixture
def desk(window, qtbot, tmp_path):
    return make_desk(window, qtbot, tmp_path / "pages")


def choose(desk, row, section, words):
    """Choose an entry of the menu of a right click on a cell."""
    at = desk.grid.visualRect(desk.model.index(row, section)).center()
    desk.grid.setCurrentIndex(desk.model.index(row, section))
    place = desk.grid.viewport().mapToGlobal(at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(at), place)
    QApplication.postEvent(desk.grid.viewport(), event)
    desk.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    entry = next(each for each in menu.actions() if each.text().replace("&", "") == words)
    menu.close()
    entry.trigger()


def bands(desk, section):
    column = desk.shown.columns[section]
    return {desk.shown.table.pages[page].name: score_band(desk.shown, page, column)
            for page in range(len(desk.shown.table.pages))}  # fmt: skip


def test_enter_on_a_score_opens_the_page_in_debug_whatever_view_was_last(desk):
    assert desk.window.tasks.current.name == "mark"
    column = desk.shown.columns[DSC]
    errs = [desk.shown.value(int(page), column) < 0.9 for page in desk.shown.order]
    row = errs.index(True)
    desk.grid.setCurrentIndex(desk.model.index(row, DSC))
    desk.press(Qt.Key.Key_Return)
    desk.wait_for_page(desk.listed()[row])
    assert desk.window.tasks.shown.name == "debug"
    assert desk.session.layers.current_layer == "dsc"
    walk = desk.session.get(ErrorWalk)
    desk.qtbot.waitUntil(lambda: walk.index == 0, timeout=20_000)


def test_a_right_click_lists_only_pages_with_such_a_score_or_all_others(desk):
    every, of = set(desk.listed()), bands(desk, DSC)
    here = of[desk.listed()[0]]
    alike = {name for name, band in of.items() if band == here}
    assert 0 < len(alike) < len(every)
    choose(desk, 0, DSC, "Only such pages")
    assert set(desk.listed()) == alike
    choose(desk, 0, DSC, "Not these")
    assert set(desk.listed()) == every - alike
    assert "Not these" in desk.bar.chips
    desk.bar.clear()
    assert set(desk.listed()) == every


def test_a_chip_takes_back_that_others_are_listed(desk):
    every = set(desk.listed())
    choose(desk, 0, DSC, "Not these")
    others = set(desk.listed())
    chip = desk.bar.findChild(type(desk.bar.more), "Chip")
    assert chip.accessibleName() == "Filter Not these: remove"
    chip.click()
    assert set(desk.listed()) == every - others
