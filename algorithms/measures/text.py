"""How well an extracted text matches the gold text: Gottron's four measures, and CleanEval's.

Source: T. Gottron, dissertation, Mainz 2008, sections 2.2.4 and 5.2.2; CleanEval: M. Baroni et al.,
LREC 2008, with the edit distance of inserts and deletes only.

What characters and words of a text are: `algorithms.measures.text_words`.

Corners, as in section 2.2.4: nothing relevant makes the recall 1, nothing retrieved the precision
1, so two empty texts score 1 and an empty extract of a real gold P 1, R 0, F 0.

Cost: two longest common subsequences, of words and of characters, by bit-parallel rows and only as
far off the diagonal as the texts differ: under 1 ms for two alike texts of 10 kB, 5 ms for unlike
ones.  What belongs to one text alone is computed once per extraction.
"""

from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import LCSseq

from algorithms.core.mapping import word_spans
from algorithms.measures.prf import Prf, prf_of
from algorithms.measures.text_words import Words, in_both, prepare_text
from algorithms.results import Extraction
from engine.source import Source
from engine.tree import Bools
from engine.word_units import WordUnit

_MOST_LETTERS = 1_100_000
"""About as many letters as Unicode has, to represent words."""


@dataclass(frozen=True)
class TextScores:
    """Gottron's four measures of one extraction.

    Attributes:
        cs: Longest common subsequence of characters.
        ws: Longest common subsequence of words.
        bow: Bag of words: each word as often as it is in both.
        sow: Set of words.
    """

    cs: Prf
    ws: Prf
    bow: Prf
    sow: Prf


def score_words(predicted: Words, gold: Words) -> TextScores:
    """Compare two prepared texts."""
    e, m = predicted, gold
    common = common_words(e, m)
    # Letters that words not in common bring along: a first guess at how the letters differ.
    differing = 7 * (len(m.words) + len(e.words) - 2 * common) + 64
    return TextScores(
        cs=prf_of(longest_common(m.text, e.text, differing), len(m.text), len(e.text)),
        ws=prf_of(common, len(m.words), len(e.words)),
        bow=prf_of(in_both(e.counts, m.counts), len(m.words), len(e.words)),
        sow=prf_of(len(e.counts.keys() & m.counts.keys()), len(m.counts), len(e.counts)),
    )


def common_words(predicted: Words, gold: Words) -> int:
    """Return the length of the longest common subsequence of words."""
    numbers = gold.numbers
    if len(numbers) > _MOST_LETTERS:
        return int(LCSseq.similarity(gold.words, predicted.words))
    return longest_common(gold.as_letters(numbers), predicted.as_letters(numbers))


def longest_common(a: str, b: str, differing: int = 0) -> int:
    """Return the length of the longest common subsequence of letters.

    Searches with a guess at how many letters of both are not in it, then twice as many, and so on:
    the fewer there are, the narrower the band of the table that has to be filled.
    """
    total, most = len(a) + len(b), min(len(a), len(b))
    width = max(differing, abs(len(a) - len(b)) + 32)
    while width < most:
        result = LCSseq.similarity(a, b, score_cutoff=(total - width + 1) // 2)
        if result:  # 0: it is shorter than the cutoff
            return int(result)
        width *= 2
    return int(LCSseq.similarity(a, b))


def score_text(
    predicted: Extraction, gold: Extraction, unit: WordUnit = "characters"
) -> TextScores:
    """Compare two extractions by their texts; each is prepared once however often it is scored."""
    return score_words(prepare_text(predicted, unit), prepare_text(gold, unit))


def cleaneval(predicted: Words, gold: Words) -> float:
    """Return 1 minus the distance of inserts and deletes over the alignment's length.

    Equals ``F / (2 - F)`` for F the word-sequence F1; two empty texts score 1.
    """
    common = common_words(predicted, gold)
    length = len(predicted.words) + len(gold.words) - common
    return common / length if length else 1.0


def score_occurrences(predicted: Extraction, gold: Extraction) -> Prf:
    """Compare two extractions by the positions of their words, CETR's measure.  O(w log k).

    Source: T. Weninger, W. H. Hsu, J. Han, "CETR: Content Extraction via Tag Ratios", WWW 2010,
    section 6.2: each occurrence of a word in the page is a separate item, so that the right word at
    the wrong place does not count.

    A gold that is a text is found in the page by its word sequence (`algorithms.core.mapping`); a
    word of either side that is not in the page is never a hit.  Where the two are of different
    pages, as an extract of the DOM and a gold of the original, the items are a bag of words.
    """
    if predicted.source.html != gold.source.html:
        e, m = prepare_text(predicted), prepare_text(gold)
        hits = in_both(e.counts, m.counts)
        return prf_of(hits, len(m.words), len(e.words))
    # Of two equal documents the gold's is taken: its words are known from method to method.
    is_kept = words_inside(gold.source, predicted)
    in_gold = words_inside(gold.source, gold)
    return prf_of(
        int(np.count_nonzero(is_kept & in_gold)),
        int(np.count_nonzero(in_gold)) + gold.unmapped,
        int(np.count_nonzero(is_kept)) + predicted.unmapped,
    )


def words_inside(source: Source, extraction: Extraction) -> Bools:
    """Return which of the source's words an extraction touches, bool (p,)."""
    positions = word_spans(source)
    spans = extraction.spans
    if not len(spans):
        return np.zeros(len(positions), dtype=bool)
    # The last span that starts before the word ends is the only one that can touch it.
    at = np.searchsorted(spans[:, 0], positions[:, 1], side="left") - 1
    return np.asarray((at >= 0) & (spans[at, 1] > positions[:, 0]), dtype=bool)
