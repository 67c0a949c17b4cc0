"""What floats over the window: messages, and covers that follow its size."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import (
    QEnterEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QWidget,
)

from gui.once import once
from gui.widgets import Busy, IconButton, IconLabel


class Toast(QFrame):
    """A message over the lower edge of the page; goes by itself, or at a click; blocks nothing."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self._ground = ground
        self.setObjectName("Toast")
        self.setAccessibleName("Message")
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = IconButton("close", "Dismiss", self)
        close.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 7, 7, 7)
        layout.setSpacing(8)
        layout.addWidget(IconLabel("info", self, ink="accent", size=18))
        layout.addWidget(self._text, 1)
        layout.addWidget(close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        ground.installEventFilter(self)
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def say(self, text: str) -> None:
        """Show a message for as long as it takes to read it; "" takes the last one away."""
        if not text:
            self.hide()
            return
        self._text.setText(text[:1].upper() + text[1:])
        self._place()
        self.show()
        self.raise_()
        self._timer.start(min(4000 + 60 * len(text), 20_000))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stay while the mouse is over it."""
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Go a little later."""
        self._timer.start(2500)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep its place when the window changes its size."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _place(self) -> None:
        ground = self._ground
        most = min(560, max(200, ground.width() - 48))
        words = self._text.fontMetrics().horizontalAdvance(self._text.text()) + 90
        width = min(most, words)
        layout = self.layout()
        assert layout is not None
        layout.invalidate()
        layout.activate()
        frame = 2  # the style sheet's border lies outside the layout
        height = max(layout.heightForWidth(width - frame), layout.minimumSize().height()) + frame
        self.setGeometry(
            (ground.width() - width) // 2, ground.height() - height - 22, width, height
        )


class Overlay(QWidget):
    """A widget that covers another one and follows its size."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self._ground = ground
        ground.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size."""
        if watched is self._ground and isinstance(event, QResizeEvent):
            self.setGeometry(self._ground.rect())
        return False


class Veil(Overlay):
    """Lies over a page that is being opened: it is laid out, scrolled and measured meanwhile.

    Whoever looked at that would see a page that jumps.  What takes long gets a turning arc.
    """

    PATIENCE_MS = 400

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self.setObjectName("Veil")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("The page is being opened")
        self._busy = Busy(self, 30)
        self._timer = once(self, self.PATIENCE_MS, self._busy.show)
        self.hide()

    def fall(self) -> None:
        """Cover the page."""
        self._busy.hide()
        self._timer.start()
        self.setGeometry(self._ground.rect())
        self.show()
        self.raise_()

    def lift(self) -> None:
        """Show the page."""
        self._timer.stop()
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the arc in the middle."""
        super().resizeEvent(event)
        self._busy.move((self.width() - self._busy.width()) // 2, self.height() * 2 // 5)
