"""A page of the documentation as it is read: Markdown set in the window's type and colours."""

import platform
import re
from collections.abc import Iterator

import PySide6
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWebEngineCore import qWebEngineChromiumVersion
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from gui.widgets.theme import Theme, theme_of
from gui.widgets.version import pagelet_version
from resources.documentation import anchor_of, location, read_page

ABOUT = "about.md"
"""A page that is written when it is asked for."""

_PICTURE_WIDTH = 620
_MARGIN = 22
_HEADINGS = {1: (1.6, 0, 10), 2: (1.25, 22, 6), 3: (1.08, 16, 4)}
"""Level → size, room above, room below."""
_PICTURE = "\N{OBJECT REPLACEMENT CHARACTER}"
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def about() -> str:
    """Return what Pagelet is and what it runs on, as Markdown."""
    rows = (
        ("Pagelet", pagelet_version()),
        ("Python", platform.python_version()),
        ("Qt", PySide6.__version__),
        ("Chromium", str(qWebEngineChromiumVersion())),
        ("System", f"{platform.system()} {platform.machine()}"),
    )
    return (
        "# About Pagelet\n\n"
        "A desktop workbench for web-page segmentation and content extraction.\n\n"
        "| part | version |\n| --- | --- |\n"
        + "".join(f"| {name} | {what} |\n" for name, what in rows)
        + "\nFree software under the [MIT License](licence.md). "
        "The [changelog](changelog.md) says what is new.\n"
    )


class HelpText(QTextBrowser):
    """Shows one page at a time; links lead to others, or to the desktop's browser."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenExternalLinks(True)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(_MARGIN)
        self.setUndoRedoEnabled(False)
        self.setMinimumWidth(_PICTURE_WIDTH + 3 * _MARGIN)
        self.sourceChanged.connect(self._on_source)

    def open_page(self, target: str) -> None:
        """Show a page from its beginning, or from a heading: ``formats.md#kreuzer``."""
        page, _, anchor = target.partition("#")
        url = QUrl.fromLocalFile(str(location(page)))
        url.setFragment(anchor)
        self.setSource(url, QTextDocument.ResourceType.MarkdownResource)

    @property
    def page(self) -> str:
        """The file that is shown; "" for none."""
        return self.source().fileName()

    def set_again(self) -> None:
        """Set the page in the colours and type that now hold; it stays where it is."""
        bar = self.verticalScrollBar()
        where = bar.value()
        if self.page:
            self.reload()
            self._set()
            bar.setValue(where)

    def mark(self, words: str) -> None:
        """Mark every place where the words stand, and scroll to the first below the top."""
        found = []
        theme = theme_of(self)
        at = QTextCursor(self.document())
        while words:
            at = self.document().find(words, at)
            if at.isNull():
                break
            place = QTextEdit.ExtraSelection()
            place.cursor = at
            place.format.setBackground(QColor(theme.chosen))
            place.format.setForeground(QColor(theme.text))
            found.append(place)
        self.setExtraSelections(found)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return pages, and pictures at the width of the text: they were taken on large screens."""
        url = QUrl(name)
        if kind == QTextDocument.ResourceType.MarkdownResource.value:
            page = url.fileName()
            return _COMMENT.sub("", about() if page == ABOUT else read_page(page))
        picture = QImage(self.source().resolved(url).toLocalFile())
        ratio = self.devicePixelRatioF()
        width = min(picture.width(), round(_PICTURE_WIDTH * ratio))
        picture = picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        picture.setDevicePixelRatio(ratio)
        return picture

    def _on_source(self, url: QUrl) -> None:
        """Set a page that Qt has loaded; it has looked for its headings too early."""
        if not self._is_set():
            self._set()
        if url.hasFragment():
            self.scrollToAnchor(url.fragment())

    def _is_set(self) -> bool:
        """Whether headings have their names, as the title has; Qt loads a page when it likes."""
        cursor = QTextCursor(self.document().firstBlock())
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        return bool(cursor.charFormat().anchorNames())

    def _set(self) -> None:
        """Set what was loaded in the window's type and colours."""
        document = self.document()
        together = QTextCursor(document)
        together.beginEditBlock()  # else all of the page is laid out anew for each paragraph
        _set_blocks(document, theme_of(self), self.font())
        _set_tables(document, theme_of(self))
        together.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)


def blocks_of(document: QTextDocument) -> Iterator[QTextBlock]:
    """Yield the paragraphs of a document."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _set_blocks(document: QTextDocument, theme: Theme, font: QFont) -> None:
    """Give headings their size and name, code its ground, and all else room between lines."""
    after_table = False
    for block in blocks_of(document):
        shape = QTextBlockFormat()
        level = block.blockFormat().headingLevel()
        is_in_table = QTextCursor(block).currentTable() is not None
        if level:
            _, above, below = _HEADINGS.get(level, _HEADINGS[3])
            shape.setTopMargin(above)
            shape.setBottomMargin(below)
            _set_heading(block, font)
        elif _is_code(block):
            shape.setBackground(_ground(theme))
            shape.setLeftMargin(12)
        elif after_table and not block.text():
            shape.setLineHeight(1, _FIXED)  # Qt's own, to have a place behind the table
        elif not is_in_table and _PICTURE not in block.text():
            shape.setLineHeight(128, _PROPORTIONAL)
        QTextCursor(block).mergeBlockFormat(shape)
        _set_code(block, theme, font)
        after_table = is_in_table


def _is_code(block: QTextBlock) -> bool:
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeLanguage)


def _ground(theme: Theme) -> QColor:
    return QColor(theme.field if theme.name == "dark" else theme.chrome)


def _set_heading(block: QTextBlock, font: QFont) -> None:
    """Set a heading in its size, and name it as links do."""
    size = _HEADINGS.get(block.blockFormat().headingLevel(), _HEADINGS[3])[0]
    letters = QTextCharFormat()
    letters.setFontPointSize(font.pointSizeF() * size)
    letters.setFontWeight(QFont.Weight.DemiBold)
    letters.setAnchor(True)
    letters.setAnchorNames([anchor_of(block.text())])
    _whole(block).setCharFormat(letters)


def _set_code(block: QTextBlock, theme: Theme, font: QFont) -> None:
    """Set code in the fixed font, a little smaller, as its letters are wider."""
    letters = QTextCharFormat()
    letters.setFontFamilies(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families())
    letters.setFontPointSize(font.pointSizeF() * 0.92)
    if _is_code(block):
        _whole(block).mergeCharFormat(letters)
        return
    letters.setBackground(_ground(theme))
    pieces = []
    at = block.begin()
    while not at.atEnd():
        piece = at.fragment()
        if piece.charFormat().fontFixedPitch():
            pieces.append((piece.position(), piece.length()))
        at += 1
    for start, length in pieces:
        _stretch(block, start, length).mergeCharFormat(letters)


def _whole(block: QTextBlock) -> QTextCursor:
    return _stretch(block, block.position(), block.length() - 1)


def _stretch(block: QTextBlock, start: int, length: int) -> QTextCursor:
    cursor = QTextCursor(block)
    cursor.setPosition(start)
    cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _set_tables(document: QTextDocument, theme: Theme) -> None:
    """Draw tables with hairlines, the first row on a ground of its own."""
    for frame in document.rootFrame().childFrames():
        if not isinstance(frame, QTextTable):
            continue
        shape = frame.format()
        shape.setBorder(1)
        shape.setBorderCollapse(True)
        shape.setBorderBrush(QBrush(QColor(theme.line)))
        shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        shape.setCellPadding(5)
        shape.setCellSpacing(0)
        shape.setTopMargin(8)
        shape.setBottomMargin(12)
        shape.clearBackground()
        frame.setFormat(shape)
        for column in range(frame.columns()):
            head = frame.cellAt(0, column)
            ground = head.format()
            ground.setBackground(QColor(theme.hover))
            head.setFormat(ground)
