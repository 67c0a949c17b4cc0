"""In which order pages are to be worked on, and why; where nobody said so, that of the list."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True)
class WorkRank:
    """Why a page comes where it comes.

    Attributes:
        f1: The F1 that is expected of it, pages with the lowest first; -1 where nothing can be.
        reason: In words.
    """

    f1: float
    reason: str


class WorkOrder(QObject):
    """The order of work, by page key; empty as long as the list has its own."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ranks: Mapping[str, WorkRank] = {}

    def set_ranks(self, ranks: Mapping[str, WorkRank]) -> None:
        if ranks != self.ranks:
            self.ranks = dict(ranks)
            self.changed.emit()
