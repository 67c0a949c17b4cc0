"""Text of a page with the parts in gold and in results, for reports on pages without rendering.

Drawing a page costs a browser and a second; its text with the words of each layer under separate
lines costs milliseconds, and methods that read source have read it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.source import Source
from engine.tree import Ints

MOST_LAYERS = 62
"""Layers of a text; each is a bit of a number."""


@dataclass(frozen=True)
class TextRun:
    """Words in a row that the same layers take, known by their numbers from 1, ascending."""

    text: str
    layers: tuple[int, ...]


TextLine = tuple[TextRun, ...]
"""What stands between two line breaks."""


def marked_text(source: Source, layers: Sequence[Ints]) -> tuple[TextLine, ...]:
    """Return all text of a source in lines, cut where a layer begins or ends.

    Args:
        source: Of the page.
        layers: At most `MOST_LAYERS` arrays of spans of the source, int32 (k, 2), in order and not
            overlapping; a word that a span touches is in the layer.
    """
    joints = source.tokens.joints
    count = len(source.words)
    if not count:
        return ()
    taken = np.zeros(count, dtype=np.int64)
    for number, spans in enumerate(layers[:MOST_LAYERS]):
        for first, end in source.words_in(spans).tolist():
            taken[first:end] |= 1 << number
    changes = np.flatnonzero(np.diff(taken, prepend=taken[0] - 1) | (joints == 2)).tolist()
    lines: list[list[TextRun]] = [[]]
    for first, end in zip(changes, [*changes[1:], count], strict=True):
        if joints[first] == 2 and lines[-1]:
            lines.append([])
        words = _words(source, first, end, is_first=not lines[-1])
        lines[-1].append(TextRun(words, _numbers(int(taken[first]))))
    return tuple(map(tuple, lines))


def _words(source: Source, first: int, end: int, *, is_first: bool) -> str:
    """Return words as they stand, with the blank before them unless they begin a line."""
    blanks = source.tokens.joints[first:end] > 0
    if is_first:
        blanks[:1] = False
    words = zip(blanks.tolist(), source.words[first:end], strict=True)
    return "".join(f" {word}" if blank else word for blank, word in words)


def _numbers(bits: int) -> tuple[int, ...]:
    return tuple(number + 1 for number in range(bits.bit_length()) if bits >> number & 1)
