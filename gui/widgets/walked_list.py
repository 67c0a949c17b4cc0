"""WalkedList: the items of a walk, one a row; the current row is where the walk is."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QListWidget, QWidget


class WalkedList(QListWidget):
    """A list without a frame whose rows all have one height.

    `chosen` is emitted where the user takes another row, not where the walk does.
    """

    chosen = Signal(int)  # row

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_filled = False  # whether what changes is not the user's doing
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.currentRowChanged.connect(self._on_row)

    @contextmanager
    def being_filled(self) -> Iterator[None]:
        """While this lasts nothing that changes is a choice of the user."""
        self._is_filled = True
        try:
            yield
        finally:
            self._is_filled = False

    def show_position(self, row: int) -> None:
        """Make a row current and scroll to it; -1 for none."""
        with self.being_filled():
            self.setCurrentRow(row)
        if row >= 0:
            self.scrollToItem(self.currentItem())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current row visible: what stands above the list may take more room for it."""
        super().resizeEvent(event)
        current = self.currentItem() if self.currentRow() >= 0 else None
        seen = QRect(QPoint(), event.oldSize())
        if current is not None and seen.intersects(self.visualItemRect(current)):
            self.scrollToItem(current)

    def entries(self) -> list[str]:
        """Return the text of each row for screen readers."""
        role = Qt.ItemDataRole.AccessibleTextRole
        return [str(self.item(row).data(role)) for row in range(self.count())]

    def _on_row(self, row: int) -> None:
        if not self._is_filled:
            self.chosen.emit(row)
