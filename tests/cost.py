"""What each test costs: processor time, waits and programs started; ``-p tests.cost --cost FILE``.

Wall times of a busy machine say little.  Processor time is that of this process and of all below
it, as Linux counts it; what a program used that has ended is in its parent's count.
"""

import csv
import os
import sys
import time
from pathlib import Path

import pytest

_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_started = 0


def _count(event: str, _arguments: object) -> None:
    global _started
    if event in ("subprocess.Popen", "os.posix_spawn", "os.fork"):
        _started += 1


def _below(number: int) -> list[int]:
    """Return the processes below one, by the lists of Linux."""
    result = []
    for listed in Path(f"/proc/{number}/task").glob("*/children"):
        try:
            children = [int(each) for each in listed.read_text().split()]
        except OSError:
            continue
        for child in children:
            result += [child, *_below(child)]
    return result


def _spent() -> tuple[float, float]:
    """Return the seconds of processor time of this process, and of all below it."""
    below = 0
    for number in _below(os.getpid()):
        try:
            fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        below += sum(int(each) for each in fields[11:15])
    own = os.times()
    return own.user + own.system, own.children_user + own.children_system + below * _TICK_S


def pytest_addoption(parser):
    parser.addoption("--cost", help="add a row for each test to this table")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    file = item.config.getoption("cost")
    if not file:
        return (yield)
    before = (*_spent(), time.monotonic(), _started)
    try:
        return (yield)
    finally:
        after = (*_spent(), time.monotonic(), _started)
        own, below, wall, started = (b - a for a, b in zip(before, after, strict=True))
        slow = next((name for name in ("long", "slow") if item.get_closest_marker(name)), "")
        with Path(file).open("a", newline="") as opened:
            csv.writer(opened).writerow(
                [item.nodeid, slow, f"{own:.3f}", f"{below:.3f}", f"{wall:.3f}", started]
            )


sys.addaudithook(_count)
