"""Tag ratios: for each line of a source, characters of text per tag.

Source: T. Weninger, W. Hsu, J. Han, "CETR - Content Extraction via Tag Ratios", WWW 2010, sections
3, 4.1 and 5.3, Algorithm 1.

A line ends where the source has a line end in text; a tag belongs to the line it starts on, one
with line ends inside is not cut.  Scripts, styles, comments and empty lines are no part of it;
white space counts as one blank between two words.  Wrapping breaks a line after 65 characters, or
where the next text is if that is in a tag; line ends of the source stay.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.shared import shared
from algorithms.smoothing import Floats, blur
from engine.source import Source
from engine.tree import Bools, lock

WRAP_COLUMN = 65
LONG_LINE = 500
"""Mean characters a line above which a page counts as minified."""

REWRAP = ("long", "always", "single", "never")
"""When lines are wrapped: on minified pages, on all, on pages of one line (as printed), on none."""


@dataclass(frozen=True, eq=False)
class TagRatios:
    """The lines of one source that are not empty, l of them.

    Attributes:
        ratio: float64 (l,). Characters of text per tag; characters where there is no tag.
        line: int64 (p,). The line of each piece of a word; a wrapped word has several pieces.
        word: int64 (p,). The word each piece is of; ascending.
    """

    ratio: Floats
    line: npt.NDArray[np.int64]
    word: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        for column in (self.ratio, self.line, self.word):
            lock(column)

    def words_on(self, lines: Bools, words: int) -> Bools:
        """Return which of the words have a piece on the chosen lines, bool (w,)."""
        kept = np.zeros(words, dtype=bool)
        kept[self.word[lines[self.line]]] = True
        return kept


@shared
def tag_ratios(source: Source, rewrap: str = "long") -> TagRatios:
    """Read the lines of a source.  O(n), once."""
    tokens = source.tokens
    keep = np.flatnonzero(~tokens.is_named("script", "style"))
    is_word = tokens.is_word[keep]
    size = (tokens.end[keep] - tokens.start[keep]).astype(np.int64)
    size[is_word] = source.lengths
    blank = np.diff(tokens.gap[keep], prepend=0) > 0
    end = np.cumsum(size + blank)
    start = end - size
    natural = np.searchsorted(tokens.newline, tokens.start[keep])

    lines = np.count_nonzero(np.diff(natural)) + 1
    length = int(end[-1]) if end.size else 0
    wanted = {
        "long": length > LONG_LINE * lines,
        "always": True,
        "single": lines == 1,
        "never": False,
    }[rewrap]
    if wanted:
        line, chars, token = _wrapped(start, end, is_word, natural)
    else:
        line, chars, token = natural, np.where(is_word, size, 0), np.arange(keep.size)

    _, line = np.unique(line, return_inverse=True)  # leaves out empty lines
    is_text = is_word[token]
    count = int(line[-1]) + 1 if line.size else 0
    text = np.bincount(line, chars, minlength=count)
    # The blank before a word counts where a word stands before it on its line.
    pieces = np.flatnonzero(is_text)
    later = pieces[1:][line[pieces[1:]] == line[pieces[:-1]]]
    earlier = pieces[:-1][line[pieces[1:]] == line[pieces[:-1]]]
    gap = tokens.gap[keep][token]
    text += np.bincount(line[later], gap[later] > gap[earlier], minlength=count)
    tags = np.bincount(line[~is_text], minlength=count)
    number = np.cumsum(is_word) - 1
    return TagRatios(text / np.maximum(tags, 1), line[is_text], number[token[is_text]])


@shared
def smoothed_ratios(source: Source, rewrap: str = "long", sigma: float = 0.0) -> Floats:
    """Return the smoothed ratios of the lines of a source, float64 (l,).  Once."""
    ratios = smoothed(tag_ratios(source, rewrap).ratio, sigma)
    lock(ratios)
    return ratios


def smoothed(values: Floats, sigma: float = 0.0) -> Floats:
    """Smooth with a Gauss curve cut off at one sigma; 0 takes the values' own deviation."""
    sigma = sigma or float(np.std(values)) if values.size else 0.0
    if not 0.0 < sigma < np.inf:
        return values.copy()
    # Beyond the sequence itself a wider window changes nothing but the cost.
    radius = min(int(np.ceil(sigma)), max(1, values.size))
    return blur(values, radius, sigma)


def _wrapped(
    start: npt.NDArray[np.int64],
    end: npt.NDArray[np.int64],
    is_word: Bools,
    natural: npt.NDArray[np.intp],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Wrap lines: the line, characters of text and token of each tag and piece of a word."""
    found: list[tuple[int, int, int]] = []
    line = 0
    opened = 0  # where the line starts
    before = -1
    columns = zip(start.tolist(), end.tolist(), is_word.tolist(), natural.tolist(), strict=True)
    for token, (low, high, word, number) in enumerate(columns):
        if number != before:
            before = number
            line, opened = line + 1, low
        if not word:
            found.append((line, 0, token))
            continue
        if low >= opened + WRAP_COLUMN:
            line, opened = line + 1, low
        while high > opened + WRAP_COLUMN:
            cut = opened + WRAP_COLUMN
            found.append((line, cut - low, token))
            line, opened, low = line + 1, cut, cut
        found.append((line, high - low, token))
    table = np.array(found, dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]
