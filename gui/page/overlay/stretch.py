"""New targets of a mark whose first or last end moves."""

from collections.abc import Sequence
from typing import Literal

from annotate.marks.gold import MAIN, Mark, Target
from annotate.marks.page_text import page_text
from annotate.marks.targets import parts_of, selected_targets
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.word_units import word_around, word_spans
from gui.page.overlay import hit

End = Literal["first", "last"]
"""The end of a mark, in document order."""

TextPoint = tuple[int, int]
"""A text row, and an offset in its text in code points."""


def is_one(marks: Sequence[Mark]) -> bool:
    """Return whether marks have common ends: one mark, or several of main content."""
    return len(marks) == 1 or all(mark.level == MAIN for mark in marks)


def is_text(nodes: NodeTable, marks: Sequence[Mark]) -> bool:
    """Return whether marks are a run of text with two ends, or boxes."""
    return any(
        mark.level == MAIN and (not t.is_whole or nodes.is_text[t.row])
        for mark in marks
        for t in mark.targets
    )


def text_ends(nodes: NodeTable, targets: Sequence[Target]) -> tuple[TextPoint, TextPoint] | None:
    """Return where the text of some targets begins and ends; None where they have none."""
    texts = page_text(nodes).rows

    def inside(target: Target) -> list[int]:
        return [int(r) for r in texts[(texts >= target.row) & (texts < nodes.end[target.row])]]

    first, last = min(targets), max(targets)
    if not inside(first) or not inside(last):
        return None
    start, end = inside(first)[0], inside(last)[-1]
    return (start, max(first.start, 0)), (end, last.end if last.end >= 0 else len(nodes.text[end]))


def move_text_end(
    nodes: NodeTable, targets: Sequence[Target], end: End, to: TextPoint
) -> tuple[Target, ...]:
    """Return a run of text with an end at the word around a point."""
    ends = text_ends(nodes, targets)
    if ends is None:
        return tuple(targets)
    (row, at), stays = to, ends[1 if end == "first" else 0]
    start, stop = word_around(nodes.text[row], at)
    is_before = (row, at) < stays
    moved = (row, start if is_before else stop)
    return selected_targets(nodes, *min(moved, stays), *max(moved, stays)) or tuple(targets)


def step_text_end(
    nodes: NodeTable, targets: Sequence[Target], end: End, *, grows: bool
) -> tuple[Target, ...]:
    """Return a run of text with an end moved to the neighbouring word."""
    ends, way = text_ends(nodes, targets), 1 if grows == (end == "last") else -1
    texts = page_text(nodes).rows
    if ends is None:
        return tuple(targets)
    row, at = ends[0 if end == "first" else 1]
    while True:
        edges = [span[0 if end == "first" else 1] for span in word_spans(nodes.text[row])]
        beyond = [edge for edge in edges if (edge - at) * way > 0]
        if beyond:
            moved = (row, min(beyond) if way > 0 else max(beyond))
            break
        others = texts[texts > row] if way > 0 else texts[texts < row][::-1]
        others = others[nodes.visible[others]]
        if not others.size:
            raise InputError("the text of the page ends here")
        row = int(others[0])
        at = -1 if way > 0 else len(nodes.text[row]) + 1
    first, last = (moved, ends[1]) if end == "first" else (ends[0], moved)
    return (selected_targets(nodes, *first, *last) if first < last else ()) or tuple(targets)


def step_box_end(
    nodes: NodeTable, targets: Sequence[Target], end: End, *, grows: bool
) -> tuple[Target, ...]:
    """Return neighbours with the next one at an end, or without the last there.

    An element loses the first or last of its parts.

    Raises:
        InputError: There is no neighbour, or nothing that could be left out.
    """
    if grows:
        rows = [target.row for target in targets]
        way = "next" if end == "last" else "previous"
        beyond = hit.sibling(nodes, max(rows) if end == "last" else min(rows), way)
        if beyond < 0:
            raise InputError(f"this block has no {way} neighbour below the same parent")
        return tuple(sorted({*targets, Target(beyond)}))
    parts = tuple(targets) if len(targets) > 1 else parts_of(nodes, targets[0].row)
    if len(parts) < 2:
        raise InputError("nothing can be left out: it has no parts")
    return parts[1:] if end == "first" else parts[:-1]
