"""A label that takes another line where there is no room for one, so that it is never cut off."""

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class WrappedLabel(QLabel):
    """Keeps its lines when its text becomes bold, so that choosing it moves no others."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._metrics: QFontMetrics | None = None  # of the bold font; layouts ask again and again
        self._heights: dict[tuple[str, int], int] = {}

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._metrics = None
            self._heights.clear()
        super().changeEvent(event)

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines, as if they were bold."""
        sides = self.contentsMargins()
        text, room = self.text(), max(1, width - sides.left() - sides.right())
        height = self._heights.get((text, room))
        if height is None:
            inner = QRect(0, 0, room, 10_000)
            height = self._bold().boundingRect(inner, Qt.TextFlag.TextWordWrap, text).height()
            self._heights[text, room] = height
        return height + sides.top() + sides.bottom()

    def sizeHint(self) -> QSize:
        """Return what all of the text takes in one line."""
        return self._size(self._bold().horizontalAdvance(self.text()))

    def minimumSizeHint(self) -> QSize:
        """Return what the longest word takes."""
        words = self.text().split()
        return self._size(max(map(self._bold().horizontalAdvance, words), default=0))

    def _size(self, width: int) -> QSize:
        sides = self.contentsMargins()
        height = self._bold().height() + sides.top() + sides.bottom()
        return QSize(width + 2 + sides.left() + sides.right(), height)

    def _bold(self) -> QFontMetrics:
        if self._metrics is None:
            font = QFont(self.font())
            font.setWeight(max(font.weight(), QFont.Weight.DemiBold))
            self._metrics = QFontMetrics(font)
        return self._metrics
