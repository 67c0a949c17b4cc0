"""How much of gold and extracts is on the page, of many pages."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.measures.text_comparison import LEAST_ON_PAGE
from annotate.evaluation.tables.result_table import Results
from engine.tree import Doubles, Indices
from engine.words import plural

LIMITS = (1.0, 0.99, 0.9, LEAST_ON_PAGE)
"""Shares that pages are counted below."""


@dataclass(frozen=True, eq=False)
class Located:
    """Shares of located text on the pages of one method; NaN for pages without one.

    Attributes:
        gold: Share of the gold that is located, float64 (n,).
        extract: Share of the extract that is, float64 (n,).
    """

    gold: Doubles
    extract: Doubles

    @classmethod
    def of(cls, results: Results, column: int, pages: Indices | Sequence[int]) -> "Located":
        """Read them from some rows of a table of results."""
        gold, extract = results.facts.shares(np.asarray(pages).tolist(), column)
        return cls(gold, extract)

    @property
    def is_whole(self) -> bool:
        """Whether all that is known of is on the page."""
        return not any((shares < 1).any() for shares in (self.gold, self.extract))

    @property
    def pages(self) -> tuple[int, int]:
        """Number of pages with a known share of gold, and with a known share of the extract."""
        return int((~np.isnan(self.gold)).sum()), int((~np.isnan(self.extract)).sum())

    @property
    def gold_mean(self) -> float | None:
        """The mean share of gold; None where nothing is known."""
        return _mean(self.gold)

    @property
    def extract_mean(self) -> float | None:
        """The mean share of extracts; None where nothing is known."""
        return _mean(self.extract)

    def gold_below(self) -> tuple[int, ...]:
        """Return on how many pages less of the gold is located than each of `LIMITS`."""
        return tuple(int((self.gold < limit).sum()) for limit in LIMITS)

    @property
    def sentence(self) -> str:
        """Note on gold that is not located; "" where all of it is on the page."""
        mean, below = self.gold_mean, self.gold_below()
        if mean is None or not below[0]:
            return ""
        known = plural(self.pages[0], "page")
        few = f", less than half on {below[-1]}" if below[-1] else ""
        return f"{percent(mean)} of the gold is on the page; not all on {below[0]} of {known}{few}"


def percent(share: float) -> str:
    """Return a share in per cent; shares below 1 are never rounded to 100 %."""
    return f"{np.floor(1000 * share + 1e-9) / 10:.1f} %" if share < 1 else "100 %"


def _mean(shares: Doubles) -> float | None:
    known = shares[~np.isnan(shares)]
    return float(known.mean()) if known.size else None
