"""Shared parts of the Site view's pictures: colours of clusters, frames, numbers."""

from abc import abstractmethod

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from algorithms.plugins.site.overview import Overview
from gui.plugins.site.state import SiteState
from gui.widgets.texts import plain
from gui.widgets.theme import Theme, draw_rounded, scale_font, theme_of

_CLUSTERS = {
    "light": ("#0072b2", "#c04f00", "#007a5a", "#a8457f", "#6b5b00", "#4b4ba8", "#8a2f2f",
              "#2f6f8a"),
    "dark": ("#56b4e9", "#f09050", "#4fc7a0", "#e39ac4", "#d9c545", "#a5a5f5", "#ef8d8d",
             "#8fd3e8"),
}  # fmt: skip
"""Colours of clusters (after Okabe and Ito), used in turn; numbers distinguish them."""

GRAB_PX = 8
"""Distance in pixels within which a line can be dragged."""


def cluster_color(theme: Theme, label: int) -> QColor:
    """Return the colour of a cluster; grey for -1, a page alone."""
    if label < 0:
        return QColor(theme.muted)
    colors = _CLUSTERS[theme.name]
    return QColor(colors[label % len(colors)])


class SitePicture(QWidget):
    """Picture of the overview: painted from the state, which it changes by mouse."""

    MARGIN = 10.0

    def __init__(self, state: SiteState, name: str, tip: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.state = state
        self._ground = QPixmap()
        self._ground_of: tuple[object, ...] = ()
        self.setAccessibleName(name)
        self.setToolTip(plain(tip))
        self.setMouseTracking(True)
        self.setMinimumSize(120, 90)
        state.clusters_changed.connect(self._on_clusters)
        state.hovered_changed.connect(self.update)
        state.selected_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(280, 220)

    def _on_clusters(self) -> None:
        self._ground_of = ()
        self.update()

    @property
    def theme(self) -> Theme:
        return theme_of(self)

    def leaveEvent(self, event: QEvent) -> None:
        self.state.set_hovered()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        overview = self.state.overview
        if overview is not None and len(overview) > 1:
            painter.drawPixmap(0, 0, self._drawn_ground(overview))
            self._prepare(painter)
            self.draw(painter, overview)
        painter.end()

    def _prepare(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scale_font(self.font(), 0.8))

    def _drawn_ground(self, overview: Overview) -> QPixmap:
        """Return the background; drawn again only if it has changed."""
        ratio = self.devicePixelRatioF()
        of = (id(overview), self.state.threshold, self.theme.name, self.size(), ratio)
        if of != self._ground_of:
            self._ground = QPixmap((self.size().toSizeF() * ratio).toSize())
            self._ground.setDevicePixelRatio(ratio)
            self._ground.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._ground)
            self._prepare(painter)
            self.draw_ground(painter, overview)
            painter.end()
            self._ground_of = of
        return self._ground

    @abstractmethod
    def draw_ground(self, painter: QPainter, overview: Overview) -> None:
        """Draw the background, which does not depend on hovered and selected pages."""

    @abstractmethod
    def draw(self, painter: QPainter, overview: Overview) -> None:
        """Draw hovered and selected pages; like `draw_ground`, called only if there are pages."""

    def pick(self, event: QMouseEvent, pages: tuple[int, ...]) -> None:
        """Select the clicked pages: with Ctrl or Shift in addition to selected ones."""
        more = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        if event.modifiers() & more:
            self.state.set_selected(self.state.selected | set(pages))
        else:
            self.state.set_selected(pages)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.state.hovered:
            self.state.opened.emit(self.state.hovered[0])

    def draw_cut(self, painter: QPainter, line: tuple[QPointF, QPointF], words: str) -> None:
        """Draw a draggable line with its label."""
        painter.setPen(QPen(QColor(self.theme.accent), 1.6))
        painter.drawLine(*line)
        metrics = painter.fontMetrics()
        size = QSize(metrics.horizontalAdvance(words) + 10, metrics.height() + 2)
        left = min(line[0].x() + 4, self.width() - size.width() - 2)
        top = max(min(line[0].y(), line[1].y()) - size.height() / 2, 1.0)
        box = QRectF(left, top, size.width(), size.height())
        draw_rounded(painter, box, 4, fill=self.theme.accent)
        painter.setPen(QColor(self.theme.on_accent))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
