"""A timer that calls once, some time after the last start: many changes, one answer."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def debounce(parent: QObject, delay_ms: int, call: Callable[[], None]) -> QTimer:
    """Return a timer that calls ``call`` once, ``delay_ms`` after it was started last."""
    timer = QTimer(parent, singleShot=True, interval=delay_ms)
    timer.timeout.connect(call)
    return timer
