"""Surroundings of a text on a page: the blocks around it, and the marks on it."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from algorithms.structure.kinds import (
    ALL_BLOCK_TAGS,
    BLOCKS,
    CELLS,
    HEADINGS,
    INLINE_BLOCKS,
    LISTS,
    MARKS,
    Key,
    is_layout,
    safe_address,
)
from algorithms.structure.leaves import KeptPage

_DEEPEST = 60
"""Blocks in each other; deeper ones part paragraphs alone: writers call themselves for each."""


@dataclass(frozen=True)
class Around:
    """Surroundings of a row.

    Attributes:
        blocks: Blocks of the clean tree, the outermost first.
        marks: Marks of the clean tree, the outermost first, each kind but quotation marks once.
        block: Row of the nearest block-level element.
    """

    blocks: tuple[Key, ...] = ()
    marks: tuple[Key, ...] = ()
    block: int = 0


class Surroundings:
    """Blocks and marks around the rows of a page, each computed once."""

    def __init__(self, page: KeptPage, base: str) -> None:
        self._page, self._reading, self._base = page, page.reading, base
        self._tree = page.reading.rows.tree
        self.notes = {row: note.rows[0] for note in page.notes for row in note.rows}
        self._around: dict[int, Around] = {-1: Around()}

    def of(self, row: int) -> Around:
        """Return the surroundings of the content of an element, itself included."""
        path = []
        while row not in self._around:
            path.append(row)
            row = int(self._tree.parent[row])
        around = self._around[row]
        for inner in reversed(path):
            around = self._around[inner] = self._within(around, inner)
        return around

    def holder(self, row: int) -> int:
        """Return the element around a leaf, or the leaf itself if it is a part of a note."""
        return row if row in self.notes else int(self._tree.parent[row])

    def _within(self, outer: Around, row: int) -> Around:
        inner = self._in_element(outer, row)
        for mark in self._reading.drawn_marks.get(row, ()):
            inner = self._marked(inner, mark, row)
        return inner

    def _in_element(self, outer: Around, row: int) -> Around:
        first = self.notes.get(row)
        if first is not None:
            is_block = self._tree.name_of(row) in ALL_BLOCK_TAGS
            around = Around((("aside", first),), (), row if is_block else first)
            tag = self._tree.name_of(row)
            return self._marked(around, MARKS[tag], row) if tag in MARKS else around
        tag = self._reading.tags.get(row, self._tree.name_of(row)) or "div"
        mark = MARKS.get(tag)
        if mark is not None:
            return outer if row in self._card_links else self._marked(outer, mark, row)
        if tag not in ALL_BLOCK_TAGS:
            return outer
        outer = replace(outer, block=row)
        block = BLOCKS.get(tag)
        above = outer.blocks[-1][0] if outer.blocks else ""
        if block is None or above in INLINE_BLOCKS or len(outer.blocks) >= _DEEPEST:
            return outer
        blocks = self._allowed(outer.blocks, above, block, row)
        if blocks is None:
            return outer
        first = self._reading.continued.get(row, row)
        inner = replace(outer, blocks=(*blocks, (block, first)))
        return self._marked(inner, "a", self._cards[row]) if row in self._cards else inner

    @cached_property
    def _cards(self) -> dict[int, int]:
        """The links around a kept heading and more text, by the row of the heading."""
        rows, tree = self._reading.rows, self._tree
        kept = np.array([leaf.row for leaf in self._page.leaves], dtype=np.int64)
        found: dict[int, int] = {}
        last = -1
        for heading in np.flatnonzero(tree.has_tag(*HEADINGS) & tree.within("a")).tolist():
            link = next(at for at in rows.above(heading) if rows.names[at] == "a")
            first, past = kept.searchsorted([heading, rows.end[heading]])
            if link != last and past > first and rows.text(link) != rows.text(heading):
                found[heading] = last = link
        return found

    @cached_property
    def _card_links(self) -> frozenset[int]:
        return frozenset(self._cards.values())

    def _allowed(
        self, blocks: tuple[Key, ...], above: str, block: str, row: int
    ) -> tuple[Key, ...] | None:
        """Return the blocks that may contain a block, with missing ones; None if not allowed.

        ``above`` is the tag of the last of ``blocks``.
        """
        parent, bare = int(self._tree.parent[row]), without_bare_lists(blocks)
        if block == "table":
            return None if is_layout(self._tree, row, self._reading.rows.attributes(row)) else bare
        if block in ("tr", "caption"):
            return blocks if above == "table" else None
        if block in CELLS and above == "table":
            return (*blocks, ("tr", ~parent))
        if block in CELLS:
            return blocks if above == "tr" else None
        if above in ("table", "tr"):
            return None
        if block == "li":
            return blocks if above in LISTS else (*bare, ("ul", ~parent))
        if block in LISTS and above in LISTS:
            return (*blocks, ("li", ~blocks[-1][1]))
        if block in ("dt", "dd"):
            return blocks if above == "dl" else (*bare, ("dl", ~parent))
        if block == "figcaption":
            return blocks if above == "figure" else None
        return bare

    def _marked(self, outer: Around, mark: str, row: int) -> Around:
        is_in_pre = bool(outer.blocks) and outer.blocks[-1][0] == "pre"
        if is_in_pre or (mark != "q" and any(kind == mark for kind, _ in outer.marks)):
            return outer
        if mark == "a" and self.address_of(row) is None:
            return outer
        marks = outer.marks
        if marks and marks[-1][0] in ("code", "math"):  # these hold text alone
            return replace(outer, marks=(*marks[:-1], (mark, row), marks[-1]))
        return replace(outer, marks=(*marks, (mark, row)))

    def address_of(self, row: int) -> str | None:
        address = self._reading.rows.attributes(row).get("href")
        return None if address is None else safe_address(address, self._base)


def without_bare_lists(blocks: tuple[Key, ...]) -> tuple[Key, ...]:
    """Return blocks without lists and tables at the end that cannot contain the next content."""
    while blocks and blocks[-1][0] in ("ul", "ol", "dl", "table", "tr"):
        blocks = blocks[:-1]
    return blocks
