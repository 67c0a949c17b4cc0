"""A file in a browser, read with mouse and keys."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtWebEngineWidgets import QWebEngineView

_PAINTED = (
    "(window.painted ??= (requestAnimationFrame(() => requestAnimationFrame("
    "() => { window.painted = true; })), false))"
)


class Reader:
    """Reads a file as a person does."""

    def __init__(self, view, qtbot) -> None:
        self.view, self.qtbot = view, qtbot

    def ask(self, script):
        """Return what a script is."""
        return json.loads(self._said(script))

    def _said(self, script) -> str:
        answers = []
        self.view.page().runJavaScript(f"JSON.stringify({script})", answers.append)
        self.qtbot.waitUntil(lambda: bool(answers), timeout=60_000)
        return answers[0]

    def click(self, script) -> None:
        """Click what a script finds, with the mouse; a page that is not painted takes no click."""
        self.wait(_PAINTED)
        x, y = self.ask(
            "((e) => { e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            f" return [r.x + r.width / 2, r.y + r.height / 2]; }})({script})"
        )
        self.qtbot.mouseClick(
            self.view.focusProxy(), Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y))
        )

    def press(self, key) -> None:
        """Press a key; a page that is not painted takes none."""
        self.wait(_PAINTED)
        self.qtbot.keyClick(self.view.focusProxy(), key)

    def wait(self, script) -> None:
        """Wait until a script is true; between two pages there is none to ask."""
        self.qtbot.waitUntil(lambda: self._said(script) == "true", timeout=60_000)


@contextmanager
def read_in_browser(path, qtbot, size=(900, 700)) -> Iterator[Reader]:
    """Open a file in a browser of this size."""
    view = QWebEngineView()
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    with qtbot.waitSignal(view.loadFinished, timeout=60_000):
        view.load(QUrl.fromLocalFile(str(path)))
    yield Reader(view, qtbot)
    with qtbot.waitSignal(view.page().destroyed):  # before the profile, which Qt deletes at the end
        view.page().deleteLater()
