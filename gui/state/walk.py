"""What is shown or hidden, and lists stepped through one by one: checks, errors, differences."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

Item = TypeVar("Item")


class Shown(QObject):
    """State of a panel or a drawing: whether the user asked for it."""

    shown_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_shown = False

    def show(self, is_shown: bool) -> None:
        """Show it, or hide it."""
        if is_shown != self.is_shown:
            self.is_shown = is_shown
            self.shown_changed.emit()


class Walk(Shown, Generic[Item]):
    """A list with a current item.

    Attributes:
        items: What is listed.
        index: Of the current item, -1 for none.
    """

    changed = Signal()  # the items
    index_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.items: tuple[Item, ...] = ()
        self.index = -1

    @property
    def current(self) -> Item | None:
        return self.items[self.index] if 0 <= self.index < len(self.items) else None

    def choose(self, index: int) -> None:
        """Look at one; at none where there is no such."""
        index = index if 0 <= index < len(self.items) else -1
        if index != self.index:
            self.index = index
            self.index_changed.emit()

    def step(self, by: int, *, stops_at: Callable[[Item], bool] = lambda _item: True) -> None:
        """Look at the next one or the one before, round and round, where ``stops_at`` holds."""
        count = len(self.items)
        start = self.index if self.index >= 0 or by > 0 else 0
        for more in range(1, count + 1):
            index = (start + by * more) % count
            if stops_at(self.items[index]):
                self.choose(index)
                return
