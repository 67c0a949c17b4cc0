"""One method on one page, the gold of a page, and scores of one against the other.

Window, demo and batches run methods through `attempt`.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from algorithms.measures.blocks import BlockScorer, BlockScores, Texts
from algorithms.measures.measure import Measure, Need
from algorithms.measures.text import TextScores, score_text
from algorithms.measures.text_comparison import LEAST_ON_PAGE
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction, Result, Segmentation
from algorithms.templates.site import Site
from engine.errors import MethodTimeout, PageletError
from engine.page import Input, Page
from engine.tree import Bools

log = logging.getLogger(__name__)

ResultScores = TextScores | BlockScores


class OutcomeStatus(StrEnum):
    """Status of a method on a page."""

    WAITING = "waiting"
    RUNNING = "running"
    OK = "ok"
    EMPTY = "empty"  # ran and found nothing
    FAILED = "failed"


@dataclass(frozen=True)
class Outcome:
    """Outcome of a method on a page.

    Attributes:
        status: Never ``OK`` without a result.
        result: None while there is none.
        seconds: Run time, text included; of a program outside Pagelet, its own.
        error: Why it failed, a sentence for the user.
        timed_out: Whether it failed by taking longer than it may.
    """

    status: OutcomeStatus = OutcomeStatus.WAITING
    result: Result | None = None
    seconds: float = 0.0
    error: str = ""
    timed_out: bool = False


@dataclass(frozen=True)
class BlockGold:
    """The gold blocks of a page.

    Attributes:
        texts: Of every block, with its level.
        blocks: The blocks as rows of the page; None where they were not located there.
        why_no_location: Why they were not.
        edges: Edge masks of the page's picture by name; empty if there is no picture.
        why_no_edges: Why there is none.
    """

    texts: Texts
    blocks: Segmentation | None = None
    why_no_location: str = ""
    edges: Mapping[str, Bools] = field(default_factory=dict)
    why_no_edges: str = "there is no picture of the page to find edges in"

    def why_not(self, measure: Measure) -> str:
        """Return why a measure has no value here, whatever the blocks; "" where it has."""
        if Need.PLACE in measure.needs and self.blocks is None:
            return self.why_no_location or "the gold has no location on this page"
        share = self.on_page
        if Need.PLACE in measure.needs and share is not None and share < LEAST_ON_PAGE:
            return f"only {share:.0%} of the gold's blocks are on the page"
        return self.why_no_edges if Need.EDGES in measure.needs and not self.edges else ""

    @property
    def on_page(self) -> float | None:
        """Share of the blocks that are located on the page; None where that is unknown."""
        if self.blocks is None:
            return None
        return min(1.0, len(self.blocks.blocks) / len(self.texts)) if self.texts else 1.0


@dataclass(frozen=True, eq=False)
class GoldResults:
    """The gold of a page as measures take it, made once and used for every method.

    Attributes:
        text: None where no main content is marked.
        blocks: None where no block is marked.
        block_texts: Text and level of each block where they are known by that, on the page or not;
            None where ``blocks`` are all.
        why_no_location: Why ``blocks`` are for display only, and no measure of positions has a
            value; "" where they have.
    """

    text: Extraction | None = None
    blocks: Segmentation | None = None
    block_texts: Sequence[tuple[str, int]] | None = None
    why_no_location: str = ""

    @property
    def block_gold(self) -> BlockGold | None:
        """The blocks as evaluations take them; None where there are none."""
        if self.blocks is None:
            return None
        texts = self.blocks.texts() if self.block_texts is None else self.block_texts
        located = None if self.why_no_location else self.blocks
        return BlockGold(texts, located, self.why_no_location)

    def score(self, result: Result, scorer: BlockScorer | None = None) -> ResultScores | None:
        """Score a result; None where there is no gold of its kind.

        ``scorer`` remembers which blocks are alike; hand the same one in again and again.
        """
        if isinstance(result, Extraction):
            return None if self.text is None else score_text(result, self.text)
        scorer = scorer or BlockScorer()
        if self.block_texts is not None:
            return scorer.score_texts(result.texts(), self.block_texts)
        return None if self.blocks is None else scorer.score(result, self.blocks)


def attempt(
    entry: Method, page: Page, params: Params, source: Input, site: Site | None = None
) -> Outcome:
    """Run a method; whatever goes wrong becomes a failed outcome, never an exception.

    ``site`` is the page's, for methods that read it.
    """
    start = time.perf_counter()
    try:
        if entry.prepare is not None:
            entry.prepare(params)
            start = time.perf_counter()
        result = entry.run(page, params, source, site)
        empty = not result.text if isinstance(result, Extraction) else not result.blocks
    except PageletError as error:
        late = isinstance(error, MethodTimeout)
        return Outcome(OutcomeStatus.FAILED, None, time.perf_counter() - start, str(error), late)
    except Exception as error:
        log.exception("%s crashed on %s", entry.key, page.url)
        words = f"the method crashed ({type(error).__name__}: {error})"
        return Outcome(OutcomeStatus.FAILED, None, time.perf_counter() - start, words)
    seconds = time.perf_counter() - start
    if isinstance(result, Extraction) and result.seconds is not None:
        seconds = result.seconds
    return Outcome(OutcomeStatus.EMPTY if empty else OutcomeStatus.OK, result, seconds)


def attempt_located(
    entry: Method, page: Page, params: Params, source: Input, site: Site | None = None
) -> Outcome:
    """Run a method as `attempt` does, and locate the text of a program in the source.

    For windows: who draws the result would have to wait for that.
    """
    outcome = attempt(entry, page, params, source, site)
    if isinstance(outcome.result, Extraction):
        outcome.result.spans  # noqa: B018
    return outcome


def attempt_members(
    entry: Method, page: Page, params: Params, source: Input
) -> tuple[tuple[str, Outcome], ...]:
    """Run the methods that a method runs, one by one; return name and outcome of each."""
    own = () if entry.members is None else entry.members(params)
    return tuple((each.name, attempt(each, page, settings, source)) for each, settings in own)
