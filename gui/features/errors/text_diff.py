"""Text panel: extract and gold as one text, with the differences marked as on the page."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from algorithms.explain.page_errors import PageError
from gui.features.errors.state import ErrorWalk
from gui.page.overlay.error_layers import STYLES
from gui.state.session import Session
from gui.widgets.parts import PanelDock
from gui.widgets.texts import ClosedBrowser
from gui.widgets.theme import mix_colors, theme_of

_GROUND = 0.16
"""Opacity of the colour behind a missing or superfluous word."""


class TextDiffDock(PanelDock):
    """Follows the current error; a click on an error makes it current."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Text", "TextDiffDock", parent)
        self._walk = session.get(ErrorWalk)
        self._ranges: dict[int, tuple[int, int]] = {}  # position by first word of an error
        self.add_close("Close  (Shift+F7)")
        self.text = ClosedBrowser(self)
        self.text.setObjectName("TextDiff")
        self.text.setAccessibleName("Extract and gold as one text")
        self.text.setFrameShape(ClosedBrowser.Shape.NoFrame)
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(14)
        self.text.anchorClicked.connect(self._on_clicked)
        self.body.addWidget(self.text, 1)
        self._walk.changed.connect(self._refresh)
        self._walk.index_changed.connect(self._on_index)
        self.visibilityChanged.connect(lambda _shown: self._refresh())
        self._refresh()

    def toggle(self) -> None:
        """Show or hide the text, and with it the errors."""
        if self.isHidden():
            self._walk.show(True)
        super().toggle()

    def marked(self) -> list[tuple[str, str]]:
        """Return the missing and superfluous text runs as (kind, text), in order."""
        return [(str(piece.kind), piece.text) for piece in self._walk.pieces if piece.kind]

    def range_of(self, error: PageError | None) -> tuple[int, int]:
        """Return the range of an error in the text; (-1, -1) for none."""
        return self._ranges.get(error.span[0], (-1, -1)) if error is not None else (-1, -1)

    def _refresh(self) -> None:
        if self.isHidden():
            return
        walk, theme = self._walk, theme_of(self.text)
        self.set_remark("− missing   + superfluous" if walk.pieces else "")
        self.text.clear()
        self._ranges = {}
        cursor, plain = self.text.textCursor(), QTextCharFormat()
        plain.setForeground(QColor(theme.text if walk.pieces else theme.muted))
        if not walk.pieces:
            cursor.insertText(walk.trouble or "Extract and gold appear here (F7).", plain)
            return
        for piece in walk.pieces:
            cursor.insertText(piece.before, plain)
            if not piece.kind:
                cursor.insertText(piece.text, plain)
                continue
            start = cursor.position()
            cursor.insertText(piece.text, self._format(str(piece.kind), piece.first))
            self._ranges[piece.first] = (start, cursor.position())
        self._on_index()

    def _format(self, kind: str, word: int) -> QTextCharFormat:
        style, theme = STYLES[kind], theme_of(self.text)
        made = QTextCharFormat()
        made.setForeground(QColor(theme.text))
        made.setBackground(QColor(mix_colors(style.color, theme.panel, _GROUND)))
        if style.line == "line-through":
            made.setFontStrikeOut(True)
        else:
            made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            made.setUnderlineColor(QColor(style.color))
        made.setAnchor(True)
        made.setAnchorHref(f"#{word}")
        return made

    def _on_index(self) -> None:
        start, end = self.range_of(self._walk.current)
        if self.isHidden() or start < 0:
            self.text.setExtraSelections([])
            return
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(start)
        self.text.setTextCursor(cursor)
        self.text.ensureCursorVisible()
        bar = self.text.verticalScrollBar()
        above = self.text.viewport().height() // 4  # the text before it is visible, too
        bar.setValue(bar.value() + self.text.cursorRect(cursor).top() - above)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        chosen = QTextEdit.ExtraSelection()
        chosen.cursor = cursor
        chosen.format.setBackground(QColor(theme_of(self.text).chosen))
        chosen.format.setFontWeight(QFont.Weight.Bold)
        self.text.setExtraSelections([chosen])

    def _on_clicked(self, link: QUrl) -> None:
        word = int(link.fragment())
        for index, error in enumerate(self._walk.items):
            if error.span[0] == word:
                self._walk.choose(index)
