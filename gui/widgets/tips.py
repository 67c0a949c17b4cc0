"""Tool tips with plain text, safe for text of others."""

from PySide6.QtGui import Qt

from engine.words import cut_text


def plain(text: str) -> str:
    """Return a text so that a tool tip shows its letters.

    Qt takes what looks like HTML for HTML: the title of a page would be drawn, not read.
    What is longer than a message is cut.
    """
    text = cut_text(text)
    if not Qt.mightBeRichText(text):
        return text
    return Qt.convertFromPlainText(text, Qt.WhiteSpaceMode.WhiteSpaceNormal)
