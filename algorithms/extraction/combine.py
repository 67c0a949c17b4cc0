"""Combine: several extractors, one after the other or by vote.

Source: T. Gottron, "Combining Content Extraction Heuristics: The CombinE System", iiWAS 2008, as
named by T. Weninger, W. Hsu, J. Han, WWW 2010, section 2, and Gottron's summary, section 5.

Serial: each member reads what the one before left, tags and all, the other words blanked.  By vote:
each member reads the page; a word stays if more than half of the members keep it, or, weighted, if
those that keep it have at least the given share of all weights.  Members run with their defaults.

Cost: that of the members; serial tokenises once per member.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction
from algorithms.spans import keep_words, runs_of
from engine.errors import ParameterError
from engine.source import Source
from engine.tree import Bools

MODES = ("majority", "weighted", "serial")


@dataclass(frozen=True)
class CombineParams(Params):
    """Parameters of an ensemble."""

    members: str = param(
        "bte dsc accb bp-numwords cetr", "methods by key, each with a weight if wanted: bte*2"
    )
    mode: str = param("majority", "how members work together", choices=MODES)
    threshold: float = param(
        0.5, "share of the weights a word needs, if weighted", low=0.0, high=1.0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not parse_members(self.members):
            raise ParameterError("members is empty, want at least one method's key")


def parse_members(members: str) -> list[tuple[str, float]]:
    """Return keys and weights; `ParameterError` if a weight is no number above 0."""
    found = []
    for part in members.replace(",", " ").split():
        key, star, text = part.partition("*")
        try:
            weight = float(text) if star else 1.0
        except ValueError:
            raise ParameterError(
                f"members: the weight of {key} is {text!r}, want a number"
            ) from None
        if not 0.0 < weight < float("inf"):
            raise ParameterError(f"members: the weight of {key} is {text}, want more than 0")
        found.append((key, weight))
    return found


def method_of(known: Mapping[str, Method]) -> Method:
    """Return the catalogue's entry, with ``known`` to choose members from."""

    def extract(source: Source, params: CombineParams) -> Extraction:
        members = []
        for key, weight in parse_members(params.members):
            if key not in known:
                raise ParameterError(f"members: no method {key!r}; there is: {', '.join(known)}")
            members.append((known[key], weight))
        if params.mode == "serial":
            return keep_words(source, serial(source, [member for member, _ in members]))
        share = votes(source, members)
        enough = share > 0.5 if params.mode == "majority" else share >= params.threshold
        return keep_words(source, enough & (share > 0))

    return Method(
        key="combine",
        name="Combine",
        params=CombineParams,
        output="extraction",
        cite="Gottron 2008 (CombinE)",
        on_source=extract,
        summary="Several methods together: one after the other, or by vote.",
    )


def votes(source: Source, members: list[tuple[Method, float]]) -> npt.NDArray[np.float64]:
    """Return for each word the share of weights that keep it, float64 (w,)."""
    total = np.zeros(source.tokens.words.size)
    for member, weight in members:
        total += weight * kept(source, source, member)
    # The last digits of sums of weights must not decide.
    return np.round(total / sum(weight for _, weight in members), 9)


def serial(source: Source, members: list[Method]) -> Bools:
    """Return which words are left when each member reads what the one before left, bool (w,)."""
    left = np.ones(source.tokens.words.size, dtype=bool)
    for number, member in enumerate(members):
        reading = source if number == 0 else Source.from_text(blanked(source, left))
        left &= kept(source, reading, member)
    return left


def kept(source: Source, reading: Source, member: Method) -> Bools:
    """Return which words of ``source`` a member keeps of ``reading``, its like with blanks."""
    if member.on_source is None:
        raise ParameterError(f"members: {member.key} does not read a source")
    result = member.on_source(reading, member.params())
    if not isinstance(result, Extraction):
        raise ParameterError(f"members: {member.key} is no extractor")
    runs = source.words_in(result.spans)
    cover = np.zeros(source.tokens.words.size + 1, dtype=np.int64)
    np.add.at(cover, runs[:, 0], 1)
    np.add.at(cover, runs[:, 1], -1)
    return np.asarray(np.cumsum(cover)[:-1] > 0, dtype=bool)


def blanked(source: Source, left: Bools) -> str:
    """Return the document with blanks for the words not left; all else stands where it stood."""
    spans = source.tokens.spans
    tokens = source.tokens.words
    html = source.html
    pieces = []
    at = 0
    # Words that follow each other without a tag go together.
    joined = np.diff(tokens, append=0) == 1
    for first, last in zip(*runs_of(~left), strict=True):
        number = int(first)
        while number < last:
            end = number
            while end < last - 1 and joined[end]:
                end += 1
            start, stop = int(spans[number, 0]), int(spans[end, 1])
            pieces += [html[at:start], " " * (stop - start)]
            at = stop
            number = end + 1
    pieces.append(html[at:])
    return "".join(pieces)
