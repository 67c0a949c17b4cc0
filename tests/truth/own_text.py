"""Measures of texts, anew from resources/docs/reference/measures.md and its papers.

A word begins with a letter (Unicode L), digit (N) or ``_`` and goes on over these, marks (M), and a
zero-width (non-)joiner that another of them follows.  By ``characters`` each letter of a script
written without blanks is a word, with the marks after it.
"""

import unicodedata
from collections import Counter
from functools import cache
from typing import NamedTuple

DELETED = "\u00ad\u200b\u2060\ufeff"
JOINERS = "\u200c\u200d"
BLANKLESS = (
    "CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC ITERATION", "HIRAGANA", "KATAKANA",
    "THAI", "LAO", "KHMER", "MYANMAR",
)  # fmt: skip


class Shares(NamedTuple):
    precision: float | None
    recall: float | None
    value: float | None


def normalised(text: str) -> str:
    """NFC, invisible characters deleted, each run of white space one blank, none at the ends."""
    whole = unicodedata.normalize("NFC", text)
    return " ".join("".join(each for each in whole if each not in DELETED).split())


@cache
def _kind(character: str) -> str:
    """``w`` begins a word, ``s`` is a word by itself; ``m`` a mark, ``j`` a joiner, else blank."""
    if character == "_":
        return "w"
    if character in JOINERS:
        return "j"
    category = unicodedata.category(character)[0]
    if category == "L" and unicodedata.name(character, "").startswith(BLANKLESS):
        return "s"
    return {"L": "w", "N": "w", "M": "m"}.get(category, " ")


def words(text: str, unit: str = "characters") -> list[str]:
    result: list[str] = []
    current, single = "", False
    text = normalised(text)
    for index, character in enumerate(text):
        kind = _kind(character)
        if kind == "s" and unit == "clauses":
            kind = "w"
        if kind == "j":
            following = text[index + 1] if index + 1 < len(text) else " "
            kind = "m" if current and _kind(following) != " " else " "
        if kind == "m" and current:
            current += character
            continue
        starts_anew = kind == "s" or (kind == "w" and single)
        if current and (starts_anew or kind not in "w"):
            result.append(current)
            current = ""
        if kind in "ws":
            current += character
            single = kind == "s"
    return [*result, current] if current else result


def pieces(between_blanks: str) -> int:
    """How many words that is for what counts white space: letters of blankless scripts by one."""
    count, before = 0, ""
    for character in between_blanks:
        kind = _kind(character)
        if kind == "m" and before == "s":  # a mark goes with its letter
            continue
        is_single = kind == "s"
        count += is_single or before in ("", "s")
        before = "s" if is_single else "w"
    return count


def longest_common(left, right) -> int:
    """Length of the longest common subsequence: H. Hyyrö 2004, a row in one integer."""
    masks: dict = {}
    for index, item in enumerate(left):
        masks[item] = masks.get(item, 0) | 1 << index
    full = (1 << len(left)) - 1
    row = full
    for item in right:
        matched = row & masks.get(item, 0)
        row = ((row + matched) | (row - matched)) & full
    return len(left) - row.bit_count()


def shares(hits: int, relevant: int, retrieved: int) -> Shares:
    """No gold makes the recall 1, nothing returned the precision 1 (Gottron 2008, 2.2.4)."""
    recall = hits / relevant if relevant else 1.0
    precision = hits / retrieved if retrieved else 1.0
    return Shares(precision, recall, harmonic(precision, recall))


def harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def cs(gold: str, text: str, unit: str) -> Shares:
    gold, text = normalised(gold), normalised(text)
    return shares(longest_common(gold, text), len(gold), len(text))


def ws(gold: str, text: str, unit: str) -> Shares:
    left, right = words(gold, unit), words(text, unit)
    return shares(longest_common(left, right), len(left), len(right))


def bow(gold: str, text: str, unit: str) -> Shares:
    left, right = Counter(words(gold, unit)), Counter(words(text, unit))
    return shares((left & right).total(), left.total(), right.total())


def sow(gold: str, text: str, unit: str) -> Shares:
    left, right = set(words(gold, unit)), set(words(text, unit))
    return shares(len(left & right), len(left), len(right))


def cleaneval(gold: str, text: str, unit: str) -> Shares:
    """1 - inserts and deletes / length of the alignment."""
    left, right = words(gold, unit), words(text, unit)
    common = longest_common(left, right)
    edits = len(left) + len(right) - 2 * common
    return Shares(None, None, 1 - edits / (edits + common) if edits + common else 1.0)


def _runs_of_four(text: str, unit: str) -> Counter:
    each = words(text, unit)
    return Counter(tuple(each[i : i + 4]) for i in range(max(1, len(each) - 3)) if each)


def shingles(gold: str, text: str, unit: str) -> Shares:
    """A share of no runs is none; F1 is made from the means of the two shares."""
    left, right = _runs_of_four(gold, unit), _runs_of_four(text, unit)
    hits = (left & right).total()
    precision = hits / right.total() if right else None
    recall = hits / left.total() if left else None
    both = precision is not None and recall is not None
    return Shares(precision, recall, harmonic(precision, recall) if both else None)


def identical(gold: str, text: str, unit: str) -> Shares:
    return Shares(None, None, float(words(gold, unit) == words(text, unit)))


MEASURES = {
    "cs": cs, "ws": ws, "bow": bow, "sow": sow, "cleaneval": cleaneval, "shingles": shingles,
    "identical": identical,
}  # fmt: skip
