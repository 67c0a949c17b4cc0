"""A label that takes another line where there is no room for one, so that it is never cut off."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class WrappedLabel(QLabel):
    """Keeps its lines when its text becomes bold: what is chosen does not push others away."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """Say that lines depend on the room there is."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines, as if they were bold."""
        sides = self.contentsMargins()
        inner = QRect(0, 0, max(1, width - sides.left() - sides.right()), 10_000)
        lines = self._bold().boundingRect(inner, Qt.TextFlag.TextWordWrap, self.text())
        return lines.height() + sides.top() + sides.bottom()

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
        font = QFont(self.font())
        font.setWeight(max(font.weight(), QFont.Weight.DemiBold))
        return QFontMetrics(font)
