"""VIPS in the catalogue: the page divided to a permitted degree of coherence, on two levels.

Source: D. Cai, S. Yu, J.-R. Wen, W.-Y. Ma, "VIPS: a Vision-based Page Segmentation Algorithm",
MSR-TR-2003-79, 2003.  Level 1 is what stands two steps down in the content structure, level 2 the
leaves below it; a leaf as high as that has no level 2.  Two steps, since a page is rows (header,
middle, footer) and a middle is columns: the report's tree has no level that corresponds to blocks
of a page.  ``separators=False`` leaves the second and third stage of the report out: level 1 is
what the first division of the page gives, level 2 what is left of it at PDoC.

Each round is kept in `Segmentation.rounds`: what was divided, the pool of blocks found in it, the
separators between these with their weights and why, and what was merged over them.  ``rounds``
stops after so many, so that the result can be seen to grow round by round.

Fuzzy match on Kreuzer's 78 random pages, F of level 1, level 2 and both; blocks found, where the
annotators marked 12.2:

=============================  ===================  ===================  ===================
setting                        DOM as published     repaired DOM         page as saved
=============================  ===================  ===================  ===================
PDoC 4, separators (default)   .56 .37 .49, 13.5    .61 .43 .56, 12.6    .52 .35 .47, 12.1
the same, one step down        .47 .39 .49, 13.4    .52 .43 .56, 12.5    .40 .36 .47, 12.0
PDoC 5, separators             .54 .37 .48, 19.2    .60 .42 .54, 18.5    .51 .36 .46, 17.8
PDoC 4, no separators          .43 .21 .48, 12.7    .47 .25 .55, 11.8    .41 .19 .47, 11.3
PDoC 5, no separators          .43 .30 .48, 18.8    .47 .35 .54, 18.2    .41 .31 .46, 17.4
=============================  ===================  ===================  ===================

PDoC 1 without separators divides the page once.  That is the reading behind the published figures
of a modern engine with the rules alone (DOM as published, .60/.37/.41; this module: .59/.37/.41).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Part, Round, Segmentation, Separator
from algorithms.segmentation.vips.blocks import VisualBlock
from algorithms.segmentation.vips.layout import Layout
from algorithms.segmentation.vips.steps_of_rounds import NodeAnswer, ended, steps_of_rounds
from algorithms.segmentation.vips.tree import (
    MOST_ROUNDS,
    BlockStructure,
    Division,
    OnRound,
    divide_page,
)
from algorithms.trace import Trace
from engine.page import Page


@dataclass(frozen=True)
class VipsParams(Params):
    pdoc: int = param(4, "how coherent a block must be to stay whole (PDoC)", low=1, high=11)
    small: float = param(
        0.1, "share of the page or block below which a node is not divided", low=0.0, high=1.0
    )
    separators: bool = param(True, "lay the blocks out again by the separators between them")
    depth: int = param(
        2, "steps down the content structure to level 1, if there are separators", low=1, high=10
    )
    rounds: int = param(0, "rounds after which to stop; 0 for as many as PDoC asks", low=0, high=50)


def structure(page: Page, params: VipsParams, notify: OnRound | None = None) -> BlockStructure:
    """Return the whole content structure with its rounds, for looking at."""
    return divide_page(
        Layout(page.rendered()),
        params.pdoc,
        params.small,
        separators=params.separators,
        max_rounds=params.rounds or MOST_ROUNDS,
        notify=notify,
    )


def segment(page: Page, params: VipsParams) -> Segmentation:
    """Return two levels of the content structure."""
    if not len(page.rendered()):
        return Segmentation(page.rendered(), ())
    result = structure(page, params)
    rounds = tuple(map(_shown, result.rounds))
    return Segmentation(page.rendered(), tuple(_blocks(result, params)), rounds)


def _blocks(structure: BlockStructure, params: VipsParams) -> list[Block]:
    """Return the blocks of both levels, in document order."""
    blocks = []
    for first in structure.at(params.depth if params.separators else 1):
        blocks.append(Block(first.rows, 1, reason=first.reason))
        if structure.parts(first):
            blocks.extend(
                Block(leaf.rows, 2, reason=leaf.reason) for leaf in structure.leaves(first)
            )
    return sorted(blocks, key=lambda block: (block.rows[0], block.level))


def _shown(divisions: Sequence[Division]) -> Round:
    """Return a round for display."""
    merged = [node for division in divisions for node, _ in division.merged]
    return Round(
        tuple(_part(division.block) for division in divisions),
        tuple(_part(block) for division in divisions for block in division.pool),
        tuple(
            Separator(each.rect, each.weight, ", ".join(each.reasons))
            for division in divisions
            for each in division.separators
        ),
        tuple(map(_part, merged)),
    )


def _part(block: VisualBlock) -> Part:
    return Part(block.rows, f"DoC {block.doc}", block.reason)


def trace(page: Page, params: VipsParams) -> Trace:
    """Return round by round which rule kept or divided a node, and how coherent it is."""
    if not len(page.rendered()):
        return Trace((), 0)
    layout, asked = Layout(page.rendered()), list[NodeAnswer]()
    result = structure(page, params, lambda *each: asked.append(NodeAnswer(*each)))
    steps = steps_of_rounds(layout, result, asked, params.pdoc)
    return Trace(
        steps + ended(steps, _blocks(result, params), len(layout.nodes)), len(layout.nodes)
    )


METHOD = Method(
    "vips",
    "VIPS",
    VipsParams,
    "segmentation",
    cite="Cai, Yu, Wen, Ma 2003",
    on_page=segment,
    trace_page=trace,
    summary="Divides the page by rules on tags, colours, text and size until blocks are coherent; "
    "lays them out again by the separators between them.",
)
