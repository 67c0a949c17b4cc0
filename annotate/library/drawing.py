"""Objects as notebooks show them: an inert picture of the page, marks over it as SVG.

Nothing of the page itself runs or loads: its look is one JPEG, its texts are escaped.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from algorithms.results import Extraction
from annotate.evaluation.report.markup import fill_template
from annotate.evaluation.tables.method_colors import color_of
from annotate.library import rendering
from engine.errors import PageletError
from engine.geometry import Box

if TYPE_CHECKING:
    from annotate.library.pages import MethodRun, OpenPage

_TALLEST = 4000
"""Height of a page in a notebook, CSS px; a note reports that the rest is cut off."""

_Mark = tuple[Mapping[str, object], str]
"""Attributes of a rectangle, and its title."""


def page_html(page: "OpenPage") -> str:
    """Return a page: its title, its address, and what it looks like."""
    return _with_picture(page, page.title or page.document.name, page.address)


def run_html(run: "MethodRun") -> str:
    """Return what a method found, drawn on the page."""
    values = ", ".join(f"{name}={value}" for name, value in run.setup.params.as_dict().items())
    result = repr(run).strip("<>").rpartition(": ")[2]
    note = f"{values} · {result}".strip(" ·")
    return _with_picture(run.page, run.setup.entry.name, note, run)


def _with_picture(page: "OpenPage", title: str, note: str, run: "MethodRun | None" = None) -> str:
    picture, marks, problem, wide, high = "", [], "", 0, 0
    try:
        marks = [] if run is None else list(_marks(run))
        shown = rendering.picture(page.document)
    except PageletError as error:
        problem = str(error)
    else:
        picture, (wide, high) = base64.b64encode(shown.jpeg).decode(), shown.size
    return fill_template(
        "notebook/page.html", title=title, note=note, picture=picture, marks=marks,
        problem=problem, wide=wide, high=high, tall=min(high, _TALLEST),
    )  # fmt: skip


def text_boxes(run: "MethodRun", result: Extraction) -> list[Box]:
    """Return the boxes of the texts that an extraction, of the source that was read, touches."""
    page = run.page.rendered
    # Spans of a page that was read again have the same positions in its own sources.
    ranges = page.alignment(page.source(run.setup.input)).ranges(result.spans)
    rows = list(dict.fromkeys(ranges[:, 0].tolist()))
    return [(x, y, wide, high) for x, y, wide, high in page.rendered().rect[rows].tolist()]


def _marks(run: "MethodRun") -> Iterator[_Mark]:
    color = color_of(run.method)
    if isinstance(run.result, Extraction):
        for box in text_boxes(run, run.result):
            yield {**_position(box), "fill": color, "fill-opacity": ".25"}, ""
    for block in run.blocks:
        dash = {"stroke-dasharray": "6 4"} if block.level > 1 else {}
        line = {"fill": "none", "stroke": color, "stroke-width": 4 - block.level, **dash}
        title = f"{block.level} {block.type} {block.reason}".strip()
        yield {**_position(block.box), **line}, title


def _position(box: Iterable[float]) -> dict[str, object]:
    names = ("x", "y", "width", "height")
    return {name: f"{value:.1f}" for name, value in zip(names, box, strict=True)}
