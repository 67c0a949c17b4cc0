"""Rectangles as arrays, (n, 4): x, y, width, height in CSS px.  Pure functions, no loop over rows.

A rectangle without area (width or height 0 or less) covers nothing: it has area 0, meets nothing
and adds nothing to a union.  Everything is computed in float64.
"""

from collections.abc import Iterable
from typing import cast

import numpy as np
import numpy.typing as npt

from engine.nodes import NodeTable
from engine.tree import Doubles, lock

Rects = npt.NDArray[np.floating]
Box = tuple[float, float, float, float]
"""x, y, width, height in CSS px from the page's top left."""


def corners(rects: Rects) -> Doubles:
    """Return left, top, right, bottom of each rectangle, float64 (n, 4)."""
    result = np.array(rects, dtype=np.float64).reshape(-1, 4)
    result[:, 2:] += result[:, :2]
    return result


def from_corners(edges: Doubles) -> Doubles:
    """Return x, y, width, height of left, top, right, bottom, float64 (n, 4)."""
    result = np.array(edges, dtype=np.float64).reshape(-1, 4)
    result[:, 2:] -= result[:, :2]
    return result


def areas(rects: Rects) -> Doubles:
    """Return width times height, never below 0, float64 (n,)."""
    size = np.clip(np.asarray(rects, dtype=np.float64).reshape(-1, 4)[:, 2:], 0, None)
    return np.asarray(size[:, 0] * size[:, 1])


def union(rects: Rects) -> Doubles:
    """Return the smallest rectangle around all that have an area, (4,); zeros if none has."""
    result = corners(np.asarray(rects).reshape(-1, 4)[areas(rects) > 0])
    if not result.size:
        return np.zeros(4)
    left_top, right_bottom = result[:, :2].min(axis=0), result[:, 2:].max(axis=0)
    return np.concatenate((left_top, right_bottom - left_top))


def box_of(nodes: NodeTable, rows: Iterable[int]) -> Box:
    """Return the smallest box around those of a block's rows that have an area; or zeros."""
    x, y, width, height = union(nodes.rect[list(rows)]).tolist()
    return x, y, width, height


def overlaps(first: Rects, second: Rects) -> Doubles:
    """Return the area each of ``first``, (n, 4), shares with each of ``second``, (m, 4): (n, m)."""
    a, b = corners(first)[:, None], corners(second)[None, :]
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    return np.asarray(np.prod(np.clip(sides, 0, None), axis=-1))


def covered(first: Rects, second: Rects) -> Doubles:
    """Return the share of each of ``first`` that is inside each of ``second``, 0 to 1: (n, m)."""
    shared, own = overlaps(first, second), areas(first)[:, None]
    return np.divide(shared, own, out=np.zeros_like(shared), where=own > 0)


def iou(first: Rects, second: Rects) -> Doubles:
    """Return the shared over the united area of each pair, 0 to 1: (n, m); 0 where both are 0."""
    shared = overlaps(first, second)
    either = areas(first)[:, None] + areas(second)[None, :] - shared
    return np.divide(shared, either, out=np.zeros_like(shared), where=either > 0)


def visual_rects(
    nodes: NodeTable, *, on_page: bool = False, apart: npt.NDArray[np.bool_] | None = None
) -> Doubles:
    """Return each row's box united with those of all visible rows below it, float64 (n, 4).

    A wrapper of no height around floats gets the size a reader would give it; a row with nothing
    to see at or below it gets zeros.  ``on_page`` counts only content on the page, without text
    moved out of it; rows ``apart``, bool (n,), do not enlarge their ancestors.  O(n), once a page
    unless rows are apart; locked.
    """
    if apart is not None:
        return _visual_rects(nodes, on_page, apart)
    key = (visual_rects, on_page)
    result = nodes.memo.get(key)
    if result is None:
        result = nodes.memo[key] = _visual_rects(nodes, on_page, None)
    return cast(Doubles, result)


def _visual_rects(nodes: NodeTable, on_page: bool, apart: npt.NDArray[np.bool_] | None) -> Doubles:
    edges = corners(nodes.rect)
    if on_page:
        edges = np.clip(edges, 0, (nodes.width, nodes.height) * 2)
    seen = nodes.visible & (areas(from_corners(edges)) > 0)
    edges[~seen] = (np.inf, np.inf, -np.inf, -np.inf)
    left, top, right, bottom = (edges[:, side].tolist() for side in range(4))
    parents = nodes.parent.tolist()
    joins = [True] * len(parents) if apart is None else (~apart).tolist()
    for row in range(len(parents) - 1, 0, -1):
        if not joins[row]:
            continue
        parent = parents[row]
        if left[row] < left[parent]:
            left[parent] = left[row]
        if top[row] < top[parent]:
            top[parent] = top[row]
        if right[row] > right[parent]:
            right[parent] = right[row]
        if bottom[row] > bottom[parent]:
            bottom[parent] = bottom[row]
    united = np.array([left, top, right, bottom]).T.reshape(-1, 4)
    united[~np.isfinite(united).all(axis=1)] = 0
    result = from_corners(united)
    lock(result)
    return result
