"""Fixture `hand`: a workbench or window on a page, driven by real events through Qt."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from annotate.workspace.workspace import Workspace
from engine.web import profile
from engine.web.view import PageView
from gui.core.workbench import Workbench
from gui.page.canvas import PageCanvas
from gui.state.session import Session
from gui.window.features import add_features


@pytest.fixture(scope="session")
def qapp_args():
    """Chromium's switches must be set before the application is made."""
    profile.prepare(headless=True)
    return ["pagelet"]


def save_notes(workbench: Workbench) -> None:
    """Save at once what `Autosave.save_soon` has put off."""
    soon = workbench.saving._soon
    if soon.isActive():
        soon.stop()
        soon.timeout.emit()


class Hand:
    """Opens pages and moves the mouse as a person would."""

    def __init__(self, workbench: Workbench, qtbot, folder: Path) -> None:
        self.workbench, self.qtbot, self.folder = workbench, qtbot, folder
        self.session = workbench.session
        self._pages = 0

    def open(self, html: str, name: str = "") -> None:
        self._pages += 1
        file = self.folder / (name or f"page{self._pages}.html")
        file.write_text(f"<!doctype html><meta charset=utf-8>{html}", encoding="utf-8")
        self.open_path(file)

    def open_path(self, file: Path) -> None:
        with self.qtbot.waitSignal(self.session.open.page_changed, timeout=20_000):
            self.workbench.navigation.open_path(str(file))
        self.wait_for_methods()
        save_notes(self.workbench)

    def wait_for_methods(self) -> None:
        self.qtbot.waitUntil(lambda: not self.workbench.runner.is_running, timeout=20_000)

    def ask(self, script: str):
        """Evaluate in the isolated world and wait for the answer."""
        answers: list = []
        view = self.workbench.canvas.view
        view.run(script, answers.append, answers.append)
        self.qtbot.waitUntil(lambda: bool(answers))
        if isinstance(answers[0], Exception):
            raise answers[0]
        return answers[0]

    def point_of(self, selector: str) -> QPoint:
        """The middle of an element, in the view's pixels, scrolled into view."""
        x, y = self.ask(
            "((e) => { e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        zoom = self.workbench.canvas.view.zoomFactor()
        return QPoint(round(x * zoom), round(y * zoom))

    @property
    def target(self):
        return self.workbench.canvas.view.focusProxy()

    left = Qt.MouseButton.LeftButton

    def hover(self, selector: str) -> None:
        position = self.point_of(selector)
        self.qtbot.mouseMove(self.target, position + QPoint(1, 1))
        self.qtbot.mouseMove(self.target, position)

    def click(self, selector: str, keys=Qt.KeyboardModifier.NoModifier) -> None:
        position = self.point_of(selector)
        self.qtbot.mouseMove(self.target, position)
        self.qtbot.mouseClick(self.target, Qt.MouseButton.LeftButton, keys, position)

    def drag(self, start: QPoint, end: QPoint, keys=Qt.KeyboardModifier.NoModifier) -> None:
        self.hold(start, end, keys)
        self.let_go(end, keys)

    def hold(self, start: QPoint, end: QPoint, keys=Qt.KeyboardModifier.NoModifier) -> None:
        """Press, and move on with the button held."""
        left = Qt.MouseButton.LeftButton
        steps = [start + (end - start) * k / 6 for k in range(7)]
        self._mouse(QEvent.Type.MouseButtonPress, start, left, left, keys)
        for step in steps:
            self._mouse(QEvent.Type.MouseMove, step, Qt.MouseButton.NoButton, left, keys)

    def move(self, end: QPoint, keys=Qt.KeyboardModifier.NoModifier) -> None:
        """Move on with the button held."""
        none, left = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
        self._mouse(QEvent.Type.MouseMove, end, none, left, keys)

    def let_go(self, end: QPoint, keys=Qt.KeyboardModifier.NoModifier) -> None:
        left = Qt.MouseButton.LeftButton
        self._mouse(QEvent.Type.MouseButtonRelease, end, left, Qt.MouseButton.NoButton, keys)

    def _mouse(self, kind, place, button, buttons, keys=Qt.KeyboardModifier.NoModifier) -> None:
        at = QPointF(place)
        event = QMouseEvent(kind, at, self.target.mapToGlobal(at), button, buttons, keys)
        QApplication.sendEvent(self.target, event)

    def row(self, selector: str) -> int:
        """The row of an element of the main frame."""
        number = self.ask(f"pagelet.rows.get(document.querySelector({json.dumps(selector)}))")
        return self.workbench.canvas.pieces.row(int(number))

    def marked(self, level: int) -> list[list[int]]:
        return [[t.row for t in m.targets] for m in self.session.open.gold.of_level(level)]


@pytest.fixture
def hand(qtbot, tmp_path):
    """A workbench of 900 × 700 px on an empty workspace."""
    canvas = PageCanvas(PageView())
    qtbot.addWidget(canvas)
    canvas.resize(900, 700)
    canvas.show()
    workspace = Workspace.open(tmp_path / "marks.pagelet")
    workbench = Workbench(Session(), workspace, canvas)
    add_features(workbench)
    yield Hand(workbench, qtbot, tmp_path)
    workbench.close()
    workbench.main_area.desk.deleteLater()  # no window has it


@pytest.fixture
def hand_in_window(request, window, qtbot, tmp_path):
    """Opens the module's PAGE in a window; a module takes it by ``hand = hand_in_window``."""
    made = Hand(window.workbench, qtbot, tmp_path)
    made.open(request.module.PAGE, "ferry.html")
    return made
