"""Confusion table of marked and found types."""

from collections.abc import Mapping
from itertools import product

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from algorithms.measures.regions import NO_BLOCK, UNTYPED
from engine.words import plural
from gui.widgets.texts import plain
from gui.widgets.theme import scale_font, smooth_painter, theme_of

CELL = 21
NAMES = {NO_BLOCK: "no block", UNTYPED: "no type"}
_LAST = (UNTYPED, NO_BLOCK)

TypeCounts = Mapping[tuple[str, str], int]


class ConfusionTable(QWidget):
    """Rows are marked types, columns found ones; the diagonal is right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: TypeCounts = {}
        self.rows: tuple[str, ...] = ()
        self.columns: tuple[str, ...] = ()
        self.setMouseTracking(True)
        self.setFont(scale_font(self.font(), 0.86))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_counts(self, counts: TypeCounts) -> None:
        """Show the counts of each pair of a marked and a found type."""
        self._counts = dict(counts)
        self.rows = _order({gold for gold, _ in counts})
        self.columns = _order({type_name for _, type_name in counts}, self.rows)
        self.setAccessibleName("Marked types against found types")
        self.setAccessibleDescription("; ".join(self.say(*pair) for pair in sorted(counts)))
        self.updateGeometry()
        self.update()

    def say(self, gold: str, text_type: str) -> str:
        """Return one cell as a sentence."""
        count = self._counts.get((gold, text_type), 0)
        blocks = plural(count, "block")
        if gold == NO_BLOCK:
            return f"{blocks} found as {_name(text_type)} where nothing is marked"
        if text_type == NO_BLOCK:
            return f"{blocks} marked {_name(gold)} and not found"
        return f"{blocks} marked {_name(gold)} and found as {_name(text_type)}"

    def sizeHint(self) -> QSize:
        return QSize(self._left() + CELL * len(self.columns), self._top() + CELL * len(self.rows))

    def minimumSizeHint(self) -> QSize:
        """Return the full height and a small width: cells shrink in width only."""
        return QSize(self._left() + 9 * len(self.columns), self.sizeHint().height())

    def _left(self) -> int:
        return self._longest(self.rows) + 12

    def _top(self) -> int:
        return self._longest(self.columns) + 8

    def _longest(self, types: tuple[str, ...]) -> int:
        advance = self.fontMetrics().horizontalAdvance
        return max((advance(_name(each)) for each in types), default=0)

    def _cell(self) -> float:
        return min(float(CELL), (self.width() - self._left()) / max(1, len(self.columns)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw names and counts; the more blocks, the darker the cell."""
        theme, painter = theme_of(self), smooth_painter(self)
        left, top, wide = self._left(), self._top(), self._cell()
        most = max(self._counts.values(), default=1)
        painter.setPen(QColor(theme.muted))
        for index, row in enumerate(self.rows):
            box = QRectF(5, top + CELL * index, left - 11, CELL)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, _name(row))
        for index, column in enumerate(self.columns):
            painter.save()
            painter.translate(left + wide * (index + 0.5), top - 4)
            painter.rotate(-90)
            height = self.fontMetrics().height()
            box = QRectF(0, -height / 2, top, height)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, _name(column))
            painter.restore()
        for (i, row), (k, column) in product(enumerate(self.rows), enumerate(self.columns)):
            if row == NO_BLOCK and column == NO_BLOCK:
                continue
            count, is_right = self._counts.get((row, column), 0), row == column
            box = QRectF(left + wide * k, top + CELL * i, wide, CELL).adjusted(1, 1, -1, -1)
            ground = QColor(theme.good if is_right else theme.accent)
            ground.setAlphaF(0.1 + 0.5 * count / most)
            painter.fillRect(box, ground if count else QColor(theme.hover))
            if is_right:
                painter.setPen(QPen(QColor(theme.good), 1))
                painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
            if count:
                painter.setPen(QColor(theme.text))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(count))
        painter.end()

    def cell_at(self, position: QPointF) -> tuple[str, str] | None:
        """Return the marked and the found type at a position; None beside the cells."""
        x, y = position.x() - self._left(), position.y() - self._top()
        column, row = int(x // self._cell()), int(y // CELL)
        if 0 <= row < len(self.rows) and 0 <= column < len(self.columns):
            return self.rows[row], self.columns[column]
        return None

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            cell = self.cell_at(QPointF(event.pos()))
            if cell is None or cell == (NO_BLOCK, NO_BLOCK):
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), plain(self.say(*cell)), self)
            return True
        return super().event(event)


def _name(type_: str) -> str:
    return NAMES.get(type_, type_)


def _order(types: set[str], like: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return types by name, those of ``like`` first, no type and no block last."""
    return tuple(sorted(types, key=lambda t: (t in _LAST and 1 + _LAST.index(t), t not in like, t)))
