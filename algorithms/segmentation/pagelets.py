"""Page partitioning: cut the page until no child of a part has several links.

Source: Z. Bar-Yossef, S. Rajagopalan, "Template Detection via Data Mining and its Applications",
WWW 2002, as in T. Gottron, *Content Extraction*, Mainz 2008, sections 3.3.1 and 6.3, Algorithm 6.2.
A pagelet is a node without a child that has k links or more, and with no pagelet above it. Links
are ``a`` elements with ``href``, the node itself included.  The listing says *descendants* where
its explanation says children; children is read.  Texts beside elements are parts too.  Parts
without visible contents are left out, unless asked for.  The method is flat: level 1.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.signals.traversal import IS_BLOCK
from algorithms.trace import Rule, Trace, row_spans, step
from engine import geometry
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Bools, Longs


@dataclass(frozen=True)
class PageletsParams(Params):
    links: int = param(3, "links in a child that make its parent too large (k)", low=1, high=50)
    visible_only: bool = param(True, "leave out parts without visible contents")


def segment(page: Page, params: PageletsParams) -> Segmentation:
    """Return the pagelets of the rendered page.  O(n)."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: PageletsParams) -> list[Block]:
    """Return the pagelets in document order."""
    if not len(nodes):
        return []
    links, most = _links(nodes)
    is_part = _asked(nodes, most, params) & (most < params.links) & _shows(nodes, params)
    fewer = f"links in it, fewer than {params.links} in each child"
    rows = np.flatnonzero(is_part).tolist()
    return [Block((row,), 1, reason=f"{int(links[row])} {fewer}") for row in rows]


def _links(nodes: NodeTable) -> tuple[Longs, Longs]:
    """Return the links in each row, and the most in a child of it, int64 (n,) each."""
    has_href = np.array(["href" in attributes for attributes in nodes.attributes], dtype=bool)
    links = nodes.subtree_sum(nodes.has_tag("a") & has_href).astype(np.int64)
    most = np.zeros(len(nodes), dtype=np.int64)
    np.maximum.at(most, nodes.parent[1:], links[1:])
    return links, most


def _asked(nodes: NodeTable, most: Longs, params: PageletsParams) -> Bools:
    """Return the rows with only too large ancestors, bool (n,).

    A row with too many links in a child makes all above it too large, so its parent is enough.
    """
    asked = np.ones(len(nodes), dtype=bool)
    asked[1:] = most[nodes.parent[1:]] >= params.links
    return asked


def _shows(nodes: NodeTable, params: PageletsParams) -> Bools:
    if not params.visible_only:
        return np.asarray(~nodes.is_text | nodes.has_words)
    areas = geometry.areas(geometry.visual_rects(nodes))
    return np.where(nodes.is_text, nodes.has_words & nodes.visible, areas > 0)


_MOST = Rule(
    "links in one child", "<", ("links",), verbs=IS_BLOCK, measured="{} link(s) in one child"
)
_SEEN = Rule(
    "visible content", parameters=("visible_only",), verbs=IS_BLOCK,
    says=("something in it is visible", "nothing in it is visible"),
)  # fmt: skip


def trace(page: Page, params: PageletsParams) -> Trace:
    """Return the most links in a child of each examined row, and the rows that show nothing."""
    nodes = page.rendered()
    if not len(nodes):
        return Trace((), 0)
    _, most = _links(nodes)
    rows = np.flatnonzero(_asked(nodes, most, params))
    is_kept = row_spans(rows)
    keep = most[rows] < params.links
    unseen = keep & ~_shows(nodes, params)[rows]
    steps = [step(_MOST, is_kept, keep, most[rows].astype(np.float64), params.links)]
    if unseen.any():
        steps.append(step(_SEEN, is_kept[unseen], False))
    return Trace(tuple(steps), len(nodes))


METHOD = Method(
    "pagelets",
    "Page partitioning",
    PageletsParams,
    "segmentation",
    cite="Bar-Yossef, Rajagopalan 2002; Gottron 2008, Algorithm 6.2",
    on_page=segment,
    trace_page=trace,
    summary="Cuts the page until no child of a part has more than a few links.",
)
