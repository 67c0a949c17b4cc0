"""Drawing of the outline: a line per block, arrows in the theme's colours."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QWidget,
)

from algorithms.levels import Level
from annotate.marks.gold import MarkState
from gui.widgets.entry_delegate import ItemIndex
from gui.widgets.theme import Theme, draw_rounded, mix_colors, pixmap, scale_font, theme_of

ENTRY, HOT = Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True)
class OutlineEntry:
    """Line of the outline.

    Attributes:
        rows: The nodes whose subtrees it covers; ascending; empty for a lost mark.
        level: `MAIN`, 1 or 2.
        type: Its type, "" if none.
        quote: Beginning of its text.
        mark: The mark's id; "" for a method's block.
        state: How sure its position is.
        color: ``#rrggbb`` of its layer.
        note: Addition to its tool tip (a method's reason).
        finding: Its possible error, in words.
        is_unsure: Whether it is flagged for review.
        fields: The guideline's own fields, in words.
    """

    rows: tuple[int, ...]
    level: Level
    type: str
    quote: str
    mark: str = ""
    state: MarkState = MarkState.EXACT
    color: str = "#808080"
    note: str = ""
    finding: str = ""
    is_unsure: bool = False
    fields: tuple[str, ...] = ()


class OutlineTree(QTreeWidget):
    """Tree with the theme's arrows."""

    await_painted: Callable[[], bool] = staticmethod(lambda: True)
    """Waits until the page shows the selection; returns whether it does."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setHeaderHidden(True)
        self.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.setItemDelegate(OutlineDelegate(self))
        self.setIndentation(14)
        self.setMouseTracking(True)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)
        self.setVerticalScrollMode(QTreeWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Outline of blocks")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave a line only once the page shows it."""
        if self.await_painted():
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Keep several chosen lines on a right click."""
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.RightButton and (
            self.selectionModel().isSelected(index) or not index.isValid()
        ):
            event.accept()
            return
        super().mousePressEvent(event)

    def drawBranches(self, painter: QPainter, rect: QRect, index: ItemIndex) -> None:
        """Draw an arrow before lines that can be folded."""
        if not self.model().hasChildren(index):
            return
        name = "down" if self.isExpanded(index) else "next"
        sign = pixmap(name, theme_of(self).muted, 12, self.devicePixelRatioF())
        painter.drawPixmap(QPoint(rect.right() - 12, rect.center().y() - 5), sign)


class OutlineDelegate(QStyledItemDelegate):
    """Level, type and the beginning of the text, in one line."""

    def sizeHint(self, option: QStyleOptionViewItem, index: ItemIndex) -> QSize:
        return QSize(80, round(option.fontMetrics.height() * 1.75))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ItemIndex) -> None:
        view, state = option.widget, option.state
        theme = theme_of(view)
        rect: QRect = option.rect
        font: QFont = option.font
        entry: OutlineEntry | None = index.data(ENTRY)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if entry is None:
            painter.setFont(scale_font(font, 0.9, weight=QFont.Weight.DemiBold))
            painter.setPen(QColor(theme.muted))
            painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, str(index.data()))
            painter.restore()
            return
        box = QRectF(rect).adjusted(0, 1, -6, -1)
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        if is_selected or index.data(HOT) or state & QStyle.StateFlag.State_MouseOver:
            draw_rounded(painter, box, 5, fill=theme.chosen if is_selected else theme.hover)
        if index.data(HOT) and not is_selected:
            draw_rounded(painter, box.adjusted(0.5, 0.5, -0.5, -0.5), 5, theme.edge)

        left, middle = self._badge(painter, entry, option, theme), Qt.AlignmentFlag.AlignVCenter
        for name in _signs(entry):
            sign = pixmap(name, theme.warn, 14, view.devicePixelRatioF(), theme.panel)
            painter.drawPixmap(QPoint(left, rect.center().y() - 6), sign)
            left += 18
        if entry.type:
            painter.setFont(scale_font(font, 0.92, weight=QFont.Weight.DemiBold))
            painter.setPen(QColor(theme.text))
            width = painter.fontMetrics().horizontalAdvance(entry.type)
            painter.drawText(QRect(left, rect.top(), width, rect.height()), middle, entry.type)
            left += width + 7
        quote_font = scale_font(font, 0.92)
        quote_font.setItalic(entry.state is MarkState.LOST)
        painter.setFont(quote_font)
        painter.setPen(QColor(theme.muted))
        room = QRect(left, rect.top(), max(0, rect.right() - left - 8), rect.height())
        text, end = entry.quote or "no text", Qt.TextElideMode.ElideRight
        painter.drawText(room, middle, painter.fontMetrics().elidedText(text, end, room.width()))
        painter.restore()

    def _badge(
        self, painter: QPainter, entry: OutlineEntry, option: QStyleOptionViewItem, theme: Theme
    ) -> int:
        """Draw the level in the colour of its layer; return the x where drawing continues."""
        rect, font = option.rect, option.font
        left = rect.left() + 5
        painter.setFont(scale_font(font, 0.82, weight=QFont.Weight.DemiBold))
        text = {0: "M", 1: "1", 2: "2"}[entry.level]
        size = painter.fontMetrics().height() + 2
        badge = QRectF(left, rect.center().y() - size / 2 + 0.5, size, size)
        draw_rounded(painter, badge, 4, entry.color, mix_colors(entry.color, theme.panel, 0.22))
        painter.setPen(QColor(theme.text))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)
        return left + size + 6


def _signs(entry: OutlineEntry) -> Iterator[str]:
    """Yield the icons behind the badge: marks to be confirmed, and findings."""
    if entry.state is not MarkState.EXACT:
        yield "lost" if entry.state is MarkState.LOST else "moved"
    if entry.is_unsure:
        yield "status-question"
    if entry.finding:
        yield "warning"
