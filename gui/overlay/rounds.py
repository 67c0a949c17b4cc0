"""Rounds of a method, stage by stage → what resources/js/overlay.js draws."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from algorithms.results import Part, Round, Separator
from gui.overlay.pieces import Pieces

Box = dict[str, Any]
"""One box for the script."""

SEPARATOR_COLOR = "#C2185B"
"""No layer of the usual ones has it, and it stands out from light pages and dark ones."""

THINNEST_PX = 3.0
"""A separator of no width is drawn so wide."""

DIVIDED: Box = {"weight": 3.0, "dash": "double", "fill": 0.0}
FOUND: Box = {"weight": 1.5, "dash": "dotted", "fill": 0.06}
MERGED: Box = {"weight": 2.5, "dash": "solid", "fill": 0.03}
"""How the parts of a round are drawn."""

ON_PAGE = -1
"""Stands for the page where a piece has the number of a frame: its place counts from the page."""


class Stage(StrEnum):
    """What of a round is looked at: one stage of the method after the other."""

    BLOCKS = "blocks"
    SEPARATORS = "separators"
    MERGED = "merged"


@dataclass(frozen=True)
class Step:
    """One thing to look at on the way to a result.

    Attributes:
        number: Of the round, from 1.
        shown: The round.
        stage: What of it.
    """

    number: int
    shown: Round
    stage: Stage


def steps_of(rounds: Sequence[Round]) -> tuple[Step, ...]:
    """Return what there is to look at, first things first; no stage in which nothing was done."""
    found = []
    for number, shown in enumerate(rounds, start=1):
        found.append(Step(number, shown, Stage.BLOCKS))
        if shown.separators:
            found.append(Step(number, shown, Stage.SEPARATORS))
        if shown.merged:
            found.append(Step(number, shown, Stage.MERGED))
    return tuple(found)


def step_at(rounds: Sequence[Round], place: int) -> Step | None:
    """Return a step, from 1, the last where there are fewer; None for 0, which is the result."""
    steps = steps_of(rounds)
    return steps[min(place, len(steps)) - 1] if place and steps else None


def step_boxes(step: Step, pieces: Pieces) -> Iterable[Box]:
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


def separator_fill(weight: int) -> float:
    """Return how dark a separator is, 0 to 1: weights are 1 to 10."""
    return 0.16 + 0.06 * min(max(weight, 1), 10)


def _part(part: Part, pieces: Pieces, look: Box) -> Box:
    return {"pieces": [pieces.piece(row) for row in part.rows], "label": part.label, **look}


def _thick(separator: Separator) -> list[float]:
    left, top, width, height = separator.rect
    wide, high = max(width, THINNEST_PX), max(height, THINNEST_PX)
    return [left - (wide - width) / 2, top - (high - height) / 2, wide, high]
