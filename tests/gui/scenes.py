"""Steps of the scenes that pictures of the window show."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QWidget

import resources
from gui.window.window import Window

PAGE = "news"


class Scene(NamedTuple):
    """A picture of the documentation."""

    show: Callable[[Window], None]
    size: tuple[int, int]
    theme: str = "light"
    of_corpus: bool = True
    """Whether it shows the sample pages with their gold; else the news page without."""
    front: type[QWidget] | None = None
    """The panel in front when a small window has two as tabs."""


def wait(done, seconds: float = 20.0) -> None:
    """Process events until a condition holds."""
    loop, tick, end = QEventLoop(), QTimer(), QTimer()
    tick.timeout.connect(lambda: loop.quit() if done() else None)
    end.setSingleShot(True)
    end.timeout.connect(loop.quit)
    tick.start(20)
    end.start(round(seconds * 1000))
    loop.exec()


def rest(milliseconds: int) -> None:
    """Process events so that the browser paints."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def use(window: Window, key: str) -> None:
    session = window.session
    session.layers.add_method(key)
    session.layers.set_current_layer(key)
    wait(lambda: not window.workbench.runner.is_running, 60)


def bare_page(folder: Path) -> Path:
    """Copy the page without its gold into a folder; return its file."""
    bare = folder / PAGE
    ignored = shutil.ignore_patterns("*.gold.json")
    shutil.copytree(resources.path("corpus") / PAGE, bare, ignore=ignored)
    return bare / "index.html"


def open_sample(window: Window, folder: str) -> None:
    """Open a sample page."""
    pages = window.session.documents
    at = next(n for n, each in enumerate(pages) if Path(each.path).parent.name == folder)
    window.workbench.navigation.open_document(at)
    wait(lambda: window.session.open.document == pages[at], 20)
    wait(lambda: window.session.open.page is not None, 60)


def end() -> None:
    """End the program at once: Python would tear down Qt's objects in no order, and may crash."""
    sys.stdout.flush()
    os._exit(0)
