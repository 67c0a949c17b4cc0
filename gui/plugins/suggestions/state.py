"""Suggestions of the visible methods: their filter and the current one."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from algorithms.levels import Level
from annotate.plugins.suggestions.suggestions import Suggestion, SuggestionKey
from gui.state.walk import Walk


@dataclass(frozen=True)
class SuggestionFilter:
    """Filter of the listed suggestions.

    Attributes:
        level: Only those of this level; None for all.
        agreed: Only those of at least so many methods; 0 for all methods asked.
        words: Only those with these letters in their type or methods' keys.
    """

    level: Level | None = None
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
    """List of suggestions with a current one.

    Attributes:
        all_items: Open suggestions: neither marked nor rejected.
        items: Open suggestions that pass the filter.
        rejected: Suggestions rejected on this page.
        trouble: Why nothing could be listed, a sentence; "" if nothing is wrong.
    """

    rejected_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.all_items: tuple[Suggestion, ...] = ()
        self.rejected: frozenset[SuggestionKey] = frozenset()
        self.active_filter = SuggestionFilter()
        self.trouble = ""

    def set_suggestions(self, result: Sequence[Suggestion], trouble: str = "") -> None:
        """Set the open suggestions; if the current one is gone, the next becomes current."""
        self.all_items, self.trouble = tuple(result), trouble
        self._refresh()

    def set_filter(self, active: SuggestionFilter) -> None:
        """Change the filter and update the list."""
        if active != self.active_filter:
            self.active_filter = active
            self._refresh()

    def set_rejected(self, rejected: frozenset[SuggestionKey]) -> None:
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
