"""The view of published tables: the list, one table with its figures, a rerun, a table added."""

import pytest
from PySide6.QtCore import QSettings, Qt

from annotate.evaluation.tables.published import built_in, read_table
from gui.plugins.museum.view import MuseumView
from gui.widgets.file_dialog import FileDialogs
from tests.annotate.datasets.layouts import put
from tests.plugins.museum.test_museum import MINE, PAGE, WORDS

CLICK = Qt.MouseButton.LeftButton


class ChosenFiles(FileDialogs):
    """Dialogs that choose the answer of the test at once."""

    answer = ""

    def open(self, title, kinds, chosen):
        chosen(self.answer)

    def open_folder(self, title, chosen):
        chosen(self.answer)


@pytest.fixture
def files(tmp_path):
    return ChosenFiles(None, QSettings(str(tmp_path / "set.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def view(qtbot, files):
    made = MuseumView(files)
    qtbot.addWidget(made)
    made.resize(1100, 700)
    made.show()
    qtbot.waitExposed(made)
    assert made.open()
    yield made
    made.close_down()


def cell(view, row, column):
    return view.sheet.figures.item(row, column).text()


def test_every_table_is_listed_under_its_paper_with_its_status(view):
    assert set(view.list.ids()) == {each.id for each in built_in()}
    assert "data not to be had" in view.words.text()


def test_a_table_that_was_run_shows_published_and_own_figures(view):
    view.list.choose("kreuzer-7.4")
    assert view.table.id == "kreuzer-7.4"
    assert "→" in cell(view, 0, 0)
    assert "Measured" in view.sheet.said.text()
    assert "Kreuzer" in view.sheet.cite.text()


def test_a_table_without_figures_of_pagelet_cannot_be_run(view):
    view.list.choose("gottron-7.2")
    assert not view.run_folder.isEnabled()
    view.list.choose("gottron-B.5")
    assert view.run_folder.isEnabled()


def test_a_table_of_the_user_is_added_run_and_kept(view, files, qtbot, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MINE, "utf-8")
    pages = put(tmp_path / "news", {"one.html": PAGE, "one.txt": WORDS})
    files.answer = str(path)
    qtbot.mouseClick(view.add, CLICK)
    assert view.table.id == "mine-2"
    assert cell(view, 0, 0) == ".500"
    files.answer = str(pages)
    qtbot.mouseClick(view.run_folder, CLICK)
    assert view.is_busy
    assert view.stop_run.isVisible()
    qtbot.waitUntil(lambda: not view.is_busy, timeout=60_000)
    assert cell(view, 0, 0) == ".500 → .667\n+.167"
    assert "differs" in view.sheet.status.text().lower()
    qtbot.mouseClick(view.keep, CLICK)
    assert not view.keep.isVisible()
    assert read_table(path).measured.pages == 1
    again = MuseumView(files)
    qtbot.addWidget(again)
    again.open()
    assert "mine-2" in again.list.ids()


def test_a_file_that_is_no_table_is_reported_and_not_added(view, files, qtbot, tmp_path):
    files.answer = str(tmp_path / "none.toml")
    (tmp_path / "none.toml").write_text("id = 3", "utf-8")
    with qtbot.waitSignal(view.said) as said:
        qtbot.mouseClick(view.add, CLICK)
    assert "none.toml" in said.args[0]
    assert set(view.list.ids()) == {each.id for each in built_in()}


def test_pages_of_another_data_set_are_refused_with_a_message(view, files, qtbot, tmp_path):
    files.answer = str(put(tmp_path / "news", {"one.html": PAGE, "one.txt": WORDS}))
    view.list.choose("kreuzer-7.5")
    with qtbot.waitSignal(view.said, timeout=60_000) as said:
        qtbot.mouseClick(view.run_folder, CLICK)
    assert "popular pages" in said.args[0]
