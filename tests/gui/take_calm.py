"""Take pictures of views at rest, and count: ``python -m tests.gui.take_calm FOLDER [VIEW…]``."""

import sys
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QApplication

import resources
from engine.web import profile
from engine.web.qt_log import silence_qt_log
from gui.features.evaluate.view import EvaluateView
from gui.features.why.controller import WhyActions
from gui.page.canvas import PageCanvas
from gui.plugins.presentation.stage import Presentation
from gui.plugins.side_by_side.view import SideBySide
from gui.plugins.site.view import SiteView
from gui.widgets.theme import CHOICES
from gui.window.tasks import TASKS
from gui.window.window import Window
from tests.gui.calm import SIZES, controls, cut_texts, is_seen, overlaps, page_share
from tests.gui.parts import make_window
from tests.gui.scenes import end, wait

PAGE = "news"
MOST_S = 240
"""A table of all sample pages and methods takes a minute; twice on a busy machine."""


def is_drawn(window: Window) -> bool:
    """Return whether the view that is shown has drawn all that it will show by itself."""
    view, workbench = window.main_area.current, window.workbench
    if isinstance(view, EvaluateView):
        is_folded = view.inspection.inspector.isHidden()
        picture = view.inspection.inspector.picture
        pictures = view.inspection.pictures
        is_waiting = pictures.is_waiting or pictures.is_busy or picture.is_empty
        return not view.is_busy and (is_folded or not is_waiting)
    if isinstance(view, SiteView):
        pages = range(len(view.state.names))
        is_pictured = all(view.thumbnails.pictures.of(page) is not None for page in pages)
        return view.state.overview is not None and is_pictured
    if isinstance(view, SideBySide):
        return all(is_shown(pane.canvas) and pane.page is not None for pane in view.panes)
    if isinstance(view, Presentation) and not (view.is_on and view.is_drawn):
        return False
    is_asking = workbench.get(WhyActions).is_busy
    return is_shown(workbench.canvas) and not (workbench.runner.is_running or is_asking)


def is_shown(canvas: PageCanvas) -> bool:
    """Return whether a page is painted, and nothing covers it."""
    return not canvas.is_busy and canvas.cover.isHidden()


def wait_for_paint(window: Window) -> None:
    """Wait until all is drawn, and the page painted at its present scale."""
    wait(lambda: window.panels.page_room.is_settled, MOST_S)
    wait(lambda: is_drawn(window), MOST_S)
    painted: list[bool] = []
    window.workbench.canvas.once_painted(lambda: painted.append(True))
    if is_seen(window.workbench.canvas):
        wait(lambda: bool(painted), MOST_S)


def main(folder: Path, wanted: list[str]) -> None:
    """Take all pictures, or those of some views, and print what each shows."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as position:
        window = make_window(Path(position))
        window.workbench.navigation.open_path(str(resources.path("corpus")))
        wait(lambda: window.session.open.page is not None, 60)
        names = [document.path or "" for document in window.session.documents]
        window.workbench.navigation.open_document(names.index(f"{PAGE}/index.html"))
        wait(lambda: PAGE in (getattr(window.session.open.document, "path", "") or ""), 60)
        wait(lambda: not window.workbench.runner.is_running, 60)
        for task in (task for task in TASKS if not wanted or task.name in wanted):
            for size, (width, height) in SIZES.items():
                window.resize(width, height)
                window.tasks.choose(task.name)
                window.tasks.reset()
                wait_for_paint(window)
                if not is_drawn(window):
                    print(task.name, size, "is not drawn yet")
                seen = controls(window)
                print(task.name, size, len(seen), f"{page_share(window):.0%}", flush=True)
                for each in (*seen, *cut_texts(window), *overlaps(window)):
                    print("   ", each)
                for theme in CHOICES[1:]:
                    window.themes.choose(theme)
                    wait_for_paint(window)
                    window.grab().save(str(folder / f"{task.name}-{size.strip(' %')}-{theme}.png"))
        window.close_down()


if __name__ == "__main__":
    profile.prepare(headless=True)
    silence_qt_log()
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(Path(sys.argv[1]), sys.argv[2:])
    end()
