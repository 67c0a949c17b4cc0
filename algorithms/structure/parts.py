"""The parts of a clean tree that are compared: headings, list items, tables, code, links, words."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from algorithms.structure.kinds import CELLS, HEADINGS, LISTS, MARKS

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_OWN_ROLES = HEADINGS | CELLS | {"li", "dt", "dd", "pre", "caption", "figcaption", "blockquote"}
_INLINE = frozenset(MARKS.values()) | {"br", "img"}


@dataclass(frozen=True)
class LeveledText:
    """A heading, a list item or a block of code.

    Attributes:
        level: What it is: the level of a heading, kind and depth of a list, or a tag.
        text: Its own text, white space collapsed but in code; of an item without lists in it.
    """

    level: str
    text: str


@dataclass(frozen=True, eq=False)
class StructureParts:
    """All parts of a clean tree, read when first asked for."""

    tree: "HtmlElement"

    @cached_property
    def runs(self) -> tuple[tuple[str, str], ...]:
        """Texts between two block elements' tags, each with its element."""
        return tuple(_runs(self.tree, "p"))

    @cached_property
    def headings(self) -> tuple[LeveledText, ...]:
        """The headings in order."""
        return tuple(
            LeveledText(str(each.tag), " ".join(each.text_content().split()))
            for each in self.tree.iter(*HEADINGS)
        )

    @cached_property
    def items(self) -> tuple[LeveledText, ...]:
        """Items of lists in order, each with the tag and depth of its list."""
        return tuple(
            LeveledText(
                _level([str(up.tag) for up in each.iterancestors(*LISTS)]),
                " ".join(" ".join(text for _, text in _runs(each, "", lists=False)).split()),
            )
            for each in self.tree.iter("li")
        )

    @cached_property
    def code(self) -> tuple[LeveledText, ...]:
        """Blocks of code and formulas in order."""
        return tuple(
            LeveledText(str(each.tag), each.text_content().strip("\n"))
            for each in self.tree.iter("pre", "math")
        )

    @cached_property
    def tables(self) -> "tuple[HtmlElement, ...]":
        """The tables in order."""
        return tuple(self.tree.iter("table"))

    @cached_property
    def links(self) -> Counter[str]:
        """Number of links to each address."""
        return Counter(each.get("href", "") for each in self.tree.iter("a"))


def _level(lists: list[str]) -> str:
    return f"{lists[0]} {len(lists)}" if lists else ""


def _runs(block: "HtmlElement", role: str, *, lists: bool = True) -> Iterator[tuple[str, str]]:
    """Yield the texts of a block, those of blocks in it in their turn."""
    pieces = [block.text or ""]
    for child in block:
        tag = str(child.tag)
        if tag in _INLINE:
            pieces.append(" " if tag == "br" else child.text_content())
        elif lists or tag not in LISTS:
            yield from _run(role, pieces)
            pieces = []
            inner = f"{block.tag!s} li" if tag == "li" else tag if tag in _OWN_ROLES else role
            yield from _runs(child, inner, lists=lists)
        pieces.append(child.tail or "")
    yield from _run(role, pieces)


def _run(role: str, pieces: list[str]) -> Iterator[tuple[str, str]]:
    text = "".join(pieces)
    if text.strip():
        yield role, text
