"""Errors → layers of resources/js/overlay.js; kinds differ in sign, line and colour."""

from collections.abc import Sequence
from dataclasses import dataclass

from algorithms.explain.differences import BlockFault, ErrorKind
from algorithms.explain.page_errors import PageError
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec


@dataclass(frozen=True)
class ErrorStyle:
    """Drawing style of a kind of error.

    Attributes:
        sign: One letter before it in lists: + for what is to be added, − for what is to go.
        color: ``#rrggbb``; distinct for colour-blind readers (Okabe and Ito).
        dash: The style of its line.
        line: Where the line of a text is: ``underline`` or ``line-through``.
    """

    sign: str
    color: str
    dash: str
    line: str = "underline"


STYLES = {
    str(ErrorKind.MISSING): ErrorStyle("+", "#C24A00", "wavy"),
    str(ErrorKind.SUPERFLUOUS): ErrorStyle("−", "#0067A6", "solid", "line-through"),
    str(BlockFault.MISSED): ErrorStyle("+", "#C24A00", "dashed"),
    str(BlockFault.SUPERFLUOUS): ErrorStyle("−", "#0067A6", "double"),
    str(BlockFault.SPLIT): ErrorStyle("÷", "#7A4FBF", "solid"),
    str(BlockFault.MERGED): ErrorStyle("∪", "#00734F", "solid"),
    str(BlockFault.OFF): ErrorStyle("≠", "#8C6D1F", "dotted"),
}
assert STYLES.keys() == {*map(str, ErrorKind), *map(str, BlockFault)}


def error_layers(errors: Sequence[PageError], pieces: PageNumberings) -> list[LayerSpec]:
    """Return a layer for each kind of error that is on the page."""
    by_kind: dict[str, list[PageError]] = {}
    for error in errors:
        if error.rows:
            by_kind.setdefault(str(error.kind), []).append(error)
    return [_layer(kind, those, pieces) for kind, those in by_kind.items()]


def _layer(kind: str, errors: Sequence[PageError], pieces: PageNumberings) -> LayerSpec:
    style = STYLES[kind]
    spec: LayerSpec = {
        "id": layer_id(kind),
        "color": style.color,
        "dash": style.dash,
        "opacity": 1.0,
        "line": style.line,
        "yields": True,
        "boxes": [],
        "ranges": [pieces.range(*each) for error in errors for each in error.ranges],
    }
    part: LayerSpec = {"label": "", "fill": 0.0, "weight": 1.0, "dash": "dotted"}
    whole: LayerSpec = {"label": f"{style.sign} {kind}", "fill": 0.04, "weight": 2.5}
    whole["dash"] = style.dash
    for error in errors:
        if not error.is_text:
            boxes = [*((part, rows) for rows in error.parts), (whole, error.rows)]
            spec["boxes"] += [
                {"pieces": [pieces.piece(row) for row in rows], **look} for look, rows in boxes
            ]
    return spec


def layer_id(kind: str) -> str:
    """Return the name of the layer of a kind of error."""
    return f"errors-{kind.replace(' ', '-')}"
