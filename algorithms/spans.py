"""From chosen words to the spans an extraction is made of."""

import numpy as np
import numpy.typing as npt

from algorithms.results import Extraction
from engine.source import Source
from engine.tree import Bools, Ints


def keep_words(source: Source, kept: Bools) -> Extraction:
    """Return the words marked in ``kept``, bool (w,); neighbours share one span."""
    return Extraction(source, spans_of(source.tokens.spans, kept))


def spans_of(words: Ints, kept: Bools) -> Ints:
    """Return one span for each run of kept words, int32 (k, 2); ``words`` is int32 (w, 2)."""
    first, last = runs_of(kept)
    return np.stack([words[first, 0], words[last - 1, 1]], axis=1).astype(np.int32)


def runs_of(flags: Bools) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return where each run of true flags starts and ends (one past), both (k,)."""
    steps = np.diff(np.concatenate(([False], flags, [False])).astype(np.int8))
    return np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)


def nothing(source: Source) -> Extraction:
    """Return the empty extraction."""
    return Extraction(source, np.zeros((0, 2), dtype=np.int32))


def everything(source: Source) -> Extraction:
    """Return all text of a source."""
    return keep_words(source, np.ones(source.tokens.words.size, dtype=bool))
