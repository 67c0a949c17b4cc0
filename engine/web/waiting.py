"""Event loops that Ctrl-C ends: between two events, never within one.

Qt waits in C++, where no handler of Python's runs, and what is raised in a slot is printed and
forgotten: the loop would go on.
"""

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, Signal

from engine.errors import CaptureError
from engine.interrupts import STOPPED, defer_interrupts, waking


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
