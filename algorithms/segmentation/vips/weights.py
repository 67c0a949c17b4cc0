"""How heavy a separator is: the rules of section 4.2.2, each with its reason.

1. The farther the blocks on either side are from each other, the heavier.
2. An ``hr`` or another line drawn along it makes it heavier.
3. So do different backgrounds on either side.
4. Horizontal only: so do different sizes or weights of type, and more so if the type above is
   smaller than that below.
5. Horizontal only: blocks of a similar build on either side make it lighter.

The report gives no numbers.  Here weights are whole numbers from 1 to 10: 1, one more for each of
`STEPS_PX` the distance reaches, then what the rules say.  A line is an ``hr``, a picture at least
ten times as long as thick, or a border; it counts if it runs along half of the separator.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from algorithms.segmentation.vips.layout import VipsLayout
from algorithms.segmentation.vips.separators import Gap, Region
from algorithms.segmentation.vips.visual_blocks import VisualBlock
from engine import geometry
from engine.tree import Bools, Doubles

LIGHTEST, HEAVIEST = 1, 10
STEPS_PX = (4, 8, 16, 32, 64)
"""Distances that make a separator one heavier each; a line of text is about 16 px high."""

LINE, BACKGROUND, TYPE, LARGER_BELOW, SIMILAR = 2, 2, 1, 1, -2
"""What the rules add."""

ALIKE = 0.8
"""Blocks are built alike if so large a share of their tags is the same."""

ALONG = 0.5
"""A line must run along so much of a separator."""

NEAR_PX = 2.0
"""So far from a separator a line may be drawn: a border is part of the block beside it."""


@dataclass(frozen=True)
class WeighedSeparator:
    """Weighted separator, for display.

    Attributes:
        rect: x, y, width, height in CSS px; without width, or without height, where blocks touch.
        horizontal: Whether it separates above from below.
        weight: 1 to 10.
        reasons: Reasons for its weight.
        before, after: The blocks that border on it, as places in the pool.
    """

    rect: tuple[float, float, float, float]
    horizontal: bool
    weight: int
    reasons: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


class Lines:
    """Lines drawn on the page: where they are across, and from where to where they run."""

    def __init__(self, layout: VipsLayout) -> None:
        nodes = layout.nodes
        edges = geometry.corners(nodes.rect)
        drawn = nodes.visible & ~nodes.is_text
        rules = edges[layout.is_line]
        level = rules[:, 2] - rules[:, 0] >= rules[:, 3] - rules[:, 1]
        middle = (rules[:, :2] + rules[:, 2:]) / 2
        self._edges = {}  # whether they are horizontal → where across, begin, end
        for axis, sides in ((1, ("top", "bottom")), (0, ("left", "right"))):  # 1: horizontal
            along, which = 1 - axis, level if axis else ~level
            at = [middle[which, axis]]
            begin, end = [rules[which, along]], [rules[which, along + 2]]
            for side, corner in zip(sides, (axis, axis + 2), strict=True):
                bordered = edges[drawn & (nodes.pixels(f"border-{side}-width") > 0)]
                at.append(bordered[:, corner])
                begin.append(bordered[:, along])
                end.append(bordered[:, along + 2])
            position = np.concatenate(at)
            order = np.argsort(position)
            self._edges[bool(axis)] = (
                position[order], np.concatenate(begin)[order], np.concatenate(end)[order]
            )  # fmt: skip

    def along(self, strip: Gap, box: tuple[float, float, float, float]) -> bool:
        """Return whether one runs along a separator of blocks in this box."""
        position, begin, end = self._edges[strip.horizontal]
        first = np.searchsorted(position, strip.start - NEAR_PX, side="left")
        last = np.searchsorted(position, strip.end + NEAR_PX, side="right")
        low, high = (box[0], box[2]) if strip.horizontal else (box[1], box[3])
        shared = np.minimum(end[first:last], high) - np.maximum(begin[first:last], low)
        return bool((shared >= ALONG * (high - low)).any())


class Pool:
    """Visual blocks of one pass with the properties that the rules use."""

    def __init__(self, layout: VipsLayout, lines: Lines, blocks: Sequence[VisualBlock]) -> None:
        self._layout = layout
        self._lines = lines
        self.blocks = tuple(blocks)

    @cached_property
    def rects(self) -> Doubles:
        """Box of each block, float64 (k, 4)."""
        rects = self._layout.rects
        result = rects[[block.rows[0] for block in self.blocks]]
        for index, block in enumerate(self.blocks):
            if len(block.rows) > 1:
                result[index] = geometry.union(rects[list(block.rows)])
        return result

    @cached_property
    def _areas(self) -> list[float]:
        return list(geometry.areas(self.rects).tolist())

    def weigh(self, region: Region, strip: Gap) -> WeighedSeparator:
        left, top, right, bottom = region.box
        across = strip.end - strip.start
        steps = sum(across >= step for step in STEPS_PX)
        text = [(steps, f"{across:.0f} px between")]
        if self._lines.along(strip, region.box):
            text.append((LINE, "a line is drawn along it"))
        if self._background(strip.before) != self._background(strip.after):
            text.append((BACKGROUND, "different backgrounds"))
        if strip.horizontal:
            above, below = self._type(strip.before), self._type(strip.after)
            if above and below and above != below:
                text.append((TYPE, "different type"))
                if above[0] < below[0]:
                    text.append((LARGER_BELOW, "larger type below"))
            if self._are_alike(strip):
                text.append((SIMILAR, "a similar build on either side"))
            rect = (left, strip.start, right - left, across)
        else:
            rect = (strip.start, top, across, bottom - top)
        weight = min(HEAVIEST, max(LIGHTEST, LIGHTEST + sum(value for value, _ in text)))
        reasons = tuple(f"{reason} ({value:+d})" for value, reason in text)
        return WeighedSeparator(rect, strip.horizontal, weight, reasons, strip.before, strip.after)

    def _background(self, side: Sequence[int]) -> int:
        """Return the background of the largest block on one side."""
        block = self.blocks[max(side, key=self._areas.__getitem__)]
        return int(self._layout.background[block.rows[0]])

    def _type(self, side: Sequence[int]) -> tuple[float, str] | None:
        """Return size and weight of most letters on one side; None without any."""
        letters: Counter[tuple[float, str]] = Counter()
        for position in side:
            letters.update(self._types[position])
        return max(letters.items(), key=lambda item: (item[1], item[0]))[0] if letters else None

    def _are_alike(self, strip: Gap) -> bool:
        """Return whether the blocks that border on a separator are of a similar build."""
        above: Counter[str] = Counter()
        below: Counter[str] = Counter()
        for side, builds in ((strip.before, above), (strip.after, below)):
            for position in side:
                builds.update(self._builds[position])
        return 2 * (above & below).total() >= ALIKE * (above.total() + below.total())

    @cached_property
    def _types(self) -> list[Counter[tuple[float, str]]]:
        """Number of letters of each size and weight in each block."""
        nodes, font = self._layout.nodes, self._layout.font
        words = self._layout.is_valid & nodes.has_words
        result = []
        for block in self.blocks:
            letters: Counter[tuple[float, str]] = Counter()
            for row in _below(self._layout, block, words):
                letters[font[row]] += len(nodes.text[row].strip())
            result.append(letters)
        return result

    @cached_property
    def _builds(self) -> list[Counter[str]]:
        """Number of visible elements and texts of each name in each block."""
        nodes = self._layout.nodes
        valid = self._layout.is_valid
        return [
            Counter(nodes.name_of(row) for row in _below(self._layout, block, valid))
            for block in self.blocks
        ]


def _below(layout: VipsLayout, block: VisualBlock, which: Bools) -> list[int]:
    """Return those rows of a block, and below it, that are wanted."""
    return [
        below
        for row in block.rows
        for below in (row + np.flatnonzero(which[row : layout.nodes.end[row]])).tolist()
    ]
