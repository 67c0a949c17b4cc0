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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Block, Part, Round, Segmentation, Separator
from algorithms.segmentation.vips.content_tree import (
    MOST_ROUNDS,
    BlockStructure,
    Division,
    OnRound,
    divide_page,
)
from algorithms.segmentation.vips.layout import VipsLayout
from algorithms.segmentation.vips.rules import (
    DIVIDED,
    MERGED,
    REASONS,
    NodeOnWalk,
    RuleAnswer,
    Verdict,
)
from algorithms.segmentation.vips.visual_blocks import VisualBlock
from algorithms.signals.traversal import IS_BLOCK, end_of_way
from algorithms.trace import Rule, Step, Trace, row_spans, step
from engine.page import Page

_WHOLE = ("kept whole", "divided")
_STANDS = Rule("on a level of the result", verbs=IS_BLOCK, is_in_note=True)
_BETWEEN = Rule("between the levels of the result", verbs=IS_BLOCK)
_COHERENT = Rule(
    "degree of coherence (DoC)", ">=", ("pdoc",),
    verbs=("coherent enough", "to be divided further"),
)  # fmt: skip
_PART = Rule(
    "share of its largest part in the block being divided", "<", ("small",), is_share=True,
    verbs=_WHOLE, measured="its largest part is {} of the block being divided",
)  # fmt: skip
_OWN = Rule(
    "its share in the block being divided", "<", ("small",), is_share=True,
    verbs=_WHOLE, measured="with its own text it is {} of the block being divided",
)  # fmt: skip
_BY_SIZE = (10, 12)
"""Rules that keep a node, or divide it, for the size of its largest part."""


@dataclass(frozen=True)
class NodeAnswer:
    """Answer for one node in one round."""

    number: int
    node: NodeOnWalk
    answer: RuleAnswer


def steps_of_rounds(
    layout: VipsLayout, structure: BlockStructure, asked: Sequence[NodeAnswer], pdoc: int
) -> tuple[Step, ...]:
    """Return the steps of all rounds, first things first."""
    steps: list[Step] = []
    for number in range(1, len(structure.rounds) + 1):
        of_round = [each for each in asked if each.number == number]
        steps += _answers(layout, number, of_round)
        divisions = structure.rounds[number - 1]
        pool = [block for division in divisions for block in division.pool]
        docs = {row: block.doc for block in pool for row in block.rows}
        if docs:
            values = np.array(list(docs.values()), dtype=float)
            notes = (f"after round {number}",) * len(docs)
            steps.append(
                step(_COHERENT, row_spans(list(docs)), values >= pdoc, values, pdoc, notes)
            )
        merged = {
            row: node.doc for division in divisions for node, _ in division.merged
            for row in node.rows
        }  # fmt: skip
        if merged:
            rule = Rule(f"laid out again in round {number}", verbs=("a node", "no node"))
            notes = tuple(f"{REASONS[MERGED]} (DoC {doc})" for doc in merged.values())
            steps.append(step(rule, row_spans(list(merged)), True, notes=notes))
    return tuple(steps)


def end_steps(steps: tuple[Step, ...], blocks: Sequence[Block], size: int) -> tuple[Step, ...]:
    """Return the last steps: the blocks in the end, and nodes kept whole that are none."""
    rows = {row for block in blocks for row in block.rows}
    between = [row for row in np.flatnonzero(Trace(steps, size).kept).tolist() if row not in rows]
    none = (step(_BETWEEN, row_spans(between), False),) if between else ()
    return (*none, *end_of_way(_STANDS, blocks))


def _answers(layout: VipsLayout, number: int, asked: Sequence[NodeAnswer]) -> Iterator[Step]:
    """Yield the rules' answers in one round: by size, by other properties, on unseen nodes."""
    plain = Rule(f"round {number}", verbs=_WHOLE)
    unseen = Rule(f"round {number}", verbs=("seen", "left out"))
    kinds: dict[Rule, list[NodeAnswer]] = {plain: [], _PART: [], _OWN: [], unseen: []}
    for each in asked:
        if each.answer.action is Verdict.CUT:
            kinds[unseen].append(each)
        elif each.answer.rule in _BY_SIZE:
            kinds[_PART].append(each)
        else:
            kinds[_OWN if each.answer.rule == 9 else plain].append(each)
    for rule, those in kinds.items():
        if not those:
            continue
        is_kept = [each.answer.action is Verdict.KEEP for each in those]
        is_sized = rule is _PART or rule is _OWN
        before = f"round {number}: " if is_sized else ""
        notes = tuple(before + _sentence(each.answer) for each in those)
        positions = row_spans([each.node.row for each in those])
        if is_sized:
            values = [_share(layout, each.node, is_own=rule is _OWN) for each in those]
            limits = [each.node.small for each in those]
            yield step(rule, positions, is_kept, values, limits, notes)
        else:
            yield step(rule, positions, is_kept, notes=notes)


def _share(layout: VipsLayout, node: NodeOnWalk, *, is_own: bool) -> float:
    rows = [node.row] if is_own else layout.children[node.row]
    return float(layout.areas[rows].max()) / node.whole if node.whole else 0.0


def _sentence(answer: RuleAnswer) -> str:
    if answer.action is Verdict.KEEP:
        number = f"rule {answer.rule}, " if answer.rule else ""
        return f"{REASONS[answer.rule]} ({number}DoC {answer.doc})"
    return f"{DIVIDED[answer.rule]} (rule {answer.rule})"


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
    rounds: int = param(
        0,
        "rounds after which to stop; 0 for as many as PDoC asks",
        low=0,
        high=50,
        special="as many as PDoC asks",
    )


def structure(page: Page, params: VipsParams, notify: OnRound | None = None) -> BlockStructure:
    """Return the whole content structure with its rounds, for looking at."""
    return divide_page(
        VipsLayout(page.rendered()),
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
    layout, asked = VipsLayout(page.rendered()), list[NodeAnswer]()
    result = structure(page, params, lambda *each: asked.append(NodeAnswer(*each)))
    steps = steps_of_rounds(layout, result, asked, params.pdoc)
    return Trace(
        steps + end_steps(steps, _blocks(result, params), len(layout.nodes)), len(layout.nodes)
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
