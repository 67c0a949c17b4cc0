"""Picture for a bug report: the page as shown, with the methods' answers below."""

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QImage,
    QPainter,
    QPalette,
    QPen,
    QTextDocument,
)

_INK, _PAPER, _LINE = "#16181d", "#ffffff", "#c9ccd3"
"""Same in both themes: a report is read elsewhere."""

_MARGIN, _NARROWEST = 16, 640


def picture_of(page: QImage, text: str, font: QFont) -> QImage:
    """Return a picture of a page above a text, in the resolution of the page's picture."""
    shot = page.deviceIndependentSize().toSize()
    width = max(shot.width(), _NARROWEST)
    words = QTextDocument()
    words.setDefaultFont(font)
    words.setDocumentMargin(0)
    words.setPlainText(text)
    words.setTextWidth(width - 2 * _MARGIN)
    height = shot.height() + round(words.size().height()) + 2 * _MARGIN
    ratio = page.devicePixelRatio()
    image = QImage(QSize(width, height) * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(_PAPER))
    painter = QPainter(image)
    painter.drawImage(QPointF((width - shot.width()) / 2, 0), page)
    painter.setPen(QPen(QColor(_LINE), 1))
    painter.drawLine(0, shot.height(), width, shot.height())
    painter.translate(_MARGIN, shot.height() + _MARGIN)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette.setColor(QPalette.ColorRole.Text, QColor(_INK))
    words.documentLayout().draw(painter, context)
    painter.end()
    return image
