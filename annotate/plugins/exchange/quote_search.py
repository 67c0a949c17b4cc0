"""Places of quotes of other tools in the text of a page.

Tools write the letters of a page as it has them, but accents may be apart (macOS), signs that
nobody sees may be missing, and so may white space where a block, a cell or a line ends: the text of
the DOM has none there.  Anywhere else a blank parts words: "the rapist" is not in "therapist".
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import combining, is_normalized, normalize

import numpy as np

from annotate.marks.page_text import PageText
from engine.tree import BLOCK_TAGS

_UNSEEN = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""Signs without a width: soft hyphens, marks of direction, zero width spaces, byte order marks."""

_MOST_UNSEEN = 16
_JOINED, _BLANK, _PARTED = "-", " ", "\n"


@dataclass(frozen=True)
class _Letters:
    """Letters of a text in Unicode's NFC, without white space and unseen signs.

    Attributes:
        text: One character a letter.
        starts, stops: Where each is in the text.
        before: What is before each: nothing, a blank, or the end of a block, a cell or a line.
    """

    text: str
    starts: list[int]
    stops: list[int]
    before: str


def bare_letters(text: str) -> str:
    """Return a text without white space and unseen signs, accents composed."""
    return normalize("NFC", "".join(_UNSEEN.sub("", text).split()))


def quoted_ranges(
    page: PageText, quote: str, prefix: str, suffix: str, start: int, stop: int
) -> list[tuple[int, int]]:
    """Return the ranges of a quote with exactly its context, which a file may shorten.

    In the context white space does not count.
    """
    text, quote = page.text, _UNSEEN.sub("", quote)
    prefix, suffix = bare_letters(prefix), bare_letters(suffix)
    near = 2 * max(len(prefix), len(suffix)) + _MOST_UNSEEN
    for ranges in _forms(page, quote, start, stop) if quote.strip() else ():
        result = [
            (at, end) for at, end in ranges
            if bare_letters(text[max(at - near, 0) : at]).endswith(prefix)
            and bare_letters(text[end : end + near]).startswith(suffix)
        ]  # fmt: skip
        if result:
            return result
    return []


def _forms(page: PageText, quote: str, start: int, stop: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the ranges of a quote as it is, and as other tools write its letters, surest first."""
    yield list(_found(page.text, quote, start, stop))
    yield from _found_bare(page, quote, start, stop)


def _found(text: str, quote: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    at = text.find(quote, start, stop)
    while at >= 0:
        yield at, at + len(quote)
        at = text.find(quote, at + 1, stop)


def _found_bare(
    page: PageText, quote: str, start: int, stop: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return where a quote's letters are with its blanks, and where without those at ends."""
    own, wanted = _page_letters(page), _letters(quote, frozenset())
    first, last = bisect_left(own.starts, start), bisect_right(own.stops, stop)
    gaps, size = wanted.before[1:], len(wanted.text)
    same: list[tuple[int, int]] = []
    parted: list[tuple[int, int]] = []
    for at, end in _found(own.text, wanted.text, first, last) if size else ():
        between = own.before[at + 1 : end]
        place = own.starts[at], own.stops[end - 1]
        if between.replace(_PARTED, _BLANK) == gaps:
            same.append(place)
        elif all(x in (y, _PARTED) for x, y in zip(between, gaps, strict=True)):
            parted.append(place)
    return same, parted


@lru_cache(maxsize=2)
def _page_letters(page: PageText) -> _Letters:
    """Return the letters of a page, remembered for all quotes on it.  O(n)."""
    nodes = page.nodes
    breaks = nodes.has_tag("br", *BLOCK_TAGS)
    ends = np.zeros(len(nodes) + 1, dtype=np.int32)
    ends[:-1] += breaks
    np.add.at(ends, nodes.end[breaks], 1)
    ends = np.cumsum(ends)[page.rows]
    return _letters(page.text, frozenset(page.stops[:-1][np.diff(ends) > 0].tolist()))


def _letters(text: str, parted: frozenset[int]) -> _Letters:
    """Return the letters of a text; at the positions ``parted`` a block, a cell or a line ends."""
    letters: list[str] = []
    starts: list[int] = []
    stops: list[int] = []
    before: list[str] = []
    gap = _JOINED
    last = 0
    for word in re.finditer(r"\S+", text):
        if word.start() > last:
            gap = _PARTED if last in parted or gap == _PARTED else _BLANK
        last = word.end()
        for own, start, stop in _clusters(word[0], word.start()):
            size = len(own)
            letters.append(own)
            is_each = size == stop - start
            starts += range(start, stop) if is_each else [start] * size
            stops += range(start + 1, stop + 1) if is_each else [stop] * size
            before.append(gap + _JOINED * (size - 1))
            gap = _JOINED
    return _Letters("".join(letters), starts, stops, "".join(before))


def _clusters(word: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Yield composed letters and where they are: those that cannot compose with others apart."""
    if is_normalized("NFC", word) and _UNSEEN.search(word) is None:
        yield word, at, at + len(word)
        return
    cluster, start, stop = "", at, at
    for number, sign in enumerate(word, at):
        if _UNSEEN.match(sign):
            continue
        if cluster and not combining(sign) and _stay_apart(cluster, sign):
            yield normalize("NFC", cluster), start, stop
            cluster = ""
        if not cluster:
            start = number
        cluster, stop = cluster + sign, number + 1
    if cluster:
        yield normalize("NFC", cluster), start, stop


def _stay_apart(one: str, other: str) -> bool:
    return normalize("NFC", one + other) == normalize("NFC", one) + normalize("NFC", other)
