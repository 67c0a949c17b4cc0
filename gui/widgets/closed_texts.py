"""Rich texts that load nothing: their contents may come from others, such as a team's guideline.

Qt's own read any local file that a picture names, also a pipe or a device that never ends, in the
window's thread.  Pictures that the window adds (`QTextDocument.addResource`) are shown.
"""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QTextBrowser

_NOTHING = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
"""For None, and for what is no picture, Qt goes on and reads the file itself."""
_NOTHING.fill(0)


class ClosedDocument(QTextDocument):
    """A document that loads neither pictures of the web nor local files."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        return _NOTHING


class ClosedBrowser(QTextBrowser):
    """A browser of texts that loads neither pictures of the web nor local files."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        return _NOTHING
