"""Field for Python: syntax colours, line numbers, and the line with an error."""

from functools import lru_cache
from typing import Any

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from gui.widgets.events import debounce
from gui.widgets.theme import INKS, kind_of, mix_colors, theme_of

INDENT = "    "
_KINDS = {
    "Keyword": "keyword",
    "Operator.Word": "keyword",
    "Name.Class": "tag",
    "Name.Function": "tag",
    "Name.Decorator": "attribute",
    "Name.Builtin": "entity",
    "Literal.String": "value",
    "Literal.Number": "number",
    "Comment": "comment",
}

_Span = tuple[int, int, str]


class PythonColors(QSyntaxHighlighter):
    """Colours a document by Pygments; lexes it as a whole after each change."""

    def __init__(self, field: QPlainTextEdit) -> None:
        super().__init__(field)
        self._field = field
        self._is_read = False
        self._spans: dict[int, tuple[_Span, ...]] = {}  # by line: start, length, kind
        self._later = debounce(self, 0, self._color_rest)
        self._rest: list[int] = []
        field.document().contentsChange.connect(self._on_changed)  # before it is coloured
        self.setDocument(field.document())

    def kinds_of(self, line: int) -> tuple[_Span, ...]:
        return self._spans.get(line, ())

    def highlightBlock(self, text: str) -> None:
        if not self._is_read:
            self._read(self.document())
        inks = INKS[theme_of(self._field).name]
        for start, length, kind in self._spans.get(self.currentBlock().blockNumber(), ()):
            made = QTextCharFormat()
            made.setForeground(QColor(inks[kind]))
            self.setFormat(start, length, made)

    def _on_changed(self, _at: int, removed: int, added: int) -> None:
        self._is_read = self._is_read and not removed and not added

    def _read(self, document: QTextDocument) -> None:
        before, self._spans = self._spans, _spans_of(document.toPlainText())
        self._is_read = True
        self._rest = [k for k in {*before, *self._spans} if before.get(k) != self._spans.get(k)]
        self._later.start()

    def _color_rest(self) -> None:
        """Colour lines changed by another one, such as the rest of a multi-line string."""
        rest, self._rest = self._rest, []
        for number in rest:
            block = self.document().findBlockByNumber(number)
            if block.isValid():
                self.rehighlightBlock(block)


def _spans_of(text: str) -> dict[int, tuple[_Span, ...]]:
    result: dict[int, list[_Span]] = {}
    line = column = 0
    if not text:  # the field of a new window is empty: it needs no lexer
        return {}
    for _, token, value in _lexer().get_tokens_unprocessed(text):
        kind = kind_of(token, _KINDS)
        for k, part in enumerate(value.split("\n")):
            if k:
                line, column = line + 1, 0
            units = len(part.encode("utf-16-le")) // 2  # the unit of Qt's positions
            if kind and units:
                result.setdefault(line, []).append((column, units, kind))
            column += units
    return {number: tuple(spans) for number, spans in result.items()}


@lru_cache(maxsize=1)
def _lexer() -> Any:  # noqa: ANN401  a lexer of Pygments; not before a file is edited
    from pygments.lexers.python import PythonLexer

    return PythonLexer(stripnl=False, ensurenl=False)


class CodeField(QPlainTextEdit):
    """Enter keeps the indentation, Tab indents by four; line numbers are at the left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setAccessibleName("Code of the method")
        self.colors = PythonColors(self)
        self._numbers = _LineNumbers(self)
        self._error = 0
        self.blockCountChanged.connect(lambda _count: self._make_room())
        self.updateRequest.connect(self._on_update)
        self._make_room()

    @property
    def error_line(self) -> int:
        """Line marked as wrong, from 1; 0 for none."""
        return self._error

    def show_error(self, line: int, *, goes_there: bool = False) -> None:
        """Mark a line as wrong, from 1; none for 0."""
        self._error, theme = line, theme_of(self)
        block = self.document().findBlockByNumber(line - 1)
        is_there = line > 0 and block.isValid()
        mark = QTextEdit.ExtraSelection()
        mark.cursor = QTextCursor(block)
        mark.format.setBackground(QColor(mix_colors(theme.bad, theme.panel, 0.18)))
        mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        self.setExtraSelections([mark] if is_there else [])
        self._numbers.update()
        if is_there and goes_there:
            self.setTextCursor(mark.cursor)
            self.centerCursor()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        cursor = self.textCursor()
        is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() == Qt.Key.Key_Tab and is_plain and not cursor.hasSelection():
            cursor.insertText(INDENT[cursor.positionInBlock() % len(INDENT) :])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and is_plain:
            line = cursor.block().text()[: cursor.positionInBlock()]
            indent = line[: len(line) - len(line.lstrip())]
            cursor.insertText(f"\n{indent}{INDENT if line.rstrip().endswith(':') else ''}")
            self.ensureCursorVisible()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "colors"):
            self.colors.rehighlight()
            self.show_error(self._error)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        area = self.contentsRect()
        self._numbers.setGeometry(QRect(area.left(), area.top(), self.room, area.height()))

    @property
    def room(self) -> int:
        """Width of the line numbers, px."""
        digits = max(3, len(str(self.blockCount())))
        return self.fontMetrics().horizontalAdvance("9") * digits + 16

    def lines_in_view(self) -> list[tuple[int, int, int]]:
        """Return number (from 1), top and height, px, of each visible line."""
        result, block = [], self.firstVisibleBlock()
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > self.viewport().height():
                break
            result.append((block.blockNumber() + 1, round(box.top()), round(box.height())))
            block = block.next()
        return result

    def _make_room(self) -> None:
        self.setViewportMargins(self.room, 0, 0, 0)

    def _on_update(self, area: QRect, scrolled: int) -> None:
        if scrolled:
            self._numbers.scroll(0, scrolled)
        else:
            self._numbers.update(0, area.y(), self._numbers.width(), area.height())


class _LineNumbers(QWidget):
    def __init__(self, field: CodeField) -> None:
        super().__init__(field)
        self._field = field

    def sizeHint(self) -> QSize:
        return QSize(self._field.room, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), theme_of(self)
        painter.fillRect(event.rect(), QColor(theme.chrome))
        painter.setFont(self._field.font())
        for number, top, height in self._field.lines_in_view():
            is_wrong = number == self._field.error_line
            painter.setPen(QColor(theme.bad if is_wrong else theme.muted))
            box = QRect(0, top, self.width() - 8, height)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignRight), str(number))
