"""HangWatch: sees that a page answers nothing, whatever else the machine has to do.

What counts is the processor time that the page's process has had since its last answer: a page that
waits for its turn, or for its server, is no page that hangs.
"""

from contextlib import suppress
from typing import Any

from PySide6.QtCore import QObject, QTimer

from engine.errors import CaptureError
from engine.memory import cpu_seconds
from engine.web.scripts import Handler
from engine.web.view import PageView

_CHECK_MS = 500
_MOST_ANSWER_S = 600.0


class HangWatch(QObject):
    """Watch that queries the main frame twice a second while it runs.

    Args:
        view: Shows the page.
        on_hang: Is called once, with the limit, when it has not answered for too long.
        limit_s: Seconds of processor time.
    """

    def __init__(
        self, view: PageView, on_hang: Handler, *, limit_s: float, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._view, self._on_hang, self._limit_s = view, on_hang, limit_s
        self._process_id = 0
        self._answered = 0.0  # processor time of the process when it last answered
        self._is_asked = False
        self._timer = QTimer(self, interval=_CHECK_MS)
        self._timer.timeout.connect(self._check)

    def start(self) -> None:
        """Start; the time counts from here."""
        self._process_id = 0
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _check(self) -> None:
        process_id = self._view.page().renderProcessPid()
        if process_id <= 0:
            return
        try:
            taken = cpu_seconds(process_id)
        except OSError:  # a page has all files open that a process may have: look again
            return
        if process_id != self._process_id:
            self._process_id, self._answered, self._is_asked = process_id, taken, False
        if taken - self._answered > self._limit_s:
            self.stop()
            self._on_hang(self._limit_s)
        elif not self._is_asked:
            self._is_asked = True
            self._view.run("0", self._on_answer, self._on_error, _MOST_ANSWER_S)

    def _on_answer(self, _: Any) -> None:  # noqa: ANN401  any JSON value
        self._is_asked = False
        with suppress(OSError):
            self._answered = cpu_seconds(self._process_id)

    def _on_error(self, _: CaptureError) -> None:
        self._is_asked = False
