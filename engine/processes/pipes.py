"""Processes under control: a command run once, and workers that answer again and again.

Both have a time limit, both are killed with everything they started when it is over, and what goes
wrong becomes a `MethodError` that says it in a sentence: could not be started, took too long, died
(by which signal, with which last words), answered too much.
"""

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from engine import interpreter
from engine.errors import MethodError, MethodTimeout
from engine.interrupts import before_ending
from engine.processes import descendants, worker
from engine.processes.worker import read_message, write_message

if sys.platform.startswith("linux"):
    import fcntl

MOST_BYTES = 64_000_000
"""Longest answer that is read."""

START_SECONDS = 60.0
"""How long a worker may take to import its library, on a busy machine."""

_PIPE_BYTES = 1 << 20
"""As large as anybody may have them."""

_KILL_SECONDS = 2.0
_LAST_WORDS = 2_000


def run_command(
    words: Sequence[str],
    data: bytes,
    seconds: float,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """Run a command once: ``data`` on standard input; return its standard output.

    It runs in ``folder`` and ``environment``; None takes Pagelet's own.

    Raises `MethodTimeout` after ``seconds``, and `MethodError` where it cannot be started, ends
    with a status other than 0 or prints more than `MOST_BYTES`.
    """
    process = start_command(words, folder, environment, subprocess.PIPE)
    output, errors = (
        _PipeReader(process.stdout, MOST_BYTES),
        _PipeReader(process.stderr, _LAST_WORDS, True),
    )
    threading.Thread(target=_feed, args=(process.stdin, data), daemon=True).start()
    try:
        # Reading comes first: a command that fills its pipe waits until someone reads.
        output.join(seconds)
        if output.is_alive():
            raise MethodTimeout(f"took longer than {seconds:g} s")
        if output.is_full:
            raise MethodError(f"printed more than {MOST_BYTES // 1_000_000} MB")
        try:
            status = process.wait(_KILL_SECONDS)
        except subprocess.TimeoutExpired:
            raise MethodTimeout("did not end after its answer") from None
    finally:
        _kill(process)
        errors.join(_KILL_SECONDS)
    if status:
        raise MethodError(_ended(status, errors.data))
    return output.data


def start_command(
    words: Sequence[str],
    folder: Path | None,
    environment: Mapping[str, str] | None,
    errors: BinaryIO | int,
) -> "subprocess.Popen[bytes]":
    """Start a command with pipes, and `errors` for what it complains; raises `MethodError`."""
    try:
        return _start_kept(list(words), folder, environment, errors)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise MethodError(f"{words[0]} cannot be started: {reason}") from None


def _start_kept(
    words: list[str],
    folder: Path | None,
    environment: Mapping[str, str] | None,
    errors: BinaryIO | int,
) -> "subprocess.Popen[bytes]":
    """Start a command below a keeper (`engine.processes.descendants`), where there are such.

    The keeper takes some 15 ms more to start.  Raises `OSError` or `ValueError`.
    """
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    pipes["stderr"] = errors
    where: dict[str, Any] = {"cwd": folder, "env": environment, **pipes}
    if not descendants.IS_POSSIBLE:
        return subprocess.Popen(words, **where, **_own_group())
    ours, theirs = os.pipe()
    with os.fdopen(ours, "rb") as told:
        try:
            keeper = [sys.executable, "-I", "-S", str(descendants.__file__), str(theirs)]
            process = subprocess.Popen(
                [*keeper, *words], pass_fds=(theirs,), **where, **_own_group()
            )
        finally:
            os.close(theirs)
        reason = told.read().decode("utf-8", "replace")  # closed when the command has started
    if reason:
        process.communicate()
        raise OSError(0, reason)
    return process


class _PipeReader(threading.Thread):
    """Reads a pipe to its end: the first ``most`` bytes, or the last ones and never stops."""

    def __init__(self, pipe: Any, most: int, keeps_last: bool = False) -> None:  # noqa: ANN401
        super().__init__(daemon=True)
        self._pipe, self._most, self._keeps_last = pipe, most, keeps_last
        self._parts: list[bytes] = []
        self.is_full = False
        self.start()

    @property
    def data(self) -> bytes:
        return b"".join(self._parts)

    def run(self) -> None:
        size = 0
        with self._pipe as pipe:
            while part := pipe.read1(65536):
                if self._keeps_last:
                    self._parts = [(self.data + part)[-self._most :]]
                    continue
                size += len(part)
                if size > self._most:
                    self.is_full = True
                    return
                self._parts.append(part)


def _feed(pipe: Any, data: bytes) -> None:  # noqa: ANN401
    try:
        with pipe:
            pipe.write(data)
    except OSError:
        pass  # the command did not want to read all of it: that is its right


_every: "weakref.WeakSet[Worker]" = weakref.WeakSet()


class Worker:
    """One process that holds a library or plugin and answers one request after another.

    It starts with the first request, and again after it died or was killed.  Any thread may ask;
    requests wait for each other.

    Args:
        module: What is imported in the process; its function ``load(name)`` gives what answers.
        name: Handed to ``load``.
    """

    def __init__(self, module: str, name: str) -> None:
        self._wanted = {"module": module, "name": name}
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: BinaryIO | None = None
        self._owner = 0
        _every.add(self)

    @property
    def process_id(self) -> int | None:
        """The id of the running process; None while there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def ask(self, request: bytes, seconds: float) -> bytes:
        """Return the answer; raises `MethodTimeout` or `MethodError`, after which it is new."""
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
        self._owner = os.getpid()
        self._process = self._launch(self._errors)
        self._greet()

    def _launch(self, errors: BinaryIO) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            interpreter.python(str(worker.__file__)),
            env=interpreter.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            **_own_group(),
        )
        _widen(process.stdin)
        return process

    def _send(self, stream: BinaryIO, request: bytes) -> None:
        write_message(stream, request)

    def _receive(self, stream: BinaryIO) -> bytes | None:
        return read_message(stream)

    def _greet(self) -> None:
        """Say what to load."""
        first = json.dumps({**self._wanted, "path": interpreter.absolute(sys.path)}).encode()
        said = json.loads(self._exchange(first, START_SECONDS))
        if "error" in said:
            self._stop()
            raise MethodError(said["error"])

    def _exchange(self, request: bytes, seconds: float) -> bytes:
        process, errors = self._process, self._errors
        assert process is not None
        assert errors is not None
        assert process.stdin is not None
        assert process.stdout is not None
        errors.seek(0)
        errors.truncate()  # what was printed for earlier documents
        limit = _Limit(process, seconds)
        answer: bytes | None = None
        try:
            self._send(process.stdin, request)  # type: ignore[arg-type]
            answer = self._receive(process.stdout)  # type: ignore[arg-type]
        except OSError:
            pass  # it has died, or was killed: there is no answer
        finally:
            is_late = limit.lift()
        if answer is not None:
            return answer
        if is_late:
            self._stop()
            raise MethodTimeout(f"took longer than {seconds:g} s")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_KILL_SECONDS)  # its pipes close some moments before it has ended
        _kill(process)
        errors.seek(0)
        words = errors.read()[-_LAST_WORDS:]
        self._stop()
        raise MethodError(_ended(process.returncode, words))

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            _kill(process)
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    _close(pipe)
        if self._errors is not None:
            self._errors.close()
            self._errors = None


class _Limit:
    """Kills a process after some seconds, unless lifted before; never both."""

    def __init__(self, process: "subprocess.Popen[bytes]", seconds: float) -> None:
        self._process = process
        self._lock = threading.Lock()
        self._is_over = self._is_lifted = False
        self._timer = threading.Timer(seconds, self._kill)
        self._timer.daemon = True
        self._timer.start()

    def lift(self) -> bool:
        """Let the process be; return whether that was too late."""
        with self._lock:
            self._is_lifted = True
        self._timer.cancel()
        return self._is_over

    def _kill(self) -> None:
        with self._lock:
            if not self._is_lifted:
                self._is_over = True
                _kill(self._process)


def _widen(pipe: Any) -> None:  # noqa: ANN401
    """Let a whole page fit into a pipe, where that can be had: both sides then switch once."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError):  # the user has too many of them
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


AnyWorker = TypeVar("AnyWorker", bound=Worker)

_WORKERS: dict[tuple[str, ...], Worker] = {}
_WORKERS_LOCK = threading.Lock()


def worker_for(module: str, name: str) -> Worker:
    """Return the one worker of a library or plugin."""
    return shared_worker((module, name), lambda: Worker(module, name))


def shared_worker(key: tuple[str, ...], make: Callable[[], AnyWorker]) -> AnyWorker:
    """Return the one worker with a key, made where there is none yet."""
    with _WORKERS_LOCK:
        if key not in _WORKERS:
            _WORKERS[key] = make()
        return cast(AnyWorker, _WORKERS[key])


@atexit.register
def close_workers() -> None:
    """End all workers."""
    with _WORKERS_LOCK:
        for each in _WORKERS.values():
            each.close()


@before_ending
def _kill_workers() -> None:
    """End all workers without waiting: who asks one holds its lock."""
    for each in tuple(_every):
        number = each.process_id
        if number is not None and sys.platform != "win32":
            with contextlib.suppress(OSError):
                os.killpg(number, signal.SIGKILL)


def _own_group() -> dict[str, Any]:
    """Arguments of `Popen` for a process that can be killed with all it starts, and no window."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """End a process and its group; one that has been waited for may have lent its id to another."""
    if process.returncode is not None:
        return
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(OSError):
            os.kill(process.pid, signal.SIGSTOP)
            descendants.end_descendants(process.pid)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            process.kill()
    try:
        process.wait(_KILL_SECONDS)
    except subprocess.TimeoutExpired:  # stuck in the kernel: nobody can do more
        return


def _close(pipe: Any) -> None:  # noqa: ANN401
    with contextlib.suppress(OSError):  # what was still to be written has no reader
        pipe.close()


def _ended(status: int, words: bytes) -> str:
    """Say how a process ended, and the last line it printed on standard error."""
    if status < 0:
        try:
            how = f"was ended by {signal.Signals(-status).name}"
        except ValueError:
            how = f"was ended by signal {-status}"
    else:
        how = f"ended with status {status}"
    lines = words.decode("utf-8", "replace").splitlines()
    said = ["".join(filter(str.isprintable, line)).strip() for line in lines]
    last = next(filter(None, reversed(said)), "")
    return f"{how}: {last[:200]}" if last else how
