"""Runs work on many pages in a background thread: starts it, passes on its messages, stops it."""

import os
import threading
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QThreadPool, Signal

from annotate.datasets.cases import Key
from annotate.evaluation.run.run_progress import RunProgress
from annotate.evaluation.store.rows import ResultRow
from gui.widgets.jobs import JobLine

_END_MS = 20_000
"""So long a window that closes waits for the workers to end."""

MOST_JOBS = 6
"""Each worker has its own browser: some 300 MB."""


def jobs(pages: int) -> int:
    """Return the number of workers: one less than the processors, of which the window needs one."""
    return max(1, min((os.cpu_count() or 2) - 1, MOST_JOBS, pages))


class SignalWatcher(QObject):
    """A `annotate.evaluation.run.runner.Watcher`.

    Told by the run, on its thread; tells the window, on the window's.
    """

    said = Signal(str)
    state_changed = Signal(object)  # RunProgress
    taken = Signal(object, object)  # Key, its rows

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop = threading.Event()

    def say(self, line: str) -> None:
        """Pass on a sentence."""
        self.said.emit(line)

    def progressed(self, state: RunProgress) -> None:
        """Pass on how far it is."""
        self.state_changed.emit(state)

    def page_done(self, key: Key, rows: Sequence[ResultRow]) -> None:
        """Pass on a page's rows."""
        self.taken.emit(key, list(rows))

    def is_stopped(self) -> bool:
        """Whether to come to an end."""
        return self._stop.is_set()

    def stop(self) -> None:
        self._stop.set()


BackgroundWork = Callable[[SignalWatcher], object]
"""Evaluates and returns when done or stopped; raises `PageletError` where it cannot."""


class Running(QObject):
    """At most one run at a time."""

    said = Signal(str)
    progressed = Signal(object)  # RunProgress
    page_done = Signal(object, object)  # Key, rows
    finished = Signal(object)  # result of the work; before `ended`
    ended = Signal(str)  # reason of a failure, "" for none

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._line = JobLine(self)
        self._watcher: SignalWatcher | None = None
        self.was_stopped = False

    @property
    def is_running(self) -> bool:
        """Whether one is under way, or coming to its end."""
        return self._watcher is not None

    def start(self, work: BackgroundWork) -> None:
        """Start a run; nothing happens while one is running."""
        if self._watcher is not None:
            return
        self.was_stopped = False
        watcher = self._watcher = SignalWatcher(self)
        watcher.said.connect(self.said)
        watcher.state_changed.connect(self.progressed)
        watcher.taken.connect(self.page_done)
        self._line.start(partial(work, watcher), self._finish, self._pool)

    def stop(self) -> None:
        if self._watcher is not None:
            self.was_stopped = True
            self._watcher.stop()

    def drop(self) -> None:
        """Ask the run to end and ignore its further messages: it is of no use."""
        if self._watcher is not None:
            self.stop()
            self._watcher.blockSignals(True)

    def close(self) -> None:
        self.stop()
        self._pool.waitForDone(_END_MS)

    def _finish(self, value: object) -> None:
        is_error = isinstance(value, Exception)
        if not is_error:
            self.finished.emit(value)
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.deleteLater()
        self.ended.emit((str(value) or type(value).__name__) if is_error else "")
