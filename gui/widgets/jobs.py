"""Job: one call on a pool thread, one answer on the GUI thread."""

import contextlib
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal

from engine.web.garbage import collect_here


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
        """Queue the call."""
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
    def __init__(self, work: Callable[[], Any], answered: Any) -> None:  # noqa: ANN401
        super().__init__()
        self._work: Callable[[], Any] | None = work
        self._answered = answered

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
            self._answered.emit(*answer)
