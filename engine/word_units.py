"""Definition of words for every measure, method and highlight: one definition for all scripts.

A word is a maximal run of letters, digits and underscores with the marks that follow them: vowel
signs, points, accents.  A zero-width joiner or non-joiner inside such a run belongs to it.  That is
Unicode's word boundary (UAX #29, WB4 to WB10) without its exceptions for signs between letters
("can't", "3.14"), since T. Gottron (dissertation, Mainz 2008, section 5.2.2) takes punctuation "not
into consideration".  Letters and marks are those of the Unicode version that Python has.

Scripts written without blanks have no such boundaries: Han, Kana, Bopomofo, and those of UAX #14,
class SA (Thai, Lao, Khmer, Burmese and others).  A `WordUnit` defines the units counted in them.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from engine.code_points import letter_codes
from engine.runs import runs_of

WordUnit = Literal["characters", "clauses"]
"""Units of words in scripts without blanks: a letter with its marks; all between two signs."""

WORD_UNITS: tuple[WordUnit, ...] = get_args(WordUnit)

UNIT_TEXT: dict[WordUnit, str] = {
    "characters": "each character of Chinese, Japanese, Thai, Lao, Khmer and Burmese is a word",
    "clauses": "what stands between two signs or blanks of Chinese, Japanese, Thai, Lao, Khmer and "
    "Burmese is a word",
}
"""Meaning of a unit for a score, in words for users."""

_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\u1950-\u19df\u1a20-\u1aaf\uaa80-\uaadf\U00011700-\U0001174f"  # Tai, Ahom
    "\u3005-\u3007\u3021-\u3029\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff\uff66-\uff9f"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_JOINERS = "\u200c\u200d"
_MARK_PLANES = (range(0x300, 0x1F000), range(0xE0100, 0xE01F0))

_PLAIN = re.compile(r"\w+")
_HAS_MARKS, _HAS_UNSPACED = 1, 2


@cache
def marks() -> str:
    """Return all combining marks as the inside of a character class; 20 ms the first time."""
    codes = [c for part in _MARK_PLANES for c in part if unicodedata.category(chr(c))[0] == "M"]
    edges = np.flatnonzero(np.diff(codes, prepend=-2, append=2**31) > 1).tolist()
    runs = pairwise(edges)
    return "".join(f"{chr(codes[first])}-{chr(codes[end - 1])}" for first, end in runs)


@cache
def is_mark() -> npt.NDArray[np.bool_]:
    """Return which `letter_codes` are marks, bool (65536,)."""
    result = np.zeros(1 << 16, dtype=bool)
    for first, last in _ranges(marks()):
        result[first : last + 1] = True
    result.setflags(write=False)
    return result


def words_in(text: str, unit: WordUnit = "characters") -> list[str]:
    """Return the words of a text, in order."""
    return _pattern(text, unit).findall(text)


def words_of_each(texts: Sequence[str]) -> list[list[str]]:
    """Return the `words_in` each text, their letters looked at once for all."""
    if _pattern("".join(texts), "characters") is _PLAIN:
        return list(map(_PLAIN.findall, texts))
    return list(map(words_in, texts))


def word_count(text: str) -> int:
    """Return how many words a text has: ``len(words_in(text))``, without cutting them out."""
    if not text:
        return 0
    codes = letter_codes(text)
    if not text.isascii() and int(np.bitwise_or.reduce(_kind_table().take(codes))):
        return sum(1 for _ in _pattern(text, "characters").finditer(text))
    inside = _in_words().take(codes)
    return int(np.count_nonzero(inside[1:] > inside[:-1])) + int(inside[0])


def word_spans(text: str, unit: WordUnit = "characters") -> list[tuple[int, int]]:
    """Return where the words of a text start and end."""
    return [match.span() for match in _pattern(text, unit).finditer(text)]


def is_unspaced(text: str) -> bool:
    """Return whether a text is of letters of scripts without blanks alone."""
    return re.fullmatch(f"[{_UNSPACED}]+", text) is not None


def word_columns(text: str) -> npt.NDArray[np.int64]:
    """Return the result of `word_spans` for ``"characters"``, int64 (p, 2)."""
    pattern = _pattern(text, "characters")
    if pattern is not _PLAIN:
        result = [match.span() for match in pattern.finditer(text)]
        return np.array(result, dtype=np.int64).reshape(-1, 2)
    return np.stack(runs_of(_in_words()[letter_codes(text)]), axis=1)


def pieces_in(text: str, unit: WordUnit = "characters") -> list[str]:
    """Return the texts between blanks, signs included; of scripts without blanks each unit."""
    if unit == "clauses" or text.isascii() or not _kinds(text) & _HAS_UNSPACED:
        return text.split()
    return _piece_pattern().findall(text)


def cuts_word(text: str, position: int) -> bool:
    """Return whether a position in a text is between two letters of the same word."""
    start, end = word_around(text, position)
    return start < position < end


def word_around(text: str, position: int) -> tuple[int, int]:
    """Return start and end of the word around a position; the position if inside none."""
    first = last = position
    while first > 0 and not text[first - 1].isspace():
        first -= 1
    while last < len(text) and not text[last].isspace():
        last += 1
    for start, end in word_spans(text[first:last]):
        if first + start < position < first + end:
            return first + start, first + end
    return position, position


def _pattern(text: str, unit: WordUnit) -> re.Pattern[str]:
    """Return the pattern of this text's words: most texts need no table of marks."""
    kinds = 0 if text.isascii() else _kinds(text)
    if unit == "characters" and kinds & _HAS_UNSPACED:
        return _character_pattern()
    return _clause_pattern() if kinds & _HAS_MARKS else _PLAIN


def _kinds(text: str) -> int:
    """Return the kinds in a text, of `_HAS_MARKS` and `_HAS_UNSPACED`; not ASCII, and not empty."""
    return int(np.bitwise_or.reduce(_kind_table().take(letter_codes(text))))


@cache
def _kind_table() -> npt.NDArray[np.uint8]:
    table = np.zeros(1 << 16, dtype=np.uint8)
    for ranges, kind in ((marks() + _JOINERS, _HAS_MARKS), (_UNSPACED, _HAS_UNSPACED)):
        for first, last in _ranges(ranges):
            table[first : last + 1] |= kind
    table[0xFFFF] = _HAS_MARKS | _HAS_UNSPACED  # others are examined one by one
    table.setflags(write=False)
    return table


@cache
def _in_words() -> npt.NDArray[np.bool_]:
    """Return which `letter_codes` are ``\\w``, bool (65536,)."""
    result = np.array([chr(code).isalnum() for code in range(1 << 16)])
    result[ord("_")] = True
    result.setflags(write=False)
    return result


def _ranges(inside: str) -> list[tuple[int, int]]:
    """Return the ranges in the inside of a character class, first and last code."""
    result = re.findall(r"(.)(?:-(.))?", inside, re.DOTALL)
    return [(ord(first), ord(last or first)) for first, last in result]


@cache
def _clause_pattern() -> re.Pattern[str]:
    within = rf"[\w{marks()}]"
    return re.compile(rf"\w{within}*(?:[{_JOINERS}]+{within}+)*")


@cache
def _character_pattern() -> re.Pattern[str]:
    mark = f"[{marks()}]"
    within = rf"(?:[^\W{_UNSPACED}]+|{mark}+)"
    spaced = rf"[^\W{_UNSPACED}]{within}*(?:[{_JOINERS}]+{within}+)*"
    return re.compile(rf"{spaced}|(?=\w)[{_UNSPACED}]{mark}*")


@cache
def _piece_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?=\w)[{_UNSPACED}][{marks()}]*|(?:(?!(?=\w)[{_UNSPACED}])\S)+")
