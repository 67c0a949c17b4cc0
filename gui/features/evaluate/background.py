"""Request for an evaluation in the window."""

from collections.abc import Callable
from dataclasses import dataclass

from annotate.evaluation.tables.axes import Column
from gui.core.background_run import BackgroundWork


@dataclass(frozen=True)
class Request:
    """Request for an evaluation.

    Attributes:
        pages: Rows of the table.
        columns: Methods as they are set up.
        left_out: Pages and methods of these that need not be run.
    """

    pages: tuple[int, ...]
    columns: tuple[Column, ...]
    left_out: frozenset[tuple[int, Column]] = frozenset()

    @property
    def inputs(self) -> int:
        """Largest number of inputs read per page."""
        return len({column.input for column in self.columns})

    def inputs_of(self, page: int) -> int:
        """Return the number of inputs read of one page."""
        return len({c.input for c in self.columns if (page, c) not in self.left_out})


Evaluate = Callable[[Request], BackgroundWork]
"""Prepares the work on the window's thread; raises `PageletError` on failure."""
