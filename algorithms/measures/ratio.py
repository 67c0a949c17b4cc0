"""Ratcliff-Obershelp ratio of long texts, exactly as ``difflib`` computes it, in less time.

``difflib`` leaves letters that are frequent in a long second text out of its search ("autojunk")
and looks at every pair of equal letters that are left: in two pages of text some millions.  The
rest of prose is short runs of rare letters, so the longest common run is found sooner by growing
it: which runs of length k occur on both sides, then k + 1.  Where runs are long or pairs few, the
library does the work.
"""

from collections import Counter

import numpy as np
import numpy.typing as npt
from cydifflib import SequenceMatcher

from engine.tree import Longs

CodeRange = tuple[int, int, int, int]
"""Start and end in the first text, start and end in the second."""

_MANY_PAIRS = 5_000
_LONGEST_RUN = 48
_SOON = 6  # most runs of prose are shorter; extending longer ones would take too long


class Ratios:
    """The ratio of texts to one second text."""

    def __init__(self, second: str) -> None:
        self._matcher = SequenceMatcher(None, "", second)
        self._second = second
        self._codes = _codes(second)
        # As in `SequenceMatcher`: from 200 letters on, those above one in a hundred are noise.
        counts = Counter(second)
        most = len(second) // 100 + 1 if len(second) >= 200 else len(second)
        self._rare = {c: number for c, number in counts.items() if number <= most}
        letters = sorted(ord(c) for c in self._rare)
        self._letters = np.array(letters, dtype=np.int64)
        self._ids = self._known(self._codes)

    def ratio(self, first: str) -> float:
        """Return ``SequenceMatcher(None, first, second).ratio()``."""
        self._matcher.set_seq1(first)
        pairs = sum(n * self._rare.get(c, 0) for c, n in Counter(first).items())
        if pairs < _MANY_PAIRS:
            return float(self._matcher.ratio())
        codes = _codes(first)
        ids = self._known(codes)
        matched = 0
        waiting: list[CodeRange] = [(0, len(first), 0, len(self._second))]
        while waiting:
            a0, a1, b0, b1 = part = waiting.pop()
            i, j, size = self._longest(part, codes, ids)
            if not size:
                continue
            matched += size
            if a0 < i and b0 < j:
                waiting.append((a0, i, b0, j))
            if i + size < a1 and j + size < b1:
                waiting.append((i + size, a1, j + size, b1))
        return 2.0 * matched / (len(first) + len(self._second))

    def _known(self, codes: Longs) -> Longs:
        """Return the number of each letter among the rare ones, -1 for the others."""
        if not self._letters.size:
            return np.full(codes.size, -1, dtype=np.int64)
        position = np.minimum(np.searchsorted(self._letters, codes), self._letters.size - 1)
        return np.where(self._letters[position] == codes, position, -1)

    def _longest(self, part: CodeRange, codes: Longs, ids: Longs) -> tuple[int, int, int]:
        """Return the result of ``find_longest_match``."""
        a0, a1, b0, b1 = part
        result = None
        if (a1 - a0) * (b1 - b0) > _MANY_PAIRS:
            result = longest_run(ids[a0:a1], self._ids[b0:b1])
        if result is None:
            i, j, size = self._matcher.find_longest_match(a0, a1, b0, b1)
            return int(i), int(j), int(size)
        i, j, size = a0 + result[0], b0 + result[1], result[2]
        before = _equal(codes[a0:i][::-1], self._codes[b0:j][::-1])
        after = _equal(codes[i + size : a1], self._codes[j + size : b1])
        return i - before, j - before, before + size + after


def longest_run(first: Longs, second: Longs) -> tuple[int, int, int] | None:
    """Return the longest run of numbers both have, without any -1: starts and length.

    Of equally long ones the earliest in ``first``, then in ``second``; ``(0, 0, 0)`` if there is
    none, None if it is longer than this is good for.
    """
    best = (0, 0, 0)
    a, b = np.flatnonzero(first >= 0), np.flatnonzero(second >= 0)
    names_a, names_b = first[a], second[b]
    base = int(max(first.max(initial=0), second.max(initial=0))) + 1
    for size in range(1, _LONGEST_RUN + 1):
        common = np.intersect1d(names_a, names_b)
        if not common.size:
            return best
        in_a, in_b = _among(names_a, common), _among(names_b, common)
        a, b, names_a, names_b = a[in_a], b[in_b], names_a[in_a], names_b[in_b]
        if size == _SOON and 4 * a.size > int((first >= 0).sum()):
            return None
        best = (int(a[0]), int(b[np.argmax(names_b == names_a[0])]), size)
        # A run of one more: its name is that of the run so far and the next letter.
        names_a = np.searchsorted(common, names_a)
        names_b = np.searchsorted(common, names_b)
        more_a, more_b = _goes_on(first, a, size), _goes_on(second, b, size)
        a, b = a[more_a], b[more_b]
        names_a = names_a[more_a] * base + first[a + size]
        names_b = names_b[more_b] * base + second[b + size]
    return None


def _among(names: Longs, common: Longs) -> npt.NDArray[np.bool_]:
    position = np.minimum(np.searchsorted(common, names), common.size - 1)
    return np.asarray(common[position] == names, dtype=np.bool_)


def _goes_on(ids: Longs, starts: Longs, size: int) -> npt.NDArray[np.bool_]:
    inside = starts + size < ids.size
    return np.asarray(inside & (ids[np.minimum(starts + size, ids.size - 1)] >= 0), dtype=np.bool_)


def _equal(first: Longs, second: Longs) -> int:
    """Return how many numbers at the beginning are equal."""
    size = min(first.size, second.size)
    differs = np.flatnonzero(first[:size] != second[:size])
    return int(differs[0]) if differs.size else size


def _codes(text: str) -> Longs:
    data = text.encode("utf-32-le", "surrogatepass")
    return np.frombuffer(data, dtype="<u4").astype(np.int64)
