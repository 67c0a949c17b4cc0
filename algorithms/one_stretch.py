"""A text that stands several times on a page is located where it stands whole.

Of equally long common sequences one is as good as another, and where an article stands twice (for
wide and for narrow windows) the longest one may begin in one copy and end in the other.  Here the
first stretch of the page is taken that has nearly all of it.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

import numpy as np

from engine.sequences import common_words
from engine.tree import Longs

_SIZE = 4
_REPEATED = 0.2
"""Share of a text's runs of four words that stand several times, where it is looked into."""

_NEARLY_ALL = 0.97
"""Share of the longest sequence that a stretch must have."""

_GAP = 30
"""A stretch goes on while so many words of the page bring another one of the text."""


def in_one_stretch(pairs: Longs, given: Sequence[str], words: Sequence[str]) -> Longs:
    """Return a common sequence that lies in one stretch of the page, if nearly all of it can.

    Args:
        pairs: A longest common sequence, int64 (p, 2).
        given: The words of the text.
        words: The words of the page.
    """
    if not is_repeated(given, words):
        return pairs
    at, place = _seeds(given, words)
    if not at.size:
        return pairs
    last = _enough(at, place)
    first = last - _enough(-at[last::-1], -place[last::-1])
    # What the text has before its first run and behind its last one is close to them.
    start = max(0, int(at[first] - 1.25 * place[first]) - _GAP)
    end = min(len(words), int(at[last] + 1.25 * (len(given) - place[last])) + _GAP)
    inside = common_words(given, words[start:end])
    if len(inside) < _NEARLY_ALL * len(pairs) or np.ptp(inside[:, 1]) > np.ptp(pairs[:, 1]):
        return pairs
    inside[:, 1] += start
    done = inside[-1, 0] + 1
    before = common_words(given[: inside[0, 0]], words[:start])
    after = common_words(given[done:], words[end:]) + np.array([done, end])
    return np.concatenate((before, inside, after))


def is_repeated(given: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether much of the text stands several times on the page, and once in itself."""
    own = Counter(zip(*(given[k:] for k in range(_SIZE)), strict=False))
    there = Counter(zip(*(words[k:] for k in range(_SIZE)), strict=False))
    repeated = sum(there[run] > times for run, times in own.items())
    return repeated > _REPEATED * max(len(own), 1)


def _seeds(given: Sequence[str], words: Sequence[str]) -> tuple[Longs, Longs]:
    """Return the runs on the page that the text has once: where they start there, and in it."""
    runs = list(zip(*(given[k:] for k in range(_SIZE)), strict=False))
    times = Counter(runs)
    known = {run: i for i, run in enumerate(runs) if times[run] == 1}
    there = enumerate(zip(*(words[k:] for k in range(_SIZE)), strict=False))
    found = [(j, known[run]) for j, run in there if run in known]
    at, place = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return at, place


def _lengths(places: Longs) -> Longs:
    """Return how long an ascending sequence each beginning has, (n,).  O(n log n)."""
    tops: list[int] = []
    lengths = np.zeros(places.size, dtype=np.int64)
    for k, place in enumerate(places.tolist()):
        p = bisect_left(tops, place)
        if p == len(tops):
            tops.append(place)
        else:
            tops[p] = place
        lengths[k] = len(tops)
    return lengths


def _enough(at: Longs, place: Longs) -> int:
    """Return up to which run nearly all is there, and all that follows closely."""
    lengths = _lengths(place)
    grows = np.flatnonzero(np.diff(lengths, prepend=0))
    k = int(np.searchsorted(lengths[grows], np.ceil(_NEARLY_ALL * lengths[-1])))
    while k + 1 < grows.size and at[grows[k + 1]] - at[grows[k]] <= _GAP:
        k += 1
    return int(grows[k])
