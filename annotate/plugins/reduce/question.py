"""What a page must still show while it is cut down."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from algorithms.core.attempt import Outcome, attempt
from algorithms.core.catalogue import method
from algorithms.core.mapping import tokens_saying
from algorithms.measures.text_words import normalise, words_of
from algorithms.method import Method, MethodRecipe
from algorithms.params import Params
from algorithms.results import Extraction
from algorithms.signals.tree_counts import block_of, linked, nearest, words_below
from algorithms.trace import Decision, Trace
from engine.errors import InputError
from engine.page import Page
from engine.processes.worker_process import ProcessLost, ProcessTimeout
from engine.source import Source

Shows = Literal["lost", "kept", "differs", "fails", "hangs", "crashes"]

_FRAMES = ("nav", "header", "footer", "aside", "form", "dialog", "table")
_SHORT, _LONG = 10, 40
"""Words of a block's own text: fewer is short, this and more is long."""

_failed: Counter[str] = Counter()
"""How often a decision rested on all but this: what fails most is asked first."""

USUAL_S = 60.0
"""How long a method may take where it is not asked whether it hangs."""


@dataclass(frozen=True)
class ShownProperty:
    """Property that a page must show; picklable.

    Attributes:
        shows: ``lost``: words that are on the page are not in the method's text.  ``kept``: they
            are in it.  ``differs``: two methods' texts have different words.  ``fails``: the method
            fails with the same words.  ``hangs``: it takes longer than ``seconds``.  ``crashes``:
            it ends the process it runs in, or takes more memory than one may.
        method: Its key.
        params: Its parameters by name; others are as they are at first.
        words: Of ``lost`` and ``kept``, in order.
        against: Key of the other method: it differs, or it keeps what the method loses.
        least: So many words differ.
        error: The first words of the failure.
        recipe, other_recipe: What makes the method, and the other, where they are in no catalogue,
            as versions of a package; None where they are.
        other_params: Parameters of the other one, as above.
        seconds: Time limit of the method for a page; longer is a hang.
        cause: Of ``lost`` and ``kept``: the words must be dropped, or kept, for this cause
            (`cause_of`); "" for any.
        place: Of ``lost`` and ``kept``: where the words stand (`Places.of`); "" for anywhere.
        beside: Other words that the method must keep; none for a page of any sort.
    """

    shows: Shows
    method: str
    params: Mapping[str, Any]
    words: tuple[str, ...] = ()
    against: str = ""
    least: int = 10
    error: str = ""
    recipe: MethodRecipe | None = None
    other_recipe: MethodRecipe | None = None
    other_params: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = USUAL_S
    cause: str = ""
    place: str = ""
    beside: tuple[str, ...] = ()

    @property
    def entry(self) -> Method:
        return method(self.method) if self.recipe is None else self.recipe.entry(self.method)

    @property
    def other_entry(self) -> Method:
        recipe = self.other_recipe
        return method(self.against) if recipe is None else recipe.entry(self.against)

    def is_shown_by(self, end: ProcessLost) -> bool:
        """Whether a page shows it on which the process of the method came to this end."""
        return self.shows == ("hangs" if isinstance(end, ProcessTimeout) else "crashes")

    def is_shown(self, html: str) -> bool:
        """Whether a page shows it; for a hang or a crash of Pagelet's process use `is_shown_by`.

        Code in a separate process, such as a library, hangs and crashes there, and this process
        reports it.
        """
        page = Page("page.html", Source.from_text(html))
        if self.shows == "lost":
            on_page = words_of(normalise(page.source("original").text))
            if not _has(on_page, self.words):
                return False
        if not self._has_cause(page.source("original")):  # where it has none, no text is needed
            return False
        entry = self.entry
        outcome = attempt(entry, page, entry.params(**self.params), "original")
        if self.shows == "fails":
            return bool(outcome.error) and beginning(outcome.error) == self.error
        if self.shows == "hangs":
            return outcome.timed_out
        if self.shows == "crashes":
            return has_crashed(outcome.error)
        text = _words(outcome)
        if text is None:
            return False
        if not _has(text, self.beside) or not self._is_in_place(page.source("original")):
            return False
        if self.shows == "kept":
            return _has(text, self.words)
        if self.shows == "lost" and _has(text, self.words):
            return False
        other = self._other(page)
        if self.shows == "differs":
            return other is not None and _different(text, other) >= self.least
        return not self.against or (other is not None and _has(other, self.words))

    def _has_cause(self, source: Source) -> bool:
        if not self.cause:
            return True
        trace, word = self._dropped(source)
        found = None if trace is None else trace.holding(word)
        if trace is None or found is None:
            return False
        # A sentence may cost several times as much as the method itself: first what is cheap.
        step, at = found
        head, reasons, tail = _parts_of(self.cause)
        if not head.startswith(f"{step.rule.asks}: ") or not tail.endswith(_lasting(step.ending)):
            return False
        if (
            reasons
            and head != f"{step.rule.asks}: {_lasting(replace(step, notes=()).sentence(at))}"
        ):
            return False
        for each in sorted(reasons, key=lambda name: (-_failed[name], name)):
            if not step.may_rest_on(at, each):
                _failed[each] += 1
                return False
        decision = trace.decision(word)
        return decision is not None and has_cause(decision, self.cause)

    def _is_in_place(self, source: Source) -> bool:
        where = tokens_saying(source, " ".join(self.words)) if self.place else []
        return not self.place or (bool(where) and Places(source).of(where[0][0]) == self.place)

    def decision(self, html: str) -> Decision | None:
        """Return the decision that drops, or keeps, the words, as in `pagelet why`.

        None where the method gives no reasons, or does so with no word.
        """
        trace, word = self._dropped(Source.from_text(html))
        return None if trace is None else trace.decision(word)

    def _dropped(self, source: Source) -> tuple[Trace | None, int]:
        """Return the trace and the first of the words that is dropped, or kept; None without."""
        entry = self.entry
        where = tokens_saying(source, " ".join(self.words))
        if not where or entry.trace_source is None:
            return None, 0
        trace = None
        with suppress(Exception):  # a method of the user's may fail on a page that is cut down
            trace = entry.trace_on(source, entry.params(**self.params), None)
        if trace is None:
            return None, 0
        is_kept = self.shows == "kept"
        if is_kept:
            where = [place for place in where if trace.kept[[*place]].all()] or where
        first = next((at for at in where[0] if bool(trace.kept[at]) == is_kept), None)
        return (None, 0) if first is None else (trace, first)

    def _other(self, page: Page) -> list[str] | None:
        if not self.against:
            return None
        entry = self.other_entry
        return _words(attempt(entry, page, entry.params(**self.other_params), "original"))

    def in_words(self) -> str:
        """Return what the page shows, as a sentence."""
        name, other = self.entry.name, self.other_entry.name if self.against else ""
        quoted = f"“{' '.join(self.words)}”"
        return {
            "fails": f"{name} fails: {self.error}",
            "hangs": f"{name} takes more than {self.seconds:g} s",
            "crashes": f"{name} crashes the process it runs in",
            "kept": f"{name} keeps {quoted}",
            "differs": f"{name} and {other} differ in {self.least} or more words",
            "lost": f"{name} loses {quoted}{f', which {other} keeps' if other else ''}",
        }[self.shows]


def cause_of(decision: Decision) -> str:
    """Return what tells the cause of a decision from others: its rule, and its words.

    Numbers, and what stands in brackets, change with each cut of a page; so does what only weakens
    a decision.  What it rests on, and names it gives (labels, elements, the page's type), stay.
    """
    return f"{decision.rule.asks}: {_lasting(decision.sentence)}"


def has_cause(decision: Decision, cause: str) -> bool:
    """Whether a decision has a cause: all that the cause rests on, in any order, it rests on."""
    (head, reasons, tail), (mine, named, end) = map(_parts_of, (cause, cause_of(decision)))
    return (head, tail) == (mine, end) and reasons <= named


def _parts_of(cause: str) -> tuple[str, frozenset[str], str]:
    """Return what stands before the reasons that each turn a decision, they, and the rest."""
    head, rests, rest = cause.partition("; rests on ")
    reasons, sign, tail = rest.partition(";")
    if not rests or " together" in reasons:
        return cause, frozenset(), cause
    return head, frozenset(each.strip() for each in reasons.split(",")), sign + tail


def _lasting(sentence: str) -> str:
    pattern = r"; weaker without .*?\)(?=;|$)|; without its links dropped, too|\([^)]*\)|[\d.]+"
    return re.sub(r" (?=[,;])", "", " ".join(re.sub(pattern, " ", sentence).split()))


def beginning(error: str) -> str:
    """Return what tells a failure from others: its words up to the first number or quotation."""
    words = []
    for word in error.split():
        if any(letter.isdigit() or letter in "\"'“‘" for letter in word):
            break
        words.append(word)
    return " ".join(words[:8]) or error[:20]


def has_crashed(error: str) -> bool:
    """Whether a failure means that the process of a library died (`how_it_ended`)."""
    return error.startswith(("was ended by ", "ended with status "))


def failure_of(entry: Method, params: Params, html: str) -> str:
    """Return how a method fails on a page; `InputError` if it does not."""
    outcome = attempt(entry, Page("page.html", Source.from_text(html)), params, "original")
    if not outcome.error:
        raise InputError(f"{entry.key} does not fail on this page: leave out --fails")
    return beginning(outcome.error)


def _words(outcome: Outcome) -> list[str] | None:
    result = outcome.result
    return words_of(normalise(result.text)) if isinstance(result, Extraction) else None


def _has(text: list[str], words: tuple[str, ...]) -> bool:
    return not words or f" {' '.join(words)} " in f" {' '.join(text)} "


def _different(one: list[str], other: list[str]) -> int:
    mine, theirs = Counter(one), Counter(other)
    return (mine - theirs).total() + (theirs - mine).total()


class Places:
    """The blocks of a page around its words, and how each is described."""

    def __init__(self, source: Source) -> None:
        tree = source.tree
        self._tree = tree
        row = np.zeros(source.tokens.words.size, dtype=np.int64)
        for text in np.flatnonzero(tree.is_text).tolist():
            row[slice(*tree.words[text])] = text
        self._block = block_of(source)[row]
        self._frame = nearest(tree, tree.has_tag(*_FRAMES))
        self._is_link = words_below(source, linked(source))

    def parts(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield the runs of words ``first`` to ``last`` that lie in one block each."""
        block = self._block[first:last]
        ends = [*(np.flatnonzero(np.diff(block)) + 1 + first).tolist(), last]
        yield from zip([first, *ends], ends, strict=False)

    def of(self, word: int) -> str:
        """Return the kind of block a word is in, its length, its links, and the part around it."""
        block = int(self._block[word])
        own = np.flatnonzero(self._block == block)
        size = "short" if own.size < _SHORT else "long" if own.size >= _LONG else "middling"
        links = ", mostly links" if self._is_link[own].mean() > 0.5 else ""
        frame = int(self._frame[block])
        name, around = self._tree.name_of(block), self._tree.name_of(frame)
        inside = f", in <{around}>" if frame not in (0, block) else ""
        return f"{size} text of <{name}>{links}{inside}"
