"""Test several processes that share a list of orders, some of which crash or hang."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from engine.processes.descendants import IS_POSSIBLE
from engine.processes.pool import answers_of
from engine.processes.worker_process import WorkerProcess
from tests.engine.processes.test_processes import is_running
from tests.typed_commands import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@contextmanager
def squares(_send):
    def square(number):
        if number == 3:
            os.kill(os.getpid(), 9)
        if number == 4:
            time.sleep(600)
        return number * number

    yield square


def answers(numbers, seconds=30.0, goes_on=lambda: True):
    return answers_of(
        numbers,
        2,
        lambda: WorkerProcess(squares),
        seconds=lambda _: seconds,
        lost=lambda number, error: f"{number} {error}",
        goes_on=goes_on,
    )


def test_a_crashing_process_loses_only_its_current_order():
    result = list(answers([1, 2, 3, 5]))
    assert {each for each in result if isinstance(each, int)} == {1, 4, 25}
    (lost,) = (each for each in result if isinstance(each, str))
    assert lost.startswith("3 crashed the process it ran in")


def test_an_order_that_times_out_is_reported_and_the_others_are_done():
    assert sorted(map(str, answers([4, 5, 6], seconds=2.0))) == ["25", "36", "4 took more than 2 s"]


def test_orders_in_progress_are_ended_when_the_pool_is_stopped():
    until = time.monotonic() + 1
    assert list(answers([4, 4, 5], goes_on=lambda: time.monotonic() < until)) == []
    assert time.monotonic() < until + 10


_STARTER = """
import time
from engine.processes.worker_process import WorkerProcess
from tests.gui.widgets.echo import echo_worker
worker = WorkerProcess(echo_worker)
worker.hand("sleep")
print(worker._process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not IS_POSSIBLE, reason="reads /proc")
def test_a_busy_worker_ends_with_its_killed_starter():
    words = [sys.executable, "-c", _STARTER]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as starter:
        worker = int(starter.stdout.readline())
        starter.kill()
    until = time.monotonic() + 30
    while is_running(worker) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_running(worker)
