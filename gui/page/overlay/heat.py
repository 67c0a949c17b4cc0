"""Heat: a share of each row → what resources/js/overlay.js draws."""

from collections.abc import Mapping

from gui.page.overlay.pieces import Pieces
from gui.page.overlay.specs import LayerSpec

HEAT = "#B3261E"


def heat_spec(heat: Mapping[int, float], pieces: Pieces) -> LayerSpec:
    """Return how much is disagreed on, or how often it recurs: the more, the fuller."""
    boxes = [
        {
            "pieces": [pieces.piece(row)],
            "label": "",
            "fill": 0.08 + 0.34 * share,
            "weight": 0.0,
            "dash": "dotted",
        }
        for row, share in heat.items()
    ]
    return {
        "id": "heat", "color": HEAT, "dash": "solid", "opacity": 1.0, "boxes": boxes, "ranges": [],
    }  # fmt: skip
