"""What traces of methods that segment have in common: the descent and its end.

Terrain and WebTerrain follow the child that covers most of its parent: each step is one element on
the way, how much of it its largest child covers against the share from which a child is followed
alone.  The last step of a trace holds the blocks.
"""

from collections.abc import Iterable

import numpy as np

from algorithms.results import Block
from algorithms.trace import Rule, Step, Trace, row_spans, step
from engine.words import plural

IS_BLOCK = ("a block", "no block")
"""Labels of rows that are blocks and of others."""

COVERS = Rule(
    "share of it that its largest child covers", "<=", ("dominance",), is_share=True,
    verbs=IS_BLOCK, measured="its largest child covers {} of it",
)  # fmt: skip
STANDS = Rule("the way down ends here", verbs=IS_BLOCK, is_in_note=True)


def traced_descent(
    descent: Iterable[tuple[tuple[int, ...], int, float]],
    blocks: Iterable[Block],
    dominance: float,
    size: int,
) -> Trace:
    """Return the decisions of a descent.

    Args:
        descent: Rows at each step, how many children are seen in them, the share of the largest.
        blocks: The blocks found at the ends.
        dominance: The share above which a child is followed alone.
        size: How many rows there are.
    """
    steps: list[Step] = []
    for rows, inside, share in descent:
        ends = inside > 1 and share <= dominance
        note = f"{plural(inside, 'visible child', 'visible children')}"
        text = "side by side, so each is examined" if ends else "the way goes on inside"
        positions = row_spans(rows)
        notes = (f"{note}: {text if inside else 'the way ends here'}",) * len(rows)
        steps.append(step(COVERS, positions, np.full(len(rows), False), share, dominance, notes))
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
    positions = row_spans(rows)
    return (
        step(rule, positions, np.full(len(rows), True), notes=tuple(reasons[row] for row in rows)),
    )
