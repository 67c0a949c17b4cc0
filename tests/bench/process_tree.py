"""What a process and all it started take: CPU seconds, and memory at the most.

CPU is that of the living and, through those who waited for them, of the dead.  Memory is the
proportional set size, in which what processes share counts once.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psutil

_EVERY_S = 0.25


@dataclass
class Taken:
    """What was taken: seconds of CPU, and the most MB at any time."""

    cpu_s: float = 0.0
    most_mb: float = 0.0


@contextmanager
def watched(*, memory: bool = False) -> Iterator[Taken]:
    """Watch this process and all below it; the answer is whole at the end."""
    taken, over = Taken(), threading.Event()

    def look() -> None:
        while not over.wait(_EVERY_S):
            taken.most_mb = max(taken.most_mb, memory_mb())

    watcher = threading.Thread(target=look, daemon=True)
    before = cpu_s()
    if memory:
        watcher.start()
    try:
        yield taken
    finally:
        over.set()
        if memory:
            watcher.join()
        taken.cpu_s = cpu_s() - before


def cpu_s() -> float:
    """Return the CPU seconds of this process and all below it so far."""
    total = 0.0
    for process in _tree():
        with suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def memory_mb() -> float:
    """Return the proportional set size of all processes below this one."""
    total = 0
    for process in _tree()[1:]:
        with suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 2**20


def _tree() -> list[psutil.Process]:
    me = psutil.Process()
    return [me, *me.children(recursive=True)]
