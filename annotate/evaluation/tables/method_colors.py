"""The colour of each method, the same in window, pictures and reports."""

from zlib import crc32

from algorithms.core.catalogue import METHODS

COLORS = (
    "#0072b2", "#d55e00", "#00875f", "#b5588f", "#2b8fc4",
    "#6a4fb3", "#50555f", "#c2185b", "#00838f", "#5d7a1f",
)  # fmt: skip
"""Colours of methods: 3:1 or more on white (after Okabe and Ito); those that are close to a
colour-blind reader differ in their line, or in what is drawn with it.  None is the brown of gold;
`report.css` has a lighter set for dark ground in the same order."""

USUAL = (
    "gleaner", "bte", "dsc", "accb", "cetr", "bp-numwords", "plain", "lsi", "webterrain", "vips",
)  # fmt: skip
"""The methods a new workspace starts with, Pagelet's own first and all text (in grey) after the
extractors of others: no two have the same colour."""

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
