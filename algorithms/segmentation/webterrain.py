"""WebTerrain: descent through dominant boxes until several are side by side.

Source: R. Kreuzer, "A Quantitative Comparison of Semantic Web Page Segmentation Algorithms",
Utrecht 2013, section 6.4, Algorithm 6.5.  The readings below, with which the thesis' figures come
out, are the defaults; the others are parameters (named below).

- It starts at ``body`` (`start`) and knows elements only, of one document: neither texts (`texts`)
  nor what is inside a frame.
- A child is invisible if its height *and* its width are 0, as scripts see them (``offsetHeight``);
  a reader would see no child of which either is 0 (`thin`).
- The last ``else`` of the listing, printed one level too far out, belongs to the ``if`` before it:
  every child that nothing else was said of is kept.  As printed it belongs to the loop, and of
  those children the last alone is (`last_child`).
- Children are taken in the listing's order: a header merges with what follows it before anything
  is asked about areas, and the first child of more than 90 % of its parent's area is followed
  alone, whatever stood before it.  The text of the section looks for that child first
  (`dominant_first`).
- A header is ``h1`` to ``h6``, or an element whose font is more than 1.2 times the size most of
  the page's visible text has (`headers`, `header_scale`; the thesis names no number).  What it
  merges with ends before the next header, ``hr``, two ``br`` in a row (`breaks`: "multiple"), or
  image at least ten times as wide as high and at most 10 px high (`line_ratio`, `line_height`:
  "the dimensions of a horizontal line").  A merged group is as large as the union of its boxes, and
  inside it its own header is no header any more: else it would merge with itself for ever.
- A level-1 block in which nothing is side by side is a level-2 block too, down to its innermost
  single box, as the listing has it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.signals.traversal import Descent, body_of, traced_descent
from algorithms.trace import Trace
from engine import geometry
from engine.nodes import NodeTable
from engine.page import Page

HEADERS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])

HEADER_SIGNS = ("tag or size", "tag", "size")

Group = tuple[int, ...]
"""Rows that act as one node: a single row, or a header with what follows it."""


@dataclass(frozen=True)
class WebTerrainParams(Params):
    dominance: float = param(
        0.9, "share of its parent's area above which a child is followed alone", low=0.5, high=1.0
    )
    levels: int = param(2, "levels of blocks", low=1, high=2)
    merge_headers: bool = param(True, "join a header with what follows it")
    headers: str = param("tag or size", "what makes a header", choices=HEADER_SIGNS)
    header_scale: float = param(
        1.2, "how many times the usual text size makes an element a header", low=1.0, high=3.0
    )
    breaks: int = param(2, "line breaks in a row that end what a header joins", low=1, high=10)
    line_ratio: float = param(
        10.0, "how many times as wide as high an image is a line", low=1.0, high=100.0
    )
    line_height: int = param(10, "px up to which an image is a line", low=0, high=100)
    dominant_first: bool = param(False, "look for a dominant child before joining headers")
    thin: bool = param(True, "see a child that has a width but no height, or a height but no width")
    texts: bool = param(False, "let a text beside elements count as a child")
    last_child: bool = param(False, "of children that are no header keep the last one alone")
    start: str = param("body", "the element to start at", choices=("body", "html"))


def segment(page: Page, params: WebTerrainParams) -> Segmentation:
    """Return the blocks of the rendered page.  O(n)."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: WebTerrainParams) -> list[Block]:
    """Return the blocks in document order, a level-1 block before those inside it."""
    if not len(nodes):
        return []
    terrain = _WebTerrainPage(nodes, params)
    blocks = []
    for group, reason in terrain.side_by_side((terrain.start(),)):
        blocks.append(Block(group, 1, reason=reason))
        if params.levels > 1:
            inside = terrain.side_by_side(group)
            blocks.extend(Block(below, 2, reason=why) for below, why in inside)
    return sorted(blocks, key=lambda block: (block.rows[0], block.level))


def way_down(nodes: NodeTable, params: WebTerrainParams) -> tuple[Descent, ...]:
    """Return all steps on the ways down to the blocks, in order."""
    if not len(nodes):
        return ()
    terrain = _WebTerrainPage(nodes, params)
    result = [*terrain.steps((terrain.start(),), 0)]
    if params.levels > 1:
        for way, (group, _) in enumerate(terrain.side_by_side((terrain.start(),)), start=1):
            result += terrain.steps(group, way)
    return tuple(result)


def usual_text_size(nodes: NodeTable) -> float:
    """Return the font size in px that most characters of visible text have; 16 without text."""
    words = np.flatnonzero(nodes.has_words & nodes.visible)
    if not words.size:
        return 16.0
    lengths = np.array([len(nodes.text[row].strip()) for row in words], dtype=np.int64)
    sizes, position = np.unique(nodes.pixels("font-size")[words], return_inverse=True)
    return float(sizes[np.argmax(np.bincount(position, weights=lengths))])


class _WebTerrainPage:
    """Page with the properties of its rows that the heuristics use, computed for all of them."""

    def __init__(self, nodes: NodeTable, params: WebTerrainParams) -> None:
        self._nodes = nodes
        self._params = params
        width, height = nodes.offset[:, 0], nodes.offset[:, 1]
        self._area = width.astype(np.int64) * height
        self._is_br = nodes.has_tag("br")
        self._is_hr = nodes.has_tag("hr")
        is_line = nodes.has_tag("img") & (width >= params.line_ratio * height)
        is_line &= (height > 0) & (height <= params.line_height)
        self._is_line = self._is_hr | is_line
        large = nodes.pixels("font-size") > params.header_scale * usual_text_size(nodes)
        tagged = nodes.has_tag(*HEADERS)
        signs = {"tag or size": tagged | large, "tag": tagged, "size": large}
        self._is_header = signs[params.headers] & ~nodes.is_text
        sized = (width > 0) | (height > 0) if params.thin else (width > 0) & (height > 0)
        self._is_shown = sized & (~nodes.is_text | (nodes.has_words & params.texts))

    def start(self) -> int:
        """Return the row that is descended from."""
        return 0 if self._params.start == "html" else body_of(self._nodes)

    def side_by_side(self, group: Group) -> list[tuple[Group, str]]:
        """Descend from ``group`` until several nodes are side by side; each with the reason.

        A node with nothing to see inside it is returned itself.
        """
        *_, (last, inside) = self._descent(group)
        if not inside:
            return [(last, "nothing inside it is side by side")]
        beside = f"one of {len(inside)} side by side in {self._name(last)}"
        return [(child, self._reason(child, beside)) for child in inside]

    def _descent(self, group: Group) -> Iterator[tuple[Group, list[Group]]]:
        """Yield each group of the descent with those visible in it, while there is exactly one."""
        while True:
            inside = self._visible_children(group)
            yield group, inside
            if len(inside) != 1:
                return
            group = inside[0]

    def steps(self, group: Group, way: int) -> list[Descent]:
        """Return the steps that `side_by_side` takes from ``group`` on."""
        result = []
        for at, _ in self._descent(group):
            shown = [row for row in self._rows_inside(at) if self._is_shown[row]]
            whole = self._area_of(at)
            largest = max((float(self._area[row]) for row in shown), default=0.0)
            result.append(Descent(way, at, len(shown), largest / whole if whole else 0.0))
        return result

    def _visible_children(self, group: Group) -> list[Group]:
        """Return the children the listing keeps, headers merged; only the dominant one if any."""
        rows = self._rows_inside(group)
        enough = self._params.dominance * self._area_of(group)
        if self._params.dominant_first:
            for row in rows:
                if self._is_dominant(row, enough):
                    return [(row,)]
        # The header of a merged group is first in it and must not merge again.
        done = len(group) > 1
        result: list[Group] = []
        position = 0
        while position < len(rows):
            row = rows[position]
            position += 1
            if not self._is_shown[row] or self._is_hr[row]:
                continue
            if self._params.merge_headers and self._is_header[row] and not done:
                end = self._end_of_merge(rows, position)
                result.append(self._merged(rows[position - 1 : end]))
                position = end
            elif self._is_dominant(row, enough):
                return [(row,)]
            else:
                result.append((row,))
            done = False
        if self._params.last_child:
            alone = [group for group in result if len(group) == 1]
            return [group for group in result if len(group) > 1 or group == alone[-1]]
        return result

    def _rows_inside(self, group: Group) -> list[int]:
        """Return the children of a row, or the rows of a merged group; no frame's document."""
        if len(group) > 1:
            return list(group)
        nodes, row = self._nodes, group[0]
        return [c for c in nodes.children(row).tolist() if nodes.frame[c] == nodes.frame[row]]

    def _area_of(self, group: Group) -> float:
        if len(group) == 1:
            return float(self._area[group[0]])
        return float(geometry.areas(geometry.union(self._nodes.rect[list(group)]))[0])

    def _is_dominant(self, row: int, enough: float) -> bool:
        return bool(self._is_shown[row] and not self._is_hr[row] and self._area[row] > enough)

    def _end_of_merge(self, rows: list[int], index: int) -> int:
        """Return the index in ``rows`` of the first separator from ``index`` on."""
        breaks = 0
        for k in range(index, len(rows)):
            row = rows[k]
            if self._is_br[row]:
                breaks += 1
                if breaks == self._params.breaks:
                    return k + 1 - breaks
            elif not self._nodes.is_text[row] or self._nodes.has_words[row]:
                breaks = 0
            if self._is_line[row] or (self._is_header[row] and self._is_shown[row]):
                return k
        return len(rows)

    def _merged(self, rows: list[int]) -> Group:
        """Return a header and the nodes after it: all that is shown, and all words between."""
        nodes = self._nodes
        return tuple(row for row in rows if self._is_shown[row] or nodes.has_words[row])

    def _name(self, group: Group) -> str:
        """Return the group as a reader of the page's source would point at it."""
        row = group[0]
        name = self._nodes.attributes[row].get("id", "")
        element = f"{self._nodes.name_of(row)}#{name}" if name else self._nodes.name_of(row)
        return f"a group from {element}" if len(group) > 1 else element

    def _reason(self, child: Group, beside: str) -> str:
        return f"a header with what follows, {beside}" if len(child) > 1 else beside


def trace(page: Page, params: WebTerrainParams) -> Trace:
    """Return the ways down, step by step, and where they end."""
    nodes = page.rendered()
    blocks = find_blocks(nodes, params)
    return traced_descent(way_down(nodes, params), blocks, params.dominance, len(nodes))


METHOD = Method(
    "webterrain",
    "WebTerrain",
    WebTerrainParams,
    "segmentation",
    cite="Kreuzer 2013, section 6.4",
    on_page=segment,
    trace_page=trace,
    summary="Follows the box that covers most of its parent until several stand side by side.",
)
