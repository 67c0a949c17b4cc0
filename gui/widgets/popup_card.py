"""A card that opens at a button and goes with the next click elsewhere."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gui.widgets.layouts import lay_out

GAP = 6
"""Room between the button and its card, px."""


class PopupCard(QFrame):
    """Card for fields and facts that are seldom needed."""

    closed = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        """``name`` is for screen readers."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("HelpCard")
        self.setAccessibleName(name)
        self.rows = lay_out(QVBoxLayout(self), margins=(16, 12, 16, 14), spacing=8)

    def open_at(self, button: QWidget, *, above: bool = False) -> None:
        """Show it below a button, or ``above`` it, inside the screen."""
        self.adjustSize()
        foot = 0 if above else button.height()
        at = button.mapToGlobal(QPoint(0, foot))
        top = at.y() - self.height() - GAP if above else at.y() + GAP
        screen = button.screen().availableGeometry()
        left = max(screen.left(), min(at.x(), screen.right() - self.width()))
        self.move(left, max(screen.top(), min(top, screen.bottom() - self.height())))
        self.show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Put the keyboard into the first field."""
        super().showEvent(event)
        self.focusNextChild()
