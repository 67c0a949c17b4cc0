"""Calls on pool threads, answers on the GUI thread: Task for the last one, JobLine for many."""

import contextlib
import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal

from engine.web.event_loop import collect_here

log = logging.getLogger(__name__)


class QueuedCall:
    """A call of a `JobLine`."""

    def __init__(self, work: Callable[[], Any], on_done: Callable[[Any], object]) -> None:
        self.work: Callable[[], Any] | None = work
        self.on_done: Callable[[Any], object] | None = on_done

    def cancel(self) -> None:
        """Drop the answer; the call is not made if it has not begun."""
        self.work = self.on_done = None


class JobLine(QObject):
    """Makes calls on pools; their answers are handed on as they are there, together.

    A signal for each would cost more than a short call itself: .8 ms to connect it, and for each
    answer the window's thread waits for the interpreter's lock.  A call goes on to its end (a
    Python thread cannot be stopped); it is kept until then, so that what it refers to is let go of
    on the window's thread.
    """

    handed_on = Signal()  # all answers available so far
    _answered = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers: deque[tuple[QueuedCall, Any]] = deque()
        self._answered.connect(self._hand_on, Qt.ConnectionType.QueuedConnection)

    def start(
        self,
        work: Callable[[], Any],
        on_done: Callable[[Any], object],
        pool: QThreadPool | None = None,
    ) -> QueuedCall:
        """Queue a call; ``on_done`` gets what it returned, or the `Exception` it raised."""
        collect_here()
        call = QueuedCall(work, on_done)
        line = _LineTask(call, self._answers, self._answered)
        (pool or QThreadPool.globalInstance()).start(line)
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
        except Exception as error:  # noqa: BLE001  (one of two places: a crash becomes a result)
            answer = error
        del work
        self._answers.append((self._call, answer))
        with contextlib.suppress(RuntimeError):  # the line went with its window
            self._answered.emit()


class Task(QObject):
    """Background tasks of a parent object: the one call asked for last.

    The answer of a call whose place another has taken is dropped, as it is when the parent goes.

    Args:
        parent: Whose task it is.
        in_line: Whether its calls wait for each other; they wait for nothing else.
    """

    def __init__(self, parent: QObject, *, in_line: bool = False) -> None:
        super().__init__(parent)
        one = QThreadPool(self, maxThreadCount=1) if in_line else None
        self._pool = one or QThreadPool.globalInstance()
        self._line = JobLine(self)
        self._call: QueuedCall | None = None

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._call is not None

    def start(
        self,
        work: Callable[[], Any],
        on_done: Callable[[Any], object],
        on_failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Queue a call; ``on_done`` gets what it returned, ``on_failed`` what it raised."""
        self.cancel()
        answer = partial(self._answer, on_done, on_failed or _log_failure)
        self._call = self._line.start(work, answer, self._pool)

    def cancel(self) -> None:
        """Drop the answer that is still to come; the call is made all the same."""
        if self._call is not None:
            self._call.on_done = None
            self._call = None

    def _answer(
        self,
        on_done: Callable[[Any], object],
        on_failed: Callable[[Exception], object],
        value: Any,  # noqa: ANN401
    ) -> None:
        self._call = None
        (on_failed if isinstance(value, Exception) else on_done)(value)


def _log_failure(error: Exception) -> None:
    log.warning("a computation in the background failed", exc_info=error)
