"""What rules read of a source's tree, in columns; each says what the page as XML would."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from algorithms.extraction.elisa.page_xml import NO_XML, Attributes, counts, element_name
from engine.source import Source
from engine.tree import Bools

Rows = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Strings:
    """A string for each of r rows, many of them equal.

    Attributes:
        values: The strings there are.
        index: int64 (r,). Which of them each row has.
    """

    values: list[str]
    index: Rows

    def made(self, make: Callable[[str], str]) -> "Strings":
        """Return what is made of each."""
        return Strings(list(map(make, self.values)), self.index)

    def which(self, test: Callable[[str, str], bool], other: "Strings") -> Bools:
        """Return for which rows a test holds of this and the other string, bool (r,)."""
        if len(other.values) == 1:
            (text,) = other.values
            return np.array([test(value, text) for value in self.values], dtype=bool)[self.index]
        pairs = zip(self.index.tolist(), other.index.tolist(), strict=True)
        return np.array([test(self.values[i], other.values[j]) for i, j in pairs], dtype=bool)


def joined(parts: list[Strings]) -> Strings:
    """Return the strings of each row put together."""
    values, index = [""], np.zeros(parts[0].index.size, dtype=np.int64)
    for part in parts:
        if len(values) > 1 < len(part.values):
            pairs = zip(index.tolist(), part.index.tolist(), strict=True)
            values = [values[i] + part.values[j] for i, j in pairs]
            index = np.arange(index.size)
            continue
        index = index * len(part.values) + part.index
        values = list(map("".join, product(values, part.values)))
    return Strings(values, index)


class Columns:
    """What rules read of one source's tree, each read when first asked for."""

    def __init__(self, source: Source) -> None:
        self.source, self.tree = source, source.tree
        self._attributes = Attributes()
        self._values: dict[str, dict[int, str]] = {}
        self._nearest: dict[tuple[str, str], Rows] = {}
        self._elements: dict[tuple[str, ...], Bools] = {}
        self._counted: dict[str, Numbers] = {}

    def elements(self, *names: str) -> Bools:
        """Which rows are elements of these names in the XML, ``*`` for any, bool (n,)."""
        if names not in self._elements:
            own = [own for name in names for own in self._names.get(name, ())]
            found = ~self.tree.is_text if "*" in names else self.tree.has_tag(*own)
            self._elements[names] = found
        return self._elements[names]

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.tree.names:
            if not name.startswith("#"):
                found.setdefault(element_name(name), []).append(name)
        return found

    def counted(self, name: str) -> Numbers:
        """One column of `COUNTED`, float64 (n,)."""
        if name not in self._counted:
            self._counted[name] = counts(self.source, name).astype(np.float64)
        return self._counted[name]

    def attribute(self, row: int, name: str) -> str | None:
        """An attribute of the page's as the XML has it."""
        return self._attributes.value(self._tags[row], name)

    def attributes(self, rows: Rows, name: str) -> Strings:
        """The same of many rows; "" where there is none."""
        known = self._values.setdefault(name, {})
        for row in rows.tolist():
            if row not in known:
                known[row] = self._attributes.value(self._tags[row], name) or ""
        return Strings([known[row] for row in rows.tolist()], np.arange(rows.size))

    def may_hold(self, rows: Rows, word: str) -> Bools:
        """Which rows have a word, in any letter case, or a reference in their start tag, bool (r,).

        ``word`` is of ASCII and in small letters.  No attribute of the other rows has it.
        """
        tags = map(self._small_tags.__getitem__, rows.tolist())
        return np.array([word in tag or "&" in tag for tag in tags], dtype=bool)

    @cached_property
    def _tags(self) -> list[str]:
        """The start tag of each row as written, length n; "" where there is none."""
        html, tokens, tree = self.source.html, self.source.tokens, self.tree
        rows = np.flatnonzero(tree.token >= 0)
        start, end = tokens.start[tree.token[rows]], tokens.end[tree.token[rows]]
        tags = [""] * len(tree)
        for row, i, j in zip(rows.tolist(), start.tolist(), end.tolist(), strict=True):
            tags[row] = html[i:j]
        return tags

    @cached_property
    def _small_tags(self) -> list[str]:
        """The same in small letters."""
        return list(map(str.lower, self._tags))

    @cached_property
    def _order(self) -> Rows:
        """The rows, those of one parent together and in order, (n,)."""
        return np.argsort(self.tree.parent, kind="stable")

    def sibling(self, axis: str, name: str) -> Rows:
        """The nearest sibling of this name before or after each row, -1 for none, (n,)."""
        if (axis, name) not in self._nearest:
            parent, n = self.tree.parent, len(self.tree)
            order = self._order
            if axis == "following-sibling":
                order = order[::-1]
            place = np.where(self.elements(name)[order], np.arange(n), -1)
            before = np.concatenate(([-1], np.maximum.accumulate(place)[:-1]))
            row = order[np.maximum(before, 0)]
            is_sibling = (before >= 0) & (parent[row] == parent[order])
            found = np.full(n, -1, dtype=np.int64)
            found[order] = np.where(is_sibling, row, -1)
            self._nearest[axis, name] = found
        return self._nearest[axis, name]

    @cached_property
    def _text(self) -> tuple[str, Rows]:
        """All texts as the XML has them, and how far the rows before each reach, (n + 1,)."""
        texts = self.tree.text
        reach = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=reach[1:])
        return NO_XML.sub(" ", "".join(texts)), reach

    def text_below(self, row: int) -> str:
        """The text of a row and all below it."""
        text, reach = self._text
        return text[reach[row] : reach[self.tree.end[row]]]

    def says(self, rows: Rows, words: str) -> Bools:
        """Which rows have these words in their text, bool (r,)."""
        text, reach = self._text
        places = []
        place = text.find(words)
        while place >= 0:
            places.append(place)
            place = text.find(words, place + 1)
        start, end = reach[rows], reach[self.tree.end[rows]]
        ends = np.array([*places, len(text) + len(words)]) + len(words)
        return np.asarray(ends[np.searchsorted(places, start)] <= end, dtype=bool)
