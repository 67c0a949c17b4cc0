"""Words of a page that nobody sees, by kind, and what methods make of them.

The truth is the rendered page: computed styles and boxes of the browser (`engine.nodes.NodeTable`).
Methods read its DOM, so that each word they pass on is located in a text node exactly.  What a
reader reaches by scrolling, also inside a box, is seen.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from algorithms.measures.text_words import normalise, words_of
from algorithms.results import Extraction
from annotate.evaluation.run.plan import Chosen
from engine.errors import PageletError
from engine.nodes import STYLE_PROPERTIES, NodeTable
from engine.page import Page
from engine.tree import Bools

KINDS = (
    "closed details", "hidden attribute", "display", "visibility", "opacity", "size", "colour",
    "clipped", "off the screen", "covered", "not drawn",
)  # fmt: skip
"""Kinds of words that nobody sees, the first that fits."""

_NO_TEXT = (
    "script", "style", "noscript", "template", "head", "title", "textarea", "option", "svg",
    "iframe", "noframes", "math",
)  # fmt: skip
_OPAQUE, _FAINT = 0.95, 0.05
_SMALLEST_PX = 2.0
_PIXEL = 1.5
_CONTRAST = 1.05
"""Ratio of luminances (WCAG 2.2) up to which nobody tells a letter from what is behind it."""
_NUMBER = re.compile(r"[\d.]+")
_WHITE = (255.0, 255.0, 255.0, 1.0)


def hidden_kinds(nodes: NodeTable) -> list[str]:
    """Return the kind of each row: one of `KINDS`, "" for visible rows and rows without text."""
    kinds = [""] * len(nodes)
    is_text = nodes.is_text & nodes.has_words & ~nodes.within(*_NO_TEXT)
    covers = _covers(nodes)
    for row in np.flatnonzero(is_text).tolist():
        kinds[row] = _kind(nodes, row, covers)
    return kinds


def _kind(nodes: NodeTable, row: int, covers: Sequence[int]) -> str:
    parents = _ancestors(nodes, row)
    style = _Style(nodes)
    displays = [style.of(each, "display") for each in parents]
    if not nodes.visible[row] and _is_in_closed_details(nodes, row, parents):
        return "closed details"
    if "none" in displays:
        at = parents[displays.index("none")]
        return "hidden attribute" if "hidden" in nodes.attributes[at] else "display"
    own = parents[0]
    if style.of(own, "visibility") in ("hidden", "collapse"):
        return "visibility"
    if np.prod([style.number(each, "opacity") for each in parents]) < _FAINT:
        return "opacity"
    if style.number(own, "font-size") < _SMALLEST_PX:
        return "size"
    if _is_like_background(style, parents):
        return "colour"
    x, y, width, height = nodes.rect[row].tolist()
    has_box = width > 0 and height > 0
    if has_box and _is_clipped(nodes, style, row, parents):
        return "clipped"
    if has_box and (x + width <= 0 or y + height <= 0 or x >= nodes.width or y >= nodes.height):
        return "off the screen"
    if has_box and any(_lies_on(nodes, each, row) for each in covers):
        return "covered"
    return "" if nodes.visible[row] else "clipped" if has_box else "not drawn"


@dataclass(frozen=True)
class _Style:
    """Computed values of rows by name."""

    nodes: NodeTable

    def of(self, row: int, name: str) -> str:
        return self.nodes.styles[int(self.nodes.style[row])][STYLE_PROPERTIES.index(name)]

    def number(self, row: int, name: str) -> float:
        found = _NUMBER.search(self.of(row, name))
        return float(found[0]) if found else 1.0 if name == "opacity" else 16.0

    def colour(self, row: int, name: str) -> tuple[float, float, float, float]:
        """Return red, green, blue in 0 to 255, and alpha in 0 to 1."""
        text = self.of(row, name)
        parts = [float(each) for each in _NUMBER.findall(text)]
        if not text.startswith("rgb") or len(parts) < 3:
            return (0.0, 0.0, 0.0, 0.0 if "background" in name else 1.0)
        return (parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else 1.0)


def _ancestors(nodes: NodeTable, row: int) -> list[int]:
    """Return the elements around a row, the nearest first."""
    result = []
    while (row := int(nodes.parent[row])) >= 0:
        result.append(row)
    return result


def _is_in_closed_details(nodes: NodeTable, row: int, parents: Sequence[int]) -> bool:
    for k, each in enumerate(parents):
        if nodes.name_of(each) == "details" and "open" not in nodes.attributes[each]:
            inner = parents[k - 1] if k else row
            if nodes.name_of(inner) != "summary":
                return True
    return False


def _is_like_background(style: _Style, parents: Sequence[int]) -> bool:
    """Return whether a text has the colour of its background; never over a picture."""
    *colour, alpha = style.colour(parents[0], "color")
    if alpha < _FAINT:  # as of text that a gradient is clipped to
        return all(style.of(each, "background-image") == "none" for each in parents[:3])
    behind = _WHITE
    for each in parents:
        if style.of(each, "background-image") not in ("none", ""):
            return False
        found = style.colour(each, "background-color")
        if found[3] > _FAINT:
            behind = found
            break
    if behind[3] < _OPAQUE or alpha < _OPAQUE:
        return False
    light, dark = sorted((_luminance(colour), _luminance(behind[:3])), reverse=True)
    return (light + 0.05) / (dark + 0.05) < _CONTRAST


def _luminance(colour: Sequence[float]) -> float:
    """Return the relative luminance of WCAG 2.2."""
    parts = [each / 255 for each in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _is_clipped(nodes: NodeTable, style: _Style, row: int, parents: Sequence[int]) -> bool:
    """Return whether boxes that cut what overflows them leave nothing of a text."""
    left, top, width, height = nodes.rect[row].tolist()
    right, bottom = left + width, top + height
    is_absolute = False
    for each in parents:
        position = style.of(each, "position")
        cuts = {style.of(each, name) for name in ("overflow-x", "overflow-y")} <= {"hidden", "clip"}
        is_box = style.of(each, "display") not in ("inline", "contents")
        is_around = not (is_absolute and position == "static")
        if cuts and is_box and is_around and nodes.name_of(each) not in ("html", "body"):
            x, y, wide, high = nodes.rect[each].tolist()
            left, right = max(left, x), min(right, x + wide)
            top, bottom = max(top, y), min(bottom, y + high)
        if position == "fixed":
            break
        if position != "static":
            is_absolute = position == "absolute"
    return bool(right - left <= min(_PIXEL, width / 2) or bottom - top <= min(_PIXEL, height / 2))


def _covers(nodes: NodeTable) -> list[int]:
    """Return the opaque placed boxes; not fixed ones, from below which a reader can scroll."""
    style = _Style(nodes)
    placed = nodes.is_computed("position", lambda each: each == "absolute")
    rows = np.flatnonzero(placed & nodes.visible & ~nodes.is_text).tolist()
    return [
        row
        for row in rows
        if style.colour(row, "background-color")[3] >= _OPAQUE
        and np.prod([style.number(each, "opacity") for each in (row, *_ancestors(nodes, row))])
        >= _OPAQUE
        and not style.of(row, "z-index").startswith("-")
    ]


def _lies_on(nodes: NodeTable, cover: int, row: int) -> bool:
    """Return whether a later box contains a text's box and is not around the text."""
    if cover < row:
        return False
    x, y, width, height = nodes.rect[row].tolist()
    left, top, wide, high = nodes.rect[cover].tolist()
    is_inside = left <= x and top <= y and x + width <= left + wide and y + height <= top + high
    around = [row, *_ancestors(nodes, row)]
    style = _Style(nodes)
    return is_inside and not any(
        style.number(each, "z-index") > 0 and style.of(each, "position") != "static"
        and style.of(each, "z-index") != "auto"
        for each in around[1:]
    )  # fmt: skip


@dataclass
class HiddenWords:
    """Counts of a method over all pages.

    Attributes:
        method: Its name.
        pages: Number of pages.
        passed: Number of its words that are located in a page.
        hidden: Words that nobody sees, by kind.
        seen, dropped: Number of seen words of the pages, and of those it drops.
        examples: Kind → the first page and words.
        failures: A sentence for each page that it fails on.
    """

    method: str
    pages: int = 0
    passed: int = 0
    hidden: Counter[str] = field(default_factory=Counter)
    seen: int = 0
    dropped: int = 0
    examples: dict[str, tuple[str, str]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def count_hidden(
    sides: Sequence[Chosen], pages: Iterator[tuple[str, Page]]
) -> tuple[list[HiddenWords], Counter[str]]:
    """Return what each method passes on, and of all pages the words by kind.

    The latter has also "seen", and "rendered": seen words that the source does not have.
    """
    result = [HiddenWords(side.entry.key) for side in sides]
    total: Counter[str] = Counter()
    for name, page in pages:
        nodes = page.rendered()
        kinds = hidden_kinds(nodes)
        is_text = nodes.is_text & ~nodes.within(*_NO_TEXT)
        words = {row: _words(nodes.text[row]) for row in np.flatnonzero(is_text).tolist()}
        seen = Counter(word for row, own in words.items() if not kinds[row] for word in own)
        for row, own in words.items():
            total[kinds[row] or "seen"] += len(own)
        if page.original is not None:
            total["rendered"] += (seen - Counter(_words(page.original.text))).total()
        for side, each in zip(sides, result, strict=True):
            _count(side, each, name, page, kinds, seen.total(), is_text)
    return result, total


def _count(
    side: Chosen, found: HiddenWords, name: str, page: Page, kinds: Sequence[str], seen: int,
    is_text: Bools,
) -> None:  # fmt: skip
    """Add what a method passes on of a page."""
    try:
        made = side.entry.run(page, side.params, "dom")
    except PageletError as error:
        found.failures.append(f"{name}: {error}")
        return
    assert isinstance(made, Extraction)
    found.pages += 1
    kept = 0
    for row, start, end in page.alignment(made.source).ranges(made.spans).tolist():
        if not is_text[row]:
            continue
        words = _words(page.rendered().text[row][start:end])
        found.passed += len(words)
        if kinds[row]:
            found.hidden[kinds[row]] += len(words)
            if words:
                found.examples.setdefault(kinds[row], (name, " ".join(words[:8])))
        else:
            kept += len(words)
    found.seen += seen
    found.dropped += max(0, seen - kept)


def _words(text: str) -> list[str]:
    return words_of(normalise(text))
