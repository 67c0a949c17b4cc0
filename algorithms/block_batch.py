"""Segmenters on one page, scored against gold blocks: texts always, rows where they were found.

Kreuzer's match needs the texts of the gold only, so it works on every variant of a page; measures
that ask which nodes or pixels are in a block need the gold on the rows of this very page.  A score
that cannot be had is no score: it has the reason instead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from algorithms.batch import RunStatus, Setup
from algorithms.evaluation import Status, attempt
from algorithms.measures.blocks import LEVELS, BlockScorer, BlockScores, Texts
from algorithms.measures.named_blocks import BlockComparison, BlockMeasure
from algorithms.measures.prf import Score
from algorithms.results import Segmentation
from engine.page import Page

_ON_TEXTS = {"exact": "exact", "fuzzy": "fuzzy"} | {
    f"{kind}-{level}": kind for kind in ("exact", "fuzzy") for level in LEVELS if level != "all"
}
"""Measures that need no rows → which match they are."""


@dataclass(frozen=True)
class BlockGold:
    """The gold blocks of a page.

    Attributes:
        texts: Of every block, with its level.
        blocks: The blocks as rows of the page; None where they were not found there.
        why_not: Why there are none.
    """

    texts: Texts
    blocks: Segmentation | None = None
    why_not: str = ""


@dataclass(frozen=True)
class Counts:
    """Distinct texts that a precision and a recall are made of."""

    retrieved: int
    hits: int
    relevant: int


@dataclass(frozen=True)
class BlockRun:
    """One segmenter on one page; it travels between processes.

    Attributes:
        status: How it ended.
        reason: Why, where it is neither ok nor empty.
        seconds: None where it did not run to an end.
        blocks: Text and level of each block found; None where it gave nothing to score.
        scores: Measure → score, without those in ``unscored``.
        counts: The same of measures that count texts.
        unscored: Measure → why this page has no score of it, though the method ran.
    """

    status: RunStatus
    reason: str = ""
    seconds: float | None = None
    blocks: Texts | None = None
    scores: Mapping[str, Score] = field(default_factory=dict)
    counts: Mapping[str, Counts] = field(default_factory=dict)
    unscored: Mapping[str, str] = field(default_factory=dict)


def score_of_nothing(measure: str) -> Score | None:
    """Return what a run without any block scores on a page with blocks; None if that is open."""
    return Score(0.0, 0.0, 0.0) if measure in _ON_TEXTS else None


class _Pair(BlockComparison):
    """Compares texts with those of the gold as published, whatever rows it was found on."""

    texts_found: Texts = ()
    texts_wanted: Texts = ()

    def texts(self) -> BlockScores:
        """Kreuzer's two matches."""
        return self._once(
            ("texts",), lambda: self.scorer.score_texts(self.texts_found, self.texts_wanted)
        )


def run_one(
    page: Page,
    gold: BlockGold,
    setup: Setup,
    measures: Sequence[BlockMeasure],
    scorer: BlockScorer | None = None,
) -> BlockRun:
    """Run one setup on a rendered page and score what it finds."""
    outcome = attempt(setup.entry, page, setup.params, "rendered")
    result = outcome.result
    if not isinstance(result, Segmentation):
        status = RunStatus.TIMED_OUT if outcome.timed_out else RunStatus.FAILED
        return BlockRun(status, outcome.error or "it gave no segmentation", outcome.seconds)
    texts = [(result.text_of(block), block.level) for block in result.blocks]
    pair = _Pair(result, gold.blocks or Segmentation(result.nodes, ()), scorer or BlockScorer())
    pair.texts_found, pair.texts_wanted = texts, gold.texts
    scores: dict[str, Score] = {}
    counts: dict[str, Counts] = {}
    unscored: dict[str, str] = {}
    for measure in measures:
        kind = _ON_TEXTS.get(measure.key)
        if kind is None and gold.blocks is None:
            unscored[measure.key] = gold.why_not or "the gold has no place on this page"
            continue
        scores[measure.key] = measure.score(pair)
        if kind is not None:
            both = pair.texts()
            found = (both.exact if kind == "exact" else both.fuzzy)[measure.level]
            counts[measure.key] = Counts(found.retrieved, len(found.hits), found.relevant)
    return BlockRun(
        RunStatus.EMPTY if outcome.status is Status.EMPTY else RunStatus.OK,
        seconds=outcome.seconds,
        blocks=texts,
        scores=scores,
        counts=counts,
        unscored=unscored,
    )
