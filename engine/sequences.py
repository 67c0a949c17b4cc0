"""Two sequences of words: the longest common subsequence, whatever their length.

Up to `_MOST_CELLS` it is searched for at once.  Beyond, words are dropped that one side alone has,
and runs that occur once on either side are taken first, as "patience diff" does; what lies between
them is searched in turn.  Where there are no such runs, as in a page on which an article stands
twice, the sequence is halved where a longest one can be (D. S. Hirschberg, CACM 18, 1975), by rows
of bits (H. Hyyrö, "Bit-Parallel LCS-length Computation Revisited", 2004).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from rapidfuzz.distance import LCSseq

from engine.tree import Longs

_MOST_CELLS = 256_000_000
"""Largest table of the exact search, a bit each: 16,000 by 16,000 words take some 50 ms."""

_MOST_HALVED = 40_000_000_000
"""Largest table that is halved exactly: 200,000 by 200,000 words take some 10 s."""

_FEW = 16
"""Words that occur so often have no row of their own kept: it is made when it is needed."""


def common_words(left: Sequence[str], right: Sequence[str], *, most: int = 0) -> Longs:
    """Return pairs ``(i, j)`` of equal words, both ascending, int64 (p, 2).

    The longest such sequence, unless there are more than ``most`` pairs of words (by default
    `_MOST_CELLS`): then the longest through words, or runs of 4, that occur once on either side.
    """
    most = most or _MOST_CELLS
    ids: dict[str, int] = {}
    a = [ids.setdefault(word, len(ids)) for word in left]
    b = [ids.setdefault(word, len(ids)) for word in right]
    if len(a) * len(b) <= _MOST_CELLS:
        return _pairs(_in_rect(a, b, most))
    both = set(a) & set(b)
    kept_a = [i for i, word in enumerate(a) if word in both]
    kept_b = [j for j, word in enumerate(b) if word in both]
    found = _in_rect([a[i] for i in kept_a], [b[j] for j in kept_b], most)
    return _pairs([(kept_a[i], kept_b[j]) for i, j in found])


def _pairs(found: list[tuple[int, int]]) -> Longs:
    return np.array(sorted(found), dtype=np.int64).reshape(-1, 2)


def _in_rect(a: list[int], b: list[int], most: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    work = [(0, len(a), 0, len(b))]
    while work:
        low_a, high_a, low_b, high_b = work.pop()
        while low_a < high_a and low_b < high_b and a[low_a] == b[low_b]:
            pairs.append((low_a, low_b))
            low_a, low_b = low_a + 1, low_b + 1
        while low_a < high_a and low_b < high_b and a[high_a - 1] == b[high_b - 1]:
            high_a, high_b = high_a - 1, high_b - 1
            pairs.append((high_a, high_b))
        cells = (high_a - low_a) * (high_b - low_b)
        if not cells:
            continue
        ours, theirs = a[low_a:high_a], b[low_b:high_b]
        if cells <= most:
            pairs += [(low_a + i, low_b + j) for i, j in _subsequence(ours, theirs)]
            continue
        anchors = _anchors(ours, theirs, 1) or _anchors(ours, theirs, 4)
        if not anchors:
            i, j = _halves(ours, theirs)
            work.append((low_a, low_a + i, low_b, low_b + j))
            work.append((low_a + i, high_a, low_b + j, high_b))
            continue
        before = (low_a, low_b)
        for i, j in [(low_a + i, low_b + j) for i, j in anchors]:
            pairs.append((i, j))
            work.append((before[0], i, before[1], j))
            before = (i + 1, j + 1)
        work.append((before[0], high_a, before[1], high_b))
    return pairs


def _subsequence(a: list[int], b: list[int]) -> Iterator[tuple[int, int]]:
    for block in LCSseq.opcodes(a, b):
        if block.tag == "equal":
            yield from zip(
                range(block.src_start, block.src_end),
                range(block.dest_start, block.dest_end),
                strict=True,
            )


def _anchors(a: list[int], b: list[int], size: int) -> list[tuple[int, int]]:
    """Pair the runs of ``size`` words that occur once in each, as many as keep their order."""
    runs_a, runs_b = (list(zip(*(x[k:] for k in range(size)), strict=False)) for x in (a, b))
    once_a = {run for run, times in Counter(runs_a).items() if times == 1}
    once = {run for run, times in Counter(runs_b).items() if times == 1 and run in once_a}
    at_b = {run: j for j, run in enumerate(runs_b) if run in once}
    candidates = [(i, at_b[run]) for i, run in enumerate(runs_a) if run in once]
    # Longest ascending subsequence by piles.
    tops: list[int] = []
    pile: list[int] = []
    back: list[int] = []
    for k, (_, j) in enumerate(candidates):
        p = bisect_left(tops, j)
        back.append(pile[p - 1] if p else -1)
        if p == len(tops):
            tops.append(j)
            pile.append(k)
        else:
            tops[p], pile[p] = j, k
    chain = []
    k = pile[-1] if pile else -1
    while k >= 0:
        chain.append(candidates[k])
        k = back[k]
    return chain[::-1]


def _halves(a: list[int], b: list[int]) -> tuple[int, int]:
    """Return where both can be cut so that a longest common subsequence goes through.

    Beyond `_MOST_HALVED` both are cut in their middle.
    """
    j = (len(b) + 1) // 2
    if len(a) * len(b) > _MOST_HALVED:
        return len(a) // 2, j
    before = common_lengths(a, b[:j])
    after = common_lengths(a[::-1], b[j:][::-1])[::-1]
    return int(np.argmax(before + after)), j


def common_lengths(a: Sequence[int], b: Sequence[int]) -> Longs:
    """Return how long a common subsequence each beginning of ``a`` has with ``b``, (len(a) + 1,).

    O(len(a) x len(b) / 64): a bit for each of ``a``, which is 0 where the length grows.
    """
    places: dict[int, list[int]] = {}
    for i, word in enumerate(a):
        places.setdefault(word, []).append(i)
    rows = {word: _row(at) for word, at in places.items() if len(at) > _FEW}
    every = row = (1 << len(a)) - 1
    for word in b:
        at = places.get(word)
        if at is not None:
            matches = row & (rows[word] if word in rows else _row(at))
            row = (row + matches | row - matches) & every
    bits = np.frombuffer(row.to_bytes(len(a) // 8 + 1, "little"), np.uint8)
    grows = np.unpackbits(bits, bitorder="little")[: len(a)] == 0
    return np.concatenate(([0], np.cumsum(grows))).astype(np.int64)


def _row(places: Sequence[int]) -> int:
    row = 0
    for place in places:
        row |= 1 << place
    return row
