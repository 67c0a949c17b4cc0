"""Rows of a page with their attributes, classes and texts, whatever tree they are in.

Also readings of words (``ruby``), and the numbers of items of ordered lists by ``start``, ``value``
and ``reversed``, as HTML counts.
"""

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from lxml.html import HtmlElement

from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import start_tags
from engine.nodes import NodeTable
from engine.source import Source
from engine.tree import Bools, Ints, Longs, Tree

_EMPTY = frozenset(["mspace", "none", "mprescripts", "malignmark", "maligngroup"])


class ElementMarkup(NamedTuple):
    """Element and its content, texts unchanged, which MathML is read from."""

    name: str
    attributes: Mapping[str, str]
    children: "tuple[ElementMarkup | str, ...]"


@dataclass(frozen=True, eq=False)
class PageRows:
    """A tree and all that rules of structure ask about its rows.

    Attributes:
        page: What the tree is of: a source, or a rendered page.
    """

    page: Source | NodeTable
    _known: dict[int, Mapping[str, str]] = field(default_factory=dict, repr=False)
    _classes: dict[int, str] = field(default_factory=dict, repr=False)

    @cached_property
    def tree(self) -> Tree:
        """The tree, n rows."""
        return self.page.tree if isinstance(self.page, Source) else self.page

    @cached_property
    def parent(self) -> list[int]:
        """The parent of each row."""
        parents: list[int] = self.tree.parent.tolist()
        return parents

    @cached_property
    def end(self) -> list[int]:
        """Index after the last row of each subtree."""
        ends: list[int] = self.tree.end.tolist()
        return ends

    @cached_property
    def names(self) -> list[str]:
        """The tag name of each row."""
        names = self.tree.names
        return [names[number] for number in self.tree.tag.tolist()]

    def attributes(self, row: int) -> Mapping[str, str]:
        """Return the attributes of an element."""
        if isinstance(self.page, NodeTable):
            return self.page.attributes[row]
        tag = self._numbers[row]
        known = self._known.get(tag)
        if known is None:
            known = self._known[tag] = self.page.attributes(row)
        return known

    def get(self, row: int, name: str) -> str:
        """Return an attribute, "" where there is none."""
        return self.attributes(row).get(name, "")

    def classes(self, row: int) -> str:
        """Return the classes of an element between blanks, so that `` name `` finds one."""
        tag = self._numbers[row] if isinstance(self.page, Source) else row
        known = self._classes.get(tag)
        if known is None:
            known = self._classes[tag] = f" {' '.join(self.get(row, 'class').split())} "
        return known

    def named(self, *names: str) -> list[int]:
        """Return the rows of these tag names."""
        return np.flatnonzero(self.tree.has_tag(*names)).tolist()

    @cached_property
    def _numbers(self) -> list[int]:
        """The number of each row's start tag."""
        numbers: list[int] = self._tags[2].tolist()
        return numbers

    @cached_property
    def _tags(self) -> tuple[str, list[int], Longs]:
        """The different start tags in lower case, one after the other; where each begins and, past
        them, where they end; the number of each row's.
        """
        if isinstance(self.page, NodeTable):
            pieces = tuple(_written(each) for each in self.page.attributes)
            number = np.arange(len(pieces))
        else:
            pieces, number = start_tags(self.page)
        written = "".join(pieces)
        lowered = written.lower()
        if len(lowered) != len(written):  # a letter that is longer in lower case
            pieces = tuple(piece.lower() for piece in pieces)
            lowered = "".join(pieces)
        return lowered, [0, *accumulate(map(len, pieces))], number

    def mentioning(self, *words: str) -> list[int]:
        """Return the rows whose start tag holds one of these words of lower case, ascending."""
        tags, starts, number = self._tags
        is_found = np.zeros(len(starts), dtype=bool)
        for word in words:
            here = tags.find(word)
            while here >= 0:
                past = bisect_right(starts, here)
                is_found[past - 1] = True
                here = tags.find(word, starts[past])
        found: list[int] = np.flatnonzero(is_found[number]).tolist()
        return found

    def children(self, row: int) -> Iterator[int]:
        """Yield the rows of the children, in order."""
        end, at, ends = self.end[row], row + 1, self.end
        while at < end:
            yield at
            at = ends[at]

    def elements(self, row: int) -> list[int]:
        """Return the children that are elements."""
        return [child for child in self.children(row) if self.names[child] != "#text"]

    def above(self, row: int) -> Iterator[int]:
        """Yield the ancestors, the nearest first."""
        row = self.parent[row]
        while row >= 0:
            yield row
            row = self.parent[row]

    @cached_property
    def texts(self) -> tuple[Ints, tuple[str, ...]]:
        """Rows of texts, (k,), and the text of each without white space around it."""
        if isinstance(self.page, Source):
            rows, texts = self.page.tree.texts
            return rows.astype(np.int32), tuple(texts)
        rows = np.flatnonzero(self.page.has_words)
        return rows.astype(np.int32), tuple(self.page.text[row] for row in rows.tolist())

    def text(self, row: int) -> str:
        """Return the text below a row, a blank for white space and between texts."""
        return " ".join(" ".join(self.pieces(row)).split())

    def glued(self, row: int) -> str:
        """Return the text below a row, its texts not parted."""
        return "".join(self.pieces(row))

    def pieces(self, row: int) -> tuple[str, ...]:
        """Return the texts below a row."""
        rows, texts = self.texts
        first, last = rows.searchsorted([row, self.end[row]]).tolist()
        return texts[first:last]

    def own(self, row: int) -> str:
        """Return the text that a row is; "" of an element."""
        at = int(self.texts[0].searchsorted(row))
        is_text = at < len(self.texts[1]) and self.texts[0][at] == row
        return self.texts[1][at] if is_text else ""

    def has_text(self, first: int, last: int) -> bool:
        """Return whether there are texts in the rows from ``first`` up to ``last``."""
        a, b = self.texts[0].searchsorted([first, last]).tolist()
        return bool(b > a)

    def raw(self, row: int) -> str:
        """Return the content of an element without markup, such as a script."""
        if isinstance(self.page, NodeTable):
            return self.page.text_below(row)
        start, end = self.page.tree.inner[row].tolist()
        return self.page.html[start:end]

    def markup(self, row: int, deepest: int = 100) -> ElementMarkup:
        """Return an element with all in it, as far down as ``deepest`` levels."""
        children: list[ElementMarkup | str] = []
        rows, texts = self.texts
        for child in self.children(row):
            if self.names[child] == "#text":
                at = int(rows.searchsorted(child))
                if at < rows.size and rows[at] == child:
                    children.append(texts[at])
            elif deepest:
                inner = self.markup(child, deepest - 1)
                if inner.name in _EMPTY:  # HTML would have what follows lie in it
                    children += [inner._replace(children=()), *inner.children]
                else:
                    children.append(inner)
        return ElementMarkup(self.names[row], self.attributes(row), tuple(children))

    def below(self, rows: Iterable[int]) -> Bools:
        """Return the rows at or below some of these, bool (n,)."""
        marked = np.zeros(len(self.tree), dtype=bool)
        marked[list(rows)] = True
        return self.tree.below(marked)


@shared
def page_rows(page: Source | NodeTable) -> PageRows:
    """Return the rows of a page; the page keeps them."""
    return PageRows(page)


def _written(attributes: Mapping[str, str]) -> str:
    return " ".join([f'{name}="{value}"' for name, value in attributes.items()])


_OPENING = ("(", "（", "[", "〔", "【", "《")


@shared
def bare_readings(source: Source) -> tuple[int, ...]:
    """Return the readings of a page to which its own text gives no brackets, rows of ``rt``."""
    if "<rt" not in source.html and "<RT" not in source.html:
        return ()
    rows = page_rows(source)
    return tuple(
        row for row in rows.named("rt")
        if not (_is_after_bracket(rows, row) or has_own_brackets(rows, row))
    )  # fmt: skip


def has_own_brackets(rows: PageRows, row: int) -> bool:
    """Return whether a reading itself begins with a bracket."""
    return rows.glued(row).strip().startswith(_OPENING)


def _is_after_bracket(rows: PageRows, row: int) -> bool:
    before = next((at for at in reversed(rows.elements(rows.parent[row])) if at < row), None)
    return before is not None and rows.names[before] == "rp" and bool(rows.glued(before).strip())


_NUMBER = re.compile(r"\s*([+-]?\d{1,9})(?!\d)")


def numbers_on_page(rows: PageRows, row: int) -> dict[int, int]:
    """Return the number of each item of an ordered list of a page, by its row, in order."""
    given = rows.attributes(row)
    items = [child for child in rows.children(row) if rows.names[child] == "li"]
    step = _step(given)
    number = _number_in(given.get("start"), len(items) if step < 0 else 1)
    numbers = {}
    for item in items:
        numbers[item] = number = _number_in(rows.attributes(item).get("value"), number)
        number += step
    return numbers


def numbers_of(element: HtmlElement) -> Iterator[tuple[HtmlElement, int, int]]:
    """Yield each item of an ordered list of a clean tree, the number it would have by counting
    from the one before it, and its own.
    """
    counted, step = int(element.get("start", "1")), _step(element.attrib)
    for item in element.iterchildren("li"):
        number = int(item.get("value", counted))
        yield item, counted, number
        counted = number + step


def _step(attributes: Container[str]) -> int:
    return -1 if "reversed" in attributes else 1


def _number_in(given: str | None, other: int) -> int:
    match = _NUMBER.match(given or "")
    return int(match[1]) if match else other
