"""Events: timers for many changes at once, filters that end with their objects, files dropped."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QDropEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton


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


_PRESSES = frozenset((Qt.Key.Key_Return, Qt.Key.Key_Enter))

_OF_BARS = frozenset(
    getattr(Qt.Key, f"Key_{name}")
    for name in ("Tab", "Backtab", "Left", "Right", "Up", "Down", "Space", "Return", "Enter")
)


def _held(event: QKeyEvent) -> Qt.KeyboardModifier:
    """Return the modifiers that are held: each arrow key of macOS counts as of the keypad."""
    return event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


def keep_bar_keys(event: QEvent) -> bool:
    """Accept the keys that move in a bar and press its buttons, before shortcuts take them.

    Qt takes a shortcut of a page for live where a button has its action in a menu: Tab would walk
    marks there, and stay.  Return whether it was such a key.
    """
    is_kept = (
        isinstance(event, QKeyEvent)
        and event.type() == QEvent.Type.ShortcutOverride
        and event.key() in _OF_BARS
        and not _held(event) & ~Qt.KeyboardModifier.ShiftModifier
    )
    if is_kept:
        event.accept()
    return is_kept


_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class OneStop(QObject):
    """Makes buttons one stop of Tab, the checked one; arrow keys lead round them, and press none.

    Space and Enter press the one with the focus.  Qt's own button groups press the one that an
    arrow leads to.
    """

    def __init__(self, parent: QObject, buttons: Sequence[QAbstractButton]) -> None:
        super().__init__(parent)
        self._buttons = tuple(buttons)
        for each in buttons:
            each.installEventFilter(self)
            each.toggled.connect(self._choose)
        self._choose()

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move by arrow keys, Home and End, press by Enter; choose the stop when the focus goes."""
        if isinstance(event, QKeyEvent):
            there = [each for each in self._buttons if each.isVisible() and each.isEnabled()]
            is_press = event.type() == QEvent.Type.KeyPress
            if not is_press or _held(event) or watched not in there:
                return False
            key = Qt.Key(event.key())
            if key in _PRESSES:
                there[there.index(watched)].click()
                return True
            ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}
            if key not in _STEPS and key not in ends:
                return False
            at = (there.index(watched) + _STEPS.get(key, 0)) % len(there)
            self._stop_at(there[ends.get(key, at)])
            there[ends.get(key, at)].setFocus(Qt.FocusReason.TabFocusReason)
            return True
        if event.type() in _CHANGES:
            self._choose()
        return False

    def _choose(self) -> None:
        there = [each for each in self._buttons if not each.isHidden() and each.isEnabled()]
        if there and not any(each.hasFocus() for each in there):
            self._stop_at(next((each for each in there if each.isChecked()), there[0]))

    def _stop_at(self, stop: QAbstractButton) -> None:
        for each in self._buttons:
            is_stop = each is stop
            each.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_stop else Qt.FocusPolicy.NoFocus)


_CHANGES = (
    QEvent.Type.FocusOut, QEvent.Type.ShowToParent, QEvent.Type.HideToParent,
    QEvent.Type.EnabledChange,
)  # fmt: skip
