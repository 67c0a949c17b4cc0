"""InfoDiscoverer blocks: table cells without the tables in them.

Source: S.-H. Lin, J.-M. Ho, "Discovering Informative Content Blocks from Web Documents", KDD 2002;
T. Gottron, dissertation 2008, section 3.3.2, Algorithm 3.6.  A block is a table or a cell with the
texts in it, but for those in tables and cells inside it, which are blocks of their own.  Text
outside tables belongs to the document itself, a block too.  Any other tags can be named, as
Gottron suggests of ``div``.

A block is given as the fewest nodes that hold its texts and no other block: the cell itself where
there is no table in it, else what stands beside the inner tables.  Level 1 are the document and the
blocks with no other above them, level 2 those inside; a node without text of its own, such as a
table of nothing but cells, is no block.  Departures: the document is its ``body``; a text that
cannot be seen is none, unless asked for.  The later refinement that Lin and Ho mention is nowhere
described.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.levels import Level
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.signals.traversal import IS_BLOCK, end_of_way
from algorithms.trace import Rule, Trace, row_spans, step
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import TEXTLESS_TAGS, Bools

TABLE_TAGS = "table td th"


@dataclass(frozen=True)
class IdBlocksParams(Params):
    tags: str = param(TABLE_TAGS, "tags that make a block", has_tags=True)
    visible_only: bool = param(True, "leave out texts that cannot be seen")


def segment(page: Page, params: IdBlocksParams) -> Segmentation:
    """Return the blocks of the rendered page.  O(n)."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: IdBlocksParams) -> list[Block]:
    """Return the blocks in document order of their first node."""
    if not len(nodes):
        return []
    root, _, _, owner, parts = _elements(nodes, params)
    blocks = []
    for block in sorted(parts, key=lambda row: parts[row][0]):
        above = owner[int(nodes.parent[block])] if block != root else -1
        while above not in parts and above not in (root, -1):
            above = owner[int(nodes.parent[above])]
        level: Level = 1 if above in (root, -1) else 2
        name = "the document itself" if block == root else f"a {nodes.name_of(block)}"
        blocks.append(Block(tuple(parts[block]), level, reason=f"texts of {name}"))
    return blocks


def _elements(
    nodes: NodeTable, params: IdBlocksParams
) -> tuple[int, Bools, Bools, list[int], dict[int, list[int]]]:
    """Return what makes blocks of a page.

    The document's row; which rows make a block, and which are texts that count, bool (n,); the
    block at or around each row, -1 outside the document; row of a block → the nodes it is given as.
    """
    bodies = [row for row in nodes.children(0).tolist() if nodes.name_of(row) == "body"]
    root = bodies[0] if bodies else 0
    starts = nodes.has_tag(*params.tags.lower().split())
    starts[root] = True
    texts = nodes.has_words & ~nodes.within(*TEXTLESS_TAGS)
    if params.visible_only:
        texts &= nodes.visible
    owner = _owners(nodes, starts, root)
    return root, starts, texts, owner, _parts(nodes, starts, texts, owner)


def _owners(nodes: NodeTable, is_root: Bools, root: int) -> list[int]:
    """Return the block at or around each row, -1 outside the document."""
    owner = [-1] * len(nodes)
    parents = nodes.parent.tolist()
    starts = is_root.tolist()
    for row in range(root, int(nodes.end[root])):
        owner[row] = row if starts[row] else owner[parents[row]]
    return owner


def _parts(
    nodes: NodeTable, is_root: Bools, texts: Bools, owner: list[int]
) -> dict[int, list[int]]:
    """Return the topmost nodes of each block that hold text and no other block, ascending."""
    starts = nodes.subtree_sum(is_root) - is_root  # blocks below each row, itself left out
    has_text = nodes.subtree_sum(texts) > 0
    whole = (starts == 0) & has_text
    parents = nodes.parent
    top = whole.copy()
    # A node is covered by its parent if that is whole and of the same block.
    below = np.flatnonzero(parents >= 0)
    same = np.array(owner)[below] == np.array(owner)[parents[below]]
    top[below] &= ~(whole[parents[below]] & same)
    result: dict[int, list[int]] = {}
    for row in np.flatnonzero(top).tolist():
        if owner[row] >= 0:
            result.setdefault(owner[row], []).append(row)
    return result


_OWN = Rule(
    "texts of its own, in no block inside it", ">=", ("tags", "visible_only"), verbs=IS_BLOCK,
    says=("{value} text(s) outside the blocks inside it", "no text outside the blocks inside it"),
)  # fmt: skip
_BESIDE = Rule("it contains texts of one block and no other block", verbs=IS_BLOCK)


def trace(page: Page, params: IdBlocksParams) -> Trace:
    """Return the number of own texts of each table and cell, and the nodes of its block."""
    nodes = page.rendered()
    if not len(nodes):
        return Trace((), 0)
    _, starts, texts, owners, parts = _elements(nodes, params)
    rows, owner = np.flatnonzero(starts), np.array(owners)
    own = np.bincount(owner[texts & (owner >= 0)], minlength=len(nodes))[rows]
    given = {row for part in parts.values() for row in part}
    # A block around another is given as the nodes beside that one: its own node is none.
    alone = np.array([row in given or not count for row, count in zip(rows, own, strict=True)])
    rows, own = rows[alone], own[alone]
    steps = (
        step(_OWN, row_spans(rows), own >= 1, own.astype(np.float64), 1),
        *end_of_way(_BESIDE, find_blocks(nodes, params)),
    )
    return Trace(tuple(each for each in steps if len(each)), len(nodes))


METHOD = Method(
    "id-blocks",
    "InfoDiscoverer blocks",
    IdBlocksParams,
    "segmentation",
    cite="Lin, Ho 2002; Gottron 2008, Algorithm 3.6",
    on_page=segment,
    trace_page=trace,
    summary="Every table and cell, without inner tables, and the text outside all tables.",
)
