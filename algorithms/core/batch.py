"""Runs of one method on one page, scored by the chosen measures, as in a batch.

A run is one method with its parameters on one form of one page.  Whatever happens to it is its
status: ok, empty (it found nothing), failed or timed out with the reason, skipped with the reason.
What cannot be scored has no score: it has the reason instead.

Time is that of the method alone.  An extractor of Pagelet gets a separate document, reading
it into tokens and tree included and shared with no other method, so that its time can be compared
with that of others for parsing and extracting; segmenters share the rendered page.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from algorithms.core.attempt import BlockGold, Outcome, attempt
from algorithms.core.catalogue import method
from algorithms.learning.seen import in_card, of_blocks, of_page
from algorithms.measures.all_measures import BLOCK_MEASURES, TEXT_MEASURES, UNMARKED_MEASURES
from algorithms.measures.block_comparison import BlockComparison
from algorithms.measures.blocks import BlockScorer, Texts
from algorithms.measures.choice import (
    block_measures,
    groups_of,
    measure_of,
    no_measure,
    text_measures,
)
from algorithms.measures.measure import BlockMeasure, Measure, Need, TextMeasure
from algorithms.measures.prf import Score
from algorithms.measures.text_comparison import Comparison, GoldText, share_on_page
from algorithms.method import Method, MethodRecipe
from algorithms.params import Params, Value
from algorithms.results import Extraction, Segmentation
from algorithms.templates.site import Site
from engine.errors import InputError, PageletError
from engine.page import Input, Page
from engine.source import Source
from engine.words import join_words


class RunStatus(StrEnum):
    """Status of a finished run."""

    OK = "ok"
    EMPTY = "empty"
    FAILED = "failed"
    TIMED_OUT = "timed out"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Setup:
    """Setup of a run on a page: a method, its parameters, and which form of the page it reads.

    ``recipe`` makes a method that is in no catalogue.
    """

    method: str
    params: Params
    input: Input
    recipe: MethodRecipe | None = None

    @cached_property
    def entry(self) -> Method:
        return method(self.method) if self.recipe is None else self.recipe.entry(self.method)

    def for_page(self, name: str) -> "Setup":
        """Return the setup with the part of its recipe for one page of a data set."""
        return self if self.recipe is None else replace(self, recipe=self.recipe.for_page(name))

    @property
    def is_extractor(self) -> bool:
        """Whether it gives a text, and not blocks."""
        return self.entry.output == "extraction"

    @cached_property
    def learned_from(self) -> frozenset[str]:
        """Fingerprints of the pages whose gold it has seen; none of a method without a model."""
        try:
            return in_card({} if self.entry.card is None else self.entry.card(self.params))
        except PageletError:  # no model: it fails on every page
            return frozenset()

    def has_seen(self, page: Page, gold: str | Iterable[tuple[str, int]]) -> bool:
        """Return whether it learned from a page's gold: a text, or blocks as texts with levels."""
        if not self.learned_from or page.original is None:
            return False
        text = gold if isinstance(gold, str) else of_blocks(gold)
        return not self.learned_from.isdisjoint(of_page(page.original.words, text))

    def __getstate__(self) -> tuple[str, Mapping[str, Value], Input, MethodRecipe | None]:
        # Parameter classes of methods found at run time cannot be pickled by name.
        return self.method, self.params.as_dict(), self.input, self.recipe

    def __setstate__(
        self, state: tuple[str, Mapping[str, Value], Input, MethodRecipe | None]
    ) -> None:
        key, values, source, recipe = state
        object.__setattr__(self, "method", key)
        object.__setattr__(self, "input", source)
        object.__setattr__(self, "recipe", recipe)
        object.__setattr__(self, "params", self.entry.params(**values))


@dataclass(frozen=True)
class Measures:
    """Measures that runs are scored by: separate ones for extractions and segmentations."""

    text: tuple[TextMeasure, ...]
    blocks: tuple[BlockMeasure, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        return (*(measure.key for measure in self.text), *(m.key for m in self.blocks))

    @property
    def need_edges(self) -> bool:
        """Whether a measure counts pixels on edges and so needs a picture of the page."""
        return any(Need.EDGES in measure.needs for measure in self.blocks)

    def of(self, entry: Method) -> tuple[Measure, ...]:
        return self.text if entry.output == "extraction" else self.blocks


def measures_of(
    names: str | None, outputs: Collection[str] = ("extraction", "segmentation")
) -> Measures:
    """Return the measures of a list with commas; `InputError` names those there are.

    Args:
        names: ``all`` is every measure.  The kind of result that none is for has its usual ones.
        outputs: What the methods give; one of the names must be for one of these.
    """
    of_text = (*TEXT_MEASURES, *UNMARKED_MEASURES)
    in_text = {*groups_of("text"), *(measure.key for measure in of_text)}
    in_blocks = {*groups_of("blocks"), *(measure.key for measure in BLOCK_MEASURES)}
    asked: dict[str, list[str]] = {"extraction": [], "segmentation": []}
    words = [name.strip() for name in (names or "").split(",") if name.strip()]
    if names is not None and not words:
        raise InputError("--measures is empty: name measures, or leave it out")
    for name in words:
        if name == "all":
            asked["extraction"].append("all-text")
            asked["segmentation"].append("all-blocks")
        elif name in in_text:
            asked["extraction"].append(name)
        elif name in in_blocks:
            asked["segmentation"].append(name)
        else:
            raise InputError(no_measure(name, ("all", *in_text, *in_blocks)))
    if names is not None and not any(asked[output] for output in outputs):
        what = join_words([_SCORED[output] for output in outputs], "or")
        raise InputError(f"--measures {names}: none of them scores {what}")
    return Measures(
        text_measures(",".join(asked["extraction"] or ["text"])),
        block_measures(",".join(asked["segmentation"] or ["blocks", "b3"])),
    )


_SCORED = {"extraction": "main content", "segmentation": "blocks"}
"""What methods give, in words for users."""


@dataclass(frozen=True)
class Counts:
    """Distinct texts that a precision and a recall are made of."""

    retrieved: int
    hits: int
    relevant: int


@dataclass(frozen=True)
class Run:
    """Run of one setup on one page; it travels between processes.

    Attributes:
        status: How it ended.
        reason: Why, where it is neither ok nor empty.
        seconds: None where it did not run to an end.
        text: What an extractor found; None where it gave nothing to score.
        unmapped: Words of it that are not in the document, of third-party methods.
        gold_on_page: Share of the gold that is located in what the method read: of its words, or
            of its blocks; None where that was not computed.
        extract_on_page: Share of the words of ``text`` that are located there; None of blocks.
        blocks: Text and level of each block a segmenter found; None as above.
        scores: Measure → score, without those in ``unscored``.
        counts: The same of measures that count texts.
        unscored: Measure → why this page has no score of it, though the method ran.
        if_empty: Measure → what finding nothing would have scored, of an extractor that failed.
    """

    status: RunStatus
    reason: str = ""
    seconds: float | None = None
    text: str | None = None
    unmapped: int = 0
    gold_on_page: float | None = None
    extract_on_page: float | None = None
    blocks: Texts | None = None
    scores: Mapping[str, Score] = field(default_factory=dict)
    counts: Mapping[str, Counts] = field(default_factory=dict)
    unscored: Mapping[str, str] = field(default_factory=dict)
    if_empty: Mapping[str, Score] = field(default_factory=dict)

    def without_blocks(self) -> "Run":
        """Return the run without its long parts: with an empty text and no blocks."""
        text = None if self.text is None else ""
        blocks = None if self.blocks is None else ()
        return replace(self, text=text, blocks=blocks)


def scores_of_nothing(
    gold: GoldText, source: Source, measures: Sequence[TextMeasure]
) -> dict[str, Score]:
    """Return by measure what an empty text scores; it is known without running anything."""
    nothing = Extraction(source, np.zeros((0, 2), dtype=np.int32), "")
    empty = Comparison(nothing, gold)
    return {m.key: m.score(empty) for m in measures if not m.why_not(gold)}


def run_extractor(
    page: Page,
    gold: GoldText,
    setup: Setup,
    measures: Sequence[TextMeasure],
    site: Site | None = None,
) -> Run:
    """Run one extractor and score its text.

    Args:
        page: Its document need not have been read; no method of Pagelet's own uses what was.
        gold: The main content, on the source that the method reads.
        setup, measures: What to run, and to score by.
        site: The page's, for methods that read it; results computed on its pages are used.
    """
    # Another program reads the document itself; its text is located on the words that are known
    # already, those of the gold.
    read = page.unread() if setup.entry.is_own else page
    outcome = attempt(setup.entry, read, setup.params, setup.input, site)
    result = outcome.result
    if not isinstance(result, Extraction):
        missing = scores_of_nothing(gold, gold.extraction.source, measures)
        failed = _failed(outcome, "it gave no extraction")
        return replace(failed, gold_on_page=gold.known_on_page, if_empty=missing)
    results = score_extraction(result, gold, measures)
    return Run(
        RunStatus(outcome.status),
        seconds=None if math.isnan(outcome.seconds) else outcome.seconds,
        text=result.text,
        unmapped=result.unmapped,
        gold_on_page=gold.known_on_page,
        extract_on_page=share_on_page(result),
        **vars(results),
    )


def run_segmenter(
    page: Page,
    gold: BlockGold,
    setup: Setup,
    measures: Sequence[BlockMeasure],
    scorer: BlockScorer | None = None,
) -> Run:
    """Run one segmenter on a rendered page and score its blocks.

    ``scorer`` remembers which texts are alike; hand the same one in again and again.
    """
    outcome = attempt(setup.entry, page, setup.params, "rendered")
    result = outcome.result
    if not isinstance(result, Segmentation):
        return _failed(outcome, "it gave no segmentation")
    results = score_blocks(result, gold, measures, scorer)
    return Run(
        RunStatus(outcome.status),
        seconds=outcome.seconds,
        blocks=result.texts(),
        gold_on_page=gold.on_page,
        **vars(results),
    )


@dataclass(frozen=True)
class Scored:
    """Scores of one result; the attributes are those of `Run`."""

    scores: Mapping[str, Score]
    counts: Mapping[str, Counts] = field(default_factory=dict)
    unscored: Mapping[str, str] = field(default_factory=dict)


def score_extraction(result: Extraction, gold: GoldText, measures: Sequence[TextMeasure]) -> Scored:
    """Score an extraction against the main content in the extraction's source."""
    pair = Comparison(result, gold)
    unscored = {m.key: why_not for m in measures if (why_not := m.why_not(gold))}
    scores = {m.key: m.score(pair) for m in measures if m.key not in unscored}
    return Scored(scores, unscored=unscored)


def score_blocks(
    result: Segmentation,
    gold: BlockGold,
    measures: Sequence[BlockMeasure],
    scorer: BlockScorer | None = None,
) -> Scored:
    """Score a segmentation; ``scorer`` as in `run_segmenter`."""
    gold_blocks = gold.blocks or Segmentation(result.nodes, ())
    # The texts are those of the published gold, whatever its rows on the page.
    texts = result.texts(), gold.texts
    pair = BlockComparison(result, gold_blocks, scorer or BlockScorer(), gold.edges, texts)
    scores: dict[str, Score] = {}
    counts: dict[str, Counts] = {}
    unscored: dict[str, str] = {}
    for measure in measures:
        if why_not := gold.why_not(measure):
            unscored[measure.key] = why_not
            continue
        scores[measure.key] = measure.score(pair)
        results = measure.texts(pair)
        if results is not None:
            counts[measure.key] = Counts(results.retrieved, len(results.hits), results.relevant)
    return Scored(scores, counts, unscored)


def score_of_nothing(measure: str) -> Score | None:
    """Return the score of a run without blocks on a page with blocks; None if undefined."""
    return Score(0.0, 0.0, 0.0) if Need.BLOCK_TEXTS in measure_of(measure).needs else None


def _failed(outcome: Outcome, otherwise: str) -> Run:
    status = RunStatus.TIMED_OUT if outcome.timed_out else RunStatus.FAILED
    return Run(status, outcome.error or otherwise, outcome.seconds)
