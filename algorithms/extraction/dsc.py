"""DSC and ADSC, document slope curve: parts with few tags for this page, or fewer than words.

Source: D. Pinto et al., "QuASM: a system for question answering using semi-structured data", JCDL
2002; T. Gottron, dissertation 2008, section 3.2.3, Algorithm 3.2.  ADSC, advanced DSC, is named by
T. Weninger, W. Hsu, J. Han, WWW 2010, section 2, after T. Gottron, "Evaluating Content Extraction
on HTML Documents", ITA 2007, as a windowing technique that finds regions where word tokens are more
frequent than tag tokens.

A window of tokens is low for DSC if tags come in it less than half as often as on the whole page,
for ADSC if fewer than half of its own tokens are tags.  All else is the same for both.

Departures.  In the printed listing the ``else`` belongs to the wrong ``if``, so that a region could
never end, and a region is labelled from the third of its windows on.  Read as in the text: three
low windows in a row start a region, three others end it; it reaches from the first of the low
windows to the window that ends it, the third of the others, which is left out (both as parameters).
Tokens after the last window follow it.  On a page without tags the curve is flat, so all of it is
content; a page shorter than one window has no region.

Cost: O(m) for m tokens.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, everything, keep_words
from algorithms.signals.stretches import stretches
from algorithms.trace import Rule, Trace, step
from engine.source import Source
from engine.tree import Bools, Doubles, Longs


@dataclass(frozen=True)
class DscParams(Params):
    slope: float = param(
        0.5, "share of the page's average slope below which a window is low", low=0.0, high=2.0
    )
    windows: int = param(3, "windows in a row that start or end a region", low=1, high=10)
    whole: bool = param(True, "take a region from its first window, not from its third as printed")
    early: bool = param(False, "end a region at the first of the windows that end it")


@dataclass(frozen=True)
class AdscParams(Params):
    tags: float = param(0.5, "share of tags below which a window is low", low=0.0, high=1.0)
    windows: int = param(3, "windows in a row that start or end a region", low=1, high=10)
    whole: bool = param(True, "take a region from its first window, not from its third as printed")
    early: bool = param(False, "end a region at the first of the windows that end it")


def extract_dsc(source: Source, params: DscParams) -> Extraction:
    """Return the words in regions of low slope."""
    is_tag = source.tokens.is_tag
    average = np.count_nonzero(is_tag) / max(1, is_tag.size)
    return _extract(source, params.slope * average, params)


def extract_adsc(source: Source, params: AdscParams) -> Extraction:
    """Return the words in regions where words outnumber tags."""
    return _extract(source, params.tags, params)


def _extract(source: Source, limit: float, params: DscParams | AdscParams) -> Extraction:
    tokens = source.tokens
    if not tokens.is_tag.any():
        return everything(source)
    low = low_regions(tokens.is_tag, limit, params.windows, params.whole, params.early)
    return keep_words(source, low[tokens.is_word])


def window_size(m: int) -> int:
    """Return the window for m tokens: 8 up to 200 tokens, 50 from 5,000 on, linear between."""
    if m > 5000:
        return 50
    return -(-(7 * m + 5000) // 800) if m >= 200 else 8  # 0.00875 m + 6.25, rounded up


def window_slopes(is_tag: Bools) -> tuple[Longs, Doubles]:
    """Return where each window starts, int64 (k,), and its tags a token, float64 (k,)."""
    width = window_size(is_tag.size)
    tags = np.cumsum(is_tag, dtype=np.int64)
    starts = np.arange(0, is_tag.size - width, width // 2)
    return starts, (tags[starts + width - 1] - tags[starts]) / width


def low_regions(
    is_tag: Bools, limit: float, windows: int = 3, whole: bool = True, early: bool = False
) -> Bools:
    """Return the tokens in a region of low slope, bool (m,). O(m).

    A window is low if it has fewer than ``limit`` tags a token.  ``windows`` low ones in a row
    start a region, at the first of them if ``whole``, else at the last; as many others end it, at
    the first of them if ``early``, else at the last.
    """
    label = np.zeros(is_tag.size, dtype=bool)
    starts, slopes = window_slopes(is_tag)

    inside = False
    run = 0  # consecutive windows in favour of a change
    opened = 0
    for k, low in enumerate((slopes < limit).tolist()):
        run = run + 1 if low != inside else 0
        if run < windows:
            continue
        first, last = int(starts[k - windows + 1]), int(starts[k])
        if inside:
            label[opened : first if early else last] = True
        else:
            opened = first if whole else last
        inside = not inside
        run = 0
    if inside:
        label[opened:] = True
    return label


def trace_dsc(source: Source, params: DscParams) -> Trace:
    """Return for each run of words the tags around it and its region."""
    is_tag = source.tokens.is_tag
    average = np.count_nonzero(is_tag) / max(1, is_tag.size)
    return _trace(source, params.slope * average, params, ("slope", "windows"))


def trace_adsc(source: Source, params: AdscParams) -> Trace:
    """Return the same, compared with a share of tags that is the same for every page."""
    return _trace(source, params.tags, params, ("tags", "windows"))


def _trace(
    source: Source, limit: float, params: DscParams | AdscParams, names: tuple[str, ...]
) -> Trace:
    tokens = source.tokens
    size = tokens.words.size
    if not tokens.is_tag.any():
        flat = Rule("the page has no tags: all of it is text")
        return Trace((step(flat, [[0, size]] if size else [], True),), size)
    rule = Rule("tags per token around it", "<", names, is_share=True)
    label = low_regions(tokens.is_tag, limit, params.windows, params.whole, params.early)
    keep = label[tokens.is_word]
    positions = stretches(source, keep)
    width = window_size(tokens.is_tag.size)
    starts, slopes = window_slopes(tokens.is_tag)
    if not starts.size:
        short = Rule(f"the page is shorter than one window of {width} tokens")
        return Trace((step(short, positions, False),), size)
    middle = (tokens.words[positions[:, 0]] + tokens.words[positions[:, 1] - 1]) // 2
    window = np.clip((middle - width // 2 + width // 4) // (width // 2), 0, starts.size - 1)
    values, is_kept = slopes[window], keep[positions[:, 0]]
    row = f"{params.windows} such windows in a row" if params.windows > 1 else "one such window"
    notes = []
    for low, inside in zip((values < limit).tolist(), is_kept.tolist(), strict=True):
        if low and not inside:
            notes.append(f"but a region starts only after {row}")
        elif inside and not low:
            notes.append(f"but a region ends only after {row} at or above it")
        else:
            notes.append("")
    return Trace((step(rule, positions, is_kept, values, limit, tuple(notes)),), size)


DSC = Method(
    key="dsc",
    name="DSC",
    params=DscParams,
    output="extraction",
    cite="Pinto et al. 2002",
    on_source=extract_dsc,
    trace_source=trace_dsc,
    summary="Stretches of text with few tags for this page.",
)
ADSC = Method(
    key="adsc",
    name="ADSC",
    params=AdscParams,
    output="extraction",
    cite="Gottron 2007; Weninger, Hsu, Han 2010",
    on_source=extract_adsc,
    trace_source=trace_adsc,
    summary="Stretches with more words than tags.",
)
METHODS = (DSC, ADSC)
