"""The way down of methods that follow the child that covers most of its parent, as a trace.

Each step is one element on the way: how much of it its largest child covers, against the share from
which a child is followed alone.  The last step holds the blocks.
"""

from collections.abc import Iterable

import numpy as np

from algorithms.results import Block
from algorithms.trace import Rule, Step, Trace, step
from engine.words import plural

COVERS = Rule("share of it that its largest child covers", "<=", ("dominance",), is_share=True)
STANDS = Rule("where the way down ends")


def traced_way(
    ways: Iterable[tuple[tuple[int, ...], int, float]],
    blocks: Iterable[Block],
    dominance: float,
    size: int,
) -> Trace:
    """Return the decisions on a way down.

    Args:
        ways: Rows at each step, how many children are seen in them, and the share of the largest.
        blocks: What was found at the ends.
        dominance: The share above which a child is followed alone.
        size: How many rows there are.
    """
    steps: list[Step] = []
    for rows, inside, share in ways:
        ends = inside > 1 and share <= dominance
        note = f"{plural(inside, 'child is', 'children are')} seen in it"
        said = "they stand side by side" if ends else "the way goes on inside"
        places = [(row, row + 1) for row in rows]
        notes = (f"{note}: {said if inside else 'the way ends here'}",) * len(rows)
        steps.append(step(COVERS, places, np.full(len(rows), False), share, dominance, notes))
    kept: dict[int, str] = {}
    for block in blocks:
        for row in block.rows:
            kept.setdefault(row, block.reason)
    if kept:
        places = [(row, row + 1) for row in sorted(kept)]
        reasons = tuple(kept[row] for row in sorted(kept))
        steps.append(step(STANDS, places, np.full(len(kept), True), notes=reasons))
    return Trace(tuple(steps), size)
