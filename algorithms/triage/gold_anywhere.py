"""Which blocks gold has word by word, wherever in it.

Gold is aligned with the page in its order.  Where a page has much the same twice, such as two
examples of code, or gold has its parts in another order, a block stays without a partner though
gold has all of it.  Such a block is not missing.
"""

import numpy as np

from algorithms.extraction.gleaner.text_runs import TextRuns, hashed
from engine.tree import Doubles, Longs
from engine.word_units import words_in

RUN = 5
"""Words in a row that gold has: fewer occur in any text."""

_ENOUGH = 0.8
"""A smaller share of a block is not the block."""

_BASE = np.int64(1_000_003)


def with_blocks_anywhere(share: Doubles, runs: TextRuns, gold: str) -> Doubles:
    """Return the share of each block that gold has, (b,), at least that which it has anywhere.

    Args:
        share: What of each block is aligned with gold, (b,).
        runs: The blocks.
        gold: The text.
    """
    anywhere = share_anywhere(runs, gold)
    return np.where(anywhere >= _ENOUGH, np.maximum(share, anywhere), share)


def share_anywhere(runs: TextRuns, gold: str) -> Doubles:
    """Return which share of each block's words stands in `RUN` words in a row of gold, (b,).

    Runs do not reach into the next block, so a block of fewer words has 0.  O(n log n).
    """
    words = np.array([hashed(word) for word in words_in(gold.lower())], dtype=np.int64)
    if words.size < RUN or runs.tokens.size < RUN:
        return np.zeros(len(runs))
    block = np.repeat(np.arange(len(runs)), np.diff(runs.start))
    is_inside = block[: 1 - RUN] == block[RUN - 1 :]
    starts = np.flatnonzero(is_inside & np.isin(_codes(runs.tokens), _codes(words)))
    covered = np.zeros(runs.tokens.size, dtype=bool)
    for step in range(RUN):
        covered[starts + step] = True
    count = np.bincount(block[covered], minlength=len(runs))
    return np.asarray(count / np.maximum(np.diff(runs.start), 1), dtype=np.float64)


def _codes(words: Longs) -> Longs:
    """Return a code of each `RUN` words in a row, int64 (n - RUN + 1,); overflow is part of it."""
    result = np.zeros(words.size - RUN + 1, dtype=np.int64)
    for step in range(RUN):
        result = result * _BASE + words[step : step + result.size]
    return result
