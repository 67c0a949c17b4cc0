"""Texts of the window: translated, safe in tool tips, and rich texts that load nothing.

Rows of actions and shared widgets pass `translate` as they are made; `translate_in` takes whatever
else stands in a window, panel or view.  A text made of numbers and names as it is shown is in
English.
"""

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QImage, Qt, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QTextBrowser,
    QWidget,
)

from engine.words import cut_text

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


def plain(text: str) -> str:
    """Return a text so that a tool tip shows its letters.

    Qt takes what looks like HTML for HTML: the title of a page would be drawn, not read.
    What is longer than a message is cut.
    """
    text = cut_text(text)
    if not Qt.mightBeRichText(text):
        return text
    return Qt.convertFromPlainText(text, Qt.WhiteSpaceMode.WhiteSpaceNormal)


_NOTHING = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
"""For None, and for what is no picture, Qt goes on and reads the file itself."""
_NOTHING.fill(0)


class ClosedDocument(QTextDocument):
    """A document that loads neither pictures of the web nor local files.

    Its contents may come from others, such as a team's guideline.  Qt's own read any local file
    that a picture names, also a pipe or a device that never ends, in the window's thread.  Pictures
    that the window adds (`QTextDocument.addResource`) are shown.
    """

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        return _NOTHING


class ClosedBrowser(QTextBrowser):
    """A browser of texts that loads neither pictures of the web nor local files."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        return _NOTHING
