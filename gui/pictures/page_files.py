"""A drawn page into a file, of the kind that its ending names."""

import base64
import hashlib
from pathlib import Path

from annotate.evaluation.report.markup import Markup, join, tag
from engine.bounded_file import atomic_write
from engine.errors import InputError, convert_os_error
from engine.words import join_words
from gui.pictures.drawn_svg import image_of, layer_id, pdf_of, picture, shapes, svg_of, swatch
from gui.pictures.page_drawing import DrawnLayer, PageDrawing, png_of
from resources import read_text

_WHOSE = "Picture and text of the page belong to those who made it."


def html_of(drawing: PageDrawing) -> str:
    # A box that is not checked hides the layer it is for.
    hides = (
        f"body:has(#show-{layer_id(layer)}:not(:checked)) .{layer_id(layer)} {{ display: none; }}"
        for layer in drawing.layers
    )
    style = read_text("report/page.css") + "\n".join(hides)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'"
    title = drawing.title or drawing.address or "Page"
    head = join(
        (
            Markup('<meta charset="utf-8">'),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            tag("title", title),
            tag("style", Markup(style)),
        )
    )
    wide, high = drawing.size
    groups = (
        tag("g", shapes(layer, drawing), class_=layer_id(layer), opacity=f"{layer.opacity:g}")
        for layer in drawing.layers
    )
    page = tag(
        "svg", picture(drawing), *groups, viewBox=f"0 0 {wide} {high}",
        role="img", aria_label=f"Picture of {title} with its layers", class_="page",
    )  # fmt: skip
    switches = tag("fieldset", tag("legend", "Layers"), *map(_switch, reversed(drawing.layers)))
    address, whose = (tag("p", text, class_="faint") for text in (drawing.address, _WHOSE))
    header = tag("header", tag("h1", title), address, switches if drawing.layers else None, whose)
    body = join((header, tag("main", page)))
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _switch(layer: DrawnLayer) -> Markup:
    box = tag("input", type="checkbox", id=f"show-{layer_id(layer)}", checked=True)
    note = tag("span", layer.note, class_="note") if layer.note else None
    return tag("label", box, swatch(layer), tag("span", layer.title), note)


KINDS = ("html", "png", "svg", "pdf")
"""Endings of the files a page can be saved as."""


def kind_of(path: Path) -> str:
    """Return the kind of file that a path names; raises `InputError`."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise InputError(
            f"no picture format of {path.name} is known: end it in {join_words(KINDS, 'or')}"
        )
    return kind


def save(drawing: PageDrawing, path: Path, *, has_legend: bool = True) -> None:
    """Write a page with its layers; raises `InputError` if that cannot be done.

    ``has_legend`` writes above the page which layers there are; HTML has switches instead.
    """
    kind = kind_of(path)
    with convert_os_error(f"write {path}"), atomic_write(path) as beside:
        if kind == "html":
            beside.write_text(html_of(drawing), encoding="utf-8", errors="replace")
        elif kind == "svg":
            text = svg_of(drawing, has_legend=has_legend)
            beside.write_text(f"{text}\n", encoding="utf-8", errors="replace")
        elif kind == "pdf":
            beside.write_bytes(pdf_of(drawing, has_legend=has_legend))
        else:
            beside.write_bytes(png_of(image_of(drawing, has_legend=has_legend)))
