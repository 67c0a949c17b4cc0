"""Entries of the outline: their nesting and texts."""

from collections.abc import Sequence

from annotate.marks.gold import MAIN, MarkState
from engine.nodes import NodeTable
from gui.features.outline.view import OutlineEntry


def nest_entries(
    entries: Sequence[OutlineEntry], nodes: NodeTable
) -> list[tuple[OutlineEntry, int]]:
    """Return entries in document order, each with the index of its parent, or -1.

    The parent is the smallest entry that covers all rows; of two with the same rows level 1 is the
    parent of level 2.  O(n log n + n d) for nesting depth d.
    """

    def size(entry: OutlineEntry) -> int:
        return sum(int(nodes.end[row]) - row for row in entry.rows)

    ordered = sorted(entries, key=lambda e: (e.rows[0], -size(e), e.level))
    result: list[tuple[OutlineEntry, int]] = []
    stack: list[int] = []
    for index, entry in enumerate(ordered):
        while stack and int(nodes.end[ordered[stack[-1]].rows[-1]]) <= entry.rows[0]:
            stack.pop()
        parent = next((p for p in reversed(stack) if _covers(ordered[p], entry, nodes)), -1)
        result.append((entry, parent))
        stack.append(index)
    return result


def _covers(outer: OutlineEntry, inner: OutlineEntry, nodes: NodeTable) -> bool:
    return all(any(nodes.is_inside(row, other) for other in outer.rows) for row in inner.rows)


def speak_entry(entry: OutlineEntry) -> str:
    """Return the text of an entry for screen readers."""
    level = "main content" if entry.level == MAIN else f"level {entry.level}"
    unsure = "unsure" if entry.is_unsure else ""
    state = "" if entry.state is MarkState.EXACT else entry.state.value
    return ", ".join(filter(None, (unsure, state, level, entry.type, entry.quote)))


_STATE_TIPS = {
    MarkState.MOVED: "Its position or text has changed: no gold before it is confirmed",
    MarkState.DRAFT: "A draft: no gold before it is confirmed",
    MarkState.LOST: "Not found on this page any more",
}


def tip_of(entry: OutlineEntry) -> str:
    """Return the lines of an entry's tool tip."""
    level = "Main content" if entry.level == MAIN else f"Level {entry.level}"
    head = f"{level} · {entry.type}" if entry.type else level
    unsure = "Unsure: it is listed first in the review (Shift+Q: sure again)"
    lines = (head, entry.quote, entry.note, entry.finding, unsure if entry.is_unsure else "")
    return "\n".join(filter(None, (*lines, _STATE_TIPS.get(entry.state))))
