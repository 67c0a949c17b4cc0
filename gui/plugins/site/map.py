"""Map of the pages, similar ones nearby (non-metric scaling, Gottron's Figure 7.8)."""

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from algorithms.plugins.site.overview import Overview
from engine.tree import Doubles
from gui.plugins.site.site_picture import SitePicture, cluster_color
from gui.plugins.site.state import SiteState

_NEAR_PX = 12.0


class MapPicture(SitePicture):
    """A dot for each page, in the colour of its cluster; a frame drawn by mouse selects pages."""

    def __init__(self, state: SiteState, parent: QWidget | None = None) -> None:
        super().__init__(state, "Map of the pages", "", parent)
        self._frame: QRectF | None = None

    def points(self) -> Doubles:
        """Return the positions of pages in the widget, float64 (n, 2)."""
        overview = self.state.overview
        assert overview is not None
        points = overview.map.points
        low, high = points.min(axis=0), points.max(axis=0)
        room = np.array([self.width(), self.height()]) - 4 * self.MARGIN
        scale = float((room / np.maximum(high - low, 1e-9)).min())
        middle = np.array([self.width(), self.height()]) / 2
        return np.asarray(middle + (points - (low + high) / 2) * scale, dtype=np.float64)

    def draw_ground(self, painter: QPainter, overview: Overview) -> None:
        """Draw a dot for each page, and how well the map fits."""
        self._draw_dots(painter, range(len(overview)), is_ground=True)
        painter.setPen(QColor(self.theme.muted))
        corner = QRectF(self.rect()).adjusted(6, 4, -6, -4)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        painter.drawText(corner, flags, f"stress {overview.map.stress:.2f}")

    def draw(self, painter: QPainter, overview: Overview) -> None:
        """Draw the dots of hovered and selected pages, larger, and the selection frame."""
        self._draw_dots(painter, [*self.state.selected, *self.state.hovered])
        if self._frame is not None:
            painter.setPen(QPen(QColor(self.theme.accent), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self._frame)

    def _draw_dots(
        self, painter: QPainter, pages: Iterable[int], *, is_ground: bool = False
    ) -> None:
        points, theme, state = self.points(), self.theme, self.state
        for page in pages:
            is_hovered = page in state.hovered and not is_ground
            is_selected = page in state.selected and not is_ground
            color = cluster_color(theme, state.cluster_of(page))
            painter.setPen(QPen(QColor(theme.panel if not is_selected else theme.text), 1.4))
            color.setAlpha(255 if is_hovered or is_selected else 190)
            painter.setBrush(color)
            size = 7.0 if is_hovered else 5.5 if is_selected else 4.0
            painter.drawEllipse(QPointF(*points[page]), size, size)

    def page_at(self, at: QPointF) -> int:
        """Return the nearest page within reach, -1 for none."""
        if self.state.overview is None or len(self.state.overview) < 2:
            return -1
        away = np.hypot(*(self.points() - np.array([at.x(), at.y()])).T)
        nearest = int(np.argmin(away))
        return nearest if away[nearest] <= _NEAR_PX else -1

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._frame is not None:
            self._frame.setBottomRight(event.position())
            self.update()
            return
        page = self.page_at(event.position())
        self.state.set_hovered(*([page] if page >= 0 else []))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        page = self.page_at(event.position())
        if page >= 0:
            self.pick(event, (page,))
        else:
            self._frame = QRectF(event.position(), event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._frame is None:
            return
        frame, self._frame = self._frame.normalized(), None
        inside = [p for p, at in enumerate(self.points()) if frame.contains(QPointF(*at))]
        self.pick(event, tuple(inside))
        self.update()
