"""Processes that do one thing after the other for this one, and may die or hang at any of them.

What they do is a function that takes orders from a pipe and answers.  Who hands them out decides
how long an answer may take, and what it means that there is none.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection
from typing import Any, Generic, TypeVar

from engine import memory
from engine.interrupts import kept_from_children
from engine.processes.child import Child

log = logging.getLogger(__name__)

TICK_S = 0.3
"""How long to wait for answers before looking at the clock."""

_GRACE_S = 2.0
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")

Order = TypeVar("Order")
Answer = TypeVar("Answer")


class ProcessLost(Exception):
    """The process has ended; the message says how, as in "(signal 9)", "" where nobody knows."""


class WorkerProcess(Generic[Order, Answer]):
    """A process, started with the first order, and anew where it ended or has done enough.

    Args:
        serve: What it does, a function of a module: takes orders from its end of a pipe until that
            closes.  It should call `child.settle_in` first.
        arguments: What ``serve`` is given behind the pipe.
        most: After so many orders another process takes its place, before it grows.
    """

    def __init__(
        self, serve: Callable[..., None], *arguments: object, most: int | None = None
    ) -> None:
        self._serve, self._arguments, self._most = serve, arguments, most
        self._orders = 0
        self._process: Child | None = None
        self._pipe: connection.Connection[Any, Any] | None = None
        self._since = 0.0

    @property
    def pipe(self) -> "connection.Connection[Any, Any]":
        """Where its answers come from; for `multiprocessing.connection.wait`."""
        assert self._pipe is not None
        return self._pipe

    @property
    def excess(self) -> str:
        """What it has done, in words, where it has more memory than a process may take; else ""."""
        has = 0 if self._process is None else memory.used(self._process.pid)
        return memory.too_much() if has > memory.limit() else ""

    @property
    def seconds(self) -> float:
        """Time since its last order or answer."""
        return time.monotonic() - self._since

    def hand(self, order: Order) -> None:
        """Give it something to do; a new process if there is none."""
        if self._process is None or self._orders == self._most or not self._process.is_alive():
            self.end(waits=True)
            self._start()
        self._orders += 1
        self._since = time.monotonic()
        try:
            self.pipe.send(order)
        except OSError:
            log.debug("a process ended before it was given its order")  # answers() will say so

    def answers(self) -> Iterator[Answer]:
        """Yield what it has said since; raises `ProcessLost` where it will say no more."""
        try:
            while self.pipe.poll():
                answer: Answer = self.pipe.recv()
                self._since = time.monotonic()
                yield answer
        except (EOFError, OSError):
            raise ProcessLost(self._cause()) from None

    def close(self) -> None:
        """Ask it to end, once it is done with its order."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def end(self, *, waits: bool) -> None:
        """See to it that it has ended; ``waits`` lets an idle one close its browser first."""
        self.close()
        if self._process is not None:
            if waits:
                self._process.join(_GRACE_S)
            if self._process.is_alive():
                self._process.kill()
            self._process.join()
            self._process = None

    def _start(self) -> None:
        with _one_thread(), kept_from_children():
            self._process = Child(self._serve, *self._arguments)
        self._pipe = self._process.pipe
        self._orders = 0

    def _cause(self) -> str:
        if self._process is None:
            return ""
        self._process.join(_GRACE_S)
        code = self._process.exitcode
        return "" if code is None else f" (signal {-code})" if code < 0 else f" (status {code})"


@contextmanager
def _one_thread() -> Iterator[None]:
    """Make processes that are started meanwhile multiply matrices in one thread each.

    There are as many processes as the user wants processors to be busy.
    """
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
