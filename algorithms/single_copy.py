"""Location of a text that a page repeats, in the copy that is complete.

Of equally long common sequences one is as good as another, and where an article stands twice (for
wide and for narrow windows) the longest one may begin in one copy and end in the other.  Here the
first part of the page is taken that has nearly all of it.
"""

from bisect import bisect_left

import numpy as np

from algorithms.word_numbers import WordNumbers, once
from engine.sequences import common_numbers
from engine.tree import Longs

_REPEATED = 0.2
"""Share of a text's runs of four words that occur several times for the search to run."""

_NEARLY_ALL = 0.97
"""Share of the longest sequence that a part must have."""

_GAP = 30
"""A part continues while this many words of the page bring another word of the text."""


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
    # What the text has before its first run and behind its last one is close to them.
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
