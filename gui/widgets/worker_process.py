"""QtWorkerProcess: orders to another process, its answers on the GUI thread.

What is asked may take the process down that does it, or never come to an end: that costs the order
it was at, and the next one has a process again.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.processes.supervisor import ProcessLost, WorkerProcess

_LOOK_MS = 60


class QtWorkerProcess(QObject):
    """A supervised process that is looked at now and then while it owes an answer.

    Args:
        serve, arguments: What it does and what that is given, as `WorkerProcess` has them.
        most: After so many orders another process takes its place.
        seconds: What one answer may take; None for as long as it likes.
        is_last: Whether an answer is an order's last; where left out, each order has one.
    """

    answered = Signal(object)  # what was sent back
    gave_up = Signal(str)  # how it ended without an answer: "took more than 60 s"

    def __init__(
        self,
        serve: Callable[..., None],
        *arguments: object,
        most: int | None = None,
        seconds: float | None = None,
        is_last: Callable[[Any], bool] = lambda _answer: True,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._process: WorkerProcess[Any, Any] = WorkerProcess(serve, *arguments, most=most)
        self._seconds, self._is_last = seconds, is_last
        self._owed = 0  # orders without their last answer
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._owed > 0

    def hand(self, order: object) -> None:
        """Give it something to do; a new process if there is none."""
        self._owed += 1
        self._process.hand(order)
        self._timer.start()

    def end(self) -> None:
        """End the process, whatever it is at; it starts again with the next order."""
        self._timer.stop()
        self._owed = 0
        self._process.end(waits=False)

    def _look(self) -> None:
        try:
            for answer in self._process.answers():
                self._owed -= self._is_last(answer)
                if not self._owed:
                    self._timer.stop()
                self.answered.emit(answer)  # may hand it the next order, or end it
                if not self._owed:
                    return
        except ProcessLost:
            self._give_up("took down the process it ran in")
            return
        if excess := self._process.excess:
            self._give_up(excess)
        elif self._seconds is not None and self._process.seconds > self._seconds:
            self._give_up(f"took more than {self._seconds:g} s")

    def _give_up(self, how: str) -> None:
        self.end()
        self.gave_up.emit(how)
