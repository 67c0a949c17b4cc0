"""The results of the table as web pages: written from the window, read by mouse and keys."""

import shutil

import pytest
from PySide6.QtCore import Qt, QThreadPool
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit

from annotate.evaluation.bundle.bundle import MOST_BYTES
from gui.cli.main import main
from gui.features.evaluate.controller import BundleWriter
from gui.features.evaluate.view import EvaluateView
from gui.window.status_bar import StatusBar
from resources import path
from tests.hand import Hand
from tests.reader import read_in_browser

pytestmark = [pytest.mark.web, pytest.mark.long]

LEFT = Qt.MouseButton.LeftButton
PAGES = ("forum", "news")
METHODS = ("bte", "webterrain")
PATIENCE_MS = 180_000
TITLE = "document.querySelector('h1').innerText"
LAYERS = "[...document.querySelectorAll('.stage g')].map(g => g.getBoundingClientRect().width > 0)"


@pytest.fixture
def pages(tmp_path, monkeypatch):
    """Return a folder of two sample pages with gold and without snapshots."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in PAGES:
        for ending in ("html", "gold.json"):
            shutil.copy(path("corpus") / name / f"index.{ending}", folder / f"{name}.{ending}")
    return folder


def begun(window, qtbot, folder):
    """Press Alt+B, enter the name of a folder and save."""
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    grid = window.main_area.get(EvaluateView).grid
    qtbot.keyClick(grid, Qt.Key.Key_B, Qt.KeyboardModifier.AltModifier)
    dialog = window.findChild(QFileDialog)
    dialog.findChild(QLineEdit).setText(str(folder))
    button = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Save)
    qtbot.mouseClick(button, LEFT)


def saved(window, qtbot, folder):
    """Write a bundle, wait for its pages and return the message."""
    begun(window, qtbot, folder)
    qtbot.waitUntil(lambda: not window.workbench.get(BundleWriter).is_busy, timeout=PATIENCE_MS)
    return window.session.messages.message


def test_a_bundle_of_the_open_pages_is_written_and_browsed(window, qtbot, pages, tmp_path):
    session, table = window.session, window.main_area.get(EvaluateView)
    session.layers.set_layers(tuple(layer for layer in session.layers.all if layer.is_gold))
    for key in METHODS:
        session.layers.add_method(key)
    Hand(window.workbench, qtbot, tmp_path).open_path(pages)
    qtbot.keyClick(window, Qt.Key.Key_F8)
    qtbot.mouseClick(table.placeholder.button("Run"), LEFT)
    qtbot.waitUntil(lambda: not table.running.is_running, timeout=PATIENCE_MS)
    out = tmp_path / "out"
    assert saved(window, qtbot, out) == "saved out: open index.html"

    for page in (out / "pages").glob("*.html"):
        assert page.stat().st_size + page.with_suffix(".jpg").stat().st_size < 200_000
        assert page.with_suffix(".jpg").stat().st_size <= MOST_BYTES
    with read_in_browser(out / "index.html", qtbot, (1100, 700)) as reader:
        assert reader.ask(TITLE) == "pages"
        reader.click("document.querySelector('a[href=\"methods/bte.html\"]')")
        reader.wait(f"{TITLE} === 'BTE'")
        reader.click("document.querySelector('tbody a')")
        reader.wait("location.pathname.includes('/pages/')")
        reader.wait("document.querySelector('.stage img').naturalWidth > 0")
        before = reader.ask(LAYERS)
        assert any(before)
        reader.press(Qt.Key.Key_1)
        reader.wait(f"{LAYERS}[0] !== {str(before[0]).lower()}")
        reader.click("document.querySelectorAll('.layer input')[0]")
        reader.wait(f"{LAYERS}[0] === {str(before[0]).lower()}")
        here = reader.ask("location.pathname")
        other = Qt.Key.Key_Right if "0000-" in here else Qt.Key.Key_Left
        reader.press(other)
        reader.wait(f"location.pathname !== {here!r} && document.readyState === 'complete'")
        reader.press(Qt.Key.Key_Escape)
        reader.wait("location.pathname.endsWith('/index.html')")


def test_a_bundle_is_written_from_an_evaluation_folder(window, qtbot, pages, tmp_path, capsys):
    done = tmp_path / "done"
    words = ["--methods", "plain,bte", "--report", "none", "--out", str(done)]
    assert main(["evaluate", str(pages), *words]) == 0
    capsys.readouterr()
    window.open_path(str(done))
    assert saved(window, qtbot, tmp_path / "out") == "saved out: open index.html"
    index = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "2 methods on 2 pages" in index
    sheets = [page.read_text("utf-8") for page in (tmp_path / "out" / "pages").glob("*.html")]
    assert sum('class="stage text"' in sheet for sheet in sheets) == 2


def test_a_bundle_without_scores_is_refused(window, qtbot, pages, tmp_path):
    Hand(window.workbench, qtbot, tmp_path).open_path(pages)
    window.workbench.get(BundleWriter).write(str(tmp_path / "out"))
    assert window.session.messages.message == "there are no scores yet: run the methods first"
    assert not (tmp_path / "out").exists()


def test_closing_the_window_stops_writing_a_bundle(window, qtbot, pages, tmp_path, capsys):
    done, out = tmp_path / "done", tmp_path / "out"
    words = ["--methods", "webterrain", "--report", "none", "--out", str(done)]
    assert main(["evaluate", str(pages), *words]) == 0
    capsys.readouterr()
    window.open_path(str(done))
    begun(window, qtbot, out)
    status = window.findChild(StatusBar)
    qtbot.waitUntil(lambda: (out / "index.html").is_file(), timeout=PATIENCE_MS)
    assert status.bundle.text.startswith("Web pages: ")
    window.close_down()
    assert QThreadPool.globalInstance().waitForDone(1000)
    assert "of 2 pages have been written so far" in (out / "index.html").read_text("utf-8")
