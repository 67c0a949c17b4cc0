"""Reasons for decisions of detectors: a text of the page, and its number of pages.

A place is a text of the page; where a method decides on a part with all below it, each text of the
part gets the part's decision.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from algorithms.extraction.ccb import CcbParams, trace_accb
from algorithms.trace import Rule, Step, Trace, step
from engine.source import Source
from engine.tree import Ints
from engine.words import plural

TEMPLATE = ": template"


def text_rows(source: Source) -> Ints:
    """Return the text rows that have words, int32 (t,)."""
    words = source.tree.words
    return np.flatnonzero(source.tree.is_text & (words[:, 0] < words[:, 1])).astype(np.int32)


def text_step(
    source: Source,
    rule: Rule,
    keep: npt.ArrayLike,
    values: npt.ArrayLike = np.nan,
    thresholds: npt.ArrayLike = np.nan,
    note: Callable[[int], str] | None = None,
) -> Step:
    """Return one decision for each text; columns are of the page's rows, (n,), or one for all.

    ``note`` gets a text's row and returns the rest.
    """
    rows = text_rows(source)
    size = len(source.tree)
    is_kept, value, limit = (
        np.broadcast_to(np.asarray(each), size)[rows] for each in (keep, values, thresholds)
    )
    notes = tuple(note(row) for row in rows.tolist()) if note is not None else ()
    return step(rule, source.tree.words[rows], is_kept, value, limit, notes)


def text_trace(source: Source, *steps: Step) -> Trace:
    return Trace(steps, source.tokens.words.size)


def whole_step(source: Source, rule: Rule, value: float = np.nan, limit: float = np.nan,
               note: str = "") -> Step:  # fmt: skip
    """Return a step that keeps all words, for decisions on the page as a whole."""
    size = source.tokens.words.size
    return step(rule, [[0, size]] if size else [], True, value, limit, (note,) if size else ())


def stands_on(pages: int, total: int) -> str:
    """Return the number of pages of something, in words."""
    if pages <= 1:
        return "occurs on this page only"
    return f"occurs on {pages} of {plural(total, 'page')}"


def recurring(pages: int, total: int, *, is_template: bool) -> str:
    """Return the number of pages of something, and the decision that follows."""
    return stands_on(pages, total) + (TEMPLATE if is_template else "")


_ALONE = Rule("the page without its site", is_in_note=True)


def fallback_trace(source: Source, reason: str) -> Trace:
    """Return the decisions of ACCB, and why it was asked."""
    first_step = whole_step(source, _ALONE, note=f"{reason}: ACCB was run instead")
    by_itself = trace_accb(source, CcbParams())
    return Trace((first_step, *by_itself.steps), by_itself.size)


def after(steps: Sequence[Step], trace: Trace) -> Trace:
    """Return a trace with steps before it, all of which keep everything."""
    return Trace((*steps, *trace.steps), trace.size)
