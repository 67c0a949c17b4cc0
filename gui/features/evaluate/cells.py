"""Drawing of cells: the score as a colour and, always, as a number or text."""

from math import isnan

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from annotate.evaluation.tables.result_table import EMPTY, FAILED, NOT_RUN, SKIPPED, TIMED_OUT
from gui.features.evaluate import cell_text
from gui.features.evaluate.arrangement import DELTA
from gui.features.evaluate.model import ScoresModel
from gui.widgets.color_scale import SIDES, colors_of
from gui.widgets.entry_delegate import ItemIndex
from gui.widgets.theme import Theme, mix_colors, scale_font, theme_of

CENTER = Qt.AlignmentFlag.AlignCenter
_GAP = 1.0
_WORDS = {FAILED: "bad", TIMED_OUT: "bad", SKIPPED: "muted", EMPTY: "text"}
"""Colour of its word, by status."""


class CellDelegate(QStyledItemDelegate):
    """Paints cells directly from the numbers: calls through roles would slow down scrolling."""

    def __init__(self, model: ScoresModel, view: QWidget) -> None:
        super().__init__(view)
        self._model, self._view = model, view
        self.restyle()

    def restyle(self) -> None:
        """Update font and theme from the view."""
        self._font = scale_font(self._view.font(), 0.95)
        self._small = scale_font(self._view.font(), 0.84)
        self._theme = theme_of(self._view)

    def sizeHint(self, option: QStyleOptionViewItem, index: ItemIndex) -> QSize:
        return QSize(58, round(option.fontMetrics.height() * 1.7))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ItemIndex) -> None:
        """Draw one cell; takes about 20 µs, of which the text is a third."""
        shown = self._model.shown
        page, column = int(shown.order[index.row()]), shown.columns[index.column()]
        box = QRectF(option.rect).adjusted(_GAP, _GAP, 0.0, 0.0)
        value = shown.value(page, column)
        if column == DELTA:
            draw_difference(painter, box, value, self._model, self._theme, self._font)
        else:
            self._draw(painter, box, page, column, value)
        if shown.is_stale(page, column):
            self._mark_stale(painter, box)
        state = option.state
        is_current = bool(state & QStyle.StateFlag.State_HasFocus)
        if is_current or state & QStyle.StateFlag.State_Selected:
            self._frame(painter, box, 2.0 if is_current else 1.0)

    def _mark_stale(self, painter: QPainter, box: QRectF) -> None:
        """Fold down a corner: the number is outdated, but can still be read."""
        corner, size = box.topRight(), box.height() * 0.34
        shape = [corner, corner - QPointF(size, 0), corner + QPointF(0, size)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.warn))
        painter.drawPolygon(QPolygonF(shape))

    def _frame(self, painter: QPainter, box: QRectF, width: float) -> None:
        """Draw a frame in two colours, so that one is visible on any cell."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for color, inset in ((self._theme.accent, width / 2), (self._theme.panel, width * 1.5)):
            painter.setPen(QPen(QColor(color), width))
            painter.drawRect(box.adjusted(inset, inset, -inset, -inset))

    def _draw(self, painter: QPainter, box: QRectF, page: int, column: int, value: float) -> None:
        shown, theme = self._model.shown, self._theme
        status = int(shown.table.status[page, column])
        if isnan(value) or (status == EMPTY and not value > 0):
            text = cell_text.words(shown, page, column)
            draw_word(painter, box, text, status, theme, self._small)
            return
        ground, text_color = colors_of(theme, shown.share(column, value))
        painter.fillRect(box, ground)
        painter.setFont(self._font)
        painter.setPen(text_color)
        painter.drawText(box, CENTER, cell_text.digits(shown, column, value))


def draw_word(
    painter: QPainter, box: QRectF, text: str, status: int, theme: Theme, font: QFont
) -> None:
    """Draw a cell without a number: text on the colour of its status."""
    if status == NOT_RUN:
        painter.fillRect(box, QColor(mix_colors(theme.line, theme.panel, 0.35)))
        return
    if status == EMPTY:
        ground, text_color = colors_of(theme, 0.0)
    else:
        text_color = QColor(str(getattr(theme, _WORDS.get(status, "muted"))))
        ground = QColor(theme.panel)
    painter.fillRect(box, ground)
    painter.setFont(font)
    painter.setPen(text_color)
    painter.drawText(box, CENTER, text)


def draw_difference(
    painter: QPainter, box: QRectF, value: float, model: ScoresModel, theme: Theme, font: QFont
) -> None:
    """Draw a difference: a bar from the middle towards the method with more, and the number."""
    painter.fillRect(box, QColor(theme.field))
    if isnan(value):
        painter.setFont(font)
        painter.setPen(QColor(theme.muted))
        painter.drawText(box, CENTER, "–")
        return
    middle, half = box.center().x(), box.width() / 2 - 4
    long = half * min(abs(value) / model.shown.full_bar, 1.0)
    high = max(4.0, box.height() * 0.42)
    top = box.center().y() - high / 2
    one, other = SIDES[theme.name]
    if value > 0:
        painter.fillRect(QRectF(middle - long, top, long, high), QColor(one))
    elif value < 0:
        painter.fillRect(QRectF(middle, top, long, high), QColor(other))
    painter.setPen(QPen(QColor(theme.edge), 1))
    painter.drawLine(round(middle), round(box.top()) + 2, round(middle), round(box.bottom()) - 2)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    area = QRectF(box.left(), box.top(), box.width() / 2 - 7, box.height())
    side = Qt.AlignmentFlag.AlignRight
    if value > 0:
        area = QRectF(middle + 7, box.top(), half - 7, box.height())
        side = Qt.AlignmentFlag.AlignLeft
    text = cell_text.digits(model.shown, DELTA, value)
    painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter, text)
