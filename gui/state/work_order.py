"""Order in which pages are to be worked on, and its reason; by default that of the list."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

ORDERS = {
    "bad": "hardest first",
    "teaches": "most informative first",
    "unusual": "least similar first",
    "disagreement": "most disputed first",
}
"""Orders of `annotate.evaluation.run.triage`, in words."""


@dataclass(frozen=True)
class WorkRank:
    """Reason for a page's position in the order.

    Attributes:
        f1: The F1 that is expected of it; -1 where nothing can be.
        reason: In words, where an order has no other.
        values: Order → by what it lists pages, the lowest first.
        reasons: Order → the same in words.
    """

    f1: float
    reason: str
    values: Mapping[str, float] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)

    def value(self, order: str) -> float:
        """Return by what the page is listed; before all others where nothing is known."""
        return self.values.get(order, -2.0)

    def why(self, order: str) -> str:
        """Return in words by what the page is listed."""
        return self.reasons.get(order, self.reason)


class WorkOrder(QObject):
    """The order of work.

    Attributes:
        ranks: By page key; empty as long as the list has its own order.
        by: Order of the pages, a key of `ORDERS`.
    """

    changed = Signal()
    asked = Signal()  # the list is to be seen

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ranks: Mapping[str, WorkRank] = {}
        self.by = "bad"

    def set_ranks(self, ranks: Mapping[str, WorkRank]) -> None:
        if ranks != self.ranks:
            self.ranks = dict(ranks)
            self.changed.emit()

    def set_by(self, by: str) -> None:
        """List other pages first."""
        if by != self.by:
            self.by = by
            if self.ranks:
                self.changed.emit()

    @property
    def in_words(self) -> str:
        """Which pages come first; "" where the list has its own order."""
        return ORDERS[self.by] if self.ranks else ""
