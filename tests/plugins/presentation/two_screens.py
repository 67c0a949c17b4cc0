"""Present a page on two screens and print what is where: ``python … FOLDER`` (test_speaker.py).

``QT_QPA_PLATFORM`` names the screens, as ``offscreen:configfile=FILE``.
"""

import json
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import resources
from engine.web import profile
from gui.plugins.presentation.stage import Presentation
from tests.gui.parts import make_window
from tests.gui.scenes import end, rest, wait


def main(folder: Path) -> None:
    """Print the screens' names, as JSON: at first, presenting, exchanged, afterwards."""
    window = make_window(folder)
    window.setScreen(QGuiApplication.primaryScreen())
    window.move(QGuiApplication.primaryScreen().geometry().topLeft())
    session = window.session
    window.workbench.navigation.open_path(str(resources.path("corpus/news/index.html")))
    wait(lambda: session.open.page is not None and not window.workbench.runner.is_running, 60)
    seen = [[window.screen().name(), "", window.isFullScreen()]]
    presentation = window.main_area.get(Presentation)

    def look() -> None:
        wait(lambda: presentation.is_drawn, 30)
        rest(300)
        speaker = presentation.speaker
        where = speaker.screen().name() if speaker is not None and speaker.isVisible() else ""
        seen.append([window.screen().name(), where, window.isFullScreen()])

    window.actions_["present"].trigger()
    look()
    speaker = presentation.speaker
    wait(lambda: not speaker.next.picture.isNull(), 60)
    QTest.keyClick(speaker, Qt.Key.Key_PageDown)
    look()
    place = presentation.index
    wait(lambda: not speaker.next.picture.isNull(), 60)
    rest(600)
    speaker.grab().save(str(folder / "speaker.png"))
    QTest.keyClick(speaker, Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)
    look()
    window.main_area.leave()
    rest(300)
    look()
    print(json.dumps({"seen": seen, "place": place}))
    window.close_down()


if __name__ == "__main__":
    profile.prepare(headless=True)
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(Path(sys.argv[1]))
    end()
