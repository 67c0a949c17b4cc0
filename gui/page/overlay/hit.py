"""Hit tests: which marks and which rows lie at a point.  Pure functions on columns."""

from collections.abc import Iterable, Sequence

import numpy as np

from algorithms.levels import Level
from annotate.marks.gold import Gold
from annotate.marks.targets import same_box
from engine.nodes import NodeTable

_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


def marks_at(gold: Gold, nodes: NodeTable, rows: Iterable[int]) -> list[str]:
    """Return the ids of the marks that hold one of ``rows``, the smallest first.

    ``rows`` are the nodes under the mouse, front to back, so that stacked marks are found too.
    """
    result: dict[str, int] = {}
    for row in rows:
        for mark in gold.marks:
            if mark.id not in result and any(nodes.is_inside(row, t.row) for t in mark.targets):
                result[mark.id] = sum(int(nodes.end[t.row]) - t.row for t in mark.targets)
    return sorted(result, key=lambda mark_id: result[mark_id])


def next_in_cycle(ids: Sequence[str], current: str, step: int = 1) -> str:
    """Return the id after ``current``, round and round; the first if it is not among them."""
    if not ids:
        return ""
    if current not in ids:
        return ids[0] if step > 0 else ids[-1]
    return ids[(ids.index(current) + step) % len(ids)]


def row_in_frame(nodes: NodeTable, frame: int, x: float, y: float) -> int:
    """Return the deepest element of a frame at a point (px from the frame element's corner).

    ``frame`` is the row of the frame's element; returned too where nothing of it is hit.
    """
    inside = np.arange(frame + 1, int(nodes.end[frame]))
    inside = inside[~nodes.is_text[inside]]
    left, top, width, height = nodes.rect[inside].T
    x, y = x + float(nodes.rect[frame, 0]), y + float(nodes.rect[frame, 1])
    hits = inside[(left <= x) & (x < left + width) & (top <= y) & (y < top + height)]
    return int(hits[-1]) if hits.size else frame


def step(nodes: NodeTable, row: int, way: str) -> int:
    """Return the row one step away: ``parent, child, next`` or ``previous``; itself at an end.

    Only visible elements are stepped on, and no texts; a step down skips wrappers of nothing.
    After the last child comes its parent's next element, so that one can walk on through the page.
    """
    if way == "child":
        return next((r for r in nodes.children(row).tolist() if _is_stop(nodes, r)), row)
    parent = int(nodes.parent[row])
    if way == "parent":
        return parent if parent > 0 else row
    if parent < 0:
        return row
    siblings = [r for r in nodes.children(parent).tolist() if _is_stop(nodes, r) or r == row]
    position = siblings.index(row) + (1 if way == "next" else -1)
    if 0 <= position < len(siblings):
        return int(siblings[position])
    beyond = step(nodes, parent, way)
    return row if beyond == parent else beyond


def stride(nodes: NodeTable, row: int, way: str) -> int:
    """Return the row a step away that draws another box; wrappers with the same box are skipped."""
    there = step(nodes, row, way)
    while there != row and same_box(nodes, there, row):
        if (further := step(nodes, there, way)) == there:
            break
        there = further
    return there


def chain(nodes: NodeTable, row: int) -> list[int]:
    """Return a row and its ancestors with distinct boxes, up to the root."""
    result = [row]
    while (there := stride(nodes, result[-1], "parent")) != result[-1]:
        result.append(there)
    return result


NOT_THE_PAGE = 0.9
"""What covers less than this part of the page is not the page itself."""


def is_page(nodes: NodeTable, row: int) -> bool:
    """Return whether a row is the page, or covers nearly all of it."""
    page = float(nodes.width) * float(nodes.height)
    is_body = nodes.name_of(row) in ("html", "body")
    return is_body or float(nodes.area[row]) >= NOT_THE_PAGE * page


def widest(nodes: NodeTable, row: int) -> int:
    """Return the largest element around a row, or itself, that is not all of the page."""
    fit = [r for r in chain(nodes, row) if not is_page(nodes, r)]
    return fit[-1] if fit else row


def start(gold: Gold, nodes: NodeTable, row: int, level: Level) -> int:
    """Return the row framed first for a new block of a level.

    On level 1 that is the largest element around ``row``, the deepest under the mouse, that is
    neither the page nor holds a block of the level; on level 2 one of `_usual_size` within the
    innermost level-1 block there.  In a block of the level, and on level 2 outside every level-1
    block, it is the row itself.
    """
    own = [t.row for mark in gold.of_level(level) for t in mark.targets]
    if any(nodes.is_inside(row, there) for there in own):
        return row
    outer = [t.row for mark in gold.of_level(1) for t in mark.targets] if level == 2 else []
    around = max((there for there in outer if nodes.is_inside(row, there)), default=-1)
    if level == 2 and around < 0:
        return row
    fitting = []
    for each in chain(nodes, row):
        is_within = around < 0 or (each > around and not same_box(nodes, each, around))
        holds_own = any(nodes.is_inside(there, each) for there in own)
        if is_page(nodes, each) or not is_within or holds_own:
            break
        fitting.append(each)
    if level == 2 and fitting:
        return _usual_size(nodes, fitting, own)
    return fitting[-1] if fitting else row


def _usual_size(nodes: NodeTable, fitting: Sequence[int], own: Sequence[int]) -> int:
    """Return the element, of some around each other, of the size that level-2 blocks have.

    Beside blocks of the level it is a child of the same parent, or the one as wide as the nearest;
    before there is one, the largest with an element of its name beside it or with a heading.  On
    185 blocks of Kreuzer's pages the first frame is .63 steps from the block, the largest 1.03.
    """
    if own:
        parents = {int(nodes.parent[there]) for there in own}
        if beside := [each for each in fitting if int(nodes.parent[each]) in parents]:
            return beside[-1]
        nearest = min(own, key=lambda there: abs(there - fitting[0]))
        widths = np.maximum(nodes.rect[[nearest, *fitting], 2], 1)
        off = np.abs(np.log(widths[1:] / widths[0]))
        return fitting[len(off) - 1 - int(off[::-1].argmin())]
    parts = (each for each in reversed(fitting) if _is_part(nodes, each))
    return next(parts, fitting[-1])


def _is_part(nodes: NodeTable, row: int) -> bool:
    """Return whether an element has a like neighbour, or begins with a heading."""
    name = nodes.name_of(row)
    siblings = nodes.children(int(nodes.parent[row])).tolist()
    if any(r != row and _is_stop(nodes, r) and nodes.name_of(r) == name for r in siblings):
        return True
    inside = np.arange(row, int(nodes.end[row]))
    texts = inside[nodes.is_text[inside] & nodes.visible[inside]]
    if not texts.size:
        return False
    around = inside[(inside < texts[0]) & (nodes.end[inside] > texts[0])]
    return any(nodes.name_of(each) in _HEADINGS for each in around.tolist())


def sibling(nodes: NodeTable, row: int, way: str) -> int:
    """Return the next child of the same parent that is seen, or the previous one; -1 for none."""
    parent = int(nodes.parent[row])
    seen = nodes.children(parent).tolist() if parent >= 0 else []
    ordered = [r for r in seen if r > row] if way == "next" else [r for r in seen[::-1] if r < row]
    return int(next((r for r in ordered if _is_stop(nodes, r)), -1))


def _is_stop(nodes: NodeTable, row: int) -> bool:
    return bool(not nodes.is_text[row] and nodes.visible[row : nodes.end[row]].any())
