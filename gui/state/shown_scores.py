"""Scores as one reads them: one a measure, and where each number comes from."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from algorithms.core.attempt import ResultScores
from algorithms.levels import Level
from algorithms.measures.all_measures import BLOCK_MEASURES, TEXT_MEASURES
from algorithms.measures.measure import Measure, ShownIn
from algorithms.measures.prf import Prf
from algorithms.measures.text import TextScores
from algorithms.measures.text_words import prepare_text
from algorithms.results import Extraction, Result
from engine.words import sentence

M = TypeVar("M", bound=Measure)

PARTS = ("precision", "recall", "F1")


@dataclass(frozen=True)
class ShownScore:
    """A score with the values that explain it.

    Attributes:
        measure: What it is the score of.
        counts: Hits, retrieved, relevant; None where they are not known.
        prf: The three numbers.
    """

    measure: Measure
    counts: tuple[int, int, int] | None
    prf: Prf

    @property
    def name(self) -> str:
        return sentence(self.measure.in_words)


def shown_scores(scores: ResultScores, result: Result | None = None) -> Iterator[ShownScore]:
    """Return every score of a method, the main one first; ``result`` is the scored one."""
    if isinstance(scores, TextScores):
        for text in _main_first(TEXT_MEASURES):
            if text.counted is not None:
                prf, counts = text.counted.prf(scores), None
                if isinstance(result, Extraction):
                    counts = _counts(prf, text.counted.size(prepare_text(result)))
                yield ShownScore(text, counts, prf)
        return
    for both in _main_first(BLOCK_MEASURES):
        for blocks in BLOCK_MEASURES:
            if blocks.base == both.base and blocks.match is not None:
                score = blocks.match(scores)[blocks.level]
                counts = (len(score.hits), score.retrieved, score.relevant)
                yield ShownScore(blocks, counts, score.prf)


def _main_first(measures: Iterable[M]) -> list[M]:
    """Return the measures that are shown with their counts, each once whatever the level."""
    mine = (each for each in measures if each.is_shown(ShownIn.COUNTED) and not each.has_one_level)
    return sorted(mine, key=lambda each: not each.is_main)


def headline(scores: ResultScores, level: Level = 0, result: Result | None = None) -> ShownScore:
    """Return the main score: that of the main measure, on the levels drawn."""
    every = shown_scores(scores, result)
    return next(each for each in every if not level or each.measure.level in ("", str(level)))


def _counts(prf: Prf, retrieved: int) -> tuple[int, int, int] | None:
    """Return the counts behind P = hits / retrieved and R = hits / relevant.

    Without a hit recall does not tell how much is relevant; then they are not known.
    """
    hits = round(prf.precision * retrieved)
    if not hits or not prf.recall:
        return None
    return hits, retrieved, round(hits / prf.recall)


def reading(shown: ShownScore, which: str) -> str:
    """Return where a number comes from: its definition and the counts behind it.

    ``which`` is one of `PARTS`, or anything else for precision and recall together.
    """
    measure = shown.measure
    precision = f"precision {shown.prf.precision:.3f} = hits / returned"
    recall = f"recall {shown.prf.recall:.3f} = hits / marked"
    if shown.counts is not None:
        hits, retrieved, relevant = shown.counts
        precision += f" = {hits:,} of {retrieved:,} {measure.items}"
        recall += f" = {hits:,} of {relevant:,} {measure.items}"
    f1 = f"F1 {shown.prf.f1:.3f} = 2PR / (P + R)"
    lines = {"precision": [precision], "recall": [recall], "F1": [f1, precision, recall]}
    own = lines.get(which, [precision, recall])
    corners = (f"Hits: {measure.hit}.", measure.corners, f"Source: {measure.source}.")
    return "\n".join((shown.name, *own, *corners))
