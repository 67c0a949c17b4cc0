"""Combine: several extractors, one after the other or by vote.

Source: T. Gottron, "Combining Content Extraction Heuristics: The CombinE System", iiWAS 2008, as
named by T. Weninger, W. Hsu, J. Han, WWW 2010, section 2, and Gottron's summary, section 5.

Serial: each member reads what the one before left, tags and all, the other words blanked.  By vote:
each member reads the page; a word stays if more than half of the members keep it, or, weighted, if
those that keep it have at least the given share of all weights.

How members are written: `algorithms.members`.

Cost: that of the members; serial tokenises once per member.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.members import Voter, members_of, parse_members, votes, words_of_member
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.stretches import runs, stretches
from algorithms.trace import Rule, Step, Trace, step
from engine.errors import ParameterError
from engine.source import Source
from engine.tree import Bools

MODES = ("majority", "weighted", "serial")


@dataclass(frozen=True)
class CombineParams(Params):
    """Parameters of an ensemble."""

    members: str = param(
        "bte dsc accb bp-numwords cetr",
        "methods by key, each with parameters and a weight if wanted: accb(range=25)*2",
    )
    mode: str = param("majority", "how members work together", choices=MODES)
    threshold: float = param(
        0.5, "share of the weights a word needs, if weighted", low=0.0, high=1.0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not parse_members(self.members):
            raise ParameterError("members is empty: give at least one method's key")


def method_of(known: Mapping[str, Method]) -> Method:
    """Return the catalogue's entry, with ``known`` to choose members from."""

    ready = members_of(known)

    def extract(source: Source, params: CombineParams) -> Extraction:
        members = ready(params.members)
        if params.mode == "serial":
            return keep_words(source, serial(source, members))
        share = votes(source, members)
        enough = share > 0.5 if params.mode == "majority" else share >= params.threshold
        return keep_words(source, enough & (share > 0))

    def trace(source: Source, params: CombineParams) -> Trace:
        members = ready(params.members)
        if params.mode == "serial":
            return _trace_serial(source, members)
        return _trace_votes(source, members, params)

    return Method(
        key="combine",
        name="Combine",
        params=CombineParams,
        output="extraction",
        cite="Gottron 2008 (CombinE)",
        on_source=extract,
        trace_source=trace,
        members=lambda params: tuple((each.method, each.params) for each in ready(params.members)),
        summary="Several methods together: one after the other, or by vote.",
    )


_VOTES = Rule("share of the members that keep it", ">", ("members", "mode"), is_share=True)
_WEIGHTS = Rule("share of the weights that keep it", ">=", ("threshold", "members"), is_share=True)
_LEFT = Rule("every member keeps it, each reading what the one before kept", "", ("members",))


def _trace_votes(source: Source, voters: Sequence[Voter], params: CombineParams) -> Trace:
    """Return for each run of words the members that keep it."""
    keeps = [words_of_member(source, source, voter) for voter in voters]
    share = votes(source, voters)
    is_majority = params.mode == "majority"
    enough = share > 0.5 if is_majority else share >= params.threshold
    positions = stretches(source, *keeps)
    at = positions[:, 0]
    notes = []
    for word in at.tolist():
        names = [voter.method.name for voter, keep in zip(voters, keeps, strict=True) if keep[word]]
        notes.append(f"kept by {', '.join(names) or 'none'}")
    rule, limit = (_VOTES, 0.5) if is_majority else (_WEIGHTS, params.threshold)
    chosen = (enough & (share > 0))[at]
    return Trace((step(rule, positions, chosen, share[at], limit, tuple(notes)),), share.size)


def _trace_serial(source: Source, voters: Sequence[Voter]) -> Trace:
    """Return for each run of words the member that drops it."""
    left = np.ones(source.tokens.words.size, dtype=bool)
    steps: list[Step] = [step(_LEFT, runs(left), True)]
    for number, voter in enumerate(voters):
        reading = source if number == 0 else Source.from_text(blank_dropped(source, left))
        after = left & words_of_member(source, reading, voter)
        rule = Rule(f"{voter.method.name} drops it", "", ("members",))
        steps.append(step(rule, runs(left & ~after), False))
        left = after
    return Trace(tuple(steps), left.size)


def serial(source: Source, voters: Sequence[Voter]) -> Bools:
    """Return the words left when each member reads the output of the one before, bool (w,)."""
    left = np.ones(source.tokens.words.size, dtype=bool)
    for number, voter in enumerate(voters):
        reading = source if number == 0 else Source.from_text(blank_dropped(source, left))
        left &= words_of_member(source, reading, voter)
    return left


def blank_dropped(source: Source, left: Bools) -> str:
    """Return the document with blanks for the words not left; all else keeps its place."""
    spans, html, pieces, at = source.tokens.spans, source.html, [], 0
    # Words that follow each other without a tag go together.
    positions = stretches(source, left)
    for first, last in positions[~left[positions[:, 0]]].tolist():
        start, stop = int(spans[first, 0]), int(spans[last - 1, 1])
        pieces += [html[at:start], " " * (stop - start)]
        at = stop
    return "".join((*pieces, html[at:]))
