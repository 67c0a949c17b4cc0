"""How long a page takes, by its answers and its processor time: the same on any machine.

A page that waits for its turn, or for its server, is neither late nor does it hang.
"""

import time
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QObject, QTimer

from engine.errors import CaptureError, LoadTimeout
from engine.memory import cpu_seconds
from engine.web.scripts import Handler
from engine.web.view import PageView

TICK_MS = 20
"""A pause and the answer after it count as so long, however long they took; on a machine that has
nothing else to do an answer takes .3 ms."""

_WATCH_MS = 250
_IDLE_S = 1.5
_CHECK_MS = 500
_MOST_ANSWER_S = 600.0


class PageTime(QObject):
    """Timer that queries the main frame repeatedly and calls back after a number of answers.

    On a machine that is busy, and in a page that is, answers take longer, as does all else that is
    waited for: then the limit comes later, too.  A page that never answers never comes to it.

    Args:
        view: Shows the page.
        on_over: Is called once the time has passed, with the last answer.
        on_tick: Is called with each answer before.
        script: An expression for the isolated world: the question.
    """

    def __init__(
        self,
        view: PageView,
        on_over: Handler,
        *,
        on_tick: Handler = lambda _: None,
        script: str = "0",
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._view, self._script = view, script
        self._on_over, self._on_tick = on_over, on_tick
        self._left = 0
        self._round = 0  # answers from a stopped run are ignored
        self._timer = QTimer(self, singleShot=True, interval=TICK_MS)
        self._timer.timeout.connect(self._ask)

    @property
    def is_running(self) -> bool:
        """Whether the time is neither over nor stopped."""
        return self._left > 0

    def start(self, seconds: float) -> None:
        self.stop()
        self._left = max(1, round(seconds * 1000 / TICK_MS))
        self._timer.start()

    def stop(self) -> None:
        """Stop; no callback is called."""
        self._left = 0
        self._round += 1
        self._timer.stop()

    def _ask(self) -> None:
        asked = self._round

        def answered(value: Any) -> None:  # noqa: ANN401  any JSON value
            if asked == self._round:
                self._on_answer(value)

        def failed(error: CaptureError) -> None:
            if asked == self._round and isinstance(error, LoadTimeout):
                self._timer.start()

        self._view.run(self._script, answered, failed)

    def _on_answer(self, value: Any) -> None:  # noqa: ANN401  any JSON value
        self._left -= 1
        if self._left:
            self._timer.start()
            self._on_tick(value)
        else:
            self.stop()
            self._on_over(value)


class IdleWatch(QObject):
    """Watch for a local page that has all its resources and still does not end loading.

    An ``iframe`` that a script opened and never closed is enough for that, or an image that asks
    for its missing file again and again.  Local requests are answered at once, so a parsed page
    that was given nothing for a while has what it can get.

    Args:
        view: Shows the page.
        on_idle: Is called with the last answer each time the page was given nothing for so long.
        script: An expression for the isolated world: the question.
    """

    def __init__(self, view: PageView, on_idle: Handler, *, script: str, parent: QObject) -> None:
        super().__init__(parent)
        self._view, self._on_idle = view, on_idle
        self._served_at = 0.0
        self._time = PageTime(
            view, self._on_over, on_tick=self._on_tick, script=script, parent=self
        )
        self._timer = QTimer(self, interval=_WATCH_MS)
        self._timer.timeout.connect(self._check)

    def start(self) -> None:
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._time.stop()

    def _check(self) -> None:
        gate = self._view.gate
        if not self._time.is_running and time.monotonic() - gate.served_at > _WATCH_MS / 1000:
            self._served_at = gate.served_at
            self._time.start(_IDLE_S)

    def _on_tick(self, _: object) -> None:
        if self._view.gate.served_at != self._served_at:
            self._time.stop()

    def _on_over(self, state: object) -> None:
        if self._view.gate.served_at == self._served_at:
            self._on_idle(state)


class HangWatch(QObject):
    """Watch that queries the main frame twice a second while it runs.

    Args:
        view: Shows the page.
        on_hang: Is called once, with the limit, when it has not answered for too long.
        limit_s: Seconds of processor time that the page's process has had since its last answer.
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
