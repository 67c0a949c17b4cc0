"""The text of a rendered page as one string, and where each row's part of it stands.

Anchors count in it and quotes are cut from it.  White space is collapsed; a space stands between
two texts where a reader sees a gap: at white space, at ``br`` and where a block-level element
starts or ends.  Hidden text is part of it, since scripts determine visibility; the text of scripts,
styles and the like is not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from annotate.marks.gold import Target
from engine.nodes import NodeTable
from engine.tree import BLOCK_TAGS, TEXTLESS_TAGS, Bools, Ints

UNREAD_TAGS = TEXTLESS_TAGS | {"noembed", "noframes", "noscript", "template"}
"""Elements whose text no reader sees; ``noscript`` holds raw markup where scripts are on."""

PICTURE_TAGS = frozenset(
    "audio canvas embed iframe img input math object picture select svg textarea video".split()
)
"""Elements that show something without holding text."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, eq=False)
class PageText:
    """The text of a page.  n rows, w of them texts with words.

    Attributes:
        nodes: The page's rows.
        text: The whole text.
        rows: int32 (w,). The text rows with words, ascending.
        starts, stops: int32 (w,). Position of each of them in `text`.
    """

    nodes: NodeTable
    text: str
    rows: Ints
    starts: Ints
    stops: Ints

    @cached_property
    def spans(self) -> Ints:
        """Range of each row's text in `text`, int32 (n, 2); empty where it has none."""
        first = np.searchsorted(self.rows, np.arange(len(self.nodes)))
        last = np.searchsorted(self.rows, self.nodes.end)
        behind = np.concatenate(([0], self.stops)).astype(np.int32)[first]
        spans = np.stack((behind, behind), axis=1)
        full = first < last
        spans[full, 0] = self.starts[first[full]]
        spans[full, 1] = self.stops[last[full] - 1]
        return spans

    @cached_property
    def content(self) -> Bools:
        """Rows with their own content, bool (n,): texts with words, and pictures."""
        content = self.nodes.has_tag(*PICTURE_TAGS)
        content[self.rows] = True
        return content

    def span(self, target: Target) -> tuple[int, int]:
        """Return the range of a target's text in `text`, without white space at its ends."""
        n = self.rows.size
        position = n if target.is_whole else int(np.searchsorted(self.rows, target.row))
        if position >= n or self.rows[position] != target.row:
            start, stop = self.spans[target.row].tolist()
            return start, stop
        raw = raw_offsets(self.nodes.text[target.row])
        base = int(self.starts[position])
        start, stop = np.searchsorted(raw, (target.start, target.end)).tolist()
        while start < stop and self.text[base + start] == " ":
            start += 1
        while start < stop and self.text[base + stop - 1] == " ":
            stop -= 1
        return base + start, base + stop

    def quote(self, targets: Sequence[Target]) -> str:
        """Return the text of targets, white space collapsed, a space between two of them."""
        quotes = (self.text[start:stop] for start, stop in map(self.span, targets))
        return " ".join(quote for quote in quotes if quote)

    def parts(self, start: int, stop: int) -> tuple[Target, ...]:
        """Return the texts and parts of texts in ``start..stop`` of `text`."""
        first = int(np.searchsorted(self.stops, start, side="right"))
        last = int(np.searchsorted(self.starts, stop, side="left"))
        result = []
        for index in range(first, last):
            row, base = int(self.rows[index]), int(self.starts[index])
            a, b = max(start - base, 0), min(stop, int(self.stops[index])) - base
            raw = raw_offsets(self.nodes.text[row])
            if a < b:
                result.append(whole_or_part(self.nodes, row, raw[a], raw[b - 1] + 1))
        return tuple(result)


def raw_words(raw: str) -> list[tuple[int, int]]:
    """Return where the words of a text start and end."""
    return [word.span() for word in _WORD.finditer(raw)]


def raw_offsets(raw: str) -> list[int]:
    """Return the offset in ``raw`` of each character of its white-space-collapsed form."""
    offsets: list[int] = []
    for start, end in raw_words(raw):
        if offsets:
            offsets.append(start - 1)
        offsets.extend(range(start, end))
    return offsets


def whole_or_part(nodes: NodeTable, row: int, start: int, end: int) -> Target:
    """Return a part of a text row; the whole row where only white space would be left out."""
    raw = nodes.text[row]
    start, end = max(start, 0), min(end, len(raw))
    is_whole = not raw[:start].strip() and not raw[end:].strip()
    return Target(row) if is_whole else Target(row, start, end)


@lru_cache(maxsize=4)
def page_text(nodes: NodeTable) -> PageText:
    """Return the text of a page, remembered for the pages used last.  O(n)."""
    n = len(nodes)
    gaps = np.zeros(n + 1, dtype=np.int32)
    breaks = nodes.has_tag("br", *BLOCK_TAGS)
    gaps[:n] += breaks
    np.add.at(gaps, nodes.end[breaks], 1)
    gaps[:n] += nodes.is_text & ~nodes.has_words
    gaps = np.cumsum(gaps, dtype=np.int32)
    # A text right below an iframe is what a browser without frames would show.
    is_unread = nodes.within(*UNREAD_TAGS) | nodes.has_tag("iframe")[nodes.parent]
    rows = np.flatnonzero(nodes.has_words & ~is_unread).astype(np.int32)
    pieces: list[str] = []  # for each row its separator, then its words
    before, open_end = -1, False
    for row in rows.tolist():
        raw = nodes.text[row]
        is_apart = before >= 0 and (open_end or raw[0].isspace() or gaps[row] > gaps[before])
        pieces += [" " if is_apart else "", " ".join(raw.split())]
        before, open_end = row, raw[-1].isspace()
    ends = np.cumsum([*map(len, pieces)], dtype=np.int32)
    return PageText(nodes, "".join(pieces), rows, ends[::2].copy(), ends[1::2].copy())
