"""Union: the text of several extractors in the order of the page, each passage once.

Pagelet's own.  A word stays where the weights of its members, those that keep it, sum to ``least``
or more.  Texts are not aligned: all members read one source, so that a passage of several members
has one position.  A passage repeated by the page itself is kept once, at its first position.

Cost: that of the members.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algorithms.members import Voter, members_of, parse_members, words_of_member
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.stretches import stretches
from algorithms.trace import Rule, Trace, step
from engine.errors import ParameterError
from engine.source import Source
from engine.tree import Bools, Doubles, Ints

_PASSAGE = 8
"""Words from which a repeated text is a passage; shorter ones, such as *Yes*, may well repeat."""


@dataclass(frozen=True)
class UnionParams(Params):
    """Parameters of a union."""

    members: str = param(
        "gleaner bp-density+main cetr accb",
        "methods by key, each with parameters and a weight if wanted: accb(range=25)*2",
    )
    least: float = param(1.0, "sum of the weights of members that must agree", low=0, high=100)
    once: bool = param(True, "keep a passage that the page repeats once")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not parse_members(self.members):
            raise ParameterError("members is empty: give at least one method's key")


def method_of(known: Mapping[str, Method]) -> Method:
    """Return the catalogue's entry, with ``known`` to choose members from."""
    ready = members_of(known)

    def decide(source: Source, params: UnionParams) -> "_Decision":
        return _Decision(source, ready(params.members), params)

    return Method(
        key="union",
        name="Union",
        params=UnionParams,
        output="extraction",
        cite="Pagelet",
        on_source=lambda source, params: _extraction(source, decide(source, params)),
        trace_source=lambda source, params: decide(source, params).trace(source),
        members=lambda params: tuple((each.method, each.params) for each in ready(params.members)),
        summary="The text of several methods together, each passage once.",
    )


def _extraction(source: Source, decision: "_Decision") -> Extraction:
    return keep_words(source, decision.is_kept & ~decision.is_again)


class _Decision:
    """Sums of weights on one source.

    Attributes:
        keeps: The words kept by each member, bool (w,) each.
        total: Their sums of weights, float64 (w,).
        is_kept: The words with at least the needed sum, bool (w,).
        is_again: The words of repeated passages, bool (w,).
    """

    def __init__(self, source: Source, voters: tuple[Voter, ...], params: UnionParams) -> None:
        self.voters, self.params = voters, params
        self.keeps = [words_of_member(source, source, voter) for voter in voters]
        total: Doubles = np.zeros(source.tokens.words.size)
        for voter, keep in zip(voters, self.keeps, strict=True):
            total += voter.weight * keep
        self.total: Doubles = np.round(total, 9)  # the last digits of sums must not decide
        self.is_kept: Bools = (self.total >= params.least) & (self.total > 0)
        self.is_again = _repeated(source, self.is_kept) if params.once else self.is_kept & False

    def trace(self, source: Source) -> Trace:
        """Return the members of each run of words, and the repeated passages."""
        places = stretches(source, *self.keeps)
        at = places[:, 0]
        notes = []
        for word in at.tolist():
            names = [
                voter.method.name
                for voter, keep in zip(self.voters, self.keeps, strict=True)
                if keep[word]
            ]
            notes.append(f"kept by {', '.join(names) or 'none'}")
        steps = (
            step(_SUM, places, self.is_kept[at], self.total[at], self.params.least, tuple(notes)),
            step(_AGAIN, _runs(source, self.is_kept)[_again(source, self.is_kept)], False)
            if self.params.once
            else step(_AGAIN, np.zeros((0, 2), dtype=np.int32), False),
        )
        return Trace(steps, self.is_kept.size)


_SUM = Rule("sum of the weights that keep it", ">=", ("least", "members"))
_AGAIN = Rule("the same passage is kept before", "", ("once",))


def _runs(source: Source, is_kept: Bools) -> Ints:
    """Return the runs of kept words without a tag between them, int32 (k, 2)."""
    places = stretches(source, is_kept)
    return places[is_kept[places[:, 0]]] if len(places) else places


def _again(source: Source, is_kept: Bools) -> Bools:
    """Return which of the kept runs repeat an earlier one, bool (k,)."""
    words, seen = source.words, set[tuple[str, ...]]()
    result = []
    for first, last in _runs(source, is_kept).tolist():
        passage = tuple(words[first:last])
        result.append(last - first >= _PASSAGE and passage in seen)
        seen.add(passage)
    return np.array(result, dtype=bool)


def _repeated(source: Source, is_kept: Bools) -> Bools:
    """Return the words of kept passages that are kept before, bool (w,)."""
    result = np.zeros(is_kept.size, dtype=bool)
    for first, last in _runs(source, is_kept)[_again(source, is_kept)].tolist():
        result[first:last] = True
    return result
