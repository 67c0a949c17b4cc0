"""Processes that do one thing after the other for this one, and may die or hang at any of them.

Their work is a handler: a function from an order to its answer.  Who hands out orders decides how
long an answer may take, and what it means that there is none.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from multiprocessing import connection
from typing import Any, Generic, Self, TypeVar

from engine import memory
from engine.errors import PageletError
from engine.interrupts import hidden_from_children
from engine.processes.child import Child

log = logging.getLogger(__name__)

TICK_S = 0.3
"""How long to wait for answers before looking at the clock."""

_GRACE_S = 2.0
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")

Order = TypeVar("Order")
Answer = TypeVar("Answer")

Handler = Callable[[Any], Any]
"""Returns the answer to an order, or raises a `PageletError`, which is raised again here."""

Send = Callable[[object], None]
"""Sends a message ahead of the answer: how far the handler is."""

MakeHandler = Callable[..., AbstractContextManager[Handler]]
"""Called in the process with `Send` and the arguments of `WorkerProcess`; the handler lives as long
as the context."""


class ProcessLost(Exception):
    """The process ended without an answer; the message follows the task: "crashed …"."""


class ProcessTimeout(ProcessLost):
    """Process ended because it sent nothing for longer than allowed."""


class ProcessMemoryExceeded(ProcessLost):
    """Process ended because it used more memory than allowed."""


class WorkerProcess(Generic[Order, Answer]):
    """Process that starts with the first order, and again where it ended or has done enough.

    Args:
        make: Its work, a function of a module.
        arguments: Arguments of ``make`` after `Send`.
        most: After so many orders another process takes its place, before it grows.
    """

    def __init__(self, make: MakeHandler, *arguments: object, most: int | None = None) -> None:
        self._make, self._arguments, self._most = make, arguments, most
        self._orders = 0
        self._process: Child | None = None
        self._pipe: connection.Connection[Any, Any] | None = None
        self._since = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.end(waits=False)

    @property
    def pipe(self) -> "connection.Connection[Any, Any]":
        """Connection of its messages; for `multiprocessing.connection.wait`."""
        assert self._pipe is not None
        return self._pipe

    @property
    def seconds(self) -> float:
        """Time since its last order or message."""
        return time.monotonic() - self._since

    def hand(self, order: Order) -> None:
        """Submit an order; start a process if there is none."""
        if self._process is None or self._orders == self._most or not self._process.is_alive():
            self.end(waits=True)
            self._start()
        self._orders += 1
        self._since = time.monotonic()
        try:
            self.pipe.send(order)
        except OSError:
            log.debug("a process ended before it was given its order")  # messages() will report it

    def messages(self, limit: float | None = None) -> Iterator[tuple[bool, Any]]:
        """Yield its new messages, each with whether it is the answer to an order.

        Raises what the handler raised; `ProcessLost`, and has ended the process, where that has
        died, has too much memory, or has sent nothing for ``limit`` seconds.
        """
        try:
            while self.pipe.poll():
                is_answer, message = self.pipe.recv()
                self._since = time.monotonic()
                if is_answer and isinstance(message, PageletError):
                    raise message
                yield is_answer, message
        except (EOFError, OSError):
            cause = self._cause()
            self.end(waits=False)
            raise ProcessLost(f"crashed the process it ran in{cause}") from None
        if self._process is not None and memory.measure_used(self._process.pid) > memory.limit():
            self.end(waits=False)
            raise ProcessMemoryExceeded(memory.too_much())
        if limit is not None and self.seconds > limit:
            self.end(waits=False)
            raise ProcessTimeout(f"took more than {limit:g} s")

    def ask(self, order: Order, limit: float) -> Answer:
        """Return the answer to an order, when it has come; raises as `messages`."""
        self.hand(order)
        try:
            while True:
                connection.wait([self.pipe], TICK_S)
                for is_answer, message in self.messages(limit):
                    if is_answer:
                        answer: Answer = message
                        return answer
        except KeyboardInterrupt:
            self.end(waits=False)  # its answer would be taken for the next one's
            raise

    def close(self) -> None:
        """Ask the process to end after its order."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def end(self, *, waits: bool) -> None:
        """Ensure that the process has ended; ``waits`` lets an idle one close its browser first."""
        self.close()
        if self._process is not None:
            if waits:
                self._process.join(_GRACE_S)
            if self._process.is_alive():
                self._process.kill()
            self._process.join()
            self._process = None

    def _start(self) -> None:
        with _one_thread(), hidden_from_children():
            self._process = Child(_answer_orders, self._make, *self._arguments)
        self._pipe = self._process.pipe
        self._orders = 0

    def _cause(self) -> str:
        if self._process is None:
            return ""
        self._process.join(_GRACE_S)
        code = self._process.exitcode
        return "" if code is None else f" (signal {-code})" if code < 0 else f" (status {code})"


def _answer_orders(
    pipe: "connection.Connection[Any, Any]", make: MakeHandler, *arguments: object
) -> None:
    """Answer order after order until the pipe closes; the body of the process."""
    logging.basicConfig(level=logging.CRITICAL)  # errors go back as answers

    def send(message: object) -> None:
        pipe.send((False, message))

    with suppress(EOFError, BrokenPipeError), ExitStack() as stack:
        try:
            handle = stack.enter_context(make(send, *arguments))
        except PageletError as error:  # such as that there is no Qt
            handle = partial(_fail, error)
        while True:
            order = pipe.recv()
            try:
                answer = handle(order)
            except PageletError as error:
                answer = error
            pipe.send((True, answer))


def _fail(error: PageletError, _order: object) -> None:
    raise error


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
