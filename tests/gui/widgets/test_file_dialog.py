"""File dialogs do not open the files they list."""

import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QFileSystemModel, QWidget

from gui.widgets.file_dialog import file_dialog
from tests.opened_files import watched
from tests.pulse import Pulse

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="watches files as on Linux")

NAMES = ["marks.db", "marks.pagelet", "marks.pagelet-journal", "page.html", "plain"]


@pytest.fixture
def folder(tmp_path):
    for name in NAMES:
        (tmp_path / name).write_text("words")
    return tmp_path


@pytest.fixture
def parent(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    return made


def listed(dialog, folder):
    """Return the names that a dialog shows, once Qt's thread has read them."""
    model = dialog.findChild(QFileSystemModel)
    index = model.index(str(folder))
    rows = [model.index(k, 0, index) for k in range(model.rowCount(index))]
    return sorted(model.fileName(row) for row in rows if model.type(row))


def opened_by(dialog, folder, qtbot):
    with watched(folder) as files:
        dialog.setDirectory(str(folder))
        dialog.open()
        qtbot.waitUntil(lambda: listed(dialog, folder) == NAMES)
        dialog.selectFile("page.html")
        Pulse().wait(qtbot, 5)
        return sorted(set(files.names))


@pytest.mark.parametrize("mode", [QFileDialog.FileMode.AnyFile, QFileDialog.FileMode.ExistingFile])
def test_a_dialog_opens_none_of_the_files_it_lists(parent, folder, qtbot, mode):
    dialog = file_dialog(parent, "Open a page")
    dialog.setFileMode(mode)
    assert opened_by(dialog, folder, qtbot) == []


def test_a_plain_qt_dialog_opens_files_of_unknown_types(parent, folder, qtbot):
    """Show that the test above can fail.  Of which names Qt knows the type, such as `page.html`,
    depends on the MIME database of the system: it does not open files it knows by name."""
    dialog = QFileDialog(parent, "Open a page")
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    with watched(folder) as files:
        dialog.setDirectory(str(folder))
        dialog.open()
        qtbot.waitUntil(lambda: set(files.names) >= {"marks.pagelet", "plain"}, timeout=20_000)


def test_a_dialog_shows_the_types_of_folders_and_files(parent, folder, qtbot):
    (folder / "inner").mkdir()
    dialog = file_dialog(parent, "Open a page", str(folder))
    dialog.open()
    model = dialog.findChild(QFileSystemModel)
    qtbot.waitUntil(lambda: bool(model.type(model.index(str(folder / "inner")))))
    assert model.type(model.index(str(folder / "inner"))) == "Folder"
    assert model.type(model.index(str(folder / "page.html"))) == "html file"
    assert Path(dialog.directory().path()) == folder


def test_a_window_closes_while_its_dialog_reads_a_long_folder(qtbot, tmp_path):
    for k in range(3000):
        (tmp_path / f"{k}.html").touch()
    for beats in (0, 1, 4, 12):
        window = QWidget()
        file_dialog(window, "Open a page", str(tmp_path)).open()
        Pulse(5).wait(qtbot, beats)
        window.deleteLater()
        with qtbot.waitSignal(window.destroyed, timeout=5000):
            pass


def test_every_file_dialog_is_made_by_the_same_function():
    root = Path(__file__).resolve().parents[3] / "gui"
    own = [
        path.name
        for path in root.rglob("*.py")
        if "QFileDialog(" in path.read_text() or "QFileDialog.get" in path.read_text()
    ]
    assert own == ["file_dialog.py"]
