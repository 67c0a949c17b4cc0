"""Messages on single pages after an evaluation, to read, search and copy."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from engine.words import sentence
from gui.widgets.layouts import lay_out

_WIDTH, _HEIGHT = 96, 26
"""Largest size of the popup, in letters and lines."""


class NotesPopup(QFrame):
    """Popup at a position; Esc or a click elsewhere closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("ChoicePopup")
        self.text = QPlainTextEdit(self)
        self.text.setObjectName("Notes")
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setAccessibleName("Notes on pages")
        lay_out(QVBoxLayout(self), self.text, margins=(8, 8, 8, 8))

    def open_at(self, position: QPoint, notes: Sequence[str]) -> None:
        """Show messages with the upper left corner at a position on the screen."""
        self.text.setPlainText("\n".join(sentence(note) for note in notes))
        metrics, screen = self.fontMetrics(), self.screen().availableGeometry()
        longest = max((metrics.horizontalAdvance(note) for note in notes), default=0)
        wide = min(longest + 60, _WIDTH * metrics.averageCharWidth(), screen.width())
        rows = sum(1 + metrics.horizontalAdvance(note) // max(wide - 60, 1) for note in notes)
        high = min((min(rows, _HEIGHT) + 2) * metrics.lineSpacing() + 16, screen.height())
        size = QSize(wide, high)
        self.resize(size)
        self.move(
            max(screen.left(), min(position.x(), screen.right() - wide)),
            max(screen.top(), min(position.y(), screen.bottom() - high)),
        )
        self.show()
        self.text.setFocus()
