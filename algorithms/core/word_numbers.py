"""Words of a page as numbers, and its runs of four words, by which texts are located.

A run is known again by one number: two words make a pair, two pairs a run; each number is exact,
and none of them is a hash.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Self

import numpy as np
import numpy.typing as npt

from engine.tree import Longs

SIZE = 4
"""Words of a run."""

RunKeys = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class WordNumbers:
    """The words of a page, p of them.

    Attributes:
        known: A number for each distinct word, from 0 on.
        numbers: int64 (p,). The words.
    """

    known: dict[str, int]
    numbers: Longs

    @classmethod
    def of(cls, words: Sequence[str]) -> Self:
        known: dict[str, int] = {}
        numbers = [known.setdefault(word, len(known)) for word in words]
        return cls(known, np.array(numbers, dtype=np.int64))

    def of_text(self, words: Sequence[str]) -> Longs:
        """Return the numbers of a text's words, int64 (g,); other words have other numbers."""
        numbers = np.fromiter(map(self.known.get, words, repeat(-1)), np.int64, len(words))
        own: dict[str, int] = {}
        for position in np.flatnonzero(numbers < 0).tolist():
            numbers[position] = len(self.known) + own.setdefault(words[position], len(own))
        return numbers

    @cached_property
    def runs(self) -> RunKeys:
        """A number for each run of four words, in order, uint64 (p - 3,)."""
        return self.runs_of(self.numbers)

    @cached_property
    def sorted_runs(self) -> RunKeys:
        """The same, ascending."""
        return np.sort(self.runs)

    def runs_of(self, numbers: Longs) -> RunKeys:
        """Return the runs of a text, (g - 3,): those that the page has are numbered as `runs`."""
        pairs = _joined(numbers[:-1], numbers[1:])
        position = np.searchsorted(self._pairs, pairs)
        is_new = np.append(self._pairs, np.uint64(0))[position] != pairs
        is_new |= position == self._pairs.size
        order = np.unique(pairs[is_new], return_inverse=True)[1]
        position[is_new] = self._pairs.size + order
        return _joined(position[:-2], position[2:])

    @cached_property
    def _pairs(self) -> RunKeys:
        return np.unique(_joined(self.numbers[:-1], self.numbers[1:]))

    @cached_property
    def once(self) -> tuple[RunKeys, Longs]:
        """The runs that the page has once, ascending, and where they start, (k,) each."""
        return once(self.runs)

    def times(self, runs: RunKeys) -> Longs:
        """Return how often the page has some runs, int64 (g,)."""
        there = self.sorted_runs
        return there.searchsorted(runs, "right") - there.searchsorted(runs, "left")


def once(runs: RunKeys) -> tuple[RunKeys, Longs]:
    """Return the runs that occur once, ascending, and where they start, (k,) each."""
    result, first, counts = np.unique(runs, return_index=True, return_counts=True)
    return result[counts == 1], first[counts == 1].astype(np.int64)


def _joined(first: Longs, second: Longs) -> RunKeys:
    """Return a number for each two that follow each other; below 2**32 each."""
    return first.astype(np.uint64) << np.uint64(32) | second.astype(np.uint64)
