"""What a test leaves behind: windows, threads and processes that were not there before it.

Such a test fails; what it left is hidden, so that it takes no mouse from windows of later tests.
Fixtures of a module or of the run are made before a test is looked at, so what they keep is theirs.
Processes that Pagelet keeps for whoever asks next (libraries, renderers) end with the file of tests
that started them.
"""

import os
import sys
import threading
import time

import pytest
from shiboken6 import createdByPython, getCppPointer

_GRACE_S = 10.0
"""For so long threads and processes may still be ending."""

KEPT = "kept between tests"
"""A property of windows that are there for the tests to come."""

_KEPT = (
    "QtWebEngineProcess", "multiprocessing.resource_tracker", "multiprocessing.forkserver",
    "engine.web.memory_watch", "engine.processes.foreign",
)  # fmt: skip
"""Processes that Qt and Python end when they like, and modules of threads that are for all."""

_SHARED = "engine.processes.foreign", "annotate.library.rendering"

_known_as_kept: set[str] = set()
"""Numbers of processes that are among `_KEPT`."""

_BEFORE = pytest.StashKey[dict[str, str]]()


def living() -> dict[str, str]:
    """Return the windows, threads and processes of this process: what each is, by its number."""
    return {**_widgets(), **_threads(), **_processes()}


def _widgets() -> dict[str, str]:
    """Return windows, without the bare ones that Qt makes for itself and never shows."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    app = widgets.QApplication.instance() if widgets else None
    if not isinstance(app, widgets.QApplication if widgets else ()):
        return {}
    return {
        f"widget {getCppPointer(each)[0]}": f"{type(each).__name__} {each.objectName()}".strip()
        for each in app.topLevelWidgets()
        if each.parent() is None
        and not each.property(KEPT)
        and (type(each) is not widgets.QWidget or createdByPython(each) or each.isVisible())
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
    for thread in os.listdir("/proc/self/task") if sys.platform == "linux" else ():  # noqa: PTH208
        for number in _read(f"/proc/self/task/{thread}/children").split():
            line = "" if number in _known_as_kept else _command_line(number)
            if line and any(name in line for name in _KEPT):
                _known_as_kept.add(number)
            elif line is not None and number not in _known_as_kept:
                result[f"process {number}"] = f"process {line[:100]}"
    keeper = sys.modules.get("tests.typed_commands")
    for number in keeper.numbers_of_keepers() if keeper else ():
        result.pop(f"process {number}", None)  # it ends with the tests
    for number in _shared():
        result.pop(f"process {number}", None)  # it ends with the file of tests
    return result


def _shared() -> set[int | None]:
    """Return the processes that Pagelet keeps for whoever asks next."""
    foreign, rendering = map(sys.modules.get, _SHARED)
    result = {each.process_id for each in foreign._WORKERS.values()} if foreign else set()
    for each in rendering._processes.values() if rendering else ():
        result.add(each._process.pid if each._process else None)
    return result


def _end_shared() -> None:
    foreign, rendering = map(sys.modules.get, _SHARED)
    if foreign:
        foreign.close_workers()
    if rendering:
        rendering.close()


def _command_line(number: str) -> str | None:
    """Return how a process was started, "" for one that is just starting; None if it has ended."""
    state = _read(f"/proc/{number}/stat").rpartition(")")[2].split()[:1]
    line = _read(f"/proc/{number}/cmdline").replace("\0", " ").strip()
    return line if state and state[0] not in "XZ" else None


def _read(path: str) -> str:
    """Return a file of /proc, "" for what has ended; by plain calls, for there are 40 a test."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return ""
    try:
        return os.read(file, 1 << 16).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(file)


@pytest.fixture(autouse=True)
def _what_was_there(request):
    request.node.stash[_BEFORE] = living()


def look(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Fail a test that has left what was not there before it; called once it is torn down."""
    if nextitem is None or nextitem.path != item.path:
        _end_shared()
    before = item.stash.get(_BEFORE, None)
    if before is None:
        return
    begin = time.monotonic()
    new = _new_since(before)
    while new and time.monotonic() < begin + _GRACE_S:
        time.sleep(0.01)
        new = _new_since(before)
    if not new:
        return
    _hide(new)
    pytest.fail(f"left behind: {', '.join(sorted({*new.values()}))}", pytrace=False)


def _hide(new: dict[str, str]) -> None:
    widgets = sys.modules.get("PySide6.QtWidgets")
    for window in widgets.QApplication.topLevelWidgets() if widgets else ():
        if f"widget {getCppPointer(window)[0]}" in new:
            window.hide()


def _new_since(before: dict[str, str]) -> dict[str, str]:
    return {key: what for key, what in living().items() if key not in before}
