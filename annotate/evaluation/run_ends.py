"""How runs ended, page × method, in columns: 70 bytes a run, where rows take ten times as much."""

from array import array
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.batch import RunStatus
from annotate.evaluation.columns import ListedPage
from annotate.evaluation.rows import ResultRow, RunFacts

Cell = tuple[int, int]
"""A page's row and a method's column."""

_NOTHING = -1
_Shared = tuple[str, str, str, str, str, tuple[int, int] | None, str, RunStatus, str]


@dataclass(frozen=True, slots=True)
class RunEnd:
    """A run and how it ended.

    Attributes:
        run: The run.
        status: How it ended.
        reason: Why there is no score, where it is neither ok nor empty.
    """

    run: RunFacts
    status: RunStatus
    reason: str = ""

    @classmethod
    def of(cls, row: ResultRow) -> "RunEnd":
        """Return what a row says of its run."""
        return cls(row.run, row.status, row.reason)


class RunEnds(MutableMapping[Cell, RunEnd]):
    """Cell → how its run ended, in the order in which they came.

    Args:
        pages: The rows of the table.
    """

    def __init__(self, pages: Sequence[ListedPage]) -> None:
        self._pages = pages
        self._slot = np.full((len(pages), 0), _NOTHING, dtype=np.int64)
        self._cells = array("q")  # row and column of each slot, one after the other
        self._numbers = array("d")  # of each slot ms and both shares; NaN is not known
        self._counts = array("q")  # of each slot bytes and unlocated words; -1 is not known
        self._hashes: list[str] = []
        self._codes = array("q")
        self._shared: list[_Shared] = []
        self._code_of: dict[_Shared, int] = {}
        self._count = 0

    def widen(self) -> None:
        """Add a column."""
        self._slot = np.pad(self._slot, ((0, 0), (0, 1)), constant_values=_NOTHING)

    def __getitem__(self, cell: Cell) -> RunEnd:
        return self._at(self._slot_of(cell))

    def __setitem__(self, cell: Cell, end: RunEnd) -> None:
        self.pop(cell, None)
        run = end.run
        shared = (
            *(run.input, run.method, run.version, run.parameters, run.renderer, run.viewport),
            *(run.word_unit, end.status, end.reason),
        )
        code = self._code_of.setdefault(shared, len(self._shared))
        if code == len(self._shared):
            self._shared.append(shared)
        self._slot[cell] = len(self._codes)
        self._codes.append(code)
        self._cells.extend(cell)
        known = (run.ms, run.gold_on_page, run.extract_on_page)
        self._numbers.extend(np.nan if number is None else number for number in known)
        unmapped = _NOTHING if run.unmapped_words is None else run.unmapped_words
        self._counts.extend((run.size, unmapped))
        is_same = bool(self._hashes) and self._hashes[-1] == run.page_hash
        self._hashes.append(self._hashes[-1] if is_same else run.page_hash)
        self._count += 1

    def __delitem__(self, cell: Cell) -> None:
        self._slot_of(cell)
        self._slot[cell] = _NOTHING
        self._count -= 1

    def __iter__(self) -> Iterator[Cell]:
        for slot in range(len(self._codes)):
            cell = self._cells[2 * slot], self._cells[2 * slot + 1]
            if self._slot[cell] == slot:
                yield cell

    def __len__(self) -> int:
        return self._count

    def _slot_of(self, cell: Cell) -> int:
        slot = int(self._slot[cell])
        if slot == _NOTHING:
            raise KeyError(cell)
        return slot

    def _at(self, slot: int) -> RunEnd:
        page = self._pages[self._cells[2 * slot]]
        read, method, version, parameters, renderer, viewport, unit, status, reason = self._shared[
            self._codes[slot]
        ]
        ms, gold, extract = (
            None if number != number else number
            for number in self._numbers[3 * slot : 3 * slot + 3]
        )
        size, unmapped = self._counts[2 * slot], self._counts[2 * slot + 1]
        run = RunFacts(
            page.dataset,
            page.name,
            read,
            method,
            version,
            parameters,
            ms,
            None if unmapped == _NOTHING else unmapped,
            self._hashes[slot],
            size,
            renderer,
            viewport,
            gold,
            extract,
            unit,
        )
        return RunEnd(run, status, reason)
