"""Properties of nodes in VIPS (section 4.1 of the report), computed for all rows at once.

Departures: a node can be *seen* if something at or below it is visible, so that a wrapper of no
height around floats is valid; its size is that of all that is seen in it.  A picture, a control or
an embedded object shows something although it has no children.
"""

from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from engine import geometry
from engine.nodes import NodeTable
from engine.tree import Bools, Ints

INLINE_TAGS = (
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span",
    "strike", "strong", "sub", "sup", "time", "tt", "u", "var",
)  # fmt: skip
"""Elements that change how text looks and can stand inside a line."""

SHOWING_TAGS = (
    "audio", "button", "canvas", "embed", "frame", "hr", "iframe", "img", "input", "meter",
    "object", "progress", "select", "svg", "textarea", "video",
)  # fmt: skip
"""Elements that show something by themselves; their descendants are part of it."""

LINE_PX, LINE_RATIO = 10, 10
"""A picture so thin, and so many times as long, is a line (Kreuzer 2013, section 6.4.2)."""


class VipsLayout:
    """The rendered page as VIPS sees it."""

    def __init__(self, nodes: NodeTable) -> None:
        self.nodes = nodes

    @cached_property
    def rects(self) -> npt.NDArray[np.float64]:
        """Box around all that is seen at or below each row, float64 (n, 4)."""
        return geometry.visual_rects(self.nodes)

    @cached_property
    def areas(self) -> npt.NDArray[np.float64]:
        """Area of `rects`, float64 (n,)."""
        return geometry.areas(self.rects)

    @cached_property
    def page_area(self) -> float:
        """Area of the whole page in px², never 0."""
        return max(float(self.nodes.width) * self.nodes.height, 1.0)

    @cached_property
    def is_valid(self) -> Bools:
        """Visible rows, bool (n,): texts with words, elements with an area."""
        nodes = self.nodes
        texts = nodes.has_words & nodes.visible
        return np.asarray(np.where(nodes.is_text, texts, self.areas > 0), dtype=bool)

    @cached_property
    def is_showing(self) -> Bools:
        """Rows that show something without the help of any child, bool (n,)."""
        return self.nodes.has_tag(*SHOWING_TAGS)

    @cached_property
    def is_line(self) -> Bools:
        """Lines that separate the content around them, bool (n,): ``hr``, thin pictures."""
        nodes = self.nodes
        width, height = nodes.rect[:, 2], nodes.rect[:, 3]
        thick, long = np.minimum(width, height), np.maximum(width, height)
        thin = (thick <= LINE_PX) & (long >= LINE_RATIO * thick)
        rule = nodes.has_tag("hr") | (nodes.has_tag("img") & thin)
        return np.asarray(rule & nodes.visible, dtype=bool)

    @cached_property
    def counts(self) -> Bools:
        """Rows that show something other than a line, at or below them, bool (n,)."""
        shows = np.where(self.nodes.is_text, self.is_valid, self.is_showing & (self.areas > 0))
        return np.asarray(self.nodes.subtree_sum(shows & ~self.is_line) > 0, dtype=bool)

    @cached_property
    def counted(self) -> Ints:
        """Number of children of each row that show something other than a line, int32 (n,)."""
        inside = self._is_child & self.counts
        below = np.bincount(self.nodes.parent[inside], minlength=len(self.nodes))
        return below.astype(np.int32)

    @cached_property
    def is_inline(self) -> Bools:
        """Inline nodes, bool (n,): by tag, unless CSS has made a block of them."""
        nodes = self.nodes
        inside = nodes.is_computed("display", lambda value: value.startswith("inline"))
        return nodes.has_tag(*INLINE_TAGS) & inside

    @cached_property
    def children(self) -> list[list[int]]:
        """The valid children of each row; none for a row that shows something itself."""
        result: list[list[int]] = [[] for _ in range(len(self.nodes))]
        rows = np.flatnonzero(self._is_child)
        for row, parent in zip(rows.tolist(), self.nodes.parent[rows].tolist(), strict=True):
            result[parent].append(row)
        return result

    @cached_property
    def _is_child(self) -> Bools:
        """Rows among `children`, bool (n,)."""
        nodes = self.nodes
        parents = nodes.parent
        inside = self.is_valid & (parents >= 0)
        inside[inside] &= ~self.is_showing[parents[inside]]
        inside[inside] &= nodes.frame[inside] == nodes.frame[parents[inside]]
        return inside

    @cached_property
    def before(self) -> list[int]:
        """The valid sibling before each row, -1 if there is none."""
        result = [-1] * len(self.nodes)
        for siblings in self.children:
            for one, other in pairwise(siblings):
                result[other] = one
        return result

    @cached_property
    def is_words(self) -> Bools:
        """Text nodes and virtual text nodes, bool (n,).

        A virtual text node is an inline node with nothing but text nodes and virtual text nodes
        in it.
        """
        words = (self.nodes.is_text & self.is_valid).tolist()
        inline = self.is_inline.tolist()
        for row in range(len(words) - 1, -1, -1):
            below = self.children[row]
            if inline[row] and below:
                words[row] = all(words[child] for child in below)
        return np.array(words, dtype=bool)

    @cached_property
    def background(self) -> Ints:
        """A number for the colour behind each row's text, int32 (n,); equal for equal colours.

        A transparent background shows that of the parent.
        """
        colors, numbers = np.unique(self.nodes.computed("background-color"), return_inverse=True)
        clear = [_is_clear(color) for color in colors.tolist()]
        result = numbers.tolist()
        for row, parent in enumerate(self.nodes.parent.tolist()):
            if clear[result[row]]:
                result[row] = result[parent] if parent >= 0 else -1
        return np.array(result, dtype=np.int32)

    @cached_property
    def font(self) -> list[tuple[float, str]]:
        """Size in px and weight of each row's font."""
        sizes = self.nodes.pixels("font-size").tolist()
        return list(zip(sizes, self.nodes.computed("font-weight").tolist(), strict=True))

    def fonts_below(self, row: int) -> set[tuple[float, str]]:
        """Return the fonts of the visible words at or below a row."""
        words = self.nodes.has_words & self.is_valid
        rows = range(row, int(self.nodes.end[row]))
        return {self.font[below] for below in rows if words[below]}


def _is_clear(color: str) -> bool:
    """Return whether a computed colour, ``rgb(r, g, b)`` or ``rgba(r, g, b, a)``, shows nothing."""
    return color == "transparent" or (color.startswith("rgba(") and color.endswith(", 0)"))
