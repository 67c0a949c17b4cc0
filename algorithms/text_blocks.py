"""Text blocks with shallow features: what Boilerpipe classifies.

Source: C. Kohlschuetter, P. Fankhauser, W. Nejdl, "Boilerplate Detection using Shallow Text
Features", WSDM 2010, sections 3.3, 3.4 and 4.1, and the library of the same authors, whose words
and blocks differ from the paper's and are what its results were made with:

- Not only ``a`` keeps a block together, but ``b em i span strong ...`` too (`INLINE_TAGS`).
- A word is a run of letters, digits and the signs ``"'.,!@-:;$?()/`` with at least one letter or
  digit, so that dashes and typographic quotes split.
- Text in ``option object applet noscript`` is no text.

Text density wraps a block's words at 80 characters and leaves the last line out of account.
"""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from engine.source import Source
from engine.tree import Bools

INLINE_TAGS = (
    "a", "strike", "u", "b", "i", "em", "strong", "span", "sup", "code", "tt", "sub", "var",
    "abbr", "acronym", "font",
)  # fmt: skip
"""Tags that do not end a text block, in the library; in the paper only ``a``."""

SPACING_TAGS = ("a", "abbr", "acronym")
"""Inline tags that separate words."""

UNREAD_TAGS = ("style", "script", "option", "object", "embed", "applet", "noscript")
"""Elements whose text is no part of any block."""

LINE_WIDTH = 80

_WORD = re.compile(r"[\w\"'.,!@\-:;$?()/]*[^\W_][\w\"'.,!@\-:;$?()/]*")

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TextBlocks:
    """The text blocks of a source in document order, b of them.

    Attributes:
        source: What they are blocks of.
        first, last: int64 (b,). Words of the source: first, and one past the last.
        words: int64 (b,). Words in the library's sense; may be 0.
        linked: int64 (b,). Those in links.
    """

    source: Source
    first: Counts
    last: Counts
    words: Counts
    linked: Counts

    def __len__(self) -> int:
        return int(self.first.size)

    @cached_property
    def link_density(self) -> npt.NDArray[np.float64]:
        """Share of words in links, 0 where there are none, float64 (b,)."""
        return np.asarray(self.linked / np.maximum(self.words, 1), dtype=np.float64)

    @cached_property
    def wrapped(self) -> tuple[Counts, Counts]:
        """Words in full lines of 80 characters, and those lines, int64 (b,) each.

        A block of a single line has all its words in it.
        """
        words, lines = self.words.copy(), np.ones(len(self), dtype=np.int64)
        # A block of few letters has one line: no need to wrap it.
        lengths = np.concatenate(
            ([0], np.cumsum(np.fromiter(map(len, self.source.words), np.int64) + 1))
        )
        long = np.flatnonzero(lengths[self.last] - lengths[self.first] > LINE_WIDTH)
        for block in long.tolist():
            words[block], lines[block] = _wrap(self.text(block))
        return words, lines

    @cached_property
    def text_density(self) -> npt.NDArray[np.float64]:
        """Words per wrapped line, the last line left out unless it is the only one, (b,)."""
        words, lines = self.wrapped
        return np.asarray(words / lines, dtype=np.float64)

    def text(self, block: int) -> str:
        """Return one block's text."""
        spans = self.source.tokens.spans
        low, high = int(self.first[block]), int(self.last[block])
        return self.source.text_of([[spans[low, 0], spans[high - 1, 1]]])

    def words_in(self, chosen: Bools) -> Bools:
        """Return which of the source's words lie in the chosen blocks, bool (w,)."""
        kept = np.zeros(len(self.source.words) + 1, dtype=np.int64)
        np.add.at(kept, self.first[chosen], 1)
        np.add.at(kept, self.last[chosen], -1)
        return np.asarray(np.cumsum(kept)[:-1] > 0, dtype=bool)


def text_blocks(source: Source, inline_tags: tuple[str, ...] = INLINE_TAGS) -> TextBlocks:
    """Read the blocks of a source.  O(n)."""
    tokens = source.tokens
    word = tokens.words
    read = ~_inside(source, UNREAD_TAGS)
    linked = _inside(source, ("a",))

    is_border = tokens.is_tag & ~tokens.is_named(*inline_tags)
    border = np.cumsum(is_border)[word]
    word_number = np.flatnonzero(read)
    border = border[word_number]
    new = np.ones(border.size, dtype=bool)
    new[1:] = border[1:] != border[:-1]
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], border.size)[: starts.size]

    count = _word_counts(source)[word_number]
    total = np.concatenate(([0], np.cumsum(count)))
    in_links = np.concatenate(([0], np.cumsum(count * linked[word_number])))
    return TextBlocks(
        source,
        word_number[starts],
        word_number[ends - 1] + 1,
        total[ends] - total[starts],
        in_links[ends] - in_links[starts],
    )


def _word_counts(source: Source) -> Counts:
    """How many of the library's words start in each word of the source, int64 (w,)."""
    counted: dict[str, int] = {}
    counts = np.empty(len(source.words), dtype=np.int64)
    for number, word in enumerate(source.words):
        found = counted.get(word)
        if found is None:
            found = 1 if word.isalnum() else len(_WORD.findall(word))
            counted[word] = found
        counts[number] = found
    # "foo<b>bar</b>" is one word unless the tag separates.
    tokens = source.tokens
    glued = np.flatnonzero(tokens.joints[1:] == 0) + 1
    spacing = np.cumsum(tokens.is_named(*SPACING_TAGS))[tokens.words]
    borders = np.cumsum(tokens.is_tag & ~tokens.is_named(*INLINE_TAGS))[tokens.words]
    for number in glued.tolist():
        if (spacing[number], borders[number]) == (spacing[number - 1], borders[number - 1]):
            left, right = source.words[number - 1], source.words[number]
            both = len(_WORD.findall(left[-1:] + right[:1]))
            apart = len(_WORD.findall(left[-1:])) + len(_WORD.findall(right[:1]))
            if both < apart:
                counts[number] -= 1
    return counts


def _wrap(text: str) -> tuple[int, int]:
    """Return words and lines of ``text`` wrapped at 80 characters, the last line left out.

    Text of one line has all its words in it.
    """
    lines = 0
    length = -1  # the first blank does not count
    total = in_line = 0
    for word in _WORD.findall(text):
        total += 1
        in_line += 1
        length += len(word) + 1
        if length > LINE_WIDTH:
            lines += 1
            length = len(word)
            in_line = 1
    return (total - in_line, lines) if lines else (total, 1)


def _inside(source: Source, names: tuple[str, ...]) -> Bools:
    """Which words lie in elements of these names, bool (w,)."""
    tree = source.tree
    steps = np.zeros(len(source.words) + 1, dtype=np.int64)
    words = tree.words[tree.has_tag(*names)]
    np.add.at(steps, words[:, 0], 1)
    np.add.at(steps, words[:, 1], -1)
    return np.asarray(np.cumsum(steps)[:-1] > 0, dtype=bool)
