"""Combine: several extractors, one after the other or by vote.

Source: T. Gottron, "Combining Content Extraction Heuristics: The CombinE System", iiWAS 2008, as
named by T. Weninger, W. Hsu, J. Han, WWW 2010, section 2, and Gottron's summary, section 5.

Serial: each member reads what the one before left, tags and all, the other words blanked.  By vote:
each member reads the page; a word stays if more than half of the members keep it, or, weighted, if
those that keep it have at least the given share of all weights.

Members are written one after the other, each with a weight and parameters if needed:
``bte*2 accb(range=25, threshold=0.6) lqf-nested(tags="table ul")``.

Cost: that of the members; serial tokenises once per member.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.stretches import runs, stretches
from algorithms.trace import Rule, Step, Trace, step
from engine.errors import ParameterError
from engine.runs import mark_covered
from engine.source import Source
from engine.tree import Bools
from engine.words import no_such

MODES = ("majority", "weighted", "serial")

_QUOTED = r"""\"[^\"]*\"|'[^']*'"""
_WEIGHT = r"\*(?P<{}>[^\s,()]*)"
_BETWEEN = re.compile(r"[\s,]*")
_MEMBER = re.compile(
    rf"""(?P<key>[^\s,*()=]+)(?:{_WEIGHT.format("before")})?"""
    rf"""(?:\((?P<inside>(?:{_QUOTED}|[^\"'()])*)\))?(?:{_WEIGHT.format("after")})?"""
)
_SETTING = re.compile(rf"""(?:{_QUOTED}|[^,\"'])+""")


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


@dataclass(frozen=True)
class EnsembleMember:
    """Member of an ensemble in its written form.

    Attributes:
        key: The method.
        weight: Its weight in a weighted vote.
        settings: Texts of its parameters by name; the others have their defaults.
    """

    key: str
    weight: float = 1.0
    settings: tuple[tuple[str, str], ...] = ()


@lru_cache(maxsize=16)
def parse_members(members: str) -> tuple[EnsembleMember, ...]:
    """Read members, between blanks or commas; raises `ParameterError` for an invalid one."""
    result = []
    at = 0
    while (at := _BETWEEN.match(members, at).end()) < len(members):  # type: ignore[union-attr]
        match = _MEMBER.match(members, at)
        if match is None:
            raise ParameterError(f"members: {members[at:]!r} does not start with a method's key")
        key, inside, before, after = match["key"], match["inside"], match["before"], match["after"]
        at = match.end()
        rest = members[at : at + 1]
        if rest == "(":
            raise ParameterError(f"members: the parameters of {key} have no closing bracket")
        if rest not in ("", " ", ",", "\t", "\n"):
            raise ParameterError(f"members: {members[at:]!r} after {key}; expected a blank")
        if before is not None and after is not None:
            raise ParameterError(f"members: {key} has two weights; expected one")
        weight = after if before is None else before
        result.append(EnsembleMember(key, _weight(key, weight), _settings(key, inside or "")))
    return tuple(result)


def _weight(key: str, text: str | None) -> float:
    try:
        weight = 1.0 if text is None else float(text)
    except ValueError:
        raise ParameterError(
            f"members: the weight of {key} must be a number, got {text!r}"
        ) from None
    if not 0.0 < weight < float("inf"):
        raise ParameterError(f"members: the weight of {key} must be more than 0, got {text}")
    return weight


def _settings(key: str, inside: str) -> tuple[tuple[str, str], ...]:
    """Read ``name=value, name="other value"``."""
    result: dict[str, str] = {}
    for part in _SETTING.findall(inside):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not name and not equals:
            continue
        if not name or not equals:
            raise ParameterError(f"members: {part.strip()!r} in {key}; expected name=value")
        if name in result:
            raise ParameterError(f"members: {key} has {name} twice")
        is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
        result[name] = value[1:-1] if is_quoted else value
    return tuple(result.items())


def method_of(known: Mapping[str, Method]) -> Method:
    """Return the catalogue's entry, with ``known`` to choose members from."""

    @lru_cache(maxsize=16)
    def ready(members: str) -> list[Voter]:
        return [_ready(member, known) for member in parse_members(members)]

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
        summary="Several methods together: one after the other, or by vote.",
    )


_VOTES = Rule("share of the members that keep it", ">", ("members", "mode"), is_share=True)
_WEIGHTS = Rule("share of the weights that keep it", ">=", ("threshold", "members"), is_share=True)
_LEFT = Rule("every member keeps it, each reading what the one before kept", "", ("members",))


def _trace_votes(source: Source, voters: "list[Voter]", params: CombineParams) -> Trace:
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


def _trace_serial(source: Source, voters: "list[Voter]") -> Trace:
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


@dataclass(frozen=True)
class Voter:
    """A member ready to run: a method, its parameters, its weight."""

    method: Method
    params: Params
    weight: float = 1.0


def _ready(member: EnsembleMember, known: Mapping[str, Method]) -> Voter:
    if member.key not in known:
        raise ParameterError(f"members: {no_such('method', member.key, known)}")
    method = known[member.key]
    try:
        params = method.params.parse(dict(member.settings))
    except ParameterError as error:
        raise ParameterError(f"members: {member.key}: {error}") from None
    return Voter(method, params, member.weight)


def votes(source: Source, voters: list[Voter]) -> npt.NDArray[np.float64]:
    """Return for each word the share of weights that keep it, float64 (w,)."""
    total = np.zeros(source.tokens.words.size)
    for voter in voters:
        total += voter.weight * words_of_member(source, source, voter)
    # The last digits of sums of weights must not decide.
    return np.round(total / sum(voter.weight for voter in voters), 9)


def serial(source: Source, voters: list[Voter]) -> Bools:
    """Return the words left when each member reads the output of the one before, bool (w,)."""
    left = np.ones(source.tokens.words.size, dtype=bool)
    for number, voter in enumerate(voters):
        reading = source if number == 0 else Source.from_text(blank_dropped(source, left))
        left &= words_of_member(source, reading, voter)
    return left


def words_of_member(source: Source, reading: Source, voter: Voter) -> Bools:
    """Return which words of ``source`` a member keeps of ``reading``, its like with blanks."""
    method = voter.method
    if method.on_source is None:
        raise ParameterError(f"members: {method.key} does not read a source")
    result = method.on_source(reading, voter.params)
    if not isinstance(result, Extraction):
        raise ParameterError(f"members: {method.key} is not an extractor")
    first, last = source.words_in(result.spans).T
    return mark_covered(first, last, source.tokens.words.size)


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
