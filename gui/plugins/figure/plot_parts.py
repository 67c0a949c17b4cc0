"""Parts of a figure on screen: comparing those of two figures, and moving one.

A dragged threshold changes values, not the legend: drawn items are moved, not created again.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QPainter

from algorithms.figures.figure import BEST, Bands, Bars, Curve, Dots, Figure, Links, Strips

PlotPart = Strips | Bands | Links | Bars | Curve | Dots


class ShadedRanges(pg.GraphicsObject):  # type: ignore[misc]
    """Shaded ranges along x over the visible height, as one item."""

    def __init__(self, low: Sequence[float], high: Sequence[float], brush: QBrush) -> None:
        super().__init__()
        self._brush = brush
        self.set_pairs(low, high)

    def set_pairs(self, low: Sequence[float], high: Sequence[float]) -> None:
        """Set the ranges."""
        self.prepareGeometryChange()
        self._pairs = list(zip(low, high, strict=True))
        self._low, self._high = min(low, default=0.0), max(high, default=0.0)
        self.update()

    def boundingRect(self) -> QRectF:
        """Return the visible area from the first to the last range; ranges have no height."""
        seen = QRectF(self.viewRect())
        left = max(seen.left(), self._low)
        seen.setLeft(left)
        seen.setRight(max(left, min(seen.right(), self._high)))
        return seen

    def viewRangeChanged(self) -> None:
        self.prepareGeometryChange()

    def paint(self, painter: QPainter, *_more: object) -> None:
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
        """Return the extent along x; none along y."""
        if axis or not self._pairs:
            return (None, None)
        return (self._pairs[0][0], max(high for _, high in self._pairs))


def parts_of(figure: Figure) -> list[PlotPart]:
    """Return the parts of a figure as drawn, from the bottom up."""
    strips = () if figure.strips is None else (figure.strips,)
    return [*strips, *figure.bands, *figure.links, *figure.bars, *figure.curves, *figure.dots]


def is_drawn(part: PlotPart) -> bool:
    return not isinstance(part, Bands) or part.low.size > 0


def is_alike(one: Figure, other: Figure) -> bool:
    """Return whether two figures have the same axes, legend and thresholds, at any position."""

    def shape(figure: Figure) -> tuple[object, ...]:
        parts = [
            (type(part), part.name, getattr(part, "tone", ""), getattr(part, "is_stepped", False))
            for part in parts_of(figure)
            if is_drawn(part)
        ]
        lines = [(each.parameter, each.name, each.axis) for each in figure.thresholds]
        return (figure.title, figure.x_label, figure.y_label, figure.is_downward, parts, lines)

    same = one.strips is other.strips
    if one.strips is not None and other.strips is not None:
        same = is_same(one.strips, other.strips)
    return same and shape(one) == shape(other)


def is_same(one: PlotPart, other: PlotPart) -> bool:
    """Return whether two parts have equal values."""
    return all(
        np.array_equal(getattr(one, each.name), getattr(other, each.name))
        for each in fields(one)
        if each.name != "labels"
    )


def sizes_of(dots: Dots) -> Any:  # noqa: ANN401
    if dots.sizes is None:
        return 15.0 if dots.tone == BEST else 8.0
    return np.maximum(dots.sizes, 14.0) if dots.tone == BEST else dots.sizes


def move_to(item: Any, part: PlotPart) -> None:  # noqa: ANN401
    """Set a drawn item to the values of another part of its kind."""
    if isinstance(part, Bands):
        item.set_pairs(part.low.tolist(), part.high.tolist())
    elif isinstance(part, Links):
        item.setData(part.x.ravel(), part.y.ravel(), connect="pairs")
    elif isinstance(part, Bars):
        item.setOpts(x0=part.low, x1=part.high, height=part.y)
    elif isinstance(part, Curve):
        item.setData(part.x, part.y[:-1] if part.is_stepped else part.y)
    elif isinstance(part, Dots):
        item.setData(part.x, part.y, size=sizes_of(part))


class LegendAbove(pg.LegendItem):  # type: ignore[misc]
    """Legend above the plot, where it covers nothing, in as few lines as the width allows."""

    def __init__(self, plot: Any) -> None:  # noqa: ANN401
        super().__init__(offset=None, labelTextSize="8pt", horSpacing=6, verSpacing=-4)
        self.layout.setContentsMargins(0, 0, 0, 0)
        self._plot = plot
        self.setParentItem(plot)
        plot.legend = self  # named curves are added automatically
        plot.getViewBox().sigResized.connect(lambda _box: self.fit())

    def addItem(self, item: Any, name: str) -> None:  # noqa: ANN401
        super().addItem(item, name)
        self.fit()

    def clear(self) -> None:
        """Remove all entries."""
        super().clear()
        self.fit()

    def updateSize(self) -> None:
        """Resize to the size of the entries."""
        hint = self.layout.effectiveSizeHint(Qt.SizeHint.MinimumSize)
        self.resize(hint if self.items else QSizeF(0, 0))

    def fit(self) -> None:
        """Reserve as many lines as the entries need at the width of the plot."""
        box = self._plot.getViewBox()
        for columns in range(max(len(self.items), 1), 0, -1):
            self.setColumnCount(columns)
            self.updateSize()
            if self.rect().width() <= box.width():
                break
        self.setPos(box.pos().x(), 2)
        layout, height = self._plot.layout, self.rect().height() if self.isVisible() else 0.0
        if layout.rowMaximumHeight(0) != height:
            layout.setRowFixedHeight(0, height)

    def mouseDragEvent(self, event: Any) -> None:  # noqa: ANN401
        """Ignore drags: pyqtgraph lets a legend be dragged."""
        event.ignore()

    def hoverEvent(self, event: Any) -> None:  # noqa: ANN401
        """Do not offer dragging."""
