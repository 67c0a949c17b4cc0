"""Scores of single pages, in the form that a summary takes."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from algorithms.measures.prf import Score
from algorithms.measures.summary import Summary, summarise


@dataclass(frozen=True)
class PageScore:
    """Outcome of a page: its score, and that of an empty extraction."""

    status: str
    score: Score | None = None
    if_missing: Score | None = None


def summary_of(pages: list[PageScore], *, is_pooled: bool = False) -> Summary:
    """Return the summary of some pages."""
    scores = [page.score for page in pages if page.score is not None]
    lines = [[score.value, score.precision, score.recall] for score in scores]
    return summarise(
        np.array(lines, dtype=np.float64).reshape(-1, 3).T,
        [page.if_missing for page in pages if page.score is None and page.status != "skipped"],
        Counter(page.status for page in pages),
        is_pooled=is_pooled,
    )
