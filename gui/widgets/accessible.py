"""What a screen reader reads: messages, and names of parts that Qt makes without one.

Qt knows the roles of its own classes.  One that paints itself has none, and PySide cannot give it
one (an interface made in Python is freed twice), so its accessible description says what it is.
"""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget


def announce(widget: QWidget, text: str) -> None:
    """Announce a message to screen readers."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def make_clearable(field: QLineEdit) -> None:
    """Add the button that empties a field, with a name."""
    field.setClearButtonEnabled(True)
    button = field.findChild(QToolButton)
    assert isinstance(button, QToolButton)
    button.setAccessibleName("Clear")
