"""Commands that are run once, with a time limit, and ended with everything they started.

A fault becomes a `MethodError` with one sentence: could not be started, took too
long, died (by which signal, with which last words), answered too much.
"""

import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from engine import memory
from engine.errors import MethodError, MethodTimeout
from engine.processes.groups import end_group, how_it_ended, start_kept

MOST_BYTES = 64_000_000
"""Longest answer that is read."""

LAST_WORDS = 2_000
"""Bytes of standard error that are read."""

_KILL_SECONDS = 2.0


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
    with a status other than 0, prints more than `MOST_BYTES`, or takes more memory, with all that
    it starts, than a process may.
    """
    process = start_command(words, folder, environment, subprocess.PIPE)
    output = _PipeReader(process.stdout, MOST_BYTES)
    errors = _PipeReader(process.stderr, LAST_WORDS, True)
    threading.Thread(target=_feed, args=(process.stdin, data), daemon=True).start()
    try:
        # Reading comes first: a command that fills its pipe waits until someone reads.
        until = time.monotonic() + seconds
        while output.is_alive():
            left = until - time.monotonic()
            if left <= 0:
                raise MethodTimeout(f"took longer than {seconds:g} s")
            output.join(min(left, memory.TICK_S))
            if output.is_alive() and memory.is_over(process.pid):
                raise MethodError(memory.too_much())
        if output.is_full:
            raise MethodError(f"printed more than {MOST_BYTES // 1_000_000} MB")
        try:
            status = process.wait(_KILL_SECONDS)
        except subprocess.TimeoutExpired:
            raise MethodTimeout("did not end after its answer") from None
    finally:
        end_group(process)
        errors.join(_KILL_SECONDS)
    if status:
        raise MethodError(how_it_ended(status, errors.data))
    return output.data


def start_command(
    words: Sequence[str],
    folder: Path | None,
    environment: Mapping[str, str] | None,
    errors: BinaryIO | int,
) -> "subprocess.Popen[bytes]":
    """Start a command with pipes, and `errors` for its messages; raises `MethodError`."""
    try:
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
        return start_kept(words, cwd=folder, env=environment, stderr=errors, **pipes)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise MethodError(f"{words[0]} cannot be started: {reason}") from None


class _PipeReader(threading.Thread):
    """Reader of a pipe to its end: the first ``most`` bytes, or the last ones and never stops."""

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
