"""Which rectangles a hand drags to hold some marks of a page, and no others."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.marks.gold import Mark
from engine import geometry
from engine.nodes import NodeTable
from engine.tree import Doubles

SHARE = 0.9
"""A rectangle holds a mark by this share of its area, as `annotate.marks.fit.marks_in` has it."""

Frame = Callable[[Sequence[float]], tuple[float, float, float, float]]


@dataclass(frozen=True)
class Held:
    """One rectangle, x, y, width and height in px, and the marks wanted that it holds."""

    box: tuple[float, float, float, float]
    ids: frozenset[str]


def box_of(nodes: NodeTable, mark: Mark) -> Doubles:
    """Return the box around a mark's nodes."""
    return geometry.union(nodes.rect[[t.row for t in mark.targets]]).astype(np.float64)


def cover(
    nodes: NodeTable,
    wanted: Collection[Mark],
    others: Collection[Mark],
    frame: Frame,
    highest: float,
) -> tuple[list[Held], list[Mark]]:
    """Return few rectangles that hold all marks wanted and none of others; and who is left.

    Each step takes the rectangle around two of the marks that holds most of those still missing.

    Args:
        nodes: The page.
        wanted: What must be held.
        others: What must not be.
        frame: What a hand drags around a box.
        highest: How high a rectangle may be, px.
    """
    asked = list(wanted)
    if not asked:
        return [], []
    boxes = np.stack([box_of(nodes, mark) for mark in asked])
    first, second = np.triu_indices(len(asked))
    left = np.minimum(boxes[first, :2], boxes[second, :2])
    right = np.maximum(boxes[first, :2] + boxes[first, 2:], boxes[second, :2] + boxes[second, 2:])
    pairs = np.concatenate([left, right - left], axis=1)
    frames = np.array([frame(pair) for pair in pairs.tolist()])
    holds = geometry.covered(boxes, frames) >= SHARE
    fine = frames[:, 3] <= highest
    if others:
        strange = np.stack([box_of(nodes, mark) for mark in others])
        fine &= ~(geometry.covered(strange, frames) >= SHARE).any(axis=0)
    missing = np.ones(len(asked), dtype=bool)
    result: list[Held] = []
    while True:
        gain = (holds & missing[:, None]).sum(axis=0) * fine
        best = int(np.argmax(gain))
        if gain[best] == 0:
            break
        ids = frozenset(asked[k].id for k in np.flatnonzero(holds[:, best]))
        result.append(Held(tuple(pairs[best].tolist()), ids))
        missing &= ~holds[:, best]
    return result, [asked[k] for k in np.flatnonzero(missing)]
