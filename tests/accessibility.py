"""What a screen reader is told of widgets: names and roles, and the changes Qt announces."""

import ctypes
import gc
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import PySide6
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractScrollArea, QComboBox, QDockWidget, QLabel, QWidget

Role = QAccessible.Role
CONTROLS = {
    Role.PushButton, Role.CheckBox, Role.RadioButton, Role.ComboBox, Role.EditableText,
    Role.Slider, Role.SpinBox, Role.List, Role.Tree, Role.Table, Role.PageTab, Role.ProgressBar,
    Role.Link, Role.MenuItem, Role.ButtonMenu, Role.ButtonDropDown, Role.Dial,
}  # fmt: skip
"""Roles of what is used or read as a control: each needs a name."""
NO_ROLES = {Role.NoRole, Role.Client, Role.Pane, Role.Window, Role.Border}
"""Roles that do not say what a control is: its description must."""


def interfaces(widget: QWidget) -> Iterator[QAccessibleInterface]:
    """Yield what a reader meets below a widget that is shown, itself included."""
    gc.disable()  # what it deletes takes along interfaces that wait here
    try:
        waiting = [QAccessible.queryAccessibleInterface(widget)]
        while waiting:
            each = waiting.pop()
            if each is None or not each.isValid() or each.state().invisible:
                continue
            yield each
            if each.role() not in (Role.List, Role.Tree, Role.Table, Role.WebDocument):
                waiting += [each.child(k) for k in range(each.childCount())]
    finally:
        gc.enable()


def faults(widget: QWidget) -> list[str]:
    """Return the controls below a widget that have no name or no role."""
    result = []
    for each in interfaces(widget):
        thing = each.object()
        if isinstance(thing, QAbstractScrollArea) and not each.state().focusable:
            continue
        is_control = each.role() in CONTROLS or each.state().focusable
        if not is_control or is_of_page(thing):
            continue
        if not each.text(QAccessible.Text.Name).strip():
            result.append(f"no name: {_shown(each)}")
        if isinstance(thing, QComboBox) and not _is_explained(each, thing):
            result.append(f"its value alone: {_shown(each)}")
        if each.role() in NO_ROLES and not each.text(QAccessible.Text.Description).strip():
            result.append(f"no role: {_shown(each)}")
    return result


def _is_explained(each: QAccessibleInterface, choice: QComboBox) -> bool:
    """Return whether a choice has more than its value: on Linux that is its name to a reader."""
    labels = choice.window().findChildren(QLabel)
    is_labelled = any(label.buddy() is choice for label in labels)
    return is_labelled or bool(each.text(QAccessible.Text.Description).strip())


def is_empty(dock: QDockWidget) -> bool:
    """Whether a panel's body has nothing to read and nothing to use."""
    body = dock.widget()
    return body is None or not any(
        each.role() in CONTROLS or each.text(QAccessible.Text.Name).strip()
        for each in interfaces(body)
    )


def is_of_page(thing: QObject | None) -> bool:
    """Whether it is the browser, which reads its page out by itself."""
    names = []
    while thing is not None:
        names.append(type(thing).__name__)
        thing = thing.parent()
    return any("WebEngine" in name for name in names[:3]) or "PageView" in names[:2]


def _shown(each: QAccessibleInterface) -> str:
    names, thing = [], each.object()
    while thing is not None and len(names) < 4:
        names.append(thing.objectName() or type(thing).__name__)
        thing = thing.parent()
    named = each.text(QAccessible.Text.Name)
    return f"{each.role().name} {named!r} {' < '.join(names)}"


_INSTALL = "_ZN11QAccessible20installUpdateHandlerEPFvP16QAccessibleEventE"
_UPDATE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@contextmanager
def announced() -> Iterator[list[tuple[QAccessible.Event, int]]]:
    """Record the changes that Qt tells readers of: (what, address of the object).

    Qt has a handler for it, which PySide does not offer: it is set in the library itself.
    """
    (library,) = (Path(PySide6.__file__).parent / "Qt" / "lib").glob("libQt6Gui.so.6")
    install = ctypes.CDLL(str(library))[_INSTALL]
    install.restype = ctypes.c_void_p
    install.argtypes = [ctypes.c_void_p]
    seen: list[tuple[QAccessible.Event, int]] = []

    def note(event: int) -> None:
        kind, thing = struct.unpack_from("=i4xQ", ctypes.string_at(event + 8, 16))
        seen.append((QAccessible.Event(kind), thing))

    handler = _UPDATE(note)
    was_active = QAccessible.isActive()
    QAccessible.setActive(True)
    before = install(ctypes.cast(handler, ctypes.c_void_p))
    try:
        yield seen
    finally:
        install(before)
        QAccessible.setActive(was_active)


def address(widget: QObject) -> int:
    """Return by what `announced` calls a widget."""
    return int(shiboken6.getCppPointer(widget)[0])
