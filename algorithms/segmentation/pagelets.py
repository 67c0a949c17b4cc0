"""Page partitioning: cut the page until no child of a part has several links.

Source: Z. Bar-Yossef, S. Rajagopalan, "Template Detection via Data Mining and its Applications",
WWW 2002, as in T. Gottron, *Content Extraction*, Mainz 2008, sections 3.3.1 and 6.3, Algorithm
6.2.  A pagelet is a node without a child that has k links or more, and with no pagelet above it.
Links are ``a`` elements with ``href``, the node itself included.  The listing says *descendants*
where its explanation says children; children is read.  Texts beside elements are parts too.  Parts
in which there is nothing to see are left out, unless asked for.  The method is flat: level 1.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from engine import geometry
from engine.nodes import NodeTable
from engine.page import Page


@dataclass(frozen=True)
class PageletsParams(Params):
    """Parameters of page partitioning."""

    links: int = param(3, "links in a child that make its parent too large (k)", low=1, high=50)
    visible_only: bool = param(True, "leave out parts in which there is nothing to see")


def segment(page: Page, params: PageletsParams) -> Segmentation:
    """Return the pagelets of the rendered page.  O(n)."""
    nodes = page.rendered()
    return Segmentation(nodes, tuple(find_blocks(nodes, params)))


def find_blocks(nodes: NodeTable, params: PageletsParams) -> list[Block]:
    """Return the pagelets in document order."""
    if not len(nodes):
        return []
    has_href = np.array(["href" in attributes for attributes in nodes.attributes], dtype=bool)
    links = nodes.subtree_sum(nodes.has_tag("a") & has_href)
    is_large = np.zeros(len(nodes), dtype=bool)
    is_large[nodes.parent[1:][links[1:] >= params.links]] = True
    # A part is a node that is not too large below parents that all are.
    parents = nodes.parent
    is_part = ~is_large
    is_part[1:] &= is_large[parents[1:]]
    if params.visible_only:
        areas = geometry.areas(geometry.visual_rects(nodes))
        is_part &= np.where(nodes.is_text, nodes.has_words & nodes.visible, areas > 0)
    else:
        is_part &= ~nodes.is_text | nodes.has_words
    return [
        Block((row,), 1, reason=f"{int(links[row])} links in it, under {params.links} in a child")
        for row in np.flatnonzero(is_part).tolist()
    ]


METHOD = Method(
    "pagelets",
    "Page partitioning",
    PageletsParams,
    "segmentation",
    cite="Bar-Yossef, Rajagopalan 2002; Gottron 2008, Algorithm 6.2",
    on_page=segment,
    summary="Cuts the page until no child of a part has more than a few links.",
)
