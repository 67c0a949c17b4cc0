"""Template text: pieces of 32 characters that occur ten times or more are template.

Source: D. Gibson, K. Punera, A. Tomkins, "The Volume and Evolution of Web Page Templates", WWW
2005; T. Gottron, dissertation 2008, section 3.3.8.  A window of W characters slides over the texts
of a sample of P pages; pieces met F times or more are kept, with D above 0 only those whose hash is
0 modulo D; what overlapping kept pieces cover on a page is template.

Readings.  Text is the words with one blank between them; script, style and title hold none.  Every
occurrence counts, two on one page as two.  A word is dropped if all of it is covered.  The sample
is spread evenly over the pages, not random, so that a page always gives the same.  Hashes are of 64
bits.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.site.detector_reasons import TEMPLATE, text_trace
from algorithms.plugins.site.recurrence import evenly, without
from algorithms.results import Extraction
from algorithms.signals.memo import shared
from algorithms.templates.site import Site, distinct
from algorithms.trace import Rule, Trace, step
from engine.code_points import letter_codes
from engine.source import Source
from engine.tree import Bools

Hashes = npt.NDArray[np.uint64]

_BASE = 0x9E3779B97F4A7C15  # odd, so that it can be divided by


@dataclass(frozen=True)
class TemplateTextParams(Params):
    window: int = param(32, "characters of a piece (W)", low=1, high=1000)
    times: int = param(10, "how often a piece of template occurs at least (F)", low=2, high=10000)
    modulus: int = param(0, "keep only hashes divisible by this; 0: all (D)", low=0, high=1000)
    pages: int = param(200, "pages that are counted at most (P)", low=2, high=100000)


def extract(site: Site, params: TemplateTextParams) -> Extraction:
    """Return the words that no recurring pieces cover."""
    return without(site.source, _covered(site, params))


def _covered(site: Site, params: TemplateTextParams) -> Bools:
    """Return which words of the seed recurring pieces cover, bool (w,)."""
    source = site.source
    is_kept, _ = _recurring(site, params.window, params.times, params.modulus, params.pages)
    hashes = windows(source, params.window)
    at = np.flatnonzero(np.isin(hashes, is_kept))
    lengths = np.array([len(word) for word in source.words], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1
    steps = np.zeros(int(ends[-1]) + 1 if ends.size else 1, dtype=np.int64)
    np.add.at(steps, at, 1)
    np.add.at(steps, at + params.window, -1)
    covered = np.concatenate(([0], np.cumsum(np.cumsum(steps) > 0)))
    return np.asarray(covered[ends] - covered[ends - lengths] == lengths, dtype=bool)


@shared
def _recurring(
    site: Site, window: int, times: int, modulus: int, most: int
) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """Return the pieces of template, ascending, and how often each occurs."""
    pages = evenly(distinct(site), most)
    every = np.concatenate([windows(site.sources[page], window) for page in pages])
    result, count = np.unique(every, return_counts=True)
    is_kept = count >= times
    if modulus > 1:
        is_kept &= result % np.uint64(modulus) == 0
    return np.asarray(result[is_kept], dtype=np.uint64), np.asarray(count[is_kept], dtype=np.int64)


@shared
def windows(source: Source, size: int) -> Hashes:
    """Return the hash of each piece of ``size`` characters of the text, uint64 (c - size + 1,).

    sum of code * base^place modulo 2^64, divided by the base to the place of the first.
    """
    codes = letter_codes(" ".join(source.words)).astype(np.uint64)
    if codes.size < size:
        return np.zeros(0, dtype=np.uint64)
    power = _powers(_BASE, codes.size)
    total = np.concatenate((np.zeros(1, np.uint64), np.cumsum(codes * power, dtype=np.uint64)))
    back = _powers(pow(_BASE, -1, 1 << 64), codes.size)
    return np.asarray((total[size:] - total[:-size]) * back[: codes.size - size + 1])


def _powers(base: int, count: int) -> Hashes:
    factors = np.full(count, base, dtype=np.uint64)
    factors[:1] = 1
    return np.asarray(np.multiply.accumulate(factors), dtype=np.uint64)


_TIMES = Rule(
    "occurrences of pieces of the text around it", "<", ("times", "window", "pages"),
    measured="pieces of the text around it occur {} time(s)",
)  # fmt: skip


def trace(site: Site, params: TemplateTextParams) -> Trace:
    """Return for each run of words how often the pieces that cover it occur."""
    source = site.source
    covered = _covered(site, params)
    pieces, count = _recurring(site, params.window, params.times, params.modulus, params.pages)
    hashes = windows(source, params.window)
    at = np.minimum(np.searchsorted(pieces, hashes), max(pieces.size - 1, 0))
    is_known = pieces[at] == hashes if pieces.size else np.zeros(hashes.size, dtype=bool)
    often = np.where(is_known, count[at] if count.size else 0, 0)
    lengths = np.array([len(word) for word in source.words], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1
    edges = np.flatnonzero(np.diff(covered.astype(np.int8))) + 1
    runs = [*zip([0, *edges.tolist()], [*edges.tolist(), covered.size], strict=True)]
    runs = [run for run in runs if run[0] < run[1]]
    values, notes = [], []
    for first, last in runs:
        # Pieces that begin up to a window before the run, and no later than its last letter.
        start = max(int(ends[first] - lengths[first]) - params.window + 1, 0)
        value = int(often[start : int(ends[last - 1])].max(initial=0))
        is_template = bool(covered[first])
        values.append(float(value) if is_template else np.nan)
        notes.append(
            f"a piece of {params.window} characters of it occurs {value} times{TEMPLATE}"
            if is_template
            else f"no pieces of {params.window} characters that occur {params.times} times cover it"
        )
    return text_trace(
        source, step(_TIMES, runs, ~covered[[a for a, _ in runs]] if runs else [], values or [],
                     params.times, tuple(notes)),
    )  # fmt: skip


METHOD = Method(
    key="template-text",
    name="Template text",
    params=TemplateTextParams,
    output="extraction",
    on_site=extract,
    trace_site=trace,
    cite="Gibson, Punera, Tomkins 2005",
    summary="Words that belong to no piece of text which occurs often on the site.",
)
