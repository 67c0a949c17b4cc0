"""The smallest change of one parameter that turns a decision, found by running a method again.

How large a change is: as a share of the range the parameter may have, so that changes of different
parameters compare; switches and choices have no size and are tried when no number turns it.  So is
a value with a special meaning (`Spec.special`): from "the deviation" to 0.1 is no small step.

What a decision does between two values that were tried is not known: a method need not be monotone
(wider smoothing may drop a line and wider smoothing yet keep it).  So whole numbers are tried one
by one, others on a grid with the border to what turns halved down to `_NEAR`, and a result gives
the number of runs behind it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import numpy as np

from algorithms.params import Params, Spec, Value
from engine.errors import PageletError
from engine.words import plural

_COARSE = (1e-6, 0.001, 0.003, 0.01, 0.03, 0.06, 0.1, 0.15, 0.25, 0.4, 0.6, 0.8, 1.0)
"""Changes of all parameters that are tried first, as shares of the way to a parameter's bound."""

_FINE = tuple(step / 64 for step in range(1, 65))
"""Changes that are tried then, as shares of the smallest known, or of the way where none is."""

_MOST_WHOLE = 200
"""So many whole numbers on the way to a bound are tried one by one."""

_NEAR = 1e-4
"""How near the border between turning and not is followed, as a share of the way to the bound."""

_ROUNDING = 1e-3
"""How much larger a change may be for the sake of fewer digits, as a share of the range."""

R = TypeVar("R")


@dataclass(frozen=True)
class Counterfactual:
    """A change of one parameter that turns a decision; the method was run with it.

    Attributes:
        parameter: Its name.
        before, after: Its value now, and the one that turns the decision.
        size: How large a change it is, as a share of the parameter's range; 1 for a switch.
        f1: F1 of the page with it; None without gold.
        measure: What F1 is meant: of words, or of blocks.
        outcome: What the place is with it: ``kept``, ``no block``.
        meaning: What the value now means where it is no measure (`Spec.special`); "" elsewhere.
    """

    parameter: str
    before: Value
    after: Value
    size: float
    f1: float | None
    measure: str = "F1"
    outcome: str = "kept"
    meaning: str = ""


@dataclass(frozen=True)
class CounterfactualResult:
    """Result of a search for a change that reverses a decision.

    Attributes:
        counterfactual: The smallest of those that do; None where none did.
        runs: With how many values the method was run.
        is_complete: Whether those are all the values its parameters can have, one changed at a
            time.
        is_cut_short: Whether time was over before all was tried that was to be.
    """

    counterfactual: Counterfactual | None
    runs: int = 0
    is_complete: bool = False
    is_cut_short: bool = False

    @property
    def basis(self) -> str:
        """Basis of the result, in words: ``61 tries``."""
        text = plural(self.runs, "try", "tries")
        if self.is_cut_short:
            return f"{text} (time ran out)"
        return f"{text}, all there are" if self.is_complete else text

    @property
    def sentence(self) -> str:
        """Change that reverses the decision, and the number of runs behind it, in words."""
        change = self.counterfactual
        if change is None:
            return f"No change of a single parameter reverses it in {self.basis}."
        then = (
            "" if change.f1 is None else f"; {change.measure} of the page becomes {change.f1:.3f}"
        )
        after, before = _shown(change.after), _shown(change.before)
        if change.meaning:
            before = f"{before}: {change.meaning}"
        other = "No other parameter reverses it" if change.meaning else "Nothing smaller"
        return (
            f"With “{change.parameter}” {after} (now {before}) it is {change.outcome}{then}. "
            f"{other} in {self.basis}."
        )


def _shown(value: Value) -> str:
    """Return a value as one writes it: 934 for 934.0."""
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if is_whole else str(value)


@dataclass(eq=False)
class CounterfactualSearch(Generic[R]):
    """One search for a change that reverses a decision.

    Attributes:
        params: As they are.
        rerun: Runs the method with others; returns the result if that turns the decision.  A
            `PageletError` it raises counts as none.
        f1: The score of a result; None without gold.
        is_over: Whether to end with the best there is.
        measure: What `f1` measures.
        outcome: What the place is once the decision is reversed.
        best: The smallest change so far.
        runs: How many values were tried.
        still: Of each parameter's two ways the changes that did not turn the decision, as sizes.
    """

    params: Params
    rerun: Callable[[Params], R | None]
    f1: Callable[[R], float | None]
    is_over: Callable[[], bool]
    measure: str = "F1"
    outcome: str = "kept"
    best: Counterfactual | None = field(default=None, init=False)
    runs: int = field(default=0, init=False)
    still: "dict[_ParameterRange, dict[float, Value]]" = field(default_factory=dict, init=False)

    def smallest(self, first: Sequence[str] = ()) -> CounterfactualResult:
        """Return the smallest change that turns the decision: of numbers, else of switches.

        Parameters named in ``first`` are tried before the others.
        """
        specs = self.params.specs()
        names = list(dict.fromkeys([*(name for name in first if name in specs), *specs]))
        ways = list(self._ways(names))
        for way in ways:
            self._go(way, map(way.at, _COARSE))
        for way in ways:
            self._go(way, way.fine(self.best.size if self.best else np.inf))
        if self.best is None:
            self._switch(names)
        is_over = self.is_over()
        is_complete = not is_over and all(self._is_bounded(name) for name in names)
        is_complete = is_complete and not any(map(self._special, names))
        is_complete = is_complete and all(way.is_tried_in_full for way in ways)
        return CounterfactualResult(self.best, self.runs, is_complete, is_over)

    def _is_number(self, name: str) -> bool:
        now = getattr(self.params, name)
        return not isinstance(now, bool) and isinstance(now, int | float)

    def _special(self, name: str) -> str:
        """Return what a parameter's value now means, where it is no measure."""
        spec = self.params.specs()[name]
        return spec.special if spec.is_special(getattr(self.params, name)) else ""

    def _is_bounded(self, name: str) -> bool:
        spec = self.params.specs()[name]
        if self._is_number(name):
            return spec.low is not None and spec.high is not None
        return isinstance(getattr(self.params, name), bool) or bool(spec.choices)

    def _ways(self, names: Sequence[str]) -> "Iterator[_ParameterRange]":
        specs = self.params.specs()
        for name in filter(self._is_number, names):
            now, spec = getattr(self.params, name), specs[name]
            if self._special(name):
                continue
            for bound in (spec.low, spec.high):
                if bound is not None and bound != now:
                    yield _ParameterRange(name, now, float(bound), _span(spec, now, bound))

    def _go(self, way: "_ParameterRange", values: Iterator[int | float]) -> None:
        """Try values from the smallest change on, until one turns or a smaller one is known."""
        still = self.still.setdefault(way, {0.0: way.before})
        for value in values:
            size = way.size(value)
            if self.is_over() or (self.best is not None and size >= self.best.size):
                return
            if size in still or self.params.specs()[way.name].is_special(value):
                continue
            result = self._turned(way.name, value)
            if result is not None:
                nearest = max(each for each in still if each < size)
                after, result = self._at_border(way, still[nearest], value, result)
                if self.best is None or way.size(after) < self.best.size:
                    self._keep(way.name, after, way.size(after), result)
                return
            still[size] = value

    def _at_border(
        self, way: "_ParameterRange", low: Value, high: Value, result: R
    ) -> tuple[Value, R]:
        """Return the nearest value that turns between one that does not and one that does."""
        while abs(float(high) - float(low)) > _NEAR * abs(way.bound - way.before):
            middle: Value = (float(low) + float(high)) / 2
            if way.is_whole:
                middle = int(middle)
            if middle in (low, high) or self.is_over():
                break
            closer = self._turned(way.name, middle)
            if closer is None:
                low = middle
            else:
                high, result = middle, closer
        return self._rounded(way, high, result)

    def _rounded(self, way: "_ParameterRange", value: Value, result: R) -> tuple[Value, R]:
        """Return a value of fewer digits that turns the decision too, else the value itself."""
        if not isinstance(value, float):
            return value, result
        away = 1 if value > way.before else -1
        for digits in range(6):
            step = 10.0**-digits
            short = round(float(np.ceil(value / step * away) * away * step), digits)
            if way.size(short) - way.size(value) > _ROUNDING:
                continue
            turned = self._turned(way.name, short)
            if turned is not None:
                return short, turned
        return value, result

    def _switch(self, names: Sequence[str]) -> None:
        for name in names:
            now = getattr(self.params, name)
            spec = self.params.specs()[name]
            choices: Sequence[Value] = (not now,) if isinstance(now, bool) else spec.choices
            if self._special(name) and spec.high is not None:
                way = _ParameterRange(name, now, float(spec.high), 1.0)
                choices = list(dict.fromkeys(map(way.at, sorted({*_COARSE, *_FINE}))))
            elif spec.special and spec.low is not None:
                choices = [type(now)(spec.low)]
            for value in choices:
                if self.is_over():
                    return
                if value != now and (result := self._turned(name, value)) is not None:
                    self._keep(name, value, 1.0, result)
                    return

    def _keep(self, name: str, after: Value, size: float, result: R) -> None:
        self.best = Counterfactual(
            name, getattr(self.params, name), after, size, self.f1(result), self.measure,
            self.outcome, self._special(name),
        )  # fmt: skip

    def _turned(self, name: str, value: Value) -> R | None:
        """Run with one parameter changed; the result if it turns the decision, else None."""
        self.runs += 1
        try:
            return self.rerun(replace(self.params, **{name: value}))
        except PageletError:
            return None


@dataclass(frozen=True)
class _ParameterRange:
    """Values of a number from its current value to one of its bounds."""

    name: str
    before: int | float
    bound: float
    span: float

    @property
    def is_whole(self) -> bool:
        return isinstance(self.before, int) and self.bound.is_integer()

    def at(self, share: float) -> int | float:
        """Return the value at a share of the way, 0 to 1; of whole numbers another one at least."""
        if not self.is_whole:
            return self.before + share * (self.bound - self.before)
        away = 1 if self.bound > self.before else -1
        return int(self.before) + away * max(1, round(share * abs(self.bound - self.before)))

    def size(self, value: Value) -> float:
        """Return how large a change this value is, as a share of the parameter's range."""
        return abs(float(value) - float(self.before)) / self.span

    def fine(self, size: float) -> Iterator[int | float]:
        """Yield the values of the second round up to a size, from the smallest change on."""
        reach = abs(self.bound - self.before)
        if self.is_whole:
            away = 1 if self.bound > self.before else -1
            for step in range(1, min(int(reach), _MOST_WHOLE) + 1):
                yield int(self.before) + away * step
        share = min(size * self.span / reach, 1.0)
        yield from (self.at(share * step) for step in _FINE)

    @property
    def is_tried_in_full(self) -> bool:
        return self.is_whole and abs(self.bound - self.before) <= _MOST_WHOLE


def _span(spec: Spec, before: Value, end: Value) -> float:
    """Return how wide a parameter's range is, to measure changes by."""
    low, high = spec.low, spec.high
    if low is not None and high is not None and high > low:
        return float(high) - float(low)
    return max(abs(float(end) - float(before)), 1e-9)
