"""Print what a screen reader meets, view by view: ``python -m tests.gui.read_aloud [VIEW…]``."""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

import resources
from engine.web import profile
from gui.window.tasks import TASKS
from tests.accessibility import CONTROLS, is_of_page
from tests.gui.calm import is_seen
from tests.gui.parts import make_window
from tests.gui.scenes import end, rest, wait

STATES = ("checked", "expanded", "collapsed", "selected", "disabled", "focused", "hasPopup")
TEXT = QAccessible.Text
_KEPT: list[object] = []
_MOST = 99
"""Stops of Tab in a view, at most."""


def controls(window: QWidget) -> Iterator[QAccessibleInterface]:
    """Yield what is used or read as a control, from the top to the foot.

    Widgets are asked one by one, and what they answer is kept: PySide frees it with its object.
    The line of a number field, which hands the keyboard to it, is no child to a reader.
    """
    seen = [
        each for each in window.findChildren(QWidget)
        if is_seen(each) and not is_of_page(each)
        and not isinstance(each.parentWidget(), QAbstractSpinBox)
    ]  # fmt: skip
    for widget in sorted(seen, key=lambda w: w.mapTo(window, QPoint()).toTuple()[::-1]):
        each = QAccessible.queryAccessibleInterface(widget)
        _KEPT.append(each)
        if each is not None and (each.role() in CONTROLS or each.state().focusable):
            yield each


def told(each: QAccessibleInterface) -> str:
    """Return role, name, value, states and description of a control, as a line."""
    states = [name for name in STATES if getattr(each.state(), name)]
    texts = [each.text(kind).strip() for kind in (TEXT.Name, TEXT.Value, TEXT.Description)]
    name, value, what = texts
    parts = [each.role().name, repr(name), value and f"= {value}", " ".join(states), what[:90]]
    return "  ".join(filter(None, parts))


def twins(window: QWidget) -> list[str]:
    """Return the names that two controls of one role have, which cannot be told apart by ear."""
    counts = Counter((each.role().name, each.text(TEXT.Name).strip()) for each in controls(window))
    return [f"{count} × {role} {name}" for (role, name), count in counts.items() if count > 1]


def nameless(window: QWidget) -> list[str]:
    """Return the controls without a name; a corner of a table, which does nothing, needs none."""
    return [
        told(e) for e in controls(window) if not (e.text(TEXT.Name).strip() or e.state().disabled)
    ]


class Stop(NamedTuple):
    """What Tab stops at, whether it was seen then, and whether Tab leads on."""

    widget: QWidget | None
    is_seen: bool
    is_left: bool


def tab_stops(window: QWidget) -> list[list[Stop]]:
    """Return what Tab stops at, in runs from each area that Ctrl+F6 leads to, by pressing them.

    Asking `nextInFocusChain` will not do: PySide takes what it answers for a child.  A page keeps
    Tab for itself.  What lies before the bar is reached by Shift+Tab.
    """
    window.activateWindow()
    known: list[QWidget | None] = []
    runs: list[list[Stop]] = []
    areas = _areas(window)
    for area in areas:
        for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            if len(areas) > 1:
                _press_until(window, area)
            elif area is not None:
                area.setFocus()
            run: list[Stop] = []
            now = area
            while not is_of_page(now) and (now not in known or not run):
                was_seen = now is not None and is_seen(now)
                known.append(now)
                QTest.keyClick(window.windowHandle(), key)
                before, now = now, QApplication.focusWidget()
                run.append(Stop(before, was_seen, now is not before))
            runs.append(run if key == Qt.Key.Key_Tab else run[::-1])
    return runs


def _areas(window: QWidget) -> list[QWidget | None]:
    """Return where Ctrl+F6 leads until it comes round."""
    result: list[QWidget | None] = []
    _next_area(window)
    while (now := QApplication.focusWidget()) not in result:
        result.append(now)
        _next_area(window)
    assert now is result[0], "Ctrl+F6 does not come round"
    return result


def _press_until(window: QWidget, area: QWidget | None) -> None:
    for _ in range(_MOST):
        if QApplication.focusWidget() is area:
            return
        _next_area(window)
    raise AssertionError(f"Ctrl+F6 does not lead to {area}")


def _next_area(window: QWidget) -> None:
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_F6, Qt.KeyboardModifier.ControlModifier)


def round_of(stop: QWidget) -> list[QWidget]:
    """Return where arrows lead from a button, each until it comes round or leaves the row."""
    result = [stop]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
        stop.setFocus()
        for _ in range(_MOST):
            QTest.keyClick(stop.window().windowHandle(), key)
            now = QApplication.focusWidget()
            if now is None or now in result or now.parentWidget() is not stop.parentWidget():
                break
            result.append(now)
    stop.setFocus()
    return result


def astray(window: QWidget) -> list[str]:
    """Return what is wrong with Tab: stops not seen or never left, and controls not reached.

    A button without Tab is reached by arrow keys from a stop of its row.
    """
    stops = [stop for run in tab_stops(window) for stop in run]
    result = [f"unseen {_called(stop.widget)}" for stop in stops if not stop.is_seen]
    result += [f"Tab stays at {_called(stop.widget)}" for stop in stops if not stop.is_left]
    reached = {stop.widget for stop in stops}
    buttons = [each for each in reached if isinstance(each, QAbstractButton)]
    there = [each for each in window.findChildren(QWidget) if is_seen(each)]
    # Only now: an arrow may choose, and so show controls that were hidden while Tab went round.
    reached |= {each for button in buttons for each in round_of(button)}
    for each in filter(isValid, there):  # Qt deletes bars of tabs that no panel needs
        is_stop = each.focusPolicy() & Qt.FocusPolicy.TabFocus or isinstance(each, QAbstractButton)
        wants = is_stop and each.focusProxy() is None
        if isinstance(each.parentWidget(), QLineEdit):
            continue  # what its icons do keys do in the field
        is_there = wants and each.isEnabled() and each.window() is window
        if is_there and not is_of_page(each) and each not in reached:
            result.append(f"passed over {_called(each)}")
    return result


def _called(each: QWidget | None) -> str:
    if each is None:
        return "nothing"
    return each.accessibleName() or getattr(each, "text", str)() or type(each).__name__


def out_of_order(window: QWidget) -> list[str]:
    """Return neighbours in the order of Tab that lie the other way round in their part.

    Within a part (a bar, a panel, the middle) Tab goes down, and from left to right in a line.
    """
    result = []
    for before, each in (pair for run in tab_stops(window) for pair in pairwise(run)):
        first, second = before.widget, each.widget
        if first and second and first.parentWidget() is second.parentWidget():
            one, other = (w.mapTo(window, QPoint()) for w in (first, second))
            is_above = other.y() + second.height() <= one.y()
            is_left = other.x() + second.width() <= one.x() and not other.y() > one.y()
            if (is_above or is_left) and not isinstance(second, QTabBar):
                result.append(" before ".join(map(_called, (first, second))))
    return result


def main(wanted: list[str]) -> None:
    """Print the controls of each view, then what is wrong with them."""
    with tempfile.TemporaryDirectory() as folder:
        window = make_window(Path(folder))
        window.resize(1600, 1000)
        window.workbench.navigation.open_path(str(resources.path("corpus")))
        wait(lambda: window.session.open.page is not None, 60)
        wait(lambda: not window.workbench.runner.is_running, 60)
        for task in (task for task in TASKS if not wanted or task.name in wanted):
            window.tasks.choose(task.name)
            window.tasks.reset()
            rest(1500)
            print(f"\n== {task.name}")
            for each in controls(window):
                print("  ", told(each))
            print("   nameless:", nameless(window))
            print("   twins:", twins(window), "\n   order:", out_of_order(window))
            print("   astray:", astray(window), flush=True)
        window.close_down()


if __name__ == "__main__":
    profile.prepare(headless=True)
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(sys.argv[1:])
    end()
