"""Trace: why a method kept one place and dropped another, decision by decision.

A trace is worked out on demand, by functions beside the method's own, and never by the plain run.
Each step is one rule asked of many places; of the steps that speak of a place the last one decides.
The words kept in a trace are exactly those that the method extracts (a test checks every method).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from engine.runs import mark_covered
from engine.tree import Bools, Doubles, Ints, Locked, lock

HOLDS = {">": np.greater, ">=": np.greater_equal, "<": np.less, "<=": np.less_equal}
"""How a value must stand to its threshold for a place to be kept."""

_NEEDED = {
    ">": "more than {} needed", ">=": "at least {} needed",
    "<": "must be less than {}", "<=": "at most {} allowed",
}  # fmt: skip
_IN_WORDS = {">": "more than {}", ">=": "{} or more", "<": "less than {}", "<=": "{} or less"}
_OPPOSITE = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_COUNTED = re.compile(r"(-?[\d.]+|∞)((?: [a-z-]+)? \w+)\((\w+)\)")
"""A number and its noun with the ending of the plural in brackets: ``7 word(s)``."""


@dataclass(frozen=True)
class Rule:
    """Criterion of a method.

    Attributes:
        asks: The quantity, in the field's terms: ``link density``.
        keeps: How its value must compare with the threshold for the place to be kept, one of
            `HOLDS`; "" where a place is not measured against a number.
        parameters: Names of the parameters that bear on it, the most direct first.
        is_share: Whether values are shares, to be shown without the zero before the point.
        verbs: Verbs for a place where it holds, and for one where it does not.
        measured: How a value reads in a sentence, with ``{}`` for it and the ending of a plural in
            brackets: ``{} word(s)``; "" for ``asks`` and the value.
        says: Texts to show instead where it holds, and where it does not, with ``{value}`` and
            ``{limit}``; not used where something else decided.
        is_in_note: Whether a step's note is complete, so that ``asks`` is left out.
    """

    asks: str
    keeps: str = ""
    parameters: tuple[str, ...] = ()
    is_share: bool = False
    verbs: tuple[str, str] = ("kept", "dropped")
    measured: str = ""
    says: tuple[str, str] = ("", "")
    is_in_note: bool = False

    def reason(self, value: float, threshold: float, *, kept: bool) -> str:
        """Return the reason: the value, and its condition."""
        phrase = self.says[0 if kept else 1]
        if np.isnan(value):
            return phrase or self.asks
        measured = self.measured or f"{self.asks} {{}}"
        if np.isnan(threshold) or not self.keeps:
            return _counted(measured.format(self.numbers(value, value)[0]))
        shown, limit = self.numbers(value, threshold)
        holds = bool(HOLDS[self.keeps](value, threshold))
        if phrase and holds == kept:
            return _counted(phrase.format(value=shown, limit=limit))
        if np.isinf(threshold):
            return _counted(measured.format(shown))
        if holds == kept:
            compared = _NEEDED[self.keeps]
        else:  # something else decided; see the note
            compared = _IN_WORDS[self.keeps if holds else _OPPOSITE[self.keeps]]
        return _counted(f"{measured.format(shown)} ({compared.format(limit)})")

    def numbers(self, value: float, threshold: float) -> tuple[str, str]:
        """Return a value and its threshold as shown, with enough digits to differ."""
        for digits in range(2, 8):
            shown = self._number(value, digits), self._number(threshold, digits)
            if shown[0] != shown[1] or value == threshold:
                break
        return shown

    def _number(self, value: float, digits: int) -> str:
        if np.isinf(value):
            return "∞"
        if self.is_share:
            text = f"{value:.{digits}f}"
            return text.replace("0.", ".", 1) if abs(value) < 1 else text
        return f"{value:.0f}" if value == round(value) else f"{value:.{digits + 1}g}"


@dataclass(frozen=True, eq=False)
class Step(Locked):
    """A rule asked of d places.

    Attributes:
        rule: The criterion.
        places: int32 (d, 2). First and one past the last word of the source, for methods that
            extract; for methods that segment a row and the one after it.  Places of a step do not
            overlap.
        kept: bool (d,). The decisions.
        values: float64 (d,). The measured values; NaN where there is none.
        thresholds: float64 (d,). What it was compared with; NaN where with nothing.
        notes: Further remarks on each place, d of them or none.
    """

    rule: Rule
    places: Ints
    kept: Bools
    values: Doubles
    thresholds: Doubles
    notes: Sequence[str] = ()

    def __len__(self) -> int:
        return int(self.kept.size)

    @property
    def ending(self) -> str:
        """The end of each sentence, where it is known before they are made."""
        return getattr(self.notes, "ending", "")

    def may_rest_on(self, index: int, reason: str) -> bool:
        """Whether the sentence of a place may name a reason; False where that is known not to be.

        It takes less time than the sentence.
        """
        rests: Callable[[int, str], bool] | None = getattr(self.notes, "rests", None)
        return rests is None or rests(index, reason)

    def sentence(self, index: int) -> str:
        """Return one decision in words, with its numbers."""
        is_kept = bool(self.kept[index])
        verb, note = self.rule.verbs[0 if is_kept else 1], self.notes[index] if self.notes else ""
        if note and self.rule.is_in_note:
            return f"{verb}: {note}"
        value, threshold = float(self.values[index]), float(self.thresholds[index])
        reason = self.rule.reason(value, threshold, kept=is_kept)
        return f"{verb}: {reason}; {note}" if note else f"{verb}: {reason}"


def _counted(text: str) -> str:
    """Return a text with each noun in the singular or plural, by the number before it."""
    return _COUNTED.sub(lambda m: f"{m[1]}{m[2]}{'' if m[1] == '1' else m[3]}", text)


def row_spans(rows: npt.ArrayLike) -> Ints:
    """Return the places of rows, (d,): each and the one after it, int32 (d, 2)."""
    at = np.asarray(rows, dtype=np.int32).reshape(-1)
    return np.stack([at, at + 1], axis=1)


def step(
    rule: Rule,
    places: npt.ArrayLike,
    kept: npt.ArrayLike,
    values: npt.ArrayLike = np.nan,
    thresholds: npt.ArrayLike = np.nan,
    notes: Sequence[str] = (),
) -> Step:
    """Return a step; a single value or threshold applies to all of its places."""
    at = np.asarray(places, dtype=np.int32).reshape(-1, 2).copy()
    count = len(at)
    return Step(
        rule,
        at,
        np.broadcast_to(np.asarray(kept, dtype=bool), count).copy(),
        np.broadcast_to(np.asarray(values, dtype=np.float64), count).copy(),
        np.broadcast_to(np.asarray(thresholds, dtype=np.float64), count).copy(),
        notes,
    )


@dataclass(frozen=True)
class Decision:
    """Decision of one step on one place.

    Attributes:
        rule: The criterion.
        place: First and one past the last word, or row.
        kept: The decision.
        value, threshold: NaN where there is none.
        sentence: All of it in words.
    """

    rule: Rule
    place: tuple[int, int]
    kept: bool
    value: float
    threshold: float
    sentence: str


@dataclass(frozen=True, eq=False)
class Trace:
    """All decisions of one run.

    Attributes:
        steps: In the order the method takes them.
        size: How many words, or rows, there are.
    """

    steps: tuple[Step, ...]
    size: int

    @cached_property
    def kept(self) -> Bools:
        """Words, or rows, that are kept in the end, bool (size,)."""
        result = np.zeros(self.size, dtype=bool)
        for each in self.steps:
            for is_kept in (True, False):
                starts, ends = each.places[each.kept == is_kept].T
                result[mark_covered(starts, ends, self.size)] = is_kept
        lock(result)
        return result

    def decisions(self, at: int) -> tuple[Decision, ...]:
        """Return the decisions on the word, or row, in order: the last one holds."""
        result = []
        for each in self.steps:
            on = np.flatnonzero((each.places[:, 0] <= at) & (at < each.places[:, 1]))
            result += [_decision(each, position) for position in on.tolist()]
        return tuple(result)

    def holding(self, at: int) -> tuple[Step, int] | None:
        """Return the last step with a decision on the word, or row, and which of its places it is.

        None where there is none.
        """
        for each in reversed(self.steps):
            on = np.flatnonzero((each.places[:, 0] <= at) & (at < each.places[:, 1]))
            if on.size:
                return each, int(on[-1])
        return None

    def decision(self, at: int) -> Decision | None:
        """Return the last of `decisions`, which holds; None where there is none."""
        found = self.holding(at)
        return None if found is None else _decision(*found)

    def on_path(self, rows: Sequence[int]) -> tuple[tuple[int, Decision], ...]:
        """Return the decisions on rows, from the root down: step by step, with the row."""
        way = np.asarray(rows, dtype=np.int32)
        result = []
        for each in self.steps:
            first, end = each.places[:, 0, None], each.places[:, 1, None]
            on, at = np.nonzero((first <= way) & (way < end))
            order = np.argsort(at, kind="stable")
            result += [(int(way[at[k]]), _decision(each, int(on[k]))) for k in order.tolist()]
        return tuple(result)


def _decision(each: Step, index: int) -> Decision:
    (first, last), is_kept = each.places[index].tolist(), bool(each.kept[index])
    value, limit = float(each.values[index]), float(each.thresholds[index])
    return Decision(each.rule, (first, last), is_kept, value, limit, each.sentence(index))
