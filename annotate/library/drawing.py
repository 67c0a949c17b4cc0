"""Objects as notebooks show them: an inert picture of the page, marks over it as SVG.

Nothing of the page itself runs or loads: its look is one JPEG, its texts are escaped.
"""

import base64
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from algorithms.results import Extraction
from annotate.evaluation.method_colors import color_of
from annotate.library import rendering
from engine.errors import PageletError

if TYPE_CHECKING:
    from annotate.library.pages import MethodRun, OpenPage


_TALLEST = 4000
"""CSS px of a page that a notebook shows; the rest is cut off, and said to be."""


def page_html(page: "OpenPage") -> str:
    """Return a page: its title, its address, and what it looks like."""
    head = f"<b>{escape(page.title or page.document.name)}</b> {_faint(page.address)}"
    return _with_picture(page, head, [])


def run_html(run: "MethodRun") -> str:
    """Return what a method found, drawn on the page."""
    params = run.setup.params
    values = ", ".join(f"{name}={value}" for name, value in params.as_dict().items())
    result = repr(run).strip("<>").rpartition(": ")[2]
    head = f"<b>{escape(run.setup.entry.name)}</b> {_faint(f'{values} · {result}'.strip(' ·'))}"
    try:
        marks = list(_marks(run))
    except PageletError as error:
        return f"<div>{head}<p>{escape(str(error))}</p></div>"
    return _with_picture(run.page, head, marks)


def table_html(heads: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return a plain table; all cells are escaped."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in line) + "</tr>"
        for line in lines
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _marks(run: "MethodRun") -> Iterable[str]:
    color = color_of(run.method)
    page, result = run.page.rendered, run.result
    nodes = page.rendered()
    if isinstance(result, Extraction):
        # Spans of a page that was read again stand at the same places of its own sources.
        same = page.original if run.setup.input == "original" else page.dom
        alignment = page.original_alignment if same is page.original else page.dom_alignment
        rows = dict.fromkeys(alignment.ranges(result.spans)[:, 0].tolist())
        boxes = (nodes.rect[row].tolist() for row in rows)
        yield from (_rect(box, f'fill="{color}" fill-opacity=".25"', "") for box in boxes)
        return
    for block in run.blocks:
        dash = ' stroke-dasharray="6 4"' if block.level > 1 else ""
        style = f'fill="none" stroke="{color}" stroke-width="{4 - block.level}"{dash}'
        yield _rect(block.box, style, f"{block.level} {block.type} {block.reason}".strip())


def _rect(box: Sequence[float], style: str, title: str) -> str:
    x, y, wide, high = (f"{number:.1f}" for number in box)
    title_tag = f"<title>{escape(title)}</title>" if title else ""
    return f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" {style}>{title_tag}</rect>'


def _with_picture(page: "OpenPage", head: str, marks: Sequence[str]) -> str:
    try:
        shown = rendering.picture(page.document)
    except PageletError as error:
        return f"<div>{head}<p>{escape(str(error))}</p></div>"
    wide, high = shown.size
    tall = min(high, _TALLEST)
    data = base64.b64encode(shown.jpeg).decode()
    image = f'<image href="data:image/jpeg;base64,{data}" width="{wide}"/>'
    cut = _faint(f" · the upper {tall} of {high} px") if tall < high else ""
    return (
        f"<div><div>{head}{cut}</div>"
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" '
        f'style="width:100%;max-width:{wide // 2}px;border:1px solid #8888">'
        f"{image}{''.join(marks)}</svg></div>"
    )


def _faint(text: str) -> str:
    return f'<span style="opacity:.65">{escape(text)}</span>'
