"""Card on the start page that chooses a kind of work."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from gui.widgets.theme import draw_rounded, scale_font, smooth_painter, theme_of

WIDTH, HEIGHT = 34, 5
"""Size of a card, in letters and in lines."""
_INSET = 12


class TaskCard(QAbstractButton):
    """A title above a sentence; the chosen one is framed."""

    def __init__(self, title: str, sentence: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setText(title)
        self._sentence = sentence
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.averageCharWidth() * WIDTH + 2 * _INSET, metrics.height() * HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = theme_of(self), smooth_painter(self)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        is_marked = self.isChecked() or self.hasFocus()
        edge = theme.accent if is_marked else theme.line
        fill = (
            theme.chosen if self.isChecked() else theme.hover if self.underMouse() else theme.raised
        )
        draw_rounded(painter, box, 8, edge, fill, width=2 if self.hasFocus() else 1)
        room = QRect(self.rect()).adjusted(_INSET, _INSET - 2, -_INSET, -_INSET + 2)
        painter.setPen(QColor(theme.text))
        painter.setFont(scale_font(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        painter.drawText(room, Qt.AlignmentFlag.AlignTop, self.text())
        painter.setPen(QColor(theme.muted))
        painter.setFont(scale_font(self.font(), 0.92))
        below = room.adjusted(0, self.fontMetrics().height() + 4, 0, 0)
        painter.drawText(
            below, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop, self._sentence
        )
