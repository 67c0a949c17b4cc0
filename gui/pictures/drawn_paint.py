"""A drawn page by QPainter: as a picture of pixels, and as PDF, where text and lines stay sharp."""

from PySide6.QtCore import QBuffer, QIODevice, QLineF, QMarginsF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPen,
)

from engine.geometry import Box
from gui.pictures import strokes
from gui.pictures.page_drawing import DrawnBox, DrawnLayer, PageDrawing
from gui.pictures.strokes import Stroke

_PT_PER_PX = 72 / 96
_DPI = 96
"""PDF is painted in CSS px."""


def image_of(drawing: PageDrawing, *, has_legend: bool = True) -> QImage:
    """Return the page with its layers, one px a CSS px."""
    wide, high = drawing.size
    above = strokes.legend(drawing)[1] if has_legend else 0
    image = QImage(wide, high + above, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    try:
        _paint(painter, drawing, has_legend=has_legend)
    finally:
        painter.end()
    return image


def pdf_of(drawing: PageDrawing, *, has_legend: bool = True) -> bytes:
    """Return a PDF file of one sheet as large as the page."""
    wide, high = drawing.size
    high += strokes.legend(drawing)[1] if has_legend else 0
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DPI)
    writer.setTitle(drawing.title or drawing.address)
    writer.setCreator("Pagelet")
    points = QSizeF(wide * _PT_PER_PX, high * _PT_PER_PX)
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    size = QPageSize(points, QPageSize.Unit.Point, "", exact)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF()))
    painter = QPainter(writer)
    try:
        painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        _paint(painter, drawing, has_legend=has_legend)
    finally:
        painter.end()
    return bytes(buffer.data().data())


def _paint(painter: QPainter, drawing: PageDrawing, *, has_legend: bool) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    entries, above = strokes.legend(drawing) if has_legend else ((), 0)
    wide, high = drawing.size
    painter.fillRect(QRectF(0, 0, wide, high + above), QColor(strokes.PAPER))
    for entry in entries:
        _paint_box(painter, strokes.sample(entry), (10**6, 10**6))
        painter.setFont(_font(strokes.LEGEND_FONT))
        painter.setPen(QColor(strokes.INK))
        painter.drawText(QPointF(*entry.at), entry.layer.title)
    painter.translate(0, above)
    painter.drawImage(QPointF(0, 0), drawing.image)
    for layer in drawing.layers:
        painter.setOpacity(layer.opacity)
        for line in layer.lines:
            _paint_line(painter, line, layer)
        for box in layer.boxes:
            _paint_box(painter, box, drawing.size)
        for box in layer.boxes:
            _paint_name(painter, box)
    painter.setOpacity(1.0)


def _paint_line(painter: QPainter, line: Box, layer: DrawnLayer) -> None:
    painter.fillRect(QRectF(*line), _faded(layer.color, layer.ground))
    under = strokes.under(line, layer)
    x, y, wide, _ = under.box
    painter.setPen(_pen(under, layer.color))
    painter.drawLine(QLineF(x, y, x + wide, y))


def _paint_box(painter: QPainter, box: DrawnBox, size: tuple[int, int]) -> None:
    if box.fill:
        painter.fillRect(QRectF(*box.box), _faded(box.color, box.fill))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for stroke in strokes.strokes(box, size):
        painter.setPen(_pen(stroke, box.color))
        painter.drawRoundedRect(QRectF(*stroke.box), 2, 2)


def _paint_name(painter: QPainter, box: DrawnBox) -> None:
    if box.name is None or not box.label:
        return
    font = _font(strokes.NAME_FONT, is_strong=True)
    x, y, _ = box.name
    wide = QFontMetricsF(font).horizontalAdvance(box.label) + 10
    place = QRectF(x, y, max(wide, box.name[2]), strokes.NAME_HEIGHT)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(box.color))
    painter.drawRoundedRect(place, 3, 3)
    painter.setFont(font)
    painter.setPen(QColor("#ffffff"))
    painter.drawText(place.adjusted(5, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, box.label)


def _pen(stroke: Stroke, color: str) -> QPen:
    pen = QPen(QColor(color), stroke.width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if stroke.dashes:
        pen.setDashPattern([px / stroke.width for px in stroke.dashes])
    return pen


def _faded(color: str, strength: float) -> QColor:
    found = QColor(color)
    found.setAlphaF(min(1.0, strength))
    return found


def _font(px: int, *, is_strong: bool = False) -> QFont:
    font = QFont(["Liberation Sans", "DejaVu Sans"])
    font.setPixelSize(px)
    font.setWeight(QFont.Weight.DemiBold if is_strong else QFont.Weight.Normal)
    return font
