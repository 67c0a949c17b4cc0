"""Event filters that end with their objects: Qt calls them until it deletes the watched object."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject

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
