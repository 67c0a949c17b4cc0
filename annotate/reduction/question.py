"""What a page must still show while it is cut down."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from algorithms.attempt import Outcome, attempt
from algorithms.catalogue import method
from algorithms.measures.text_words import normalise, words_of
from algorithms.params import Params
from algorithms.results import Extraction
from engine.errors import InputError
from engine.page import Page
from engine.source import Source

Shows = Literal["lost", "kept", "differs", "fails"]


@dataclass(frozen=True)
class Question:
    """What is asked of a page; picklable.

    Attributes:
        shows: ``lost``: words that are on the page are not in the method's text.  ``kept``: they
            are in it.  ``differs``: two methods' texts have different words.  ``fails``: the method
            fails with the same words.
        method: Its key.
        params: Its parameters.
        words: Of ``lost`` and ``kept``, in order.
        against: Key of the other method: it differs, or it keeps what the method loses.
        least: So many words differ.
        error: The first words of the failure.
    """

    shows: Shows
    method: str
    params: Params
    words: tuple[str, ...] = ()
    against: str = ""
    least: int = 10
    error: str = ""

    def is_shown(self, html: str) -> bool:
        """Whether a page shows it."""
        page = Page("page.html", Source.from_text(html))
        outcome = self._outcome(page, self.method, self.params)
        if self.shows == "fails":
            return bool(outcome.error) and beginning(outcome.error) == self.error
        text = _words(outcome)
        if text is None:
            return False
        if self.shows == "kept":
            return _has(text, self.words)
        other = self._other(page)
        if self.shows == "differs":
            return other is not None and _different(text, other) >= self.least
        if self.against and (other is None or not _has(other, self.words)):
            return False
        on_page = words_of(normalise(page.source("original").text))
        return _has(on_page, self.words) and not _has(text, self.words)

    def _other(self, page: Page) -> list[str] | None:
        if not self.against:
            return None
        entry = method(self.against)
        return _words(self._outcome(page, self.against, entry.params()))

    def _outcome(self, page: Page, key: str, params: Params) -> Outcome:
        return attempt(method(key), page, params, "original")

    def in_words(self) -> str:
        """Return what the page shows, as a sentence."""
        name = method(self.method).name
        quoted = f"“{' '.join(self.words)}”"
        if self.shows == "fails":
            return f"{name} fails: {self.error}"
        if self.shows == "kept":
            return f"{name} keeps {quoted}"
        if self.shows == "differs":
            return f"{name} and {method(self.against).name} differ in {self.least} or more words"
        other = f", which {method(self.against).name} keeps" if self.against else ""
        return f"{name} loses {quoted}{other}"


def beginning(error: str) -> str:
    """Return what tells a failure from others: its words up to the first number or quotation."""
    words = []
    for word in error.split():
        if any(letter.isdigit() or letter in "\"'“‘" for letter in word):
            break
        words.append(word)
    return " ".join(words[:8]) or error[:20]


def failure_of(key: str, params: Params, html: str) -> str:
    """Return how a method fails on a page; `InputError` if it does not."""
    outcome = attempt(method(key), Page("page.html", Source.from_text(html)), params, "original")
    if not outcome.error:
        raise InputError(f"{key} does not fail on this page: leave out --fails")
    return beginning(outcome.error)


def _words(outcome: Outcome) -> list[str] | None:
    result = outcome.result
    return words_of(normalise(result.text)) if isinstance(result, Extraction) else None


def _has(text: list[str], words: tuple[str, ...]) -> bool:
    size = len(words)
    return any(
        text[k] == words[0] and tuple(text[k : k + size]) == words
        for k in range(len(text) - size + 1)
    )


def _different(one: list[str], other: list[str]) -> int:
    mine, theirs = Counter(one), Counter(other)
    return (mine - theirs).total() + (theirs - mine).total()
