"""Widget that draws a `Figure`, reports the item under the mouse, and lets thresholds be dragged.

Besides `plot_parts` the only module that uses pyqtgraph; imported when the first figure is shown.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPen,
    QResizeEvent,
)
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
from annotate.evaluation.tables.method_colors import GOLD_COLORS, on_ground
from annotate.marks.gold import MAIN
from gui.plugins.figure.plot_parts import (
    LegendAbove,
    PlotPart,
    ShadedRanges,
    is_alike,
    is_drawn,
    is_same,
    move_to,
    parts_of,
    sizes_of,
)
from gui.widgets.layouts import lay_out
from gui.widgets.theme import Theme, theme_of

_SECOND, _LIGHT = "#009E73", "#D81B60"
_SIGNS = {KEPT: "o", DROPPED: "x", GOLD: "d", SECOND: "t", FAINT: "+", PLAIN: "s", BEST: "star"}
_BRUSHES = {GOLD: Qt.BrushStyle.BDiagPattern, DROPPED: Qt.BrushStyle.Dense6Pattern}

STRIP = 190
"""A lower plot is drawn as a strip, px."""

MOST_WIDE = 1_000
"""Curves with more points are thin: Qt draws wide lines many times as slowly."""


class Plot(QWidget):
    """Widget that draws a figure."""

    pointed = Signal(int)  # item under the mouse, -1 for none
    picked = Signal(int)  # item that was clicked
    dragged = Signal(str, float)  # parameter, its value: many times a second
    dropped = Signal()  # the threshold was released

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        pg.setConfigOptions(antialias=True, imageAxisOrder="row-major", exitCleanup=False)
        self.figure: Figure | None = None
        self._color = "#0072B2"
        self._made: list[tuple[PlotPart, Any]] = []  # drawn part and its item
        self._theme: Theme | None = None  # it is drawn in
        self._lines: dict[str, Any] = {}  # line by threshold
        self._lit_dots: Any = None
        self._lit_ranges: Any = None
        self._hovered = -1
        self._is_dragging = False
        self._is_whole = True  # the whole figure is shown: nobody has zoomed in
        self._view = pg.PlotWidget(self)
        self._view.setAccessibleName("Figure")
        self._view.setAccessibleDescription("a plot")
        self._view.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the view itself takes keys
        self._plot = self._view.getPlotItem()
        self._plot.hideButtons()
        self._plot.setContentsMargins(8, 2, 10, 2)
        self._plot.setMenuEnabled(False)
        menu = self._plot.ctrlMenu  # never shown; its parent deletes it with the plot
        menu.setParent(self, menu.windowFlags())
        self._legend = LegendAbove(self._plot)
        box = self._plot.getViewBox()
        box.sigResized.connect(lambda _box: self._on_resized())
        box.sigRangeChangedManually.connect(lambda _axes: self._on_zoomed())
        self._view.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self._view.scene().sigMouseClicked.connect(self._on_mouse_clicked)
        lay_out(QVBoxLayout(self), self._view)
        self._style()

    # showing ---------------------------------------------------------------------------------
    def show_figure(self, figure: Figure | None, color: str, *, keep_view: bool = False) -> None:
        """Draw a figure, the method's own items in ``color``; ``keep_view`` keeps the zoom."""
        box = self._plot.getViewBox()
        seen = box.viewRange()
        theme = theme_of(self)
        if figure is not None:
            lines = (f"{each.name} {each.at / each.unit:.3g}" for each in figure.thresholds)
            self._view.setAccessibleName("; ".join((figure.title or "Figure", *lines)))
        follows = keep_view and (color, theme) == (self._color, self._theme)
        if figure is not None and follows and self._follow(figure):
            return
        self.figure, self._color, self._theme = figure, color, theme
        self._clear()
        if figure is None:
            return
        self._label("bottom", figure.x_label, theme)
        self._label("left", figure.y_label, theme)
        box.invertY(figure.is_downward)
        self._draw(figure, theme)
        self._draw_thresholds(figure.thresholds, theme)
        if keep_view and not self._is_whole:  # a whole figure is followed by a whole one
            box.setRange(xRange=seen[0], yRange=seen[1], padding=0)
        elif not self._is_dragging:
            self.show_all()

    def show_all(self) -> None:
        """Zoom out to the whole figure."""
        self._is_whole = True
        for _ in range(3):  # the size of a dot in axis units depends on the previous zoom
            self._plot.getViewBox().autoRange(padding=0.02)

    def _on_resized(self) -> None:
        if self._is_whole and self.figure is not None and not self._is_dragging:
            self.show_all()

    def _on_zoomed(self) -> None:
        self._is_whole = False

    @property
    def is_strip(self) -> bool:
        """Whether it is so low that axis titles and legend would take the room of the bars."""
        return self.height() < STRIP

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for side in ("left", "bottom"):
            self._plot.getAxis(side).showLabel(not self.is_strip)
        self._legend.setVisible(not self.is_strip)
        self._legend.fit()

    def light(self, items: Sequence[int]) -> None:
        """Highlight items instead of those before."""
        is_plane = self.figure is not None and self.figure.is_plane
        for item, is_used in ((self._lit_dots, is_plane), (self._lit_ranges, not is_plane)):
            if item is not None:  # removing and adding it costs more than moving it
                item.setVisible(is_used and len(items) > 0)
        if self.figure is None or not len(items):
            return
        each, chosen = self.figure.items, np.asarray(items, dtype=np.intp)
        color, low, high = QColor(_LIGHT), each.low[chosen], each.high[chosen]
        if is_plane:
            if self._lit_dots is None:
                pen = pg.mkPen(color, width=2.5)
                self._lit_dots = self._on_top(
                    pg.ScatterPlotItem(symbol="o", size=15, pen=pen, brush=None)
                )
            self._lit_dots.setData((low + high) / 2, each.y[chosen])
            return
        # Parts narrower than a pixel or two must stay visible.
        least = 2 * self._plot.getViewBox().viewPixelSize()[0]
        wide = np.maximum(high, low + least)
        if self._lit_ranges is None:
            color.setAlphaF(0.45)
            self._lit_ranges = self._on_top(ShadedRanges([], [], QBrush(color)))
        self._lit_ranges.set_pairs(low.tolist(), wide.tolist())

    def _on_top(self, item: Any) -> Any:  # noqa: ANN401
        item.setZValue(50)
        self._plot.addItem(item, ignoreBounds=True)
        return item

    def line(self, parameter: str) -> Any:  # noqa: ANN401
        """Return the line of a parameter; None if there is none."""
        return self._lines.get(parameter)

    def position_of(self, item: int) -> QPointF:
        """Return the position of an item, in pixels of this widget."""
        assert self.figure is not None
        each = self.figure.items
        x = float(each.low[item] + each.high[item]) / 2
        return self._in_pixels(x, float(each.y[item]))

    @property
    def canvas(self) -> QWidget:
        """Widget that receives mouse events."""
        viewport: QWidget = self._view.viewport()
        return viewport

    def _in_pixels(self, x: float, y: float) -> QPointF:
        at = self._plot.getViewBox().mapViewToScene(QPointF(x, y))
        return QPointF(self._view.mapFromScene(at))

    # drawing ---------------------------------------------------------------------------------
    def _clear(self) -> None:
        for _, each in self._made:
            self._plot.removeItem(each)
        self._made = []
        self._legend.clear()
        self.light(())
        for name in [n for n, line in self._lines.items() if not line.moving]:
            self._plot.removeItem(self._lines.pop(name))
        for side in ("left", "bottom"):
            self._plot.getAxis(side).setTicks(None)

    def _follow(self, figure: Figure) -> bool:
        """Move the drawn items to a similar figure; False if it is not similar."""
        before = self.figure
        if before is None or not is_alike(before, figure):
            return False
        scales = {each.strips.scale for each in (before, figure) if each.strips is not None}
        parts = [part for part in parts_of(figure) if is_drawn(part)]
        if len(scales) > 1 or len(parts) != len(self._made):  # the legend explains the shades
            return False
        self.figure = figure
        for index, (part, (old, item)) in enumerate(zip(parts, self._made, strict=True)):
            if not is_same(old, part):
                move_to(item, part)
            self._made[index] = (part, item)
        for index, each in enumerate(figure.thresholds):
            line = self._lines.get(each.parameter or f"{index}")
            if line is not None and not line.moving and line.value() != each.at:
                line.setValue(each.at)
        self.light(())
        return True

    def _add(self, part: PlotPart, item: Any, depth: float, name: str = "") -> None:  # noqa: ANN401
        item.setZValue(depth)
        self._plot.addItem(item)
        self._made.append((part, item))
        if name:
            self._legend.addItem(item, name)

    def _draw(self, figure: Figure, theme: Theme) -> None:
        if figure.strips is not None:
            self._draw_strips(figure.strips)
        for band in figure.bands:
            if is_drawn(band):
                self._draw_bands(band, theme)
        for link in figure.links:
            pen = self._pen(link.tone, theme)
            drawn = pg.PlotCurveItem(link.x.ravel(), link.y.ravel(), connect="pairs", pen=pen)
            self._add(link, drawn, 5)
        for bars in figure.bars:
            self._draw_bars(bars, theme)
        for line in figure.curves:
            self._draw_curve(line, theme)
        for dots in figure.dots:
            self._draw_dots(dots, theme)

    def _draw_curve(self, line: Curve, theme: Theme) -> None:
        y, step = (line.y[:-1], "center") if line.is_stepped else (line.y, None)
        pen = self._pen(line.tone, theme, is_thin=line.x.size > MOST_WIDE)
        drawn = pg.PlotDataItem(line.x, y, pen=pen, name=line.name, stepMode=step)
        # A curve is added to the legend automatically.
        self._add(line, drawn, 10 if line.tone != FAINT else 8)
        if not line.is_stepped:  # only after it was added: pyqtgraph fails before
            drawn.setDownsampling(auto=True, method="peak")

    def _draw_dots(self, dots: Dots, theme: Theme) -> None:
        color = self._ink(dots.tone, theme)
        fill = QColor(color)
        fill.setAlphaF(0.5)
        drawn = pg.ScatterPlotItem(
            dots.x, dots.y, symbol=_SIGNS[dots.tone], size=sizes_of(dots),
            pen=pg.mkPen(color, width=1.2), brush=pg.mkBrush(fill),
        )  # fmt: skip
        self._add(dots, drawn, 30 if dots.tone == BEST else 15, dots.name)

    def _draw_bars(self, bars: Bars, theme: Theme) -> None:
        color = QColor(self._ink(bars.tone, theme))
        fill = QColor(color)
        fill.setAlphaF(0.75 if bars.tone != DROPPED else 0.3)
        drawn = pg.BarGraphItem(
            x0=bars.low, x1=bars.high, height=bars.y,
            brush=pg.mkBrush(fill), pen=pg.mkPen(color, width=0.8),
        )  # fmt: skip
        self._add(bars, drawn, 6, bars.name)

    def _draw_bands(self, band: Bands, theme: Theme) -> None:
        color = QColor(self._ink(band.tone, theme))
        color.setAlphaF(0.16 if band.tone == KEPT else 0.5)
        brush = QBrush(color, _BRUSHES.get(band.tone, Qt.BrushStyle.SolidPattern))
        drawn = ShadedRanges(band.low.tolist(), band.high.tolist(), brush)
        self._add(band, drawn, 1 if band.tone == KEPT else 2)
        color.setAlphaF(0.7)
        sign = pg.ScatterPlotItem(size=10, symbol="s", brush=QBrush(color, brush.style()), pen=None)
        self._legend.addItem(sign, band.name)

    def _draw_strips(self, strips: Strips) -> None:
        count = len(strips.labels)
        image = pg.ImageItem(strips.cells[::-1], levels=(0.0, 1.0))
        image.setRect(QRectF(strips.low, 0, strips.high - strips.low, count))
        self._add(strips, image, 0)
        ticks = [(count - index - 0.5, label) for index, label in enumerate(strips.labels)]
        # Labels of the second level are drawn only if there is room.
        self._plot.getAxis("left").setTicks([ticks[::3], ticks])
        if strips.columns:
            low, wide = strips.low, (strips.high - strips.low) / len(strips.columns)
            columns = [(low + (k + 0.5) * wide, text) for k, text in enumerate(strips.columns)]
            self._plot.getAxis("bottom").setTicks([columns])
        if strips.scale:
            low, high = strips.scale
            for share in (0.0, 0.5, 1.0):
                pen = pg.mkPen(QColor.fromHsvF(0, 0, 0.5))
                shade = pg.mkBrush(QColor.fromRgbF(share, share, share))
                sign = pg.ScatterPlotItem(size=10, symbol="s", brush=shade, pen=pen)
                self._legend.addItem(sign, f"{low + share * (high - low):.3f}")

    def _draw_thresholds(self, thresholds: Sequence[Threshold], theme: Theme) -> None:
        for index, each in enumerate(thresholds):
            key, is_level = each.parameter or f"{index}", each.axis == "y"
            if key in self._lines:  # under the mouse: it moves first, the figure follows
                continue
            color = QColor(_LIGHT if each.parameter else theme.muted)
            pen = QPen(color, 2.0 if each.parameter else 1.2)
            pen.setCosmetic(True)
            pen.setStyle(Qt.PenStyle.DashLine)
            hover = QPen(pen)
            hover.setWidthF(3.5)
            line = pg.InfiniteLine(
                each.at, angle=0 if is_level else 90, pen=pen, hoverPen=hover,
                movable=bool(each.parameter), label=each.name,
                labelOpts={"position": 0.06, "color": color, "fill": theme.panel, "movable": False,
                           "anchors": [(0, 1), (0, 0)]},
            )  # fmt: skip
            line.setZValue(40)
            if each.parameter:
                shapes = Qt.CursorShape
                line.setCursor(shapes.SizeVerCursor if is_level else shapes.SizeHorCursor)
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
        own = {
            KEPT: on_ground(self._color, is_dark=theme.name == "dark"),
            DROPPED: theme.edge,
            GOLD: GOLD_COLORS[MAIN],
            SECOND: _SECOND,
            BEST: _LIGHT,
        }
        return own.get(tone, theme.edge if tone == FAINT else theme.text)

    def _label(self, side: str, text: str, theme: Theme) -> None:
        self._plot.setLabel(side, text, color=theme.muted, **{"font-size": "9pt"})
        self._plot.getAxis(side).showLabel(not self.is_strip)

    def _style(self) -> None:
        theme = theme_of(self)
        self._view.setBackground(theme.panel)
        for side in ("left", "bottom"):
            axis = self._plot.getAxis(side)
            axis.setPen(QPen(QColor(theme.edge), 0))
            axis.setTextPen(QColor(theme.muted))
            axis.enableAutoSIPrefix(False)
        self._legend.setLabelTextColor(QColor(theme.text))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._style()
            self.show_figure(self.figure, self._color, keep_view=self.figure is not None)

    # mouse -----------------------------------------------------------------------------------
    def _on_mouse_moved(self, at: QPointF) -> None:
        item = self._item_at(at)
        if item != self._hovered and not self._is_dragging:
            self._hovered = item
            self.pointed.emit(item)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = -1
        self.pointed.emit(-1)

    def _item_at(self, at: QPointF) -> int:
        box = self._plot.getViewBox()
        if self.figure is None or not box.sceneBoundingRect().contains(at):
            return -1
        position = box.mapSceneToView(at)
        if not self.figure.is_plane:
            return self.figure.items.along(position.x())
        width, height = box.viewPixelSize()
        return self.figure.items.nearest(position.x(), position.y(), 1 / width, 1 / height)

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
        """Write the visible area as PNG, SVG or PDF, by suffix; False if that fails."""
        size = self._view.size()
        whole, kind = QRectF(0, 0, size.width(), size.height()), path.suffix.lower()
        if kind == ".png":
            image = QImage(size * 2, QImage.Format.Format_RGB32)
            self._paint(image, QRectF(0, 0, 2 * size.width(), 2 * size.height()))
            return image.save(str(path))
        if kind == ".svg":
            drawing = QSvgGenerator()
            drawing.setFileName(str(path))
            drawing.setSize(QSize(size))
            drawing.setViewBox(whole)
            return self._paint(drawing, whole)
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
