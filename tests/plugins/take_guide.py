"""Take pictures of working together on marks.

    python -m tests.plugins.take_guide FOLDER [NAME…]

Drafts, suggested types, suggestions, review, agreement with its dial, and the certificate of a
frozen page, at two sizes, light and dark, for review; the guide shows some of them.
"""

import sys
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QApplication

from engine.web import profile
from engine.web.qt_log import silence_qt_log
from gui.features.layers.details import DetailsDock
from gui.features.layers.panel import LayersDock
from gui.state.selection import Mode
from gui.widgets.theme import CHOICES
from gui.window.window import Window
from tests.gui.parts import make_window
from tests.gui.scenes import bare_page, rest, wait
from tests.gui.take_docs import certificate, drafts
from tests.plugins.suggestions.scenes import suggestions
from tests.plugins.team_work.scenes import agreement, review

SIZES = {"small": (1100, 700), "large": (1300, 850)}


def types(window: Window) -> None:
    """Show blocks with suggested types, one selected, and the frame under the mouse."""
    session = window.session
    session.selection.suggests_types = True
    session.layers.set_gold_only(True)
    assert session.open.page is not None
    nodes = session.open.page.rendered()
    window.workbench.session.selection.set_mode(Mode.LEVEL_2)
    rows = [
        next(r for r in range(len(nodes)) if nodes.name_of(r) == tag and nodes.visible[r])
        for tag in ("nav", "h1", "footer", "p")
    ]
    for row in rows:
        session.selection.set_candidate(row)
        window.workbench.marking.take()
    session.selection.set_selected([session.open.gold.marks[0].id])
    window.workbench.session.selection.set_mode(Mode.LEVEL_1)
    texts = [r for r in range(len(nodes)) if nodes.name_of(r) == "p" and nodes.visible[r]]
    window.workbench.marking.point([texts[1]])


SCENES = (drafts, types, suggestions, review, agreement, certificate)
IN_FRONT = {drafts: LayersDock, certificate: DetailsDock}
"""The panel in front when a small window has two as tabs."""


def take(scene, folder: Path) -> None:
    """Take all pictures of a scene, in a window and workspace of its own."""
    with tempfile.TemporaryDirectory() as position:
        window = make_window(Path(position))
        window.resize(*SIZES["large"])
        window.workbench.navigation.open_path(str(bare_page(Path(position))))
        wait(lambda: window.session.open.page is not None, 60)
        wait(lambda: not window.workbench.runner.is_running, 60)
        scene(window)
        for size, (width, height) in SIZES.items():
            window.resize(width, height)
            rest(300)
            if scene in IN_FRONT:
                window.panel(IN_FRONT[scene]).raise_()
            for theme in CHOICES[1:]:
                window.themes.choose(theme)
                rest(1200)
                window.toast.hide()
                if window.main_area.stack.currentWidget() is window.workbench.canvas:
                    window.workbench.canvas.settled_picture()  # waits until the page is painted
                file = folder / f"{scene.__name__}-{size}-{theme}.png"
                window.grab().save(str(file))
                print(file.name, flush=True)
        window.close_down()


def main(folder: Path, names: list[str]) -> None:
    """Take all pictures, or those of some scenes."""
    folder.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        if not names or scene.__name__ in names:
            take(scene, folder)


if __name__ == "__main__":
    profile.prepare(headless=True)
    silence_qt_log()
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(Path(sys.argv[1]), sys.argv[2:])
