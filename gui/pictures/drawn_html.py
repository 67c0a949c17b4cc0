"""A drawn page as one HTML file that needs no other: layers are switched on and off in it.

Inert: there is no script in it, of the page or of ours.  The policy allows the file's own style
and its picture, nothing is loaded, and every text is escaped.
"""

import base64
import hashlib

from annotate.evaluation.report.markup import Markup, join, tag
from gui.pictures.drawn_svg import layer_id, picture, shapes, swatch
from gui.pictures.page_drawing import DrawnLayer, PageDrawing
from resources import read_text

_WHOSE = "Picture and text of the page belong to those who made it."


def html_of(drawing: PageDrawing) -> str:
    """Return a whole HTML file."""
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
    body = join(
        (
            tag(
                "header",
                tag("h1", title),
                tag("p", drawing.address, class_="faint"),
                switches if drawing.layers else None,
                tag("p", _WHOSE, class_="faint"),
            ),
            tag("main", page),
        )
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _switch(layer: DrawnLayer) -> Markup:
    box = tag("input", type="checkbox", id=f"show-{layer_id(layer)}", checked=True)
    note = tag("span", layer.note, class_="note") if layer.note else None
    return tag("label", box, swatch(layer), tag("span", layer.title), note)
