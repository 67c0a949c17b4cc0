"""Repeated text of a page: for example a part for narrow screens that repeats the
one for wide screens.

Gold mostly has such text once: of 2,191 pairs of equal blocks of ten words and more on WCXB's
development pages, gold has none of 1,118, one of 779 and both of 294.
"""

import numpy as np

from algorithms.extraction.gleaner.text_runs import TextRuns, hashed, numbered
from engine.tree import Bools, Doubles, Longs

SHORTEST, LONG = 10, 100
"""Words of the shortest run: shorter ones recur by chance, such as the rows of a table.  One
that is long recurs for no other reason than that a page is made for two screens."""

SURE = 0.8
"""A block so probable is not doubted, unless its run is long: a manual may well repeat
a text for two options."""

AGAIN = 0.3
"""How often gold that has a run has it twice: what the less probable copy is multiplied by."""


def counted_once(chance: Doubles, runs: TextRuns) -> tuple[Doubles, Bools]:
    """Return chances that count repeated text once.

    Of two equal runs of blocks the less probable one is lowered, else the second.  Text that occurs
    three times or more belongs to a list or a template.

    Args:
        chance: Which share of each block is expected to be content, float64 (b,).
        runs: The blocks.

    Returns:
        The chances, (b,), and which of them were lowered, bool (b,).
    """
    first, second = _pairs(runs)
    is_new = np.ones(first.size, dtype=bool)
    is_new[1:] = (np.diff(first) != 1) | (np.diff(second) != 1)
    stretch, own = np.cumsum(is_new) - 1, runs.words[first]
    words = np.bincount(stretch, weights=own)[stretch]
    more = np.bincount(stretch, weights=own * (chance[second] - chance[first]))[stretch]
    lesser = np.where(more > 0, first, second)
    is_doubted = (words >= LONG) | ((words >= SHORTEST) & (chance[lesser] < SURE))
    is_again = np.zeros(chance.size, dtype=bool)
    is_again[lesser[is_doubted]] = True
    return np.where(is_again, chance * AGAIN, chance), is_again


def _pairs(runs: TextRuns) -> tuple[Longs, Longs]:
    """Return the numbers of equal blocks that occur exactly twice, (p,) each, in page order."""
    text = numbered(np.array([hashed(each.lower()) for each in runs.texts], dtype=np.int64))
    order = np.argsort(text, kind="stable")
    twice = np.flatnonzero(np.bincount(text) == 2)
    start = np.searchsorted(text[order], twice)
    first, second = order[start], order[start + 1]
    in_order = np.argsort(first)
    return first[in_order], second[in_order]
