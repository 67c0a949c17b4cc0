"""Ctrl-C, and a request to end: where it must wait, and where nothing may keep it waiting.

Raised in the middle of an import `KeyboardInterrupt` may be swallowed there, or come out as another
error; raised in a slot of Qt's it is printed and forgotten.  So it waits while modules load, while
processes are started and while an event loop of Qt's runs (`defer_interrupts`), which is ended
for it (`waking`).  `ends_when_asked` makes the program end in time, whatever it is doing.
"""

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

MOST_S = 1.4
"""How long a program may take to end of itself once it is asked to."""

STOPPED, TERMINATED = 130, 143
"""Exit status of what Ctrl-C or SIGTERM ended, as shells have it."""

_wakers: list[Callable[[], None]] = []
_endings: list[Callable[[], None]] = []


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer Ctrl-C to the end of a block; raises `KeyboardInterrupt` there.

    Does nothing outside the main thread, or where Ctrl-C has another handler.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    came: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        came.append(number)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt


@contextmanager
def waking(wake: Callable[[], None]) -> Iterator[None]:
    """Call ``wake``, from another thread, when the program is asked to end within a block.

    For what waits outside of Python, where no handler runs.
    """
    _wakers.append(wake)
    try:
        yield
    finally:
        _wakers.remove(wake)


@contextmanager
def hidden_from_children() -> Iterator[None]:
    """Shield processes started in a block from Ctrl-C, and this one to the end of the block.

    A terminal sends it to all; it is this one's to answer.
    """
    if not hasattr(signal, "pthread_sigmask"):
        with defer_interrupts():
            yield
        return
    with defer_interrupts():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def before_ending(end: Callable[[], None]) -> Callable[[], None]:
    """Register a quick function to run if the program must end in the middle of its work."""
    _endings.append(end)
    return end


class EndRequest:
    """Whether the program has been asked to end; ``status`` is its exit status then, else 0."""

    def __init__(self) -> None:
        self.status = 0
        self._came = threading.Event()
        self._is_reported = threading.Lock()

    def come(self, status: int) -> None:
        self.status = status
        self._came.set()

    def has_come(self, seconds: float) -> bool:
        """Whether a stop was requested; the thread that receives it may be late."""
        return self._came.wait(seconds)

    def say(self) -> None:
        """Print, once, that the program stops."""
        if self._is_reported.acquire(blocking=False):
            with suppress(OSError):
                os.write(2, b"pagelet: stopped\n")  # past streams that others may have locked


@contextmanager
def ends_when_asked() -> Iterator[EndRequest]:
    """Raise `KeyboardInterrupt` on Ctrl-C and SIGTERM in a block; end the program if that is late.

    Also where it was started with these ignored, as a shell's background jobs are: somebody who
    sends a signal means it.  Another thread hears of it however busy this one is, and ends the
    program after `MOST_S`.  Does nothing outside the main thread, or where Ctrl-C means something
    else already.
    """
    request = EndRequest()
    usual = (signal.default_int_handler, signal.SIG_IGN)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) not in usual:
        yield request
        return

    def terminate(number: int, frame: FrameType | None) -> None:
        handler = signal.getsignal(signal.SIGINT)  # possibly that of `defer_interrupts`
        if callable(handler):
            handler(number, frame)

    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    threading.Thread(target=_watch, args=(ours, request), daemon=True).start()
    fd = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    before_term = signal.signal(signal.SIGTERM, terminate)
    try:
        yield request
    finally:
        signal.signal(signal.SIGTERM, before_term)
        signal.signal(signal.SIGINT, before)
        signal.set_wakeup_fd(fd)
        theirs.close()  # without a request the watch is over


def _watch(ours: socket.socket, request: EndRequest) -> None:
    """Wait for a signal; wake the waiting loops, and end the program where they do not."""
    statuses = {signal.SIGINT: STOPPED, signal.SIGTERM: TERMINATED}
    with ours:
        while came := ours.recv(1):
            status = statuses.get(came[0])  # type: ignore[call-overload]
            if status is not None:
                break
        else:
            return
    request.come(status)
    timer = threading.Timer(MOST_S, _end, args=(request,))
    timer.daemon = True
    timer.start()
    for wake in tuple(_wakers):
        with suppress(RuntimeError):  # its event loop was deleted in the meantime
            wake()


def _end(request: EndRequest) -> None:
    saying = threading.Thread(target=request.say, daemon=True)  # there may be no reader
    saying.start()
    for end in tuple(_endings):
        with suppress(Exception):
            end()
    saying.join(0.1)
    os._exit(request.status)
