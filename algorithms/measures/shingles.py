"""The measure of the article-extraction benchmark: runs of four words in both texts.

Source: the benchmark's published scorer (Scrapinghub, now Zyte, 2020).  A text shorter than four
words is one shorter shingle, one without words has none.

Departure: that scorer's words are ``\\w+`` of the text as it is.  Here they are those of all
measures (`algorithms.measures.text_words`), so that no soft hyphen cuts a word in two.

Each page weighs the same: precision and recall are means over the pages where they are defined.  F1
of a corpus is made from those two means and is no mean of F1 (`summary.combine_pages`, pooled).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import category

from algorithms.measures.prf import harmonic
from algorithms.measures.text_words import Words, in_both

SIZE = 4


@dataclass(frozen=True)
class ShingleCounts:
    """Shingle counts of one page.

    Attributes:
        hits: Shingles in both texts (true positives), with multiplicity.
        extra: In the extract only (false positives).
        missing: In the gold only (false negatives).
        is_exact: Whether the two have the same words in the same order, or the same symbols
            where neither has a word.
    """

    hits: int
    extra: int
    missing: int
    is_exact: bool

    @property
    def precision(self) -> float | None:
        """Share of the extract's shingles that are gold's; None where it has none."""
        return self.hits / (self.hits + self.extra) if self.hits + self.extra else None

    @property
    def recall(self) -> float | None:
        """Share of gold's shingles that were extracted; None where it has none."""
        return self.hits / (self.hits + self.missing) if self.hits + self.missing else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the two; None where one has no value."""
        p, r = self.precision, self.recall
        return None if p is None or r is None else harmonic(p, r)


class Shingled:
    """Text prepared for comparison.

    Attributes:
        words: Its words, in order.
        text: As words are looked for in it.
        counts: Its runs of words, with how often each occurs.
    """

    def __init__(self, text: str | Words) -> None:
        prepared = Words(text) if isinstance(text, str) else text
        self.words, self.text = prepared.words, prepared.text
        self.counts = shingles(self.words)


def count_shingles(predicted: str | Words, gold: str | Shingled) -> ShingleCounts:
    """Compare two texts; the gold may have been prepared for many.  O(words)."""
    ours, theirs = Shingled(predicted), gold if isinstance(gold, Shingled) else Shingled(gold)
    hits = in_both(ours.counts, theirs.counts)
    return ShingleCounts(
        hits,
        ours.counts.total() - hits,
        theirs.counts.total() - hits,
        ours.words == theirs.words
        and (bool(ours.words) or _symbols(ours.text) == _symbols(theirs.text)),
    )


def shingles(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    """Return the runs of `SIZE` words with how often each occurs."""
    if len(words) < SIZE:
        return Counter([tuple(words)] if words else [])
    return Counter(zip(*(words[k:] for k in range(SIZE)), strict=False))


def _symbols(text: str) -> str:
    """Return the symbols of a text, such as emoji; punctuation and white space are left out."""
    return "".join(letter for letter in text if category(letter)[0] == "S")
