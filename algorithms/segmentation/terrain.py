"""Terrain: Pagelet's own rules for blocks, WebTerrain's way down with a reader's eyes.

Source: R. Kreuzer's WebTerrain (Utrecht 2013, section 6.4), and what was found to be wrong with it
on his pages.  No rule looks at a name, a class or a site, and nothing was trained.

1. A box is as large as all that is seen in it, so a wrapper of no height around floats has a size.
2. What shows neither words nor pictures, controls, embedded objects or a background picture is
   not there: an empty layer over the whole window is nobody's dominant child.
3. From ``body`` down, an only child is followed, and so is one that covers more than ``dominance``
   of its parent.  What then stands side by side are the level-1 blocks.
4. A block is opened the same way for its level-2 blocks if it is ``substantial``, unless it is
   running text: a paragraph more or less makes no block.
5. What was found inside is opened further if it is ``large``, or if every part of it is
   substantial.  Both the block and its parts are blocks of level 2: which of them an annotator
   marks is open, and a part rarely is one if its neighbours are crumbs.
6. On level 2 a text that is shorter than ``least_text`` or smaller than ``least_area`` is part of
   what is around it, not a block.
7. In a block that is not opened, the largest elements that are lists of links are level-2 blocks,
   if there is other text beside them: a menu under a logo, related links under a story.

Blocks get a suggested type where a simple reason exists (`algorithms.block_types`).

Fuzzy F on Kreuzer's 78 random pages: .66 on the repaired DOM, .58 on the DOM as published.  With
`large`, `substantial`, `least_area` and `least_text` chosen anew (of 81 combinations) on one random
half and scored on the other, 100 times: .659 ± .023 and .573 ± .029; the worst combination gives
.63 and .55.  On the repaired DOM rule 6 adds .03, opening large or even parts (5) .04, not opening
small blocks (4) .08, leaving running text together (4) .01, lists of links (7) .01.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.block_types import Typist
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.seen import Seen
from engine.nodes import NodeTable
from engine.page import Page

PROSE_TAGS = frozenset(["p", "blockquote", "pre"])

BESIDE = 0.9
"""A list of links that has this share of a block's letters is the block itself."""


@dataclass(frozen=True)
class TerrainParams(Params):
    """Parameters of Terrain; areas are shares of the page's."""

    dominance: float = param(
        0.95, "share of its parent's area above which a child is followed alone", low=0.5, high=1.0
    )
    large: float = param(
        0.2, "area from which a level-2 block is always opened", low=0.02, high=1.0
    )
    substantial: float = param(
        0.02, "area from which a block may be opened, and parts are worth it", low=0.0, high=0.5
    )
    least_area: float = param(0.006, "area below which a text is no block", low=0.0, high=0.1)
    least_text: int = param(24, "letters below which a text is no block", low=0, high=500)
    prose: float = param(
        0.8, "share of letters in paragraphs that makes running text", low=0.0, high=1.0
    )
    links: int = param(3, "links that make a list of links a block; 0 for never", low=0, high=50)
    list_density: float = param(
        0.9, "share of a list's letters that must be in links", low=0.5, high=1.0
    )


def segment(page: Page, params: TerrainParams) -> Segmentation:
    """Return the blocks of the rendered page, with types.  O(n)."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: TerrainParams) -> list[Block]:
    """Return the blocks in document order, a level-1 block before those inside it."""
    if not len(nodes):
        return []
    terrain = _Terrain(nodes, params)
    found = sorted(terrain.blocks(), key=lambda block: (block[0], block[1]))
    typist = Typist(terrain.seen)
    blocks = []
    for row, level, why in found:
        kind, because = typist.suggest(row, level)
        blocks.append(Block((row,), level, kind, f"{why}; {because}" if because else why))
    return blocks


class _Terrain:
    """One page on the way down."""

    def __init__(self, nodes: NodeTable, params: TerrainParams) -> None:
        self.seen = Seen(nodes)
        self._nodes = nodes
        self._params = params
        display = nodes.computed("display")
        inline = np.char.startswith(display, "inline") & ~nodes.has_tag("a")
        self._is_prose = inline | nodes.has_tag(*PROSE_TAGS)
        self._is_apart = nodes.is_text | nodes.has_tag("hr", "br")

    def blocks(self) -> list[tuple[int, int, str]]:
        """Return row, level and reason of each block, in no order."""
        found: list[tuple[int, int, str]] = []
        for first in self._side_by_side(self._start()):
            found.append((first, 1, "stands beside others below the page"))
            inside = self._level_two(first)
            found += inside
            rows = sorted([first, *(row for row, _, _ in inside)])
            found += self._lists(rows)
        return found

    def _start(self) -> int:
        nodes = self._nodes
        bodies = np.flatnonzero(nodes.has_tag("body", "frameset") & (nodes.parent == 0))
        return int(bodies[0]) if bodies.size else 0

    def _level_two(self, first: int) -> list[tuple[int, int, str]]:
        found = []
        waiting = self._opened(first, is_first=True)
        while waiting:
            row = waiting.pop()
            if not self._is_crumb(row):
                found.append((row, 2, f"stands beside others in {self._name(row)}"))
            waiting += self._opened(row, is_first=False)
        return found

    def _opened(self, row: int, *, is_first: bool) -> list[int]:
        """Return the parts of a block if it may be opened, else none."""
        parts = self._side_by_side(row)
        if parts == [row]:
            return []
        share, params = self.seen.share, self._params
        if share[int(self._nodes.parent[parts[0]])] < params.substantial or self._is_text(parts):
            return []
        worth = is_first or share[row] > params.large
        return parts if worth or share[parts].min() >= params.substantial else []

    def _side_by_side(self, row: int) -> list[int]:
        """Go down from ``row`` to where several stand side by side; itself if nothing is in it."""
        while True:
            children = self._children(row)
            if not children:
                return [row]
            enough = self._params.dominance * self.seen.share[row]
            dominant = [child for child in children if self.seen.share[child] > enough]
            if len(children) > 1 and not dominant:
                return children
            row = dominant[0] if dominant else children[0]

    def _children(self, row: int) -> list[int]:
        nodes = self._nodes
        children = nodes.children(row)
        kept = self.seen.shows[children] & ~self._is_apart[children]
        kept &= nodes.frame[children] == nodes.frame[row]
        return [int(child) for child in children[kept]]

    def _is_text(self, parts: list[int]) -> bool:
        letters = self.seen.letters[parts]
        prose = letters[self._is_prose[parts]].sum()
        return bool(letters.sum() and prose > self._params.prose * letters.sum())

    def _is_crumb(self, row: int) -> bool:
        letters = self.seen.letters[row]
        if not letters:
            return False  # a picture is a block of its own
        params = self._params
        return bool(letters < params.least_text or self.seen.share[row] < params.least_area)

    def _lists(self, rows: list[int]) -> list[tuple[int, int, str]]:
        """Return the lists of links in those of ``rows``, ascending, that hold no other of them."""
        if not self._params.links:
            return []
        found = []
        for row, following in zip(rows, [*rows[1:], -1], strict=True):
            if not row < following < self._nodes.end[row] and not self._is_list(row):
                found += self._lists_in(row)
        return found

    def _lists_in(self, block: int) -> list[tuple[int, int, str]]:
        found = []
        row, end = block + 1, int(self._nodes.end[block])
        while row < end:
            if not self._is_list(row):
                row += 1
                continue
            if self.seen.letters[row] < BESIDE * self.seen.letters[block]:
                found.append((row, 2, f"{int(self.seen.links[row])} links beside other text"))
            row = int(self._nodes.end[row])
        return found

    def _is_list(self, row: int) -> bool:
        seen, params = self.seen, self._params
        return bool(
            not self._nodes.is_text[row]
            and self._nodes.frame[row] == 0
            and seen.share[row] > 0
            and seen.links[row] >= params.links
            and seen.letters[row] >= params.least_text
            and seen.linked_letters[row] >= params.list_density * seen.letters[row]
        )

    def _name(self, row: int) -> str:
        """Return the parent as a reader of the page's source would point at it."""
        parent = int(self._nodes.parent[row])
        name = self._nodes.attributes[parent].get("id", "")
        return f"{self._nodes.name_of(parent)}#{name}" if name else self._nodes.name_of(parent)


METHOD = Method(
    "terrain",
    "Terrain",
    TerrainParams,
    "segmentation",
    cite="Pagelet, after Kreuzer 2013",
    on_page=segment,
    summary="Follows what a reader sees down to what stands side by side; leaves crumbs together.",
)
