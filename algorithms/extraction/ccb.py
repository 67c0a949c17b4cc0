"""CCB, ACCB, TCCB, content code blurring: where the blurred source has much text and little code.

Source: T. Gottron, "Content Code Blurring: A New Approach to Content Extraction", DEXA Workshops
2008; dissertation 2008, section 6.4, Algorithm 6.3.

A document is a sequence of atoms that are content (1) or code (0), the content code vector (section
6.4.1): characters for CCB and ACCB, words and tags for TCCB (6.4.3); ACCB and TCCB ignore the tags
of links.  Comments, white space, ``script`` and ``style`` are no atoms; references count as the
characters they mean.

Departures.  "A low rate of changes" as stop criterion is no number: 10 passes are the default, 5
for TCCB, the criterion is a parameter.  Passes are made in the frequency domain, n in one, at every
few atoms where that decides (`peaks`); at either end of the document the mean covers fewer atoms.
The extension to the whole text block is on; where tags of links are ignored, they end no block.

Cost: two Fourier transforms of the source's characters by eights, or of its tokens, O(n log n).
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.memo import shared
from algorithms.signals.peaks import exceeds
from algorithms.signals.smoothing import blur
from algorithms.trace import Rule, Trace, step
from engine.source import Source
from engine.tokenise import spaces
from engine.tree import Bools, Doubles, Longs


@dataclass(frozen=True)
class CcbParams(Params):
    range: int = param(40, "how many characters on either side weigh in", low=1, high=500)
    threshold: float = param(0.75, "share of content a position must have", low=0.0, high=1.0)
    passes: int = param(10, "how often to blur (at most, with a tolerance)", low=1, high=100)
    tolerance: float = param(
        0.0, "stop once a pass changes less than this share of the extract; 0: never",
        low=0.0, high=1.0,
    )  # fmt: skip
    whole: bool = param(True, "keep whole text blocks, not single words")


@dataclass(frozen=True)
class TccbParams(CcbParams):
    """Parameters of TCCB, whose atoms are larger."""

    range: int = param(25, "how many tokens on either side weigh in", low=1, high=500)
    passes: int = param(5, "how often to blur (at most, with a tolerance)", low=1, high=100)


def _extract(
    source: Source, params: CcbParams, *, by_character: bool, skip_anchors: bool
) -> Extraction:
    """Return the text blocks with enough atoms of content around them."""
    return keep_words(source, content_words(source, params, by_character, skip_anchors))


extract_ccb = partial(_extract, by_character=True, skip_anchors=False)
extract_accb = partial(_extract, by_character=True, skip_anchors=True)
extract_tccb = partial(_extract, by_character=False, skip_anchors=True)


@dataclass(frozen=True, eq=False)
class ContentCode:
    """The vector of one document.

    Attributes:
        values: bool (c,). Whether an atom is content, not code.
        first: int64 (w + 1,). The first atom of each word; the end of the vector.
        length: int64 (w,). Atoms of each word.
        block: int64 (w,). Number of the text block, the content between two pieces of code, that
            each word is in; ascending.
    """

    values: Bools
    first: npt.NDArray[np.int64]
    length: npt.NDArray[np.int64]
    block: npt.NDArray[np.int64]


def content_code(source: Source, by_character: bool, skip_anchors: bool) -> ContentCode:
    """Read the vector; with ``skip_anchors`` tags of links are no code.  O(n)."""
    tokens = source.tokens
    ignored = ("script", "style", "a") if skip_anchors else ("script", "style")
    keep = ~tokens.is_named(*ignored)
    is_word = tokens.is_word[keep]
    size = _characters(source)[keep] if by_character else np.ones(is_word.size, dtype=np.int64)
    first = np.concatenate(([0], np.cumsum(size)))
    values = np.repeat(is_word, size)
    word = np.flatnonzero(is_word)
    block = np.cumsum(~is_word, dtype=np.int64)[word]
    return ContentCode(values, first[word], size[word], block)


@shared
def content_words(
    source: Source, params: CcbParams, by_character: bool, skip_anchors: bool
) -> Bools:
    """Blur the vector of a source and return which words stay above the threshold, bool (w,).

    With a tolerance above 0 at most so many passes are made, and they end once one changes less
    than that share of the extracted atoms.  If whole blocks are kept, one atom above the threshold
    keeps its text block; else one keeps its word.
    """
    vector = content_code(source, by_character, skip_anchors)
    if not vector.first.size:
        return np.zeros(0, dtype=bool)
    radius, threshold, times = params.range, params.threshold, params.passes
    first, past = vector.first, vector.first + vector.length
    starts = np.arange(first.size)
    if params.whole:  # text between the words of a block is no atom
        starts = np.concatenate(([0], np.flatnonzero(np.diff(vector.block)) + 1))
    ends = np.append(starts[1:], first.size)
    low, high = first[starts], past[ends - 1]
    if params.tolerance > 0:
        ratio = ratios(vector.values, radius, threshold, times, params.tolerance)
        above = (ratio > threshold).nonzero()[0]
        is_above = above.searchsorted(low) < above.searchsorted(high)
    else:
        is_above = exceeds(vector.values, low, high, threshold, radius, radius / 2.0, times)
    return np.repeat(is_above, ends - starts)


def ratios(
    values: Bools, radius: int, threshold: float, times: int, tolerance: float = 0.0
) -> Doubles:
    """Return the content code ratio of each atom after the last pass, float64 (c,)."""
    sigma = radius / 2.0
    if tolerance <= 0:
        return blur(values, radius, sigma, times)
    before, ratio = values, values.astype(np.float64)
    for number in range(1, times + 1):
        ratio = blur(values, radius, sigma, number)
        after = values & (ratio > threshold)
        changed = int(np.count_nonzero(before != after))
        if changed <= tolerance * max(1, int(np.count_nonzero(before))):
            break
        before = after
    return ratio


@shared
def _characters(source: Source) -> Longs:
    """Return the number of characters of each token that are not white space, int64 (m,)."""
    tokens = source.tokens
    inked = np.empty(len(source.html) + 1, dtype=np.int32)  # before each place
    inked[0] = 0
    np.cumsum(~spaces(tokens.codes), dtype=np.int32, out=inked[1:])
    result = (inked[tokens.end] - inked[tokens.start]).astype(np.int64)
    result[tokens.words] = source.lengths
    return result


_AROUND = Rule(
    "share of content around it", ">", ("threshold", "range", "passes", "tolerance"), is_share=True
)


def _trace(source: Source, params: CcbParams, *, by_character: bool, skip_anchors: bool) -> Trace:
    """Return for each text block, or word, the highest share of content in it after blurring."""
    vector = content_code(source, by_character, skip_anchors)
    size = source.tokens.words.size
    if not vector.first.size:
        return Trace((), size)
    ratio = ratios(vector.values, params.range, params.threshold, params.passes, params.tolerance)
    edges = np.stack([vector.first, vector.first + vector.length], axis=1).ravel()
    highest = np.maximum.reduceat(np.append(ratio, -np.inf), edges)[::2]
    starts = np.arange(size)
    if params.whole:
        starts = np.concatenate(([0], np.flatnonzero(np.diff(vector.block)) + 1))
        highest = np.maximum.reduceat(highest, starts)
    is_kept = np.stack([starts, np.append(starts[1:], size)], axis=1)
    keep = highest > params.threshold
    return Trace((step(_AROUND, is_kept, keep, highest, params.threshold),), size)


trace_ccb = partial(_trace, by_character=True, skip_anchors=False)
trace_accb = partial(_trace, by_character=True, skip_anchors=True)
trace_tccb = partial(_trace, by_character=False, skip_anchors=True)

_method = partial(Method, output="extraction", cite="Gottron 2008")
CCB = _method(
    key="ccb", name="CCB", params=CcbParams, on_source=extract_ccb, trace_source=trace_ccb,
    summary="Text with little code around it.",
)  # fmt: skip
ACCB = _method(
    key="accb", name="ACCB", params=CcbParams, on_source=extract_accb, trace_source=trace_accb,
    summary="Text with little code around it, tags of links not counted.",
)  # fmt: skip
TCCB = _method(
    key="tccb", name="TCCB", params=TccbParams, on_source=extract_tccb, trace_source=trace_tccb,
    summary="Words with few tags around them, those of links not counted.",
)  # fmt: skip
METHODS = (CCB, ACCB, TCCB)
