"""Common parts of traces of methods that segment: the descent and its end.

Terrain and WebTerrain follow the child that covers most of its parent: each step is one element on
the way, how much of it its largest child covers against the share from which a child is followed
alone.  The last step of a trace holds the blocks.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from algorithms.results import Block
from algorithms.trace import Rule, Step, Trace, row_spans, step
from engine.nodes import NodeTable
from engine.words import plural

IS_BLOCK = ("a block", "no block")
"""Labels of rows that are blocks and of others."""

COVERS = Rule(
    "share of it that its largest child covers", "<=", ("dominance",), is_share=True,
    verbs=IS_BLOCK, measured="its largest child covers {} of it",
)  # fmt: skip
STANDS = Rule("the descent ends here", verbs=IS_BLOCK, is_in_note=True)


def body_of(nodes: NodeTable) -> int:
    """Return the row of ``body``, or of ``frameset``; the root's if there is neither."""
    bodies = np.flatnonzero(nodes.has_tag("body", "frameset") & (nodes.parent == 0))
    return int(bodies[0]) if bodies.size else 0


@dataclass(frozen=True)
class Descent:
    """Step of a descent, for display.

    Attributes:
        way: Number of the descent, from 0: the first leads from the page to its level-1 blocks,
            each later one down into a block that may be opened.
        rows: Rows of this step.
        inside: How many children are seen in it.
        share: Of its area that the largest of them covers; 0 where there is none.
    """

    way: int
    rows: tuple[int, ...]
    inside: int
    share: float


def traced_descent(
    descent: Iterable[Descent], blocks: Iterable[Block], dominance: float, size: int
) -> Trace:
    """Return the decisions of a descent.

    Args:
        descent: Its steps.
        blocks: The blocks found at the ends.
        dominance: The share above which a child is followed alone.
        size: How many rows there are.
    """
    steps: list[Step] = []
    for each in descent:
        ends = each.inside > 1 and each.share <= dominance
        note = f"{plural(each.inside, 'visible child', 'visible children')}"
        text = "side by side, so each is examined" if ends else "the descent continues inside"
        notes = (f"{note}: {text if each.inside else 'the descent ends here'}",) * len(each.rows)
        steps.append(step(COVERS, row_spans(each.rows), False, each.share, dominance, notes))
    return Trace((*steps, *end_of_way(STANDS, blocks)), size)


def end_of_way(rule: Rule, blocks: Iterable[Block]) -> tuple[Step, ...]:
    """Return the step that makes rows blocks, each with its reason; no step where there is none."""
    reasons: dict[int, str] = {}
    for block in blocks:
        for row in block.rows:
            reasons.setdefault(row, block.reason)
    if not reasons:
        return ()
    rows = sorted(reasons)
    notes = tuple(reasons[row] for row in rows)
    return (step(rule, row_spans(rows), True, notes=notes),)
