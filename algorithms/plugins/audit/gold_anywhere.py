"""Which blocks gold has word by word, wherever in it.

Gold is aligned with the page in its order.  Where a page has much the same twice, such as two
examples of code, or gold has its parts in another order, a block stays without a partner though
gold has all of it.  Such a block is not missing.
"""

import numpy as np

from algorithms.extraction.gleaner.text_runs import TextRuns, hash_word
from engine.runs import mark_covered
from engine.tree import Bools, Doubles, Longs
from engine.word_units import words_in

RUN = 5
"""Words in a row that gold has: fewer occur in any text."""

_ENOUGH = 0.8
"""A smaller share of a block is not the block."""

_BASE = np.int64(1_000_003)


def with_blocks_anywhere(share: Doubles, runs: TextRuns, gold: str) -> Doubles:
    """Return the share of each block that gold has, (b,), at least that which it has anywhere.

    Args:
        share: Share of each block that is aligned with gold, (b,).
        runs: The blocks.
        gold: The text.
    """
    anywhere = share_anywhere(runs, gold)
    return np.where(anywhere >= _ENOUGH, np.maximum(share, anywhere), share)


def repeats_gold(share: Doubles, runs: TextRuns) -> Bools:
    """Return the blocks not aligned with gold that repeat aligned blocks, bool (b,).

    Args:
        share: What of each block is aligned with gold, (b,).
        runs: The blocks.
    """
    is_taken = share >= 0.5
    taken = runs.tokens[np.repeat(is_taken, np.diff(runs.start))]
    return np.asarray(~is_taken & (_share_in(runs, taken) >= _ENOUGH), dtype=bool)


def share_anywhere(runs: TextRuns, gold: str) -> Doubles:
    """Return the share of each block's words in `RUN` consecutive words of gold, (b,).

    Runs reach into the next block among blocks of fewer words only, as entries of a list are.
    O(n log n).
    """
    return _share_in(runs, hashes(words_in(gold.lower())))


def hashes(words: list[str]) -> Longs:
    """Return the number of each word, as in the tokens of `TextRuns`, int64 (w,)."""
    return np.array([hash_word(word) for word in words], dtype=np.int64)


def _share_in(runs: TextRuns, words: Longs) -> Doubles:
    if words.size < RUN or runs.tokens.size < RUN:
        return np.zeros(len(runs))
    block = np.repeat(np.arange(len(runs)), np.diff(runs.start))
    is_inside = block[: 1 - RUN] == block[RUN - 1 :]
    short = np.cumsum(np.append(0, np.repeat(runs.words < RUN, runs.words)))
    is_inside |= short[RUN:] - short[:-RUN] == RUN
    starts = np.flatnonzero(is_inside & np.isin(codes_of(runs.tokens), codes_of(words)))
    has = mark_covered(starts, starts + RUN, runs.tokens.size)
    count = np.bincount(block[has], minlength=len(runs))
    return np.asarray(count / np.maximum(np.diff(runs.start), 1), dtype=np.float64)


def codes_of(words: Longs, run: int = RUN) -> Longs:
    """Return a code of each run of ``run`` words, (n - run + 1,); overflow is part of it."""
    result = np.zeros(max(words.size - run + 1, 0), dtype=np.int64)
    for step in range(run):
        result = result * _BASE + words[step : step + result.size]
    return result
