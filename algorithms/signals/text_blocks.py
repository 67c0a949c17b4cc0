"""Text blocks with shallow features, as Boilerpipe classifies them.

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
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from algorithms.signals.memo import shared
from algorithms.signals.tree_counts import words_below
from engine.runs import mark_covered
from engine.source import Source
from engine.tree import Bools, Locked, Longs, lock
from engine.word_units import is_mark, marks

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

_SIGNS = "\"'.,!@-:;$?()/_"


@dataclass(frozen=True, eq=False)
class TextBlocks(Locked):
    """The text blocks of a source, b of them in document order.

    Attributes:
        first, last: int64 (b,). Words of the source: first, and one past the last.
        words: int64 (b,). Words in the library's sense; may be 0.
        linked: int64 (b,). Those in links.
        counts: int64 (w,). How many of the library's words begin in each word of the source.
        lengths: int64. The letters of each of the library's words, of the whole source.
    """

    first: Longs
    last: Longs
    words: Longs
    linked: Longs
    counts: Longs
    lengths: Longs

    def __len__(self) -> int:
        return int(self.first.size)

    @cached_property
    def link_density(self) -> npt.NDArray[np.float64]:
        """Share of words in links, 0 where there are none, float64 (b,)."""
        return np.asarray(self.linked / np.maximum(self.words, 1), dtype=np.float64)

    @cached_property
    def wrapped(self) -> tuple[Longs, Longs]:
        """Words in full lines of 80 characters, and those lines, int64 (b,) each.

        A block of a single line has all its words in it.
        """
        words, lines = self.words.copy(), np.ones(len(self), dtype=np.int64)
        # Up to each word: how many of the library's words, and their letters with a blank each.
        pieces = np.concatenate(([0], np.cumsum(self.counts)))
        reach = np.concatenate(([0], np.cumsum(self.lengths + 1)))
        first, last = pieces[self.first], pieces[self.last]
        # A block of few letters has one line: no need to wrap it.
        long = np.flatnonzero(reach[last] - reach[first] > LINE_WIDTH + 1)
        ends = reach.tolist()
        for block in long.tolist():
            words[block], lines[block] = _wrap(ends, int(first[block]), int(last[block]))
        return words, lines

    @cached_property
    def text_density(self) -> npt.NDArray[np.float64]:
        """Words per wrapped line, the last line left out unless it is the only one, (b,)."""
        words, lines = self.wrapped
        return np.asarray(words / lines, dtype=np.float64)

    def words_in(self, chosen: Bools) -> Bools:
        """Return which of the source's words are in the chosen blocks, bool (w,)."""
        return mark_covered(self.first[chosen], self.last[chosen], self.counts.size)


@shared
def text_blocks(source: Source, inline_tags: tuple[str, ...] = INLINE_TAGS) -> TextBlocks:
    """Read the blocks of a source.  O(n), once."""
    tokens = source.tokens
    word = tokens.words
    read = ~words_below(source, source.tree.has_tag(*UNREAD_TAGS))
    linked = words_below(source, source.tree.has_tag("a"))

    is_border = tokens.is_tag & ~tokens.is_named(*inline_tags)
    border = np.cumsum(is_border)[word]
    word_number = np.flatnonzero(read)
    border = border[word_number]
    new = np.ones(border.size, dtype=bool)
    new[1:] = border[1:] != border[:-1]
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], border.size)[: starts.size]

    counts, lengths = _library_words(source)
    count = counts[word_number]
    total = np.concatenate(([0], np.cumsum(count)))
    in_links = np.concatenate(([0], np.cumsum(count * linked[word_number])))
    first, last = word_number[starts], word_number[ends - 1] + 1
    words, linked_words = total[ends] - total[starts], in_links[ends] - in_links[starts]
    return TextBlocks(first, last, words, linked_words, counts, lengths)


def _library_words(source: Source) -> tuple[Longs, Longs]:
    """Return the number of the library's words that begin in each word, (w,), and their letters."""
    size, tokens = source.lengths, source.tokens
    sign = _sign()
    others = np.flatnonzero(~_are_one(source))
    pieces = {
        number: tuple(map(len, _library_word().findall(word)))
        for number, word in zip(others.tolist(), source.some_words(others), strict=True)
    }

    def of(number: int) -> tuple[int, ...]:
        return pieces[number] if number in pieces else (int(size[number]),)

    # "foo<b>bar</b>" is one word unless the tag separates.
    glued = np.flatnonzero(tokens.joints[1:] == 0) + 1
    spacing = np.cumsum(tokens.is_named(*SPACING_TAGS))[tokens.words]
    borders = np.cumsum(tokens.is_tag & ~tokens.is_named(*INLINE_TAGS))[tokens.words]
    glued = glued[(spacing[glued] == spacing[glued - 1]) & (borders[glued] == borders[glued - 1])]
    heads: dict[int, int] = {}  # start of the word that a joined part continues
    words = zip(glued.tolist(), source.some_words(glued - 1), source.some_words(glued), strict=True)
    for number, before, word in words:
        if not (sign.fullmatch(before[-1:]) and sign.match(word)):
            continue
        head = heads.get(number - 1, number - 1) if len(of(number - 1)) == 0 else number - 1
        if not of(head) or not of(number):
            continue
        pieces[head] = (*of(head)[:-1], of(head)[-1] + of(number)[0])
        pieces[number] = of(number)[1:]
        heads[number] = head
    others = np.fromiter(pieces, np.int64, len(pieces))
    counts = np.ones(size.size, dtype=np.int64)
    counts[others] = list(map(len, pieces.values()))
    lengths = np.repeat(size, counts)
    position = np.cumsum(counts) - counts
    for first, own in zip(position[others].tolist(), pieces.values(), strict=True):
        lengths[first : first + len(own)] = own
    return counts, lengths


def _are_one(source: Source) -> Bools:
    """Return which words are one of the library's: of its letters and signs alone, bool (w,).

    Words with references are skipped, and are none of these.
    """
    spans = source.tokens.spans
    if not spans.size:
        return np.zeros(0, dtype=bool)
    kind = np.append(_kinds_of_letters().take(source.tokens.codes), np.int8(0))
    result = np.bitwise_or.reduceat(kind, spans.ravel())[::2] == 2
    result[source.with_references] = False
    return np.asarray(result, dtype=bool)


@cache
def _sign() -> re.Pattern[str]:
    """Return a pattern for characters of the library's words: letters, marks, digits, signs."""
    return re.compile(rf"[\w{marks()}{re.escape(_SIGNS)}]")


@cache
def _library_word() -> re.Pattern[str]:
    any_sign = _sign().pattern
    return re.compile(rf"{any_sign}*[^\W_]{any_sign}*")


@cache
def _kinds_of_letters() -> npt.NDArray[np.int8]:
    """Return of each of the `letter_codes`: 2 for a letter or digit, 0 for a sign, 1 for others."""
    kind = np.array([1 + chr(code).isalnum() for code in range(1 << 16)], dtype=np.int8)
    kind[is_mark()] = 0
    kind[[ord(sign) for sign in _SIGNS]] = 0
    lock(kind)
    return kind


def _wrap(ends: list[int], first: int, last: int) -> tuple[int, int]:
    """Wrap words ``first`` to ``last - 1``: words in full lines, and these lines; all in one if so.

    ``ends[k]`` is how far k words reach, each with a blank.
    """
    lines = int(ends[first + 1] - ends[first] > LINE_WIDTH + 1)  # before too long a first word
    opened = first
    while True:
        closed = bisect_right(ends, ends[opened] + LINE_WIDTH + 1, opened + 1, last + 1) - 1
        closed = max(closed, opened + 1)
        if closed >= last:
            break
        lines += 1
        opened = closed
    return (opened - first, lines) if lines else (last - first, 1)
