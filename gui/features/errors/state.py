"""Errors of one method on the open page: their order and the current one."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from algorithms.explain.page_errors import DiffPiece, ErrorOrder, PageError, order_errors
from annotate.evaluation.robustness.perturbations import Perturbation
from annotate.evaluation.robustness.perturbed import OF_SOURCE
from engine.page import SOURCES, Input
from gui.state.walk import Walk

GOLD = ""
"""Key of a comparison with gold; not the key of a layer."""

INPUTS: dict[str, Input] = {f"input {name}": name for name in SOURCES}
"""Keys of comparisons of a method with itself on another input; not keys of layers."""


CHANGES: dict[str, Perturbation] = {f"change {each.key}": each for each in OF_SOURCE}
"""Keys of comparisons of a method with itself after a harmless change of the page."""


class ErrorWalk(Walk[PageError]):
    """Errors of a layer against gold or another layer, with a current one.

    Attributes:
        against: Reference of the comparison: `GOLD`, a layer's key, one of `INPUTS` or of
            `CHANGES`.
        items: Errors in the chosen order.
        pieces: Both texts as one; empty for blocks.
        trouble: Why errors could not be found, a sentence; "" if nothing is wrong.
    """

    asked = Signal()  # the comparison has changed: the errors must be computed again

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.against, self.order = GOLD, ErrorOrder.POSITION
        self.key = self.trouble = ""
        self._is_starting = False
        self.pieces: tuple[DiffPiece, ...] = ()

    def start(self, change: str = "") -> None:
        """Show the errors, the first of them as soon as it is known.

        ``change`` is the key of a harmless change to compare with; "" keeps the reference, but
        replaces a change by gold.
        """
        asked = f"change {change}"
        if asked in CHANGES:
            self.against = asked
        elif self.against in CHANGES:
            self.against = GOLD
        self._is_starting = True
        self.choose(-1)
        self.show(True)
        self.asked.emit()

    def set_against(self, key: str) -> None:
        """Compare with another layer, or with `GOLD`."""
        if key != self.against:
            self.against = key
            self.asked.emit()

    def set_order(self, order: ErrorOrder) -> None:
        """Sort by position or by size; the current error stays."""
        if order is not self.order:
            self.order = order
            self.set_errors(self.key, self._in_page_order(), self.trouble, self.pieces)

    def set_errors(
        self,
        key: str,
        errors: Sequence[PageError],
        trouble: str = "",
        pieces: Sequence[DiffPiece] = (),
    ) -> None:
        """Set the errors of a layer; the current one stays if it is still listed."""
        current = self.current if key == self.key else None
        self.key, self.items, self.trouble = key, order_errors(errors, self.order), trouble
        self.pieces = tuple(pieces)
        self.index = self.items.index(current) if current in self.items else -1
        self.changed.emit()
        if self._is_starting and self.items:
            self._is_starting = False
            self.index = 0
        self.index_changed.emit()

    def begin(self) -> None:
        """Go to the first error if the list was just started and is filled."""
        if self._is_starting and self.items:
            self._is_starting = False
            self.choose(0)

    @property
    def status(self) -> str:
        """Position in the list: "3 of 17 · 212 words missing · Sidebar"; "" without errors."""
        error = self.current
        if error is None:
            return ""
        parts = [f"{self.index + 1} of {len(self.items)}", error.in_words]
        if error.heading:
            parts.append(error.heading)
        if not error.rows:
            parts.append("not shown on the page")
        return " · ".join(parts)

    def _in_page_order(self) -> list[PageError]:
        def at(error: PageError) -> tuple[int, int]:
            if error.is_text:
                return error.at, int(error.is_elsewhere)
            return error.rows[0], error.rows[-1]

        return sorted(self.items, key=at)
