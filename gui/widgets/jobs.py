"""Calls on pool threads, answers on the GUI thread: Job for one, Task one by one, JobLine many."""

import contextlib
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal

from engine.web.garbage import collect_here

log = logging.getLogger(__name__)


class Job(QObject):
    """Runs ``work()`` on the pool; emits `done` or `failed` exactly once, on its own thread.

    A job that was cancelled emits nothing: the call goes on to its end (a Python thread cannot be
    stopped), its answer is dropped.
    """

    done = Signal(object)  # what work() returned
    failed = Signal(object)  # Exception
    _answered = Signal(bool, object)

    def __init__(self, work: Callable[[], Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._is_cancelled = False
        self._answered.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def start(self, pool: QThreadPool | None = None) -> None:
        collect_here()
        (pool or QThreadPool.globalInstance()).start(_JobTask(self._work, self._answered))

    def cancel(self) -> None:
        """Drop the answer."""
        self._is_cancelled = True

    def _answer(self, is_ok: bool, value: object) -> None:
        if not self._is_cancelled:
            (self.done if is_ok else self.failed).emit(value)
        self.deleteLater()


class _JobTask(QRunnable):
    def __init__(self, work: Callable[[], Any], answered: Any, *call: int) -> None:  # noqa: ANN401
        super().__init__()
        self._work: Callable[[], Any] | None = work
        self._answered, self._call = answered, call

    def run(self) -> None:
        # The job keeps the call, so that what it refers to is let go of on the job's thread.
        work, self._work = self._work, None
        assert work is not None
        try:
            answer = (True, work())
        except Exception as error:  # noqa: BLE001  (one of three places: a crash becomes a result)
            answer = (False, error)
        del work
        with contextlib.suppress(RuntimeError):  # the job went with its window
            self._answered.emit(*self._call, *answer)


class Task(QObject):
    """Background tasks of a parent object: the one call asked for last.

    The answer of a call whose place another has taken is dropped, as it is when the parent goes.

    Args:
        parent: Whose task it is.
        in_line: Its calls wait for each other, and for nothing else that is going on.
    """

    _answered = Signal(int, bool, object)

    def __init__(self, parent: QObject, *, in_line: bool = False) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self) if in_line else QThreadPool.globalInstance()
        if in_line:
            self._pool.setMaxThreadCount(1)
        self._number = 0  # of the last call
        self._calls: dict[int, tuple[Callable[..., Any], ...]] = {}
        self._is_busy = False
        self._answered.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._is_busy

    def start(
        self,
        work: Callable[[], Any],
        on_done: Callable[[Any], object],
        on_failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Queue a call; ``on_done`` gets what it returned, ``on_failed`` what it raised."""
        collect_here()
        self._number += 1
        self._is_busy = True
        # Kept until it is answered, so that what it refers to is let go of on this thread.
        self._calls[self._number] = work, on_done, on_failed or _log_failure
        self._pool.start(_JobTask(work, self._answered, self._number))

    def cancel(self) -> None:
        """Drop the answer that is still to come."""
        self._is_busy = False

    def _answer(self, number: int, is_ok: bool, value: object) -> None:
        _, on_done, on_failed = self._calls.pop(number)
        if self._is_busy and number == self._number:
            self._is_busy = False
            (on_done if is_ok else on_failed)(value)


def _log_failure(error: Exception) -> None:
    log.warning("a computation in the background failed", exc_info=error)


class QueuedCall:
    """A call of a `JobLine`."""

    def __init__(self, work: Callable[[], Any], on_done: Callable[[Any], None]) -> None:
        self.work: Callable[[], Any] | None = work
        self.on_done: Callable[[Any], None] | None = on_done

    def cancel(self) -> None:
        """Drop the answer; the call is not made if it has not begun."""
        self.work = self.on_done = None


class JobLine(QObject):
    """Makes many short calls on pools; their answers are handed on as they are there, together.

    A `Job` of its own for each would cost more than a short call itself: .8 ms to connect it, and
    for each answer the window's thread waits for the interpreter's lock.
    """

    handed_on = Signal()  # some answers, all that were there
    _answered = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers: deque[tuple[QueuedCall, Any]] = deque()
        self._answered.connect(self._hand_on, Qt.ConnectionType.QueuedConnection)

    def start(
        self, work: Callable[[], Any], on_done: Callable[[Any], None], pool: QThreadPool
    ) -> QueuedCall:
        """Queue a call; ``on_done`` gets what it returned, or the `Exception` it raised."""
        collect_here()
        call = QueuedCall(work, on_done)
        pool.start(_LineTask(call, self._answers, self._answered))
        return call

    def _hand_on(self) -> None:
        if not self._answers:
            return
        while self._answers:
            call, value = self._answers.popleft()
            if call.on_done is not None:
                call.on_done(value)
            call.cancel()
        self.handed_on.emit()


class _LineTask(QRunnable):
    def __init__(
        self,
        call: QueuedCall,
        answers: deque[tuple[QueuedCall, Any]],
        answered: Any,  # noqa: ANN401
    ) -> None:
        super().__init__()
        self._call, self._answers, self._answered = call, answers, answered

    def run(self) -> None:
        work = self._call.work
        if work is None:
            return
        answer: Any
        try:
            answer = work()
        except Exception as error:  # noqa: BLE001  (a crash becomes a result)
            answer = error
        self._answers.append((self._call, answer))
        with contextlib.suppress(RuntimeError):  # the line went with its window
            self._answered.emit()
