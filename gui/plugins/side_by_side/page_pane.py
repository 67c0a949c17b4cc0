"""PagePane: a page in a separate view, that is scrolled and pointed at together with others."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from engine.document import Document
from engine.errors import CaptureError, RendererDied
from engine.page import Page
from engine.web.view import PageView
from gui.page.canvas import PageCanvas
from gui.page.overlay.specs import candidate_spec, drop_labels
from gui.widgets.controls import text_label
from gui.widgets.events import keep_bar_keys
from gui.widgets.fitted_texts import ElidedCombo
from gui.widgets.layouts import grid, lay_out
from gui.widgets.parts import IconButton
from gui.widgets.texts import plain

_FRAME = "#c2185b"

_NEAR = 2.0
"""CSS px by which a page may stand beside where it was scrolled to."""


_MOST = 20
"""Places on the way that are remembered."""


class PaneHead(QWidget):
    """Header of a pane: its choice, a button, and a note (below if there is no room)."""

    def __init__(self, name: str, icon: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("SideHead")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.choice = ElidedCombo(name, parent=self)
        self.button = IconButton(icon, "", self)
        self.words = text_label(self, factor=0.9)
        self._is_narrow: bool | None = None
        self._grid = grid(self, spacing=(8, 2), wide=0, margins=(8, 4, 8, 4))
        self._grid.addWidget(self.choice, 0, 0)
        self._grid.addWidget(self.button, 0, 1)
        self._lay(is_narrow=False)

    def event(self, event: QEvent) -> bool:
        """Keep its keys from the pages, where Tab leads to the next one."""
        return keep_bar_keys(event) or super().event(event)

    def say(self, words: str, tip: str = "") -> None:
        self.words.setText(words)
        self.words.setToolTip(plain(tip))
        self._fit(is_resized=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit(is_resized=True)

    def _fit(self, *, is_resized: bool) -> None:
        """A second line stays till the width is another: the page below stands still."""
        margins = self._grid.contentsMargins()
        taken = self.choice.minimumSizeHint().width() + self.button.sizeHint().width() + 16
        words = self.words.fontMetrics().horizontalAdvance(self.words.text()) + 4
        is_narrow = margins.left() + taken + words + margins.right() > self.width()
        if is_narrow or is_resized:
            self._lay(is_narrow=is_narrow)

    def _lay(self, *, is_narrow: bool) -> None:
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        self._grid.removeWidget(self.words)
        self.words.setWordWrap(is_narrow)
        self._grid.addWidget(self.words, *((1, 0, 1, 2) if is_narrow else (0, 2)))


class _Trouble(QWidget):
    """Message shown instead of a page."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.words = text_label(self, factor=0.9)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.again = QPushButton("Load again", self)
        lay_out(
            QVBoxLayout(self), (None, 2), self.words,
            (self.again, 0, Qt.AlignmentFlag.AlignHCenter), (None, 3),
            margins=(24, 24, 24, 24), spacing=12,
        )  # fmt: skip
        self.hide()


class PagePane(QWidget):
    """A page below a header; whoever puts panes side by side syncs them."""

    scrolled = Signal(float)  # CSS px from the top; only when the user scrolls
    hovered = Signal(int)  # a row, -1 for none
    picked = Signal(int)
    captured = Signal()

    def __init__(self, name: str, icon: str, parent: QWidget | None = None) -> None:
        """``name`` is of the choice in its head, ``icon`` of the button beside that."""
        super().__init__(parent)
        self.setObjectName("SidePane")
        self.page: Page | None = None
        self._document: Document | None = None
        self._loaded: Document | None = None  # the same, as it was loaded
        self._expected: list[float] = []  # positions it was scrolled to by program, the latest last
        self.canvas = PageCanvas(PageView(), self, margin=0)
        self.canvas.shows_when_painted = True
        self.setFocusProxy(self.canvas.view)
        self.head = PaneHead(name, icon, self)
        self.choice, self.words = self.head.choice, self.head.words
        self.trouble = _Trouble(self)
        self.trouble.again.clicked.connect(self._on_again)
        lay_out(QVBoxLayout(self), self.head, (self.canvas, 1), (self.trouble, 1), spacing=0)
        self._has_died = False  # since it was last used: a page that dies at once is left alone
        self.canvas.captured.connect(self._on_captured)
        self.canvas.failed.connect(self._on_failed)
        self.canvas.pointed.connect(self._on_pointed)
        self.canvas.renderer_died.connect(self._on_death)
        self.canvas.view.scrolled.connect(self._on_scrolled)

    def begin(self, document: Document) -> None:
        """Load a document, as it is; others may decide which part is shown."""
        self.page, self._loaded = None, document
        self._expected.clear()
        self._show_trouble("")
        self.canvas.load(document)

    def show_nothing(self) -> None:
        self.page = self._document = self._loaded = None
        self._has_died = False
        self.canvas.show_nothing()
        self._show_trouble("")

    def frame(self, rows: Sequence[int], *, is_named: bool = True) -> None:
        """Frame the current item: rows of this page, or none."""
        pieces = self.canvas.pieces
        if self.page is None or pieces is None or not rows:
            self.canvas.draw_candidate(None)
            return
        spec = candidate_spec(tuple(rows), self.page.rendered(), pieces, _FRAME, "")
        self.canvas.draw_candidate(spec if is_named else drop_labels(spec))

    def matching_row(self, row: int) -> int:
        """Return as which row one of this page is told of; -1 for none."""
        return row

    # the page in it ----------------------------------------------------------------------------
    def _on_captured(self, page: Page) -> None:
        self.page = page
        self.canvas.set_mode("select")
        self.captured.emit()

    def _on_failed(self, error: CaptureError) -> None:
        if isinstance(error, RendererDied):
            self._on_death(str(error))
        else:
            self._show_trouble(str(error))

    def _on_death(self, what: str) -> None:
        if self._loaded is None:
            return
        if self._has_died:
            self._show_trouble(what)
            return
        self._has_died = True
        # Later: a load started while Qt still reports the end of a renderer may be lost.
        QTimer.singleShot(0, self, self._on_again)

    def _on_again(self) -> None:
        if self._loaded is not None:
            self.begin(self._loaded)

    def _show_trouble(self, words: str) -> None:
        self.head.say("")
        self.trouble.words.setText(words)
        self.trouble.setVisible(bool(words))
        self.canvas.setVisible(not words)

    def _on_pointed(self, event: dict[str, Any]) -> None:
        pieces = self.canvas.pieces
        if pieces is None or self.page is None:
            return
        self._has_died = False
        if event.get("event") not in ("hover", "click", "leave"):
            return
        rows = [pieces.row(number) for number in event.get("rows", ())]
        own = next((row for row in rows if row >= 0), -1)
        row = self.matching_row(own) if own >= 0 else -1
        if event["event"] == "click" and row >= 0:
            self.picked.emit(row)
        else:
            self.hovered.emit(row)

    # scrolling ---------------------------------------------------------------------------------
    def _on_scrolled(self, position: QPointF) -> None:
        top = position.y() / self.canvas.zoom
        ours = [n for n, each in enumerate(self._expected) if abs(top - each) < _NEAR]
        if ours:  # it arrives after a delay: later requests may be under way
            del self._expected[: ours[0]]
            return
        self._expected.clear()
        self.scrolled.emit(top)

    @property
    def top(self) -> float:
        """Scroll position, CSS px."""
        return self.canvas.view.page().scrollPosition().y() / self.canvas.zoom

    @property
    def goal(self) -> float:
        """Scroll position, or the target of a running scroll; CSS px."""
        return self._expected[-1] if self._expected else self.top

    def scroll_to(self, top: float) -> None:
        """Scroll without being followed."""
        if self.page is None:
            return
        limit = self.page.rendered().height - self.canvas.view.height() / self.canvas.zoom
        goal = min(max(top, 0.0), max(0.0, limit))
        self._expected = [*self._expected[-_MOST:], goal]
        self.canvas.scroll_down_to(goal)
