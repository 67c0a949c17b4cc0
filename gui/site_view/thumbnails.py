"""All pages as small pictures, cluster by cluster; only what is in sight is drawn and asked for."""

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from gui.site_view.look import cluster_color
from gui.site_view.state import SiteState
from gui.widgets.debounce import debounce
from gui.widgets.theme import scaled, theme_of
from gui.widgets.tips import plain

_WIDTH, _HEIGHT, _GAP, _MARGIN = 128, 72, 12, 12
_KEPT = 400
"""Pictures in memory, 0.4 MB each at most."""
_SETTLE_MS = 80


@dataclass(frozen=True)
class Head:
    """The line above a cluster."""

    top: int
    label: int
    count: int


class Thumbnails(QAbstractScrollArea):
    """A tile a page; click selects, double click or Enter opens."""

    wanted = Signal(list)  # pages in sight without a picture, then those near

    def __init__(self, state: SiteState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("Thumbnails")
        self.setAccessibleName("Pages by cluster")
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.state = state
        self.current = -1
        self.paths: dict[int, Path] = {}
        self._pictures: OrderedDict[int, QPixmap] = OrderedDict()
        self._rects: dict[int, QRect] = {}
        self._heads: list[Head] = []
        self._order: list[int] = []
        self._columns = 1
        self._soon = debounce(self, _SETTLE_MS, self._ask)
        state.clusters_changed.connect(self._lay_out)
        state.hovered_changed.connect(self.viewport().update)
        state.selected_changed.connect(self.viewport().update)
        self.verticalScrollBar().valueChanged.connect(self._soon.start)
        self.verticalScrollBar().setSingleStep(40)

    def reset(self, paths: dict[int, Path]) -> None:
        """Show other pages; of some the picture is known."""
        self.paths, self.current = dict(paths), -1
        self._pictures.clear()
        self._lay_out()

    def set_path(self, page: int, path: Path) -> None:
        """Show the picture of a page that has just been drawn."""
        self.paths[page] = path
        rect = self._rects.get(page)
        if rect is not None:
            self.viewport().update(self._on_screen(rect))

    # layout ----------------------------------------------------------------------------------
    @property
    def _label_height(self) -> int:
        return self.fontMetrics().height() + 4

    def _lay_out(self) -> None:
        room = self.viewport().width() - 2 * _MARGIN + _GAP
        self._columns = max(1, room // (_WIDTH + _GAP))
        self._rects, self._heads, self._order = {}, [], []
        top, line = _MARGIN, _HEIGHT + self._label_height + _GAP
        for label, pages in enumerate(self.state.clusters()):
            if self.state.overview is not None:
                self._heads.append(Head(top, label, len(pages)))
                top += self._label_height + 6
            for place, page in enumerate(pages):
                row, column = divmod(place, self._columns)
                left = _MARGIN + column * (_WIDTH + _GAP)
                self._rects[page] = QRect(left, top + row * line, _WIDTH, _HEIGHT)
            top += -(-len(pages) // self._columns) * line + 4
            self._order.extend(pages)
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, top - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        self.viewport().update()
        self._soon.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fill the width."""
        self._lay_out()

    def _on_screen(self, rect: QRect) -> QRect:
        whole = rect.adjusted(-5, -5, 5, self._label_height + 5)
        return whole.translated(0, -self.verticalScrollBar().value())

    def in_sight(self) -> list[int]:
        """Return the pages that are seen at least in part."""
        top = self.verticalScrollBar().value()
        seen = QRect(0, top, self.viewport().width(), self.viewport().height())
        return [page for page in self._order if self._rects[page].intersects(seen)]

    def _ask(self) -> None:
        if not self.isVisible():
            return
        seen = self.in_sight()
        others = [page for page in self._order if page not in set(seen)]
        missing = [page for page in [*seen, *others] if page not in self.paths]
        if missing:
            self.wanted.emit(missing)

    def showEvent(self, event: QEvent) -> None:
        """Ask for pictures that are missing."""
        self._soon.start()

    # drawing ---------------------------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is in sight."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(0, -self.verticalScrollBar().value())
        theme = theme_of(self)
        bold = scaled(self.font(), 0.9, weight=QFont.Weight.DemiBold)
        painter.setFont(bold)
        for head in self._heads:
            color = cluster_color(theme, head.label)
            painter.fillRect(QRect(_MARGIN, head.top + 4, 10, 10), color)
            painter.setPen(QColor(theme.text))
            words = f"Cluster {head.label + 1} · {head.count} page{'s' * (head.count != 1)}"
            box = QRect(_MARGIN + 16, head.top, self.viewport().width(), self._label_height)
            painter.drawText(box, Qt.AlignmentFlag.AlignTop, words)
        painter.setFont(scaled(self.font(), 0.85))
        for page in self.in_sight():
            self._draw_tile(painter, page)

    def _draw_tile(self, painter: QPainter, page: int) -> None:
        rect, theme = self._rects[page], theme_of(self)
        picture = self._picture(page)
        painter.fillRect(rect, QColor(theme.field))
        if picture is not None:
            painter.drawPixmap(rect, picture)
        is_selected, is_hovered = page in self.state.selected, page in self.state.hovered
        color = QColor(theme.accent if is_selected else theme.text if is_hovered else theme.line)
        wide = 2.5 if is_selected or is_hovered else 1.0
        painter.setPen(QPen(color, wide))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(rect).adjusted(-1, -1, 1, 1))
        if page == self.current and self.hasFocus():
            painter.setPen(QPen(QColor(theme.edge), 1, Qt.PenStyle.DotLine))
            painter.drawRect(rect.adjusted(-4, -4, 4, 4))
        painter.setPen(QColor(theme.text if is_selected or is_hovered else theme.muted))
        below = QRect(rect.left(), rect.bottom() + 3, rect.width(), self._label_height)
        name = painter.fontMetrics().elidedText(
            self.state.names[page], Qt.TextElideMode.ElideMiddle, rect.width()
        )
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, name)

    def _picture(self, page: int) -> QPixmap | None:
        if page in self._pictures:
            self._pictures.move_to_end(page)
            return self._pictures[page]
        path = self.paths.get(page)
        if path is None:
            return None
        picture = QPixmap(str(path))
        if picture.isNull():
            return None
        self._pictures[page] = picture
        if len(self._pictures) > _KEPT:
            self._pictures.popitem(last=False)
        return picture

    # mouse and keys --------------------------------------------------------------------------
    def page_at(self, at: QPointF | QPoint) -> int:
        """Return the page at a point of the viewport, -1 for none."""
        point = QPoint(int(at.x()), int(at.y()) + self.verticalScrollBar().value())
        for page, rect in self._rects.items():
            if rect.adjusted(0, 0, 0, self._label_height).contains(point):
                return page
        return -1

    def rect_of(self, page: int) -> QRect:
        """Return where a page's tile is in the viewport."""
        return self._rects[page].translated(0, -self.verticalScrollBar().value())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Look at a page."""
        page = self.page_at(event.position())
        self.state.set_hovered(*([page] if page >= 0 else []))
        self.viewport().setToolTip(plain(self.state.names[page] if page >= 0 else ""))

    def leaveEvent(self, event: QEvent) -> None:
        """Look at nothing."""
        self.state.set_hovered()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a page: with Ctrl besides others, with Shift up to it; a head its cluster."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        page = self.page_at(event.position())
        if page < 0:
            self.state.set_selected(self._cluster_at(event.position()))
            return
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ShiftModifier and self.current >= 0:
            ends = sorted((self._order.index(self.current), self._order.index(page)))
            self.state.set_selected(self._order[ends[0] : ends[1] + 1])
        elif modifiers & Qt.KeyboardModifier.ControlModifier:
            self.state.toggle(page)
            self.current = page
        else:
            self.state.set_selected([page])
            self.current = page

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take the end of a click: nothing hangs on it."""

    def _cluster_at(self, at: QPointF) -> list[int]:
        y = at.y() + self.verticalScrollBar().value()
        for head, pages in zip(self._heads, self.state.clusters(), strict=False):
            if head.top <= y < head.top + self._label_height:
                return pages
        return []

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a page."""
        page = self.page_at(event.position())
        if page >= 0:
            self.state.opened.emit(page)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk by arrows, select by Space, open by Enter."""
        key = Qt.Key(event.key())
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self._columns, Qt.Key.Key_Down: self._columns,
        }  # fmt: skip
        if key in steps and self._order:
            place = self._order.index(self.current) + steps[key] if self.current >= 0 else 0
            self.current = self._order[min(max(place, 0), len(self._order) - 1)]
            if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.state.set_selected([self.current])
            self._bring_into_view(self._rects[self.current])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current >= 0:
            self.state.opened.emit(self.current)
        elif key == Qt.Key.Key_Space and self.current >= 0:
            self.state.toggle(self.current)
        else:
            super().keyPressEvent(event)

    def _bring_into_view(self, rect: QRect) -> None:
        bar = self.verticalScrollBar()
        if rect.top() - 30 < bar.value():
            bar.setValue(rect.top() - 30)
        low = rect.bottom() + self._label_height + 8 - self.viewport().height()
        if low > bar.value():
            bar.setValue(low)
        self.viewport().update()
