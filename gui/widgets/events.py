"""Events: timers for many changes at once, filters that end with their objects, files dropped."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QDropEvent


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
