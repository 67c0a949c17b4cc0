"""CETR's measure: every occurrence of a word is a separate item.

Source: T. Weninger, W. H. Hsu, J. Han, "CETR: Content Extraction via Tag Ratios", WWW 2010,
section 6.2: precision and recall of the set of words, each occurrence of a word in the page being
another one, so that the right word at the wrong place does not count.

A gold that is a text is found in the page by its word sequence (`algorithms.core.mapping`); a word
of either side that is not in the page was retrieved, or is relevant, and is never a hit.  Where the
two are of different pages, as an extract of the DOM and a gold of the original, positions cannot be
compared, and the items are a bag of words.  Empty texts: as in `algorithms.measures.text`.
"""

import numpy as np

from algorithms.core.mapping import word_spans
from algorithms.measures.prf import Prf, prf_of
from algorithms.measures.text_words import in_both, prepare_text
from algorithms.results import Extraction
from engine.source import Source
from engine.tree import Bools


def score_occurrences(predicted: Extraction, gold: Extraction) -> Prf:
    """Compare two extractions by the positions of their words. O(w log k)."""
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
