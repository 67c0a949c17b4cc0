"""What a score in the table leads to: its page in Debug, only such pages, the inspector."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QImage
from PySide6.QtWidgets import QApplication, QLabel, QMenu

from algorithms.core.batch import RunStatus
from gui.features.errors.state import ErrorWalk
from gui.features.evaluate import cell_text
from gui.features.evaluate.arrangement import score_band
from gui.features.evaluate.grid import _MOST_SPARE
from gui.features.evaluate.inspector import WIDTH
from gui.features.evaluate.view import EvaluateView
from gui.pictures.error_drawing import in_words
from tests.features.evaluate.desk import BTE, DSC, LEFT, LQF, PLAIN, make_desk
from tests.features.evaluate.scored import failed, key_of
from tests.pulse import WorkPulse

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


@pytest.mark.slow
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


def test_a_right_click_lists_only_such_pages_or_all_others_and_a_chip_takes_it_back(desk):
    every, of = set(desk.listed()), bands(desk, DSC)
    here = of[desk.listed()[0]]
    alike = {name for name, band in of.items() if band == here}
    assert 0 < len(alike) < len(every)
    choose(desk, 0, DSC, "Only such pages")
    assert set(desk.listed()) == alike
    choose(desk, 0, DSC, "Not these")
    assert set(desk.listed()) == every - alike
    assert "Not these" in desk.bar.chips
    chips = desk.bar.findChildren(type(desk.bar.more), "Chip")
    next(c for c in chips if c.accessibleName() == "Filter Not these: remove").click()
    assert set(desk.listed()) == alike
    desk.bar.clear()
    assert set(desk.listed()) == every


def inspector(desk):
    return desk.table.inspection.inspector


def wait_for_picture(desk):
    """Return the words below the picture of the current cell."""
    pictures = desk.table.inspection.pictures
    desk.qtbot.waitUntil(lambda: not inspector(desk).picture.is_empty, timeout=60_000)
    assert not pictures.is_waiting
    return inspector(desk).words.text()


def shares_of(picture, *colors):
    """Return which shares of a picture are near each colour, laid over white or not."""
    image = (
        picture.findChild(QLabel).pixmap().toImage().convertToFormat(QImage.Format.Format_RGB888)
    )
    lines = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    pixels = lines[:, : image.width() * 3].reshape(-1, 3).astype(int)
    return [(np.abs(pixels - color).max(1) < 24).mean() for color in colors]


MISSING, TOO_MUCH = (0xC2, 0x4A, 0x00), (0x00, 0x67, 0xA6)


def test_arrows_move_the_inspector_and_its_words_are_those_of_debug(desk):
    values = [desk.shown.value(int(page), desk.shown.columns[DSC]) for page in desk.shown.order]
    lowest = values.index(min(values))
    name, title = desk.listed()[lowest], desk.shown.table.pages[int(desk.shown.order[lowest])].title
    desk.grid.setCurrentIndex(desk.model.index(lowest, BTE))
    desk.press(Qt.Key.Key_Right)
    desk.qtbot.waitUntil(lambda: inspector(desk).score.text().startswith("DSC"))
    words = wait_for_picture(desk)
    missing, more = shares_of(inspector(desk).picture, MISSING, TOO_MUCH)
    assert (missing > 0, more > 0) == ("missing" in words, "too much" in words)
    assert inspector(desk).methods.currentRow() == DSC
    spoken = desk.model.data(desk.grid.currentIndex(), Qt.ItemDataRole.AccessibleTextRole)
    measure = desk.shown.measure_of(desk.shown.columns[DSC]).name
    said = cell_text.words(desk.shown, int(desk.shown.order[lowest]), desk.shown.columns[DSC])
    assert spoken == f"DSC on {title}, {measure} {said}, lowest"
    desk.press(Qt.Key.Key_Return)
    desk.wait_for_page(name)
    assert desk.window.tasks.shown.name == "debug"
    walk = desk.session.get(ErrorWalk)
    desk.qtbot.waitUntil(lambda: bool(walk.items), timeout=20_000)
    assert words == in_words(walk.items)
    amounts = [sum(each.amount for each in walk.items if str(each.kind) == kind)
               for kind in ("missing", "superfluous")]  # fmt: skip
    numbers = [int(number) for number in re.findall(r"\d+", words)]
    assert numbers == [round(amount) for amount in amounts if amount]


@pytest.mark.slow
def test_columns_fill_a_very_wide_window(desk):
    desk.window.resize(3840, 2130)
    desk.qtbot.waitUntil(lambda: desk.grid.width() >= 3000)
    heads = desk.grid.heads
    filled = desk.grid.pages.width() + heads.length()
    most = (1 + _MOST_SPARE) * sum(map(heads.width_for, desk.shown.columns))
    assert filled >= min(0.95 * desk.grid.width(), desk.grid.pages.width() + 0.95 * most)
    assert not desk.grid.horizontalScrollBar().isVisible()


def test_a_click_moves_the_inspector_and_opens_a_page_where_that_is_folded(desk):
    shown, table = inspector(desk), desk.table
    desk.qtbot.keyClicks(desk.grid, "mi")  # a title begins so: "i" is no key then
    page = desk.shown.table.pages[int(desk.shown.order[desk.grid.currentIndex().row()])]
    assert page.title.casefold().startswith("mi")
    assert shown.isVisible()
    assert shown.width() == 360
    desk.click_cell(2, LQF)
    page = desk.shown.table.pages[int(desk.shown.order[2])]
    desk.qtbot.waitUntil(lambda: shown.title.text() == page.title)
    assert desk.main_area.shows(EvaluateView)
    desk.qtbot.waitUntil(lambda: not desk.grid.is_searched)
    for key in (Qt.Key.Key_I, Qt.Key.Key_F8, Qt.Key.Key_F8):
        desk.press(key)
    assert shown.isHidden()  # it stays so
    desk.press(Qt.Key.Key_I)
    assert shown.isVisible()
    desk.window.resize(1100, 700)
    desk.qtbot.waitUntil(lambda: table.width() <= 1100)
    assert shown.isHidden()
    desk.window.resize(1600, 1000)
    desk.qtbot.waitUntil(lambda: table.width() >= 1300)
    assert shown.isVisible()
    desk.press(Qt.Key.Key_I)
    assert desk.grid.hasFocus()
    desk.click_cell(1, DSC)
    desk.wait_for_page(desk.listed()[1])


def test_a_method_and_a_page_chosen_in_the_inspector_move_the_table(desk):
    desk.grid.setCurrentIndex(desk.model.index(0, PLAIN))
    shown = inspector(desk)
    desk.qtbot.waitUntil(lambda: shown.methods.count() == desk.model.columnCount())
    place = shown.methods.visualItemRect(shown.methods.item(BTE)).center()
    desk.qtbot.mouseClick(shown.methods.viewport(), LEFT, pos=place)
    assert desk.grid.currentIndex().column() == BTE
    desk.qtbot.waitUntil(lambda: shown.strip_head.text().startswith("BTE on all pages"))
    values = [desk.shown.value(int(page), desk.shown.columns[BTE]) for page in desk.shown.order]
    place = QPoint(round(shown.strip.place_of(len(values) - 1)), 5)
    desk.qtbot.mouseClick(shown.strip, LEFT, pos=place)
    assert values[desk.grid.currentIndex().row()] == max(values)
    desk.qtbot.waitUntil(lambda: shown.strip.lit == len(values) - 1)
    desk.qtbot.keyClick(shown.strip, Qt.Key.Key_Left)
    assert values[desk.grid.currentIndex().row()] == sorted(values)[-2]
    rows = failed(desk.listed()[0], "dsc", RunStatus.FAILED, "it ran out of words")
    desk.table.running.page_done.emit(key_of(desk.listed()[0]), rows)
    desk.grid.setCurrentIndex(desk.model.index(0, DSC))
    desk.qtbot.waitUntil(lambda: shown.words.text() == "Failed: it ran out of words")
    assert shown.picture.is_empty


@pytest.mark.slow
def test_held_arrows_draw_the_last_score_and_block_nothing(desk):
    pictures = desk.table.inspection.pictures
    desk.grid.setFocus()
    desk.grid.setCurrentIndex(desk.model.index(0, PLAIN))
    pulse = WorkPulse()
    for _ in range(2):
        for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up):
            desk.press(key)
            QApplication.processEvents()
    words = wait_for_picture(desk)
    assert pulse.longest < 0.05  # of this thread's own time: the machine may be busy
    assert pictures.count <= 2  # on a busy machine one begins between two keys
    page = desk.shown.table.pages[int(desk.shown.order[2])]
    spoken = inspector(desk).picture.accessibleName()
    assert spoken == f"Picture of {page.title}, {inspector(desk).score.text()}: {words}"
    assert inspector(desk).score.text().startswith("DSC")


def test_names_of_methods_are_whole_beside_their_bars(desk, monkeypatch):
    shown = inspector(desk)
    desk.grid.setCurrentIndex(desk.model.index(0, BTE))
    desk.qtbot.waitUntil(lambda: bool(shown.columns))
    metrics, bars = shown.methods.fontMetrics(), shown.methods.itemDelegate()
    names = ["Boilerpipe NumWords", *("BTE" for _ in shown.columns[1:])]
    monkeypatch.setattr(cell_text, "title", lambda _, each: names[shown.columns.index(each)])
    room = bars.name_width(WIDTH - 40, metrics) - 10
    assert room >= max(metrics.horizontalAdvance(name) for name in names)
    assert bars.name_width(WIDTH - 40, metrics) <= 0.6 * (WIDTH - 40)
