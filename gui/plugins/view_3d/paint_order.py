"""Paint order of elements: the order a browser paints in, and what overflow cuts away.

Source: CSS 2.2, Appendix E ("Elaborate description of Stacking Contexts").  Departures: what no
column tells, as transforms, filters and ``pointer-events``, makes no stacking context here; an
inline element counts with the box around all of its lines.
"""

import numpy as np

from engine.nodes import NodeTable
from engine.tree import Bools, Doubles, Ints

_PaintKey = tuple[tuple[int, int, int], ...]

_BELOW, _BLOCK, _FLOAT, _INLINE, _LEVEL, _ABOVE = range(6)
"""What is painted first to last within one stacking context, its own background before all."""


def paint_rank(nodes: NodeTable) -> Ints:
    """Return the place of each row in the order of painting, int32 (n,): the highest is on top."""
    keys = _keys(nodes)
    order = sorted(range(len(nodes)), key=keys.__getitem__)
    rank = np.empty(len(nodes), dtype=np.int32)
    rank[order] = np.arange(len(nodes), dtype=np.int32)
    return rank


def _keys(nodes: NodeTable) -> list[_PaintKey]:
    """Return what to sort rows by: one step for each group around them that is painted as one."""
    position = nodes.computed("position").tolist()
    z_index = nodes.computed("z-index").tolist()
    display = nodes.computed("display").tolist()
    is_float = nodes.is_computed("float", lambda value: value != "none").tolist()
    is_faint = nodes.is_computed("opacity", lambda value: value not in ("1", "")).tolist()
    is_text, frame = nodes.is_text.tolist(), nodes.frame.tolist()
    keys: list[_PaintKey] = []
    stacking: list[int] = []  # the row whose stacking context a row's children belong to
    group: list[int] = []  # the row they are painted together with
    for row, parent in enumerate(nodes.parent.tolist()):
        if parent < 0 or frame[row] != frame[parent]:
            keys.append((*(keys[parent] if parent >= 0 else ()), (_BLOCK, 0, row)))
            stacking.append(row)
            group.append(row)
            continue
        if is_text[row]:
            keys.append((*keys[group[parent]], (_INLINE, 0, row)))
            stacking.append(stacking[parent])
            group.append(group[parent])
            continue
        is_placed = position[row] != "static"
        is_item = display[parent] in ("flex", "inline-flex", "grid", "inline-grid")
        z = _number(z_index[row]) if is_placed or is_item else None
        makes_context = z is not None or is_faint[row] or position[row] in ("fixed", "sticky")
        if makes_context or is_placed:
            layer = _LEVEL if not z else _ABOVE if z > 0 else _BELOW
            keys.append((*keys[stacking[parent]], (layer, z or 0, row)))
            stacking.append(row if makes_context else stacking[parent])
            group.append(row)
            continue
        stacking.append(stacking[parent])
        is_inline = display[row].startswith("inline")
        layer = _FLOAT if is_float[row] else _INLINE if is_inline else _BLOCK
        keys.append((*keys[group[parent]], (layer, 0, row)))
        is_whole = is_float[row] or is_item or (is_inline and display[row] != "inline")
        group.append(row if is_whole else group[parent])
    return keys


def _number(value: str) -> int | None:
    return int(value) if value.lstrip("-").isdigit() else None


def shown_boxes(nodes: NodeTable) -> Doubles:
    """Return left, top, right, bottom of each row's visible part, float64 (n, 4).

    The rows' boxes, clipped to ancestors that hide overflow.
    """
    left, top, width, height = nodes.rect.astype(np.float64).T
    boxes = np.stack([left, top, left + width, top + height], axis=1)
    cuts = _cuts(nodes)
    position = nodes.computed("position").tolist()
    everywhere = (-np.inf, -np.inf, np.inf, np.inf)
    borders = np.stack(
        [nodes.pixels(f"border-{side}-width") for side in ("left", "top", "right", "bottom")],
        axis=1,
    )
    inner = boxes + borders * (1, 1, -1, -1)
    limit: list[tuple[float, ...]] = []  # clips descendants of a row in the flow
    placed_limit: list[tuple[float, ...]] = []  # clips positioned descendants of a row
    own = np.empty_like(boxes)
    for row, parent in enumerate(nodes.parent.tolist()):
        if parent < 0 or position[row] == "fixed":
            mine = placed = everywhere
        elif position[row] == "absolute":
            mine, placed = placed_limit[parent], placed_limit[parent]
        else:
            mine, placed = limit[parent], placed_limit[parent]
        own[row] = mine
        below = _meet(mine, inner[row]) if cuts[row] else mine
        limit.append(below)
        placed_limit.append(below if position[row] != "static" else placed)
    low = np.maximum(boxes[:, :2], own[:, :2])
    high = np.minimum(boxes[:, 2:], own[:, 2:])
    return np.concatenate([low, np.maximum(low, high)], axis=1)


def _cuts(nodes: NodeTable) -> Bools:
    """Rows that clip their overflow; the page's own overflow scrolls the window."""
    cuts = nodes.is_computed("overflow-x", lambda value: value not in ("visible", ""))
    cuts |= nodes.is_computed("overflow-y", lambda value: value not in ("visible", ""))
    is_inline = nodes.is_computed("display", lambda value: value == "inline")
    return np.asarray(cuts & ~is_inline & ~nodes.is_text & ~nodes.has_tag("html", "body"))


def _meet(limit: tuple[float, ...], box: Doubles) -> tuple[float, ...]:
    left, top, right, bottom = box.tolist()
    return (max(limit[0], left), max(limit[1], top), min(limit[2], right), min(limit[3], bottom))
