"""What a screen reader reads: messages, and names of parts that Qt makes without one.

Qt knows the roles of its own classes.  One that paints itself has none, and PySide cannot give it
one (an interface made in Python is freed twice), so its accessible description says what it is.
"""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget


def announce(widget: QWidget, text: str) -> None:
    """Announce a message to screen readers."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def search_field(placeholder: str, parent: QWidget, name: str = "") -> QLineEdit:
    """Return a field that can be emptied; readers get its ``name``, else the placeholder."""
    field = QLineEdit(parent, placeholderText=placeholder)
    field.setAccessibleName(name or placeholder)
    make_clearable(field)
    return field


def make_clearable(field: QLineEdit) -> None:
    """Add the button that empties a field, with a name."""
    field.setClearButtonEnabled(True)
    button = field.findChild(QToolButton)
    assert isinstance(button, QToolButton)
    button.setAccessibleName("Clear")
