"""How runs ended, page × method, in columns: 50 bytes a run, where rows take ten times as much.

Among it, how much of gold and extracts is on the page.
"""

from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.core.batch import RunStatus
from algorithms.measures.text_comparison import LEAST_ON_PAGE
from annotate.evaluation.store.rows import RunFacts
from annotate.evaluation.tables.axes import ListedPage
from engine.tree import Doubles, Indices
from engine.words import plural

Cell = tuple[int, int]
"""A page's row and a method's column."""

_Rendered = tuple[str, tuple[int, int] | None]
_Shared = tuple[tuple[str, str, str, str], _Rendered, str, RunStatus, str, bool]
"""What many runs share: setup, renderer with viewport, word unit, status, reason, gold seen."""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """A run and how it ended; ``reason`` is why there is no score, unless it is ok or empty."""

    run: RunFacts
    status: RunStatus
    reason: str = ""


class RunOutcomes(MutableMapping[Cell, RunOutcome]):
    """Outcomes of runs by cell, page by page.

    Args:
        pages: The rows of the table.

    Attributes:
        ms, size: Milliseconds and bytes of each run, float64 (pages, columns); NaN is not known.
    """

    def __init__(self, pages: Sequence[ListedPage]) -> None:
        self._pages = pages
        self._codes = np.zeros((2, len(pages), 0), dtype=np.int32)  # shared value, page hash
        # Milliseconds, bytes, unmapped words, shares of gold and extract; NaN is not known.
        self._numbers: Doubles = np.zeros((5, len(pages), 0))
        self.ms: Doubles = self._numbers[0]
        self.size: Doubles = self._numbers[1]
        self._shared: dict[_Shared | None, int] = {None: 0}  # None: no run
        self._known: list[_Shared | None] = [None]
        self._hashes = [""]  # runs of a page follow each other

    def widen(self) -> None:
        more = ((0, 0), (0, 0), (0, 1))
        self._codes = np.pad(self._codes, more)
        self._numbers = np.pad(self._numbers, more, constant_values=np.nan)
        self.ms, self.size = self._numbers[0], self._numbers[1]

    def __getitem__(self, cell: Cell) -> RunOutcome:
        page = self._pages[cell[0]]
        code, digest = self._codes[:, *cell].tolist()
        shared: _Shared | None = self._known[code]
        if shared is None:
            raise KeyError(cell)
        ms, size, unmapped, gold, extract = (
            None if number != number else number for number in self._numbers[:, *cell].tolist()
        )
        setup, rendered, unit, status, reason, seen = shared
        words, page_hash = None if unmapped is None else int(unmapped), self._hashes[digest]
        numbers = ms, words, page_hash, int(size or 0)
        run = RunFacts(
            page.dataset, page.name, *setup, *numbers, *rendered, gold, extract, unit,
            gold_seen=seen,
        )  # fmt: skip
        return RunOutcome(run, status, reason)

    def __setitem__(self, cell: Cell, end: RunOutcome) -> None:
        run = end.run
        setup = run.input, run.method, run.version, run.parameters
        rendered = run.renderer, run.viewport
        shared = setup, rendered, run.word_unit, end.status, end.reason, run.gold_seen
        code = self._shared.setdefault(shared, len(self._known))
        if code == len(self._known):
            self._known.append(shared)
        if run.page_hash != self._hashes[-1]:
            self._hashes.append(run.page_hash)
        numbers = (run.ms, run.size, run.unmapped_words, run.gold_on_page, run.extract_on_page)
        self._codes[:, *cell] = code, len(self._hashes) - 1
        self._numbers[:, *cell] = [np.nan if number is None else number for number in numbers]

    def __delitem__(self, cell: Cell) -> None:
        if not self._codes[0, *cell]:
            raise KeyError(cell)
        self._codes[:, *cell] = 0
        self._numbers[:, *cell] = np.nan

    def __iter__(self) -> Iterator[Cell]:
        for page, codes in enumerate(self._codes[0]):
            for column in np.flatnonzero(codes).tolist():
                yield page, column

    def __len__(self) -> int:
        return int(np.count_nonzero(self._codes[0]))

    @property
    def renderers(self) -> tuple[str, ...]:
        """Name and version of each browser that pages of the runs were rendered by."""
        return tuple(dict.fromkeys(each[1][0] for each in self._known if each and each[1][0]))

    def seen(self, column: int, pages: Indices) -> int:
        """Return on how many of some pages a method had learned from their gold."""
        has_seen = np.array([each is not None and each[-1] for each in self._known])
        return int(has_seen[self._codes[0, pages, column]].sum())

    def located(self, column: int, pages: Indices) -> "Located":
        """Return how much of gold and extracts is on the pages, of those a method ran on."""
        rows = pages[self._codes[0, pages, column] > 0]
        return Located(*self._numbers[3:, rows, column])


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

    @property
    def is_whole(self) -> bool:
        """Whether all that is known of is on the page."""
        return not any((shares < 1).any() for shares in (self.gold, self.extract))

    @property
    def pages(self) -> tuple[int, int]:
        """Number of pages with a known share of gold, and with a known share of the extract."""
        return int((~np.isnan(self.gold)).sum()), int((~np.isnan(self.extract)).sum())

    @property
    def means(self) -> tuple[float | None, float | None]:
        """The mean share of gold, and of extracts; None where nothing is known."""
        return _mean(self.gold), _mean(self.extract)

    def gold_below(self) -> tuple[int, ...]:
        """Return on how many pages less of the gold is located than each of `LIMITS`."""
        return tuple(int((self.gold < limit).sum()) for limit in LIMITS)

    @property
    def sentence(self) -> str:
        """Note on gold that is not located; "" where all of it is on the page."""
        (mean, _), below = self.means, self.gold_below()
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
