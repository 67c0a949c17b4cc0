"""One legend below several panes; nothing is left out at any width."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotate.evaluation.tables.method_colors import on_ground
from gui.widgets.swatch import draw_box
from gui.widgets.theme import theme_of

_LEFT, _SIGN, _GAP = 12, 24, 20
"""Room before the first entry, for a line's sign, and between two entries, px."""


@dataclass(frozen=True)
class LegendLine:
    """A line, in its colour on the page, and its name."""

    color: str
    dash: str
    words: str


class Legend(QWidget):
    """Entries one after the other, in as many lines as they take, and a note at the right end."""

    def __init__(self, entries: Sequence[LegendLine] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.note = ""
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.show_entries(entries)

    def show_entries(self, entries: Sequence[LegendLine]) -> None:
        self._entries = tuple(entries)
        self._name()

    def say(self, note: str) -> None:
        self.note = note
        self._name()

    def _name(self) -> None:
        self.setAccessibleName(", ".join(filter(None, (*self.words, self.note))))
        self.updateGeometry()
        self.update()

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(entry.words for entry in self._entries)

    # as high as its lines -------------------------------------------------------------------
    def heightForWidth(self, width: int) -> int:
        return self._line * (self._note_rect(width)[0] + self._note_lines(width)) + 6

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    @property
    def _line(self) -> int:
        return self.fontMetrics().height() + 8

    def positions(self, width: int) -> list[tuple[int, int]]:
        """Return where each entry stands: px from the left, and its line."""
        result, x, line = [], _LEFT, 0
        for words in self.words:
            wide = _SIGN + self.fontMetrics().horizontalAdvance(words) + _GAP
            if x > _LEFT and x + wide - _GAP + 4 > width:
                x, line = _LEFT, line + 1
            result.append((x, line))
            x += wide
        return result

    def _note_rect(self, width: int) -> tuple[int, int]:
        """Return the line the note begins in, and how far from the left it may begin."""
        if not self._entries:
            return 0, _LEFT
        x, line = self.positions(width)[-1]
        free = x + _SIGN + self.fontMetrics().horizontalAdvance(self.words[-1]) + _GAP
        if not self.note or free + self._advance() + _LEFT <= width:
            return line, free
        return line + 1, _LEFT

    def _advance(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.note)

    def _note_lines(self, width: int) -> int:
        if not self.note or self._advance() <= width - 2 * _LEFT:
            return 1
        room = QRectF(0, 0, max(width - 2 * _LEFT, 1), 10_000).toRect()
        box = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, self.note)
        return -(-box.height() // self.fontMetrics().lineSpacing())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.chrome))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, height, width = self.fontMetrics(), self._line, self.width()
        middle = Qt.AlignmentFlag.AlignVCenter
        for entry, (x, line) in zip(self._entries, self.positions(width), strict=True):
            top, wide = 3 + line * height, metrics.horizontalAdvance(entry.words)
            color = on_ground(entry.color, is_dark=theme.name == "dark")
            draw_box(painter, QRectF(x, top + height / 2 - 7, 18, 14), color, entry.dash)
            painter.setPen(QColor(theme.text))
            painter.drawText(QRectF(x + _SIGN, top, wide + 4, height), middle, entry.words)
        line, left = self._note_rect(width)
        lines = self._note_lines(width)
        area = QRectF(left, 3 + line * height, max(width - left - _LEFT, 1), lines * height)
        side = Qt.AlignmentFlag.AlignLeft if left == _LEFT and self._entries else None
        across = side or Qt.AlignmentFlag.AlignRight
        painter.setPen(QColor(theme.muted))
        painter.drawText(area, middle | across | Qt.TextFlag.TextWordWrap, self.note)
