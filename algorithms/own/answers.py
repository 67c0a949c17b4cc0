"""Answers of programs outside Pagelet as extractions; rubbish is a `MethodError`.

The text of an answer is there at once, its location on the page when asked for.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Literal

import numpy as np

from algorithms.core.mapping import Mapped, map_text
from algorithms.results import Extraction, everything
from engine.errors import MethodError
from engine.mask import visible_ranges
from engine.source import Source
from engine.tree import Ints, lock
from engine.word_units import is_unspaced, words_in

AnswerKind = Literal["text", "html"]
"""What an answer is."""

MOST_CHARS = 4_000_000
"""An answer may have so many characters, or ten times those of its document if that is more:
finding the words of a longer one again takes minutes and gigabytes, and few can be there."""

_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")

_FEW_LETTERS = 800
"""Letters of an answer whose words are looked for in its document first."""

_FEW_WORDS = 8
"""So many of them, the longest."""

_FEW_LOCATIONS = 8
"""The number of tries for each, as it may occur in scripts, too."""


_SAME_WORDS = 0.9
"""Least F1 of the words of an answer's HTML and text, below which they are two extractions."""


def decode_answer(data: bytes) -> str:
    """Return an answer in UTF-8 as text; `MethodError` where it is something else."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MethodError(f"its answer is not UTF-8 (byte {error.start})") from None


def extraction(
    source: Source,
    answer: str,
    kind: AnswerKind,
    seconds: float,
    ask_markup: Callable[[], str] | None = None,
    *,
    is_verbatim: bool = False,
) -> Extraction:
    """Return an answer as an extraction of the source it was made from.

    ``ask_markup`` gives its HTML where the answer is text; an answer in HTML is that itself.

    `MethodError` where it holds control characters, words and none of them is in the source (which
    is not looked for where it ``is_verbatim``), or far more than the source.
    """
    if len(answer) > max(MOST_CHARS, 10 * len(source.html)):
        sizes = f"{len(answer):,} characters, and the document has {len(source.html):,}"
        raise MethodError(f"its answer is too long to come from the document: {sizes}")
    control = _CONTROL.search(answer)
    if control and control[0] not in source.html:
        raise MethodError(f"its answer is not text: it has the character {ord(control[0]):#04x}")
    text = (Source.from_text(answer).text if kind == "html" else answer).strip()
    if kind == "html":
        ask_markup = answer.__str__
    result = GivenExtraction(source, text, seconds, ask_markup=ask_markup)
    is_there = is_verbatim or not text or _share_a_word(source.html, text)
    if not is_there and 0 < result.words == result.unmapped:
        count = "the one word" if result.words == 1 else f"none of the {result.words} words"
        verb = "is not" if result.words == 1 else "is"
        raise MethodError(f"{count} it answered {verb} in the document")
    return result


class GivenExtraction(Extraction):
    """Extraction whose spans are located in the source on first use.

    Its text, all that most measures need, takes no time.
    """

    def __init__(
        self,
        source: Source,
        given: str,
        seconds: float | None = None,
        notes: tuple[str, ...] = (),
        ask_markup: Callable[[], str] | None = None,
    ) -> None:
        self.__dict__["_ask_markup"] = ask_markup
        own = {"source": source, "given": given, "seconds": seconds, "notes": notes}
        self.__dict__.update(own)  # frozen: there is no other way

    def on(self, source: Source) -> "GivenExtraction":
        """Return it on an equal source."""
        return GivenExtraction(
            source, self.text, self.seconds, self.notes, self.__dict__["_ask_markup"]
        )

    @cached_property
    def markup(self) -> str | None:
        """HTML of the extraction, requested on first use.

        None where the program has none, and where it fails or gives none at the second question,
        or gives another text there: figures of one run are of one text.
        """
        ask: Callable[[], str] | None = self.__dict__["_ask_markup"]
        try:
            asked = ask() if ask is not None else ""
        except MethodError:
            return None
        return asked if asked and _has_same_words(asked, self.text) else None

    @cached_property
    def _mapped(self) -> Mapped:
        return map_text(self.source, self.text)

    @cached_property
    def spans(self) -> Ints:
        """Spans of the text in the source; see `Extraction`."""
        spans = np.asarray(self._mapped.spans, dtype=np.int32).reshape(-1, 2)
        lock(spans)
        return spans

    @cached_property
    def unmapped(self) -> int:
        """Number of its words that were not found."""
        return self._mapped.unmapped

    @property
    def words(self) -> int:
        """Number of words in the text."""
        return self._mapped.words


def _has_same_words(html: str, text: str) -> bool:
    """Return whether a document has the words of a text, up to F1 of `_SAME_WORDS`."""
    own, other = (
        Counter(words_in(each)) for each in (everything(Source.from_text(html)).text, text)
    )
    return 2 * (own & other).total() >= _SAME_WORDS * (own.total() + other.total())


def _share_a_word(html: str, text: str) -> bool:
    """Return whether any of a text's first words is in a document, between two tags.

    That settles it for nearly all pages, in a fraction of the time that reading one takes.  Markup
    within a quoted value is taken for markup.
    """
    candidates = dict.fromkeys(word for word in text[:_FEW_LETTERS].split() if word.isalnum())
    visible = _VisibleRanges(html)
    for word in sorted(candidates, key=len, reverse=True)[:_FEW_WORDS]:
        # Without spaces each letter is a word, so the match need not end with a word.
        needle = word if is_unspaced(word) else f" {word} "
        at = html.find(needle)
        for _ in range(_FEW_LOCATIONS):
            if at < 0:
                break
            start, end = visible.around(at)
            if start <= at and at + len(needle) <= end:
                # Words beside a tag may continue after it.
                if html.rfind("<", start, at) < html.rfind(">", start, at):
                    return True
                at += len(needle)
            at = html.find(needle, max(at, start))
    return False


class _VisibleRanges:
    """Ranges of a document that have text and tags, read on demand."""

    def __init__(self, html: str) -> None:
        self._rest = visible_ranges(html)
        self._starts: list[int] = []
        self._ends: list[int] = []

    def around(self, position: int) -> tuple[int, int]:
        """Return the first range that ends after a position of the document."""
        while not self._ends or self._ends[-1] <= position:
            start, end = next(self._rest)
            self._starts.append(start)
            self._ends.append(end)
        number = bisect_right(self._ends, position)
        return self._starts[number], self._ends[number]
