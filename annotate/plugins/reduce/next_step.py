"""What to fix next in an extractor: the cause that costs most words, and a small page with it.

Errors of all pages are put together by cause: the kind of error, and the last decision of the
method on the error's first word (`annotate.plugins.reduce.question.cause_of`).  Of a method that
gives no reasons the element around the word stands for it.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from algorithms.core.attempt import attempt
from algorithms.core.mapping import map_text
from algorithms.explain.differences import ErrorKind, text_errors
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words, normalise, words_of
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction
from annotate.library.page_cases import PageCase
from annotate.plugins.reduce.question import ShownProperty, cause_of
from annotate.plugins.reduce.reduce import Reduced, reduce_page
from engine.errors import PageletError

LEAST_WORDS = 5
"""Shorter errors show no cause."""

PHRASE = 8
"""Words of an error that a test asks for."""


@dataclass(frozen=True)
class PageError:
    """A run of words that a method loses or has too much.

    Attributes:
        page: The page's name.
        kind: Which of the two.
        cause: Its cause in words.
        words: Their number.
        text: They themselves.
    """

    page: str
    kind: ErrorKind
    cause: str
    words: int
    text: str


@dataclass(frozen=True)
class Judged:
    """A page with its errors.

    Attributes:
        case: The page.
        f1: Of words in sequence; 0 where the method failed.
        errors: All of at least `LEAST_WORDS` words.
        failure: Why the method failed; "" else.
    """

    case: PageCase
    f1: float
    errors: tuple[PageError, ...]
    failure: str = ""


@dataclass(frozen=True)
class SharedCause:
    """Errors with one cause, the one that costs most words first of all."""

    kind: ErrorKind
    cause: str
    errors: tuple[PageError, ...]

    @property
    def words(self) -> int:
        """Words lost or too many by it."""
        return sum(each.words for each in self.errors)

    @property
    def pages(self) -> list[str]:
        """Names of the pages that show it, most words first."""
        ordered = sorted(self.errors, key=lambda each: -each.words)
        return list(dict.fromkeys(each.page for each in ordered))


def judge(
    entry: Method, params: Params, cases: Iterable[PageCase], say: Callable[[int], None]
) -> list[Judged]:
    """Return all pages with gold text, the worst first; unreadable pages are left out."""
    result = []
    for count, case in enumerate(cases, 1):
        with suppress(PageletError):
            gold = case.gold.text
            if gold is not None:
                result.append(_judged(entry, params, case, gold))
        say(count)
    return sorted(result, key=lambda each: each.f1)


def _judged(entry: Method, params: Params, case: PageCase, gold: str) -> Judged:
    page = case.page.source
    outcome = attempt(entry, page, params, "original")
    if not isinstance(outcome.result, Extraction):
        return Judged(case, 0.0, (), outcome.error or "it gave no text")
    result, source = outcome.result, outcome.result.source
    mapped = map_text(source, gold)
    f1 = score_words(Words(result.text), Words(gold)).ws.f1
    trace = None
    if entry.trace_source is not None:
        with suppress(PageletError):
            trace = entry.trace_on(source, params, None)
    errors = []
    for each in text_errors(result, Extraction(source, mapped.spans, gold, mapped.unmapped)):
        if each.words >= LEAST_WORDS:
            decisions = () if trace is None else trace.decisions(each.first)
            cause = cause_of(decisions[-1]) if decisions else "no reasons given"
            errors.append(PageError(case.name, each.kind, cause, each.words, each.text))
    return Judged(case, f1, tuple(errors))


def shared_causes(pages: Sequence[Judged]) -> list[SharedCause]:
    """Return the causes, the one of most words first."""
    found: dict[tuple[ErrorKind, str], list[PageError]] = {}
    for error in (error for page in pages for error in page.errors):
        found.setdefault((error.kind, error.cause), []).append(error)
    causes = [SharedCause(*key, tuple(errors)) for key, errors in found.items()]
    return sorted(causes, key=lambda each: -each.words)


def smallest_page(
    entry: Method, params: Params, cause: SharedCause, pages: Sequence[Judged], seconds: float
) -> tuple[ShownProperty, Reduced] | None:
    """Return the smallest page that shows a cause, and what it shows; None where none does.

    The pages with most words of it are tried first, the shortest of three.
    """
    by_name = {each.case.name: each.case for each in pages}
    candidates = []
    for name in cause.pages[:3]:
        with suppress(PageletError):
            candidates.append((len(by_name[name].page.html), name))
    for _, name in sorted(candidates):
        error = max((e for e in cause.errors if e.page == name), key=lambda each: each.words)
        words = tuple(words_of(normalise(error.text)))[:PHRASE]
        shows: Any = "lost" if error.kind is ErrorKind.MISSING else "kept"
        question = ShownProperty(shows, entry.key, params.as_dict(), words, recipe=entry.recipe)
        html = by_name[name].page.html
        if shows == "lost" and (decision := question.decision(html)):
            question = replace(question, cause=cause_of(decision))
        with suppress(PageletError):
            jobs = os.cpu_count() or 1
            return question, reduce_page(html, question, jobs=jobs, seconds=seconds)
    return None
