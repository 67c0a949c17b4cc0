"""WalkedList and WalkBar: the items of a walk, one a row, and buttons to step through them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QWidget

from gui.widgets.layouts import lay_out
from gui.widgets.parts import ElidedLabel, IconButton, tone

_ENTER: tuple[int, ...] = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_DELETE: tuple[int, ...] = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


def line_list(name: str, parent: QWidget) -> QListWidget:
    """Return a list of wrapped lines without a frame; ``name`` is for screen readers."""
    result = QListWidget(parent)
    result.setAccessibleName(name)
    result.setWordWrap(True)
    result.setFrameShape(QListWidget.Shape.NoFrame)
    result.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return result


class WalkedList(QListWidget):
    """A list without a frame whose rows all have one height; its current row is the walk's.

    `chosen` is emitted where the user takes another row, not where the walk does.

    Args:
        parent: The panel.
        enter, delete: Called when Enter or Del is pressed; None for what a list does then.
    """

    chosen = Signal(int)  # row

    def __init__(
        self,
        parent: QWidget | None = None,
        enter: Callable[[], object] | None = None,
        delete: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(parent)
        self._acts = {
            key: act for keys, act in ((_ENTER, enter), (_DELETE, delete)) for key in keys
        }
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._acts.get(event.key())
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current row visible: the part above the list may grow for it."""
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


class WalkBar(QWidget):
    """Words at the left, then buttons of what can be done there, then the two that walk."""

    stepped = Signal(int)  # 1 to the next, -1 to the one before

    def __init__(
        self,
        previous: str,
        following: str,
        parent: QWidget | None = None,
        *,
        buttons: Sequence[IconButton] = (),
    ) -> None:
        """``previous`` and ``following`` are the tool tips of the two that walk."""
        super().__init__(parent)
        self.status = ElidedLabel("", self)
        self.previous = IconButton("previous", previous, self)
        self.next = IconButton("next", following, self)
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        layout = lay_out(QHBoxLayout(self), (self.status, 1), spacing=2)
        for button in (*buttons, self.previous, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            layout.addWidget(button)

    def show_position(
        self, words: str, hint: str = "", *, can_walk: bool | tuple[bool, bool]
    ) -> None:
        """Show the position, or how to reach the first item.

        ``can_walk`` is of both ways, or first of the one back, then of the one on.
        """
        back, on = can_walk if isinstance(can_walk, tuple) else (can_walk, can_walk)
        self.status.setText(words or (hint if on else ""))
        tone(self.status, "" if words else "muted")
        self.previous.setEnabled(back)
        self.next.setEnabled(on)
