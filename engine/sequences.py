"""Two sequences of words: the longest common subsequence, whatever their length.

Up to `_MOST_CELLS` it is searched for at once.  Beyond, words are dropped that one side alone has,
and runs that occur once on either side are taken first, as "patience diff" does; the parts between
them are searched in turn.  Where there are no such runs, as in a page on which an article stands
twice, the sequence is halved where a longest one can be (D. S. Hirschberg, CACM 18, 1975), by rows
of bits (H. Hyyrö, "Bit-Parallel LCS-length Computation Revisited", 2004).
"""

import sys
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
    ids: dict[str, int] = {}
    a = np.array([ids.setdefault(word, len(ids)) for word in left], dtype=np.int64)
    b = np.array([ids.setdefault(word, len(ids)) for word in right], dtype=np.int64)
    return common_numbers(a, b, most=most)


def common_numbers(a: Longs, b: Longs, *, most: int = 0) -> Longs:
    """Return the result of `common_words` for words as numbers from 0 on, (n,) and (m,)."""
    most = most or _MOST_CELLS
    if a.size * b.size <= _MOST_CELLS:
        return _in_rect(a, b, most)
    in_b = np.zeros(int(max(a.max(), b.max())) + 1, dtype=bool)
    in_a = in_b.copy()
    in_a[a], in_b[b] = True, True
    kept_a, kept_b = np.flatnonzero(in_b[a]), np.flatnonzero(in_a[b])
    result = _in_rect(a[kept_a], b[kept_b], most)
    return np.stack([kept_a[result[:, 0]], kept_b[result[:, 1]]], axis=1)


def _in_rect(a: Longs, b: Longs, most: int) -> Longs:
    runs: list[tuple[int, int, int]] = []  # start in both sequences, and length
    work = [(0, a.size, 0, b.size)]
    while work:
        low_a, high_a, low_b, high_b = work.pop()
        same = _same(a[low_a:high_a], b[low_b:high_b])
        runs.append((low_a, low_b, same))
        low_a, low_b = low_a + same, low_b + same
        same = _same(a[low_a:high_a][::-1], b[low_b:high_b][::-1])
        high_a, high_b = high_a - same, high_b - same
        runs.append((high_a, high_b, same))
        cells = (high_a - low_a) * (high_b - low_b)
        if not cells:
            continue
        ours, theirs = a[low_a:high_a], b[low_b:high_b]
        if cells <= most:
            runs += [(low_a + i, low_b + j, size) for i, j, size in _subsequence(ours, theirs)]
            continue
        few, many = ours.tolist(), theirs.tolist()
        anchors = _anchors(few, many, 1) or _anchors(few, many, 4)
        if not anchors:
            i, j = _halves(few, many)
            work.append((low_a, low_a + i, low_b, low_b + j))
            work.append((low_a + i, high_a, low_b + j, high_b))
            continue
        before = (low_a, low_b)
        for i, j in [(low_a + i, low_b + j) for i, j in anchors]:
            runs.append((i, j, 1))
            work.append((before[0], i, before[1], j))
            before = (i + 1, j + 1)
        work.append((before[0], high_a, before[1], high_b))
    return _pairs(runs)


def _same(a: Longs, b: Longs) -> int:
    """Return how many numbers both begin with."""
    size = min(a.size, b.size)
    other = np.flatnonzero(a[:size] != b[:size])
    return int(other[0]) if other.size else size


def _pairs(runs: list[tuple[int, int, int]]) -> Longs:
    """Return each word of some runs, in order, int64 (p, 2)."""
    result = np.array([run for run in sorted(runs) if run[2]], dtype=np.int64).reshape(-1, 3)
    size = result[:, 2]
    step = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    pairs: Longs = np.repeat(result[:, :2], size, axis=0) + step[:, None]
    return pairs


def _subsequence(a: Longs, b: Longs) -> Iterator[tuple[int, int, int]]:
    # Letters are what rapidfuzz compares fastest.
    is_few = max(a.max(), b.max()) <= sys.maxunicode
    ours, theirs = (_as_letters(x) if is_few else x.tolist() for x in (a, b))
    for block in LCSseq.opcodes(ours, theirs):
        if block.tag == "equal":
            yield block.src_start, block.dest_start, block.src_end - block.src_start


def _as_letters(numbers: Longs) -> str:
    return numbers.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


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
    """Return the cut of both that a longest common subsequence leads through.

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

    O(len(a) x len(b) / 64): a bit for each of ``a``, 0 where the length grows.
    """
    positions: dict[int, list[int]] = {}
    for i, word in enumerate(a):
        positions.setdefault(word, []).append(i)
    rows = {word: _row(at) for word, at in positions.items() if len(at) > _FEW}
    every = row = (1 << len(a)) - 1
    for word in b:
        at = positions.get(word)
        if at is not None:
            matches = row & (rows[word] if word in rows else _row(at))
            row = (row + matches | row - matches) & every
    bits = np.frombuffer(row.to_bytes(len(a) // 8 + 1, "little"), np.uint8)
    grows = np.unpackbits(bits, bitorder="little")[: len(a)] == 0
    return np.concatenate(([0], np.cumsum(grows))).astype(np.int64)


def _row(positions: Sequence[int]) -> int:
    return sum(1 << position for position in positions)
