"""Share of each block in gold: the target of the trees.

Gold is a text.  Its words are aligned with the page's by the longest common subsequence; then,
since an author of gold may have put parts in another order, blocks that were left out are looked
for, whole, in the words of gold that were left over.
"""

from itertools import pairwise

import numpy as np

from algorithms.extraction.gleaner.text_runs import TextRuns, hashed
from engine.sequences import common_numbers
from engine.tree import Doubles, Longs
from engine.word_units import words_in

_FEWEST = 4
"""Words a block must have to be looked for out of order."""

_ALONE = 0.34
"""A smaller share of a block is chance: common words of a long text occur in any other."""


def shares(runs: TextRuns, gold: str) -> Doubles:
    """Return which share of each block's words gold has, (b,)."""
    words = np.array([hashed(word) for word in words_in(gold.lower())], dtype=np.int64)
    if not words.size or not runs.tokens.size:
        return np.zeros(len(runs))
    _, numbers = np.unique(np.concatenate([words, runs.tokens]), return_inverse=True)
    gold_numbers, own = (
        numbers[: words.size].astype(np.int64),
        numbers[words.size :].astype(np.int64),
    )
    pairs = common_numbers(own, gold_numbers)
    taken = np.zeros(own.size, dtype=bool)
    used = np.zeros(gold_numbers.size, dtype=bool)
    taken[pairs[:, 0]], used[pairs[:, 1]] = True, True
    total = np.concatenate(([0], np.cumsum(taken)))
    share = (total[runs.start[1:]] - total[runs.start[:-1]]) / np.maximum(runs.words, 1)
    share[share < _ALONE] = 0.0
    _out_of_order(runs, own, gold_numbers, used, share)
    return np.asarray(share, dtype=np.float64)


def _out_of_order(
    runs: TextRuns, own: Longs, gold: Longs, used: np.ndarray, share: Doubles
) -> None:
    """Set the share of blocks whose words occur together in the rest of gold."""
    positions: dict[tuple[int, int], list[int]] = {}
    for position, pair in enumerate(pairwise(gold.tolist())):
        if not used[position] and not used[position + 1]:
            positions.setdefault(pair, []).append(position)
    if not positions:
        return
    for block in np.flatnonzero((share == 0) & (runs.words >= _FEWEST)).tolist():
        words = own[runs.start[block] : runs.start[block + 1]]
        for position in positions.get((int(words[0]), int(words[1])), ())[:20]:
            part = slice(position, position + words.size)
            if not used[part].any() and np.array_equal(gold[part], words):
                used[part] = True
                share[block] = 1.0
                break
