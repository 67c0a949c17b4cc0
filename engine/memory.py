"""Memory of processes: the limit, and the use.

Memory is counted in RAM (RSS), including program code that processes share: some
.2 GB of each process with a browser in it.  What counts shared parts in proportion (PSS) cannot be
read of a process in Chromium's sandbox.
"""

import math
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from engine.errors import InputError

if TYPE_CHECKING:
    import psutil

VARIABLE = "PAGELET_MEMORY"
"""The environment variable that holds the limit, in GB, for this process and those it starts."""

OPTION = "--memory"
DEFAULT_GB = 1.5
LEAST_GB = 0.5
"""An empty page in a window needs that much."""

TICK_S = 0.1
"""How often those who run foreign code look at its memory."""

_GB = 1_000_000_000


def limit() -> int:
    """Return how many bytes a process may take; the environment's value if valid."""
    with suppress(InputError):
        return round(check_limit(os.environ.get(VARIABLE, "")) * _GB)
    return round(DEFAULT_GB * _GB)


def set_limit(gigabytes: str) -> None:
    """Set the limit of this process and all it starts from now on; raises `InputError`."""
    os.environ[VARIABLE] = f"{check_limit(gigabytes):g}"


def check_limit(gigabytes: str, what: str = OPTION) -> float:
    """Return a limit in GB from a text; `InputError` names it as ``what``."""
    try:
        number = float(gigabytes)
    except ValueError:
        number = math.nan
    if not LEAST_GB <= number < math.inf:
        raise InputError(
            f"{what} must be a number of GB, at least {LEAST_GB:g}, got {gigabytes[:40]!r}"
        )
    return number


def too_much(purpose: str = "") -> str:
    """Return a message on a process over the limit, and what to do."""
    taken = " ".join(filter(None, (f"took more than {limit() / _GB:g} GB of memory", purpose)))
    return f"{taken} (allow more with {OPTION})"


def measure_used(process_id: int) -> int:
    """Return the number of bytes of a process in RAM, 0 where it has ended; takes 20 µs."""
    import psutil  # 25 ms, and only who watches needs it

    try:
        return int(psutil.Process(process_id).memory_info().rss)
    except psutil.Error:
        return 0


def is_over(process_id: int) -> bool:
    """Return whether a process and all below it have more than one may take.

    Shared memory counts once: a pool of forked processes has its library once in RAM.
    """
    import psutil

    most = limit()
    try:
        first = psutil.Process(process_id)
        family = [first, *first.children(recursive=True)]
    except psutil.Error:
        return False
    if sum(measure_used(each.pid) for each in family) <= most:
        return False
    return sum(_own_share(each) for each in family) > most


def _own_share(process: "psutil.Process") -> int:
    """Return the bytes of a process in RAM, shared ones divided by the number of processes."""
    import psutil

    try:
        about = process.memory_full_info()
        return int(getattr(about, "pss", about.uss))
    except psutil.Error:
        return measure_used(process.pid)


def renderers() -> list[int]:
    """Return the processes below this one that draw pages; takes some ms."""
    import psutil

    result = []
    zygotes = set()
    for each in psutil.Process().children(recursive=True):  # parents first
        with suppress(psutil.Error):
            words = " ".join(each.cmdline())  # forked: a single argument, or the zygote's
            is_forked = "--type=zygote" in words and each.ppid() in zygotes
            if is_forked or "--type=renderer" in words:
                result.append(each.pid)
            if "--type=zygote" in words:
                zygotes.add(each.pid)
    return result


def cpu_seconds(process_id: int) -> float:
    """Return the processor time of a process, in all its threads; 0 where it has ended."""
    import psutil

    try:
        times = psutil.Process(process_id).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)
