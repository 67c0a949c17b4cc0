"""Kreuzer's data sets: semantic blocks marked in a copy of each page's DOM (formats.md#kreuzer).

``X.blocks.html`` is beside ``X.html``; its elements with ``data-block`` are the gold blocks, the
attribute's value their level, ``data-block-type`` their type.  Any type, any nesting and any pair
of level and type occurs in the published data and is taken as it is.

A rendered page has other rows than the file has tags, since a browser mends what it reads.  So the
elements of both are aligned as sequences, and every block's text is checked against its row's.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from lxml import etree
from rapidfuzz.distance import Indel, LCSseq

from algorithms.levels import LEVELS, Level
from annotate.marks.gold import Gold, Mark, MarkState, Target, new_id
from annotate.marks.page_text import UNREAD_TAGS, page_text
from engine import bounded_file
from engine.document import Document
from engine.errors import convert_os_error
from engine.nodes import NodeTable
from engine.tree import Ints

SPELLINGS = {
    "LinkList": "Link list",
    "Linklist": "Link list",
    "Link-list": "Link list",
    "Searchbar": "Search bar",
}
"""Types the data spells in another way than `annotate.marks.gold.TYPES`."""

LEAST_ALIKE = 0.8
"""A row whose text is at least so like the block's is taken, to be confirmed."""

ENDINGS = (".html.orig", ".dom.html", ".blocks.html", ".html")
_IDENTITY = ("id", "class", "name", "src", "href", "action", "type", "style")
_UNREAD_TAGS = sorted(UNREAD_TAGS | {"iframe"})
_UNREAD = etree.XPath(f"//*[{' or '.join(f'self::{tag}' for tag in _UNREAD_TAGS)}]")
_READ_TEXT = etree.XPath(
    f".//text()[not({' or '.join(f'ancestor::{tag}' for tag in _UNREAD_TAGS)})]",
    smart_strings=False,
)
_ALL_TEXT = etree.XPath("string()", smart_strings=False)
_ELEMENTS = etree.XPath("descendant-or-self::*")
_MARKED = etree.XPath("descendant-or-self::*[@data-block]")


@dataclass(frozen=True)
class KreuzerBlock:
    """A gold block as the block measure wants it: all text below its element, its level, type."""

    text: str
    level: Level
    type: str


@dataclass(frozen=True)
class LocatedGold:
    """Gold as found on a rendered page.

    Attributes:
        gold: The blocks that were found; those with another text are `MarkState.MOVED`.
        problems: One sentence for each oddity and each block that was not found.
    """

    gold: Gold
    problems: tuple[str, ...]


def blocks_file(page: Path) -> Path | None:
    """Return the file of gold blocks beside one of a page's four files, if any."""
    ending = next(filter(page.name.endswith, ENDINGS), "")
    beside = page.with_name(page.name.removesuffix(ending) + ".blocks.html")
    return beside if ending and beside.is_file() else None


def blocks_of(document: Document) -> Path | None:
    """Return the file of gold blocks that belongs to a document, if any."""
    if document.root is None or document.data is not None:
        return None
    return blocks_file(document.root / document.path)


def read_blocks(path: Path) -> str:
    """Return a file of gold blocks: UTF-8 with any declaration, ten of them windows-1252."""
    with convert_os_error(f"read {path}"):
        data = bounded_file.read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def gold_texts(blocks_html: str) -> list[KreuzerBlock]:
    """Return the texts of all gold blocks, in document order, as the thesis' measure takes them.

    For the variants of a page that are not the marked DOM: there, blocks are compared by text.
    """
    return [
        KreuzerBlock(_ALL_TEXT(element), level, kind)
        for element, level, kind in _blocks(_parse(blocks_html), [])
    ]


def read_gold(nodes: NodeTable, blocks_html: str) -> LocatedGold:
    """Return the gold blocks as marks on a rendered page.

    Made for the page rendered from the same file without its marks; on another variant it finds as
    much as possible.  A block counts as found if its element's row, or another of its tag, has
    exactly its text, white space and scripts apart; one without text, if its row is there.
    """
    page = _ElementRows(nodes)
    root = _parse(blocks_html)
    problems: list[str] = []
    marks: list[Mark] = []
    elements = _ELEMENTS(root)
    row_of = dict(zip(elements, page.aligned(elements), strict=True))
    # Only in or around these elements must unread text be removed.
    unread = {e for each in _UNREAD(root) for e in (*each.iter(), *each.iterancestors())}
    for element, level, kind in _blocks(root, problems):
        text = "".join(_READ_TEXT(element)) if element in unread else _ALL_TEXT(element)
        row, state = page.find(str(element.tag), _squeezed(text), row_of[element])
        quote = " ".join(text.split())
        if row < 0:
            texts = f'"{quote[:60]}"' if quote else "a block without text"
            problems.append(f"level-{level} {kind or 'block'} not found on the page: {texts}")
            continue
        if state is MarkState.EXACT:
            quote = page_text(nodes).quote([Target(row)])
        marks.append(Mark(new_id(), level, (Target(row),), kind, state, quote))
    return LocatedGold(Gold(_distinct(marks, problems)), tuple(problems))


def _distinct(marks: list[Mark], problems: list[str]) -> tuple[Mark, ...]:
    seen: set[tuple[int, tuple[Target, ...]]] = set()
    distinct = []
    for mark in marks:
        if (mark.level, mark.targets) in seen:
            problems.append(f"level-{mark.level} {mark.type or 'block'} twice on one node")
            continue
        seen.add((mark.level, mark.targets))
        distinct.append(mark)
    return tuple(distinct)


@lru_cache(maxsize=2)
def _parse(blocks_html: str) -> etree._Element:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    root = etree.fromstring(blocks_html.encode("utf-8", "replace") or b"<html></html>", parser)
    return etree.fromstring(b"<html></html>", parser) if root is None else root


def _blocks(
    root: etree._Element, problems: list[str]
) -> Iterator[tuple[etree._Element, Level, str]]:
    """Yield elements with a mark, their level and type; invalid levels are reported."""
    for element in _MARKED(root):
        own = element.get("data-block").strip()
        kind = (element.get("data-block-type") or "").strip()
        kind = SPELLINGS.get(kind, kind)
        level = {"1": LEVELS[0], "2": LEVELS[1]}.get(own)
        if level is None:
            problems.append(f"{kind or 'block'} has level {own!r}; expected 1 or 2")
            continue
        yield element, level, kind


def _squeezed(text: str) -> str:
    return "".join(text.split())


@dataclass(frozen=True, eq=False)
class _ElementRows:
    """The page's elements outside frames, and their texts without any white space."""

    nodes: NodeTable

    @cached_property
    def rows(self) -> list[int]:
        nodes = self.nodes
        return np.flatnonzero(~nodes.is_text & (nodes.frame == 0)).tolist()

    def aligned(self, elements: list[etree._Element]) -> list[int]:
        """Return the row of each element, -1 where it has none: the longest common sequence."""
        numbers: dict[tuple[str, ...], int] = defaultdict(lambda: len(numbers))
        ours = [numbers[_identity(str(e.tag), dict(e.items()))] for e in elements]
        names, tags, attributes = self.nodes.names, self.nodes.tag.tolist(), self.nodes.attributes
        theirs = [numbers[_identity(names[tags[r]], attributes[r])] for r in self.rows]
        result = [-1] * len(elements)
        for op in LCSseq.opcodes(ours, theirs):
            if op.tag == "equal":
                for k in range(op.src_end - op.src_start):
                    result[op.src_start + k] = self.rows[op.dest_start + k]
        return result

    @cached_property
    def _text(self) -> tuple[str, Ints]:
        """All text without white space, and where each row's starts and stops in it."""
        pieces, stops, rows = [], [0], []
        for row in page_text(self.nodes).rows.tolist():
            if self.nodes.frame[row] == 0:
                pieces.append(_squeezed(self.nodes.text[row]))
                stops.append(stops[-1] + len(pieces[-1]))
                rows.append(row)
        bounds = np.array(stops, dtype=np.int32)
        first = np.searchsorted(rows, np.arange(len(self.nodes)))
        last = np.searchsorted(rows, self.nodes.end)
        return "".join(pieces), np.stack((bounds[first], bounds[last]), axis=1)

    @cached_property
    def _rows_at(self) -> dict[tuple[int, int], list[int]]:
        rows_at: dict[tuple[int, int], list[int]] = defaultdict(list)
        spans = self._text[1]
        for row in self.rows:
            start, stop = spans[row].tolist()
            rows_at[start, stop].append(row)
        return rows_at

    def find(self, tag: str, text: str, row: int) -> tuple[int, MarkState]:
        """Return the row of a block with this text, -1 if there is none; ``row`` is the aligned."""
        everything, spans = self._text
        here = ""
        if row >= 0:
            start, stop = spans[row].tolist()
            here = everything[start:stop]
            if here == text:
                return row, MarkState.EXACT
        if text:
            same: list[int] = []
            start = everything.find(text)
            while start >= 0:
                same.extend(self._rows_at.get((start, start + len(text)), ()))
                start = everything.find(text, start + 1)
            same = [r for r in same if self.nodes.name_of(r) == tag] or same
            if same:
                # Of several equal ones, the one nearest to the expected position of the block.
                return min(same, key=lambda r: abs(r - row)), MarkState.EXACT
        if row >= 0 and Indel.normalized_similarity(here, text) >= LEAST_ALIKE:
            return row, MarkState.MOVED
        return -1, MarkState.LOST


def _identity(tag: str, attributes: Mapping[str, str]) -> tuple[str, ...]:
    """Return what an element has in common with its row: its tag, and attributes with values."""
    if not attributes:
        return (tag,)
    result = [tag]
    for name in _IDENTITY:
        value = attributes.get(name)
        if value and not value.isspace():
            result += (name, _squeezed(value))
    return tuple(result)
