"""From an extracted text back to the source: the location of its words.

A program outside Pagelet gives a text; what it kept of the page is found again by the sequence of
its words, as the text measures see them (`engine.word_units`, by characters), so punctuation and
bullets that a program adds or drops do not matter.

First the longest common sequence of both.  If that leaves words over, runs of words that either
text has once show whether the program moved text; then these come first, and common sequences of
the remaining words second.  A common sequence also picks up small words far from where they belong,
so a run shorter than `SHORTEST_RUN` words counts as found only near words that are.

Of equally long common sequences one is as good as another, and where an article stands twice (for
wide and for narrow windows) the longest one may begin in one copy and end in the other.  Then the
first part of the page is taken that has nearly all of it (`in_single_copy`).

Near-linear: 1 to 4 ms for a page of 5,000 words, 0.5 s for one of 150,000 (see
`engine.sequences.common_words`).
"""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from algorithms.core.word_numbers import SIZE, WordNumbers, once
from algorithms.measures.text_words import normalise, words_of
from engine.runs import runs_of
from engine.sequences import common_numbers
from engine.source import Source
from engine.tree import Bools, Ints, Longs
from engine.word_units import word_columns
from engine.word_units import word_spans as word_spans_in

SHORTEST_RUN = 3
"""Words in a row that are found wherever they stand."""

NEAR = 30
"""Shorter runs are found this many words from a longer one, in its order."""

MOST_MOVED = 0.1
"""Share of the runs of four words that either text has once, which are found in whatever order,
that may be outside a common sequence, in texts of one order."""

ANCHORED = 16_000_000
"""Words of the text times words of the page, beyond which both ways of search are tried."""

IN_ORDER = 0.9
"""Share of a repeated text that one sequence has where nothing was moved."""

MOST_PASSES = 3
"""Each pass finds one ascending sequence of the remaining words."""

_REPEATED = 0.2
"""Share of a text's runs of four words that occur several times for the search to run."""

_NEARLY_ALL = 0.97
"""Share of the longest sequence that a part must have."""

_GAP = 30
"""A part continues while this many words of the page bring another word of the text."""


@dataclass(frozen=True, eq=False)
class Mapped:
    """Location of a text in a source.

    Attributes:
        spans: int32 (k, 2). In order, not overlapping; see `algorithms.results.Extraction`.
        words: Number of words in the text.
        unmapped: Number of those that were not found.
    """

    spans: Ints
    words: int
    unmapped: int


@dataclass(frozen=True)
class Unlocated:
    """A run of a text's words that are not in the source.

    Attributes:
        text: Its text, normalised.
        words: How many words it has.
        at: Where the word before it ends in the source, in code points; 0 at the beginning.
    """

    text: str
    words: int
    at: int


def find_unlocated(source: Source, text: str) -> tuple[Unlocated, ...]:
    """Return the runs of a text's words that are not in a source, in the order of the text."""
    pieces, normalised = _pieces_of(source), normalise(text)
    spans = word_spans_in(normalised)
    position = locate_words([normalised[start:end] for start, end in spans], pieces.numbers)
    result = []
    for first, end in zip(*runs_of(position < 0), strict=True):
        at = int(pieces.spans[position[first - 1], 1]) if first else 0
        words = normalised[spans[first][0] : spans[end - 1][1]]
        result.append(Unlocated(words, int(end - first), at))
    return tuple(result)


def map_text(source: Source, text: str) -> Mapped:
    """Find a text's words in a source."""
    pieces = _pieces_of(source)
    given = words_of(normalise(text))
    is_kept = locate_words(given, pieces.numbers)
    keep = np.zeros(len(pieces.words), dtype=bool)
    keep[is_kept[is_kept >= 0]] = True
    return Mapped(pieces.spans_of(keep), len(given), int(np.count_nonzero(is_kept < 0)))


def word_spans(source: Source) -> Longs:
    """Return the positions of the source's words, in the sense of this module, int64 (p, 2)."""
    return _pieces_of(source).spans


def tokens_saying(source: Source, text: str) -> list[range]:
    """Return the tokens of a source that hold the words of a text, a range for each place.

    Words are those of the measures, so elements, signs and soft hyphens may stand between and in
    them, and a character of a clause is found alone.  Signs of the text matter where any place has
    them.  Places in its letter case go before the others.
    """
    pieces, given = _pieces_of(source), words_of(normalise(text))
    folded = [[word.casefold() for word in words] for words in (pieces.words, given)]
    places: dict[range, bool] = {}
    for first in _found(*folded):
        last = first + len(given) - 1
        touched = source.words_in([[pieces.spans[first, 0], pieces.spans[last, 1]]])[0].tolist()
        is_as_written = pieces.words[first : last + 1] == given
        places[range(*touched)] = places.get(range(*touched), False) or is_as_written
    if not given:  # signs alone
        wanted = text.split()
        places = {range(at, at + len(wanted)): True for at in _found(list(source.words), wanted)}
    signs = _letters(text)
    alike = [
        each for each in places if signs in _letters("".join(source.words[each.start : each.stop]))
    ]
    return sorted(alike or places, key=lambda place: not places[place])


def _found(words: list[str], wanted: list[str]) -> list[int]:
    """Return each position of a sequence of words; [] for an empty one."""
    many = len(wanted)
    return [
        first
        for first in range(len(words) - many + 1 if many else 0)
        if words[first] == wanted[0] and words[first : first + many] == wanted
    ]


def _letters(text: str) -> str:
    return normalise(text).replace(" ", "").casefold()


def locate_words(words: list[str], page: WordNumbers) -> Longs:
    """Return for each word the number of the word of the page it is, -1 for none, (w,)."""
    given = page.of_text(words)
    position = _search(given, page)
    if given.size * page.numbers.size > ANCHORED and (position < 0).any():
        # The longest sequence of long texts is more by chance than one through unique words.
        other = _search(given, page, ANCHORED)
        if np.count_nonzero(other >= 0) > np.count_nonzero(position >= 0):
            return other
    return position


def _search(given: Longs, page: WordNumbers, most: int = 0) -> Longs:
    """Search once; ``most`` as in `engine.sequences.common_words`."""
    position = np.full(given.size, -1, dtype=np.int64)
    is_used = np.zeros(page.numbers.size, dtype=bool)
    _align_in_order(position, is_used, given, page, most, is_first=True)
    if (position >= 0).all():
        return position
    at, sure = _once_in_both(given, page)
    is_moved = np.count_nonzero(position[at] != sure) > MOST_MOVED * at.size
    # Where a text occurs twice, words of one copy alone occur once, and nothing was moved.
    if is_moved and not ((position >= 0).mean() > IN_ORDER and is_repeated(given, page)):
        # In another order: a common sequence is chance, words that occur once are not.
        position[:] = -1
        is_used[:] = False
    missing = np.append(0, np.cumsum(position < 0))
    is_open = missing[at + SIZE] > missing[at]
    for i, j in zip(at[is_open].tolist(), sure[is_open].tolist(), strict=True):
        for step in range(SIZE):
            if position[i + step] < 0 and not is_used[j + step]:
                position[i + step] = j + step
                is_used[j + step] = True
    _extend(position, is_used, given, page.numbers)
    for _ in range(MOST_PASSES):
        if not _align_in_order(position, is_used, given, page, most):
            break
    _extend(position, is_used, given, page.numbers)
    return position


def _once_in_both(given: Longs, page: WordNumbers) -> tuple[Longs, Longs]:
    """Return where the runs start that both have once, in the order of the text, (k,) each."""
    own, starts = once(page.runs_of(given))
    theirs, positions = page.once
    _, mine, other = np.intersect1d(own, theirs, assume_unique=True, return_indices=True)
    order = np.argsort(starts[mine])
    return starts[mine][order], positions[other][order]


def _align_in_order(
    index: Longs,
    is_used: Bools,
    given: Longs,
    page: WordNumbers,
    most: int,
    *,
    is_first: bool = False,
) -> bool:
    """Align leftover words by a longest common sequence; return whether any were aligned."""
    left = np.flatnonzero(index < 0)
    free = np.flatnonzero(~is_used)
    pairs = common_numbers(given[left], page.numbers[free], most=most)
    if is_first and len(pairs):
        pairs = in_single_copy(pairs, given, page)
    at, result = left[pairs[:, 0]], free[pairs[:, 1]]
    close_up(at, result, given, page.numbers, is_used)
    first, last = common_runs(at, result)
    is_long = last - first + 1 >= SHORTEST_RUN
    if is_first:
        is_long = _or_near(is_long, result[first], result[last]) if is_long.any() else ~is_long
    chosen = np.repeat(is_long, last - first + 1)
    index[at[chosen]] = result[chosen]
    is_used[result[chosen]] = True
    return bool(is_long.any())


def _or_near(is_long: Bools, start: Longs, end: Longs) -> Bools:
    """Return the runs that are long or near a long one; ``start`` and ``end`` on the page."""
    number = np.arange(is_long.size)
    before = np.maximum.accumulate(np.where(is_long, number, -1))
    after = np.minimum.accumulate(np.where(is_long, number, is_long.size)[::-1])[::-1]
    far = 10**9
    is_near = start - np.append(end, -far)[before] <= NEAR
    is_near |= np.append(start, far + int(end.max(initial=0)))[after] - end <= NEAR
    return np.asarray(is_long | is_near, dtype=bool)


def close_up(at: Longs, values: Longs, given: Longs, words: Longs, is_used: Bools) -> None:
    """Move words of a text next to their neighbours where the page has them there as well.

    Of equally long common sequences one is as good as another; a reader takes the compact one.

    Args:
        at: Indices into ``given``, ascending, (p,).
        values: Indices of the same words in ``words``, ascending; changed in place.
        given, words: The text's, and the page's, as numbers.
        is_used: bool (words,). Words of the page that are already aligned.
    """
    for k in np.flatnonzero((np.diff(at) == 1) & (np.diff(values) > 1))[::-1].tolist():
        # A word that moves is separated from the one before it, which may follow.
        while k >= 0 and at[k] == at[k + 1] - 1 and values[k] < values[k + 1] - 1:
            beside = values[k + 1] - 1
            if words[beside] != given[at[k]] or is_used[beside]:
                break
            values[k] = beside
            k -= 1
    for k in (np.flatnonzero((np.diff(at) == 1) & (np.diff(values) > 1)) + 1).tolist():
        beside = values[k - 1] + 1
        is_last = k + 1 == at.size or at[k + 1] != at[k] + 1 or values[k + 1] != values[k] + 1
        if is_last and words[beside] == given[at[k]] and not is_used[beside]:
            values[k] = beside


def common_runs(at: Longs, values: Longs) -> tuple[Longs, Longs]:
    """Return first and last of the words that follow each other in both of two word sequences.

    They are numbers of the pairs, ``at`` and ``values``, that locate a word in either, (r,).
    """
    new = np.ones(at.size, dtype=bool)
    new[1:] = (np.diff(at) != 1) | (np.diff(values) != 1)
    first = np.flatnonzero(new)
    return first, np.append(first[1:], at.size)[: first.size] - 1


def _extend(index: Longs, is_used: Bools, given: Longs, words: Longs) -> None:
    """Align words that follow or precede an aligned word on both sides."""
    for step in (1, -1):
        earlier, later = index[:-1] < 0, index[1:] < 0
        starts = np.flatnonzero(later & ~earlier if step == 1 else earlier & ~later)
        for k in (starts + 1).tolist() if step == 1 else starts[::-1].tolist():
            while 0 <= k < given.size and index[k] < 0:
                j = int(index[k - step]) + step
                if not 0 <= j < words.size or is_used[j] or words[j] != given[k]:
                    break
                index[k] = j
                is_used[j] = True
                k += step


# The words of a source ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _SourceWords:
    """The words of a source as the measures see them, p of them.

    Attributes:
        words: Their texts.
        spans: int64 (p, 2). Where they stand; a whole token where its references hide that.
        outer: int64 (p, 2). The same with the punctuation that hangs on them.
    """

    words: list[str]
    spans: Longs
    outer: Longs

    @cached_property
    def numbers(self) -> WordNumbers:
        return WordNumbers.of(self.words)

    def spans_of(self, is_kept: Bools) -> Ints:
        """Return one span for each run of kept words, int32 (k, 2)."""
        first, end = runs_of(is_kept)
        last = end - 1
        if not first.size:
            return np.zeros((0, 2), dtype=np.int32)
        spans = np.stack([self.outer[first, 0], self.outer[last, 1]], axis=1)
        # Two runs that share a token whose letters cannot be separated are one.
        new = np.ones(len(spans), dtype=bool)
        new[1:] = spans[1:, 0] >= np.maximum.accumulate(spans[:-1, 1])
        starts = np.flatnonzero(new)
        ends = np.append(starts[1:] - 1, len(spans) - 1)
        return np.stack([spans[starts, 0], spans[ends, 1]], axis=1).astype(np.int32)


_PIECES: WeakKeyDictionary[Source, _SourceWords] = WeakKeyDictionary()


def _pieces_of(source: Source) -> _SourceWords:
    result = _PIECES.get(source)
    if result is None:
        result = _PIECES[source] = _read(source)
    return result


def _read(source: Source) -> _SourceWords:
    tokens = source.tokens.spans.astype(np.int64)
    nowhere = np.zeros((0, 2), dtype=np.int64)
    if not len(tokens):
        return _SourceWords([], nowhere, nowhere)
    texts, size = list(source.words), source.lengths.copy()
    is_exact = size == tokens[:, 1] - tokens[:, 0]
    for number in [number for number, word in enumerate(texts) if not word.isascii()]:
        word = normalise(texts[number])
        is_exact[number] &= word == texts[number]
        texts[number], size[number] = word, len(word)
    # Adjacent tokens, as in ``<b>W</b>ord``, are read as one.
    glued = source.tokens.joints == 0
    glued[0] = True
    pieces = [""] * (2 * len(texts))
    pieces[0::2] = np.where(glued, "", "\n").tolist()
    pieces[1::2] = texts
    joined = "".join(pieces)
    starts = np.cumsum(~glued) + np.cumsum(size) - size

    matches = word_columns(joined)
    if not len(matches):
        return _SourceWords([], nowhere, nowhere)
    words = list(map(joined.__getitem__, map(slice, *matches.T.tolist())))
    first = np.searchsorted(starts, matches[:, 0], side="right") - 1
    last = np.searchsorted(starts, matches[:, 1] - 1, side="right") - 1
    inset = np.where(is_exact[first], matches[:, 0] - starts[first], 0)
    length = np.where(
        is_exact[last], matches[:, 1] - starts[last], tokens[last, 1] - tokens[last, 0]
    )
    spans = np.stack([tokens[first, 0] + inset, tokens[last, 0] + length], axis=1)
    outer = spans.copy()
    is_first = np.ones(len(words), dtype=bool)
    is_first[1:] = first[1:] != last[:-1]
    is_last = np.append(is_first[1:], True)
    outer[is_first, 0] = tokens[first[is_first], 0]
    outer[is_last, 1] = tokens[last[is_last], 1]
    # Punctuation between two words of one token belongs to the word before it.
    inside = np.flatnonzero(~is_last)
    outer[inside, 1] = np.maximum(outer[inside, 1], spans[inside + 1, 0])
    return _SourceWords(words, spans, outer)


def in_single_copy(pairs: Longs, given: Longs, page: WordNumbers) -> Longs:
    """Return a common sequence in one contiguous part of the page, if nearly all of it fits.

    Args:
        pairs: A longest common sequence, int64 (p, 2).
        given: The words of the text, as the page numbers them, (g,).
        page: The words of the page.
    """
    if not is_repeated(given, page):
        return pairs
    at, position = _seeds(given, page)
    if not at.size:
        return pairs
    last = _enough(at, position)
    first = last - _enough(-at[last::-1], -position[last::-1])
    # The rest of the text, before its first run and after its last, is close to them.
    words = page.numbers
    start = max(0, int(at[first] - 1.25 * position[first]) - _GAP)
    end = min(len(words), int(at[last] + 1.25 * (len(given) - position[last])) + _GAP)
    inside = common_numbers(given, words[start:end])
    if len(inside) < _NEARLY_ALL * len(pairs) or np.ptp(inside[:, 1]) > np.ptp(pairs[:, 1]):
        return pairs
    inside[:, 1] += start
    done = inside[-1, 0] + 1
    before = common_numbers(given[: inside[0, 0]], words[:start])
    after = common_numbers(given[done:], words[end:]) + np.array([done, end])
    return np.concatenate((before, inside, after))


def is_repeated(given: Longs, page: WordNumbers) -> bool:
    """Return whether much of the text occurs several times on the page, and once in itself."""
    own, times = np.unique(page.runs_of(given), return_counts=True)
    repeated = np.count_nonzero(page.times(own) > times)
    return bool(repeated > _REPEATED * max(own.size, 1))


def _seeds(given: Longs, page: WordNumbers) -> tuple[Longs, Longs]:
    """Return the runs on the page that the text has once: where they start there, and in it."""
    known, starts = once(page.runs_of(given))
    position = known.searchsorted(page.runs)
    is_known = np.append(known, np.uint64(0))[position] == page.runs
    is_known &= position < known.size
    return np.flatnonzero(is_known), starts[position[is_known]]


def _lengths(indices: Longs) -> Longs:
    """Return how long an ascending sequence each beginning has, (n,).  O(n log n)."""
    tops: list[int] = []
    lengths = np.zeros(indices.size, dtype=np.int64)
    for k, position in enumerate(indices.tolist()):
        p = bisect_left(tops, position)
        if p == len(tops):
            tops.append(position)
        else:
            tops[p] = position
        lengths[k] = len(tops)
    return lengths


def _enough(at: Longs, index: Longs) -> int:
    """Return up to which run nearly all is there, and all that follows closely."""
    lengths = _lengths(index)
    grows = np.flatnonzero(np.diff(lengths, prepend=0))
    k = int(np.searchsorted(lengths[grows], np.ceil(_NEARLY_ALL * lengths[-1])))
    while k + 1 < grows.size and at[grows[k + 1]] - at[grows[k]] <= _GAP:
        k += 1
    return int(grows[k])
