"""Gold: what annotators marked on one page; an immutable value.

Marks speak of rows of the page that is open.  How they are kept, so that they are found again
tomorrow, is `annotate.anchor`'s.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from algorithms.results import Block, Extraction, Segmentation
from engine.page import Page

MAIN = 0
"""The level of main content; semantic blocks have levels 1 and 2."""

TYPES = {
    1: ("Header", "Footer", "Content", "Sidebar"),
    2: (
        "Logo", "Menu", "Title", "Link list", "Table", "Comments",
        "Ad", "Image", "Video", "Article", "Search bar",
    ),
}  # fmt: skip
"""Kreuzer's types of block, by the level they usually stand on (thesis, section 4.4)."""


class State(StrEnum):
    """How sure it is that a mark stands where it was made."""

    EXACT = "exact"
    MOVED = "moved"  # found elsewhere, or its text has changed: to be confirmed
    LOST = "lost"  # not found on this page; kept, drawn nowhere


@dataclass(frozen=True, order=True)
class Target:
    """A node with all below it, or a part of a text node.

    Attributes:
        row: Row of the page's `NodeTable`.
        start, end: Code points within a text row's text; both -1 for the whole node.
    """

    row: int
    start: int = -1
    end: int = -1

    @property
    def is_whole(self) -> bool:
        """Whether the whole node is meant."""
        return self.start < 0


@dataclass(frozen=True)
class Mark:
    """One mark: a piece of main content, or a semantic block.

    Attributes:
        id: Stable over sessions (a uuid4's hex).
        level: `MAIN`, 1 or 2.
        targets: What is marked, in document order; several for grouped neighbours; empty for a
            lost mark.
        type: The block's type, "" if none; always "" for main content.
        state: How sure its place is.
        quote: The text it had when it was made, white space collapsed; for a lost mark all that
            is left of it.
    """

    id: str
    level: int
    targets: tuple[Target, ...]
    type: str = ""
    state: State = State.EXACT
    quote: str = ""

    def with_(self, **changes: object) -> Self:
        """Return a copy with some attributes changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Gold:
    """All marks on one page, in the order they were made."""

    marks: tuple[Mark, ...] = field(default=())

    def of_level(self, level: int) -> tuple[Mark, ...]:
        """Return the marks of one level that have a place, in document order."""
        placed = (m for m in self.marks if m.level == level and m.targets)
        return tuple(sorted(placed, key=lambda m: (m.targets, m.id)))

    def find(self, mark_id: str) -> Mark | None:
        """Return the mark with this id, or None."""
        return next((m for m in self.marks if m.id == mark_id), None)

    def as_extraction(self, page: Page) -> Extraction:
        """Return the main content as spans of the page's DOM source."""
        raise NotImplementedError  # annotate helper fills in

    def as_segmentation(self, page: Page) -> Segmentation:
        """Return the blocks of both levels."""
        blocks = [
            Block(tuple(sorted({t.row for t in mark.targets})), mark.level, mark.type)
            for level in (1, 2)
            for mark in self.of_level(level)
        ]
        blocks.sort(key=lambda b: (b.rows[0], b.level))
        return Segmentation(page.rendered(), tuple(blocks))
