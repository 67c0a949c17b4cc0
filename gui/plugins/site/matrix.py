"""Distance matrix of all pages: dark squares along the diagonal are templates."""

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from algorithms.plugins.site.overview import Overview
from gui.plugins.site.site_picture import SitePicture, cluster_color
from gui.plugins.site.state import SiteState
from gui.widgets.color_scale import STEPS, color_scale


class MatrixPicture(SitePicture):
    """Pages × pages in the order of the dendrogram; closer pairs are darker."""

    def __init__(self, state: SiteState, parent: QWidget | None = None) -> None:
        super().__init__(state, "Distances of all pages", "", parent)
        self._image = QImage()
        self._of: tuple[str, Overview | None] = "", None

    @property
    def box(self) -> QRectF:
        side = min(self.width(), self.height()) - 2 * self.MARGIN
        return QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)

    def cell(self, at: QPointF) -> tuple[int, int] | None:
        """Return the indices, in the drawn order, of the pair at a point."""
        overview, box = self.state.overview, self.box
        if overview is None or not box.contains(at) or box.width() <= 0:
            return None
        n = len(overview)
        column = int((at.x() - box.left()) / box.width() * n)
        row = int((at.y() - box.top()) / box.height() * n)
        return min(row, n - 1), min(column, n - 1)

    def draw_ground(self, painter: QPainter, overview: Overview) -> None:
        """Draw the matrix and the edges of its clusters."""
        box, n = self.box, len(overview)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, n > box.width())
        painter.drawImage(box, self._drawn(overview))
        step = box.width() / n
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        ranks = _ranks(overview)
        for label, members in enumerate(self.state.groups()):
            positions = ranks[members]
            low, high = float(positions.min()), float(positions.max()) + 1
            painter.setPen(QPen(cluster_color(self.theme, label), 2))
            side = (high - low) * step
            painter.drawRect(QRectF(box.left() + low * step, box.top() + low * step, side, side))

    def draw(self, painter: QPainter, overview: Overview) -> None:
        """Draw the selected and hovered pages."""
        box, ranks = self.box, _ranks(overview)
        step = box.width() / len(overview)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for page in self.state.selected:
            at = box.left() + (float(ranks[page]) + 0.5) * step
            painter.fillRect(
                QRectF(at - 1, box.top() - 5, max(step, 2), 4), QColor(self.theme.accent)
            )
        if self.state.hovered:
            first, last = ranks[self.state.hovered[0]], ranks[self.state.hovered[-1]]
            painter.setPen(QPen(QColor(self.theme.text), 1))
            x, y = box.left() + (last + 0.5) * step, box.top() + (first + 0.5) * step
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))

    def _drawn(self, overview: Overview) -> QImage:
        of = (self.theme.name, overview)
        if self._of != of:
            near = 1.0 - overview.matrix[np.ix_(overview.order, overview.order)] / overview.highest
            steps = np.ascontiguousarray(np.rint(near * STEPS).astype(np.uint8))
            image = QImage(steps.data, len(overview), len(overview), len(overview),
                           QImage.Format.Format_Indexed8)  # fmt: skip
            image.setColorTable([ground.rgb() for ground, _ in color_scale(self.theme.name)])
            self._image, self._of = image.convertToFormat(QImage.Format.Format_RGB32), of
        return self._image

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell, overview = self.cell(event.position()), self.state.overview
        if cell is None or overview is None:
            self.state.set_hovered()
        else:
            self.state.set_hovered(*(int(overview.order[position]) for position in cell))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.state.hovered:
            self.pick(event, self.state.hovered)


def _ranks(overview: Overview) -> npt.NDArray[np.int64]:
    """Return the position of each page in the drawn order, int64 (n,)."""
    ranks = np.empty(len(overview), dtype=np.int64)
    ranks[overview.order] = np.arange(len(overview))
    return ranks
