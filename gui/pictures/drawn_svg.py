"""A drawn page as SVG: its picture, and each layer as a group of shapes that can be edited."""

import base64
import re

from annotate.evaluation.report.markup import Markup, join, slug, tag
from engine.geometry import Box
from gui.pictures import strokes
from gui.pictures.page_drawing import DrawnBox, DrawnLayer, PageDrawing, png_of
from gui.pictures.strokes import Stroke

_FONT = "system-ui, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_NAMESPACE = "http://www.w3.org/2000/svg"
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that XML cannot hold, however they are written."""


def svg_of(drawing: PageDrawing, *, has_legend: bool = True) -> Markup:
    """Return a whole SVG file."""
    wide, high = drawing.size
    entries, above = strokes.legend(drawing) if has_legend else ((), 0)
    legend = [_group("legend", join(map(_legend_entry, entries)))]
    page = tag(
        "g",
        picture(drawing),
        *(_group(layer_id(layer), shapes(layer, drawing), layer) for layer in drawing.layers),
        transform=f"translate(0 {above})",
    )
    whole = tag(
        "svg",
        tag("title", drawing.title or drawing.address),
        _rect((0, 0, wide, high + above), fill=strokes.PAPER),
        *(legend if entries else ()),
        page,
        xmlns=_NAMESPACE,
        width=wide,
        height=high + above,
        viewBox=f"0 0 {wide} {high + above}",
        font_family=_FONT,
    )
    return Markup(_NO_XML.sub("", whole))


def layer_id(layer: DrawnLayer) -> str:
    """Return what a layer is called in the file."""
    return f"layer-{slug(layer.key)}"


def picture(drawing: PageDrawing) -> Markup:
    """Return the page's picture, whole, as part of the file."""
    wide, high = drawing.size
    data = base64.b64encode(png_of(drawing.image)).decode()
    return tag("image", href=f"data:image/png;base64,{data}", width=wide, height=high)


def shapes(layer: DrawnLayer, drawing: PageDrawing) -> Markup:
    """Return what a layer draws."""
    return join(
        (
            *(_line(line, layer) for line in layer.lines),
            *(_box(box, drawing.size) for box in layer.boxes),
            *(_name(box) for box in layer.boxes),
        )
    )


def swatch(layer: DrawnLayer) -> Markup:
    """Return a sample of a layer as a drawing of its own."""
    entry = strokes.LegendEntry(layer, (2, 2, 18, 14), (0, 0))
    drawn = _box(strokes.sample(entry), (22, 18))
    return tag("svg", drawn, width=22, height=18, viewBox="0 0 22 18")


def _group(name: str, inner: Markup, layer: DrawnLayer | None = None) -> Markup:
    if layer is None:
        return tag("g", inner, id=name)
    attributes = {"opacity": f"{layer.opacity:g}"} if layer.opacity < 1 else {}
    return tag("g", tag("title", layer.title), inner, id=name, **attributes)


def _legend_entry(entry: strokes.LegendEntry) -> Markup:
    x, y = entry.at
    words = tag(
        "text", entry.layer.title, x=f"{x:g}", y=f"{y:g}",
        font_size=strokes.LEGEND_FONT, fill=strokes.INK,
    )  # fmt: skip
    return join((_box(strokes.sample(entry), (10**6, 10**6)), words))


def _box(box: DrawnBox, size: tuple[int, int]) -> Markup:
    said = tag("title", box.label) if box.label else None
    ground = _rect(box.box, said, fill=box.color, fill_opacity=f"{box.fill:g}")
    lines = (
        _rect(stroke.box, fill="none", rx=2, **_stroke(stroke, box.color))
        for stroke in strokes.strokes(box, size)
    )
    return join((ground, *lines))


def _name(box: DrawnBox) -> Markup | None:
    if box.name is None or not box.label:
        return None
    x, y, wide = box.name
    words = tag(
        "text", box.label, x=f"{x + 5:g}", y=f"{y + 10.5:g}", fill="#fff",
        font_size=strokes.NAME_FONT, font_weight=600,
        textLength=f"{wide - 10:g}", lengthAdjust="spacingAndGlyphs",
    )  # fmt: skip
    return join((_rect((x, y, wide, strokes.NAME_HEIGHT), fill=box.color, rx=3), words))


def _line(line: Box, layer: DrawnLayer) -> Markup:
    under = strokes.under(line, layer)
    x, y, wide, _ = under.box
    ground = _rect(line, fill=layer.color, fill_opacity=f"{layer.ground:g}")
    rule = tag(
        "line", x1=f"{x:g}", x2=f"{x + wide:.1f}", y1=f"{y:.1f}", y2=f"{y:.1f}",
        **_stroke(under, layer.color),
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
