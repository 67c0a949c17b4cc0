"""BesidePage: a rectangle that begins beside the page."""

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from gui.widgets.event_filters import until_collected

_KINDS = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.MouseButtonRelease,
)


class BesidePage(QObject):
    """Hands a drag from beside the page on to it, as if it had begun at the page's nearest edge.

    A click there does nothing.
    """

    def __init__(self, area: QScrollArea, page: QWidget) -> None:
        super().__init__(area)
        self._area, self._page = area, page
        self._start: QPointF | None = None
        self._is_dragged = False
        area.viewport().installEventFilter(self)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take presses of the left button, and what follows them until it is released."""
        if not isinstance(event, QMouseEvent) or event.type() not in _KINDS:
            return False
        if event.type() == QEvent.Type.MouseButtonPress:
            is_left = event.button() == Qt.MouseButton.LeftButton
            self._start = event.position() if is_left else None
            self._is_dragged = False
        start = self._start
        if start is None or not self._page.isVisible():
            return False
        if event.type() == QEvent.Type.MouseMove:
            way = event.position() - start
            if not self._is_dragged and way.manhattanLength() > QApplication.startDragDistance():
                self._is_dragged = True
                self._page.setFocus()
                self._begin(start, event)
        if self._is_dragged:
            self._send(event.type(), self._on_page(event.position()), event, event.modifiers())
        if event.type() == QEvent.Type.MouseButtonRelease:
            self._start = None
        return True

    def _begin(self, start: QPointF, event: QMouseEvent) -> None:
        at, size = self._on_page(start), self._page.size()
        inside = QPointF(
            min(max(at.x(), 0.0), size.width() - 1.0), min(max(at.y(), 0.0), size.height() - 1.0)
        )
        # With Alt it is a rectangle in every mode: nothing beside the page is text.
        keys = event.modifiers() | Qt.KeyboardModifier.AltModifier
        self._send(QEvent.Type.MouseButtonPress, inside, event, keys)

    def _on_page(self, at: QPointF) -> QPointF:
        return self._page.mapFrom(self._area.viewport(), at)

    def _send(
        self, kind: QEvent.Type, at: QPointF, event: QMouseEvent, keys: Qt.KeyboardModifier
    ) -> None:
        target = self._page.focusProxy() or self._page
        is_press = kind == QEvent.Type.MouseButtonPress
        button = Qt.MouseButton.LeftButton if is_press else event.button()
        sent = QMouseEvent(kind, at, target.mapToGlobal(at), button, event.buttons(), keys)
        QApplication.sendEvent(target, sent)
