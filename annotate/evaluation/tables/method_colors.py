"""The colour of each method, the same in window, pictures and reports."""

from zlib import crc32

from algorithms.core.catalogue import METHODS
from annotate.marks.gold import MAIN

COLORS = (
    "#1c44a0", "#672b03", "#217c45", "#d03c91", "#0c97f3", "#7931e7", "#3c3e42", "#8e801e",
)  # fmt: skip
"""Colours of methods on a light ground: 3:1 or more on white, far apart for colour-blind readers
(CIE 76 of 20 or more, after the matrices of Machado et al. 2009).  From the ninth method on they
repeat with another line.  `report.css` has them and `DARK` in the same order."""

DARK = (
    "#9cc5fb", "#d37621", "#49dd7c", "#e50c67", "#0d7daf", "#a451ed", "#989eab", "#ecd439",
)  # fmt: skip
"""The same on a dark ground, 3:1 or more on its panels."""

LINES = ("solid", "dashed", "solid", "double", "dashed", "dotted", "solid", "dashed")
"""Line of the blocks of each: a second sign beside the colour."""

GOLD_COLORS = {MAIN: "#e69f00", 1: "#b35900", 2: "#8a6a00"}
"""Colours of gold by level, in window, figures, reports and bundles; on every ground."""

_STYLES = ("solid", "dashed", "dotted", "double")

USUAL = (
    "gleaner", "bte", "dsc", "accb", "cetr", "bp-numwords", "plain", "lsi", "webterrain", "vips",
)  # fmt: skip
"""The methods a new workspace starts with, Pagelet's own first and all text (in grey) after the
extractors of others: no two have the same colour and line."""

_STOPS = {
    key: place
    for place, key in enumerate(dict.fromkeys((*USUAL, *(entry.key for entry in METHODS))))
}


def index_of(method: str) -> int:
    """Return the number that colour and line style of a method are chosen by.

    That of a method of another maker does not depend on which others there are.
    """
    return _STOPS.get(method, crc32(method.encode("utf-8", "replace")))


def color_of(method: str) -> str:
    """Return the colour of a method by its key, ``#rrggbb``."""
    return COLORS[index_of(method) % len(COLORS)]


def line_of(method: str) -> str:
    """Return the line style of a method's blocks."""
    rounds, place = divmod(index_of(method), len(COLORS))
    return _STYLES[(_STYLES.index(LINES[place]) + rounds) % len(_STYLES)]


def on_ground(color: str, *, is_dark: bool) -> str:
    """Return a method's colour for a dark ground; other colours, and on light ground, the same."""
    if is_dark and color.lower() in COLORS:
        return DARK[COLORS.index(color.lower())]
    return color
