"""A text as measures of text compare it: its characters and words, each counted once.

A text is first normalised: Unicode NFC; soft hyphens, zero-width blanks, word joiners and byte
order marks deleted; each run of white space one blank; both ends stripped; letter case kept.
Characters are the code points of that, blanks included.  Words are maximal runs of letters,
digits, marks and underscores: T. Gottron (dissertation, Mainz 2008, section 5.2.2) takes
punctuation "not into consideration".
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Literal, TypeVar
from weakref import WeakKeyDictionary

from algorithms.results import Extraction

_Item = TypeVar("_Item", bound=Hashable)

TokenKind = Literal["words", "cjk", "blanks"]
"""What a word is: a run of word characters; the same, but each Han, Kana or Thai character by
itself; what stands between blanks."""

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_UNSPACED = (
    "\u0e00-\u0e7f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts written without blanks: Thai, Kana, Han."""

_FIND: dict[TokenKind, Callable[[str], list[str]]] = {
    "words": re.compile(r"\w+").findall,
    "cjk": re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+").findall,
    "blanks": str.split,
}


def normalise(text: str) -> str:
    """Return the text as all measures here see it (see the top of this module)."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_INVISIBLE)
    return " ".join(text.split())


def words_of(text: str, tokens: TokenKind = "words") -> list[str]:
    """Return the words of a normalised text."""
    return _FIND[tokens](text)


class Words:
    """One text prepared for comparison; everything is computed once, when first needed."""

    def __init__(self, text: str, tokens: TokenKind = "words") -> None:
        self.text = normalise(text)
        self.tokens = tokens

    @cached_property
    def words(self) -> list[str]:
        """The words in order."""
        return words_of(self.text, self.tokens)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each word occurs."""
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


_PREPARED: WeakKeyDictionary[Extraction, dict[TokenKind, Words]] = WeakKeyDictionary()


def prepared(extraction: Extraction, tokens: TokenKind = "words") -> Words:
    """Return an extraction's text prepared for comparison, from memory if it was asked before."""
    by_tokens = _PREPARED.setdefault(extraction, {})
    if tokens not in by_tokens:
        by_tokens[tokens] = Words(extraction.text, tokens)
    return by_tokens[tokens]


def in_both(left: Counter[_Item], right: Counter[_Item]) -> int:
    """Return how many items two bags share, each as often as it is in both."""
    return sum(min(times, right[word]) for word, times in left.items() if word in right)
