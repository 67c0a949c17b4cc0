"""What rules read of a source's tree, in columns; each says what the page as XML would.

Columns are lists, as rules ask of one row after another.  A row that is not there is -1: columns
have one more entry, the last, for it.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from html import unescape
from html.entities import html5

import numpy as np
import numpy.typing as npt

from algorithms.extraction.elisa.page_xml import NO_XML, Attributes, counts, element_name
from engine.source import Source

Rows = npt.NDArray[np.int64]

# References that may add a letter or digit of ASCII to a word, or join two parts of one.
_LETTERS = [n for n, value in html5.items() if re.search("[0-9a-z]", value.lower())]
_LETTER_REFERENCES = ("&#", *(f"&{name}" for name in _LETTERS))


class Columns:
    """What rules read of one source's tree, each read when first asked for."""

    def __init__(self, source: Source) -> None:
        self._source, self._tree = source, source.tree
        self._attributes = Attributes()
        self._counted: dict[str, list[float]] = {}
        self._siblings: dict[tuple[str, str], list[int]] = {}
        self._saying: dict[str, set[int]] = {}

    def elements(self, name: str) -> list[int]:
        """The rows of elements of this name in the XML, ``*`` for any."""
        if name == "*":
            return np.flatnonzero(~self._tree.is_text).tolist()
        return self._rows.get(name, [])

    @cached_property
    def _rows(self) -> dict[str, list[int]]:
        """The rows of the elements of each name, in order."""
        tag = self._tree.tag
        order = np.argsort(tag.astype(np.uint16), kind="stable").tolist()
        ends = np.cumsum(np.bincount(tag, minlength=len(self._tree.names))).tolist()
        found: dict[str, list[int]] = {}
        for name, start, end in zip(self._tree.names, [0, *ends], ends, strict=False):
            if not name.startswith("#"):
                found.setdefault(element_name(name), []).extend(order[start:end])
        return found

    @cached_property
    def _tags(self) -> list[int]:
        return [*self._tree.tag.tolist(), -1]

    def tags(self) -> list[int]:
        """The number of each row's name."""
        return self._tags

    def numbers(self, name: str) -> frozenset[int]:
        """The numbers of the names that are this one in the XML."""
        names = enumerate(self._tree.names)
        return frozenset(
            [n for n, own in names if not own.startswith("#") and element_name(own) == name]
        )

    def counted(self, name: str) -> list[float]:
        """One column of `COUNTED`; NaN for no row."""
        if name not in self._counted:
            self._counted[name] = [*counts(self._source, name).tolist(), float("nan")]
        return self._counted[name]

    def attribute(self, name: str) -> Callable[[int], str | None]:
        """An attribute of the page's as the XML has it, of a row."""
        value, tags = self._attributes.value, self._start_tags
        return lambda row: value(tags[row], name)

    @cached_property
    def _start_tags(self) -> list[str]:
        """The start tag of each row as written; "" where there is none, or nothing but a name."""
        html, tokens, tree = self._source.html, self._source.tokens, self._tree
        rows = np.flatnonzero(tree.token >= 0)
        start, end = tokens.start[tree.token[rows]], tokens.end[tree.token[rows]]
        bare = np.array([len(f"<{name}>") for name in tree.names])[tree.tag[rows]]
        more = end - start > bare
        tags = [""] * (len(tree) + 1)
        parts = map(slice, start[more].tolist(), end[more].tolist())
        for row, tag in zip(rows[more].tolist(), map(html.__getitem__, parts), strict=True):
            tags[row] = tag
        return tags

    @cached_property
    def _small(self) -> list[str]:
        small = list(map(str.lower, self._start_tags))
        for row in [row for row, tag in enumerate(small) if "&" in tag]:
            if any(map(self._start_tags[row].__contains__, _LETTER_REFERENCES)):
                small[row] = unescape(self._start_tags[row]).lower()
        return small

    def small_tags(self) -> list[str]:
        """The same in small letters; it has each word of ASCII that one of its attributes has."""
        return self._small

    def sibling(self, axis: str, name: str) -> list[int]:
        """The nearest sibling of this name before or after each row."""
        if (axis, name) not in self._siblings:
            self._siblings[axis, name] = [*self._nearest(axis, name).tolist(), -1]
        return self._siblings[axis, name]

    def _nearest(self, axis: str, name: str) -> Rows:
        parent, n = self._tree.parent, len(self._tree)
        order = self._order if axis == "preceding-sibling" else self._order[::-1]
        is_wanted = np.zeros(n, dtype=bool)
        is_wanted[self.elements(name)] = True
        place = np.where(is_wanted[order], np.arange(n), -1)
        before = np.concatenate(([-1], np.maximum.accumulate(place)[:-1]))
        row = order[np.maximum(before, 0)]
        is_sibling = (before >= 0) & (parent[row] == parent[order])
        found = np.full(n, -1, dtype=np.int64)
        found[order] = np.where(is_sibling, row, -1)
        return found

    @cached_property
    def _order(self) -> Rows:
        """The rows, those of one parent together and in order, (n,)."""
        return np.argsort(self._tree.parent, kind="stable")

    def children(self, name: str) -> dict[int, list[int]]:
        """The children of this name, in order, of each row that has some."""
        found: dict[int, list[int]] = defaultdict(list)
        rows = self.elements(name)
        for row, parent in zip(rows, self._tree.parent[rows].tolist(), strict=True):
            found[parent].append(row)
        return found

    def below(self, name: str) -> list[bool]:
        """Which rows lie below an element of this name."""
        is_one = np.zeros(len(self._tree), dtype=bool)
        is_one[self.elements(name)] = True
        parent = self._tree.parent
        found: list[bool] = ((parent >= 0) & self._tree.below(is_one)[parent]).tolist()
        return found

    @cached_property
    def _text(self) -> tuple[str, list[int]]:
        """All texts, and how far the rows before each reach, (n + 1,)."""
        rows, texts = self._tree.texts
        size = np.zeros(len(self._tree) + 1, dtype=np.int64)
        size[rows + 1] = np.fromiter(map(len, texts), np.int64, len(texts))
        return "".join(texts), size.cumsum().tolist()

    def text(self) -> Callable[[int], str]:
        """The text of a row and all below it as the XML has it."""
        (text, reach), end = self._text, self._tree.end
        return lambda row: NO_XML.sub(" ", text[reach[row] : reach[end[row]]])

    def saying(self, words: str) -> set[int]:
        """The rows that have these words in their text, or in that of what is below."""
        if words not in self._saying:
            self._saying[words] = found = set()
            (text, reach), end, parent = self._text, self._tree.end, self._tree.parent
            if " " in words:  # which the XML also has where the text has what XML cannot have
                text = NO_XML.sub(" ", text)
            place = text.find(words)
            while place >= 0:
                row = bisect_right(reach, place) - 1
                while row >= 0 and row not in found:
                    if reach[end[row]] >= place + len(words):
                        found.add(row)
                    row = int(parent[row])
                place = text.find(words, place + 1)
        return self._saying[words]
