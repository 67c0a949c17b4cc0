"""Events: timers for many changes at once, filters that end with their objects, files dropped."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QDropEvent, QKeyEvent


def debounce(parent: QObject, delay_ms: int, call: Callable[[], None]) -> QTimer:
    """Return a timer that calls ``call`` once, ``delay_ms`` after it was started last."""
    timer = QTimer(parent, singleShot=True, interval=delay_ms)
    timer.timeout.connect(call)
    return timer


W = TypeVar("W", bound=QObject)


def until_collected(
    handle: Callable[[W, QObject, QEvent], bool],
) -> Callable[[W, QObject, QEvent], bool]:
    """Ignore events once the filter's attributes are collected.

    A window that is garbage loses the attributes of all its objects first; what Qt deletes after
    that still sends events, such as the focus that goes.
    """

    @wraps(handle)
    def filter_event(self: W, watched: QObject, event: QEvent) -> bool:
        return bool(vars(self)) and handle(self, watched, event)

    return filter_event


def take_copy(event: QDropEvent) -> None:
    """Accept a drag or drop as a copy.

    A file manager that is told *move*, as it may propose, removes the file.  One that offers
    nothing else is told that nothing was done.
    """
    event.setDropAction(Qt.DropAction.CopyAction)
    is_copy = event.dropAction() == Qt.DropAction.CopyAction
    if event.type() == QEvent.Type.Drop and not is_copy:
        event.setDropAction(Qt.DropAction.IgnoreAction)
    event.accept()


_OF_BARS = frozenset(
    getattr(Qt.Key, f"Key_{name}")
    for name in ("Tab", "Backtab", "Left", "Right", "Up", "Down", "Space", "Return", "Enter")
)


def keep_bar_keys(event: QEvent) -> bool:
    """Accept the keys that move in a bar and press its buttons, before shortcuts take them.

    Qt takes a shortcut of a page for live where a button has its action in a menu: Tab would walk
    marks there, and stay.  Return whether it was such a key.
    """
    is_kept = (
        isinstance(event, QKeyEvent)
        and event.type() == QEvent.Type.ShortcutOverride
        and event.key() in _OF_BARS
        and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
    )
    if is_kept:
        event.accept()
    return is_kept
