"""What a test leaves behind: windows, threads and processes that were not there before it.

``./test`` lists them at its end by the test that left them; with ``--leaks`` such a test fails.
Fixtures of a module or of the run are made before a test is looked at, so what they keep is theirs.
"""

import sys
import threading
import time
from pathlib import Path

import pytest
from shiboken6 import getCppPointer

_GRACE_S = 1.0
"""For so long threads and processes may still be ending."""

KEPT = "kept between tests"
"""A property of windows that are there for the tests to come."""

_PROPERTY = "left behind"
_KEPT = (
    "QtWebEngineProcess", "multiprocessing.resource_tracker", "multiprocessing.forkserver",
    "engine.web.memory_watch",
)  # fmt: skip
"""Processes that Qt and Python end when they like, and the module of a thread that is for all."""

_BEFORE = pytest.StashKey[dict[str, str]]()


def living() -> dict[str, str]:
    """Return the windows, threads and processes of this process: what each is, by its number."""
    return {**_widgets(), **_threads(), **_processes()}


def _widgets() -> dict[str, str]:
    widgets = sys.modules.get("PySide6.QtWidgets")
    app = widgets.QApplication.instance() if widgets else None
    if not isinstance(app, widgets.QApplication if widgets else ()):
        return {}
    return {
        f"widget {getCppPointer(each)[0]}": f"{type(each).__name__} {each.objectName()}".strip()
        for each in app.topLevelWidgets()
        if each.parent() is None and not each.property(KEPT)
    }


def _threads() -> dict[str, str]:
    return {
        f"thread {each.ident}": f"thread {each.name}"
        for each in threading.enumerate()
        if not isinstance(each, threading._DummyThread)  # Qt's own
        and getattr(getattr(each, "_target", None), "__module__", "") not in _KEPT
    }


def _processes() -> dict[str, str]:
    """Return child processes by the lists of Linux; none elsewhere."""
    result = {}
    for listed in Path("/proc/self/task").glob("*/children"):
        try:
            numbers = listed.read_text().split()
        except OSError:
            continue
        for number in numbers:
            line = _command_line(number)
            if line is not None and not any(name in line for name in _KEPT):
                result[f"process {number}"] = f"process {line[:100]}"
    keeper = sys.modules.get("tests.typed_commands")
    for process in keeper._running if keeper else ():
        result.pop(f"process {process.pid}", None)  # it ends with the tests
    return result


def _command_line(number: str) -> str | None:
    """Return how a process was started, "" for one that is just starting; None if it has ended."""
    try:
        state = Path("/proc", number, "stat").read_text().rpartition(")")[2].split()[0]
        line = Path("/proc", number, "cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return None
    return None if state in "XZ" else line


@pytest.fixture(autouse=True)
def _what_was_there(request):
    request.node.stash[_BEFORE] = living()


def look(item: pytest.Item) -> None:
    """Note what a test has left that was not there before it; called once it is torn down."""
    before = item.stash.get(_BEFORE, None)
    if before is None:
        return
    end = time.monotonic() + _GRACE_S
    left = living()
    while left.keys() - before.keys() and time.monotonic() < end:
        time.sleep(0.01)
        left = living()
    new = sorted({left[key] for key in left.keys() - before.keys()})
    if new:
        item.user_properties.append((_PROPERTY, ", ".join(new)))
        if item.config.getoption("leaks"):
            pytest.fail(f"left behind: {', '.join(new)}", pytrace=False)


def pytest_addoption(parser):
    """Offer to fail a test that leaves something behind."""
    parser.addoption("--leaks", action="store_true", help="fail tests that leave something behind")


def pytest_terminal_summary(terminalreporter):
    """List what was left behind, by test."""
    reports = (each for kind in terminalreporter.stats.values() for each in kind)
    lines = {
        f"{report.nodeid}: {what}"
        for report in reports
        for name, what in getattr(report, "user_properties", ())
        if name == _PROPERTY
    }
    if lines:
        terminalreporter.section("left behind")
        for line in sorted(lines):
            terminalreporter.line(line)
