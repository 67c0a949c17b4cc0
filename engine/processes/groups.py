"""Groups of processes: started so that all of one can be ended, and how a process has ended."""

import contextlib
import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from typing import Any

from engine.interrupts import before_ending
from engine.processes import descendants

_KILL_SECONDS = 2.0

_started: "weakref.WeakSet[subprocess.Popen[bytes]]" = weakref.WeakSet()


def start(words: list[str], **options: Any) -> "subprocess.Popen[bytes]":  # noqa: ANN401
    """Start a process, as `Popen` does, that is killed where this one must be ended at once."""
    process = subprocess.Popen(words, **options)
    _started.add(process)
    return process


def start_kept(
    words: Sequence[str],
    pass_fds: Sequence[int] = (),
    **options: Any,  # noqa: ANN401
) -> "subprocess.Popen[bytes]":
    """Start a process in a separate group, below a keeper where possible.

    The keeper (`engine.processes.descendants`) takes some 15 ms more to start.  Raises `OSError` or
    `ValueError`.
    """
    if not descendants.IS_POSSIBLE:
        more = {"pass_fds": pass_fds} if pass_fds else {}
        return start([*words], **options, **more, **own_group())
    ours, theirs = os.pipe()
    with os.fdopen(ours, "rb") as started:
        try:
            keeper = [sys.executable, "-I", "-S", str(descendants.__file__), str(theirs)]
            passed = (theirs, *pass_fds)
            process = start([*keeper, *words], pass_fds=passed, **options, **own_group())
        finally:
            os.close(theirs)
        reason = started.read().decode("utf-8", "replace")  # closed when the command has started
    if reason:
        process.communicate()
        raise OSError(0, reason)
    return process


@before_ending
def _kill_all() -> None:
    for process in list(_started):
        if not _is_keeper(process):  # ends its child as soon as this process ends
            kill_group(process)


def own_group() -> dict[str, Any]:
    """Return arguments of `Popen` for a process that `end_group` can end, and no window."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def end_group(process: "subprocess.Popen[bytes]") -> None:
    """End a process with its group and all its descendants, in any group."""
    if process.returncode is not None:
        return  # already waited for: its id may belong to another process
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            # A keeper only waits, and ends its child if this process is killed meanwhile:
            # stopped, it could not, and would stay for ever.
            if not _is_keeper(process):
                os.kill(process.pid, signal.SIGSTOP)
            descendants.end_descendants(process.pid)
    kill_group(process)
    with contextlib.suppress(subprocess.TimeoutExpired):  # stuck in the kernel
        process.wait(_KILL_SECONDS)


def _is_keeper(process: "subprocess.Popen[bytes]") -> bool:
    return isinstance(process.args, list) and str(descendants.__file__) in process.args[:4]


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process, with its group if that is separate, and do not wait."""
    if sys.platform != "win32" and process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
            return
    process.kill()


def how_it_ended(status: int, words: bytes) -> str:
    """Return how a process ended, with its last line on standard error."""
    if status < 0:
        try:
            how = f"was ended by {signal.Signals(-status).name}"
        except ValueError:
            how = f"was ended by signal {-status}"
    else:
        how = f"ended with status {status}"
    lines = words.decode("utf-8", "replace").splitlines()
    printed = ["".join(filter(str.isprintable, line)).strip() for line in lines]
    last = next(filter(None, reversed(printed)), "")
    return f"{how}: {last[:200]}" if last else how
