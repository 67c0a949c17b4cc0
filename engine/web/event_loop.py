"""The event loop: waits that Ctrl-C ends, and garbage that is collected in its thread.

Qt waits in C++, where no handler of Python's runs, and what is raised in a slot is printed and
forgotten.  So Ctrl-C ends the loop between two events, never within one.

Python looks for garbage in whichever thread makes the object too many.  Where that is a thread of
a pool, windows, timers and sockets that nobody refers to any more are destroyed in it; Qt then
goes on to serve their timers in the thread they belonged to, and the process dies, minutes later
and somewhere else (PySide6 6.11: "Socket notifiers cannot be enabled or disabled from another
thread", then a segmentation fault in `QCoreApplication::notifyInternal2`).
"""

import gc
import time

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QTimer, Signal

from engine.errors import CaptureError
from engine.interrupts import STOPPED, defer_interrupts, waking

EVERY_MS = 500
FULL_S = 60.0
"""Seconds between passes over all objects, which take 50 ms in a window with a large page ..."""

GROWN = 1.25
"""... and are worth it where there are so many times as many as after the last, as in Python."""


def collect_here() -> None:
    """Collect garbage in this thread alone from now on, the application's; once a process.

    To be called before Python runs in another thread beside Qt.  Nothing happens where there is no
    application.
    """
    app = QCoreApplication.instance()
    if app is not None and gc.isenabled():
        gc.disable()
        _Collector(app)


class _Collector(QObject):
    """Timer that collects when there is enough by Python's own thresholds."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self._looked = time.monotonic()
        self._size = 0  # objects left by the last full collection
        timer = QTimer(self)
        timer.timeout.connect(self._check)
        timer.start(EVERY_MS)

    def _check(self) -> None:
        counts, thresholds = gc.get_count(), gc.get_threshold()
        if counts[2] > thresholds[2] and time.monotonic() - self._looked >= FULL_S:
            self._looked = time.monotonic()
            if len(gc.get_objects(generation=2)) > GROWN * self._size:
                gc.collect()
                self._size = len(gc.get_objects(generation=2))
                return
        for generation in (1, 0):
            if counts[generation] > thresholds[generation]:
                gc.collect(generation)
                return


class _Waker(QObject):
    """Ends all loops of its thread; asked from any other."""

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.asked.connect(self._end, Qt.ConnectionType.QueuedConnection)

    def _end(self) -> None:
        QCoreApplication.exit(STOPPED)


def wait_in(
    loop: QEventLoop | QCoreApplication,
    flags: QEventLoop.ProcessEventsFlag = QEventLoop.ProcessEventsFlag.AllEvents,
) -> int:
    """Run a loop until it is ended; return its status.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
        CaptureError: It was, and a loop around this one will report it.
    """
    waker = _Waker()
    with waking(waker.asked.emit), defer_interrupts():
        status = loop.exec() if isinstance(loop, QCoreApplication) else loop.exec(flags)
    if status == STOPPED:
        raise CaptureError("the program is closing")
    return status
