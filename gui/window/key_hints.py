"""Keys on the buttons, as long as Alt is held."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QToolButton

from gui.widgets.debounce import debounce
from gui.widgets.event_filters import until_collected
from gui.widgets.parts import KeyCap

HELD_MS = 1000
"""How long Alt is held before keys come."""


class KeyHints(QObject):
    """Draws the first key of its action on each button of a window that has one."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._caps: list[KeyCap] = []
        self._held = debounce(self, HELD_MS, self._show_keys)

    def watch(self) -> None:
        """Filter the window's key events before the focused widget."""
        if (handle := self._window.windowHandle()) is not None:
            handle.installEventFilter(self)

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
        """The keys that are drawn."""
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
