"""QtWorkerProcess and PageQueue: orders to another process, its answers on the GUI thread.

What is asked may take the process down that does it, or never come to an end: that costs the order
it was at, and the next one has a process again.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

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

    progressed = Signal(object)  # message sent before the answer
    answered = Signal(object)
    failed = Signal(str)  # reason of a failed order: "rendering took more than 60 s"

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
        self._timer = QTimer(self, interval=_CHECK_MS)
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


class PageQueue(QObject):
    """Orders, one a page, that a process answers one after the other.

    One that fails is left out.  The process, and the browser in it, end with the last order.

    Attributes:
        current: The order that is being answered; None for none.
    """

    begun = Signal(object)  # order
    answered = Signal(object, object)  # order, its answer
    failed = Signal(object, str)  # order, why it has no answer
    ended = Signal()  # the queue is empty; not after `stop`

    def __init__(
        self,
        make: MakeHandler,
        *arguments: object,
        doing: str,
        most: int,
        seconds: float,
        parent: QObject,
    ) -> None:
        """Take arguments as `QtWorkerProcess` does."""
        super().__init__(parent)
        self.current: Any = None
        self._waiting: deque[object] = deque()
        self._worker = QtWorkerProcess(
            make, *arguments, doing=doing, most=most, seconds=seconds, parent=self
        )
        self._worker.answered.connect(lambda answer: self._hand_on(self.answered, answer))
        self._worker.failed.connect(lambda why: self._hand_on(self.failed, why))

    def __len__(self) -> int:
        """Return the number of orders that are not begun."""
        return len(self._waiting)

    @property
    def is_busy(self) -> bool:
        """Whether orders are being answered."""
        return self.current is not None

    def start(self, orders: Iterable[object]) -> None:
        """Answer these orders, in place of those that are left."""
        self.stop()
        self._waiting.extend(orders)
        self._next()

    def stop(self) -> None:
        """Drop all orders, and end the process."""
        self._waiting.clear()
        self.current = None
        self._worker.end()

    def _next(self) -> None:
        if not self._waiting:
            self.stop()
            self.ended.emit()
            return
        self.current = self._waiting.popleft()
        self.begun.emit(self.current)
        self._worker.hand(self.current)

    def _hand_on(self, signal: SignalInstance, value: object) -> None:
        order = self.current
        signal.emit(order, value)
        if self.current is order:  # else a receiver has stopped or restarted it
            self._next()
