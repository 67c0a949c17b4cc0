"""Print what a screen reader meets, view by view: ``python -m tests.gui.read_aloud [VIEW…]``."""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

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


def controls(window: QWidget) -> Iterator[QAccessibleInterface]:
    """Yield what is used or read as a control, from the top to the foot.

    Widgets are asked one by one, and what they answer is kept: PySide frees it with its object.
    """
    seen = [each for each in window.findChildren(QWidget) if is_seen(each) and not is_of_page(each)]
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


def out_of_order(window: QWidget) -> list[str]:
    """Return neighbours in the order of Tab that lie the other way round in their part.

    Within a part (a bar, a panel, the middle) Tab goes down, and from left to right in a line.
    """
    result, before = [], None
    each = window.nextInFocusChain()
    while each is not None and each is not window:
        if is_seen(each) and each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isEnabled():
            if before is not None and before.parentWidget() is each.parentWidget():
                one, other = (w.mapTo(window, QPoint()) for w in (before, each))
                is_above = other.y() + each.height() <= one.y()
                is_left = other.x() + each.width() <= one.x() and not other.y() > one.y()
                if (is_above or is_left) and not isinstance(each, QTabBar):
                    names = [w.accessibleName() or w.objectName() for w in (before, each)]
                    result.append(" before ".join(names))
            before = each
        each = each.nextInFocusChain()
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
            print("   twins:", twins(window), "\n   order:", out_of_order(window), flush=True)
        window.close_down()


if __name__ == "__main__":
    profile.prepare(headless=True)
    app = QApplication(["pagelet"])  # of the module: it must outlive the window
    main(sys.argv[1:])
    end()
