"""Workers that run foreign code: one library or plugin, one request after another.

Each has a time limit, and is then killed with everything it started.  A fault becomes a
`MethodError` with one sentence: took too long, died (by which signal, with which last words), or
the error that the library raised.
"""

import atexit
import contextlib
import importlib
import json
import os
import pickle
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import connection
from typing import Any, BinaryIO, TypeVar, cast

from engine import memory
from engine.errors import MethodError, MethodTimeout, PageletError
from engine.processes import descendants
from engine.processes.child import Child
from engine.processes.commands import LAST_WORDS
from engine.processes.groups import end_group, how_it_ended
from engine.processes.messages import MessagePipe, NoMessage

START_SECONDS = 60.0
"""How long a worker may take to import its library, on a busy machine."""

_KILL_SECONDS = 2.0
_MOST_CHARS = 400

Answers = Callable[[Any], dict[str, Any]]
"""From a request to what JSON can hold; a member ``error`` is raised as a `MethodError`."""


Answer = tuple[bytes, str | None]
"""JSON; and what is its member ``text`` where that is a text, None where there is none."""


@dataclass(frozen=True)
class Utf8:
    """A text in UTF-8, at the end of a request; who answers is given the text."""

    data: bytes


class ForeignWorker:
    """Process that holds a library or plugin and answers one request after another.

    It starts with the first request, and again after it died or was killed.  Any thread may ask;
    requests wait for each other.  A request is pickled; answers of foreign code are JSON, and a
    text beside it.  Its output goes to standard error and cannot garble answers.

    Args:
        module: Module imported in the process; its function ``load(name)`` gives `Answers`.
        name: Argument of ``load``.
    """

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: connection.Connection[Any, Any] | None = None
        self._messages: MessagePipe | None = None
        self._errors: BinaryIO | None = None
        self._watchdog: _Watchdog | None = None
        self._owner = 0

    @property
    def process_id(self) -> int | None:
        """The id of the running process; None while there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def ask(self, request: object, seconds: float) -> dict[str, Any]:
        """Return the answer; raises `MethodError`, or `MethodTimeout` and starts another."""
        return _answer_in(self.exchange(request, seconds))

    def prepare(self) -> None:
        """Start the process unless there is one; raises `MethodError` where it cannot load."""
        with self._lock:
            if self._owner != os.getpid() or self.process_id is None:
                self._start()

    def exchange(self, request: object, seconds: float) -> Answer:
        """Return an answer as it came; raises as `ask`."""
        with self._lock:
            if self._owner != os.getpid() or self.process_id is None:
                self._start()
            return self._exchange(request, seconds)

    def close(self) -> None:
        """End the process; the next request starts another."""
        with self._lock:
            self._stop()

    def _start(self) -> None:
        self._stop()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (open as long as the process)
        self._forgotten = weakref.finalize(self, self._errors.close)
        self._owner = os.getpid()
        self._launch(self._errors)

    def _launch(self, errors: BinaryIO) -> None:
        child = Child(_answer_requests, errors=errors)
        self._process, self._pipe = child.process, child.pipe
        self._messages = MessagePipe(child.pipe)
        self._load((self._module, self._name))

    def _load(self, request: object) -> None:
        """Import the module in a process that has just started; raises `MethodError`."""
        try:
            _answer_in(self._exchange(request, START_SECONDS))
        except MethodError:
            self._stop()
            raise

    def _send(self, request: object) -> None:
        assert self._messages is not None
        head, text = _parts_of(request)
        self._messages.send(pickle.dumps(head, pickle.HIGHEST_PROTOCOL), text)

    def _receive(self) -> Answer | None:
        """Return an answer; None or `EOFError` where there is none."""
        assert self._messages is not None
        answer, text = self._messages.receive()
        return bytes(answer), None if text is None else str(text, "utf-8", "surrogatepass")

    def _exchange(self, request: object, seconds: float) -> Answer:
        process, errors = self._process, self._errors
        assert process is not None
        assert errors is not None
        watchdog = self._watchdog = self._watchdog or _Watchdog(process)
        errors.seek(0)
        errors.truncate()  # output for earlier documents
        watchdog.begin(seconds)
        answer: Answer | None = None
        try:
            self._send(request)
            answer = self._receive()
        except NoMessage:
            self._stop()
            raise MethodError("wrote something else into the pipe of its answers") from None
        except (EOFError, OSError):
            pass  # died or killed: no answer
        except BaseException:  # such as Ctrl-C: its answer would be read as the next one's
            self._stop()
            raise
        finally:
            killed_for = watchdog.end()
        if answer is not None:
            return answer
        if killed_for is not None:
            self._stop()
            raise killed_for
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_KILL_SECONDS)  # its pipes close shortly before it ends
        end_group(process)
        errors.seek(0)
        words = errors.read()[-LAST_WORDS:]
        self._stop()
        raise MethodError(how_it_ended(process.returncode, words))

    def _stop(self) -> None:
        process, self._process = self._process, None
        pipe, self._pipe, self._messages = self._pipe, None, None
        watchdog, self._watchdog = self._watchdog, None
        if process is not None and self._owner == os.getpid():
            if watchdog is not None:  # the thread belongs to this process too
                watchdog.close()
            end_group(process)
            for each in (process.stdin, process.stdout, pipe):
                if each is not None:
                    with contextlib.suppress(OSError):  # the output has no reader
                        each.close()
        if self._errors is not None:
            self._forgotten()
            self._errors = None


def _answer_in(received: Answer) -> dict[str, Any]:
    data, text = received
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise MethodError("its answer cannot be read: something else writes in its place")
    if "error" in answer:
        raise MethodError(str(answer["error"]))
    return answer if text is None else {**answer, "text": text}


class _Watchdog:
    """Watchdog that kills a process whose request takes too long or too much memory.

    One thread for all its requests, which wakes now and then while there are any: to start a thread
    for each, or to wake it for each, takes as long as a quick library does for a page.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._changed = threading.Condition()
        self._limit: float | None = None
        self._seconds = 0.0
        self._is_asleep = self._is_closed = False
        self._killed_for: MethodError | None = None
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, seconds: float) -> None:
        """Start the time limit of a request."""
        with self._changed:
            self._seconds, self._limit = seconds, time.monotonic() + seconds
            if self._is_asleep or seconds < memory.TICK_S:
                self._changed.notify()

    def end(self) -> MethodError | None:
        """Record the end of a request; return why it was ended, None if it was not."""
        with self._changed:
            self._limit = None
            return self._killed_for

    def close(self) -> None:
        """Stop watching the process."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _watch(self) -> None:
        with self._changed:
            while not self._is_closed:
                limit = self._limit
                self._is_asleep = limit is None
                left = self._seconds if limit is None else limit - time.monotonic()
                if limit is not None and left <= 0:
                    self._killed_for = MethodTimeout(f"took longer than {self._seconds:g} s")
                elif self._seconds - left >= memory.TICK_S and memory.is_over(self._process.pid):
                    self._killed_for = MethodError(memory.too_much())
                if self._killed_for is not None:
                    end_group(self._process)
                    return
                self._changed.wait(None if self._is_asleep else min(left, memory.TICK_S))


AnyWorker = TypeVar("AnyWorker", bound=ForeignWorker)

_WORKERS: dict[tuple[str, ...], ForeignWorker] = {}
_WORKERS_LOCK = threading.Lock()


def worker_for(module: str, name: str) -> ForeignWorker:
    """Return the one worker of a library or plugin."""
    return shared_worker((module, name), lambda: ForeignWorker(module, name))


def shared_worker(key: tuple[str, ...], make: Callable[[], AnyWorker]) -> AnyWorker:
    """Return the one worker with a key, made where there is none yet."""
    with _WORKERS_LOCK:
        if key not in _WORKERS:
            _WORKERS[key] = make()
        return cast(AnyWorker, _WORKERS[key])


def close_worker(module: str, name: str) -> None:
    """End the one worker of a library or plugin, if there is one; the next is another."""
    with _WORKERS_LOCK:
        worker = _WORKERS.pop((module, name), None)
    if worker is not None:
        worker.close()


@atexit.register
def close_workers() -> None:
    """End all workers."""
    with _WORKERS_LOCK:
        for each in _WORKERS.values():
            each.close()


# In the worker process ---------------------------------------------------------------------


def _answer_requests(pipe: "connection.Connection[Any, Any]") -> None:
    """Load the module of the first request, then answer until the other side closes."""
    descendants.adopt_orphans()  # orphans of its children end with it
    messages = MessagePipe(pipe)
    module, name = _received(messages)
    try:
        answer: Answers = importlib.import_module(module).load(name)
    except BaseException as error:  # noqa: BLE001  (sys.exit too: any failure is reported)
        sentence = f"it cannot be loaded ({type(error).__name__}: {error})"
        messages.send(json.dumps({"error": sentence}).encode())
        return
    messages.send(b"{}")
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            messages.send(*_answered(answer, _received(messages)))


def _received(messages: MessagePipe) -> Any:  # noqa: ANN401
    head, text = messages.receive()
    return _joined(pickle.loads(head), text)


def _answered(answer: Answers, request: object) -> tuple[bytes, bytes | None]:
    try:
        result = answer(request)
        text = result.get("text")
        if type(text) is str:
            result = {key: value for key, value in result.items() if key != "text"}
            return _as_json(result), text.encode("utf-8", "surrogatepass")
        return _as_json(result), None
    except Exception as error:  # noqa: BLE001  (somebody else's code may raise anything)
        return json.dumps({"error": in_a_line(error)[:_MOST_CHARS]}).encode(), None


def _as_json(value: object) -> bytes:
    words = json.dumps(value, ensure_ascii=False)
    return words.encode("utf-8", "surrogatepass")  # which `json.loads` takes, too


# On both sides -----------------------------------------------------------------------------


def with_text(request: Any) -> Any:  # noqa: ANN401
    """Return a request with a text at its end where it has `Utf8` there."""
    return _joined(*_parts_of(request))


def _parts_of(request: object) -> tuple[object, bytes | None]:
    if isinstance(request, tuple) and request and isinstance(request[-1], Utf8):
        return request[:-1], request[-1].data
    return request, None


def _joined(request: Any, text: bytes | memoryview | None) -> Any:  # noqa: ANN401
    return request if text is None else (*request, str(text, "utf-8", "surrogatepass"))


def in_a_line(error: BaseException) -> str:
    """Return an error in a line; its cause where it has no message."""
    words = " ".join(str(error).split())
    if isinstance(error, PageletError):
        return words
    cause = error.__cause__ or error.__context__
    if not words and cause is not None:
        words = in_a_line(cause)
    name = type(error).__name__
    return f"{name}: {words}" if words else name
