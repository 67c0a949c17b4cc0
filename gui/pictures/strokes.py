"""How a drawn page looks, as numbers that all kinds of files share; px.

A page has a legend above it: a sample of each layer and its name, in as many lines as needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.geometry import Box
from gui.pictures.page_drawing import DrawnBox, DrawnLayer, PageDrawing

LEGEND_FONT, NAME_FONT = 13, 10
_LINE, _SAMPLE, _GAP, _MARGIN = 26, 18, 22, 12
_LETTER = 0.58
"""Width of a letter in the mean, by the size of the font: viewers have fonts of their own."""

NAME_HEIGHT = 14
INK, PAPER = "#16181d", "#ffffff"


@dataclass(frozen=True)
class LegendEntry:
    """A layer in the legend: where its sample is, and where its name begins (on its base line)."""

    layer: DrawnLayer
    sample: Box
    at: tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """A line around a box: where its middle runs, its width, and its dashes in px."""

    box: Box
    width: float
    dashes: tuple[float, ...] = ()


def legend(drawing: PageDrawing) -> tuple[tuple[LegendEntry, ...], int]:
    """Return the legend of a drawing, the topmost layer first, and how high it is."""
    entries: list[LegendEntry] = []
    x, line = float(_MARGIN), 0
    for layer in reversed(drawing.layers):
        wide = _SAMPLE + 8 + _LETTER * LEGEND_FONT * len(layer.title)
        if entries and x > _MARGIN and x + wide > drawing.size[0] - _MARGIN:
            x, line = float(_MARGIN), line + 1
        top = 6.0 + line * _LINE
        sample = (x, top + 2, float(_SAMPLE), 14.0)
        entries.append(LegendEntry(layer, sample, (x + _SAMPLE + 8, top + 14)))
        x += wide + _GAP
    return tuple(entries), 12 + (line + 1) * _LINE if entries else 0


def strokes(box: DrawnBox, size: tuple[int, int]) -> Iterator[Stroke]:
    """Yield the lines of a box: around it, so that the first letters stay readable."""
    x, y, wide, high = box.box
    half = box.weight / 2
    left, top = max(half, x - half), max(half, y - half)
    right, bottom = min(size[0] - half, x + wide + half), min(size[1] - half, y + high + half)
    if right <= left or bottom <= top:
        return
    outer = (left, top, right - left, bottom - top)
    if box.dash != "double":
        yield Stroke(outer, box.weight, dashes(box.dash, box.weight))
        return
    third = box.weight / 3
    yield Stroke(_grown(outer, third), third)
    yield Stroke(_grown(outer, -third), third)


def sample(entry: LegendEntry) -> DrawnBox:
    weight = 3.0 if entry.layer.dash == "double" else 2.0
    return DrawnBox(entry.sample, entry.layer.color, entry.layer.dash, weight, 0.3)


def under(line: Box, layer: DrawnLayer) -> Stroke:
    """Return the line under a line of text; those of several layers lie below one another."""
    x, y, wide, high = line
    level = y + 0.92 * high + 2.5 * (layer.index % 5)
    width = 1.5 if layer.ground < 0.13 else 2.0
    return Stroke((x, level, wide, 0.0), width, dashes(layer.dash, width))


def dashes(dash: str, width: float) -> tuple[float, ...]:
    """Return line and gap in px; nothing for a line without gaps."""
    return {"dashed": (3 * width, 2 * width), "dotted": (width, 1.5 * width)}.get(dash, ())


def _grown(box: Box, by: float) -> Box:
    x, y, wide, high = box
    return x - by, y - by, max(0.0, wide + 2 * by), max(0.0, high + 2 * by)
