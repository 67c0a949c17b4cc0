"""The smallest change of one parameter that turns a decision, found by running a method again.

How large a change is: as a share of the range the parameter may have, so that changes of different
parameters compare; switches and choices have no size and are tried when no number turns it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from algorithms.params import Params, Spec, Value
from engine.errors import PageletError

_SIZES = (0.001, 0.003, 0.01, 0.03, 0.06, 0.1, 0.15, 0.25, 0.4, 0.6, 0.8, 1.0)
"""Changes that are tried one after the other, as shares of the way to a parameter's bound."""

_HALVINGS = 7
"""How often the border between what does not turn a decision and what does is halved."""

R = TypeVar("R")


@dataclass(frozen=True)
class Flip:
    """A change of one parameter that turns a decision; the method was run with it.

    Attributes:
        parameter: Its name.
        before, after: Its value now, and the one that turns the decision.
        size: How large a change it is, as a share of the parameter's range; 1 for a switch.
        f1: F1 of the page with it; None without gold.
        measure: What F1 is meant: of words, or of blocks.
    """

    parameter: str
    before: Value
    after: Value
    size: float
    f1: float | None
    measure: str = "F1"


@dataclass(frozen=True, eq=False)
class FlipSearch(Generic[R]):
    """Looks for a change that turns a decision.

    Attributes:
        params: As they are.
        rerun: Runs the method with others; returns the result if that turns the decision.  A
            `PageletError` it raises counts as none.
        f1: The score of a result; None without gold.
        is_over: Whether to end with the best there is.
        measure: What `f1` measures.
    """

    params: Params
    rerun: Callable[[Params], R | None]
    f1: Callable[[R], float | None]
    is_over: Callable[[], bool]
    measure: str = "F1"

    def smallest(self, first: Sequence[str] = ()) -> Flip | None:
        """Return the smallest change that turns the decision; None if none does.

        Parameters named in ``first`` are tried before the others.
        """
        best: Flip | None = None
        for name, candidates in self._candidates(first):
            found = self._smallest(name, candidates, best)
            if found is not None and (best is None or found.size < best.size):
                best = found
            if self.is_over():
                break
        return best

    def _candidates(
        self, wanted: Sequence[str]
    ) -> "Iterator[tuple[str, Callable[[float], Value] | tuple[Value, ...]]]":
        """Yield parameters with what may be tried: both ways for numbers, then switches."""
        specs = self.params.specs()
        first = [name for name in wanted if name in specs]
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
        best: Flip | None,
    ) -> Flip | None:
        before = getattr(self.params, name)
        if isinstance(candidates, tuple):
            if best is not None:
                return None
            for value in candidates:
                result = self._turned(name, value)
                if result is not None:
                    return Flip(name, before, value, 1.0, self.f1(result), self.measure)
            return None
        low, found = 0.0, None
        span = _span(self.params.specs()[name], before, candidates(1.0))
        tried: set[Value] = {before}
        for size in _SIZES:
            value = candidates(size)
            far = abs(float(value) - float(before)) / span
            if self.is_over() or (best is not None and far >= best.size):
                return None
            if value in tried:
                continue
            tried.add(value)
            result = self._turned(name, value)
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
            if nearer in (value, candidates(low)) or self.is_over():
                break
            closer = self._turned(name, nearer)
            if closer is None:
                low = middle
            else:
                high, value, result = middle, nearer, closer
        value, result = self._rounded(name, value, result, before)
        far = abs(float(value) - float(before)) / span
        return Flip(name, before, value, far, self.f1(result), self.measure)

    def _rounded(self, name: str, value: Value, result: R, before: Value) -> tuple[Value, R]:
        """Return a value of fewer digits that turns the decision too, else the value itself."""
        if not isinstance(value, float):
            return value, result
        away = 1 if value > float(before) else -1
        for digits in (2, 3, 4):
            step = 10.0**-digits
            short = round(float(np.ceil(value / step * away) * away * step), digits)
            turned = self._turned(name, short)
            if turned is not None:
                return short, turned
        return value, result

    def _turned(self, name: str, value: Value) -> R | None:
        """Run with one parameter changed; the result if it turns the decision, else None."""
        try:
            return self.rerun(replace(self.params, **{name: value}))
        except PageletError:
            return None


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
