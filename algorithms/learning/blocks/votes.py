"""Votes of other segmenters on each candidate: whether it is a block of theirs, or near one."""

from collections.abc import Iterable

import numpy as np

from algorithms.learning.blocks.candidates import Candidates, letter_offsets
from algorithms.results import Block
from algorithms.segmentation import pagelets, terrain, webterrain
from algorithms.segmentation.vips.content_tree import divide_page
from algorithms.segmentation.vips.layout import VipsLayout
from algorithms.signals.memo import shared
from engine.nodes import NodeTable
from engine.tree import Doubles, Longs

_TERRAINS = {
    "terrain": terrain.TerrainParams(),
    "terrain coarse": terrain.TerrainParams(large=0.4, substantial=0.06, lists=False),
    "terrain fine": terrain.TerrainParams(large=0.08, substantial=0.012, least_area=0.003),
}
_SMALL = 0.1
_PDOC = 4
_FINE = 7

Votes = dict[str, list[tuple[int, ...]]]
"""Rows of each block, by segmenter."""


@shared
def votes(nodes: NodeTable) -> Votes:
    """Return the blocks of other segmenters, those of VIPS at several depths."""
    by_segmenter: Votes = {
        name: _rows(terrain.find_blocks(nodes, params)) for name, params in _TERRAINS.items()
    }
    by_segmenter["webterrain"] = _rows(webterrain.find_blocks(nodes, webterrain.WebTerrainParams()))
    by_segmenter["pagelets"] = _rows(pagelets.find_blocks(nodes, pagelets.PageletsParams()))
    layout = VipsLayout(nodes)
    merged = divide_page(layout, _PDOC, _SMALL, separators=True)
    by_segmenter["vips"] = [block.rows for block in merged.at(2)]
    by_segmenter["vips.leaves"] = [block.rows for block in merged.leaves(merged.page)]
    rules = divide_page(layout, _FINE, _SMALL)
    by_segmenter["vips.first"] = [block.rows for block in rules.at(1)]
    by_segmenter["vips.second"] = [block.rows for block in rules.at(2)]
    return by_segmenter


def _rows(blocks: Iterable[Block]) -> list[tuple[int, ...]]:
    return [block.rows for block in blocks]


def vote_columns(nodes: NodeTable, stretches: Candidates) -> dict[str, Doubles]:
    """Return by segmenter the relation of each candidate to its blocks, float64 (m,) each.

    ``is``: it is one; ``alike``: the highest 2 common / (own + block) letters; ``around``: which
    share it is of the smallest block around it, 0 where none is; ``inside``: how many lie in it
    (logarithm); ``filled``: which share of it they are, up to 1.
    """
    offsets, _ = letter_offsets(nodes)
    columns: dict[str, Doubles] = {}
    for name, blocks in votes(nodes).items():
        spans = {(int(offsets[min(rows)]), int(offsets[nodes.end[max(rows)]])) for rows in blocks}
        spread = _Spans(sorted(span for span in spans if span[0] < span[1]), len(stretches.letters))
        for what, column in spread.beside(stretches).items():
            columns[f"vote.{name}.{what}"] = column
    for what in ("is", "alike"):
        all_of = [column for name, column in columns.items() if name.endswith(f".{what}")]
        columns[f"vote.all.{what}"] = np.mean(all_of, axis=0)
    return columns


class _Spans:
    """Blocks of one segmenter as spans of letters, in order; two are disjoint or nested.

    O((m + k) log k) for m candidates and k blocks: pages may have many thousands of both.
    """

    def __init__(self, spans: list[tuple[int, int]], letters: int) -> None:
        self._spans = spans
        self._first, self._last = np.array(spans, dtype=np.int64).reshape(-1, 2).T
        self._long = (self._last - self._first).astype(np.float64)
        self._key = self._first * (letters + 1) + self._last
        self._total = np.concatenate(([0.0], np.cumsum(self._long)))
        self._letters = letters

    def beside(self, stretches: Candidates) -> dict[str, Doubles]:
        size = stretches.size.astype(np.float64)
        own = stretches.first * (self._letters + 1) + stretches.last
        # Inside are those that begin at the same letter and end no later, and all that begin on.
        begin = np.searchsorted(self._first, stretches.first, side="left")
        upto = np.searchsorted(self._key, own, side="right")
        after = np.searchsorted(self._first, stretches.first, side="right")
        end = np.searchsorted(self._first, stretches.last, side="left")
        at = np.searchsorted(self._key, own, side="left")
        is_one = upto > at
        many = (upto - begin) + (end - after) - is_one
        filled = self._total[upto] - self._total[begin] + self._total[end] - self._total[after]
        largest = np.maximum(self._most(begin, at), self._most(after, end))
        around = self._around(stretches)
        inner, outer = 2 * largest / (largest + size), 2 * size / (size + around)
        return {
            "is": is_one.astype(np.float64),
            "alike": np.where(is_one, 1.0, np.maximum(inner, outer)),
            "around": size / around,
            "inside": np.log1p(many),
            "filled": np.minimum((filled - is_one * size) / size, 1),
        }

    def _around(self, stretches: Candidates) -> Doubles:
        """Return the length of the shortest span around each candidate and longer; inf for none."""
        own = zip(stretches.first.tolist(), stretches.last.tolist(), strict=True)
        order = [(first, -last, 0, 0) for first, last in self._spans]
        order += [(first, -last, 1, index) for index, (first, last) in enumerate(own)]
        order.sort()
        around = np.full(len(stretches), np.inf)
        open_spans: list[tuple[int, int]] = []
        for first, ends, is_stretch, index in order:
            last = -ends
            while open_spans and open_spans[-1][1] < last:
                open_spans.pop()
            if not is_stretch:
                open_spans.append((first, last))
                continue
            for outer_first, outer_last in reversed(open_spans):
                if outer_last - outer_first > last - first:
                    around[index] = outer_last - outer_first
                    break
        return around

    def _most(self, begin: Longs, end: Longs) -> Doubles:
        """Return the length of the longest of each candidate's spans ``begin..end``, 0 for none."""
        highest = np.zeros(len(begin))
        table = [self._long]
        while 2 ** len(table) <= len(self._long):
            half, last = 2 ** (len(table) - 1), table[-1]
            table.append(np.maximum(last[:-half], last[half:]))
        count = end - begin
        for level, longest in enumerate(table):
            on = np.flatnonzero((count >= 2**level) & (count < 2 ** (level + 1)))
            highest[on] = np.maximum(longest[begin[on]], longest[end[on] - 2**level])
        return highest
