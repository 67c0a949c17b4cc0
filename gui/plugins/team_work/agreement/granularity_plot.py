"""Agreement over the cut of the block tree, with a slider that leaves out small blocks."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gui.widgets.theme import Theme, scale_font, theme_of

_LEFT, _TOP, _RIGHT, _FOOT = 34.0, 26.0, 14.0, 38.0


class GranularityPlot(QWidget):
    """Curves of all pages and of the chosen page over the same cuts; the cut can be dragged.

    Attributes:
        cut: Index of the cut among the shares.
    """

    cut_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Leave out small blocks")
        self.setAccessibleDescription("a plot: Left and Right move the cut")
        self.setToolTip(
            "Agreement once blocks below a share of the page are left to those around them.\n"
            "Drag, or press Left and Right, to cut"
        )
        self.setMinimumSize(220, 150)
        self.cut = 0
        self._shares: tuple[float, ...] = ()
        self._mean: tuple[float, ...] = ()
        self._page: tuple[float, ...] = ()

    def sizeHint(self) -> QSize:
        return QSize(340, 230)

    def show_curves(
        self, shares: Sequence[float], mean: Sequence[float], page: Sequence[float] = ()
    ) -> None:
        """Draw the curve of all pages, and of one."""
        self._shares, self._mean, self._page = tuple(shares), tuple(mean), tuple(page)
        self.update()

    def set_cut(self, cut: int) -> None:
        cut = min(max(cut, 0), max(len(self._shares) - 1, 0))
        if cut != self.cut:
            self.cut = cut
            self.update()
            self.cut_changed.emit(cut)

    def point(self, index: int, value: float) -> QPointF:
        box = self._box()
        steps = max(len(self._shares) - 1, 1)
        return QPointF(
            box.left() + index / steps * box.width(), box.bottom() - value * box.height()
        )

    def _box(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_LEFT, _TOP, -_RIGHT, -_FOOT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), theme_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self._box()
        painter.setFont(scale_font(self.font(), 0.82))
        line = painter.fontMetrics().height()
        for value in (0.0, 0.5, 1.0):
            y = self.point(0, value).y()
            painter.setPen(QColor(theme.line))
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            painter.setPen(QColor(theme.muted))
            beside = QRectF(0, y - line / 2, _LEFT - 6, line)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(beside, int(right), f"{value:.1f}")
        if not self._shares:
            return
        last = -1e9
        for position, share in enumerate(self._shares):
            at = self.point(position, 0).x()
            text = f"{share:.1%}".replace(".0%", "%")
            width = painter.fontMetrics().horizontalAdvance(text) + 8
            if at - last >= width or position == 0:
                label = QRectF(at - width / 2, box.bottom() + 3, width, line)
                painter.drawText(label, int(Qt.AlignmentFlag.AlignCenter), text)
                last = at
        foot = QRectF(box.left(), box.bottom() + 3 + line, box.width(), line)
        painter.drawText(
            foot, int(Qt.AlignmentFlag.AlignRight), "blocks left out below this share of the page"
        )
        self._curve(painter, self._page, theme.warn, Qt.PenStyle.DashLine)
        self._curve(painter, self._mean, theme.accent, Qt.PenStyle.SolidLine)
        self._cut(painter, theme)
        if self.hasFocus():
            painter.setPen(QColor(theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)

    def _curve(
        self, painter: QPainter, values: Sequence[float], color: str, style: Qt.PenStyle
    ) -> None:
        points = [self.point(p, v) for p, v in enumerate(values) if not np.isnan(v)]
        painter.setPen(QPen(QColor(color), 2, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(color))
        for point in points:
            painter.drawEllipse(point, 2.5, 2.5)

    def _cut(self, painter: QPainter, theme: Theme) -> None:
        box, at = self._box(), self.point(self.cut, 0).x()
        painter.setPen(QPen(QColor(theme.text), 1.5))
        painter.drawLine(QPointF(at, box.top() - 6), QPointF(at, box.bottom()))
        painter.setBrush(QColor(theme.text))
        painter.drawEllipse(QPointF(at, box.top() - 6), 4, 4)
        parts = [
            f"{name} {curve[self.cut]:.3f}"
            for name, curve in (("all", self._mean), ("this page", self._page))
            if len(curve) > self.cut and not np.isnan(curve[self.cut])
        ]
        text = f"cut {self._shares[self.cut]:.1%}: {', '.join(parts) or '–'}"
        width = painter.fontMetrics().horizontalAdvance(text)
        left = min(max(at - width / 2, 2), self.width() - width - 2)
        painter.drawText(QPointF(left, _TOP - 14), text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._drag(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._drag(event)

    def _drag(self, event: QMouseEvent) -> None:
        box, steps = self._box(), len(self._shares) - 1
        if steps > 0 and box.width() > 0:
            self.set_cut(round((event.position().x() - box.left()) / box.width() * steps))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if way is None:
            super().keyPressEvent(event)
        else:
            self.set_cut(self.cut + way)
