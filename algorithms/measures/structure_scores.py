"""Measures of structure: the text of each element, of two clean trees.

Both the extract and the gold are trees made in the same way from the page (`algorithms.structure`),
so that the kept content is compared, not the markup of the page; the tree of a program that
gives its own HTML is made from that.

Precision is the sum of likenesses over the parts found, recall the same over those marked; parts
are paired in order, so that the sum is the largest (as GriTS does with rows and columns: B. Smock,
R. Pesala, R. Abraham, ICDAR 2023).  Corners: without a marked part no value,
whatever was found; without a found one 0.

Departure: papers that score the parts of a page give a page without marked ones 1 where none was
found and 0 where one was.  Either way a mean tells more of how many pages have none than of the
parts, and without the first it is over other pages for each method.  Here the mean of every method
is over the pages with marked parts.  Parts that a method makes up on other pages lower
`score_words_in_elements` there, which has a value on every page with gold.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cdist

from algorithms.measures.prf import Score
from algorithms.measures.text_words import normalise, words_of
from algorithms.structure import LeveledText, StructureParts

LEAST_ALIKE = 0.5
"""Texts that are less alike are two texts: any two share letters."""

OTHER_LEVEL = 0.5
"""What a text is worth on another level."""

T = TypeVar("T")

Likeness = npt.NDArray[np.float64]


def score_words_in_elements(predicted: StructureParts, marked: StructureParts) -> Score:
    """Return F1 of the longest common sequence of words, each paired with its element."""
    mine, other = _words(predicted), _words(marked)
    return _score(float(LCSseq.similarity(mine, other)), len(mine), len(other))


def score_parts(predicted: Sequence[LeveledText], marked: Sequence[LeveledText]) -> Score:
    """Return F1 of texts on levels, paired in order.

    Two are alike by 1 - Levenshtein distance / length of the longer one, nothing below
    `LEAST_ALIKE`, times `OTHER_LEVEL` where their levels differ.
    """
    if not predicted or not marked:
        return _score(0.0, len(predicted), len(marked))
    mine, other = [each.text for each in predicted], [each.text for each in marked]
    alike = cdist(mine, other, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    levels = np.equal.outer([each.level for each in predicted], [each.level for each in marked])
    alike = np.where(alike < LEAST_ALIKE, 0.0, alike) * np.where(levels, 1.0, OTHER_LEVEL)
    return _score(in_order(alike), len(predicted), len(marked))


def score_pairs(
    predicted: Sequence[T],
    marked: Sequence[T],
    likeness: Callable[[Sequence[T], Sequence[T]], Likeness],
) -> Score:
    """Return F1 of parts, paired in order by their similarity, 0 to 1, (n, m)."""
    if not predicted or not marked:
        return _score(0.0, len(predicted), len(marked))
    return _score(in_order(likeness(predicted, marked)), len(predicted), len(marked))


def score_bags(predicted: Counter[str], marked: Counter[str]) -> Score:
    """Return F1 of things that are equal or not, each counted as often as it occurs in both."""
    return _score(float((predicted & marked).total()), predicted.total(), marked.total())


def in_order(alike: Likeness) -> float:
    """Return the largest sum of likenesses, (n, m), of pairs in which both orders hold.  O(nm)."""
    best = np.zeros(alike.shape[1] + 1)
    for row in alike:
        best[1:] = np.maximum.accumulate(np.maximum(best[1:], best[:-1] + row))
    return float(best[-1])


def _words(parts: StructureParts) -> list[str]:
    return [f"{role} {word}" for role, text in parts.runs for word in words_of(normalise(text))]


def _score(hits: float, predicted: int, marked: int) -> Score:
    if not marked:
        return Score(None)
    precision = hits / predicted if predicted else 0.0
    return Score(2 * hits / (predicted + marked), precision, hits / marked)
