"""What a reader sees at or below each row: sizes, letters, links, pictures."""

from functools import cached_property

import numpy as np

from algorithms.signals.memo import shared
from engine import geometry
from engine.nodes import NodeTable
from engine.tree import Bools, Doubles

MEDIA_TAGS = (
    "audio", "button", "canvas", "embed", "frame", "iframe", "img", "input", "meter", "object",
    "progress", "select", "svg", "textarea", "video",
)  # fmt: skip
"""Elements that show something without words: pictures, controls, embedded objects."""


class VisibleColumns:
    """Columns over a rendered page, each computed on first use; O(n) each.

    Args:
        nodes: The page.
        rects: The boxes to go by, float64 (n, 4), where not those of `rects`.
    """

    def __init__(self, nodes: NodeTable, rects: Doubles | None = None) -> None:
        self.nodes = nodes
        self._rects = rects

    @cached_property
    def rects(self) -> Doubles:
        """Box around all that is visible at or below each row, float64 (n, 4)."""
        return geometry.visual_rects(self.nodes) if self._rects is None else self._rects

    @cached_property
    def share(self) -> Doubles:
        """Area of `rects` as a share of the page's, float64 (n,); above 1 if sticking out."""
        page = max(float(self.nodes.width) * self.nodes.height, 1.0)
        return np.asarray(geometry.areas(self.rects) / page, dtype=np.float64)

    @cached_property
    def letters(self) -> Doubles:
        """Visible characters that are no white space at or below each row, float64 (n,)."""
        return self.nodes.subtree_sum(_letters(self.nodes))

    @cached_property
    def linked_letters(self) -> Doubles:
        """Letters in links, part of `letters`, float64 (n,)."""
        return self.nodes.subtree_sum(_letters(self.nodes) * self.nodes.below(self._is_link))

    @cached_property
    def links(self) -> Doubles:
        """Links with an address and something to see at or below each row, float64 (n,)."""
        return self.nodes.subtree_sum(self._is_link)

    @cached_property
    def media(self) -> Doubles:
        """Visible pictures, controls and embedded objects at or below each row, float64 (n,)."""
        return self.nodes.subtree_sum(self.nodes.has_tag(*MEDIA_TAGS) & self.nodes.visible)

    @cached_property
    def backdrops(self) -> Doubles:
        """Visible elements with a background picture at or below each row, float64 (n,)."""
        pictured = self.nodes.is_computed("background-image", lambda value: value != "none")
        return self.nodes.subtree_sum(pictured & self.nodes.visible & ~self.nodes.is_text)

    @cached_property
    def shows(self) -> Bools:
        """Rows that show words, media or a background picture, bool (n,)."""
        something = (self.letters > 0) | (self.media > 0) | (self.backdrops > 0)
        return np.asarray(something & (self.share > 0), dtype=bool)

    @cached_property
    def _is_link(self) -> Bools:
        has_href = np.array(["href" in own for own in self.nodes.attributes], dtype=bool)
        return np.asarray(self.nodes.has_tag("a") & has_href & (self.share > 0), dtype=bool)


@shared
def _letters(nodes: NodeTable) -> Doubles:
    """Return how many visible characters that are no white space each text has, float64 (n,)."""
    result = np.zeros(len(nodes))
    for row in np.flatnonzero(nodes.has_words & nodes.visible).tolist():
        result[row] = len("".join(nodes.text[row].split()))
    return result
