"""Which pages a learned method has seen with their gold: by fingerprints in the card of its model.

A page is known by what it says, not by its bytes: a copy with another name, encoding, package or
line breaks has the same fingerprints, and so has one whose markup was repaired.  Gold is known the
same way, so that the page is found in another form, too.
"""

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_DIGITS = 12
"""Hexadecimal digits: among a million pages and ten thousand seen, chance makes .00004 alike."""

_FEWEST = 40
"""Letters and digits below which texts of different pages may well be the same."""

CARD_KEY = "seen"


def fingerprint(text: str) -> str:
    """Return a short hash of the letters and digits of a text; "" of a text with very few."""
    letters = "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
    if len(letters) < _FEWEST:
        return ""
    return hashlib.sha256(letters.encode("utf-8", "replace")).hexdigest()[:_DIGITS]


def of_page(words: Iterable[str], gold: str | None) -> tuple[str, ...]:
    """Return the fingerprints of a page and of its gold, without those too short to tell."""
    both = fingerprint(" ".join(words)), fingerprint(gold or "")
    return tuple(dict.fromkeys(filter(None, both)))


def of_blocks(texts: Iterable[tuple[str, int]]) -> str:
    """Return the gold of blocks, texts with levels, as one text: their order does not matter."""
    return "\n".join(sorted(text for text, _ in texts))


def for_card(pages: Iterable[Sequence[str]]) -> str:
    """Return the fingerprints of pages as a model's card keeps them, each once, in order."""
    return " ".join(sorted({mark for page in pages for mark in page}))


def in_card(card: Mapping[str, Any]) -> frozenset[str]:
    """Return the fingerprints in a card; none of a card that was made before there were any."""
    kept = card.get(CARD_KEY)
    return frozenset(kept.split()) if isinstance(kept, str) else frozenset()


def out_of_fold(card: Mapping[str, Any], dataset: str) -> str:
    """Return the card's text on scores on pages of unseen sites; "" if there is none.

    Of a data set that it names the scores on that, else on all.
    """
    scores = card.get("scores")
    if not isinstance(scores, dict):
        return ""
    found: dict[str, float] = {}
    own = scores.get("by_data", scores.get("f"))
    for name, row in own.items() if isinstance(own, dict) else ():
        value = row.get("f1") if isinstance(row, dict) else row
        if isinstance(value, int | float):
            found[str(name)] = float(value)
    found = {dataset: found[dataset]} if dataset in found else found
    what = "bag-of-words F1" if "by_data" in scores else "fuzzy F of blocks"
    figures = ", ".join(f"{value:.3f} on {name}" for name, value in found.items())
    return f"{what}, cross-validated by site: {figures}" if figures else ""
