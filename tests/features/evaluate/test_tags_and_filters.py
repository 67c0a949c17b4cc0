"""Pages get tags, and filters names: by real events, undone, kept in the workspace."""

import csv
import io

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from annotate.workspace.page_tags import tags_of
from gui.features.evaluate.saved_filters import stored_filters
from gui.features.pages.panel import PagesDock
from tests.features.evaluate.desk import CONTROL, DSC, LEFT, make_desk
from tests.features.evaluate.test_inspector import choose

pytestmark = pytest.mark.web


@pytest.fixture
def window(new_window):
    """Return a new window: each test creates the view, which stays."""
    return new_window


@pytest.fixture
def desk(window, qtbot, tmp_path):
    return make_desk(window, qtbot, tmp_path / "pages")


def answer(desk, words):
    """Type a text into the field that asks, and take it."""
    field = desk.main_area.field
    assert field.isVisible()
    desk.qtbot.keyClicks(field.line, words)
    desk.qtbot.keyClick(field.line, Qt.Key.Key_Return)


def stored(desk):
    return [*tags_of(desk.window.workbench.workspace).values()]


def test_selected_pages_get_a_tag_that_filters_them_and_is_undone(desk):
    every, first = desk.listed(), desk.listed()[:2]
    desk.grid.setCurrentIndex(desk.model.index(0, DSC))
    desk.press(Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    desk.window.actions_["evaluate-tag"].trigger()
    answer(desk, "hard case")
    assert stored(desk) == [("hard case",)] * 2
    choose(desk, 1, DSC, "Tag the pages…")
    answer(desk, "table")
    assert stored(desk) == [("hard case",), ("hard case", "table")]
    desk.bar.tag.setFocus()
    desk.qtbot.keyClicks(desk.bar.tag, "hard")
    desk.bar.tag.activated.emit(desk.bar.tag.currentIndex())
    assert desk.listed() == first
    assert desk.bar.chips == ("Tag hard case",)
    rows = [*csv.reader(io.StringIO(desk.grid.as_csv()))]
    assert [row[:2] for row in rows] == [
        ["page", "tags"], [first[0], "hard case"], [first[1], "hard case, table"],
    ]  # fmt: skip
    dock = desk.window.panel(PagesDock)
    dock.filter.setText("table")
    assert len(dock.titles()) == 1
    dock.filter.clear()
    desk.grid.setFocus()
    for _ in range(2):
        desk.press(Qt.Key.Key_Z, CONTROL)
    assert stored(desk) == []
    assert desk.listed() == every  # nobody has the tag: the filter is gone
    assert desk.grid.as_csv().startswith("page,plain")
    desk.press(Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert stored(desk) == [("hard case",)] * 2


def test_filters_are_saved_by_name_renamed_and_removed_with_undo(desk):
    bar, saved = desk.bar, desk.bar.saved
    names = lambda: [*stored_filters(desk.window.workbench.workspace)]  # noqa: E731
    choose(desk, 0, DSC, "Only such pages")
    alike, chips = desk.listed(), bar.chips
    desk.qtbot.mouseClick(bar.more, LEFT)
    assert saved.list.isHidden()
    desk.qtbot.keyClicks(saved.name, "DSC as here")
    save, rename, remove = saved.buttons
    desk.qtbot.mouseClick(save, LEFT)
    assert names() == ["DSC as here"]
    bar.clear()
    assert desk.listed() != alike
    place = saved.list.visualItemRect(saved.list.item(0)).center()
    desk.qtbot.mouseClick(saved.list.viewport(), LEFT, pos=place)
    assert (desk.listed(), bar.chips) == (alike, chips)
    saved.name.selectAll()
    desk.qtbot.keyClicks(saved.name, "alike")
    desk.qtbot.mouseClick(rename, LEFT)
    assert names() == ["alike"]
    desk.qtbot.mouseClick(remove, LEFT)
    assert names() == []
    QApplication.activePopupWidget().close()
    for left in (["alike"], ["DSC as here"], []):
        desk.press(Qt.Key.Key_Z, CONTROL)
        assert names() == left
