"""The door for translation: the window's fixed texts pass it before they are shown.

Rows of actions and shared widgets pass it as they are made; `translate_in` takes whatever else
stands in a window, panel or view. A text made of numbers and names as it is shown is in English.
"""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractButton, QComboBox, QGroupBox, QLabel, QLineEdit, QWidget

CONTEXT = "Pagelet"
"""Under which a `QTranslator` has the texts; the English one is the key."""

_ALWAYS_THERE = "File"


def translate(text: str) -> str:
    """Return a text in the language of the installed translator, else as it is."""
    return QCoreApplication.translate(CONTEXT, text) if text else text


def translate_in(root: QWidget) -> None:
    """Put the fixed texts of a widget and of all in it into the language of the translator."""
    if translate(_ALWAYS_THERE) == _ALWAYS_THERE:
        return  # English
    for widget in (root, *root.findChildren(QWidget)):
        widget.setToolTip(translate(widget.toolTip()))
        widget.setAccessibleName(translate(widget.accessibleName()))
        widget.setWindowTitle(translate(widget.windowTitle()))
        if isinstance(widget, QLabel | QAbstractButton):
            widget.setText(translate(widget.text()))
        elif isinstance(widget, QLineEdit):
            widget.setPlaceholderText(translate(widget.placeholderText()))
        elif isinstance(widget, QGroupBox):
            widget.setTitle(translate(widget.title()))
        elif isinstance(widget, QComboBox):
            for index in range(widget.count()):
                widget.setItemText(index, translate(widget.itemText(index)))
