"""Ctrl-C where it must wait: while modules load, and while processes are started.

Raised in the middle of an import it may be swallowed there, or come out as another error.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType


@contextmanager
def held() -> Iterator[None]:
    """Let Ctrl-C wait to the end of a block; raises `KeyboardInterrupt` there.

    Does nothing outside the main thread, or where Ctrl-C means something else already.
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
def kept_from_children() -> Iterator[None]:
    """Keep Ctrl-C from processes that are started in a block, and to the end of it from this one.

    A terminal sends it to all; it is this one's to answer.
    """
    if not hasattr(signal, "pthread_sigmask"):
        with held():
            yield
        return
    with held():
        resource_tracker.ensure_running()  # it would let the signal through again as it starts
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
