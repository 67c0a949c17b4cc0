"""The layout of a page as text sees it: the visible content of each element, and its separators."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.nodes import STYLE_PROPERTIES, NodeTable
from engine.tree import TEXT

_DISPLAY = STYLE_PROPERTIES.index("display")
_VISIBILITY = STYLE_PROPERTIES.index("visibility")
_WHITE_SPACE = STYLE_PROPERTIES.index("white-space")
_SKIPPED = STYLE_PROPERTIES.index("content-visibility")
_POSITION = STYLE_PROPERTIES.index("position")
_FLOAT = STYLE_PROPERTIES.index("float")
_OPACITY = STYLE_PROPERTIES.index("opacity")
_OVERFLOW = STYLE_PROPERTIES.index("overflow-x"), STYLE_PROPERTIES.index("overflow-y")

_ATOMIC = frozenset(["inline-block", "inline-flex", "inline-grid", "inline-table"])
_IN_LINE = frozenset(["", "inline", "contents", "ruby", "ruby-text"]) | _ATOMIC
_NO_TEXT = frozenset(
    "audio video canvas textarea script style title img br wbr input embed meter progress area "
    "col".split()
)
"""Elements whose content is not drawn; scripts may put some in any."""
_PARTS_ONLY = frozenset("select optgroup svg g".split())
"""Elements that draw elements in them and no text of their own."""
_SVG_SHAPES = frozenset(
    "defs symbol clippath mask marker pattern title desc metadata stop lineargradient "
    "radialgradient filter style script".split()
)
"""Elements of pictures whose text is not drawn where they stand."""

_SHADOW = "<template shadowrootmode="
_PIXEL = 1.5
"""Boxes that cut their content down to so many px across or down show nothing of it."""
_INITIAL = 3
"""So many characters, a letter and quotation marks around it, a drop cap has at most."""
_APART = 0.2
"""Boxes in a line that lie so many times the height of their text from each other are apart."""

FRAMES = frozenset(["iframe", "frame", "object", "embed", "frameset"])


class Look(NamedTuple):
    """Meaning of a computed style for the text."""

    is_out: bool  # no box, nor its descendants
    is_visible: bool
    is_block: bool
    is_atomic: bool  # an inline-level box that contains lines
    is_contents: bool
    parts_children: bool
    keeps_lines: bool
    skips_children: bool
    is_known: bool
    is_placed: bool  # absolute or fixed: in no line
    is_float: bool
    cuts: bool  # what overflows it is not drawn


def _look_of(style: tuple[str, ...], is_known: bool) -> Look:
    """Return what a style means; in a page with styles an empty one means not drawn."""
    display, space = style[_DISPLAY], style[_WHITE_SPACE]
    return Look(
        is_out=display == "none" or (display == "" and is_known),
        is_visible=style[_VISIBILITY] in ("visible", ""),
        is_block=display not in _IN_LINE and not display.endswith("math"),
        is_atomic=display in _ATOMIC,
        is_contents=display == "contents",
        parts_children=display.endswith(("flex", "grid")),
        keeps_lines=space.startswith(("pre", "break-spaces")),
        skips_children=style[_SKIPPED] == "hidden" and display not in ("inline", "contents"),
        is_known=display != "",
        is_placed=style[_POSITION] in ("absolute", "fixed"),
        is_float=style[_FLOAT] not in ("none", ""),
        cuts=display != "inline" and {style[k] for k in _OVERFLOW} <= {"hidden", "clip"},
    )


class Layout:
    """Visible content of a page, row by row.

    Args:
        nodes: The rendered page.
        dom: Its serialised DOM, which marks where shadow trees begin and end; "" if it has none.

    Attributes:
        tag: Name of each row.
        look: Meaning of the style of each row.
        frame: As in `NodeTable`.
    """

    def __init__(self, nodes: NodeTable, dom: str) -> None:
        self.nodes, self.dom = nodes, dom
        self.tag: list[str] = [nodes.names[k] for k in nodes.tag.tolist()]
        is_known = bool(nodes.styles) and nodes.styles[int(nodes.style[0])][_DISPLAY] != ""
        looks = [_look_of(style, is_known) for style in nodes.styles]
        self.look = [looks[k] for k in nodes.style.tolist()]
        self.frame: list[int] = nodes.frame.tolist()
        shows = np.array([look.is_visible and not look.is_out for look in looks], dtype=bool)
        counts = np.concatenate(([0], np.cumsum(shows[nodes.style])))
        self._has_visible: list[bool] = (counts[nodes.end] > counts[:-1]).tolist()
        self._children: list[list[int]] = [[] for _ in range(len(nodes))]
        self._parent: list[int] = nodes.parent.tolist()
        for row, parent in enumerate(self._parent):
            if parent >= 0:
                self._children[parent].append(row)
        self._end: list[int] = nodes.end.tolist()
        self._outer: list[list[int]] = nodes.outer.tolist()
        self._rect: list[list[float]] = nodes.rect.tolist()
        self._slotted: dict[int, list[int]] = {}  # slot -> nodes assigned to it
        cuts = np.array([look.cuts and not look.is_out for look in looks], dtype=bool)
        for row in np.flatnonzero(cuts[nodes.style] & ~nodes.is_text).tolist():
            if self._is_cut_away(row):
                self.look[row] = self.look[row]._replace(is_out=True)

    def children(self, row: int) -> list[int]:
        """Return the children of a row in the document, in order."""
        return self._children[row]

    def markup(self, row: int) -> str:
        """Return a row's part of the serialised DOM; "" in frames."""
        start, end = self._outer[row]
        return self.dom[start:end] if start >= 0 else ""

    def holds_frame(self, row: int) -> bool:
        """Return whether an element shows another document."""
        return any(self.frame[k] != self.frame[row] for k in self._children[row])

    def is_apart(self, one: int, two: int) -> bool:
        """Return whether two boxes, one after the other, have room between them."""
        x, y, width, height = self._rect[one]
        left, top, other_width, other_height = self._rect[two]
        if not (width and height and other_width and other_height):
            return False
        if top >= y + height or y >= top + other_height:
            return True
        gap = max(left - (x + width), x - (left + other_width))
        return gap > _APART * min(height, other_height)

    def is_beside(self, one: int, two: int) -> bool:
        """Return whether two boxes are on one line, less apart than they are high."""
        x, y, width, height = self._rect[one]
        left, top, other_width, other_height = self._rect[two]
        gap = max(left - (x + width), x - (left + other_width))
        is_level = y < top + other_height and top < y + height
        return is_level and gap < min(height, other_height)

    def holds_blocks(self, row: int) -> bool:
        """Return whether all that is shown in an element is blocks, which part it anyway."""
        kids = self._children[row]
        if any(self.tag[kid] == TEXT and not self.nodes.text[kid].isspace() for kid in kids):
            return False
        looks = [self.look[kid] for kid in kids if self.tag[kid] != TEXT]
        shown = [look.is_block for look in looks if not look.is_out]
        return bool(shown) and all(shown)

    def _is_cut_away(self, row: int) -> bool:
        """Return whether an element shows no pixel of its text, as what only screen readers get.

        It is a pixel wide or high; or a placed box over what is visible that is not (``clip``).
        """
        nodes, parent = self.nodes, self._parent[row]
        inside = slice(row, self._end[row])
        if parent < 0 or (nodes.visible[inside] & nodes.has_words[inside]).any():
            return False
        x, y, width, height = self._rect[row]
        if 0 < width <= _PIXEL or 0 < height <= _PIXEL:
            return True
        style = nodes.styles[int(nodes.style[row])]
        is_shown = not nodes.visible[row] and nodes.visible[parent] and style[_OPACITY] != "0"
        if not (is_shown and self.look[row].is_placed and self.look[row].is_visible):
            return False
        left, top, wide, high = self._rect[parent]
        return x < left + wide and left < x + width and y < top + high and top < y + height

    def is_initial(self, row: int, following: int) -> bool:
        """Return whether a float is the first letter of the word that continues behind it."""
        if not self.look[row].is_float:
            return False
        letter = self.nodes.text_below(row)
        rest = self.nodes.text_below(following)[:1]
        is_letter = 0 < len(letter) <= _INITIAL and sum(map(str.isalnum, letter)) == 1
        return is_letter and letter[-1].isalpha() and rest.isalpha()

    def shown(self, row: int) -> list[int]:
        """Return the visible children of an element, in order, with shadow trees and slots.

        Includes elements without a box, which the caller has to check.
        """
        tag, look = self.tag[row], self.look[row]
        if tag in _NO_TEXT or (tag == "svg" and TEXT not in self.tag[row + 1 : self._end[row]]):
            return []
        if look.skips_children and not self._can_be_opened(row):
            return []
        kids = self._slotted.get(row)
        if kids is None:
            kids = self._children[row]
            if self.dom.startswith(_SHADOW, int(self.nodes.inner[row, 0])) and kids:
                kids = self._with_shadow(row, kids)
        if tag in FRAMES and tag != "frameset":
            framed = [k for k in kids if self.frame[k] != self.frame[row]]
            inside = self._rect[row + 1 : self._end[row]]
            has_fallback = tag == "object" and not framed and any(width for *_, width, _ in inside)
            kids = kids if has_fallback else framed
        elif self.frame[row] and tag == "html":
            kids = [k for k in kids if self.tag[k] != "head"]
        makes_no_blanks = look.keeps_lines and look.parts_children
        return [kid for kid in kids if self._is_shown(kid, has_blanks=not makes_no_blanks)]

    def _is_shown(self, row: int, *, has_blanks: bool) -> bool:
        if self.tag[row] == TEXT:
            is_drawn = self.look[row].is_visible and self.tag[self._parent[row]] not in _PARTS_ONLY
            return is_drawn and (has_blanks or not self.nodes.text[row].isspace())
        if not (self._has_visible[row] or self.look[row].is_out):
            return False
        return not (self.tag[row] in _SVG_SHAPES and self._is_in_picture(row))

    def _is_in_picture(self, row: int) -> bool:
        at: int = self._parent[row]
        while at >= 0 and self.tag[at] not in ("svg", "foreignobject", "body"):
            at = self._parent[at]
        return at >= 0 and self.tag[at] == "svg"

    def _can_be_opened(self, row: int) -> bool:
        """Return whether the browser shows skipped content when a reader searches for it."""
        return self.nodes.attributes[row].get("hidden", "").strip().lower() == "until-found"

    def _light(self, row: int) -> int:
        """Return how many of the children of an element with a shadow tree are in that.

        The serialiser writes it first, in a template.  A template that the page wrote is a row.
        """
        kids = self._children[row]
        start = int(self.nodes.inner[row, 0])
        if not kids or self._outer[kids[0]][0] == start:
            return 0
        edges = [start, *(place for kid in kids for place in self._outer[kid]), self._outer[row][1]]
        for count in range(len(kids) + 1):
            if "</template>" in self.dom[edges[2 * count] : edges[2 * count + 1]]:
                return count
        return len(kids)

    def _with_shadow(self, row: int, kids: list[int]) -> list[int]:
        """Return the rows of an element's shadow tree, and put the others into its slots."""
        count = self._light(row)
        if not count:
            return kids
        shadow, light = kids[:count], kids[count:]
        slots: dict[str, int] = {}
        for slot in self._slots(shadow[0], light[0] if light else self._end[row]):
            slots.setdefault(self.nodes.attributes[slot].get("name", ""), slot)
        assigned: dict[int, list[int]] = {}
        left = []
        for kid in light:
            is_text = self.tag[kid] == TEXT
            name = "" if is_text else self.nodes.attributes[kid].get("slot", "")
            if name in slots:
                assigned.setdefault(slots[name], []).append(kid)
            elif any(width for *_, width, _ in self._rect[kid : self._end[kid]]):
                left.append(kid)  # a script has assigned it
        for slot, those in assigned.items():
            self._slotted[slot] = those
            at = slot
            while at != row:
                self._has_visible[at] = True
                at = self._parent[at]
        return [*shadow, *left]

    def _slots(self, first: int, end: int) -> Iterator[int]:
        """Yield the slots of a shadow tree, not those of the trees in it."""
        row = first
        while row < end:
            if self.tag[row] == "slot":
                yield row
            if self.dom.startswith(_SHADOW, int(self.nodes.inner[row, 0])):
                count = self._light(row)
                kids = self._children[row]
                row = kids[count] if count < len(kids) else self._end[row] if count else row + 1
            else:
                row += 1
