"""Suggestions of the methods shown, as they are looked at: which, filtered how, which one."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from annotate.marks.suggestions import Suggestion, SuggestionKey
from gui.state.walk import Walk


@dataclass(frozen=True)
class SuggestionFilter:
    """Which suggestions are listed.

    Attributes:
        level: Only of this level; None for all.
        agreed: Only what so many methods propose, at least; 0 for all that were asked.
        words: Only what has these letters in its type or among its methods' keys.
    """

    level: int | None = None
    agreed: int = 1
    words: str = ""

    def admits(self, each: Suggestion) -> bool:
        if self.level is not None and each.level != self.level:
            return False
        if len(each.methods) < (self.agreed or each.asked):
            return False
        text = f"{each.type} {' '.join(each.methods)}".casefold()
        return all(word in text for word in self.words.casefold().split())


class SuggestionWalk(Walk[Suggestion]):
    """One list, walked one by one.

    Attributes:
        found: What is open: neither marked nor rejected.
        items: What of that is listed.
        rejected: What was turned down on this page.
        trouble: Why there is nothing to list, a sentence; "" where that means there is nothing.
    """

    rejected_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.all_items: tuple[Suggestion, ...] = ()
        self.rejected: frozenset[SuggestionKey] = frozenset()
        self.active_filter = SuggestionFilter()
        self.trouble = ""

    def set_suggestions(self, result: Sequence[Suggestion], trouble: str = "") -> None:
        """Say what is open; who looked at one that is gone looks at the next."""
        self.all_items, self.trouble = tuple(result), trouble
        self._refresh()

    def set_filter(self, active: SuggestionFilter) -> None:
        """List other ones."""
        if active != self.active_filter:
            self.active_filter = active
            self._refresh()

    def set_rejected(self, rejected: frozenset[SuggestionKey]) -> None:
        """Say what was turned down."""
        if rejected != self.rejected:
            self.rejected = rejected
            self.rejected_changed.emit()

    def _refresh(self) -> None:
        current, before = self.current, self.index
        self.items = tuple(filter(self.active_filter.admits, self.all_items))
        keys = [each.key for each in self.items]
        if current is not None and current.key in keys:
            self.index = keys.index(current.key)
        else:
            self.index = min(before, len(self.items) - 1)
        self.changed.emit()
        self.index_changed.emit()
