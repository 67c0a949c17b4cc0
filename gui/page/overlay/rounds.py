"""Rounds of a method, stage by stage → what resources/js/overlay.js draws."""

from collections.abc import Iterable
from typing import Any

from algorithms.results import Part, Separator
from gui.page.overlay.pieces import Pieces
from gui.state.rounds import SEPARATOR_COLOR, RoundStep, Stage, separator_fill

RoundBox = dict[str, Any]
"""One box for the script."""

THINNEST_PX = 3.0
"""A separator of no width is drawn so wide."""

DIVIDED: RoundBox = {"weight": 3.0, "dash": "double", "fill": 0.0}
FOUND: RoundBox = {"weight": 1.5, "dash": "dotted", "fill": 0.06}
MERGED: RoundBox = {"weight": 2.5, "dash": "solid", "fill": 0.03}
"""How the parts of a round are drawn."""

ON_PAGE = -1
"""Stands for the page where a piece has the number of a frame: its place counts from the page."""


def step_boxes(step: RoundStep, pieces: Pieces) -> Iterable[RoundBox]:
    """Yield the boxes of one step, those that lie above others last."""
    shown, stage = step.shown, step.stage
    if stage is Stage.BLOCKS:
        for part in shown.divided:
            yield _part(part, pieces, {"label": "", **DIVIDED})
    if stage is Stage.MERGED:
        for part in shown.merged:
            yield _part(part, pieces, MERGED)
    for part in shown.found:
        yield _part(part, pieces, FOUND if stage is Stage.BLOCKS else {"label": "", **FOUND})
    if stage is Stage.SEPARATORS:
        for separator in sorted(shown.separators, key=lambda each: each.weight):
            yield {
                "pieces": [[ON_PAGE, *_thick(separator)]],
                "label": str(separator.weight),
                "color": SEPARATOR_COLOR,
                "fill": separator_fill(separator.weight),
                "weight": 0,
                "dash": "solid",
            }


def _part(part: Part, pieces: Pieces, style: RoundBox) -> RoundBox:
    return {"pieces": [pieces.piece(row) for row in part.rows], "label": part.label, **style}


def _thick(separator: Separator) -> list[float]:
    left, top, width, height = separator.rect
    wide, high = max(width, THINNEST_PX), max(height, THINNEST_PX)
    return [left - (wide - width) / 2, top - (high - height) / 2, wide, high]
