"""Whether gold is biased towards the drafts it began from, and what a block costs, page by page.

A share of the pages is kept free of drafts, the same ones always, whatever is on them.  Gold of the
others is compared with what the shipped models expect, and so is that of these: if annotators agree
more with the models where they saw drafts, the difference is the bend.  Only the shipped models are
used for comparison, since a learned model has seen pages with drafts.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.levels import Level
from annotate.marks.gold import MAIN, Gold
from annotate.marks.journal import CAME_WITH_PAGE, Revision
from annotate.marks.learned.learned_drafts import LEARNED, MAIN_PRICE, taken_blocks
from annotate.marks.learned.offers import MARKED, Offer
from engine.tree import Bools
from engine.words import plural

DRAFTING = "draft by what was confirmed: "
"""How the change begins that a page's learned drafts are."""

FEWEST = 5
"""Fewest pages of each kind for a statement on bias."""

_SURE = 1.96


@dataclass(frozen=True)
class MeasuredPage:
    """A page that is marked.

    Attributes:
        key: The page's.
        made: Start of its gold, UTC in ISO 8601.
        is_free: Whether it is kept free of drafts.
        is_drafted: Whether it began with learned drafts, or has marks that did.
        agreement: F of what the shipped models expect and the gold, 0 to 1.
        edits: Changes of its marks that were made by hand.
        marks: Number of its marks.
    """

    key: str
    made: str
    is_free: bool
    is_drafted: bool
    agreement: float
    edits: int
    marks: int

    @property
    def edits_per_mark(self) -> float:
        """Changes a mark; nan where there is none."""
        return self.edits / self.marks if self.marks else math.nan


def measure_bias(
    page: Offer, gold: Gold, history: Sequence[Revision], key: str, *, is_free: bool
) -> MeasuredPage:
    """Measure a page without drafts left on it."""
    by_hand = [each for each in history if not _is_made(each)]
    is_drafted = any(each.what.startswith(DRAFTING) for each in history)
    has_seed = any(mark.seed is not None and mark.seed.method == LEARNED for mark in gold.marks)
    return MeasuredPage(
        key, history[0].made if history else "", is_free, is_drafted or has_seed,
        _agreement(page, gold), len(by_hand), len(gold.sure.marks),
    )  # fmt: skip


def _is_made(revision: Revision) -> bool:
    return revision.what.startswith(DRAFTING) or revision.what == CAME_WITH_PAGE


def _agreement(page: Offer, gold: Gold) -> float:
    """Return F over items of the levels that are marked: texts of main content, else blocks."""
    levels = [level for level in MARKED if gold.of_level(level)]
    hits = expected = marked = 0
    for level in levels:
        taken, is_marked = _taken(page, level), page.is_marked(gold, level)
        hits += int((taken & is_marked).sum())
        expected, marked = expected + int(taken.sum()), marked + int(is_marked.sum())
    return 2 * hits / max(expected + marked, 1)


def _taken(page: Offer, level: Level) -> Bools:
    """Return which items the shipped models would draft, bool (n,)."""
    items = page.items[level]
    if level == MAIN:
        return np.asarray(items.chance > MAIN_PRICE)
    return taken_blocks(items, items.chance)


@dataclass(frozen=True)
class Bias:
    """Additional agreement of gold with the models on pages that started with drafts.

    Attributes:
        drafted, free: Number of pages of each kind.
        bend: Difference of mean agreement, drafted less free; nan where there are none.
        half: Half the width of its 95 % interval; nan for fewer than two pages of a kind.
    """

    drafted: int
    free: int
    bend: float
    half: float

    @property
    def sentence(self) -> str:
        """Text of the result."""
        if min(self.drafted, self.free) < FEWEST:
            return (
                f"Too few pages to judge bias of drafts: {plural(self.drafted, 'page')} with "
                f"drafts and {self.free} without; {FEWEST} of each are needed."
            )
        low, high = self.bend - self.half, self.bend + self.half
        numbers = f"{_signed(self.bend)} (95 %: {_signed(low)} to {_signed(high)})"
        counts = f"{self.drafted} pages with drafts, {self.free} without"
        if low <= 0 <= high:
            return f"No bias towards the models is shown: {numbers}, {counts}."
        way = "is biased towards the models" if self.bend > 0 else "agrees less with the models"
        return f"Gold of pages with drafts {way}: {numbers}, {counts}."


def _signed(value: float) -> str:
    return f"{round(value, 2) + 0.0:+.2f}"  # no -0.00


def bias_of(pages: Sequence[MeasuredPage]) -> Bias:
    """Compare pages with and without drafts, by Welch's interval with the normal's quantile."""
    drafted = np.array([each.agreement for each in pages if each.is_drafted and not each.is_free])
    free = np.array([each.agreement for each in pages if each.is_free])
    if not (drafted.size and free.size):
        return Bias(drafted.size, free.size, math.nan, math.nan)
    half = math.nan
    if min(drafted.size, free.size) > 1:
        spread = drafted.var(ddof=1) / drafted.size + free.var(ddof=1) / free.size
        half = _SURE * math.sqrt(float(spread))
    return Bias(drafted.size, free.size, float(drafted.mean() - free.mean()), half)
