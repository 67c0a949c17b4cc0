"""From an extracted text back to the source: which of its words stand where.

A program outside Pagelet gives a text; what it kept of the page is found again by the sequence of
its words, as the text measures see them (`engine.word_units`, by characters), so punctuation and
bullets that a program adds or drops do not matter.

First the longest common sequence of both.  If that leaves words over, runs of words that either
text has once say whether the program moved things around; then these come first, and common
sequences of what is left second.  A common sequence also picks up small words far from where they
belong, so a stretch shorter than `SHORTEST_RUN` words counts as found only near words that are.
Near-linear: 3 to 10 ms for a page of 5,000 words, 0.6 s for one of 150,000 (see
`engine.sequences.common_words`).
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from algorithms.measures.text_words import normalise, words_of
from algorithms.one_stretch import in_one_stretch, is_repeated
from engine.runs import runs_of
from engine.sequences import common_words
from engine.source import Source
from engine.tree import Ints, Longs
from engine.word_units import word_spans as word_spans_in

SHORTEST_RUN = 3
"""Words in a row that are found wherever they stand."""

NEAR = 30
"""Shorter runs are found this many words from a longer one, in its order."""

ANCHOR = 4
"""Words in a row that are found in whatever order, where either text has them once."""

MOST_MOVED = 0.1
"""Share of such runs that may stand elsewhere than in a common sequence, in texts of one order."""

ANCHORED = 16_000_000
"""Words of the text times words of the page, beyond which both ways of search are tried."""

IN_ORDER = 0.9
"""Share of a repeated text that one sequence has where nothing was moved."""

MOST_PASSES = 3
"""Each pass finds one ascending sequence of what is left."""


@dataclass(frozen=True, eq=False)
class Mapped:
    """Where a text stands in a source.

    Attributes:
        spans: int32 (k, 2). In order, not overlapping; see `algorithms.results.Extraction`.
        words: How many words the text has.
        unmapped: How many of them were not found.
    """

    spans: Ints
    words: int
    unmapped: int


@dataclass(frozen=True)
class Unlocated:
    """A run of a text's words that are not in the source.

    Attributes:
        text: What it says, normalised.
        words: How many words it has.
        at: Where the word before it ends in the source, in code points; 0 at the beginning.
    """

    text: str
    words: int
    at: int


def unlocated(source: Source, text: str) -> tuple[Unlocated, ...]:
    """Return the runs of a text's words that are not in a source, in the order of the text."""
    pieces, said = _pieces_of(source), normalise(text)
    spans = word_spans_in(said)
    place = places([said[start:end] for start, end in spans], pieces.words)
    found = []
    for first, end in zip(*runs_of(place < 0), strict=True):
        at = int(pieces.spans[place[first - 1], 1]) if first else 0
        words = said[spans[first][0] : spans[end - 1][1]]
        found.append(Unlocated(words, int(end - first), at))
    return tuple(found)


def map_text(source: Source, text: str) -> Mapped:
    """Find a text's words in a source."""
    pieces = _pieces_of(source)
    given = words_of(normalise(text))
    place = places(given, pieces.words)
    kept = np.zeros(len(pieces.words), dtype=bool)
    kept[place[place >= 0]] = True
    return Mapped(pieces.spans_of(kept), len(given), int(np.count_nonzero(place < 0)))


def word_spans(source: Source) -> Longs:
    """Return where the source's words stand, in the sense of this module, int64 (p, 2)."""
    return _pieces_of(source).spans


def places(given: list[str], words: list[str]) -> Longs:
    """Return for each given word the number of the word it is, -1 where there is none, (g,)."""
    place = _places(given, words)
    if len(given) * len(words) > ANCHORED and (place < 0).any():
        # The longest sequence of long texts is more by chance than one through what is unique.
        other = _places(given, words, ANCHORED)
        if np.count_nonzero(other >= 0) > np.count_nonzero(place >= 0):
            return other
    return place


def _places(given: list[str], words: list[str], most: int = 0) -> Longs:
    """Do it once; ``most`` as in `engine.sequences.common_words`."""
    place = np.full(len(given), -1, dtype=np.int64)
    is_used = np.zeros(len(words), dtype=bool)
    _place_in_order(place, is_used, given, words, most, is_first=True)
    if (place >= 0).all():
        return place
    ours = _once(words)
    sure = [(i, ours[run]) for run, i in _once(given).items() if run in ours]
    moved = sum(place[i] != j for i, j in sure)
    is_moved = moved > MOST_MOVED * len(sure)
    # Where a text stands twice, what one copy alone has stands once, and nothing was moved.
    if is_moved and not ((place >= 0).mean() > IN_ORDER and is_repeated(given, words)):
        # In another order: what a common sequence found is chance, what is there once is not.
        place[:] = -1
        is_used[:] = False
    for i, j in sure:
        for step in range(ANCHOR):
            if place[i + step] < 0 and not is_used[j + step]:
                place[i + step] = j + step
                is_used[j + step] = True
    _extend(place, is_used, given, words)
    for _ in range(MOST_PASSES):
        if not _place_in_order(place, is_used, given, words, most):
            break
    _extend(place, is_used, given, words)
    return place


def _place_in_order(
    place: Longs,
    is_used: npt.NDArray[np.bool_],
    given: list[str],
    words: list[str],
    most: int,
    *,
    is_first: bool = False,
) -> bool:
    """Place what is left over by a longest common sequence; return whether that was anything."""
    left = np.flatnonzero(place < 0)
    free = np.flatnonzero(~is_used)
    ours, theirs = [given[i] for i in left.tolist()], [words[j] for j in free.tolist()]
    pairs = common_words(ours, theirs, most=most)
    if is_first and len(pairs):
        pairs = in_one_stretch(pairs, ours, theirs)
    found = dict(zip(left[pairs[:, 0]].tolist(), free[pairs[:, 1]].tolist(), strict=True))
    close_up(found, given, words, is_used)
    runs = common_runs(found)
    kept = [run for run in runs if run[1] - run[0] + 1 >= SHORTEST_RUN]
    if is_first:
        kept = _with_near(runs, kept, found) if kept else runs
    for first, last in kept:
        place[first : last + 1] = np.arange(found[first], found[first] + last - first + 1)
    is_used[place[place >= 0]] = True
    return bool(kept)


def _once(words: list[str]) -> dict[tuple[str, ...], int]:
    """Return the runs of `ANCHOR` words that occur once, and where they start."""
    found: dict[tuple[str, ...], int] = {}
    for start, run in enumerate(zip(*(words[k:] for k in range(ANCHOR)), strict=False)):
        found[run] = -1 if run in found else start
    return {run: start for run, start in found.items() if start >= 0}


def _with_near(
    runs: list[tuple[int, int]], kept: list[tuple[int, int]], found: dict[int, int]
) -> list[tuple[int, int]]:
    """Add the short runs that stand near a long one; both lists are in order."""
    is_long = set(kept)
    after: list[int] = []  # where the next long run starts, from each run on
    start = len(found) + 10**9
    for run in reversed(runs):
        if run in is_long:
            start = found[run[0]]
        after.append(start)
    chosen = []
    end = -(10**9)
    for run, start in zip(runs, reversed(after), strict=True):
        if run in is_long:
            end = found[run[1]]
            chosen.append(run)
        elif found[run[0]] - end <= NEAR or start - found[run[1]] <= NEAR:
            chosen.append(run)
    return chosen


def close_up(
    found: dict[int, int], given: list[str], words: list[str], is_used: npt.NDArray[np.bool_]
) -> None:
    """Move words of a text to the side of their neighbours where the page says them there as well.

    Of equally long common sequences one is as good as another; a reader takes the compact one.

    Args:
        found: Place in ``given`` → place in ``words``, in order; changed in place.
        given, words: The text's, and the page's.
        is_used: bool (words,). Words of the page that are taken already.
    """
    for k in sorted(found, reverse=True):
        behind = found.get(k + 1)
        if (
            behind is not None
            and found[k] < behind - 1
            and words[behind - 1] == given[k]
            and not is_used[behind - 1]
        ):
            found[k] = behind - 1
    for k in sorted(found):
        before, behind = found.get(k - 1), found.get(k + 1)
        is_alone = behind is None or behind != found[k] + 1
        if (
            before is not None
            and is_alone
            and found[k] > before + 1
            and words[before + 1] == given[k]
            and not is_used[before + 1]
        ):
            found[k] = before + 1


def common_runs(found: dict[int, int]) -> list[tuple[int, int]]:
    """Return first and last of the words that follow each other in both of two word sequences.

    ``found`` maps a word's place in one sequence to its place in the other.
    """
    runs: list[tuple[int, int]] = []
    for k in sorted(found):
        if runs and runs[-1][1] == k - 1 and found[k - 1] == found[k] - 1:
            runs[-1] = runs[-1][0], k
        else:
            runs.append((k, k))
    return runs


def _extend(
    place: Longs, is_used: npt.NDArray[np.bool_], given: list[str], words: list[str]
) -> None:
    """Take words that follow, or come before, a found word on both sides."""
    for step in (1, -1):
        order = range(len(given)) if step == 1 else range(len(given) - 1, -1, -1)
        for k in order:
            before = k - step
            if place[k] >= 0 or not 0 <= before < len(given) or place[before] < 0:
                continue
            j = int(place[before]) + step
            if 0 <= j < len(words) and not is_used[j] and words[j] == given[k]:
                place[k] = j
                is_used[j] = True


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

    def spans_of(self, kept: npt.NDArray[np.bool_]) -> Ints:
        """Return one span for each run of kept words, int32 (k, 2)."""
        first, end = runs_of(kept)
        last = end - 1
        if not first.size:
            return np.zeros((0, 2), dtype=np.int32)
        spans = np.stack([self.outer[first, 0], self.outer[last, 1]], axis=1)
        # Two runs that share a token whose letters cannot be told apart are one.
        new = np.ones(len(spans), dtype=bool)
        new[1:] = spans[1:, 0] >= np.maximum.accumulate(spans[:-1, 1])
        starts = np.flatnonzero(new)
        ends = np.append(starts[1:] - 1, len(spans) - 1)
        return np.stack([spans[starts, 0], spans[ends, 1]], axis=1).astype(np.int32)


_PIECES: WeakKeyDictionary[Source, _SourceWords] = WeakKeyDictionary()


def _pieces_of(source: Source) -> _SourceWords:
    found = _PIECES.get(source)
    if found is None:
        found = _PIECES[source] = _read(source)
    return found


def _read(source: Source) -> _SourceWords:
    tokens = source.tokens.spans.astype(np.int64)
    nowhere = np.zeros((0, 2), dtype=np.int64)
    if not len(tokens):
        return _SourceWords([], nowhere, nowhere)
    texts = [word if word.isascii() else normalise(word) for word in source.words]
    size = np.array([len(text) for text in texts], dtype=np.int64)
    is_exact = size == tokens[:, 1] - tokens[:, 0]
    is_exact &= np.array([text == word for text, word in zip(texts, source.words, strict=True)])
    # Tokens that nothing stands between, as in ``<b>W</b>ord``, are read as one.
    glued = source.tokens.joints == 0
    separators = ["" if is_glued else "\n" for is_glued in glued.tolist()]
    separators[0] = ""
    joined = "".join([part for pair in zip(separators, texts, strict=True) for part in pair])
    starts = np.cumsum([len(s) for s in separators]) + np.concatenate(([0], np.cumsum(size)[:-1]))

    words = words_of(joined)
    if not words:
        return _SourceWords([], nowhere, nowhere)
    matches = _stretches(joined, words)
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
    # Punctuation between two words of one token goes with the one before it.
    inside = np.flatnonzero(~is_last)
    outer[inside, 1] = np.maximum(outer[inside, 1], spans[inside + 1, 0])
    return _SourceWords(words, spans, outer)


def _stretches(text: str, words: list[str]) -> Longs:
    """Return where words lie that were found in a text in this order, int64 (p, 2)."""
    found = []
    end = 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        found.append((start, end))
    return np.array(found, dtype=np.int64).reshape(-1, 2)
