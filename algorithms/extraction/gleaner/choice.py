"""The set of blocks with the highest expected F1.

Source: Z. C. Lipton, C. Elkan, B. Naryanaswamy, "Optimal Thresholding of Classifiers to Maximize
F1 Measure", ECML PKDD 2014: a set that maximises F1 holds whatever is more probable than half of
the F1 it reaches.  Here each block counts with its words, and ``expected F1`` is twice the expected
common words by the expected words of both sides: 2 sum(p n) / (sum(n) + sum(p n) over all blocks).
"""

from dataclasses import dataclass

import numpy as np

from algorithms.extraction.gleaner.copies import counted_once
from algorithms.extraction.gleaner.text_runs import TextRuns
from engine.tree import Bools, Doubles


@dataclass(frozen=True, eq=False)
class Choice:
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


def best_blocks(chance: Doubles, runs: TextRuns, least: float = 0.0) -> Choice:
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
    return Choice(is_kept, f1, limit, once, is_again)


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
