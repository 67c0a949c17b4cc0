"""What a reader says of the elements it removes and scores, as a trace of the source it read.

Readers say it of their own copy of the document: its words are found again in the source in order,
so what it says of an element is about the words of that element.  First come the candidates with
their scores, the best one last, then what was removed and why; what was neither removed nor kept
lies outside the article.  What the article holds is kept, whatever was said before.
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
    source: Source, found: Extraction, words: Sequence[str], said: Sequence[dict[str, Any]]
) -> Trace:
    """Return the decisions of a reader.

    Args:
        source: What it read.
        found: What it gave.
        words: Of its own copy, in order.
        said: See resources/js/reader.js.
    """
    kept = words_kept(found, source)
    pairs = common_words(words, source.words)
    steps = [step(Rule(OUTSIDE), _runs(~kept), kept=False)]
    for each in said:
        first, last = np.searchsorted(pairs[:, 0], [each["first"], each["last"]])
        place = np.zeros(kept.size, dtype=bool)
        place[pairs[first:last, 1]] = True
        if last > first:  # what stands between found words is of the element, too
            place[int(pairs[first, 1]) : int(pairs[last - 1, 1]) + 1] = True
        steps += _step(each, place & ~kept if not each["kept"] else place)
    # Candidates hold what was not taken as well: that was decided afterwards.
    scored = [each for each in steps if each.kept.any()]
    others = [each for each in steps if not each.kept.any()]
    steps = [*scored, *others, step(Rule(INSIDE), _runs(kept), kept=True)]
    return Trace(tuple(each for each in steps if len(each)), kept.size)


def _step(said: dict[str, Any], place: Bools) -> list[Step]:
    runs = _runs(place)
    if not len(runs):
        return []
    score = np.nan if said["score"] is None else float(said["score"])
    what = said["what"] if said["kept"] else f"removed: {said['what']}"
    what = _LONG.sub(lambda number: f"{float(number[0]):.2f}", " ".join(what.split())[:300])
    return [step(Rule(what), runs, kept=said["kept"], values=score)]


def _runs(flags: Bools) -> Ints:
    return np.stack(runs_of(flags), axis=1).astype(np.int32)
