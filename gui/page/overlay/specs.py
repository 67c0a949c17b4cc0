"""Gold, results and heat → what resources/js/overlay.js draws."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from algorithms.results import Extraction, Result, Segmentation, Separator
from annotate.marks.gold import MAIN, Gold, Mark, MarkState
from engine.nodes import NodeTable
from engine.page import Page
from gui.page.overlay.pieces import PageNumberings, PieceIndex
from gui.state.describe import describe
from gui.state.layers import GOLD_LAYERS, LayerState
from gui.state.round_steps import SEPARATOR_COLOR, RoundStep, Stage, separator_fill, step_at
from gui.state.selection import Highlight

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


def step_boxes(step: RoundStep, pieces: PageNumberings) -> Iterable[RoundBox]:
    """Yield the boxes of one step, those that lie above others last."""
    shown, stage = step.shown, step.stage
    if stage is Stage.BLOCKS:
        for part in shown.divided:
            yield pieces.box(part.rows, **DIVIDED)
    if stage is Stage.MERGED:
        for part in shown.merged:
            yield pieces.box(part.rows, part.label, **MERGED)
    for part in shown.found:
        yield pieces.box(part.rows, part.label if stage is Stage.BLOCKS else "", **FOUND)
    if stage is Stage.SEPARATORS:
        style = {"color": SEPARATOR_COLOR, "weight": 0, "dash": "solid"}
        for separator in sorted(shown.separators, key=lambda each: each.weight):
            weight = separator.weight
            fill = separator_fill(weight)
            box = {"pieces": [[ON_PAGE, *_thick(separator)]], "label": str(weight), "fill": fill}
            yield {**box, **style}


def _thick(separator: Separator) -> list[float]:
    left, top, width, height = separator.rect
    wide, high = max(width, THINNEST_PX), max(height, THINNEST_PX)
    return [left - (wide - width) / 2, top - (high - height) / 2, wide, high]


LayerSpec = dict[str, Any]
"""One layer for the script: ``id, color, dash, opacity, boxes, ranges``.

Names of one that ``yields`` lie on no text of the page; where there is no room they are dots.
"""

_FILL = {MAIN: 0.12, 1: 0.05, 2: 0.05}
_WEIGHT = {MAIN: 1.0, 1: 2.5, 2: 1.5}
_DASH = {MarkState.DRAFT: "dashed", MarkState.MOVED: "dotted"}

DRAFTS = "-drafts"
"""What is put behind a gold layer's key where its drafts are drawn."""


def gold_specs(
    state: LayerState,
    gold: Gold,
    selected: Sequence[str],
    pieces: PageNumberings,
    is_solo: bool = False,
    *,
    draws_weak: bool = True,
) -> list[LayerSpec]:
    """Return the drawing of a gold layer, drafts below gold.

    Drafts are hatched, with dashed lines: proposals must not look like decisions.  Weak ones that
    are not selected are left out unless ``draws_weak``.
    """
    marks = gold.of_level(GOLD_LAYERS[state.key])
    sure = _gold_spec(state, [m for m in marks if not m.is_draft], selected, pieces, is_solo)
    proposed = [m for m in marks if m.is_draft and (draws_weak or is_shown(m, selected))]
    if not proposed:
        return [sure]
    drafts = _gold_spec(state, proposed, selected, pieces, is_solo)
    return [{**drafts, "id": f"{state.key}{DRAFTS}", "dash": "dashed"}, sure]


def is_shown(mark: Mark, selected: Collection[str]) -> bool:
    """Return whether a mark is drawn where weak drafts are not: only selected ones are then."""
    return not mark.is_weak or mark.id in selected


def _gold_spec(
    state: LayerState,
    marks: Sequence[Mark],
    selected: Sequence[str],
    pieces: PageNumberings,
    is_solo: bool,
) -> LayerSpec:
    level = GOLD_LAYERS[state.key]
    boxes: list[LayerSpec] = []
    ranges: list[list[PieceIndex]] = []
    for mark in marks:
        if whole := [t.row for t in mark.targets if t.is_whole]:
            is_chosen, dash = mark.id in selected, _DASH.get(mark.state, state.dash)
            label = _mark_label(mark, is_selected=is_chosen)
            look = {"fill": _FILL[level] * (1.6 if is_solo else 1), "weight": _WEIGHT[level]}
            signs = {"dash": dash, "selected": is_chosen, "hatched": mark.is_draft}
            boxes.append(pieces.box(whole, label, **look, **signs))
        parts = (target for target in mark.targets if not target.is_whole)
        ranges += [pieces.range(each.row, each.start, each.end) for each in parts]
    return _spec(state, boxes, ranges)


def result_spec(
    state: LayerState, result: Result, page: Page, pieces: PageNumberings, *, is_named: bool = True
) -> LayerSpec:
    """Return the drawing of a method's result, or of the current step towards it.

    ``is_named`` writes the method on its blocks.
    """
    if isinstance(result, Extraction):
        ranges = page.alignment(result.source).ranges(result.spans).tolist()
        return _spec(state, [], [pieces.range(*position) for position in ranges])
    step = step_at(result.rounds, state.step)
    if step is not None:
        return {**_spec(state, list(step_boxes(step, pieces)), []), "yields": False}
    name = state.name if is_named else ""
    return _spec(state, list(_block_boxes(state, result, pieces, name)), [])


def _block_boxes(
    state: LayerState, result: Segmentation, pieces: PageNumberings, name: str
) -> Iterable[LayerSpec]:
    for block in result.blocks:
        if state.level in (0, block.level):
            label = f"{name} {block.type}".strip() if block.level == 1 and name else ""
            dash = state.dash if block.level == 1 else "dotted"
            look = {"fill": _FILL[block.level] * 0.6, "weight": _WEIGHT[block.level]}
            yield pieces.box(block.rows, label, **look, dash=dash)


def candidate_spec(
    rows: Sequence[int], nodes: NodeTable, pieces: PageNumberings, color: str, verb: str
) -> LayerSpec:
    """Return the drawing of the candidate of a click: its box and its description."""
    label = f"{verb} {describe(nodes, rows[0])}".strip()
    box = pieces.box(rows, label, fill=0.10, weight=2.0)
    return {"id": "candidate", "color": color, "dash": "solid", "opacity": 1.0, "boxes": [box]}


def drop_labels(spec: LayerSpec) -> LayerSpec:
    """Return a drawing without the names on its boxes."""
    return {**spec, "boxes": [{**box, "label": ""} for box in spec["boxes"]]}


def highlight_spec(highlight: Highlight, pieces: PageNumberings) -> LayerSpec:
    """Return the drawing of what a panel points at."""
    fill, weight = (0.06, 3.0) if highlight.is_outlined else (0.25, 2.0)
    boxes = [pieces.box([row], fill=fill, weight=weight) for row in highlight.rows]
    ranges = [pieces.range(*position) for position in highlight.texts]
    style = {"id": "light", "color": "#D81B60", "dash": "solid", "opacity": 1.0}
    return {**style, "boxes": boxes, "ranges": ranges, "outlined": highlight.is_outlined}


def _mark_label(mark: Mark, *, is_selected: bool) -> str:
    """Main content needs no name, it is filled; what needs a decision, or is held, is named."""
    label = "Main content" if mark.level == MAIN else f"{mark.level} {mark.shown_type}".strip()
    if mark.state is MarkState.MOVED:
        return f"{label} · moved?"
    if mark.is_unsure:
        return f"{label} · unsure"
    if mark.state is MarkState.DRAFT:
        sure = mark.seed.confidence if mark.seed is not None else None
        label += " · draft" + ("" if sure is None else f" {sure:.0%}")
    return label if mark.level != MAIN or is_selected else ""


def _spec(state: LayerState, boxes: list[LayerSpec], ranges: list[list[PieceIndex]]) -> LayerSpec:
    looks = {"color": state.color, "dash": state.dash, "opacity": state.opacity}
    return {"id": state.key, **looks, "boxes": boxes, "ranges": ranges, "yields": True}


HEAT = "#B3261E"


def heat_spec(heat: Mapping[int, float], pieces: PageNumberings) -> LayerSpec:
    """Return how much is disagreed on, or how often it recurs: the more, the fuller."""
    fills = {row: 0.08 + 0.34 * share for row, share in heat.items()}
    boxes = [pieces.box([row], fill=x, weight=0.0, dash="dotted") for row, x in fills.items()]
    whole = {"id": "heat", "color": HEAT, "dash": "solid", "opacity": 1.0}
    return {**whole, "boxes": boxes, "ranges": []}
