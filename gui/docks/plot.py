"""Plot: draws a `Figure`, says what is pointed at, and lets thresholds be dragged.

The only module that names pyqtgraph; it is imported when the first figure is looked at.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QImage, QPageSize, QPainter, QPdfWriter, QPen
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QVBoxLayout, QWidget

from algorithms.figures.figure import (
    BEST,
    DROPPED,
    FAINT,
    GOLD,
    KEPT,
    PLAIN,
    SECOND,
    Bands,
    Bars,
    Curve,
    Dots,
    Figure,
    Strips,
    Threshold,
)
from gui.widgets.theme import Theme, theme_of

_GOLD, _SECOND, _LIGHT = "#E69F00", "#009E73", "#D81B60"
_SIGNS = {KEPT: "o", DROPPED: "x", GOLD: "d", SECOND: "t", FAINT: "+", PLAIN: "s", BEST: "star"}
_BRUSHES = {GOLD: Qt.BrushStyle.BDiagPattern, DROPPED: Qt.BrushStyle.Dense6Pattern}

MOST_WIDE = 1_000
"""A curve of more points is thin: Qt draws wide lines many times as slowly."""


class Stretches(pg.GraphicsObject):  # type: ignore[misc]
    """Stretches along x, from the bottom of what is seen to its top, in one go."""

    def __init__(self, low: Sequence[float], high: Sequence[float], brush: QBrush) -> None:
        super().__init__()
        self._pairs = list(zip(low, high, strict=True))
        self._low, self._high = min(low, default=0.0), max(high, default=0.0)
        self._brush = brush

    def boundingRect(self) -> QRectF:
        """Return what is seen from the first to the last: a stretch has no height of its own."""
        seen = QRectF(self.viewRect())
        left = max(seen.left(), self._low)
        seen.setLeft(left)
        seen.setRight(max(left, min(seen.right(), self._high)))
        return seen

    def viewRangeChanged(self) -> None:
        """Follow zoom."""
        self.prepareGeometryChange()

    def paint(self, painter: QPainter, *_more: object) -> None:
        """Fill the stretches that are seen."""
        seen = self.viewRect()
        brush = QBrush(self._brush)
        if brush.style() is not Qt.BrushStyle.SolidPattern:
            inverted, _ = painter.worldTransform().inverted()
            brush.setTransform(inverted)  # a pattern of pixels, not of the axes' units
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(brush)
        for low, high in self._pairs:
            if high >= seen.left() and low <= seen.right():
                painter.drawRect(QRectF(low, seen.top(), high - low, seen.height()))

    def dataBounds(self, axis: int, *_more: object, **_others: object) -> Any:  # noqa: ANN401
        """Return how far it goes along x; nothing along y."""
        if axis or not self._pairs:
            return (None, None)
        return (self._pairs[0][0], max(high for _, high in self._pairs))


class Plot(QWidget):
    """One figure on screen."""

    pointed = Signal(int)  # item under the mouse, -1 for none
    picked = Signal(int)  # item that was clicked
    dragged = Signal(str, float)  # parameter, its value: many times a second
    dropped = Signal()  # the threshold was let go of

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        pg.setConfigOptions(antialias=True, imageAxisOrder="row-major", exitCleanup=False)
        self.figure: Figure | None = None
        self._color = "#0072B2"
        self._made: list[Any] = []
        self._lines: dict[str, Any] = {}  # threshold → its line
        self._lit: Any = None
        self._hovered = -1
        self._is_dragging = False
        self._view = pg.PlotWidget(self)
        self._plot = self._view.getPlotItem()
        self._plot.hideButtons()
        self._plot.setContentsMargins(8, 2, 10, 2)
        self._plot.setMenuEnabled(False)
        self._legend = self._plot.addLegend(offset=(-8, 6), labelTextSize="8pt")
        self._view.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self._view.scene().sigMouseClicked.connect(self._on_mouse_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._view)
        self._look()

    # showing ---------------------------------------------------------------------------------
    def show_figure(self, figure: Figure | None, color: str, *, keep_view: bool = False) -> None:
        """Draw a figure, the method's own things in ``color``; ``keep_view`` keeps the zoom."""
        box = self._plot.getViewBox()
        seen = box.viewRange()
        self.figure, self._color = figure, color
        self._clear()
        if figure is None:
            return
        theme = theme_of(self)
        self._label("bottom", figure.x_label, theme)
        self._label("left", figure.y_label, theme)
        box.invertY(figure.is_downward)
        self._draw(figure, theme)
        self._draw_thresholds(figure.thresholds, theme)
        if keep_view:
            box.setRange(xRange=seen[0], yRange=seen[1], padding=0)
        elif not self._is_dragging:
            self.show_all()

    def show_all(self) -> None:
        """Zoom out to the whole figure."""
        self._plot.getViewBox().autoRange(padding=0.02)

    def light(self, items: Sequence[int]) -> None:
        """Light up items, in place of those lit before."""
        if self._lit is not None:
            self._plot.removeItem(self._lit)
            self._lit = None
        if self.figure is None or not len(items):
            return
        each, chosen = self.figure.items, np.asarray(items, dtype=np.intp)
        color = QColor(_LIGHT)
        if self.figure.is_plane:
            self._lit = pg.ScatterPlotItem(
                (each.low[chosen] + each.high[chosen]) / 2, each.y[chosen],
                symbol="o", size=15, pen=pg.mkPen(color, width=2.5), brush=None,
            )  # fmt: skip
        else:
            color.setAlphaF(0.45)
            low, high = each.low[chosen], each.high[chosen]
            # What is narrower than a pixel or two is not to be missed.
            least = 2 * self._plot.getViewBox().viewPixelSize()[0]
            wide = np.maximum(high, low + least)
            self._lit = Stretches(low.tolist(), wide.tolist(), QBrush(color))
        self._lit.setZValue(50)
        self._plot.addItem(self._lit, ignoreBounds=True)

    def line(self, parameter: str) -> Any:  # noqa: ANN401
        """Return the line that a parameter moves; None if there is none."""
        return self._lines.get(parameter)

    def place_of(self, item: int) -> QPointF:
        """Return where an item is, in pixels of this widget."""
        assert self.figure is not None
        each = self.figure.items
        x = float(each.low[item] + each.high[item]) / 2
        return self._in_pixels(x, float(each.y[item]))

    def place_of_threshold(self, parameter: str) -> QPointF:
        """Return a place on the line that a parameter moves, in pixels of this widget."""
        line = self._lines[parameter]
        (left, right), (low, high) = self._plot.getViewBox().viewRange()
        if line.angle == 0:
            return self._in_pixels((left + right) / 2, line.value())
        return self._in_pixels(line.value(), (low + high) / 2)

    @property
    def canvas(self) -> QWidget:
        """The widget that takes the mouse."""
        viewport: QWidget = self._view.viewport()
        return viewport

    def _in_pixels(self, x: float, y: float) -> QPointF:
        at = self._plot.getViewBox().mapViewToScene(QPointF(x, y))
        return QPointF(self._view.mapFromScene(at))

    # drawing ---------------------------------------------------------------------------------
    def _clear(self) -> None:
        for each in self._made:
            self._plot.removeItem(each)
        self._made = []
        self._legend.clear()
        self.light(())
        for name in [n for n, line in self._lines.items() if not line.moving]:
            self._plot.removeItem(self._lines.pop(name))
        self._plot.getAxis("left").setTicks(None)

    def _add(self, item: Any, *, depth: float = 0, name: str = "") -> None:  # noqa: ANN401
        item.setZValue(depth)
        self._plot.addItem(item)
        self._made.append(item)
        if name:
            self._legend.addItem(item, name)

    def _draw(self, figure: Figure, theme: Theme) -> None:
        if figure.strips is not None:
            self._draw_strips(figure.strips)
        for band in figure.bands:
            self._draw_bands(band, theme)
        for link in figure.links:
            pen = self._pen(link.tone, theme)
            drawn = pg.PlotCurveItem(link.x.ravel(), link.y.ravel(), connect="pairs", pen=pen)
            self._add(drawn, depth=5)
        for bars in figure.bars:
            self._draw_bars(bars, theme)
        for line in figure.curves:
            self._draw_curve(line, theme)
        for dots in figure.dots:
            self._draw_dots(dots, theme)

    def _draw_curve(self, line: Curve, theme: Theme) -> None:
        y = line.y[:-1] if line.is_stepped else line.y
        drawn = pg.PlotDataItem(
            line.x,
            y,
            pen=self._pen(line.tone, theme, is_thin=line.x.size > MOST_WIDE),
            name=line.name,
            stepMode="center" if line.is_stepped else None,
        )
        drawn.setZValue(10 if line.tone != FAINT else 8)
        self._plot.addItem(drawn)  # a curve enters the legend by itself
        if not line.is_stepped:  # only once it is in its place: before, pyqtgraph breaks down
            drawn.setDownsampling(auto=True, method="peak")
        self._made.append(drawn)

    def _draw_dots(self, dots: Dots, theme: Theme) -> None:
        color = self._ink(dots.tone, theme)
        fill = QColor(color)
        fill.setAlphaF(0.5)
        size = (15.0 if dots.tone == BEST else 8.0) if dots.sizes is None else dots.sizes
        if dots.tone == BEST:
            size = np.maximum(size, 14.0)
        drawn = pg.ScatterPlotItem(
            dots.x, dots.y, symbol=_SIGNS[dots.tone], size=size,
            pen=pg.mkPen(color, width=1.2), brush=pg.mkBrush(fill),
        )  # fmt: skip
        self._add(drawn, depth=30 if dots.tone == BEST else 15, name=dots.name)

    def _draw_bars(self, bars: Bars, theme: Theme) -> None:
        color = QColor(self._ink(bars.tone, theme))
        fill = QColor(color)
        fill.setAlphaF(0.75 if bars.tone != DROPPED else 0.3)
        drawn = pg.BarGraphItem(
            x0=bars.low, x1=bars.high, height=bars.y,
            brush=pg.mkBrush(fill), pen=pg.mkPen(color, width=0.8),
        )  # fmt: skip
        self._add(drawn, depth=6, name=bars.name)

    def _draw_bands(self, band: Bands, theme: Theme) -> None:
        if not band.low.size:
            return
        color = QColor(self._ink(band.tone, theme))
        color.setAlphaF(0.16 if band.tone == KEPT else 0.5)
        brush = QBrush(color, _BRUSHES.get(band.tone, Qt.BrushStyle.SolidPattern))
        drawn = Stretches(band.low.tolist(), band.high.tolist(), brush)
        drawn.setZValue(1 if band.tone == KEPT else 2)
        self._plot.addItem(drawn)
        self._made.append(drawn)
        color.setAlphaF(0.7)
        sign = pg.ScatterPlotItem(size=10, symbol="s", brush=QBrush(color, brush.style()), pen=None)
        self._legend.addItem(sign, band.name)

    def _draw_strips(self, strips: Strips) -> None:
        count = len(strips.labels)
        image = pg.ImageItem(strips.cells[::-1], levels=(0.0, 1.0))
        image.setRect(QRectF(strips.low, 0, strips.high - strips.low, count))
        self._add(image, depth=0)
        ticks = [(count - place - 0.5, label) for place, label in enumerate(strips.labels)]
        self._plot.getAxis("left").setTicks([ticks])

    def _draw_thresholds(self, thresholds: Sequence[Threshold], theme: Theme) -> None:
        for place, each in enumerate(thresholds):
            key = each.parameter or f"{place}"
            held = self._lines.get(key)
            if held is not None:  # under the mouse: it leads, the figure follows
                continue
            color = QColor(_LIGHT if each.parameter else theme.muted)
            pen = QPen(color, 2.0 if each.parameter else 1.2)
            pen.setCosmetic(True)
            pen.setStyle(Qt.PenStyle.DashLine)
            hover = QPen(pen)
            hover.setWidthF(3.5)
            line = pg.InfiniteLine(
                each.at, angle=0 if each.axis == "y" else 90, pen=pen, hoverPen=hover,
                movable=bool(each.parameter), label=each.name,
                labelOpts={"position": 0.06, "color": color, "fill": theme.panel, "movable": False,
                           "anchors": [(0, 1), (0, 0)]},
            )  # fmt: skip
            line.setZValue(40)
            if each.parameter:
                line.setCursor(
                    Qt.CursorShape.SizeVerCursor
                    if each.axis == "y"
                    else Qt.CursorShape.SizeHorCursor
                )
                line.sigDragged.connect(lambda moved, t=each: self._on_dragged(moved, t))
                line.sigPositionChangeFinished.connect(self._on_dropped)
            self._plot.addItem(line)
            self._lines[key] = line

    def _pen(self, tone: str, theme: Theme, *, is_thin: bool = False) -> QPen:
        pen = QPen(QColor(self._ink(tone, theme)), 1.0 if is_thin or tone == FAINT else 1.8)
        pen.setCosmetic(True)
        if tone == SECOND:
            pen.setStyle(Qt.PenStyle.DashLine)
        return pen

    def _ink(self, tone: str, theme: Theme) -> str:
        own = {KEPT: self._color, DROPPED: theme.edge, GOLD: _GOLD, SECOND: _SECOND, BEST: _LIGHT}
        return own.get(tone, theme.edge if tone == FAINT else theme.text)

    def _label(self, side: str, text: str, theme: Theme) -> None:
        self._plot.setLabel(side, text, color=theme.muted, **{"font-size": "9pt"})

    def _look(self) -> None:
        theme = theme_of(self)
        self._view.setBackground(theme.panel)
        for side in ("left", "bottom"):
            axis = self._plot.getAxis(side)
            axis.setPen(QPen(QColor(theme.edge), 0))
            axis.setTextPen(QColor(theme.muted))
            axis.enableAutoSIPrefix(False)
        self._legend.setLabelTextColor(QColor(theme.text))
        ground = QColor(theme.panel)
        ground.setAlphaF(0.85)
        self._legend.setBrush(QBrush(ground))

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._look()
            self.show_figure(self.figure, self._color, keep_view=self.figure is not None)

    # the mouse -------------------------------------------------------------------------------
    def _on_mouse_moved(self, at: QPointF) -> None:
        item = self._item_at(at)
        if item != self._hovered and not self._is_dragging:
            self._hovered = item
            self.pointed.emit(item)

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self._hovered = -1
        self.pointed.emit(-1)

    def _item_at(self, at: QPointF) -> int:
        box = self._plot.getViewBox()
        if self.figure is None or not box.sceneBoundingRect().contains(at):
            return -1
        place = box.mapSceneToView(at)
        if not self.figure.is_plane:
            return self.figure.items.along(place.x())
        width, height = box.viewPixelSize()
        return self.figure.items.nearest(place.x(), place.y(), 1 / width, 1 / height)

    def _on_mouse_clicked(self, event: Any) -> None:  # noqa: ANN401
        if event.double():
            self.show_all()
            return
        item = self._item_at(event.scenePos())
        if item >= 0:
            self.picked.emit(item)

    def _on_dragged(self, line: Any, threshold: Threshold) -> None:  # noqa: ANN401
        self._is_dragging = True
        self.dragged.emit(threshold.parameter, float(line.value()) / threshold.unit)

    def _on_dropped(self) -> None:
        if self._is_dragging:
            self._is_dragging = False
            self.dropped.emit()

    # exporting -------------------------------------------------------------------------------
    def save(self, path: Path) -> bool:
        """Write what is seen as PNG, SVG or PDF, by the file's name; False if it cannot be."""
        size = self._view.size()
        kind = path.suffix.lower()
        if kind == ".png":
            image = QImage(size * 2, QImage.Format.Format_RGB32)
            self._paint(image, QRectF(0, 0, 2 * size.width(), 2 * size.height()))
            return image.save(str(path))
        if kind == ".svg":
            drawing = QSvgGenerator()
            drawing.setFileName(str(path))
            drawing.setSize(QSize(size))
            drawing.setViewBox(QRectF(0, 0, size.width(), size.height()))
            return self._paint(drawing, QRectF(0, 0, size.width(), size.height()))
        paper = QPdfWriter(str(path))
        paper.setPageSize(QPageSize(QSizeF(size) * 0.75, QPageSize.Unit.Point))
        paper.setPageMargins(paper.pageLayout().minimumMargins())
        return self._paint(paper, QRectF(0, 0, paper.width(), paper.height()))

    def _paint(self, device: Any, target: QRectF) -> bool:  # noqa: ANN401
        painter = QPainter()
        if not painter.begin(device):
            return False
        painter.fillRect(target, QColor(theme_of(self).panel))
        self._view.scene().render(painter, target, QRectF(self._view.viewRect()))
        return painter.end()
