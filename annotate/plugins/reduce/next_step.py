"""What to fix next in an extractor: the cause that costs most F1, and a small page with it.

Errors of all pages are put together by cause: the kind of error, and the last decision of the
method on the error's first word (`annotate.plugins.reduce.question.cause_of`).  Where a method
gives no reasons, its errors are cut at the ends of blocks, and the place of each part stands for
its cause (`annotate.plugins.reduce.question`).  The loss of a page, 1 - F1, is shared among its
errors by their words: so a long page costs no more than a short one, as in the mean.  A failure, or
another order of the right words, is an error as well: costs of all causes add up to 1 - mean F1.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from algorithms.core.attempt import attempt
from algorithms.core.mapping import map_text
from algorithms.explain.differences import ErrorKind, TextError, text_errors, words_kept
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words, normalise, words_of
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction
from annotate.library.page_cases import PageCase
from annotate.plugins.reduce.question import Places, ShownProperty, cause_of
from annotate.plugins.reduce.reduce import Reduced, reduce_page
from engine.errors import PageletError
from engine.runs import runs_of
from engine.source import Source

LEAST_WORDS = 5
"""Shorter errors are not asked for on a small page: it could have such words by chance."""

FAILED = "the method fails"
ORDERED = "words in another order or form, or not on the page"

PHRASE = 8
"""Words of an error that a test asks for."""

_TRIED = 6
"""Pages that are tried, until one can be made small."""


@dataclass(frozen=True)
class PageError:
    """A run of words that a method loses or has too much.

    Attributes:
        page: The page's name.
        kind: Which of the two.
        cause: Its cause in words.
        words: Their number.
        text: They themselves.
        loss: Their share of the page's loss, 0 to 1.
    """

    page: str
    kind: ErrorKind
    cause: str
    words: int
    text: str
    loss: float = 0.0


@dataclass(frozen=True)
class Judged:
    """A page with its errors.

    Attributes:
        case: The page.
        f1: Of words in sequence; 0 where the method failed.
        errors: All, with 1 - F1 as the sum of their losses.
        right: The first words of the longest run that it keeps rightly.
        failure: Why the method failed; "" else.
    """

    case: PageCase
    f1: float
    errors: tuple[PageError, ...]
    right: tuple[str, ...] = ()
    failure: str = ""


@dataclass(frozen=True)
class SharedCause:
    """Errors with one cause."""

    kind: ErrorKind
    cause: str
    errors: tuple[PageError, ...]

    @property
    def words(self) -> int:
        """Words lost or too many by it."""
        return sum(each.words for each in self.errors)

    @property
    def loss(self) -> float:
        """F1 lost by it, summed over pages."""
        return sum(each.loss for each in self.errors)

    @property
    def is_shown(self) -> bool:
        """Whether a small page may show it."""
        return self.cause not in (FAILED, ORDERED) and bool(self.pages_with(LEAST_WORDS))

    @property
    def pages(self) -> list[str]:
        """Names of the pages that show it, the one of the greatest loss first."""
        return self.pages_with(0)

    def pages_with(self, words: int) -> list[str]:
        """Return those of errors of at least so many words."""
        ordered = sorted(self.errors, key=lambda each: (-each.loss, -each.words))
        return list(dict.fromkeys(each.page for each in ordered if each.words >= words))


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
        failure = outcome.error or "it gave no text"
        words = len(words_of(normalise(gold)))
        lost = PageError(case.name, ErrorKind.MISSING, FAILED, words, gold, loss=1.0)
        return Judged(case, 0.0, (lost,), failure=failure)
    result, source = outcome.result, outcome.result.source
    mapped = map_text(source, gold)
    f1 = score_words(Words(result.text), Words(gold)).ws.f1
    trace = None
    if entry.trace_source is not None:
        with suppress(PageletError):
            trace = entry.trace_on(source, params, None)
    places = Places(source) if trace is None else None
    wanted = Extraction(source, mapped.spans, gold, mapped.unmapped)
    errors = []
    for run in text_errors(result, wanted):
        for each in (run,) if places is None else _parts(run, source, places):
            decision = None if trace is None else trace.decision(each.first)
            cause = cause_of(decision) if decision else (
                "no reasons given" if places is None else places.of(each.first)
            )  # fmt: skip
            errors.append(PageError(case.name, each.kind, cause, each.words, each.text))
    total = sum(each.words for each in errors)
    losses = [replace(each, loss=(1 - f1) * each.words / total) for each in errors if each.words]
    if not losses and f1 < 1:
        losses = [PageError(case.name, ErrorKind.MISSING, ORDERED, 0, "", 1 - f1)]
    return Judged(case, f1, tuple(losses), _right(result, wanted))


def _parts(run: TextError, source: Source, places: Places) -> list[TextError]:
    """Return an error cut at the ends of blocks."""
    spans = source.tokens.spans
    return [
        TextError(run.kind, a, b, source.text_of([[spans[a, 0], spans[b - 1, 1]]]))
        for a, b in places.parts(run.first, run.last)
    ]


def _right(result: Extraction, wanted: Extraction) -> tuple[str, ...]:
    source = result.source
    first, last = runs_of(words_kept(result) & words_kept(wanted, source))
    if not first.size:
        return ()
    k, spans = int(np.argmax(last - first)), source.tokens.spans
    text = source.text_of([[spans[first[k], 0], spans[last[k] - 1, 1]]])
    return tuple(words_of(normalise(text))[:PHRASE])


def shared_causes(pages: Sequence[Judged]) -> list[SharedCause]:
    """Return the causes, the one of the greatest loss first."""
    found: dict[tuple[ErrorKind, str], list[PageError]] = {}
    for error in (error for page in pages for error in page.errors):
        found.setdefault((error.kind, error.cause), []).append(error)
    causes = [SharedCause(*key, tuple(errors)) for key, errors in found.items()]
    return sorted(causes, key=lambda each: (-each.loss, -each.words))


def smallest_page(
    entry: Method, params: Params, cause: SharedCause, pages: Sequence[Judged], seconds: float
) -> tuple[ShownProperty, Reduced] | None:
    """Return the smallest page that shows a cause, and what it shows; None where none does.

    The pages that lose most by it are tried first, the shortest of some.  What the method keeps
    rightly must stay where it can: else a page on which it keeps nothing at all would show much.
    """
    by_name = {each.case.name: each for each in pages}
    candidates = []
    for name in cause.pages_with(LEAST_WORDS)[:_TRIED]:
        with suppress(PageletError):
            right = by_name[name].right
            candidates.append((not right, len(by_name[name].case.page.html), name, right))
    for _, _, name, right in sorted(candidates):
        error = max((e for e in cause.errors if e.page == name), key=lambda each: each.words)
        words = tuple(words_of(normalise(error.text)))[:PHRASE]
        shows: Any = "lost" if error.kind is ErrorKind.MISSING else "kept"
        question = ShownProperty(
            shows, entry.key, params.as_dict(), words, recipe=entry.recipe, beside=right,
            place=cause.cause if entry.trace_source is None else "",
        )  # fmt: skip
        html = by_name[name].case.page.html
        if decision := question.decision(html):
            question = replace(question, cause=cause_of(decision))
        with suppress(PageletError):
            jobs = os.cpu_count() or 1
            return question, reduce_page(html, question, jobs=jobs, seconds=seconds)
    return None
