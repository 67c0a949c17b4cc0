"""Keys heard before the focused widget: hints on buttons with Alt, and why a key has no effect."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QTextEdit,
    QToolButton,
    QWidget,
)

from gui.core.action import Action
from gui.core.main_area import Room, Where
from gui.core.workbench import Workbench
from gui.widgets.events import debounce, until_collected
from gui.widgets.parts import KeyCap
from gui.window.action_table import Actions

HELD_MS = 1000
"""How long Alt is held before keys come."""


class _KeyFilter(QObject):
    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window

    def watch(self) -> None:
        """Filter the window's key events before the focused widget."""
        if (handle := self._window.windowHandle()) is not None:
            handle.installEventFilter(self)


class KeyHints(_KeyFilter):
    """Draws the first key of its action on each button of a window that has one."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._caps: list[KeyCap] = []
        self._held = debounce(self, HELD_MS, self._show_keys)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait from Alt on; any other key, and letting go, takes the keys away."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() != Qt.Key.Key_Alt:
                self._end()
            elif not event.isAutoRepeat():
                self._held.start()
        elif event.type() == QEvent.Type.FocusOut or (
            event.type() == QEvent.Type.KeyRelease
            and isinstance(event, QKeyEvent)
            and not event.isAutoRepeat()
        ):
            self._end()
        return False

    @property
    def shown(self) -> list[str]:
        return [cap.text() for cap in self._caps]

    def _is_seen(self, button: QToolButton) -> bool:
        """Whether a button is there, and nothing lies over it."""
        return (
            button.isVisible()
            and self._window.childAt(button.mapTo(self._window, button.rect().center())) is button
        )

    def _end(self) -> None:
        self._held.stop()
        for cap in self._caps:
            cap.deleteLater()
        self._caps = []

    def _show_keys(self) -> None:
        self._end()
        buttons = self._window.findChildren(QToolButton)
        for button in [each for each in buttons if self._is_seen(each)]:
            action = button.defaultAction()
            if action is None or action.shortcut().isEmpty():
                continue
            native = QKeySequence.SequenceFormat.NativeText
            cap = KeyCap(action.shortcut().toString(native), self._window)
            cap.adjustSize()
            low = button.mapTo(self._window, QPoint(button.width() // 2, button.height()))
            cap.move(low.x() - cap.width() // 2, low.y() - cap.height() // 2)
            # Buttons are narrower than their keys: one that would cover another hangs lower.
            while any(cap.geometry().intersects(other.geometry()) for other in self._caps):
                cap.move(cap.x(), cap.y() + cap.height())
            cap.show()
            self._caps.append(cap)


_FIELDS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)
_OF_PAGE = frozenset([Where.PAGE, Where.MARKS, Where.VIEW, Where.BLOCK])
_ANYWHERE = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
"""With one of these a key is no letter that a panel takes for itself."""


class UnavailableKeys(_KeyFilter):
    """Hears keys that no shortcut took; one of an action that is off gets its reason as a message.

    On the page every key counts; in panels those with Ctrl or Alt do, in fields F-keys alone.
    """

    def __init__(self, window: QMainWindow, workbench: Workbench, actions: Actions) -> None:
        super().__init__(window)
        self._workbench, self._actions = workbench, actions

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and not event.isAutoRepeat()
            and (reason := self._reason(event))
        ):
            self._workbench.session.messages.say(reason)
        return False

    def _reason(self, event: QKeyEvent) -> str:
        now = self._workbench
        if now.main_area.current.room is Room.WHOLE_SCREEN or not self._counts(event):
            return ""
        pressed = QKeySequence(event.keyCombination())
        meant = [row for row in self._actions.rows if pressed in map(QKeySequence, row.keys)]
        rows = [row for row in meant if self._holds_here(row)]
        if not rows or any(self._actions[row.name].isEnabled() for row in rows):
            return ""
        if now.session.open.document is not None and now.session.open.page is None:
            return "the page is still being opened: press the key again once it is shown"
        return self._actions.reason(rows[0])

    def _counts(self, event: QKeyEvent) -> bool:
        """Whether the key is one that only actions take where the keyboard is."""
        focused = self._window.focusWidget()
        if event.key() == Qt.Key.Key_Escape:
            return False
        if Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F12:
            return True
        if isinstance(focused, _FIELDS):
            return False
        return bool(event.modifiers() & _ANYWHERE) or self._is_on_page(focused)

    def _is_on_page(self, widget: QWidget | None) -> bool:
        """Whether the keyboard is on the page, or would be if there were one."""
        canvas = self._workbench.canvas
        if widget is None or widget is canvas or self._workbench.session.open.document is None:
            return True
        return canvas.isAncestorOf(widget)

    def _holds_here(self, row: Action) -> bool:
        """Whether a row's keys hold where the keyboard is, or would if there were a page.

        Keys of slides hold while the page is presented alone: on the page they scroll.
        """
        if row.where.is_alone:
            return False
        if row.where == Where.WINDOW or (
            self._workbench.session.open.document is None and row.where in _OF_PAGE
        ):
            return True
        focused = self._window.focusWidget()
        return focused is not None and any(
            isinstance(each, QWidget) and (each is focused or each.isAncestorOf(focused))
            for each in self._actions[row.name].associatedObjects()
        )
