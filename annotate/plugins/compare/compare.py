"""What changed from one version of a method to another: which pages, how, and why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from algorithms.core.mapping import map_text
from algorithms.explain.differences import ErrorKind, text_errors
from algorithms.explain.page_errors import PageError, errors_of
from algorithms.measures.measure import Measure
from algorithms.measures.significance import (
    Interval,
    SignedRank,
    bootstrap_means,
    means_by,
    signed_rank,
)
from algorithms.results import Extraction
from annotate.datasets.copied_pages import copies_in
from annotate.evaluation.run.plan import Chosen
from annotate.plugins.compare.differences import ChangeKind, TextChange, text_change
from annotate.plugins.compare.runs import ComparedPage, guidelines_of
from engine.errors import PageletError
from engine.page import Page
from engine.source import Source
from engine.tree import Bools, Doubles

THRESHOLD = 0.05
"""A page that changes by more than this much is counted."""


@dataclass(frozen=True)
class PageChange:
    """A page that changed.

    Attributes:
        page: The page, with the runs.
        text: Change of its text.
        before, after: Its scores; None without gold.
        reason: The decisions that differ; "" where the method gives none, or none were requested.
    """

    page: ComparedPage
    text: TextChange
    before: float | None = None
    after: float | None = None
    reason: str = ""

    @property
    def difference(self) -> float | None:
        """Gain in score; None without gold."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True)
class Share:
    """The pages of one sort.

    Attributes:
        pages, changed: Number of pages, and of those with changed text.
        scored: On how many both versions have a score.
        mean: The mean difference over those; None without any.
        better, worse: Number of pages that changed by more than the threshold.
    """

    pages: int
    changed: int
    scored: int
    mean: float | None
    better: int
    worse: int


@dataclass(frozen=True)
class VersionComparison:
    """Two versions on the same pages.

    Attributes:
        sides: The two.
        pages: All pages.
        measure: Measure for the scores.
        changes: The pages whose text changed, worst first; without gold the largest first, by kind.
        threshold: Smallest change that counts as better or worse.
    """

    sides: tuple[Chosen, Chosen]
    pages: Sequence[ComparedPage]
    measure: Measure
    changes: Sequence[PageChange]
    threshold: float = THRESHOLD

    @property
    def names(self) -> tuple[str, str]:
        return self.sides[0].entry.key, self.sides[1].entry.key

    @cached_property
    def differences(self) -> Doubles:
        """Gain in score on each page, float64 (pages,); NaN without gold."""
        return self._scores[:, 1] - self._scores[:, 0]

    @cached_property
    def _scores(self) -> Doubles:
        """Score of each version, float64 (pages, 2); NaN where it has no score."""
        values = [[page.value(name, self.measure) for name in self.names] for page in self.pages]
        return np.array(values, dtype=np.float64).reshape(-1, 2)

    @property
    def is_scored(self) -> Bools:
        """Whether both versions have a score, bool (pages,)."""
        return ~np.isnan(self.differences)

    @property
    def has_gold(self) -> bool:
        return bool(self.is_scored.any())

    @cached_property
    def interval(self) -> Interval | None:
        """The mean difference with its 95 % bootstrap interval; None without gold."""
        return bootstrap_means(self.differences.reshape(-1, 1), groups=self._observations)[0]

    @cached_property
    def test(self) -> SignedRank:
        """Whether the differences are symmetric around 0."""
        means = means_by(self.differences.reshape(1, -1), self._observations)[0]
        return signed_rank(means[~np.isnan(means)])

    @cached_property
    def copies(self) -> dict[str, str]:
        """Name of each copy of an earlier page → name of that page; together one observation."""
        return copies_in((f"{page.dataset}/{page.name}", page.files) for page in self.pages)

    @property
    def _observations(self) -> list[str]:
        names = (f"{page.dataset}/{page.name}" for page in self.pages)
        return [self.copies.get(name, name) for name in names]

    @cached_property
    def means(self) -> tuple[float | None, float | None]:
        """The mean of each version over the pages that both have a score on."""
        if not self.has_gold:
            return None, None
        before, after = self._scores[self.is_scored].mean(axis=0).tolist()
        return before, after

    @cached_property
    def whole(self) -> Share:
        return self._share(np.ones(len(self.pages), dtype=bool))

    @cached_property
    def by_type(self) -> Mapping[str, Share]:
        """The same by type of page, largest first; empty where pages have none."""
        types = np.array([page.page_type for page in self.pages])
        names, counts = np.unique(types, return_counts=True)
        if names.size == 1 and not names[0]:
            return {}
        order = np.argsort(-counts, kind="stable")
        return {str(names[k]) or "unknown": self._share(types == names[k]) for k in order}

    @cached_property
    def by_guideline(self) -> Mapping[str, Share]:
        """The same of the pages with gold by its guideline; empty where they have but one."""
        has_gold = self.is_scored
        names = guidelines_of(page for page, has in zip(self.pages, has_gold, strict=True) if has)
        if len(names) < 2:
            return {}
        own = np.array([page.guideline for page in self.pages])
        return {name: self._share(has_gold & (own == name)) for name in names}

    def _share(self, taken: Bools) -> Share:
        values = self.differences[taken]
        known = values[~np.isnan(values)]
        changed = {(each.page.dataset, each.page.name) for each in self.changes}
        here = [page for page, is_taken in zip(self.pages, taken, strict=True) if is_taken]
        return Share(
            len(here),
            sum((page.dataset, page.name) in changed for page in here),
            known.size,
            float(known.mean()) if known.size else None,
            int((known > self.threshold).sum()),
            int((known < -self.threshold).sum()),
        )

    @cached_property
    def by_kind(self) -> Mapping[ChangeKind, tuple[int, int]]:
        """Numbers of pages and of words changed, by kind; largest first."""
        result: dict[ChangeKind, tuple[int, int]] = {}
        for each in self.changes:
            pages, words = result.get(each.text.kind, (0, 0))
            result[each.text.kind] = pages + 1, words + each.text.words
        return dict(sorted(result.items(), key=lambda item: (-item[1][1], -item[1][0])))


def compare(
    sides: tuple[Chosen, Chosen],
    pages: Sequence[ComparedPage],
    measure: Measure,
    *,
    threshold: float = THRESHOLD,
    explain: int = 0,
) -> VersionComparison:
    """Return what changed on pages that both versions were run on.

    Args:
        sides: The earlier version and the later one.
        pages: With the runs of both.
        measure: Measure for the scores.
        threshold: Smallest change that counts as better or worse.
        explain: So many changes, the worst, get the decisions that differ.
    """
    one, two = (side.entry.key for side in sides)
    changes = _in_order([
        PageChange(page, text, page.value(one, measure), page.value(two, measure))
        for page in pages if one in page.runs and two in page.runs
        if (text := text_change(page.runs[one], page.runs[two])) is not None
    ])  # fmt: skip
    worst = (replace(each, reason=reason_of(sides, each)) for each in changes[:explain])
    return VersionComparison(sides, pages, measure, (*worst, *changes[explain:]), threshold)


def _in_order(changes: Sequence[PageChange]) -> list[PageChange]:
    """Return the worst first, then those without gold: the largest first, by kind."""
    words: Counter[ChangeKind] = Counter()
    for each in changes:
        words[each.text.kind] += each.text.words

    def order(change: PageChange) -> tuple[bool, float, int, int]:
        text, difference = change.text, change.difference
        if difference is not None:
            return False, difference, 0, -text.words
        return True, -words[text.kind], [*ChangeKind].index(text.kind), -text.words

    return sorted(changes, key=order)


def reason_of(sides: tuple[Chosen, Chosen], change: PageChange) -> str:
    """Return what each version decided on the longest text that was lost, or gained.

    It is "" where a version gives no reasons, as packages do.
    """
    for side in sides:
        reads = side.input or side.entry.default_input()
        if side.entry.trace_source is None or reads != "original":
            return ""
    try:
        document = change.page.files.document()
        page = Page(document.address, Source.of(document.receive()))
        one, two = (side.entry.run(page, side.params, "original") for side in sides)
        if not isinstance(one, Extraction) or not isinstance(two, Extraction):
            return ""
        kind = ErrorKind.MISSING if change.text.words_lost else ErrorKind.SUPERFLUOUS
        errors = [each for each in text_errors(two, one) if each.kind is kind]
        at = max(errors, key=lambda each: each.words, default=None)
        traces = [side.entry.trace(page, side.params, "original") for side in sides]
    except PageletError:
        return ""
    if at is None:
        return ""
    decided = (() if trace is None else trace.decisions(at.first) for trace in traces)
    return "; ".join(
        f"{side.entry.key}: {decisions[-1].sentence}"
        for side, decisions in zip(sides, decided, strict=True)
        if decisions
    )


def parts_on(page: Page, change: PageChange) -> tuple[PageError, ...]:
    """Return the text lost (`ErrorKind.MISSING`) and gained, in the order of the page.

    Some seconds on a page of a hundred thousand words.
    """
    source = page.original or page.source("dom")
    before, after = (_extraction(source, run.text or "") for run in change.page.runs.values())
    return errors_of(page, after, before)


def largest(parts: tuple[PageError, ...]) -> tuple[PageError, ...]:
    """Return the largest part that was lost and that was gained, of those the page shows."""
    kinds = (ErrorKind.MISSING, ErrorKind.SUPERFLUOUS)
    each = ([part for part in parts if part.kind is kind and part.ranges] for kind in kinds)
    return tuple(max(those, key=lambda part: part.amount) for those in each if those)


def _extraction(source: Source, text: str) -> Extraction:
    mapped = map_text(source, text)
    return Extraction(source, mapped.spans, given=text, unmapped=mapped.unmapped)
