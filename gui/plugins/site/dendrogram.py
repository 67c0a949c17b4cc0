"""Single-linkage dendrogram of the pages; the cut can be dragged."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from algorithms.plugins.site.overview import Overview
from engine.tree import Doubles
from engine.words import plural
from gui.plugins.site.site_picture import GRAB_PX, SitePicture, cluster_color
from gui.plugins.site.state import SiteState


class DendrogramPicture(SitePicture):
    """Pages from left to right, distance upwards; below the cut in the colours of clusters."""

    def __init__(self, state: SiteState, parent: QWidget | None = None) -> None:
        super().__init__(state, "How the pages merge", "", parent)
        self._is_held = False
        self._positions: Doubles | None = None

        state.overview_changed.connect(self._forget)

    def _forget(self) -> None:
        self._positions = None

    @property
    def box(self) -> QRectF:
        return QRectF(self.rect()).adjusted(
            self.MARGIN, self.MARGIN + 8, -self.MARGIN, -self.MARGIN
        )

    def y_of(self, distance: float) -> float:
        overview, box = self.state.overview, self.box
        highest = overview.highest if overview is not None else 1.0
        return box.bottom() - distance / highest * box.height()

    def draw_ground(self, painter: QPainter, overview: Overview) -> None:
        box, n = self.box, len(overview)
        positions, merges = self._laid_out(overview), overview.tree.merges
        sides = merges[:, :2].astype(np.int64)
        x = box.left() + (positions[sides] + 0.5) * (box.width() / n)
        heights = np.concatenate((np.zeros(n), overview.tree.heights))
        y = box.bottom() - heights / overview.highest * box.height()
        one_of = np.concatenate((np.arange(n), np.zeros(n - 1, dtype=np.int64)))
        lines: dict[int, list[QLineF]] = {}  # by cluster; -1 above the cut
        for merge, (one, other) in enumerate(sides.tolist()):
            one_of[n + merge] = one_of[one]
            is_joined = heights[n + merge] <= self.state.threshold
            (left, right), top = x[merge].tolist(), float(y[n + merge])
            lines.setdefault(int(self.state.labels[one_of[one]]) if is_joined else -1, []).extend(
                (
                    QLineF(left, float(y[one]), left, top),
                    QLineF(right, float(y[other]), right, top),
                    QLineF(left, top, right, top),
                )
            )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for label, some in sorted(lines.items()):
            above = QPen(QColor(self.theme.edge), 1.2)
            painter.setPen(above if label < 0 else QPen(cluster_color(self.theme, label), 1.4))
            painter.drawLines(some)

    def draw(self, painter: QPainter, overview: Overview) -> None:
        """Draw the selected and hovered pages, and the cut."""
        box, theme, positions = self.box, self.theme, self._laid_out(overview)
        step = box.width() / len(overview)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for pages, color in (
            (self.state.selected, QColor(theme.accent)),
            (self.state.hovered, QColor(theme.text)),
        ):
            for page in pages:
                x = box.left() + (positions[page] + 0.5) * step
                painter.fillRect(QRectF(x - 1.5, box.bottom() + 1, 3, 7), color)
        y = self.y_of(self.state.threshold)
        words = plural(len(self.state.groups()), "cluster")
        self.draw_cut(painter, (QPointF(box.left(), y), QPointF(box.right(), y)), words)

    def _laid_out(self, overview: Overview) -> Doubles:
        """Return the position of each page and each merge from left to right, float64 (2n - 1,)."""
        if self._positions is None:
            n = len(overview)
            positions = np.zeros(2 * n - 1)
            positions[overview.order] = np.arange(n)
            for merge, (first, second) in enumerate(overview.tree.merges[:, :2].astype(int)):
                positions[n + merge] = (positions[first] + positions[second]) / 2
            self._positions = positions
        return self._positions

    def page_at(self, at: QPointF) -> int:
        """Return the page whose line a point is on or above, -1 beside the tree."""
        overview, box = self.state.overview, self.box
        if overview is None or not box.left() <= at.x() < box.right() or box.width() <= 0:
            return -1
        return int(overview.order[int((at.x() - box.left()) / box.width() * len(overview))])

    def is_near(self, at: QPointF) -> bool:
        """Return whether the cut can be dragged from here."""
        return abs(at.y() - self.y_of(self.state.threshold)) <= GRAB_PX

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        near = self._is_held or self.is_near(event.position())
        self.setCursor(Qt.CursorShape.SplitVCursor if near else Qt.CursorShape.ArrowCursor)
        if self._is_held:
            self._drag(event.position().y())
        else:
            page = self.page_at(event.position())
            self.state.set_hovered(*([page] if page >= 0 else []))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start dragging the cut; elsewhere select the cluster below."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self.is_near(event.position()):
            self._is_held = True
        elif (page := self.page_at(event.position())) >= 0:
            self.pick(event, tuple(self.state.members(page)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._is_held = False

    def _drag(self, y: float) -> None:
        overview, box = self.state.overview, self.box
        if overview is not None and box.height() > 0:
            self.state.set_threshold((box.bottom() - y) / box.height() * overview.highest)
