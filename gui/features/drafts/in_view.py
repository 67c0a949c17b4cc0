"""Which marks are in view, above it and below: only what is seen is decided at once."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotate.marks.fit import shown_rects
from annotate.marks.gold import Mark
from engine import geometry
from engine.nodes import NodeTable

SHARE = 0.5
"""Of a mark's height, or of the view's where the mark is higher: seen of it, it is in view."""


@dataclass(frozen=True)
class ByView:
    """Marks by where they lie, each group in the order they came in."""

    inside: tuple[Mark, ...]
    above: tuple[Mark, ...]
    below: tuple[Mark, ...]

    @property
    def rest(self) -> str:
        """How many are out of view, in words; "" for none."""
        sides = (("above", self.above), ("below", self.below))
        counts = [f"{len(marks)} more {side}" for side, marks in sides if marks]
        return f"{' and '.join(counts)} the view" if counts else ""


def by_view(
    marks: Iterable[Mark], nodes: NodeTable, view: tuple[float, float], height: float
) -> ByView:
    """Part marks by the view, its upper and lower edge on a page of a height, all in CSS px.

    What lies beyond the page cannot be scrolled to and counts as lying at its edge; what is not
    shown at all has no place to scroll to, and counts as in view.
    """
    rects, (top, bottom) = shown_rects(nodes), view
    groups: tuple[list[Mark], list[Mark], list[Mark]] = [], [], []
    for mark in marks:
        rows = [target.row for target in mark.targets]
        _, y, wide, high = geometry.union(rects[rows]).tolist() if rows else (0.0, top, 0.0, 0.0)
        if not (wide or high):
            groups[0].append(mark)
            continue
        first, last = (min(max(edge, 0.0), height) for edge in (y, y + high))
        seen = min(last, bottom) - max(first, top)
        is_in = seen >= SHARE * min(last - first, bottom - top)
        groups[0 if is_in else 1 if first < top else 2].append(mark)
    return ByView(*map(tuple, groups))
