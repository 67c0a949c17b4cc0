"""Opened files that are not pages: described in a banner, with one key for the next step."""

import json

import pytest
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt, QThreadPool, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from algorithms.own import method_files
from annotate.workspace.workspace import Workspace
from engine.web.view import PageView
from gui.core.last_opened import last_opened
from gui.core.navigation import LARGE
from gui.core.workbench import Workbench
from gui.features.pages.controller import PageMenu
from gui.features.pages.panel import ADDRESS, PagesDock
from gui.page.canvas import PageCanvas
from gui.state.session import Session
from gui.window.window import Window

pytestmark = pytest.mark.web

PAGE = "<!doctype html><style>body{margin:0}p{margin:0;width:300px;height:90px}</style><p>Tea</p>"


@pytest.fixture
def window(qtbot, tmp_path):
    workspace = Workspace.open(tmp_path / "marks.pagelet")
    workbench = Workbench(Session(), workspace, PageCanvas(PageView()))
    made = Window(workbench, QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    made.resize(1100, 700)
    made.show()
    qtbot.addWidget(made)
    yield made
    made.close()
    made.close_down()


@pytest.fixture
def put(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(300, 300), copy, data, left, none))


def press(window, key):
    QTest.keyClick(window.focusWidget(), key)


def test_a_banner_describes_a_dropped_file_that_is_no_page_and_escape_closes_it(window, put):
    drop(window, put("notes.html", '[{"a": 1}]'))
    banner = window.found.banner
    assert banner.text == "notes.html is JSON: a list of 1 object with the key a"
    assert (banner.isVisible(), window.session.documents) == (True, ())
    press(window, Qt.Key.Key_Escape)
    assert not banner.isVisible()


def test_enter_imports_foreign_marks_onto_the_open_page_and_undo_removes_them(window, put, qtbot):
    page = put("story.html", PAGE)
    coco = {
        "images": [{"id": 0, "file_name": "story.png", "width": 1366, "height": 768}],
        "annotations": [{"id": 1, "image_id": 0, "category_id": 1, "bbox": [0, 0, 300, 90]}],
        "categories": [{"id": 1, "name": "Article"}],
    }
    drop(window, put("boxes.txt", coco))
    assert "Open the page that was marked" in window.found.banner.text
    window.open_path(str(page))
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=30_000)
    assert "1 mark found: 1 taken" in window.found.banner.text
    assert window.session.open.gold.marks == ()
    window.found.banner.buttons[0].setFocus()
    press(window, Qt.Key.Key_Return)
    assert len(window.session.open.gold.marks) == 1
    assert not window.found.banner.isVisible()
    window.workbench.page_session.undo()
    assert window.session.open.gold.marks == ()


def test_enter_copies_the_command_that_crawls_a_list_of_addresses(window, put):
    path = put("list", "https://a.example/\nhttps://b.example/\n")
    drop(window, path)
    assert window.found.banner.text == "“list” is a list of addresses with 2 addresses"
    press(window, Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text() == f"pagelet crawl {path} --out FOLDER"


def test_the_banner_warns_before_the_code_of_a_method_runs(window, put, monkeypatch):
    monkeypatch.setenv(method_files.NAMED, "")
    path = put("mine.txt", "from algorithms.method import Method\nMETHOD = Method()\n")
    drop(window, path)
    assert "Its code runs on this computer" in window.found.banner.text
    assert not method_files.is_named(path)


def test_a_message_reports_that_only_the_first_of_several_dropped_files_opens(window, put):
    paths = [put("notes", "Tea."), put("more.txt", "Milk.")]
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(each)) for each in paths])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(300, 300), copy, data, left, none))
    assert window.found.banner.text.startswith("“notes” is text without markup")
    assert "only the first of 2 is opened" in window.session.messages.message


def test_a_broken_link_is_reported_with_its_target(window, tmp_path):
    (tmp_path / "tea.html").symlink_to(tmp_path / "gone.html")
    drop(window, tmp_path / "tea.html")
    assert window.session.messages.message.endswith("gone.html, which is not there")


def test_a_large_folder_is_read_in_the_background_unless_another_file_is_opened(
    window, put, tmp_path, qtbot
):
    folder = tmp_path / "large"
    folder.mkdir()
    for number in range(LARGE):
        (folder / f"{number}.html").write_text(PAGE)
    drop(window, folder)
    assert window.session.documents == ()
    qtbot.waitUntil(lambda: len(window.session.documents) == LARGE, timeout=20_000)
    drop(window, folder)
    drop(window, put("tea.html", PAGE))
    assert len(window.session.documents) == 1
    assert QThreadPool.globalInstance().waitForDone(20_000)  # the folder has been read nevertheless
    QApplication.processEvents()
    assert len(window.session.documents) == 1


def test_a_new_file_removes_the_buttons_of_the_banner_before(window, put):
    drop(window, put("list", "https://a.example/\n"))
    drop(window, put("notes.txt", "Tea is hot."))
    assert window.found.banner.buttons == []
    drop(window, put("tea.html", PAGE))
    assert not window.found.banner.isVisible()


MHTML = (
    'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="x"\r\n\r\n--x\r\n'
    f"Content-Type: text/html\r\nContent-Location: http://a.example/\r\n\r\n{PAGE}\r\n--x--\r\n"
)


def test_an_mhtml_file_opens_as_its_page_and_is_stored_as_last_opened(window, put, qtbot):
    path = put("story.mhtml", MHTML)
    drop(window, path)
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=30_000)
    assert window.session.open.document.home == "http://a.example/"
    assert last_opened(window.workbench.workspace) == (path, "html")
    assert not window.found.banner.isVisible()


def mirror(tmp_path):
    """Write a folder as a crawler leaves it: a page on top, one below, and a page of an error."""
    error = "<html><title>404 Not Found</title><h1>Not Found</h1></html>"
    files = {"a.html": PAGE, "deep/er/b.html": PAGE, "deep/pic.png.html": error}
    for name, text in files.items():
        (tmp_path / "mirror" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mirror" / name).write_text(text)
    return tmp_path / "mirror"


@pytest.mark.slow
def test_ticking_a_file_that_is_no_page_lists_it_and_is_stored_in_the_workspace(
    window, tmp_path, qtbot
):
    folder = mirror(tmp_path)
    window.open_path(str(folder))
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=30_000)
    assert [each.path for each in window.session.documents] == ["a.html", "deep/er/b.html"]
    pages = window.panel(PagesDock)
    last = pages.shown.index(2, 0)
    assert (last.data(), last.data(ADDRESS)) == ("deep/pic.png.html", "error page of a server")
    assert last.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked
    assert list(window.session.listed) == [0, 1]
    pages.view.setFocus()
    pages.view.setCurrentIndex(last)
    QTest.keyClick(pages.view, Qt.Key.Key_Space)
    qtbot.waitUntil(
        lambda: window.session.open.page is not None and len(window.session.documents) == 3,
        timeout=30_000,
    )
    assert window.session.open.document.path == "deep/pic.png.html"
    assert (window.session.left_out, list(window.session.listed)) == ((), [0, 1, 2])

    window.open_path(str(folder))  # as the next start does
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=30_000)
    assert window.session.open.document.path == "deep/pic.png.html"
    chosen = window.workbench.get(PageMenu)
    chosen.choose(2)
    assert (chosen.is_no_page, chosen.is_listed_no_page) == (True, True)
    chosen.switch_no_page()
    qtbot.waitUntil(lambda: window.session.open.page is not None, timeout=30_000)
    assert [each.path for each in window.session.documents] == ["a.html", "deep/er/b.html"]
    assert window.session.open.document.path == "a.html"
