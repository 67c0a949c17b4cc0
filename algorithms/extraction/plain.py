"""Plain: all text of the page, the baseline every method must beat.

Source: T. Gottron, dissertation, Mainz 2008, section 5.4.2.  Its recall is 1 by definition, as far
as the gold text is text of the source; its precision is the share of main content on the page.
Cost: none beyond tokenising.
"""

from dataclasses import dataclass

import numpy as np

from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.results import Extraction, keep_words
from algorithms.signals.stretches import runs
from algorithms.signals.tree_counts import words_below
from algorithms.trace import Rule, Trace, step
from engine.source import Source
from engine.tree import Bools

NOT_SHOWN = (
    "noscript", "template", "svg", "math", "select", "button", "textarea", "iframe", "object",
    "canvas", "audio", "video", "datalist",
)  # fmt: skip
"""Elements whose text a modern browser does not show as text, or shows as a control."""


@dataclass(frozen=True)
class PlainParams(Params):
    """Parameters of the baseline."""

    controls: bool = param(
        True, "keep text of noscript, template, select, button and the like, not only page text"
    )


def extract(source: Source, params: PlainParams) -> Extraction:
    return keep_words(source, _content_mask(source, params))


def _content_mask(source: Source, params: PlainParams) -> Bools:
    if params.controls:
        return np.ones(source.tokens.words.size, dtype=bool)
    return ~words_below(source, source.tree.has_tag(*NOT_SHOWN))


_ALL = Rule("the method keeps all text")
_CONTROL = Rule("shown as a form control, or not at all", "", ("controls",))


def trace(source: Source, params: PlainParams) -> Trace:
    """Return which words are left out as no text of the page."""
    is_kept = _content_mask(source, params)
    steps = (step(_ALL, runs(is_kept), True), step(_CONTROL, runs(~is_kept), False))
    return Trace(steps, is_kept.size)


METHOD = Method(
    key="plain",
    name="Plain",
    params=PlainParams,
    output="extraction",
    cite="Gottron 2008, 5.4.2",
    on_source=extract,
    trace_source=trace,
    summary="All text of the page: the baseline.",
)
