"""Columns that rules read of a source's tree; each gives the value that the page as XML would.

Columns are lists, as rules ask of one row after another.  A row that is not there is -1: columns
have one more entry, the last, for it.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from html.entities import html5
from itertools import accumulate

import numpy as np

from algorithms.plugins.elisa.page_xml import NO_XML, Attributes, counts, element_name
from engine.references import resolve_value
from engine.source import Source

# References that may add a letter or digit of ASCII to a word, or join two parts of one.
_LETTERS = [n for n, value in html5.items() if re.search("[0-9a-z]", value.lower())]
_LETTER_REFERENCES = ("&#", *(f"&{name}" for name in _LETTERS))


class Columns:
    """Columns that rules read of one source's tree, each computed on first use."""

    def __init__(self, source: Source) -> None:
        self._source, self._tree = source, source.tree
        self._attributes = Attributes()
        self._counted: dict[str, list[float]] = {}
        self._known_children: dict[str, dict[int, list[int]]] = {}
        self._read_tags: set[str] = set()
        self._small = [""] * (len(self._tree) + 1)
        self._saying: dict[str, set[int]] = {}

    def elements(self, name: str) -> list[int]:
        """Return the rows of elements of this name in the XML, ``*`` for any."""
        if name == "*":
            return np.flatnonzero(~self._tree.is_text).tolist()
        return self._rows.get(name, [])

    @cached_property
    def _names(self) -> list[str]:
        """Name in the XML of each name in the tree; "" for names of no element."""
        names = self._tree.names
        return ["" if name.startswith("#") else element_name(name) for name in names]

    @cached_property
    def _rows(self) -> dict[str, list[int]]:
        """The rows of the elements of each name."""
        tag = self._tree.tag
        order = np.argsort(tag.astype(np.uint16), kind="stable").tolist()
        ends = np.cumsum(np.bincount(tag, minlength=len(self._names))).tolist()
        result: dict[str, list[int]] = {}
        for name, start, end in zip(self._names, [0, *ends], ends, strict=False):
            result.setdefault(name, []).extend(order[start:end])
        return result

    @cached_property
    def _tags(self) -> list[int]:
        return [*self._tree.tag.tolist(), -1]

    def tags(self) -> list[int]:
        """The number of each row's name."""
        return self._tags

    def numbers(self, name: str) -> frozenset[int]:
        """Return the numbers of the names that are this one in the XML, ``*`` for any."""
        names = enumerate(self._names)
        return frozenset([number for number, own in names if own == name or (own and name == "*")])

    def counted(self, name: str) -> list[float]:
        """Return a column of `COUNTED`; NaN for no row."""
        if name not in self._counted:
            self._counted[name] = [*counts(self._source, name).tolist(), float("nan")]
        return self._counted[name]

    def attribute(self, name: str) -> Callable[[int], str | None]:
        """Return an attribute of a row as in the XML."""
        html, value, (start, end) = self._source.html, self._attributes.value, self._tag_ends
        return lambda row: value(html[start[row] : end[row]], name)

    @cached_property
    def _tag_ends(self) -> tuple[list[int], list[int]]:
        """Start and end of the start tag of each row, equal where there is none."""
        start, end = self._tree.outer[:, 0], self._tree.inner[:, 0]
        is_tag = self._tree.token >= 0  # some elements are implied, or opened by an end tag
        return [*start.tolist(), 0], [*np.where(is_tag, end, start).tolist(), 0]

    def small_tags(self, *names: str) -> list[str]:
        """Return the start tags of elements of these names in lower case, else "".

        Each has the words of ASCII that one of its attributes has.
        """
        html, small, (start, end) = self._source.html, self._small, self._tag_ends
        for name in set(names) - self._read_tags:
            self._read_tags.add(name)
            for row in self.elements(name):
                tag = html[start[row] : end[row]]
                if "&" in tag and any(map(tag.__contains__, _LETTER_REFERENCES)):
                    tag = resolve_value(tag)
                small[row] = tag.lower()
        return small

    def sibling(self, axis: str, name: str) -> Callable[[int], int]:
        """Return the nearest sibling of this name before or after a row."""
        parent, among = self._parent, self._children_of(name)

        def before(row: int) -> int:
            rows = among(parent[row])
            position = bisect_left(rows, row)
            return rows[position - 1] if position else -1

        def after(row: int) -> int:
            rows = among(parent[row])
            position = bisect_right(rows, row)
            return rows[position] if position < len(rows) and row >= 0 else -1

        return before if axis == "preceding-sibling" else after

    @cached_property
    def _parent(self) -> list[int]:
        return [*self._tree.parent.tolist(), -1]

    @cached_property
    def _end(self) -> list[int]:
        result: list[int] = self._tree.end.tolist()
        return result

    def _children_of(self, name: str) -> Callable[[int], list[int]]:
        """Return a function from a row to its children of this name, in order, found once."""
        result: dict[int, list[int]] = self._known_children.setdefault(name, {-1: []})
        tag, end, numbers = self._tags, self._end, self.numbers(name)

        def children(row: int) -> list[int]:
            if row not in result:
                child, past = row + 1, end[row]
                result[row] = rows = []
                while child < past:
                    if tag[child] in numbers:
                        rows.append(child)
                    child = end[child]
            return result[row]

        return children

    def children(self, name: str) -> dict[int, list[int]]:
        """Return the children of this name, in order, of each row that has any."""
        result: dict[int, list[int]] = defaultdict(list)
        rows = self.elements(name)
        for row, parent in zip(rows, self._tree.parent[rows].tolist(), strict=True):
            result[parent].append(row)
        return result

    def below(self, name: str) -> Callable[[int], bool]:
        """Return a function that tests whether a row is below an element of this name."""
        rows = sorted(self.elements(name))
        reach = list(accumulate(map(self._end.__getitem__, rows), max))

        def is_below(row: int) -> bool:
            before = bisect_left(rows, row)
            return before > 0 and reach[before - 1] > row

        return is_below

    @cached_property
    def _text(self) -> tuple[str, list[int]]:
        """All texts, and how far the rows before each reach, (n + 1,)."""
        rows, texts = self._tree.texts
        size = np.zeros(len(self._tree) + 1, dtype=np.int64)
        size[rows + 1] = np.fromiter(map(len, texts), np.int64, len(texts))
        return "".join(texts), size.cumsum().tolist()

    def text(self) -> Callable[[int], str]:
        """Return the text of a row and all below it as in the XML."""
        (text, reach), end = self._text, self._end
        return lambda row: NO_XML.sub(" ", text[reach[row] : reach[end[row]]])

    def saying(self, words: str) -> set[int]:
        """Return the rows that have these words in their text, or in that of rows below."""
        if words not in self._saying:
            self._saying[words] = result = set()
            (text, reach), end, parent = self._text, self._end, self._parent
            if " " in words:  # the XML has it too, for characters that XML does not allow
                text = NO_XML.sub(" ", text)
            position = text.find(words)
            while position >= 0:
                row = bisect_right(reach, position) - 1
                while row >= 0 and row not in result:
                    if reach[end[row]] >= position + len(words):
                        result.add(row)
                    row = parent[row]
                position = text.find(words, position + 1)
        return self._saying[words]
