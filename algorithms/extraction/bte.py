"""BTE, Body Text Extraction: the one run of tokens with most words inside and most tags outside.

Source: A. Finn, N. Kushmerick, B. Smyth, "Fact or Fiction: Content Classification for Digital
Libraries", DELOS-NSF Workshop 2001; T. Gottron, dissertation 2008, section 3.2.2, Algorithm 3.1.

Departures.  The listing is cubic; up to a constant, words inside plus tags outside is the sum of +1
a word and -1 a tag inside, so a maximum-sum run finds the same words in O(n).  The listing counts a
tag at either end of the run as inside and outside; here a run starts and ends with a word.  Of
equal runs the listing's is taken: the one that starts first, and of those the one that ends first.
A tag may be given another cost than 1.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, nothing
from algorithms.signals.stretches import stretches
from algorithms.trace import Rule, Trace, step
from engine.source import Source


@dataclass(frozen=True)
class BteParams(Params):
    tag_cost: float = param(1.0, "words one tag inside the run must pay for", low=0.0, high=20.0)


def extract(source: Source, params: BteParams) -> Extraction:
    """Return the words of the best run.  O(m) for m tokens."""
    tokens = source.tokens
    start, end = best_run(np.where(tokens.is_tag, -params.tag_cost, 1.0))
    if start == end:
        return nothing(source)
    span = np.array([[tokens.start[start], tokens.end[end - 1]]], dtype=np.int32)
    return Extraction(source, span)


def best_run(gain: npt.NDArray[np.float64]) -> tuple[int, int]:
    """Return ``(start, end)`` of the slice of ``gain``, float64 (m,), with the largest sum.

    Of equal ones the first to start, then the first to end; empty if no gain is positive.
    """
    total = np.concatenate(([0.0], np.cumsum(gain)))  # total[j] - total[i] is the sum of i..j
    lowest = np.minimum.accumulate(total)
    end = int(np.argmax(total - lowest))
    start = int(np.argmax(total[: end + 1] == lowest[end]))
    return start, end


_INSIDE = Rule(
    "words minus tags lost if the run is cut here", ">=", ("tag_cost",),
    measured="cutting the run here would lose {} in words minus tags",
)  # fmt: skip
_OUTSIDE = Rule(
    "words minus tags gained at best if the run is extended to here", ">", ("tag_cost",),
    measured="extending the run to here would gain at best {} in words minus tags",
)  # fmt: skip


def trace(source: Source, params: BteParams) -> Trace:
    """Return for each run of words the gain from including or excluding it."""
    tokens = source.tokens
    gain = np.where(tokens.is_tag, -params.tag_cost, 1.0)
    total = np.concatenate(([0.0], np.cumsum(gain)))
    start, end = best_run(gain)
    positions = stretches(source)
    first, last = tokens.words[positions[:, 0]], tokens.words[positions[:, 1] - 1] + 1
    # The largest sums that an extension can add, to the right and to the left.
    onward = np.maximum.accumulate(total[::-1])[::-1][last] - total[end]
    earlier = total[start] - np.minimum.accumulate(total)[first]
    inside = (first >= start) & (last <= end)
    worth = np.minimum(total[last] - total[start], total[end] - total[first])
    outside = np.where(first >= end, onward, earlier)
    return Trace(
        (
            step(_OUTSIDE, positions[~inside], False, outside[~inside], 0.0),
            step(_INSIDE, positions[inside], True, worth[inside], 0.0),
        ),
        tokens.words.size,
    )


METHOD = Method(
    key="bte",
    name="BTE",
    params=BteParams,
    output="extraction",
    cite="Finn, Kushmerick, Smyth 2001",
    on_source=extract,
    trace_source=trace,
    summary="The one range of text with most words and fewest tags.",
)
