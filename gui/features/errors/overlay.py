"""Errors on the page, with a frame around the current one."""

from collections.abc import Sequence

from algorithms.explain.page_errors import PageError
from gui.core.findings import frame_box
from gui.page.overlay.error_layers import error_layers
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec

_CHOSEN = "#111318"
"""Frame of the current error: darker than any kind's colour, on a light edge."""


def error_specs(
    errors: Sequence[PageError], index: int, status: str, pieces: PageNumberings
) -> list[LayerSpec]:
    """Return a layer for each kind of error, and on top the frame of the one at ``index``."""
    specs = error_layers(errors, pieces)
    if 0 <= index < len(errors) and errors[index].rows:
        box = frame_box(errors[index].rows, status, pieces)
        chosen = {"id": "error-chosen", "color": _CHOSEN, "dash": "solid", "opacity": 1.0}
        specs.append({**chosen, "boxes": [box], "ranges": []})
    return specs
