"""A drawn page as SVG: its picture, its legend, and each layer as a group of shapes to edit.

PNG and PDF are painted from the same shapes.
"""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPageLayout, QPageSize, QPaintDevice, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgRenderer

from annotate.evaluation.report.markup import Markup, join, slug, tag
from engine.geometry import Box
from gui.pictures.page_drawing import DrawnBox, DrawnLayer, PageDrawing, png_of

LEGEND_FONT, NAME_FONT = 13, 10
_LINE, _SAMPLE, _GAP, _MARGIN = 26, 18, 22, 12
_LETTER = 0.58
"""Width of a letter in the mean, by the size of the font: viewers use other fonts."""

NAME_HEIGHT = 14
INK, PAPER = "#16181d", "#ffffff"


@dataclass(frozen=True)
class LegendEntry:
    """A layer in the legend: where its sample is, and where its name begins (on its base line)."""

    layer: DrawnLayer
    sample: Box
    at: tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """A line around a box: where its middle runs, its width, and its dashes in px."""

    box: Box
    width: float
    dashes: tuple[float, ...] = ()


def legend(drawing: PageDrawing) -> tuple[tuple[LegendEntry, ...], int]:
    """Return the legend of a drawing, the topmost layer first, and how high it is."""
    entries: list[LegendEntry] = []
    x, line = float(_MARGIN), 0
    for layer in reversed(drawing.layers):
        wide = _SAMPLE + 8 + _LETTER * LEGEND_FONT * len(layer.title)
        if entries and x > _MARGIN and x + wide > drawing.size[0] - _MARGIN:
            x, line = float(_MARGIN), line + 1
        top = 6.0 + line * _LINE
        sample = (x, top + 2, float(_SAMPLE), 14.0)
        entries.append(LegendEntry(layer, sample, (x + _SAMPLE + 8, top + 14)))
        x += wide + _GAP
    return tuple(entries), 12 + (line + 1) * _LINE if entries else 0


def strokes(box: DrawnBox, size: tuple[int, int]) -> Iterator[Stroke]:
    """Yield the lines of a box: around it, so that the first letters stay readable."""
    x, y, wide, high = box.box
    half = box.weight / 2
    left, top = max(half, x - half), max(half, y - half)
    right, bottom = min(size[0] - half, x + wide + half), min(size[1] - half, y + high + half)
    if right <= left or bottom <= top:
        return
    outer = (left, top, right - left, bottom - top)
    if box.dash != "double":
        yield Stroke(outer, box.weight, dashes(box.dash, box.weight))
        return
    third = box.weight / 3
    yield Stroke(_grown(outer, third), third)
    yield Stroke(_grown(outer, -third), third)


def sample(entry: LegendEntry) -> DrawnBox:
    weight = 3.0 if entry.layer.dash == "double" else 2.0
    return DrawnBox(entry.sample, entry.layer.color, entry.layer.dash, weight, 0.3)


def under(line: Box, layer: DrawnLayer) -> Stroke:
    """Return the line under a line of text; those of several layers lie below one another."""
    x, y, wide, high = line
    level = y + 0.92 * high + 2.5 * (layer.index % 5)
    width = 1.5 if layer.ground < 0.13 else 2.0
    return Stroke((x, level, wide, 0.0), width, dashes(layer.dash, width))


def dashes(dash: str, width: float) -> tuple[float, ...]:
    """Return line and gap in px; nothing for a line without gaps."""
    return {"dashed": (3 * width, 2 * width), "dotted": (width, 1.5 * width)}.get(dash, ())


def _grown(box: Box, by: float) -> Box:
    x, y, wide, high = box
    return x - by, y - by, max(0.0, wide + 2 * by), max(0.0, high + 2 * by)


_FONT = "system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_PAINTED_FONT = "Liberation Sans"
"""QtSvg takes a list of fonts for the name of one; the system has one for a name it lacks."""

_NAMESPACE = "http://www.w3.org/2000/svg"
_PT_PER_PX = 72 / 96
_DPI = 96
"""PDF is painted in CSS px."""

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that XML cannot hold, however they are written."""


def svg_of(drawing: PageDrawing, *, has_legend: bool = True) -> Markup:
    paper = _rect((0, 0, *_sheet(drawing, has_legend=has_legend)), fill=PAPER)
    return _file(drawing, _FONT, paper, picture(drawing), has_legend=has_legend)


def image_of(drawing: PageDrawing, *, has_legend: bool = True) -> QImage:
    """Return the page with its layers, one px a CSS px."""
    image = QImage(*_sheet(drawing, has_legend=has_legend), QImage.Format.Format_RGB32)
    _paint(image, drawing, has_legend=has_legend)
    return image


def pdf_of(drawing: PageDrawing, *, has_legend: bool = True) -> bytes:
    """Return a PDF file of one sheet as large as the page; text and lines stay sharp."""
    wide, high = _sheet(drawing, has_legend=has_legend)
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
    _paint(writer, drawing, has_legend=has_legend)
    return bytes(buffer.data().data())


def _paint(device: QPaintDevice, drawing: PageDrawing, *, has_legend: bool) -> None:
    """Paint page and layers; the page's picture as it is, not by way of the file."""
    wide, high = _sheet(drawing, has_legend=has_legend)
    painter, hint = QPainter(device), QPainter.RenderHint
    try:
        painter.setRenderHints(hint.Antialiasing | hint.LosslessImageRendering)  # the latter: PDF
        painter.fillRect(QRectF(0, 0, wide, high), QColor(PAPER))
        painter.drawImage(QPointF(0, high - drawing.size[1]), drawing.image)
        layers = _file(drawing, _PAINTED_FONT, has_legend=has_legend)
        QSvgRenderer(QByteArray(layers.encode())).render(painter, QRectF(0, 0, wide, high))
    finally:
        painter.end()


def _sheet(drawing: PageDrawing, *, has_legend: bool) -> tuple[int, int]:
    """Return width and height of a page with its legend above, px."""
    wide, high = drawing.size
    return wide, high + (legend(drawing)[1] if has_legend else 0)


def _file(
    drawing: PageDrawing,
    font: str,
    paper: Markup | None = None,
    image: Markup | None = None,
    *,
    has_legend: bool,
) -> Markup:
    wide, high = _sheet(drawing, has_legend=has_legend)
    entries = legend(drawing)[0] if has_legend else ()
    layers = (_group(layer_id(each), shapes(each, drawing), each) for each in drawing.layers)
    page = tag("g", image, *layers, transform=f"translate(0 {high - drawing.size[1]})")
    title = tag("title", drawing.title or drawing.address)
    key = _group("legend", join(map(_legend_entry, entries))) if entries else None
    size = {"width": wide, "height": high, "viewBox": f"0 0 {wide} {high}"}
    parts = (title, paper, key, page)
    whole = tag("svg", *parts, xmlns=_NAMESPACE, **size, font_family=font)
    return Markup(_NO_XML.sub("", whole))


def layer_id(layer: DrawnLayer) -> str:
    return f"layer-{slug(layer.key)}"


def picture(drawing: PageDrawing) -> Markup:
    """Return the page's picture, whole, as part of the file."""
    wide, high = drawing.size
    data = base64.b64encode(png_of(drawing.image)).decode()
    return tag("image", href=f"data:image/png;base64,{data}", width=wide, height=high)


def shapes(layer: DrawnLayer, drawing: PageDrawing) -> Markup:
    return join(
        (
            *(_line(line, layer) for line in layer.lines),
            *(_box(box, drawing.size) for box in layer.boxes),
            *(_name(box) for box in layer.boxes),
        )
    )


def swatch(layer: DrawnLayer) -> Markup:
    entry = LegendEntry(layer, (2, 2, 18, 14), (0, 0))
    drawn = _box(sample(entry), (22, 18))
    return tag("svg", drawn, width=22, height=18, viewBox="0 0 22 18")


def _group(name: str, inner: Markup, layer: DrawnLayer | None = None) -> Markup:
    if layer is None:
        return tag("g", inner, id=name)
    attributes = {"opacity": f"{layer.opacity:g}"} if layer.opacity < 1 else {}
    return tag("g", tag("title", layer.title), inner, id=name, **attributes)


def _legend_entry(entry: LegendEntry) -> Markup:
    x, y = entry.at
    place = {"x": f"{x:g}", "y": f"{y:g}"}
    words = tag("text", entry.layer.title, **place, font_size=LEGEND_FONT, fill=INK)
    return join((_box(sample(entry), (10**6, 10**6)), words))


def _box(box: DrawnBox, size: tuple[int, int]) -> Markup:
    title = tag("title", box.label) if box.label else None
    ground = _rect(box.box, title, fill=box.color, fill_opacity=f"{box.fill:g}")
    lines = (
        _rect(stroke.box, fill="none", rx=2, **_stroke(stroke, box.color))
        for stroke in strokes(box, size)
    )
    return join((ground, *lines))


def _name(box: DrawnBox) -> Markup | None:
    if box.name is None or not box.label:
        return None
    x, y, wide = box.name
    words = tag(
        "text", box.label, x=f"{x + 5:g}", y=f"{y + 10.5:g}", fill="#fff",
        font_size=NAME_FONT, font_weight=600,
        textLength=f"{wide - 10:g}", lengthAdjust="spacingAndGlyphs",
    )  # fmt: skip
    return join((_rect((x, y, wide, NAME_HEIGHT), fill=box.color, rx=3), words))


def _line(line: Box, layer: DrawnLayer) -> Markup:
    stroke = under(line, layer)
    x, y, wide, _ = stroke.box
    ground = _rect(line, fill=layer.color, fill_opacity=f"{layer.ground:g}")
    rule = tag(
        "line", x1=f"{x:g}", x2=f"{x + wide:.1f}", y1=f"{y:.1f}", y2=f"{y:.1f}",
        **_stroke(stroke, layer.color),
    )  # fmt: skip
    return join((ground, rule))


def _stroke(stroke: Stroke, color: str) -> dict[str, object]:
    attributes: dict[str, object] = {"stroke": color, "stroke_width": f"{stroke.width:g}"}
    if stroke.dashes:
        attributes["stroke_dasharray"] = " ".join(f"{px:g}" for px in stroke.dashes)
    return attributes


def _rect(box: Box, *children: Markup | None, **attributes: object) -> Markup:
    x, y, wide, high = (f"{number:.1f}".removesuffix(".0") for number in box)
    return tag("rect", *children, x=x, y=y, width=wide, height=high, **attributes)
