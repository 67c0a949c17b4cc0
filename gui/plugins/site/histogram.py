"""Histogram of the distances between pages; the threshold in the gap can be dragged."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from algorithms.plugins.site.overview import Overview
from gui.plugins.site.site_picture import GRAB_PX, SitePicture
from gui.plugins.site.state import SiteState

_BINS = 80
_STEP = 0.01
"""Step of an arrow key for the threshold, as a share of the largest distance."""


class HistogramPicture(SitePicture):
    """Bars (square roots of counts, so that small counts are visible) and the threshold."""

    def __init__(self, state: SiteState, parent: QWidget | None = None) -> None:
        super().__init__(state, "Histogram of distances", "", parent)
        self.setAccessibleDescription("a plot: Left and Right move the threshold")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._is_held = False

    @property
    def box(self) -> QRectF:
        below = self.fontMetrics().height() + 2
        return QRectF(self.rect()).adjusted(self.MARGIN, self.MARGIN + 8, -self.MARGIN, -below)

    def x_of(self, distance: float) -> float:
        overview, box = self.state.overview, self.box
        highest = overview.highest if overview is not None else 1.0
        return box.left() + distance / highest * box.width()

    def draw_ground(self, painter: QPainter, overview: Overview) -> None:
        """Draw bars and the ends of the axis."""
        box, theme = self.box, self.theme
        counts, edges = overview.histogram(_BINS)
        tallest = max(float(counts.max(initial=1)), 1.0) ** 0.5
        painter.setPen(Qt.PenStyle.NoPen)
        for count, low, high in zip(counts.tolist(), edges[:-1], edges[1:], strict=True):
            if count:
                is_joined = low <= self.state.threshold
                painter.setBrush(QColor(theme.accent if is_joined else theme.edge))
                height = count**0.5 / tallest * box.height()
                left, right = self.x_of(float(low)), self.x_of(float(high))
                painter.drawRect(
                    QRectF(left, box.bottom() - height, max(right - left - 1, 1), height)
                )
        painter.setPen(QColor(theme.muted))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        foot = QRectF(box.left(), box.bottom() + 1, box.width(), self.height() - box.bottom() - 1)
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight, f"{overview.highest:.3g}")

    def draw(self, painter: QPainter, overview: Overview) -> None:
        """Draw the threshold, and the distance of two hovered pages."""
        box, theme = self.box, self.theme
        x = self.x_of(self.state.threshold)
        line = QPointF(x, box.top() - 8), QPointF(x, box.bottom())
        self.draw_cut(painter, line, f"{self.state.threshold:.3g}")
        if self.state.hovered:
            first, last = self.state.hovered[0], self.state.hovered[-1]
            at = self.x_of(float(overview.matrix[first, last]))
            if first != last:
                painter.setPen(QColor(theme.text))
                painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()))

    def is_near(self, at: QPointF) -> bool:
        """Return whether the threshold can be dragged from here."""
        return abs(at.x() - self.x_of(self.state.threshold)) <= GRAB_PX

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start dragging the threshold; a click anywhere moves it there."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._is_held = True
            self._drag(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near = self._is_held or self.is_near(event.position())
        self.setCursor(Qt.CursorShape.SplitHCursor if near else Qt.CursorShape.ArrowCursor)
        if self._is_held:
            self._drag(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._is_held = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        overview = self.state.overview
        way = ways.get(Qt.Key(event.key()))
        if way is None or overview is None:
            super().keyPressEvent(event)
        else:
            self.state.set_threshold(self.state.threshold + way * _STEP * overview.highest)

    def _drag(self, x: float) -> None:
        overview, box = self.state.overview, self.box
        if overview is not None and box.width() > 0:
            self.state.set_threshold((x - box.left()) / box.width() * overview.highest)
