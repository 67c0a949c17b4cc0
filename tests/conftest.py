"""What every test needs: Qt without a screen, and tests handed out to processes."""

import gc
import itertools
import os
import signal
import socket
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

# How long an example takes says more of the machine than of the code; seeds are fixed, so that a
# red run can be looked at, and every example that failed once is kept in the test itself.
settings.register_profile(
    "pagelet", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("pagelet")

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

# A shell starts background jobs with Ctrl-C ignored, and what they start inherits that: here it
# means what it means in a terminal.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# As many test files run at a time as there are cores: sums need no threads of their own, which
# would wait for work by turning round.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A wait ends as soon as its condition holds; 5 s are few where four files share two cores.
for _wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitCallback):
    _wait.__kwdefaults__["timeout"] = 60_000

# Imported after the lines above: those must come before Qt.
pytest_plugins = [
    "tests.leaks", "tests.hand", "tests.commands", "tests.sample_pages", "tests.outside",
    "tests.nobody", "tests.forks", "tests.gui.fixtures",
]  # fmt: skip


def pytest_addoption(parser):
    """What `tests/fuzz` takes."""
    parser.addoption("--minutes", type=float, default=0.0, help="fuzz for so long")
    parser.addoption("--seed", type=int, default=0, help="fuzz from this seed on")
    parser.addoption("--count", type=int, default=0, help="fuzz at most so many seeds")
    parser.addoption("--kind", default="", help="fuzz only this: source, rendered ...")
    parser.addoption("--method", default="", help="fuzz only this method: key or module")


def pytest_sessionstart(session):
    """Where several processes share the tests, have none wait 40 ms after each.

    `pytest_rerunfailures` tells the first process of every test in two small messages; without this
    the second waits until the first is acknowledged.
    """
    failures = getattr(session.config, "failures_db", None)
    if hasattr(session.config, "workerinput") and hasattr(failures, "sock"):
        failures.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def pytest_collection_modifyitems(config, items):
    """Where several processes share the tests, begin with what takes longest.

    That is files that render, and of both kinds those of many tests: at the end, when a process has
    nothing more to do, the other should not have a long one before it.
    """
    if hasattr(config, "workerinput"):
        rendering = {item.path for item in items if item.get_closest_marker("web")}
        count = Counter(item.path for item in items)
        items.sort(key=lambda item: (item.path not in rendering, -count[item.path]))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage while tests are collected, which would take a third of that time.

    Nor look at modules and tests later on: they stay to the end.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


_TORN_DOWN = itertools.count(1)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item, nextitem):
    """Delete a test's windows before the next test begins, and look what else it has left.

    Qt keeps what is to be deleted later until an event loop runs; until then every change of the
    application's style goes through all of it.
    """
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if not gc.isenabled():  # tests without an event loop make garbage, too; windows are old by then
        gc.collect(1 if next(_TORN_DOWN) % 100 else 2)  # a whole one takes .1 s
    from tests import leaks  # a plug-in of pytest, which imports it first

    leaks.look(item, nextitem)


_CRASHED: set[str] = set()


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem, report):
    """A process that dies in a test is like a test that fails: once more, and said at the end.

    The file goes on in another process, with the test it died in; the second death counts.
    """
    if crashitem not in _CRASHED:
        _CRASHED.add(crashitem)
        report.outcome = "rerun"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Hand out files, to a process that takes the place of a dead one as to any other.

    xdist (3.8) hands it a single file, perhaps one with no test left; a process begins its last
    test only when it knows what comes after, and so the run would never end.
    """
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Files(LoadFileScheduling):
        def _reschedule(self, node):
            super()._reschedule(node)
            while (
                self.workqueue
                and not node.shutting_down
                and self._pending_of(self.assigned_work[node]) < 2
            ):
                super()._reschedule(node)

    return Files(config, log)
