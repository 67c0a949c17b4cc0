"""Terrain: Pagelet's own rules for blocks: WebTerrain's descent, on the page as a reader sees it.

Source: R. Kreuzer's WebTerrain (Utrecht 2013, section 6.4), and what was found to be wrong with it
on his pages.  No rule looks at a name, a class or a site, and nothing was trained.  From ``body``
down an only child is followed, and so is one that covers more than ``dominance`` of its parent;
what then stands side by side are the level-1 blocks.  Each is opened the same way for level 2.
The ideas, each of which can be switched off:

`whole_boxes`: a box is as large as all that is seen in it; a wrapper of no height around floats
    has a size.
`seen_only`: what shows neither words nor pictures, controls, embedded objects or a background
    picture is not there, and text moved off the page, as for search engines, is not seen.
`backgrounds`: a layer with nothing but a background picture, as large as what it lies in, is not
    there if it lies behind something: it is nobody's dominant child.
`stacking`: what lies above the page, as menus that fold out do, makes its parents no larger.
`open_large`, `open_even`: what was found inside a block is opened further if it is ``large``, or
    if each of its parts is ``substantial``; parts are rarely blocks if their neighbours are crumbs.
`give_way`: a level-2 block that was opened gives way to its parts.
`keep_text`: running text is not opened; a paragraph more or less makes no block.
`drop_crumbs`: on level 2 a text shorter than ``least_text`` or smaller than ``least_area`` is part
    of what is around it, not a block.
`pictures`: a part without words is a separate block.  (For Kreuzer's measure all of a page's
    blocks without text are one item, so they are one picture block there.)
`lists`: in a block that is not opened, the largest elements that are lists of links are level-2
    blocks if there is other text beside them: a menu under a logo, related links under a story.

Blocks get a suggested type where a simple reason exists (`algorithms.signals.block_types`).

Fuzzy F on Kreuzer's 78 random pages: .68 on the repaired DOM, .60 on the DOM as published, .59 on
the page as saved.  Cross-validated over 40 halvings of the pages, with thresholds chosen on one
half and scored on the other: .67 ± .025, .58 ± .034 and .58 ± .033; with ideas chosen: .68 ± .03,
.59 ± .04 and .58 ± .04.  What each idea adds, in the same order:

===================  =====  =====  =====      ===================  =====  =====  =====
open_large           +.050  +.040  +.037      open_even            +.013  +.010  +.018
drop_crumbs          +.046  +.040  +.041      keep_text            +.010  +.004  +.011
whole_boxes          +.037  +.022  +.033      lists                +.010  +.007  +.007
pictures             +.023  +.028  +.025      backgrounds          -.001  -.001  +.007
give_way             +.017  +.015  +.016      stacking (off)       -.006   .000   .000
seen_only            +.014  +.009  +.016
===================  =====  =====  =====      ===================  =====  =====  =====

``backgrounds`` is on for the one page in 78 that is lost without it; ``stacking`` does not help and
is off.  Tried and left out, since they did not help on held-out pages: areas as shares of some
windows instead of the page, opening by the number or likeness of parts or by their links, keeping
rows of tables whole, headings and forms as blocks, crumbs left out on level 1.
``tests/bench/test_terrain_ideas.py`` measures all this again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.levels import Level
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.signals.block_types import Typist
from algorithms.signals.traversal import Descent, body_of, traced_descent
from algorithms.signals.visible import VisibleColumns
from algorithms.trace import Trace
from engine import geometry
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Bools, Ints

PROSE_TAGS = frozenset(["p", "blockquote", "pre"])

BEHIND = 0.5
"""A layer is a background if this share of another box beside it is on it."""

TypedRow = tuple[int, Level, str]
"""Row, level and reason of a block."""


@dataclass(frozen=True)
class TerrainParams(Params):
    """Parameters of Terrain; areas are shares of the page's.

    Why the thresholds are where they are; differences in F are means over Kreuzer's random pages,
    on the repaired DOM (``tests/bench/test_terrain_ideas.py`` prints them all):

    Attributes:
        dominance: A wrapper leaves out margins and a rule or two, 5 %; what is less is a block
            with a header or footer beside it, which following would lose (.9: -.009).
        large: A fifth of the page holds several things to a reader.  From less, stories are taken
            apart (.15: -.023); from more, columns stay one block (.3: -.006).
        substantial: Of thirty-odd parts of this size a page would be full: smaller ones are pieces
            of a block.  A plateau from .02 to .04 (-.004 at either end).
        least_area: A line or two of text on a usual page.  Flat from .003 (-.006) to .012 (+.004).
        least_text: A few words.  Flat from 10 (+.003); from 40 on menus are lost (-.009).
        prose: Most, but room for a list or a caption in a story; flat from .6 to .9 (-.002).
        links: Two links are a pair of buttons, three a list; flat from 2 to 5 (-.002).
        list_density: Almost all, but for separators; at .8 teasers count as lists (-.005).
        beside: A list that is nearly all of a block is not beside other text; flat from .6 to .9.
    """

    dominance: float = param(
        0.95, "share of its parent's area above which a child is followed alone", low=0.5, high=1.0
    )
    large: float = param(
        0.2, "area from which a level-2 block is always opened", low=0.02, high=1.0
    )
    substantial: float = param(
        0.03, "area that each part must have for a smaller block to be opened", low=0.0, high=0.5
    )
    least_area: float = param(0.006, "area below which a text is no block", low=0.0, high=0.1)
    least_text: int = param(20, "letters below which a text is no block", low=0, high=500)
    prose: float = param(
        0.8, "share of letters in paragraphs that makes running text", low=0.0, high=1.0
    )
    links: int = param(3, "links that make a list of links a block", low=1, high=50)
    list_density: float = param(
        0.9, "share of a list's letters that must be in links", low=0.5, high=1.0
    )
    beside: float = param(
        0.8, "share of a block's letters from which a list in it is the block", low=0.0, high=1.0
    )
    whole_boxes: bool = param(True, "an element is as large as all that is seen in it")
    seen_only: bool = param(True, "leave out invisible parts, and parts off the page")
    backgrounds: bool = param(True, "leave out layers of nothing but a background picture")
    stacking: bool = param(False, "parts above the page do not enlarge their parents")
    open_large: bool = param(True, "open level-2 blocks that are large")
    open_even: bool = param(True, "open level-2 blocks all parts of which are substantial")
    give_way: bool = param(True, "leave out a level-2 block that was opened")
    keep_text: bool = param(True, "do not open running text")
    drop_crumbs: bool = param(True, "short and small texts are no level-2 blocks")
    pictures: bool = param(True, "level-2 parts without words are blocks")
    lists: bool = param(True, "lists of links beside other text are level-2 blocks")


def segment(page: Page, params: TerrainParams) -> Segmentation:
    """Return the blocks of the rendered page, with types.  O(n)."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: TerrainParams) -> list[Block]:
    """Return the blocks in document order, a level-1 block before those inside it."""
    if not len(nodes):
        return []
    seen = seen_rows(nodes, params)
    typist = Typist(seen)
    blocks = []
    for row, level, why in find_rows(seen, params):
        kind, because = typist.suggest(row, level)
        blocks.append(Block((row,), level, kind, f"{why}; {because}" if because else why))
    return blocks


def way_down(nodes: NodeTable, params: TerrainParams) -> tuple[Descent, ...]:
    """Return all steps on the ways down from the page and from each of its level-1 blocks."""
    if not len(nodes):
        return ()
    terrain = _TerrainPage(seen_rows(nodes, params), params)
    result = terrain.steps(body_of(nodes), 0)
    for way, row in enumerate(terrain.side_by_side(body_of(nodes)), start=1):
        result += terrain.steps(row, way)
    return tuple(result)


def seen_rows(nodes: NodeTable, params: TerrainParams) -> VisibleColumns:
    """Return the visible content of a page, which depends on three switches alone."""
    if not params.whole_boxes:
        return VisibleColumns(
            nodes, np.where(nodes.visible[:, None], nodes.rect, 0).astype(np.float64)
        )
    apart = _is_above(nodes) if params.stacking else None
    return VisibleColumns(
        nodes, geometry.visual_rects(nodes, on_page=params.seen_only, apart=apart)
    )


def find_rows(seen: VisibleColumns, params: TerrainParams) -> list[TypedRow]:
    """Return the blocks in document order, without types; not for a page of no rows."""
    return sorted(_TerrainPage(seen, params).blocks(), key=lambda block: (block[0], block[1]))


def parts_of(
    nodes: NodeTable, params: TerrainParams, rows: Sequence[int], deepest: int
) -> list[tuple[Block, ...]]:
    """Return the parts side by side in some rows as level-2 blocks with types, without crumbs; then
    with each of them opened once more, and so on, ``deepest`` times.

    They are opened regardless of `open_large` and similar parameters; rows without parts stay.
    """
    seen = seen_rows(nodes, params)
    terrain, typist = _TerrainPage(seen, params), Typist(seen)
    result, steps = list(rows), list[tuple[Block, ...]]()
    for _ in range(deepest):
        result = [part for row in result for part in terrain.side_by_side(row)]
        rest = (row for row in dict.fromkeys(result) if not terrain.is_crumb(row))
        types = ((row, *typist.suggest(row, 2)) for row in rest)
        steps.append(tuple(Block((row,), 2, kind, because) for row, kind, because in types))
    return steps


def _is_above(nodes: NodeTable) -> Bools:
    """Return which rows are laid over the page, bool (n,): fixed, or absolute and raised."""
    position, order = nodes.computed("position"), nodes.computed("z-index")
    is_raised = ~np.isin(order, ("auto", "0")) & ~np.char.startswith(order, "-")
    above = (position == "fixed") | ((position == "absolute") & is_raised)
    return np.asarray(above & (nodes.parent >= 0), dtype=bool)


class _TerrainPage:
    """Page during a descent."""

    def __init__(self, seen: VisibleColumns, params: TerrainParams) -> None:
        self.seen = seen
        self._nodes = nodes = seen.nodes
        self._params = params
        display = nodes.computed("display")
        inline = np.char.startswith(display, "inline") & ~nodes.has_tag("a")
        self._is_prose = inline | nodes.has_tag(*PROSE_TAGS)
        self._is_bare = (seen.letters == 0) & (seen.media == 0)
        shown = seen.shows if params.seen_only else (nodes.offset > 0).any(axis=1)
        self._is_there = shown & ~nodes.is_text & ~nodes.has_tag("hr", "br")

    def blocks(self) -> list[TypedRow]:
        """Return the blocks in no order."""
        result: list[TypedRow] = []
        for first in self.side_by_side(body_of(self._nodes)):
            result.append((first, 1, "one of several parts side by side on the page"))
            inside = self._level_two(first)
            result += inside
            if self._params.lists:
                result += self._lists(sorted([first, *(row for row, _, _ in inside)]))
        return result

    def _level_two(self, first: int) -> list[TypedRow]:
        result: list[TypedRow] = []
        waiting = self._opened(first, is_first=True)
        while waiting:
            row = waiting.pop()
            parts = self._opened(row, is_first=False)
            if not (parts and self._params.give_way) and not self.is_crumb(row):
                result.append((row, 2, f"one of several parts side by side in {self._name(row)}"))
            waiting += parts
        return result

    def _opened(self, row: int, *, is_first: bool) -> list[int]:
        """Return the parts of a block if it may be opened, else none."""
        params, share = self._params, self.seen.share
        parts = self.side_by_side(row)
        if parts == [row] or (params.keep_text and self._is_text(parts)):
            return []
        is_large = params.open_large and share[row] > params.large
        is_even = params.open_even and share[parts].min() >= params.substantial
        return parts if is_first or is_large or is_even else []

    def side_by_side(self, row: int) -> list[int]:
        """Descend from ``row`` until several are side by side; itself if nothing is in it."""
        *_, (last, children) = self._descent(row)
        return children or [last]

    def steps(self, row: int, way: int) -> list[Descent]:
        """Return the steps that `side_by_side` takes from ``row`` on."""
        result, share = [], self.seen.share
        for at, children in self._descent(row):
            largest = float(share[children].max()) if children else 0.0
            result.append(
                Descent(way, (at,), len(children), largest / max(float(share[at]), 1e-12))
            )
        return result

    def _descent(self, row: int) -> Iterator[tuple[int, list[int]]]:
        """Yield each row of the descent with its visible children, until there are several."""
        while True:
            children = self._children(row)
            yield row, children
            enough = self._params.dominance * self.seen.share[row]
            dominant = [child for child in children if self.seen.share[child] > enough]
            if not children or (len(children) > 1 and not dominant):
                return
            row = dominant[0] if dominant else children[0]

    def _children(self, row: int) -> list[int]:
        nodes = self._nodes
        children = nodes.children(row)
        visible = children[self._is_there[children] & (nodes.frame[children] == nodes.frame[row])]
        if self._params.backgrounds and self._is_bare[visible].any():
            visible = visible[~self._is_background(visible, row)]
        return [int(child) for child in visible]

    def _is_background(self, children: Ints, row: int) -> Bools:
        """Return which children of a row are backgrounds of others of them."""
        seen = self.seen
        bare = self._is_bare[children]
        layers = bare & (seen.share[children] > self._params.dominance * seen.share[row])
        if not layers.any() or bare.all():
            return np.zeros(len(children), dtype=bool)
        behind = geometry.covered(seen.rects[children[~bare]], seen.rects[children]) > BEHIND
        return np.asarray(layers & behind.any(axis=0), dtype=bool)

    def _is_text(self, parts: list[int]) -> bool:
        letters = self.seen.letters[parts]
        prose = letters[self._is_prose[parts]].sum()
        return bool(letters.sum() and prose > self._params.prose * letters.sum())

    def is_crumb(self, row: int) -> bool:
        """Whether a row is too short or too small for a block."""
        letters, params = self.seen.letters[row], self._params
        if not letters:
            return not params.pictures
        is_small = letters < params.least_text or self.seen.share[row] < params.least_area
        return bool(params.drop_crumbs and is_small)

    def _lists(self, rows: list[int]) -> list[TypedRow]:
        """Return the lists of links in those of ``rows``, ascending, that hold no other of them."""
        result = []
        for row, following in zip(rows, [*rows[1:], -1], strict=True):
            if not row < following < self._nodes.end[row] and not self._is_list(row):
                result += self._lists_in(row)
        return result

    def _lists_in(self, block: int) -> list[TypedRow]:
        result: list[TypedRow] = []
        row, end = block + 1, int(self._nodes.end[block])
        most = self._params.beside * self.seen.letters[block]
        while row < end:
            if not self._is_list(row):
                row += 1
                continue
            if self.seen.letters[row] < most:
                result.append((row, 2, f"{int(self.seen.links[row])} links beside other text"))
            row = int(self._nodes.end[row])
        return result

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


def trace(page: Page, params: TerrainParams) -> Trace:
    """Return the ways down, step by step, and where they end."""
    nodes = page.rendered()
    blocks = find_blocks(nodes, params)
    return traced_descent(way_down(nodes, params), blocks, params.dominance, len(nodes))


METHOD = Method(
    "terrain",
    "Terrain",
    TerrainParams,
    "segmentation",
    cite="Pagelet, after Kreuzer 2013",
    on_page=segment,
    trace_page=trace,
    summary="Descends through visible parts to adjacent ones; keeps small pieces together.",
)
