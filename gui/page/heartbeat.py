"""Heartbeat: notices when the process that draws the page does not answer any more."""

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import CaptureError, LoadTimeout
from engine.web.view import PageView

BEAT_MS = 1000
PATIENCE_S = 5.0
"""How long the page may be busy before it is said."""


class Heartbeat(QObject):
    """Ping the page repeatedly."""

    fell_silent = Signal()  # no answer for `PATIENCE_S`
    came_back = Signal()

    def __init__(self, view: PageView, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._asked = 0  # questions without an answer; the browser keeps them in order
        self._round = 0
        self.is_silent = False
        self._timer = QTimer(self, interval=BEAT_MS)
        self._timer.timeout.connect(self._ask)

    def start(self) -> None:
        """Begin with a page that is being loaded or shown."""
        self.stop()
        self._timer.start()

    def stop(self) -> None:
        """Stop pinging; what is answered later counts no more."""
        self._timer.stop()
        self._round += 1
        self._asked = 0
        self._set_silent(False)

    def _ask(self) -> None:
        if self._asked:
            return
        self._asked += 1
        now = self._round

        def answered(_: object) -> None:
            if now == self._round:
                self._asked = 0
                self._set_silent(False)

        def not_answered(error: CaptureError) -> None:
            if now == self._round:
                self._asked = 0
                self._set_silent(isinstance(error, LoadTimeout))

        self._view.run("true", answered, not_answered, PATIENCE_S)

    def _set_silent(self, is_silent: bool) -> None:
        if is_silent != self.is_silent:
            self.is_silent = is_silent
            (self.fell_silent if is_silent else self.came_back).emit()
