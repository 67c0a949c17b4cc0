"""Take pictures of views at two sizes, light and dark.

    python -m tests.plugins.take_views FOLDER

Errors, why, a figure, four views, source, 3-D and a presentation of the news page, and two sample
pages side by side; for review.
"""

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

import resources
from algorithms.explain.explanations import Location
from engine.web import profile
from engine.web.qt_log import silence_qt_log
from gui.features.errors.state import ErrorWalk
from gui.features.source.panel import SourceDock
from gui.features.why.controller import WhyActions
from gui.features.why.panel import WhyDock
from gui.features.why.state import WhyState
from gui.plugins.figure.panel import FigureDock
from gui.plugins.page_diff.view import PageDiffView
from gui.plugins.presentation.stage import Presentation
from gui.plugins.side_by_side.view import SideBySide
from gui.plugins.site.view import SiteView
from gui.plugins.view_3d.panel import View3DPanel
from gui.widgets.theme import CHOICES
from gui.window.window import Window
from tests.gui.parts import make_window
from tests.gui.scenes import rest, wait

SIZES = {"small": (1100, 700), "4k": (3840, 2160)}
PAGE = "news"
METHOD, BLOCKS = "accb", "vips"


def errors(window: Window) -> Callable[[], None]:
    session = window.session
    session.layers.set_current_layer(METHOD)
    session.get(ErrorWalk).start()
    wait(lambda: bool(session.get(ErrorWalk).items))
    return lambda: session.get(ErrorWalk).show(False)


def why(window: Window) -> Callable[[], None]:
    session = window.session
    page = session.open.page
    assert page is not None
    nodes = page.rendered()
    texts = [row for row in range(len(nodes)) if nodes.is_text[row] and nodes.visible[row]]
    session.get(WhyState).ask(Location(texts[len(texts) // 3], 0))
    window.panel(WhyDock).show()
    window.panel(WhyDock).raise_()
    finder = window.workbench.get(WhyActions)
    wait(lambda: bool(session.get(WhyState).answers) and not finder.is_busy, 60)

    def end() -> None:
        session.get(WhyState).show(False)
        window.panel(WhyDock).hide()

    return end


def figure(window: Window) -> Callable[[], None]:
    window.panel(FigureDock).show()
    window.panel(FigureDock).raise_()
    wait(
        lambda: (
            window.panel(FigureDock).figure is not None and not window.panel(FigureDock).is_busy
        ),
        60,
    )
    return window.panel(FigureDock).hide


def page_diff(window: Window) -> Callable[[], None]:
    window.main_area.get(SiteView).show_pair()
    wait(lambda: len(window.main_area.get(PageDiffView).diffs) == 2, 120)
    return partial(_leave, window)


def four_views(window: Window) -> Callable[[], None]:
    side = window.main_area.get(SideBySide)
    side.toggle(4)
    wait(lambda: all(pane.page is not None for pane in side.panes), 120)
    wait(lambda: not any(pane.words.text() == "running" for pane in side.panes), 60)
    return partial(_leave, window)


def source(window: Window) -> Callable[[], None]:
    window.panel(SourceDock).show()
    window.panel(SourceDock).raise_()
    rest(800)
    return window.panel(SourceDock).hide


def view_3d(window: Window) -> Callable[[], None]:
    window.main_area.toggle(View3DPanel)
    wait(lambda: window.main_area.get(View3DPanel).view.texture is not None, 60)
    rest(800)
    return partial(_leave, window)


def presentation(window: Window) -> Callable[[], None]:
    window.main_area.toggle(Presentation)
    rest(500)
    return partial(_leave, window)


def _is_open(window: Window) -> bool:
    page, document = window.session.open.page, window.session.open.document
    return page is not None and document is not None and PAGE in (document.path or "")


def _leave(window: Window) -> None:
    window.main_area.leave()


VIEWS = (errors, why, figure, four_views, page_diff, source, view_3d, presentation)


def main(folder: Path, wanted: list[str]) -> None:
    """Take all pictures, or those of some views."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as position:
        window = make_window(Path(position))
        window.workbench.navigation.open_path(str(resources.path("corpus")))
        wait(lambda: window.session.open.page is not None, 60)
        names = [document.path or "" for document in window.session.documents]
        window.workbench.navigation.open_document(names.index(f"{PAGE}/index.html"))
        wait(lambda: _is_open(window), 60)
        for key in (METHOD, BLOCKS):
            window.session.layers.add_method(key)
            window.session.layers.change_layer(key, visible=True)
        wait(lambda: not window.workbench.runner.is_running, 60)
        for size, (width, height) in SIZES.items():
            window.resize(width, height)
            for theme in CHOICES[1:]:
                window.themes.choose(theme)
                for view in VIEWS:
                    if wanted and view.__name__ not in wanted:
                        continue
                    end = view(window)
                    # A presentation fills the screen, which has no fixed size offscreen.
                    window.setWindowState(Qt.WindowState.WindowNoState)
                    window.resize(width, height)
                    rest(900)
                    file = folder / f"{view.__name__}-{size}-{theme}.png"
                    window.grab().save(str(file))
                    print(file.name, flush=True)
                    end()
                    rest(300)
        window.close_down()


if __name__ == "__main__":
    profile.prepare(headless=True)
    silence_qt_log()
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(Path(sys.argv[1]), sys.argv[2:])
