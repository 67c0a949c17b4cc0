"""Ending of all descendants of a process.

A group of processes is left by whoever calls ``setsid``; the relation to parents is then visible in
``/proc`` alone, and only while every parent lives: Linux gives an orphan to the nearest ancestor
that asked for orphans (`adopt_orphans`, prctl(2): PR_SET_CHILD_SUBREAPER).  So a command runs below
a *keeper*, this module run as a program, which asks, waits for the command, ends what it left
behind, and ends as the command did.

    python -I -S descendants.py FD COMMAND WORD ...

Where the command cannot be started the reason is written to the descriptor FD.  Elsewhere than on
Linux there is neither ``/proc`` nor the call, and only the group is ended.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time

_SUBREAPER = 36
_PARENT_DEATH = 1
_MOST_SECONDS = 5.0
_MOST_DESCRIPTORS = 256

IS_POSSIBLE = sys.platform.startswith("linux")


def adopt_orphans() -> None:
    """Make the orphaned descendants of this process its children."""
    if IS_POSSIBLE:
        with contextlib.suppress(OSError, AttributeError):  # a kernel that does not know it
            ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def descendants(process_id: int) -> list[int]:
    """Return the ids of all descendants of a process, zombies included."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208  (pathlib takes as long to load as all else)
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, ValueError, IndexError):
                continue  # just ended
            children.setdefault(parent, []).append(int(name))
    result: list[int] = []
    waiting = [process_id]
    while waiting:
        below = children.get(waiting.pop(), [])
        result += below
        waiting += below
    return result


def end_descendants(process_id: int) -> None:
    """Kill all below a process, which itself is to be stopped or waiting: nothing is left to fork.

    Who forks faster than this looks is stopped first; new ones of a round are examined in the next.
    """
    if not IS_POSSIBLE:
        return
    until = time.monotonic() + _MOST_SECONDS
    while True:
        alive = [each for each in descendants(process_id) if _signal(each, signal.SIGSTOP)]
        for each in alive:
            _signal(each, signal.SIGKILL)
        if not alive or time.monotonic() > until:
            return
        time.sleep(0.001)


def _signal(process_id: int, number: int) -> bool:
    try:
        os.kill(process_id, number)
    except OSError:
        return False
    return not _is_ended(process_id)


def _is_ended(process_id: int) -> bool:
    try:
        with open(f"/proc/{process_id}/stat", "rb") as file:  # noqa: PTH123
            return file.read().rpartition(b")")[2].split()[0] == b"Z"
    except OSError:
        return True


def _keep(pipe: int, words: list[str]) -> int:
    """Run a command, end its orphans; return its status, minus a signal's number."""
    adopt_orphans()
    parent = os.getppid()

    def leave(*_: object) -> None:
        if os.getppid() != parent:  # else it is the thread alone that has ended
            end_descendants(os.getpid())
            os._exit(1)

    with contextlib.suppress(OSError, AttributeError):  # if Pagelet is killed, nothing else ends it
        signal.signal(signal.SIGTERM, leave)
        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGTERM, 0, 0, 0)
    try:
        # Pagelet's pipes are the command's alone: it reads the end of its input, and its reader
        # that of its output.
        command = os.posix_spawnp(
            words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_CLOSE, pipe)]
        )
    except (OSError, ValueError) as error:
        os.write(pipe, (getattr(error, "strerror", None) or str(error)).encode())
        return 127
    os.closerange(0, 2)
    os.closerange(3, _MOST_DESCRIPTORS)
    while True:
        ended, status = os.waitpid(-1, 0)  # orphans are reaped as they end
        if ended == command:
            end_descendants(os.getpid())
            return os.waitstatus_to_exitcode(status)


def _end_as(status: int) -> None:
    """End this process in the way of the command; of a signal no core is written again."""
    if status < 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError):  # of those that cannot be handled
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if __name__ == "__main__":
    _end_as(_keep(int(sys.argv[1]), sys.argv[2:]))
