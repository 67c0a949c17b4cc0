"""From a rectangle to its nodes: the one it fits, or neighbours inside it.

For manually drawn rectangles, in Pagelet or in a tool that knows pictures alone.
"""

from collections.abc import Sequence

import numpy as np

from annotate.marks.gold import Gold, Mark, Target
from engine import geometry
from engine.geometry import Box
from engine.nodes import NodeTable
from engine.tree import Doubles, Longs

FIT = 0.75
"""How alike, by intersection over union, a rectangle and what it means must be."""

SLACK = 20.0
"""Largest error of each edge of a drawn rectangle, px on screen."""

HOLDS = 0.5
"""What covers less than this share of what is seen of its parts is not seen as their box; what a
rectangle covers less of is not meant by it."""


def fitted(nodes: NodeTable, box: Box, fit: float = FIT, slack: float = 0.0) -> tuple[Target, ...]:
    """Return what a rectangle means, in document order; nothing where no node fits it.

    The element with the most similar visible box (`shown_rects`) is taken; of equal ones the
    outermost.  Else the neighbours below one parent that it holds by ``fit`` of their area each, if
    together they are as like it.  Else of those that it holds by half, the one whose edges are
    nearest to its own, if none is further away than ``slack``: a thin menu is unlike a rectangle
    that a hand draws around it.

    Args:
        nodes: The page.
        box: x, y, width, height in px from the page's top left.
        fit: Smallest similarity, by intersection over union, 0 to 1.
        slack: How far away each edge may be, px; for what a hand draws.
    """
    rects = shown_rects(nodes)
    shown = _shown(nodes, rects)
    if not shown.size or box[2] <= 0 or box[3] <= 0:
        return ()
    target = np.array([box], dtype=np.float64)
    alike = _alike(nodes, rects, shown, target)
    best = int(np.argmax(alike))
    if alike[best] >= fit:
        return (Target(int(shown[best])),)
    held = shown[geometry.covered(rects[shown], target)[:, 0] >= fit]
    outer = held[~np.isin(nodes.parent[held], held)]
    families: dict[int, list[int]] = {}
    for row in outer.tolist():
        families.setdefault(int(nodes.parent[row]), []).append(row)
    several = ((parent, rows) for parent, rows in families.items() if len(rows) > 1)
    groups = [rows for parent, rows in several if _side_by_side(nodes, parent, rows)]
    together = np.array([geometry.union(rects[rows]) for rows in groups]).reshape(-1, 4)
    if groups:
        scores = geometry.iou(target, together)[0]
        likest = len(scores) - 1 - int(np.argmax(scores[::-1]))
        if scores[likest] >= fit:
            return tuple(map(Target, groups[likest]))
    boxes = np.concatenate([rects[shown], together])
    is_held = geometry.covered(boxes, target)[:, 0] >= HOLDS
    gaps = np.where(is_held, _gaps(boxes, box), np.inf)
    near = int(np.argmin(gaps))
    if gaps[near] > slack:
        return ()
    rows = [int(shown[near])] if near < shown.size else groups[near - shown.size]
    return tuple(map(Target, rows))


def nearest(nodes: NodeTable, box: Box) -> int:
    """Return the row of the element whose edges are nearest to those of a box; -1 for none."""
    rects = shown_rects(nodes)
    shown = _shown(nodes, rects)
    return int(shown[np.argmin(_gaps(rects[shown], box))]) if shown.size else -1


def _shown(nodes: NodeTable, rects: Doubles) -> Longs:
    """Return the rows of the elements of the page itself that are seen."""
    is_seen = ~nodes.is_text & (nodes.frame == 0) & (geometry.areas(rects) > 0)
    return np.flatnonzero(is_seen & (nodes.visible | (rects != nodes.rect).any(axis=1)))


def _gaps(rects: Doubles, box: Box) -> Doubles:
    """Return how far the edges of boxes are from those of one, the furthest of each, px, (n,)."""
    edges = geometry.corners(np.array([box], dtype=np.float64))
    return np.asarray(np.abs(geometry.corners(rects) - edges).max(axis=1))


def _alike(nodes: NodeTable, rects: Doubles, rows: Longs, target: Doubles) -> Doubles:
    """Return the similarity of a box to the full or visible boxes of rows, (n,)."""
    own = geometry.iou(target, nodes.rect[rows])[0] * nodes.visible[rows]
    return np.asarray(np.maximum(own, geometry.iou(target, rects[rows])[0]))


def shown_rects(nodes: NodeTable) -> Doubles:
    """Return each row's box as a reader sees it, px, (n, 4).

    It is its own, but where its parts show at least ``1 / HOLDS`` times as much: a header of no
    height that holds floats is seen as large as these.
    """
    seen = geometry.visual_rects(nodes, on_page=True)
    is_hollow = geometry.areas(nodes.rect) < HOLDS * geometry.areas(seen)
    return np.where(is_hollow[:, None], seen, nodes.rect)


def marks_in(gold: Gold, nodes: NodeTable, box: Box, share: float = 0.9) -> tuple[Mark, ...]:
    """Return the marks inside a rectangle by ``share`` of their area, in document order."""
    marks = [mark for mark in gold.marks if mark.targets]
    if not marks or box[2] <= 0 or box[3] <= 0:
        return ()
    rects = shown_rects(nodes)
    boxes = np.stack([geometry.union(rects[[t.row for t in mark.targets]]) for mark in marks])
    held = geometry.covered(boxes, np.array([box], dtype=np.float64))[:, 0] >= share
    result = [mark for mark, is_in in zip(marks, held.tolist(), strict=True) if is_in]
    return tuple(sorted(result, key=lambda m: (m.targets[0].row, m.level)))


def blocks_around(gold: Gold, nodes: NodeTable, targets: Sequence[Target]) -> tuple[Mark, ...]:
    """Return the level-1 blocks, drafts too, that hold all of these nodes."""
    return tuple(
        mark
        for mark in gold.of_level(1)
        if all(any(nodes.is_inside(t.row, own.row) for own in mark.targets) for t in targets)
    )


def level_at(gold: Gold, nodes: NodeTable, targets: Sequence[Target]) -> int:
    """Return the level of a block from where it lies: 2 in another level-1 block, else 1."""
    around = blocks_around(gold, nodes, targets)
    return 2 if any(mark.targets != tuple(targets) for mark in around) else 1


def _side_by_side(nodes: NodeTable, parent: int, rows: list[int]) -> bool:
    """Whether nothing that is seen stands between the first and the last of some children."""
    children = nodes.children(parent)
    between = children[(children >= rows[0]) & (children <= rows[-1])]
    seen = nodes.visible[between] & (nodes.area[between] > 0) & ~nodes.is_text[between]
    return set(between[seen | nodes.has_words[between]].tolist()) <= set(rows)
