"""From a rectangle to its nodes: the one it fits, or neighbours inside it.

For manually drawn rectangles, in Pagelet or in a tool that knows pictures alone.
"""

from collections.abc import Sequence

import numpy as np

from algorithms.levels import Level
from annotate.marks.gold import Gold, Mark, Target
from engine import geometry
from engine.geometry import Box
from engine.nodes import NodeTable
from engine.tree import Doubles, Longs

FIT = 0.75
"""How alike, by intersection over union, a rectangle and what it means must be."""

CLEAR = 0.05
"""How much more alike neighbours are together than the likest element, to be meant instead.

Of 1,211 gold blocks of one element (Kreuzer's random pages) this loses none where edges are drawn
up to 5 px off, and 2 at 12 px; of 54 of several elements (sample pages) 41 are meant instead of 34.
"""

SLACK = 20.0
"""Largest error of each edge of a drawn rectangle, px on screen."""

HOLDS = 0.5
"""Least share of its visible parts that an element's box covers, else theirs is used.

Also the least share of an element that a rectangle covers, to mean it.
"""


def fit_rectangle(
    nodes: NodeTable, box: Box, fit: float = FIT, slack: float = 0.0, clear: float = CLEAR
) -> tuple[Target, ...]:
    """Return what a rectangle means, in document order; nothing where no node fits it.

    The element whose visible box (`shown_rects`) or box of own text is most similar is taken; of
    equal ones the outermost.  The neighbours below one parent that it holds by ``fit`` of their
    area each are taken instead, if together they are as like it, and by ``clear`` more so: a box
    around header and menu is like the header alone.  Else of those that it holds by half, the one
    whose edges are nearest to its own, if none is further away than ``slack``: a thin menu is
    unlike a rectangle that a hand draws around it.

    Args:
        nodes: The page.
        box: x, y, width, height in px from the page's top left.
        fit: Smallest similarity, by intersection over union, 0 to 1.
        slack: How far away each edge may be, px; for what a hand draws.
        clear: How much more alike neighbours must be than an element that is as like; 1 for never.
    """
    rects = shown_rects(nodes)
    shown = _shown(nodes, rects)
    if not shown.size or box[2] <= 0 or box[3] <= 0:
        return ()
    target = np.array([box], dtype=np.float64)
    texts = _text_rects(nodes)
    alike = np.maximum(_alike(nodes, rects, shown, target), geometry.iou(target, texts[shown])[0])
    best = int(np.argmax(alike))
    one = float(alike[best])
    held = shown[geometry.covered(rects[shown], target)[:, 0] >= fit]
    groups = _families(nodes, held[~np.isin(nodes.parent[held], held)])
    together = np.array([geometry.union(rects[rows]) for rows in groups]).reshape(-1, 4)
    if groups:
        scores = geometry.iou(target, together)[0]
        likest = len(scores) - 1 - int(np.argmax(scores[::-1]))
        if scores[likest] >= (one + clear if one >= fit else fit):
            return tuple(map(Target, groups[likest]))
    if one >= fit:
        return (Target(int(shown[best])),)
    boxes = np.concatenate([rects[shown], together])
    is_held = geometry.covered(boxes, target)[:, 0] >= HOLDS
    gaps = np.where(is_held, _gaps(boxes, box), np.inf)
    own = texts[shown]
    is_text = (geometry.covered(own, target)[:, 0] >= HOLDS) & (geometry.areas(own) > 0)
    of_text = np.where(is_text, _gaps(own, box), np.inf)
    gaps[: shown.size] = np.minimum(gaps[: shown.size], of_text)
    near = int(np.argmin(gaps))
    if gaps[near] > slack:
        return ()
    rows = [int(shown[near])] if near < shown.size else groups[near - shown.size]
    return tuple(map(Target, rows))


def inside(nodes: NodeTable, box: Box, fit: float = FIT, slack: float = 0.0) -> tuple[Target, ...]:
    """Return all that lies in a rectangle, in document order: the outermost elements there.

    An element is in it by ``fit`` of its area or of its text's; a part beyond the page's edge does
    not count.  Elements without words and pictures are left out.  For main content, a set of
    elements without a shape.

    Args:
        nodes, box: As in `fit_rectangle`.
        fit: Least share of an element in the box, 0 to 1.
        slack: How far the box may fall short of each edge, px; for what a hand draws.
    """
    rects = shown_rects(nodes)
    shown = _shown(nodes, rects)
    if not shown.size or box[2] <= 0 or box[3] <= 0:
        return ()
    grown = [box[0] - slack, box[1] - slack, box[2] + 2 * slack, box[3] + 2 * slack]
    target = np.array([grown], dtype=np.float64)
    edges = geometry.corners(rects[shown])
    on_page = geometry.from_corners(np.clip(edges, 0, (nodes.width, nodes.height) * 2))
    texts = _text_rects(nodes)[shown]
    held = (geometry.covered(on_page, target)[:, 0] >= fit) | (
        (geometry.areas(texts) > 0) & (geometry.covered(texts, target)[:, 0] >= fit)
    )
    pictures = nodes.has_tag("img", "svg", "picture", "video", "canvas")
    counts = nodes.has_words | pictures
    rows = [int(row) for row in shown[held] if counts[row : nodes.end[row]].any()]
    result: list[int] = []
    for row in rows:
        if not result or not nodes.is_inside(row, result[-1]):
            result.append(row)
    return tuple(map(Target, result))


def in_frame(nodes: NodeTable, box: Box, *, is_free: bool) -> tuple[Target, ...]:
    """Return what a frame holds whose edges a hand has moved; nothing where nothing is seen.

    Elements, and neighbours that it holds by half each, compete by similarity of their boxes to it:
    a frame without the last part of an element means the other parts.

    Args:
        nodes: The page.
        box: x, y, width, height in px from the page's top left.
        is_free: Whether elements of several parents may be taken together, as main content.
    """
    rects, target = shown_rects(nodes), np.array([box], dtype=np.float64)
    shown = _shown(nodes, rects)
    if not shown.size or box[2] <= 0 or box[3] <= 0:
        return ()
    own = geometry.iou(target, _text_rects(nodes)[shown])[0]
    alike = np.maximum(_alike(nodes, rects, shown, target), own)
    best = int(np.argmax(alike))
    result: tuple[Target, ...] = (Target(int(shown[best])),)
    score = float(alike[best])
    groups = _families(nodes, shown[geometry.covered(rects[shown], target)[:, 0] >= HOLDS])
    several = [tuple(map(Target, rows)) for rows in groups if not _is_parent(nodes, rects, rows)]
    if is_free:
        several.append(inside(nodes, box, HOLDS))
    for each in several:
        together = geometry.union(rects[[one.row for one in each]])[None] if each else target * 0
        fit = float(geometry.iou(target, together)[0, 0])
        if fit > score:
            result, score = each, fit
    return result


def _families(nodes: NodeTable, rows: Longs) -> list[list[int]]:
    """Return those of some elements that are neighbours below one parent, for each parent."""
    families: dict[int, list[int]] = {}
    for row in rows.tolist():
        families.setdefault(int(nodes.parent[row]), []).append(row)
    several = ((parent, rows) for parent, rows in families.items() if len(rows) > 1)
    return [rows for parent, rows in several if _side_by_side(nodes, parent, rows)]


def _is_parent(nodes: NodeTable, rects: Doubles, rows: list[int]) -> bool:
    """Whether children are all that is seen of an element whose box is like theirs together."""
    parent = int(nodes.parent[rows[0]])
    children = nodes.children(parent)
    seen = children[nodes.has_words[children] | (geometry.areas(rects[children]) > 0)]
    together = geometry.union(rects[rows])[None]
    is_like = float(geometry.iou(together, rects[[parent]])[0, 0]) >= HOLDS
    return is_like and set(seen.tolist()) <= set(rows)


def nearest(nodes: NodeTable, box: Box) -> int:
    """Return the row of the element whose edges are nearest to those of a box; -1 for none."""
    rects = shown_rects(nodes)
    shown = _shown(nodes, rects)
    return int(shown[np.argmin(_gaps(rects[shown], box))]) if shown.size else -1


def _shown(nodes: NodeTable, rects: Doubles) -> Longs:
    """Return the rows of the elements of the page itself that are seen."""
    is_seen = ~nodes.is_text & (nodes.frame == 0) & (geometry.areas(rects) > 0)
    return np.flatnonzero(is_seen & (nodes.visible | (rects != nodes.rect).any(axis=1)))


def _text_rects(nodes: NodeTable) -> Doubles:
    """Return the box of each row's own texts, px, (n, 4); zeros where it has none.

    A heading is as wide as its column, and its words are what one draws around.
    """
    texts = np.flatnonzero(nodes.is_text & nodes.visible & (geometry.areas(nodes.rect) > 0))
    edges = np.tile(np.array([np.inf, np.inf, -np.inf, -np.inf]), (len(nodes), 1))
    own, parents = geometry.corners(nodes.rect[texts]), nodes.parent[texts]
    for side in (0, 1):
        np.minimum.at(edges[:, side], parents, own[:, side])
        np.maximum.at(edges[:, side + 2], parents, own[:, side + 2])
    has_none = ~np.isfinite(edges).all(axis=1)
    edges[has_none] = 0.0
    return geometry.from_corners(edges)


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


def level_at(gold: Gold, nodes: NodeTable, targets: Sequence[Target]) -> Level:
    """Return the level of a block from where it lies: 2 in another level-1 block, else 1."""
    around = blocks_around(gold, nodes, targets)
    return 2 if any(mark.targets != tuple(targets) for mark in around) else 1


def _side_by_side(nodes: NodeTable, parent: int, rows: list[int]) -> bool:
    """Whether nothing that is seen stands between the first and the last of some children."""
    children = nodes.children(parent)
    between = children[(children >= rows[0]) & (children <= rows[-1])]
    seen = nodes.visible[between] & (nodes.area[between] > 0) & ~nodes.is_text[between]
    return set(between[seen | nodes.has_words[between]].tolist()) <= set(rows)
