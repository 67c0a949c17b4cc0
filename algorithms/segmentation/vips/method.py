"""VIPS in the catalogue: the page divided to a permitted degree of coherence, on two levels.

Source: D. Cai, S. Yu, J.-R. Wen, W.-Y. Ma, "VIPS: a Vision-based Page Segmentation Algorithm",
MSR-TR-2003-79, 2003.  Level 1 is what the first division of the page gives, level 2 what is left
of it at PDoC; a block that is coherent enough at once has no level 2.

With PDoC 1 the page is divided once.  That is the reading behind the published figures of a modern
engine without separators (Kreuzer's random pages, DOM as published, fuzzy match .60/.37/.41; this
module: .59/.37/.41).  PDoC 4 or 5 comes closest to as many blocks as annotators mark.
"""

from dataclasses import dataclass

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Segmentation
from algorithms.segmentation.vips.layout import Layout
from algorithms.segmentation.vips.tree import Structure, divide_page
from engine.page import Page


@dataclass(frozen=True)
class VipsParams(Params):
    """Parameters of VIPS."""

    pdoc: int = param(5, "how coherent a block must be to stay whole (PDoC)", low=1, high=11)
    small: float = param(
        0.1, "share of the page or block below which a node is not divided", low=0.0, high=1.0
    )


def structure(page: Page, params: VipsParams) -> Structure:
    """Return the whole content structure with its rounds, for looking at."""
    return divide_page(Layout(page.rendered()), params.pdoc, params.small)


def segment(page: Page, params: VipsParams) -> Segmentation:
    """Return two levels of the content structure."""
    if not len(page.rendered()):
        return Segmentation(page.rendered(), ())
    found = structure(page, params)
    blocks = []
    for first in found.parts(found.page):
        blocks.append(Block(first.rows, 1, reason=first.reason))
        if found.parts(first):
            blocks.extend(Block(leaf.rows, 2, reason=leaf.reason) for leaf in found.leaves(first))
    blocks.sort(key=lambda block: (block.rows[0], block.level))
    return Segmentation(page.rendered(), tuple(blocks))


METHOD = Method(
    "vips",
    "VIPS",
    VipsParams,
    "segmentation",
    cite="Cai, Yu, Wen, Ma 2003",
    on_page=segment,
    summary="Divides the page by rules on tags, colours, text and size until blocks are coherent.",
)
