"""The start page: recent folders and workspaces with their progress, by mouse and keys."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QLabel, QPushButton

from annotate.marks import edits
from annotate.marks.gold import Target
from annotate.workspace.workspace import Workspace
from engine.web.view import PageView
from gui.core.last_opened import last_opened
from gui.core.workbench import Workbench
from gui.features.palette.feature import Palette
from gui.page.canvas import PageCanvas
from gui.state.session import Session
from gui.widgets.empty_state import EmptyState
from gui.window.window import Window
from tests.hand import Hand

pytestmark = pytest.mark.web

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def begin(qtbot, tmp_path):
    """Return a function that starts the program on a named workspace with the same settings."""
    windows = []

    def start(name):
        for window in windows:
            window.close()
            window.close_down()
        workspace = Workspace.open(tmp_path / f"{name}.pagelet")
        workbench = Workbench(Session(), workspace, PageCanvas(PageView()))
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        windows[:] = [Window(workbench, settings)]
        windows[0].resize(1100, 700)
        windows[0].show()
        qtbot.addWidget(windows[0])
        return windows[0]

    yield start
    for window in windows:
        window.close_down()


def texts(window):
    """Return the texts of the start page outside of its buttons."""
    return {label.text() for label in window.empty.findChildren(QLabel) if label.isVisible()}


def offered(window):
    """Return the buttons that open something again, by their path."""
    buttons = window.empty.findChildren(QPushButton)
    return {b.toolTip().splitlines()[0]: b for b in buttons if b.toolTip() and b.isVisible()}


@pytest.mark.slow
def test_recent_folders_and_workspaces_show_progress_or_that_they_are_missing(
    begin, qtbot, tmp_path
):
    folders = [tmp_path / "pages", tmp_path / "others"]
    for folder in folders:
        folder.mkdir()
        for name in ("a", "b"):
            (folder / f"{name}.html").write_text(f"<title>{name}</title><p>Tea is hot.")
    window = begin("first")
    hand = Hand(window.workbench, qtbot, tmp_path)
    hand.open_path(folders[0])
    target = Target(hand.row("p"))
    window.workbench.marking.change(
        "mark", lambda gold, nodes: edits.add_block(gold, nodes, [target], 1, "Content")
    )
    hand.open_path(folders[1])
    assert last_opened(window.workbench.workspace) == (folders[1], "html")
    window = begin("second")
    qtbot.waitExposed(window)
    first = str(tmp_path / "first.pagelet")
    assert set(offered(window)) == {*map(str, folders), first}
    assert {"1 of 2 pages marked", "0 of 2 pages marked", "1 of 4 pages marked"} <= texts(window)

    shutil.rmtree(folders[1])
    window = begin("second")
    qtbot.waitUntil(lambda: str(folders[1]) in offered(window))
    gone = offered(window)[str(folders[1])]
    assert not gone.isEnabled()
    assert "no longer there" in texts(window)
    (remove,) = (
        button
        for button in window.empty.findChildren(QPushButton)
        if button.accessibleName() == f"Remove {folders[1]} from this list"
    )
    remove.setFocus()
    qtbot.keyClick(remove, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: str(folders[1]) not in offered(window))
    assert str(folders[1]) not in window.dialogs.recent()

    qtbot.waitUntil(lambda: str(folders[0]) in offered(window))
    again = offered(window)[str(folders[0])]
    again.setFocus()
    with qtbot.waitSignal(window.session.open.page_changed, timeout=30_000):
        qtbot.keyClick(again, Qt.Key.Key_Return)
    assert [document.name for document in window.session.documents] == ["a.html", "b.html"]
    window.open_path(str(window.workbench.workspace.path))
    assert window.session.messages.message == "second.pagelet is the workspace of this window"


@pytest.mark.slow
def test_the_last_opened_folder_is_restored_unless_it_is_missing(begin, qtbot, tmp_path):
    folder = tmp_path / "set"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a.html").write_text("<title>a</title><p>Tea is hot.")
    window = begin("first")
    Hand(window.workbench, qtbot, tmp_path).open_path(folder)
    assert Path(window.workbench.workspace.last_page).parent != folder
    window = begin("first")
    assert last_opened(window.workbench.workspace) == (folder, "html")
    shutil.rmtree(folder)
    assert last_opened(window.workbench.workspace) is None


def test_the_menu_opens_recent_folders_and_the_palette_finds_it(begin, qtbot, tmp_path):
    folders = [tmp_path / "pages", tmp_path / "others"]
    for folder in folders:
        folder.mkdir()
        (folder / "a.html").write_text(f"<title>{folder.name}</title><p>Tea is hot.")
    window = begin("first")
    hand = Hand(window.workbench, qtbot, tmp_path)
    for folder in folders:
        hand.open_path(folder)
    menu = window.actions_["open-recent"].menu()
    menu.aboutToShow.emit()
    texts = [action.text().split("    ")[0] for action in menu.actions()]
    assert texts[:2] == [str(folders[1]), str(window.workbench.workspace.path)]
    (entry,) = (action for action in menu.actions() if action.text().startswith(str(folders[0])))
    assert "0 of 1 page marked" in entry.text()
    with qtbot.waitSignal(window.session.open.page_changed, timeout=30_000):
        entry.trigger()
    assert window.session.open.page.title == "pages"
    window.workbench.get(Palette).open()
    found = window.workbench.get(Palette).find("recent")
    assert "Open recent" in [each.text for each in found]


def test_the_start_page_offers_only_available_actions(qtbot):
    empty = EmptyState(None, {"open-sample", "open-file"})
    qtbot.addWidget(empty)
    assert [each.text() for each in empty.findChildren(QPushButton)] == [
        "Open the sample pages", "File…",
    ]  # fmt: skip
