"""WalkBar: where one is in a list, and buttons to the one before and the next."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.widgets.layouts import lay_out
from gui.widgets.parts import ElidedLabel, IconButton, tone


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
