"""Gold: what annotators marked on one page; an immutable value.

Marks refer to rows of the open page.  How they are kept, so that they are found again
tomorrow, is `annotate.marks.anchor`'s.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, Self
from uuid import uuid4

import numpy as np

from algorithms.core.attempt import GoldResults
from algorithms.levels import LEVELS, Level
from algorithms.results import Block, Extraction, Segmentation
from engine.nodes import NodeTable
from engine.page import Page
from engine.runs import mark_covered
from engine.tree import Ints

MAIN: Literal[0] = 0
"""The level of main content; semantic blocks have levels 1 and 2."""

TYPES = {
    1: ("Header", "Footer", "Content", "Sidebar"),
    2: (
        "Logo", "Menu", "Title", "Link list", "Table", "Comments",
        "Ad", "Image", "Video", "Article", "Search bar",
    ),
}  # fmt: skip
"""Kreuzer's types of block, by the level they usually stand on (thesis, section 4.4)."""

ONCE = frozenset((*TYPES[1], "Logo", "Title", "Search bar"))
"""Types that usually stand once on a page: of one it does not follow that there are more."""


class MarkState(StrEnum):
    """Certainty of a mark's position."""

    EXACT = "exact"
    MOVED = "moved"  # found elsewhere, or its text has changed: to be confirmed
    DRAFT = "draft"  # a method's, or transferred from a like page: not gold until confirmed
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
        return self.start < 0


@dataclass(frozen=True)
class Seed:
    """Origin of a mark, to study the influence of methods on gold.

    Attributes:
        method: The method's key.
        version: Of the program that ran it: its own, or Pagelet's.
        params: Its parameters as JSON, keys sorted.
        input: The form it read: original, dom, seen or rendered.
    """

    method: str
    version: str
    params: str
    input: str

    @property
    def confidence(self) -> float | None:
        """Probability that the mark is right, 0 to 1; None if unknown."""
        try:
            return float(json.loads(self.params)["confidence"])
        except (ValueError, OverflowError, KeyError, TypeError):
            return None


WEAK = 0.5
"""Probability below which a draft is not drawn by itself."""


@dataclass(frozen=True)
class Guess:
    """Type suggested for a manual block; kept, so that its influence can be studied.

    Attributes:
        type: The suggested type.
        why: The evidence, in words.
        version: Of the program that suggested it.
    """

    type: str
    why: str
    version: str


@dataclass(frozen=True)
class Mark:
    """A mark: a piece of main content, or a semantic block.

    Attributes:
        id: Stable over sessions (a uuid4's hex).
        level: `MAIN`, 1 or 2.
        targets: The marked parts, in document order; several for grouped neighbours; empty for a
            lost mark.
        type: The block's type, "" if none; always "" for main content.
        state: Certainty of its position.
        quote: The text it had when it was made, white space collapsed; for a lost mark all that
            is left of it.
        seed: The method it was adopted from, kept when it is confirmed or changed; None for one
            made by hand.
        guess: The type suggested for it, kept once it is confirmed or changed; None where none was.
        is_unsure: Whether its annotator flagged it for review; it is gold all the same.
        fields: Name and value of the guideline's own fields (`Guideline.fields`), by name.
        score: Similarity of its position to the marked one: 1 if exact, from .8 on if moved.
            No part of what the mark is: equal marks may differ in it.
    """

    id: str
    level: Level
    targets: tuple[Target, ...]
    type: str = ""
    state: MarkState = MarkState.EXACT
    quote: str = ""
    seed: Seed | None = None
    guess: Guess | None = None
    is_unsure: bool = False
    fields: tuple[tuple[str, str], ...] = ()
    score: float = field(default=1.0, compare=False)

    @property
    def is_draft(self) -> bool:
        """Whether it is only proposed: drawn, and no gold yet."""
        return self.state is MarkState.DRAFT

    @property
    def is_weak(self) -> bool:
        """Whether it is a draft that is more probably wrong than right."""
        sure = self.seed.confidence if self.is_draft and self.seed is not None else None
        return sure is not None and sure < WEAK

    @property
    def awaits_type(self) -> bool:
        """Whether its type is only suggested: it has none before that is confirmed."""
        return self.guess is not None and not self.type and bool(self.targets)

    @property
    def shown_type(self) -> str:
        """Type, or the suggested one with a question mark; "" for none."""
        return f"{self.guess.type}?" if self.guess and self.awaits_type else self.type

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return it with its type and the suggested one as ``names`` call them."""
        guess = self.guess and replace(self.guess, type=names.get(self.guess.type, self.guess.type))
        return replace(self, type=names.get(self.type, self.type), guess=guess)

    def with_(self, **changes: object) -> Self:
        """Return a copy with some attributes changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Gold:
    """All marks on one page, in the order they were made.

    Attributes:
        marks: The marks.
        text: The main content as a data set has it, if it is a text: scores use it, and the marks
            are its parts that are on the page.  None if the marks are all there is, as after an
            edit.
        block_texts: Text and level of each block as a data set has them, likewise: on a form of the
            page that was not marked some blocks may stand nowhere.
        why_no_location: Why measures of where blocks are have no value, though the page shows these
            marks; "" where they have.
    """

    marks: tuple[Mark, ...] = field(default=())
    text: str | None = None
    block_texts: tuple[tuple[str, int], ...] | None = None
    why_no_location: str = ""

    @property
    def has_main(self) -> bool:
        """Whether there is main content to score by; unconfirmed marks do not count."""
        return self.text is not None or bool(self.sure.of_level(MAIN))

    def of_level(self, level: Level) -> tuple[Mark, ...]:
        """Return the marks of one level that have a position, in document order."""
        placed = (m for m in self.marks if m.level == level and m.targets)
        return tuple(sorted(placed, key=lambda m: (m.targets, m.id)))

    def drafts(self) -> tuple[Mark, ...]:
        """Return the marks that are only proposed, in the order they were made."""
        return tuple(mark for mark in self.marks if mark.is_draft)

    def unconfirmed(self) -> tuple[Mark, ...]:
        """Return drafts and moved marks, not yet gold, except moved ones of a data set."""
        moved = () if self.block_texts is not None else (MarkState.MOVED,)
        return tuple(mark for mark in self.marks if mark.state in (MarkState.DRAFT, *moved))

    @property
    def sure(self) -> "Gold":
        """The gold without unconfirmed marks, for scores, comparisons and exports."""
        asked = set(self.unconfirmed())
        marks = tuple(mark for mark in self.marks if mark not in asked)
        return self if len(marks) == len(self.marks) else replace(self, marks=marks)

    def find(self, mark_id: str) -> Mark | None:
        """Return the mark with this id, or None."""
        return next((m for m in self.marks if m.id == mark_id), None)

    def as_extraction(self, page: Page) -> Extraction:
        """Return the main content as visible words of the page.

        Invisible marked parts give nothing, nor do drafts; content of frames counts.
        Where the gold is a text, that is the text of the extraction.
        """
        nodes, seen = page.rendered(), page.seen
        targets = {target for mark in self.sure.of_level(MAIN) for target in mark.targets}
        return Extraction(seen.source, seen.alignment.spans(_ranges(nodes, targets)), self.text)

    def as_results(self, page: Page) -> GoldResults:
        """Return both as measures take them; None if there are no marks, or only drafts."""
        text = self.as_extraction(page) if self.has_main else None
        return replace(self.blocks_as_results(page), text=text)

    def blocks_as_results(self, page: Page) -> GoldResults:
        """Return the blocks alone as measures take them."""
        sure = self.sure
        has_blocks = sure.of_level(1) or sure.of_level(2)
        blocks = sure.as_segmentation(page) if has_blocks else None
        return GoldResults(None, blocks, self.block_texts, self.why_no_location)

    def as_segmentation(self, page: Page) -> Segmentation:
        """Return the blocks of both levels, without drafts."""
        sure = self.sure
        blocks = [
            Block(tuple(sorted({t.row for t in mark.targets})), mark.level, mark.type)
            for level in LEVELS
            for mark in sure.of_level(level)
        ]
        blocks.sort(key=lambda b: (b.rows[0], b.level))
        return Segmentation(page.rendered(), tuple(blocks))


def new_id() -> str:
    return uuid4().hex


def _ranges(nodes: NodeTable, targets: Collection[Target]) -> Ints:
    """Return the parts of texts that targets hold, int32 (k, 3): row, start, end."""
    whole = np.array([target.row for target in targets if target.is_whole], dtype=np.intp)
    rows = np.flatnonzero(mark_covered(whole, nodes.end[whole], len(nodes)) & nodes.is_text)
    texts = np.zeros((rows.size, 3), dtype=np.int32)
    texts[:, 0], texts[:, 2] = rows, np.iinfo(np.int32).max  # to the end, wherever that is
    parts = [(each.row, each.start, each.end) for each in targets if not each.is_whole]
    return np.concatenate([texts, np.array(parts, dtype=np.int32).reshape(-1, 3)])
