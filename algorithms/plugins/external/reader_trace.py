"""Trace of the source from a reader's report of the elements it removes and scores.

Readers report on their own copy of the document. Its words are located in the source in order:
a report on an element is about the words of that element.  First come the candidates with
their scores, the best one last, then what was removed and why; what was neither removed nor
kept is outside the article.  Words of the article are kept, whatever was reported before.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from algorithms.explain.differences import words_kept
from algorithms.results import Extraction
from algorithms.trace import Rule, Step, Trace, step
from engine.runs import runs_of
from engine.sequences import common_words
from engine.source import Source
from engine.tree import Bools, Ints

_LONG = re.compile(r"\d+\.\d{3,}")
"""Numbers with more digits than anyone reads."""

OUTSIDE = "outside the article it chose"
INSIDE = "in the article it chose"


def trace_of(
    source: Source, extraction: Extraction, words: Sequence[str], records: Sequence[dict[str, Any]]
) -> Trace:
    """Return the decisions of a reader.

    Args:
        source: What it read.
        extraction: What it gave.
        words: Of its own copy, in order.
        records: See resources/js/reader.js.
    """
    is_kept = words_kept(extraction, source)
    pairs = common_words(words, source.words)
    steps = [step(Rule(OUTSIDE), _runs(~is_kept), kept=False)]
    for each in records:
        first, last = np.searchsorted(pairs[:, 0], [each["first"], each["last"]])
        mask = np.zeros(is_kept.size, dtype=bool)
        mask[pairs[first:last, 1]] = True
        if last > first:  # words between located words belong to the element, too
            mask[int(pairs[first, 1]) : int(pairs[last - 1, 1]) + 1] = True
        steps += _step(each, mask & ~is_kept if not each["kept"] else mask)
    # Candidates also hold dropped words: those were decided later.
    scored = [each for each in steps if each.kept.any()]
    others = [each for each in steps if not each.kept.any()]
    steps = [*scored, *others, step(Rule(INSIDE), _runs(is_kept), kept=True)]
    return Trace(tuple(each for each in steps if len(each)), is_kept.size)


def _step(record: dict[str, Any], mask: Bools) -> list[Step]:
    runs = _runs(mask)
    if not len(runs):
        return []
    score = np.nan if record["score"] is None else float(record["score"])
    what = record["what"] if record["kept"] else f"removed: {record['what']}"
    what = _LONG.sub(lambda number: f"{float(number[0]):.2f}", " ".join(what.split())[:300])
    return [step(Rule(what), runs, kept=record["kept"], values=score)]


def _runs(flags: Bools) -> Ints:
    return np.stack(runs_of(flags), axis=1).astype(np.int32)
