"""The set of blocks with the highest expected F1.

Source: Z. C. Lipton, C. Elkan, B. Naryanaswamy, "Optimal Thresholding of Classifiers to Maximize
F1 Measure", ECML PKDD 2014: a set that maximises F1 holds whatever is more probable than half of
the F1 it reaches.  Here each block counts with its words, and ``expected F1`` is twice the expected
common words by the expected words of both sides: 2 sum(p n) / (sum(n) + sum(p n) over all blocks).
"""

from dataclasses import dataclass

import numpy as np

from algorithms.extraction.gleaner.text_runs import TextRuns, hash_words, number_values
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
    three times or more belongs to a list or a template.  Repeated text is for example a part for
    narrow screens that repeats the one for wide screens; gold mostly has it once: of 2,191 pairs of
    equal blocks of ten words and more on WCXB's development pages, gold has none of 1,118, one of
    779 and both of 294.

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
    text = number_values(hash_words(each.lower() for each in runs.texts))
    order = np.argsort(text, kind="stable")
    twice = np.flatnonzero(np.bincount(text) == 2)
    start = np.searchsorted(text[order], twice)
    first, second = order[start], order[start + 1]
    in_order = np.argsort(first)
    return first[in_order], second[in_order]


@dataclass(frozen=True, eq=False)
class KeptBlocks:
    """The blocks of a page that are kept.

    Attributes:
        is_kept: bool (b,).
        f1: The F1 that is expected of them.
        limit: What the chance of a block must exceed.
        chance: float64 (b,). Chances as they were compared: those of repeated blocks are lower.
        is_again: bool (b,). Which those are.
    """

    is_kept: Bools
    f1: float
    limit: float
    chance: Doubles
    is_again: Bools


def best_blocks(chance: Doubles, runs: TextRuns, least: float = 0.0) -> KeptBlocks:
    """Return the best set of a page's blocks, (b,), counting repeated text once.

    Where fewer than ``least`` words are expected, or none, the page is read as one whose most
    probable block is content, and one of signs alone is content as a whole: a page that shows text
    has content.
    """
    once, is_again = counted_once(chance, runs)
    words = runs.words.astype(np.float64)
    is_kept, f1, limit = best_set(once, words, least)
    most = float(once[words > 0].max(initial=0.0))
    if not is_kept.any() and most > 0:
        is_kept, f1, limit = best_set(once / most, words)
        limit *= most
    if not words.any():
        is_kept = np.ones(len(runs), dtype=bool)
    return KeptBlocks(is_kept, f1, limit, once, is_again)


def best_set(chance: Doubles, words: Doubles, least: float = 0.0) -> tuple[Bools, float, float]:
    """Return the blocks to keep, bool (b,), their expected F1, and the chance a block must exceed.

    Args:
        chance: Which share of each block's words is expected to be content, 0 to 1.
        words: Words of each block, as many as there are chances.
        least: Nothing is kept where fewer words are expected on the page.
    """
    expected = float((chance * words).sum())
    nothing = np.zeros(chance.size, dtype=bool)
    if not chance.size or expected < least or not expected:
        return nothing, 0.0, 1.0
    order = np.argsort(-chance, kind="stable")
    common = np.cumsum((chance * words)[order])
    f1 = 2 * common / (np.cumsum(words[order]) + expected)
    best = int(np.argmax(f1))
    is_kept = nothing
    is_kept[order[: best + 1]] = True
    # A block of no words, or as probable as the last one taken, is treated as its equals.
    limit = float(f1[best]) / 2
    return is_kept | (chance > limit), float(f1[best]), limit
