"""Errors → layers of resources/js/overlay.js; kinds differ in line as well as in colour."""

from collections.abc import Sequence

from algorithms.explain.page_errors import PageError
from gui.core.findings import frame_box
from gui.features.errors.style import STYLES
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec

_CHOSEN = "#111318"
"""Frame of the current error: darker than any kind's colour, on a light edge."""


def error_specs(
    errors: Sequence[PageError], index: int, status: str, pieces: PageNumberings
) -> list[LayerSpec]:
    """Return a layer for each kind of error, and on top the frame of the one at ``index``."""
    by_kind: dict[str, list[PageError]] = {}
    for error in errors:
        if error.rows:
            by_kind.setdefault(str(error.kind), []).append(error)
    specs = []
    for kind, those in by_kind.items():
        style = STYLES[kind]
        spec: LayerSpec = {
            "id": f"errors-{kind.replace(' ', '-')}",
            "color": style.color,
            "dash": style.dash,
            "opacity": 1.0,
            "line": style.line,
            "yields": True,
            "boxes": [],
            "ranges": [pieces.range(*each) for error in those for each in error.ranges],
        }
        part: LayerSpec = {"label": "", "fill": 0.0, "weight": 1.0, "dash": "dotted"}
        whole: LayerSpec = {"label": f"{style.sign} {kind}", "fill": 0.04, "weight": 2.5}
        whole["dash"] = style.dash
        for error in those:
            if not error.is_text:
                boxes = [*((part, rows) for rows in error.parts), (whole, error.rows)]
                spec["boxes"] += [
                    {"pieces": [pieces.piece(row) for row in rows], **look} for look, rows in boxes
                ]
        specs.append(spec)
    if 0 <= index < len(errors) and errors[index].rows:
        box = frame_box(errors[index].rows, status, pieces)
        chosen = {"id": "error-chosen", "color": _CHOSEN, "dash": "solid", "opacity": 1.0}
        specs.append({**chosen, "boxes": [box], "ranges": []})
    return specs
