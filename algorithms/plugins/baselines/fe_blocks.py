"""FE blocks: the blocks FeatureExtractor and K-FeatureExtractor choose from.

Source: S. Debnath, P. Mitra, C. L. Giles, "Automatic Extraction of Informative Blocks from
Webpages", SAC 2005; T. Gottron, dissertation 2008, section 3.2.5, Algorithm 3.5
(`algorithms.signals.dom_cuts`).  The page is cut at tables, then parts with rows at their rows,
and so on for ``p``, ``hr`` and ``ul``; text outside them is in no block, as printed.

Blocks can lie inside one another (lists in lists): the outer ones are level 1, all inside them
level 2.  Departures: the document is its ``body``; blocks without visible contents are left out,
unless asked for.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.levels import Level
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.signals.dom_cuts import FE_TAGS, TagCut, cuts
from algorithms.signals.traversal import IS_BLOCK
from algorithms.signals.visible import VisibleColumns
from algorithms.trace import Rule, Trace, row_spans, step
from engine.nodes import NodeTable
from engine.page import Page


@dataclass(frozen=True)
class FeBlocksParams(Params):
    tags: str = param(FE_TAGS, "tags the page is cut at, one after the other", has_tags=True)
    visible_only: bool = param(True, "leave out blocks without visible contents")


def segment(page: Page, params: FeBlocksParams) -> Segmentation:
    """Return the blocks of the rendered page.  O(n) for each tag."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: FeBlocksParams) -> list[Block]:
    """Return the blocks in document order."""
    if not len(nodes):
        return []
    rows = _cuts(nodes, params)[-1].after.tolist()
    if params.visible_only:
        shows = VisibleColumns(nodes).shows
        rows = [row for row in rows if shows[row]]
    blocks = []
    outer_end = -1
    for row in rows:
        level: Level = 2 if row < outer_end else 1
        outer_end = max(outer_end, int(nodes.end[row]))
        blocks.append(Block((row,), level, reason=f"cut at {nodes.name_of(row)}"))
    return blocks


def _cuts(nodes: NodeTable, params: FeBlocksParams) -> list[TagCut]:
    bodies = [row for row in nodes.children(0).tolist() if nodes.name_of(row) == "body"]
    return cuts(nodes, tuple(params.tags.lower().split()), bodies[0] if bodies else 0)


_HOLDS = Rule(
    "elements inside at which it is cut", "<", ("tags",), verbs=IS_BLOCK,
    says=("nothing inside to cut at", "it is cut at {value} element(s) inside"),
)  # fmt: skip
_SEEN = Rule(
    "visible content", parameters=("visible_only",), verbs=IS_BLOCK,
    says=("something in it is visible", "nothing in it is visible"),
)  # fmt: skip


def trace(page: Page, params: FeBlocksParams) -> Trace:
    """Return tag by tag how many elements of its name each block has; last, the visible ones."""
    nodes = page.rendered()
    if not len(nodes):
        return Trace((), 0)
    turns = _cuts(nodes, params)
    steps = [
        step(
            _HOLDS,
            row_spans(turn.before),
            turn.inside < 1,
            turn.inside.astype(np.float64),
            1,
            (f"tag {turn.tag}",) * turn.before.size,
        )
        for turn in turns
    ]
    rows = turns[-1].after
    shows = VisibleColumns(nodes).shows[rows] if params.visible_only else np.full(rows.size, True)
    notes = tuple(f"cut at {nodes.name_of(row)}" for row in rows.tolist())
    return Trace((*steps, step(_SEEN, row_spans(rows), shows, notes=notes)), len(nodes))


METHOD = Method(
    "fe-blocks",
    "FeatureExtractor blocks",
    FeBlocksParams,
    "segmentation",
    cite="Debnath, Mitra, Giles 2005; Gottron 2008, Algorithm 3.5",
    on_page=segment,
    trace_page=trace,
    summary="Cuts the page at tables, rows, paragraphs and lists; the rest is in no block.",
)
