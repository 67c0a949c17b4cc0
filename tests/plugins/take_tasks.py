"""Take pictures of the six views by task, for review.

    python -m tests.plugins.take_tasks FOLDER

Each at three sizes, light and dark, and the overlays of the window at the smallest: palette,
context menu, keys, help, tour, start page.  Names after the folder take some of them.  Prints how
much of the window's width the page has.  ``QT_SCALE_FACTOR=2`` takes them at 200 %.
"""

import random
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import resources
from algorithms.explain.explanations import Location
from engine.web import profile
from engine.web.qt_log import silence_qt_log
from gui.features.why.controller import WhyActions
from gui.features.why.panel import WhyDock
from gui.features.why.state import WhyState
from gui.plugins.side_by_side.view import SideBySide
from gui.plugins.site.view import SiteView
from gui.plugins.team_work.review.state import ReviewState
from gui.widgets.theme import CHOICES
from gui.window.tasks import TASKS
from gui.window.window import Window
from tests.gui.parts import make_window
from tests.gui.scenes import bare_page, rest, wait
from tests.plugins.team_work.scenes import mark_by_two

SIZES = {"small": (1100, 700), "middle": (1600, 1000), "large": (3840, 2160)}
OVER = ("palette", "menu", "help", "guide", "tour")
"""Pictures at the smallest size only: the action that shows each, or a right click."""


def main(folder: Path, names: list[str]) -> None:
    """Take all pictures, or those of some views."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [task.name for task in TASKS if not names or task.name in names]
    for name in tasks:
        with tempfile.TemporaryDirectory() as directory:
            _take(Path(directory), folder, name)
    over = [name for name in (*OVER, "start") if not names or name in names]
    if over:
        with tempfile.TemporaryDirectory() as directory:
            _take_over(Path(directory), folder, over)


def _take(directory: Path, folder: Path, name: str) -> None:
    window = make_window(directory)
    for size, (width, height) in SIZES.items():
        window.resize(width, height)
        rest(200)
        if not window.session.documents:
            _open(window, directory, name)
        window.actions_[f"task-{name}"].trigger()
        rest(500)
        _settle(window, name)
        for theme in CHOICES[1:]:
            window.themes.choose(theme)
            # A presentation fills the screen, which has no fixed size offscreen.
            window.setWindowState(Qt.WindowState.WindowNoState)
            window.resize(width, height)
            rest(1500)
            window.toast.hide()
            file = folder / f"{name}-{size}-{theme}.png"
            window.grab().save(str(file))
            share = window.main_area.stack.width() / window.width()
            print(f"{file.name}: the page has {share:.0%} of the width", flush=True)
    window.close()
    window.close_down()


def _open(window: Window, directory: Path, name: str) -> None:
    """Open the pages of a view: one marked by two annotators, or the sample pages."""
    navigation, session = window.workbench.navigation, window.session
    if name == "review":
        navigation.open_path(str(bare_page(directory)))
    else:
        navigation.open_path(str(resources.path("corpus")))
        wait(lambda: bool(session.documents), 60)
        news = [each.path or "" for each in session.documents].index("news/index.html")
        navigation.open_document(news)
        wait(lambda: session.open.document == session.documents[news], 20)
    wait(lambda: session.open.page is not None, 60)
    wait(lambda: not window.workbench.runner.is_running, 90)
    if name == "review":
        mark_by_two(window)
        return
    for layer in session.layers.all:
        is_drawn = layer.is_gold or layer.key in ("accb", "vips")
        session.layers.change_layer(layer.key, visible=is_drawn)
    session.layers.set_current_layer("accb")


def _settle(window: Window, name: str) -> None:
    """Wait for the results of a view, and show them."""
    session, main_area = window.session, window.main_area
    if name == "debug":
        assert session.open.page is not None
        nodes = session.open.page.rendered()
        texts = [row for row in range(len(nodes)) if nodes.is_text[row] and nodes.visible[row]]
        session.get(WhyState).ask(Location(texts[len(texts) // 3], 0))
        window.panel(WhyDock).raise_()
        finder = window.workbench.get(WhyActions)
        wait(lambda: bool(session.get(WhyState).answers) and not finder.is_busy, 60)
    elif name == "review":
        wait(lambda: bool(session.get(ReviewState).items), 60)
        window.actions_["review-next"].trigger()
    elif name == "compare":
        side = main_area.get(SideBySide)
        wait(lambda: all(pane.page is not None for pane in side.panes), 90)
        wait(lambda: not any(pane.words.text() == "running" for pane in side.panes), 60)
    elif name == "site":
        view = main_area.get(SiteView)
        wait(lambda: not view.is_busy, 240)
        rest(1500)
    elif name == "present":
        window.actions_["talk-next"].trigger()
        rest(600)


def _take_over(directory: Path, folder: Path, names: list[str]) -> None:
    """Take the overlays of the window and the start page."""
    window = make_window(directory)
    window.resize(*SIZES["small"])
    rest(500)
    if "start" in names:
        _grab_both(window, folder, "start")
    if names == ["start"]:
        window.close_down()
        return
    _open(window, directory, "mark")
    for name in names:
        if name == "start":
            continue
        end = _show(window, name)
        _grab_both(window, folder, name)
        end()
        rest(300)
    window.close_down()


def _show(window: Window, name: str) -> Callable[[], object]:
    if name != "menu":
        window.actions_[name].trigger()
        rest(1500)
        return partial(QTest.keyClick, QApplication.focusWidget() or window, Qt.Key.Key_Escape)
    marks = window.session.open.gold.marks
    window.session.selection.set_selected([marks[random.Random(1).randrange(len(marks))].id])
    window.workbench.canvas.view.setFocus()
    window.context_menus.open()
    return lambda: window.context_menus.menu and window.context_menus.menu.close()


def _grab_both(window: Window, folder: Path, name: str) -> None:
    for theme in CHOICES[1:]:
        window.themes.choose(theme)
        rest(900)
        if name != "tour":
            window.toast.hide()
        picture = window.grab()
        painter = QPainter(picture)
        for popup in QApplication.topLevelWidgets():
            if popup.windowType() is Qt.WindowType.Popup and popup.isVisible():
                at = window.mapFromGlobal(popup.mapToGlobal(QPoint(0, 0)))
                painter.drawPixmap(at, popup.grab())
        painter.end()
        picture.save(str(folder / f"{name}-{theme}.png"))
        print(f"{name}-{theme}.png", flush=True)


if __name__ == "__main__":
    profile.prepare(headless=True)
    silence_qt_log()
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(Path(sys.argv[1]), sys.argv[2:])
