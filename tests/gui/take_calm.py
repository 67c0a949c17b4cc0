"""Take pictures of views at rest, and count: ``python -m tests.gui.take_calm FOLDER [VIEW…]``."""

import sys
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QApplication

import resources
from engine.web import profile
from engine.web.qt_log import silence_qt_log
from gui.widgets.theme import CHOICES
from gui.window.tasks import TASKS
from tests.gui.calm import SIZES, controls, cut_texts, overlaps, page_share
from tests.gui.parts import make_window
from tests.gui.scenes import end, rest, wait

PAGE = "news"


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
                rest(1500)
                seen = controls(window)
                print(task.name, size, len(seen), f"{page_share(window):.0%}", flush=True)
                for each in (*seen, *cut_texts(window), *overlaps(window)):
                    print("   ", each)
                for theme in CHOICES[1:]:
                    window.themes.choose(theme)
                    rest(200)
                    window.grab().save(str(folder / f"{task.name}-{size.strip(' %')}-{theme}.png"))
        window.close_down()


if __name__ == "__main__":
    profile.prepare(headless=True)
    silence_qt_log()
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(Path(sys.argv[1]), sys.argv[2:])
    end()
