"""Ctrl-C in the terminal that a window was started from.

Python runs a signal's handler between two of its own instructions, and an idle window runs none of
them: Qt waits in C++.  So the signal also writes a byte to a socket that Qt waits for.
"""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from PySide6.QtCore import QCoreApplication, QSocketNotifier

STOPPED = 130
"""Exit status of what Ctrl-C ended, as shells have it."""


@contextmanager
def ends_on_ctrl_c(app: QCoreApplication) -> Iterator[None]:
    """Let Ctrl-C end Qt's loop with status `STOPPED`, between two events and never within one.

    A second one, where the first has come to nothing because the window hangs, ends the program at
    once.  Does nothing where Ctrl-C means something else already.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    theirs, ours = socket.socketpair()
    theirs.setblocking(False)

    def note(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: app.exit(STOPPED))
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        notifier.setEnabled(False)
        ours.close()
        theirs.close()
