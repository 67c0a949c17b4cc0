"""Runs of words: the units of reasons for methods that decide by token."""

import numpy as np
import numpy.typing as npt

from engine.runs import runs_of
from engine.source import Source
from engine.tree import Bools, Ints


def stretches(source: Source, *columns: npt.NDArray[np.generic]) -> Ints:
    """Return runs of words without a tag between them, int32 (d, 2): first and one past the last.

    Further ``columns``, (w,) each, cut where their value changes.
    """
    words = source.tokens.words
    if not words.size:
        return np.zeros((0, 2), dtype=np.int32)
    cuts = np.diff(words) != 1
    for column in columns:
        cuts |= column[1:] != column[:-1]
    starts = np.concatenate(([0], np.flatnonzero(cuts) + 1))
    return np.stack([starts, np.append(starts[1:], words.size)], axis=1).astype(np.int32)


def runs(flags: Bools) -> Ints:
    """Return runs of flagged words, int32 (d, 2)."""
    return np.stack(runs_of(flags), axis=1).astype(np.int32)
