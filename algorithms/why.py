"""Why a method kept or dropped a place, what that costs, and what would turn it.

Three answers, each from a run of the method itself:

- the decisions on the place, from the method's trace (`algorithms.trace`);
- the cost: F1 (words in sequence) as it is, and with this one decision turned, all else left;
- the flip: the smallest change of one parameter that turns the decision, found by running the
  method again and again, so that no change is named that does not turn it, with the F1 it gives.

How large a change is: as a share of the range the parameter may have, so that changes of different
parameters compare; switches and choices have no size and are tried when no number turns it.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from algorithms.differences import words_kept
from algorithms.measures.text import Words, score_words
from algorithms.method import Method
from algorithms.params import Params, Spec
from algorithms.results import Extraction, keep_words
from algorithms.trace import Decision, Trace
from engine.errors import PageletError
from engine.source import Source
from engine.tree import Bools

_SIZES = (0.001, 0.003, 0.01, 0.03, 0.06, 0.1, 0.15, 0.25, 0.4, 0.6, 0.8, 1.0)
"""Changes that are tried one after the other, as shares of the way to a parameter's bound."""

_HALVINGS = 7
"""How often the border between what does not turn a decision and what does is halved."""

Value = bool | int | float | str


@dataclass(frozen=True)
class Flip:
    """A change of one parameter that turns a decision; the method was run with it.

    Attributes:
        parameter: Its name.
        before, after: Its value now, and the one that turns the decision.
        size: How large a change it is, as a share of the parameter's range; 1 for a switch.
        f1: F1 of the page with it; None without gold.
    """

    parameter: str
    before: Value
    after: Value
    size: float
    f1: float | None


@dataclass(frozen=True)
class Why:
    """What is to be said of a place.

    Attributes:
        method: The method's key.
        kept: What was decided.
        decisions: One after the other; the last one holds.
        first, last: The words the last decision is about: the first, and one past the last.
        text: What they say.
        wanted: Whether gold has the place, by most of its words; None without gold.
        f1: As it is; None without gold.
        turned_f1: With this one decision turned; None without gold.
    """

    method: str
    kept: bool
    decisions: tuple[Decision, ...]
    first: int
    last: int
    text: str
    wanted: bool | None = None
    f1: float | None = None
    turned_f1: float | None = None

    @property
    def sentence(self) -> str:
        """The last decision in words, with its numbers."""
        return self.decisions[-1].sentence


class Asked:
    """One run that is asked questions: its trace and its score are worked out once.

    Args:
        entry: The method; one whose trace is known.
        source: What it read.
        params: How.
        gold: The main content: a text; None where there is none.
        wanted: Which words of ``source`` gold holds, bool (w,); None where it is not known.
    """

    def __init__(
        self,
        entry: Method,
        source: Source,
        params: Params,
        gold: str | None = None,
        wanted: Bools | None = None,
    ) -> None:
        if entry.trace_source is None or entry.on_source is None:
            raise PageletError(f"{entry.name} cannot say why: it shows no decisions")
        self.entry, self.source, self.params = entry, source, params
        self._gold = None if gold is None else Words(gold)
        self._wanted = wanted
        self.trace: Trace = entry.trace_source(source, params)

    def why(self, word: int) -> Why | None:
        """Return why a word was kept or dropped; None if nothing was asked about it."""
        decisions = self.trace.decisions(word)
        if not decisions:
            return None
        first, last = decisions[-1].place
        kept = self.trace.kept
        turned = kept.copy()
        turned[first:last] = not decisions[-1].kept
        spans = self.source.tokens.spans[[first, last - 1]]
        text = self.source.text_of([[spans[0, 0], spans[1, 1]]])
        wanted = None
        if self._wanted is not None:
            wanted = bool(self._wanted[first:last].mean() > 0.5)
        return Why(
            self.entry.key, decisions[-1].kept, decisions, first, last, text, wanted,
            self._f1(keep_words(self.source, kept)),
            self._f1(keep_words(self.source, turned)),
        )  # fmt: skip

    def flip(
        self, why: Why, seconds: float = 3.0, is_wanted: Callable[[], bool] = lambda: True
    ) -> Flip | None:
        """Return the smallest change of one parameter that turns a decision; None if none does.

        Parameters that bear on the decision come first.  After ``seconds``, or when it is no more
        wanted, the search ends with the best it has.
        """
        until = time.monotonic() + seconds

        def is_over() -> bool:
            return time.monotonic() > until or not is_wanted()

        best: Flip | None = None
        for name, candidates in self._candidates(why.decisions[-1]):
            found = self._smallest(name, candidates, why, is_over, best)
            if found is not None and (best is None or found.size < best.size):
                best = found
            if is_over():
                break
        return best

    # searching ------------------------------------------------------------------------------
    def _candidates(
        self, decision: Decision
    ) -> "Iterator[tuple[str, Callable[[float], Value] | tuple[Value, ...]]]":
        """Yield parameters with what may be tried: both ways for numbers, then switches."""
        specs = self.entry.params.specs()
        first = [name for name in decision.rule.parameters if name in specs]
        names = [*first, *(name for name in specs if name not in first)]
        for name in names:
            now = getattr(self.params, name)
            if isinstance(now, bool) or not isinstance(now, int | float):
                continue
            for bound in (specs[name].low, specs[name].high):
                if bound is not None and bound != now:
                    yield name, _way(now, float(bound))
        for name in names:
            others = _others(getattr(self.params, name), specs[name])
            if others:
                yield name, others

    def _smallest(
        self,
        name: str,
        candidates: "Callable[[float], Value] | tuple[Value, ...]",
        why: Why,
        is_over: Callable[[], bool],
        best: Flip | None,
    ) -> Flip | None:
        before = getattr(self.params, name)
        if isinstance(candidates, tuple):
            if best is not None:
                return None
            for value in candidates:
                result = self._turned(name, value, why)
                if result is not None:
                    return Flip(name, before, value, 1.0, self._f1(result))
            return None
        low, found = 0.0, None
        span = _span(self.entry.params.specs()[name], before, candidates(1.0))
        tried: set[Value] = {before}
        for size in _SIZES:
            value = candidates(size)
            far = abs(float(value) - float(before)) / span
            if is_over() or (best is not None and far >= best.size):
                return None
            if value in tried:
                continue
            tried.add(value)
            result = self._turned(name, value, why)
            if result is not None:
                found = (size, value, result)
                break
            low = size
        if found is None:
            return None
        high, value, result = found
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            nearer = candidates(middle)
            if nearer in (value, candidates(low)) or is_over():
                break
            closer = self._turned(name, nearer, why)
            if closer is None:
                low = middle
            else:
                high, value, result = middle, nearer, closer
        value, result = self._rounded(name, value, result, before, why)
        far = abs(float(value) - float(before)) / span
        return Flip(name, before, value, far, self._f1(result))

    def _rounded(
        self, name: str, value: Value, result: Extraction, before: Value, why: Why
    ) -> tuple[Value, Extraction]:
        """Return a value of fewer digits that turns the decision too, else the value itself."""
        if not isinstance(value, float):
            return value, result
        away = 1 if value > float(before) else -1
        for digits in (2, 3, 4):
            step = 10.0**-digits
            short = round(float(np.ceil(value / step * away) * away * step), digits)
            turned = self._turned(name, short, why)
            if turned is not None:
                return short, turned
        return value, result

    def _turned(self, name: str, value: Value, why: Why) -> Extraction | None:
        """Run with one parameter changed; the result if it turns the decision, else None."""
        try:
            params = replace(self.params, **{name: value})
            assert self.entry.on_source is not None
            result: Any = self.entry.on_source(self.source, params)
        except PageletError:
            return None
        kept = words_kept(result, self.source)[why.first : why.last]
        return result if bool(kept.mean() > 0.5) != why.kept else None

    def _f1(self, extraction: Extraction) -> float | None:
        if self._gold is None:
            return None
        return score_words(Words(extraction.text), self._gold).ws.f1


def _way(now: float, bound: float) -> Callable[[float], Value]:
    """Return the values on the way from a parameter's value to its bound, 0 to 1."""
    if isinstance(now, int) and float(bound).is_integer():
        away = 1 if bound > now else -1
        return lambda share: now + away * max(1, round(share * abs(int(bound) - now)))
    return lambda share: now + share * (bound - now)


def _span(spec: Spec, before: Value, end: Value) -> float:
    """Return how wide a parameter's range is, to measure changes by."""
    low, high = spec.low, spec.high
    if low is not None and high is not None and high > low:
        return float(high) - float(low)
    return max(abs(float(end) - float(before)), 1e-9)


def _others(now: Value, spec: Spec) -> tuple[Value, ...]:
    """Return the other values of a switch or of a choice."""
    if isinstance(now, bool):
        return (not now,)
    return tuple(choice for choice in spec.choices if choice != now)
