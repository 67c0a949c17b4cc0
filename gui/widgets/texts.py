"""The door for translation: the window's fixed texts pass it before they are shown."""

from PySide6.QtCore import QCoreApplication

CONTEXT = "Pagelet"
"""Under which a `QTranslator` has the texts; the English one is the key."""


def translated(text: str) -> str:
    """Return a text in the language of the installed translator, else as it is."""
    return QCoreApplication.translate(CONTEXT, text) if text else text
