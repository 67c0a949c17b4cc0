"""All pages as thumbnails by cluster; only visible ones are drawn and requested."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from engine.words import plural
from gui.core.action import Context
from gui.plugins.site.site_picture import cluster_color
from gui.plugins.site.state import SiteState
from gui.plugins.site.tile_pictures import TilePictures
from gui.plugins.site.tiles import Head, Tiles, lay_out
from gui.widgets.events import debounce
from gui.widgets.texts import plain
from gui.widgets.theme import Theme, scale_font, theme_of

_SETTLE_MS = 80
_AROUND = 5
"""Margin of a tile's frame around its picture."""


class Thumbnails(QAbstractScrollArea):
    """A tile for each page; a click selects, a double click or Enter opens."""

    requested = Signal(list)  # visible pages without a picture, then those nearby

    def __init__(self, state: SiteState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("Thumbnails")
        self.setAccessibleName("Pages by cluster")
        self.setAccessibleDescription("a list of pages")
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        # Scrolled content is moved, not drawn again: for that Qt must know that nothing shines
        # through.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(180)
        self.state = state
        self.current = -1
        self.paths: dict[int, Path] = {}
        self.pictures = TilePictures(self)
        self._tiles: Tiles = lay_out((), 0, 0, has_heads=False)
        self._hovered_before: frozenset[int] = frozenset()
        self._soon = debounce(self, _SETTLE_MS, self._ask)
        self.pictures.arrived.connect(self._redraw)
        state.clusters_changed.connect(self._lay_out)
        state.hovered_changed.connect(self._on_hovered)
        state.selected_changed.connect(self.viewport().update)
        self.verticalScrollBar().valueChanged.connect(self._soon.start)
        self.verticalScrollBar().setSingleStep(40)

    def reset(self, paths: dict[int, Path]) -> None:
        """Show other pages; ``paths`` has the known pictures."""
        self.paths, self.current = dict(paths), -1
        self.pictures.forget()
        self._lay_out()

    def set_path(self, page: int, path: Path) -> None:
        """Show the picture of a page that was just drawn."""
        self.paths[page] = path
        self.pictures.renew(page)
        self._redraw([page])

    # layout ----------------------------------------------------------------------------------
    @property
    def _label_height(self) -> int:
        return self.fontMetrics().height() + 4

    def _lay_out(self) -> None:
        self._tiles = lay_out(
            self.state.clusters(),
            self.viewport().width(),
            self._label_height,
            has_heads=self.state.overview is not None,
        )
        self.pictures.set_size(self._pixels())
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, self._tiles.height - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        self.viewport().update()
        self._soon.start()

    def _pixels(self) -> QSize:
        return (self._tiles.size.toSizeF() * self.devicePixelRatioF()).toSize()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()

    def scrollContentsBy(self, across: int, down: int) -> None:
        self.viewport().scroll(0, down)

    def in_sight(self) -> list[int]:
        """Return the pages that are visible at least in part."""
        top = self.verticalScrollBar().value()
        return self._tiles.between(top, top + self.viewport().height())

    def _ask(self) -> None:
        if not self.isVisible():
            return
        seen = self.in_sight()
        near = set(seen)
        others = [page for page in self._tiles.order if page not in near]
        missing = [page for page in [*seen, *others] if page not in self.paths]
        if missing:
            self.requested.emit(missing)

    def showEvent(self, event: QEvent) -> None:
        self._soon.start()

    # drawing ---------------------------------------------------------------------------------
    def _redraw(self, pages: Iterable[int]) -> None:
        for page in pages:
            if page in self._tiles.cells:
                around = self.rect_of(page).adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
                self.viewport().update(around.adjusted(0, 0, 0, self._label_height))

    def _on_hovered(self) -> None:
        before, self._hovered_before = self._hovered_before, frozenset(self.state.hovered)
        self._redraw(before ^ self._hovered_before)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        theme, top = theme_of(self), self.verticalScrollBar().value()
        painter.fillRect(event.rect(), QColor(theme.panel))
        painter.translate(0, -top)
        seen = event.rect().translated(0, top)
        self.pictures.set_size(self._pixels())  # the window may be on another screen
        painter.setFont(scale_font(self.font(), 0.9, weight=QFont.Weight.DemiBold))
        for head in self._tiles.heads:
            if head.rect.top() <= seen.bottom() and head.rect.bottom() >= seen.top():
                self._draw_head(painter, head, theme)
        painter.setFont(scale_font(self.font(), 0.85))
        for page in self._tiles.between(seen.top(), seen.bottom()):
            self._draw_tile(painter, page, theme)
        painter.end()
        there = {page: self.paths[page] for page in self.in_sight() if page in self.paths}
        self.pictures.want(there)

    def _draw_head(self, painter: QPainter, head: Head, theme: Theme) -> None:
        left, top = head.rect.left(), head.rect.top()
        painter.fillRect(QRect(left, top + 4, 10, 10), cluster_color(theme, head.label))
        painter.setPen(QColor(theme.text))
        count = len(head.pages)
        name = f"Cluster {head.label + 1}" if head.label >= 0 else "Like no other"
        words = f"{name} · {plural(count, 'page')}"
        box = head.rect.adjusted(16, 0, 0, 0)
        cut = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignTop, cut)

    def _draw_tile(self, painter: QPainter, page: int, theme: Theme) -> None:
        rect = self._tiles.rect(page)
        picture = self.pictures.of(page)
        painter.fillRect(rect, QColor(theme.chrome))  # not a white page before there is a picture
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

    # mouse and keys --------------------------------------------------------------------------
    def page_at(self, at: QPointF | QPoint) -> int:
        """Return the page at a point of the viewport, -1 for none."""
        return self._tiles.at(QPoint(int(at.x()), int(at.y()) + self.verticalScrollBar().value()))

    def rect_of(self, page: int) -> QRect:
        """Return the rectangle of a page's tile in the viewport."""
        return self._tiles.rect(page).translated(0, -self.verticalScrollBar().value())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        page = self.page_at(event.position())
        self.state.set_hovered(*([page] if page >= 0 else []))
        self.viewport().setToolTip(plain(self.state.names[page] if page >= 0 else ""))

    def leaveEvent(self, event: QEvent) -> None:
        self.state.set_hovered()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a page (with Ctrl in addition, with Shift up to it), or a heading's cluster."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        page = self.page_at(event.position())
        if page < 0:
            self.state.set_selected(self._cluster_at(event.position()))
            return
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ShiftModifier and self.current >= 0:
            order = self._tiles.order
            ends = sorted((order.index(self.current), order.index(page)))
            self.state.set_selected(order[ends[0] : ends[1] + 1])
        elif modifiers & Qt.KeyboardModifier.ControlModifier:
            self.state.toggle(page)
            self.current = page
        else:
            self.state.set_selected([page])
            self.current = page

    def context_at(self, at: QPoint | None) -> Context:
        """Select the page there, unless it is selected; on a heading its cluster."""
        if at is not None:
            inside = QPointF(self.viewport().mapFromGlobal(at))
            page = self.page_at(inside)
            pages = [page] if page >= 0 else self._cluster_at(inside)
            if pages and not set(pages) <= self.state.selected:
                self.state.set_selected(pages)
            self.current = page if page >= 0 else self.current
        elif self.current >= 0 and not self.state.selected:
            self.state.set_selected([self.current])
        return Context.TILE

    def mouseReleaseEvent(self, event: QMouseEvent) -> None: ...

    def _cluster_at(self, at: QPointF) -> list[int]:
        there = QPoint(int(at.x()), int(at.y()) + self.verticalScrollBar().value())
        head = self._tiles.head_at(there)
        return list(head.pages) if head is not None else []

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        page = self.page_at(event.position())
        if page >= 0:
            self.state.opened.emit(page)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self._tiles.columns, Qt.Key.Key_Down: self._tiles.columns,
        }  # fmt: skip
        order = self._tiles.order
        if key in steps and order:
            position = order.index(self.current) + steps[key] if self.current >= 0 else 0
            self.current = order[min(max(position, 0), len(order) - 1)]
            if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.state.set_selected([self.current])
            self._bring_into_view(self._tiles.rect(self.current))
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
