"""Alignment: which word of a source is which piece of a rendered text node, both directions.

For the serialised DOM this is arithmetic: every text node's place in it is known.  For the document
as received it is a longest common subsequence of words (`engine.sequences`).
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from engine.nodes import NodeTable
from engine.runs import mark_covered
from engine.sequences import common_words
from engine.source import Source
from engine.tree import TEXTLESS_TAGS, Bools, Ints, Longs, lock

RAW_TEXT_TAGS = ("script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext")
"""Elements whose text the serialiser writes as it is, without character references."""

_REFERENCE = re.compile("&(?:amp|lt|gt|nbsp);")
_LETTER = re.compile("&[#0-9A-Za-z]+;|.", re.DOTALL)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, eq=False)
class Pieces:
    """Locations of the texts of nodes in a source. p pieces, in the order of the source.

    Attributes:
        start, end: int64 (p,). Its range in the source.
        row: int64 (p,). Row of the text node.
        first: int64 (p,). Index of its first character in the node's text.
        is_raw: bool (p,). Whether it is written as it is, without character references.
    """

    start: Longs
    end: Longs
    row: Longs
    first: Longs
    is_raw: Bools

    @classmethod
    def none(cls) -> Self:
        no = np.zeros(0, dtype=np.int64)
        return cls(no, no, no, no, np.zeros(0, dtype=bool))


@dataclass(frozen=True, eq=False)
class Alignment:
    """Places of a source's words in the rendered text nodes.  w words; arrays are locked.

    Attributes:
        words: int32 (w, 2). Spans of the words in the source.
        place: int32 (w, 3). Row of the text node, start and end in its text (code points);
            row -1 where the word is not on the page.  Rows ascend, and starts within a row, but
            where a page is read as it is seen and has slots.
        html: The source.
    """

    words: Ints
    place: Ints
    html: str = field(repr=False)

    def __post_init__(self) -> None:
        lock(self.words)
        lock(self.place)

    @classmethod
    def of_dom(cls, source: Source, nodes: NodeTable) -> Self:
        """Align the serialised DOM with the nodes it was written from: exact.  O(w log n)."""
        rows = np.flatnonzero(nodes.is_text & (nodes.inner[:, 0] >= 0))
        rows = rows[np.argsort(nodes.inner[rows, 0], kind="stable")]
        is_raw = _parent_is(nodes, rows, RAW_TEXT_TAGS)
        start, end = nodes.inner[rows].astype(np.int64).T
        return cls.of_pieces(source, Pieces(start, end, rows, np.zeros_like(start), is_raw))

    @classmethod
    def of_pieces(cls, source: Source, pieces: "Pieces") -> Self:
        """Align a source with the nodes that its texts are written from: exact.  O(w log p)."""
        words = source.tokens.spans
        place = np.full((len(words), 3), -1, dtype=np.int32)
        if not len(words) or not pieces.start.size:
            return cls(words, place, source.html)
        at = np.searchsorted(pieces.start, words[:, 0], side="right") - 1
        is_known_word = (at >= 0) & (words[:, 0] < pieces.end[at])
        at = at[is_known_word]
        base = pieces.start[at]
        # A word that continues in the next piece gets the part in the first.
        ends = np.minimum(words[is_known_word, 1], pieces.end[at])

        references = [m.span() for m in _REFERENCE.finditer(source.html)]
        shrunk = np.cumsum([0, *(end - start - 1 for start, end in references)])
        positions = np.array([start for start, _ in references], dtype=np.int64)
        is_raw, first = pieces.is_raw[at], pieces.first[at]

        def position_of(position: npt.NDArray[np.integer]) -> Longs:
            lost = shrunk[np.searchsorted(positions, position)]
            lost -= shrunk[np.searchsorted(positions, base)]
            return first + position - base - np.where(is_raw, 0, lost)

        place[is_known_word] = np.stack(
            [pieces.row[at], position_of(words[is_known_word, 0]), position_of(ends)], axis=1
        )
        return cls(words, place, source.html)

    @classmethod
    def of_original(cls, source: Source, nodes: NodeTable) -> Self:
        """Align any source with the rendered words by their sequence.

        Near-linear on real pages; words in frames and in script, style and title do not take part.
        """
        rows = np.flatnonzero(nodes.is_text & (nodes.frame == 0) & nodes.has_words)
        rows = rows[~_parent_is(nodes, rows, tuple(TEXTLESS_TAGS))]
        rendered: list[str] = []
        spans: list[tuple[int, int, int]] = []
        for row in rows.tolist():
            for match in _WORD.finditer(nodes.text[row]):
                rendered.append(match[0])
                spans.append((row, match.start(), match.end()))
        words = source.tokens.spans
        position = np.full((len(words), 3), -1, dtype=np.int32)
        pairs = common_words(source.words, rendered)
        if pairs.size:
            position[pairs[:, 0]] = np.array(spans, dtype=np.int32)[pairs[:, 1]]
        return cls(words, position, source.html)

    @cached_property
    def is_placed(self) -> Bools:
        """Words on the page, bool (w,)."""
        return np.asarray(self.place[:, 0] >= 0, dtype=bool)

    @cached_property
    def _in_page_order(self) -> npt.NDArray[np.intp]:
        """The words that are on the page, by their places on it."""
        index = np.flatnonzero(self.is_placed)
        key = _key(self.place[index, 0].astype(np.int64), self.place[index, 1].astype(np.int64))
        return index if np.all(key[1:] >= key[:-1]) else index[np.argsort(key, kind="stable")]

    @property
    def share(self) -> float:
        """Share of the words that are on the page; 1 where there are none."""
        return float(self.is_placed.mean()) if len(self.words) else 1.0

    def ranges(self, spans: npt.ArrayLike) -> Ints:
        """Return the rendered text inside source spans, (k, 2): row, start, end; int32 (r, 3).

        Words that follow each other in one text node are one range.  A word cut by a span's edge
        gives its part, or itself where references make its letters hard to count.
        """
        spans = np.asarray(spans, dtype=np.int32).reshape(-1, 2)
        first = np.searchsorted(self.words[:, 1], spans[:, 0], side="right")
        last = np.searchsorted(self.words[:, 0], spans[:, 1], side="left")
        chosen = _union(first, last, len(self.words)) & self.is_placed
        index = np.flatnonzero(chosen)
        if not index.size:
            return np.zeros((0, 3), dtype=np.int32)
        position = self.place.copy()
        for k in self._plain(_cut(self.words, first, last, spans[:, 0], spans[:, 1])):
            start, end = self.words[k].tolist()
            touching = spans[(spans[:, 0] < end) & (spans[:, 1] > start)]
            if touching.size:
                position[k, 1] += max(0, int(touching[:, 0].min()) - start)
                position[k, 2] -= max(0, end - int(touching[:, 1].max()))
        new = np.ones(index.size, dtype=bool)
        new[1:] = (np.diff(index) > 1) | (np.diff(position[index, 0]) != 0)
        opening = index[new]
        closing = index[np.append(np.flatnonzero(new)[1:] - 1, index.size - 1)]
        ranges = np.column_stack([position[opening, :2], position[closing, 2]])
        return ranges[np.lexsort((ranges[:, 1], ranges[:, 0]))].astype(np.int32)

    def spans(self, ranges: npt.ArrayLike) -> Ints:
        """Return the source spans of the words in rendered text ranges, (k, 3); int32 (r, 2).

        In order, not overlapping; words that follow each other in the source are one span.  A word
        cut by a range's edge gives its part, or itself as in `ranges`.
        """
        ranges = np.asarray(ranges, dtype=np.int64).reshape(-1, 3)
        ranges = ranges[ranges[:, 2] > ranges[:, 1]]
        index = self._in_page_order
        position = self.place[index].astype(np.int64)
        first = np.searchsorted(
            _key(position[:, 0], position[:, 2]), _key(ranges[:, 0], ranges[:, 1]), "right"
        )
        last = np.searchsorted(
            _key(position[:, 0], position[:, 1]), _key(ranges[:, 0], ranges[:, 2]), "left"
        )
        chosen = np.sort(index[_union(first, last, index.size)])
        if not chosen.size:
            return np.zeros((0, 2), dtype=np.int32)
        spans = self.words.copy()
        cut = _cut(position[:, 1:], first, last, ranges[:, 1], ranges[:, 2])
        for k in index[cut].tolist():
            row, start, end = self.place[k].tolist()
            inside = ranges[(ranges[:, 0] == row) & (ranges[:, 1] < end) & (ranges[:, 2] > start)]
            letters = self._letters(k)
            if inside.size and len(letters) == end - start + 1:
                low = max(0, int(inside[:, 1].min()) - start)
                high = min(end, int(inside[:, 2].max())) - start
                spans[k] = letters[low], letters[high]
        new = np.ones(chosen.size, dtype=bool)
        new[1:] = np.diff(chosen) > 1
        # A partial word is a separate span, or the next word would include the rest.
        is_part = np.any(spans[chosen] != self.words[chosen], axis=1)
        new[is_part] = True
        new[1:] |= is_part[:-1]
        opening = np.flatnonzero(new)
        closing = np.append(opening[1:] - 1, chosen.size - 1)
        return np.stack([spans[chosen[opening], 0], spans[chosen[closing], 1]], axis=1)

    def _letters(self, word: int) -> list[int]:
        """Return the start of each letter of the word in the source, and the end of the last."""
        start, end = self.words[word].tolist()
        raw = self.html[start:end]
        if "&" not in raw:
            return list(range(start, end + 1))
        return [*(start + match.start() for match in _LETTER.finditer(raw)), end]

    def _plain(self, index: npt.NDArray[np.intp]) -> list[int]:
        """Return those of these words that are as long in the source as on the page."""
        size = self.words[index, 1] - self.words[index, 0]
        fits = size == self.place[index, 2] - self.place[index, 1]
        return [int(k) for k in index[fits & self.is_placed[index]]]


def _parent_is(nodes: NodeTable, rows: npt.NDArray[np.intp], names: tuple[str, ...]) -> Bools:
    return np.asarray(nodes.has_tag(*names)[nodes.parent[rows]], dtype=bool)


def _key(row: npt.NDArray[np.int64], position: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.asarray((row << 32) + position, dtype=np.int64)


def _cut(
    positions: npt.NDArray[np.integer],
    first: npt.NDArray[np.intp],
    last: npt.NDArray[np.intp],
    low: npt.NDArray[np.integer],
    high: npt.NDArray[np.integer],
) -> npt.NDArray[np.intp]:
    """Return which of the places, (n, 2), reach out of the run first..last that they are in."""
    some = last > first
    first, last, low, high = first[some], last[some] - 1, low[some], high[some]
    return np.union1d(first[positions[first, 0] < low], last[positions[last, 1] > high])


def _union(first: npt.NDArray[np.intp], last: npt.NDArray[np.intp], size: int) -> Bools:
    """Return which of ``size`` places are in at least one of the half-open runs, bool (size,)."""
    return mark_covered(first, np.maximum(first, last), size)
