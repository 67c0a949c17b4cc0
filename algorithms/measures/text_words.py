"""A text as measures of text compare it: its characters and words, each counted once.

A text is first normalised: Unicode NFC; soft hyphens, zero-width blanks, word joiners and byte
order marks deleted; each run of white space one blank; both ends stripped; letter case kept.
Characters are the code points of that, blanks included.  Definition of words: `engine.word_units`.
"""

import unicodedata
from collections import Counter
from collections.abc import Hashable
from functools import cached_property
from typing import TypeVar
from weakref import WeakKeyDictionary

from algorithms.results import Extraction
from engine.word_units import WordUnit, words_in

_Item = TypeVar("_Item", bound=Hashable)

INVISIBLE = "\u00ad\u200b\u2060\ufeff"
"""Characters deleted from a text before comparison."""


def normalise(text: str) -> str:
    """Return the text as all measures here see it (see the top of this module)."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        for letter in INVISIBLE:
            text = text.replace(letter, "")
    return " ".join(text.split())


words_of = words_in
"""The words of a normalised text."""


class Words:
    """Text prepared for comparison; everything is computed once, when first needed."""

    def __init__(self, text: str, unit: WordUnit = "characters") -> None:
        self.text = normalise(text)
        self.unit = unit

    @cached_property
    def words(self) -> list[str]:
        """The words in order."""
        return words_of(self.text, self.unit)

    @cached_property
    def counts(self) -> Counter[str]:
        """Count of each word."""
        return Counter(self.words)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """A number above 0 for each distinct word."""
        return {word: number for number, word in enumerate(self.counts, start=1)}

    def as_letters(self, numbers: dict[str, int]) -> str:
        """Return the words as one letter each, those without a number all the same.

        Strings are what rapidfuzz compares fastest.
        """
        return "".join(map(chr, [numbers.get(word, 0) for word in self.words]))


_PREPARED: WeakKeyDictionary[Extraction, dict[WordUnit, Words]] = WeakKeyDictionary()


def prepare_text(extraction: Extraction, unit: WordUnit = "characters") -> Words:
    """Return an extraction's text prepared for comparison, from memory if it was asked before."""
    by_unit = _PREPARED.setdefault(extraction, {})
    if unit not in by_unit:
        by_unit[unit] = Words(extraction.text, unit)
    return by_unit[unit]


def in_both(left: Counter[_Item], right: Counter[_Item]) -> int:
    """Return how many items two bags share, each as often as it is in both."""
    return sum(min(times, right[word]) for word, times in left.items() if word in right)
