"""The content code vector: a document as a sequence of atoms that are content (1) or code (0).

Source: T. Gottron, dissertation 2008, section 6.4.1.  Atoms are characters or tokens; comments,
white space, ``script`` and ``style`` are no atoms; references count as the characters they mean.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.shared import shared
from algorithms.smoothing import Floats, blur
from engine.source import Source
from engine.tokenise import letter_codes, spaces
from engine.tree import Bools, Ints, lock


@dataclass(frozen=True, eq=False)
class ContentCode:
    """The vector of one document.

    Attributes:
        values: float64 (c,). 1 for an atom of content, 0 for one of code.
        first: int64 (w + 1,). The first atom of each word; the end of the vector.
        length: int64 (w,). Atoms of each word.
        block: int64 (w,). Number of the text block, the content between two pieces of code, that
            each word is in; ascending.
    """

    values: Floats
    first: npt.NDArray[np.int64]
    length: npt.NDArray[np.int64]
    block: npt.NDArray[np.int64]


def content_code(source: Source, by_character: bool, skip_anchors: bool) -> ContentCode:
    """Read the vector; with ``skip_anchors`` tags of links are no code.  O(n)."""
    tokens = source.tokens
    ignored = ("script", "style", "a") if skip_anchors else ("script", "style")
    keep = ~tokens.is_named(*ignored)
    is_word = tokens.is_word[keep]
    if by_character:
        start, end = tokens.start[keep], tokens.end[keep]
        inked = _inked(source)
        size = inked[end] - inked[start]
        size[is_word] = source.lengths
    else:
        size = np.ones(is_word.size, dtype=np.int64)
    first = np.concatenate(([0], np.cumsum(size)))
    values = np.repeat(is_word.astype(np.float64), size)
    word = np.flatnonzero(is_word)
    block = np.cumsum(~is_word, dtype=np.int64)[word]
    return ContentCode(values, first[word], size[word], block)


@shared
def content_words(
    source: Source,
    by_character: bool,
    skip_anchors: bool,
    radius: int,
    threshold: float,
    times: int,
    tolerance: float,
    whole: bool,
) -> Bools:
    """Blur the vector of a source and return which words stay above the threshold, bool (w,).

    ``times`` passes; with a ``tolerance`` above 0 at most that many, and no more once a pass
    changes less than that share of the extracted atoms.  ``whole``: one atom above the threshold
    keeps its text block; else one keeps its word.
    """
    vector = content_code(source, by_character, skip_anchors)
    if not vector.first.size:
        return np.zeros(0, dtype=bool)
    sigma = radius / 2.0
    if tolerance <= 0:
        ratio = blur(vector.values, radius, sigma, times)
    else:
        ratio = _until_stable(vector.values, radius, sigma, threshold, times, tolerance)
    kept = _words_above(vector, ratio > threshold, whole)
    lock(kept)
    return kept


def _until_stable(
    values: Floats, radius: int, sigma: float, threshold: float, times: int, tolerance: float
) -> Floats:
    content = values > 0
    before = content
    ratio = values
    for number in range(1, times + 1):
        ratio = blur(values, radius, sigma, number)
        after = content & (ratio > threshold)
        changed = int(np.count_nonzero(before != after))
        if changed <= tolerance * max(1, int(np.count_nonzero(before))):
            break
        before = after
    return ratio


def _words_above(vector: ContentCode, above: Bools, whole: bool) -> Bools:
    total = np.concatenate(([0], np.cumsum(above)))
    hits = total[vector.first + vector.length] - total[vector.first]
    if not whole:
        return np.asarray(hits > 0, dtype=bool)
    change = np.flatnonzero(np.diff(vector.block)) + 1
    starts = np.concatenate(([0], change))
    per_block = np.add.reduceat(hits, starts)
    return np.asarray(np.repeat(per_block > 0, np.diff(np.append(starts, hits.size))), dtype=bool)


@shared
def _inked(source: Source) -> Ints:
    """How many characters before each place are no white space, int32 (n + 1,)."""
    inked = np.empty(len(source.html) + 1, dtype=np.int32)
    inked[0] = 0
    np.cumsum(~spaces(letter_codes(source.html)), dtype=np.int32, out=inked[1:])
    lock(inked)
    return inked
