"""How runs ended, page × method, in columns: 80 bytes a run, where rows take ten times as much."""

import re
from array import array
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.core.batch import RunStatus
from annotate.evaluation.columns import ListedPage
from annotate.evaluation.rows import ResultRow, RunFacts
from engine.tree import Doubles

Cell = tuple[int, int]
"""A page's row and a method's column."""

_NOTHING = -1
_HASH_BYTES = 32
_HASH = re.compile(rf"[0-9a-f]{{{2 * _HASH_BYTES}}}")
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
    """Outcomes of runs by cell, in order of appearance.

    Args:
        pages: The rows of the table.
    """

    def __init__(self, pages: Sequence[ListedPage]) -> None:
        self._pages = pages
        self._slot = np.full((len(pages), 0), _NOTHING, dtype=np.int64)
        self._cells = array("q")  # row and column of each slot, one after the other
        self._numbers = array("d")  # of each slot ms and both shares; NaN is not known
        self._counts = array("q")  # of each slot bytes and unlocated words; -1 is not known
        self._hashes = _PageHashes()
        self._codes = array("q")
        self._shared: list[_Shared] = []
        self._code_of: dict[_Shared, int] = {}
        self._count = 0

    def widen(self) -> None:
        """Add a column."""
        self._slot = np.pad(self._slot, ((0, 0), (0, 1)), constant_values=_NOTHING)

    def __getitem__(self, cell: Cell) -> RunOutcome:
        return self._at(self._slot_of(cell))

    def __setitem__(self, cell: Cell, end: RunOutcome) -> None:
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
        self._hashes.append(run.page_hash)
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

    def shares(self, pages: Sequence[int], column: int) -> Doubles:
        """Return shares of gold and extract that are located, float64 (2, n); NaN is not known.

        Of those pages on which a method ran.
        """
        slots = self._slot[np.asarray(pages, dtype=np.int64), column]
        numbers = np.frombuffer(self._numbers).reshape(-1, 3)[slots[slots != _NOTHING]]
        return np.ascontiguousarray(numbers[:, 1:].T)

    def _at(self, slot: int) -> RunOutcome:
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
        return RunOutcome(run, status, reason)


class _PageHashes:
    """SHA-256 of pages as texts, 32 bytes each, and 8 for each run: those of a page follow on."""

    def __init__(self) -> None:
        self._packed = bytearray()
        self._at = array("q")  # where it is, or the complement of a number of one of the odd ones
        self._odd: dict[str, int] = {}
        self._texts: list[str] = []
        self._last = ""

    def __getitem__(self, slot: int) -> str:
        at = self._at[slot]
        return self._texts[~at] if at < 0 else self._packed[at : at + _HASH_BYTES].hex()

    def append(self, text: str) -> None:
        """Add that of a run."""
        if self._at and text == self._last:
            self._at.append(self._at[-1])
            return
        self._last = text
        if _HASH.fullmatch(text):
            self._at.append(len(self._packed))
            self._packed += bytes.fromhex(text)
        else:
            if text not in self._odd:
                self._odd[text] = len(self._texts)
                self._texts.append(text)
            self._at.append(~self._odd[text])
