"""Take a picture of page and figure for each method, for the gallery of the guide.

python -m tests.plugins.figure.take_figures FOLDER|--check [METHOD…]

With ``--check`` prints what a figure and its line say otherwise than its picture.
"""

import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

import resources
from algorithms.core.catalogue import METHODS
from engine.web import profile
from engine.web.qt_log import silence_qt_log
from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from gui.features.outline.panel import OutlineDock
from gui.features.pages.panel import PagesDock
from gui.plugins.figure.panel import FigureDock
from gui.window.window import Window
from tests.gui.parts import make_window
from tests.gui.scenes import PAGE, end, rest, wait
from tests.gui.shown_texts import changes_of, shown_texts, store_texts, stored_texts

SIZE = (1000, 800)
WIDTH, QUALITY = 860, 45
"""Width, px, and WebP quality of the pictures: each stays below 60 kB."""


def show(window: Window, key: str, title: str = "") -> FigureDock:
    """Show the figure of a method with an item picked."""
    session = window.session
    session.layers.set_layers(tuple(x for x in session.layers.all if x.is_gold))
    session.layers.add_method(key)
    session.layers.set_solo(key)
    dock = window.panel(FigureDock)
    rest(60)
    wait(lambda: not window.workbench.runner.is_running and not dock.is_busy)
    if title:
        dock.choose(title)
    if dock.figure is not None and dock.plot is not None and len(dock.figure.items):
        items = dock.figure.items
        chosen = [k for k in range(len(items)) if items.places[k, 0] >= 0]
        dock.plot.picked.emit(chosen[len(chosen) // 3] if chosen else 0)
    rest(250)
    return dock


def texts_of(dock: FigureDock) -> list[str]:
    """Return what the panel says, with the words in its figure."""
    figure = dock.figure
    drawn = () if figure is None else (figure.title, figure.note, figure.x_label, figure.y_label)
    return sorted({*shown_texts(dock), *filter(None, drawn)})


def take(window: Window, key: str, folder: Path) -> None:
    """Save a picture of the window with a method, and keep what it says."""
    dock = show(window, key)
    folder.mkdir(parents=True, exist_ok=True)
    top = window.main_area.stack.mapTo(window, QPoint(0, 0))
    bottom = dock.mapTo(window, QPoint(0, dock.height()))
    area = QRect(top, QSize(window.width() - top.x(), bottom.y() - top.y()))
    image = window.grab(area).toImage().convertToFormat(QImage.Format.Format_RGB32)
    image = image.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
    image.save(str(folder / f"{key.replace('+', '-')}.webp"), quality=QUALITY)
    store_texts(f"figures/{key}", texts_of(dock))


def main(folder: Path | None, keys: list[str]) -> None:
    """Take all pictures, or those of some methods; without a folder compare them."""
    with tempfile.TemporaryDirectory() as position:
        window = make_window(Path(position))
        window.resize(*SIZE)
        window.workbench.navigation.open_path(str(resources.path("corpus") / PAGE / "index.html"))
        wait(lambda: window.session.open.page is not None)
        window.panel(PagesDock).hide()
        window.panel(OutlineDock).hide()
        window.panel(DetailsDock).hide()
        window.panel(LayersDock).hide()
        window.panel(FigureDock).show()
        window.resizeDocks([window.panel(FigureDock)], [360], Qt.Orientation.Vertical)
        for key in keys or [entry.key for entry in METHODS]:
            name = f"figures/{key}"
            if folder is not None:
                take(window, key, folder)
            else:
                now = texts_of(show(window, key))
                print(*changes_of(name, stored_texts().get(name, []), now), sep="\n")
        window.close_down()


if __name__ == "__main__":
    profile.prepare(headless=True)
    silence_qt_log()
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(None if sys.argv[1] == "--check" else Path(sys.argv[1]), sys.argv[2:])
    end()
