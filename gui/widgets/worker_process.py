"""QtWorkerProcess: orders to another process, its answers on the GUI thread.

What is asked may take the process down that does it, or never come to an end: that costs the order
it was at, and the next one has a process again.
"""

from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import PageletError
from engine.processes.worker_process import MakeHandler, ProcessLost, WorkerProcess

_CHECK_MS = 60


class QtWorkerProcess(QObject):
    """A process polled while a result is due.

    Args:
        make, arguments: What it does and what that is given, as `WorkerProcess` has them.
        doing: What it does, for sentences: "rendering".
        most: After so many orders another process takes its place.
        seconds: What one answer may take; None for as long as it likes.
    """

    progressed = Signal(object)  # what was sent ahead of an answer
    answered = Signal(object)
    failed = Signal(str)  # why an order has no answer: "rendering took more than 60 s"

    def __init__(
        self,
        make: MakeHandler,
        *arguments: object,
        doing: str,
        most: int | None = None,
        seconds: float | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._process: WorkerProcess[Any, Any] = WorkerProcess(make, *arguments, most=most)
        self._doing, self._seconds = doing, seconds
        self._owed = 0  # answers
        self._timer = QTimer(self)
        self._timer.setInterval(_CHECK_MS)
        self._timer.timeout.connect(self._check)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._owed > 0

    def hand(self, order: object) -> None:
        """Submit a task; a new process if there is none."""
        self._owed += 1
        self._process.hand(order)
        self._timer.start()

    def end(self) -> None:
        """End the process, whatever it is at; it starts again with the next order."""
        self._settle(self._owed)
        self._process.end(waits=False)

    def _settle(self, count: int) -> None:
        self._owed -= count
        if not self._owed:
            self._timer.stop()

    def _check(self) -> None:
        try:
            for is_answer, message in self._process.messages(self._seconds):
                self._settle(int(is_answer))
                # Who hears of it may hand it the next order, or end it.
                (self.answered if is_answer else self.progressed).emit(message)
                if not self._owed:
                    return
        except PageletError as error:
            self._settle(1)
            self.failed.emit(str(error))
        except ProcessLost as error:
            self._settle(self._owed)
            self.failed.emit(f"{self._doing} {error}")
