"""Members: extractors that another method runs, written with weights and parameters.

They are written one after the other, each with a weight and parameters if needed:
``bte*2 accb(range=25, threshold=0.6) lqf-nested(tags="table ul")``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction
from engine.errors import ParameterError
from engine.runs import mark_covered
from engine.source import Source
from engine.tree import Bools, Doubles
from engine.words import no_such

_QUOTED = r"""\"[^\"]*\"|'[^']*'"""
_WEIGHT = r"\*(?P<{}>[^\s,()]*)"
_BETWEEN = re.compile(r"[\s,]*")
_MEMBER = re.compile(
    rf"""(?P<key>[^\s,*()=]+)(?:{_WEIGHT.format("before")})?"""
    rf"""(?:\((?P<inside>(?:{_QUOTED}|[^\"'()])*)\))?(?:{_WEIGHT.format("after")})?"""
)
_SETTING = re.compile(rf"""(?:{_QUOTED}|[^,\"'])+""")


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


@dataclass(frozen=True)
class Voter:
    """A member ready to run: a method, its parameters, its weight."""

    method: Method
    params: Params
    weight: float = 1.0


def members_of(known: Mapping[str, Method]) -> Callable[[str], tuple[Voter, ...]]:
    """Return the reader of members, who are among the ``known`` methods by their keys."""

    @lru_cache(maxsize=16)
    def ready(members: str) -> tuple[Voter, ...]:
        return tuple(_ready(member, known) for member in parse_members(members))

    return ready


def _ready(member: EnsembleMember, known: Mapping[str, Method]) -> Voter:
    if member.key not in known:
        raise ParameterError(f"members: {no_such('method', member.key, known)}")
    method = known[member.key]
    try:
        params = method.params.parse(dict(member.settings))
    except ParameterError as error:
        raise ParameterError(f"members: {member.key}: {error}") from None
    return Voter(method, params, member.weight)


def votes(source: Source, voters: Sequence[Voter]) -> Doubles:
    """Return for each word the share of weights that keep it, float64 (w,)."""
    total = np.zeros(source.tokens.words.size)
    for voter in voters:
        total += voter.weight * words_of_member(source, source, voter)
    # The last digits of sums of weights must not decide.
    return np.round(total / sum(voter.weight for voter in voters), 9)


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
