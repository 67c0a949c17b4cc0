"""Targets: nodes and parts of texts as areas of a page that hold, touch and cut each other."""

from collections.abc import Iterable, Sequence

import numpy as np

from annotate.marks.gold import Target
from annotate.marks.page_text import page_text, whole_or_part
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.tree import Ints

_LINE_TAGS = ("br", "hr", "wbr")  # shown, but nothing one would call content


def holds(nodes: NodeTable, outer: Target, inner: Target) -> bool:
    """Return whether one target contains another, or equals it."""
    if outer.is_whole:
        return nodes.is_inside(inner.row, outer.row)
    if inner.row != outer.row or inner.is_whole:
        return False
    return outer.start <= inner.start and inner.end <= outer.end


def touch(one: Target, other: Target) -> bool:
    """Return whether two parts of one text overlap or follow each other without a gap."""
    return not one.is_whole and one.start <= other.end and other.start <= one.end


def tidy(nodes: NodeTable, targets: Iterable[Target]) -> list[Target]:
    """Return targets within bounds, without empty ones and without those held by another."""
    content = page_text(nodes).content
    result: list[Target] = []
    for target in sorted(set(targets)):
        if not 0 <= target.row < len(nodes):
            raise InputError(f"there is no row {target.row} on this page")
        if nodes.is_text[target.row] and not content[target.row]:
            continue  # white space, or the text of a script
        if not target.is_whole:
            text = nodes.text[target.row]
            if not text[target.start : target.end].strip():
                continue
            target = whole_or_part(nodes, target.row, target.start, target.end)
        if any(holds(nodes, other, target) for other in result):
            continue
        result = [other for other in result if not holds(nodes, target, other)]
        result.append(target)
    return result


def remainder(nodes: NodeTable, targets: Iterable[Target], cuts: Iterable[Target]) -> list[Target]:
    """Return ``targets`` without ``cuts``, in document order."""
    left = list(targets)
    for cut in cuts:
        left = [piece for target in left for piece in _cut(nodes, target, cut)]
    return left


def _cut(nodes: NodeTable, target: Target, cut: Target) -> list[Target]:
    if holds(nodes, cut, target):
        return []
    if target.row == cut.row:  # the cut is a part of a text
        text = nodes.text[target.row]
        start, end = (0, len(text)) if target.is_whole else (target.start, target.end)
        pieces = [(start, min(cut.start, end)), (max(cut.end, start), end)]
        if cut.end <= start or end <= cut.start:
            return [target]
        return [Target(target.row, a, b) for a, b in pieces if text[a:b].strip()]
    if not target.is_whole or not nodes.is_inside(cut.row, target.row):
        return [target]
    pieces_left: list[Target] = []
    row = target.row
    while row != cut.row:
        for child in nodes.children(row).tolist():
            if nodes.is_inside(cut.row, child):
                below = child
            elif shows(nodes, child):
                pieces_left.append(Target(child))
        row = below
    if not cut.is_whole:
        pieces_left.extend(_cut(nodes, Target(cut.row), cut))
    return sorted(pieces_left)


def shows(nodes: NodeTable, row: int) -> bool:
    """Return whether a node can be marked separately: words, a picture, or a visible box."""
    below = slice(row, int(nodes.end[row]))
    if page_text(nodes).content[below].any():
        return True
    boxes = nodes.visible[below] & (nodes.area[below] > 0) & ~nodes.is_text[below]
    return bool(np.any(boxes & ~nodes.has_tag(*_LINE_TAGS, rows=below)))


def parts_of(nodes: NodeTable, row: int) -> tuple[Target, ...]:
    """Return the children that show something, of the first element below that has several."""
    parts = [row]
    while len(parts) == 1:
        parts = [r for r in nodes.children(parts[0]).tolist() if shows(nodes, r)]
        if parts and nodes.is_text[parts[0]] and len(parts) == 1:
            return ()
    return tuple(map(Target, parts))


def leaves(nodes: NodeTable, row: int) -> Ints:
    """Return the texts and pictures in a node: those a reader sees, else all; int32 (k,)."""
    content = page_text(nodes).content
    rows = np.arange(row, int(nodes.end[row]), dtype=np.int32)
    rows = rows[content[rows]]
    seen = rows[nodes.visible[rows]]
    return seen if seen.size else rows


def same_box(nodes: NodeTable, a: int, b: int) -> bool:
    """Return whether two rows draw the same box, to the pixel."""
    return bool(np.abs(nodes.rect[a] - nodes.rect[b]).max() < 1)


def beside(nodes: NodeTable, targets: Sequence[Target]) -> tuple[Target, ...]:
    """Return whole nodes as children of one parent, each widened to a wrapper of the same box.

    A wrapper of the same box looks like what it wraps, so that a hand cannot choose between them.
    The same targets come back where they share a parent, or where no widening makes them do so.
    """
    chains = [_wrappers(nodes, target.row) for target in targets]
    parents = [{int(nodes.parent[row]): row for row in chain} for chain in chains]
    shared = set.intersection(*(set(by_parent) for by_parent in parents)) if parents else set()
    if not shared:
        return tuple(targets)
    rows = [by_parent[max(shared)] for by_parent in parents]  # the deepest parent
    return tuple(map(Target, rows)) if len(set(rows)) == len(rows) else tuple(targets)


def _wrappers(nodes: NodeTable, row: int) -> list[int]:
    """Return a row and the elements around it that draw its box, as long as they do."""
    chain = [row]
    if nodes.area[row] > 0:
        while (up := int(nodes.parent[chain[-1]])) >= 0 and same_box(nodes, up, row):
            chain.append(up)
    return chain


def grow_targets(
    nodes: NodeTable, targets: Sequence[Target], around: tuple[int, int] | None = None
) -> tuple[Target, ...]:
    """Return texts as the largest elements all of whose words they are, sorted; parts as parts.

    ``targets`` are text rows and parts of them, ascending.  ``html`` and ``body`` are never taken,
    nor is an element that holds both rows of ``around``.  O(n).
    """
    text = page_text(nodes)
    whole = np.zeros(len(nodes), dtype=np.float64)
    whole[[target.row for target in targets if target.is_whole]] = 1.0
    words = np.zeros(len(nodes), dtype=np.float64)
    words[text.rows] = 1.0
    count = nodes.subtree_sum(words)
    is_covered = (count > 0) & (nodes.subtree_sum(whole) == count) & ~nodes.has_tag("html", "body")
    result: list[Target] = []
    for target in targets:
        row = target.row
        while target.is_whole and row > 0:
            parent = int(nodes.parent[row])
            if not is_covered[parent]:
                break
            if around and all(nodes.is_inside(edge, parent) for edge in around):
                break
            row = parent
        large = Target(row) if target.is_whole else target
        if not result or result[-1] != large:
            result.append(large)
    return tuple(result)


def selected_targets(
    nodes: NodeTable, first_row: int, first_offset: int, last_row: int, last_offset: int
) -> tuple[Target, ...]:
    """Return what a text selection covers: nodes as large as possible, parts at the two ends.

    Rows are text rows, offsets code points in their texts, the last one excluded.  Within one
    text the answer is that text or a part of it; over several, elements that lie in the selection
    with all their words are taken whole, so that pictures between the words come along.
    """
    ends = sorted([(first_row, first_offset), (last_row, last_offset)])
    (first_row, first_offset), (last_row, last_offset) = ends
    text = page_text(nodes)
    inside = text.rows[(text.rows >= first_row) & (text.rows <= last_row)].tolist()
    targets = []
    for row in inside:
        start = first_offset if row == first_row else 0
        end = last_offset if row == last_row else len(nodes.text[row])
        if nodes.text[row][start:end].strip():
            targets.append(whole_or_part(nodes, row, start, end))
    if not targets:
        return ()
    # Elements around the whole selection stay outside: they may hold more than was meant.
    return grow_targets(nodes, targets, around=(targets[0].row, targets[-1].row))
