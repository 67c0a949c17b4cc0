"""How runs ended, page × method, in columns: 50 bytes a run, where rows take ten times as much."""

from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.core.batch import RunStatus
from annotate.evaluation.store.rows import ResultRow, RunFacts
from annotate.evaluation.tables.axes import ListedPage
from engine.tree import Doubles

Cell = tuple[int, int]
"""A page's row and a method's column."""

_Shared = tuple[str, str, str, str, str, tuple[int, int] | None, str, RunStatus, str]


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """A run and how it ended.

    Attributes:
        run: The run.
        status: Outcome.
        reason: Why there is no score, unless it is ok or empty.
    """

    run: RunFacts
    status: RunStatus
    reason: str = ""

    @classmethod
    def of(cls, row: ResultRow) -> "RunOutcome":
        return cls(row.run, row.status, row.reason)


class RunOutcomes(MutableMapping[Cell, RunOutcome]):
    """Outcomes of runs by cell, page by page.

    Args:
        pages: The rows of the table.

    Attributes:
        ms, size: Milliseconds and bytes of each run, float64 (pages, columns); NaN is not known.
    """

    def __init__(self, pages: Sequence[ListedPage]) -> None:
        self._pages = pages
        self._codes = np.zeros((2, len(pages), 0), dtype=np.int32)  # what is shared, page hash
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
        shared = self._known[code]
        if shared is None:
            raise KeyError(cell)
        ms, size, unmapped, gold, extract = (
            None if number != number else number for number in self._numbers[:, *cell].tolist()
        )
        read, method, version, parameters, renderer, viewport, unit, status, reason = shared
        run = RunFacts(
            page.dataset,
            page.name,
            read,
            method,
            version,
            parameters,
            ms,
            None if unmapped is None else int(unmapped),
            self._hashes[digest],
            int(size or 0),
            renderer,
            viewport,
            gold,
            extract,
            unit,
        )
        return RunOutcome(run, status, reason)

    def __setitem__(self, cell: Cell, end: RunOutcome) -> None:
        run = end.run
        shared = (
            *(run.input, run.method, run.version, run.parameters, run.renderer, run.viewport),
            *(run.word_unit, end.status, end.reason),
        )
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

    def shares(self, pages: Sequence[int], column: int) -> Doubles:
        """Return shares of gold and extract that are located, float64 (2, n); NaN is not known.

        Of those pages on which a method ran.
        """
        rows = np.asarray(pages, dtype=np.int64)
        rows = rows[self._codes[0, rows, column] > 0]
        return np.ascontiguousarray(self._numbers[3:, rows, column])
