"""One of two pages side by side: which page, and the page with its template drawn."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from annotate.counterparts import Counterparts
from engine.document import Document
from engine.errors import CaptureError
from engine.page import Page
from engine.web.view import PageView
from gui.page.canvas import PageCanvas
from gui.page.overlay.specs import candidate_spec
from gui.views.siblings.drawing import specs_of, tie_of
from gui.views.side.tie import follow
from gui.widgets.parts import ElidedLabel, IconButton, small, tone
from gui.widgets.tips import plain

_FRAME = "#c2185b"


class SiblingPane(QWidget):
    """A page of the list in a view of its own."""

    scrolled = Signal(float)  # CSS px from the top; by hand only
    hovered = Signal(int)  # a row of this page, -1 for none
    picked = Signal(int)
    chosen = Signal(int)  # another page of the list
    opened = Signal(int)  # the page is to be worked on
    captured = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """``name`` tells the panes apart where they cannot be seen."""
        super().__init__(parent)
        self.setObjectName("SidePane")
        self.page: Page | None = None
        self.place = -1  # of the page in the list
        self._document: Document | None = None
        self._expected = -1.0  # where this was scrolled to, not by hand
        self.canvas = PageCanvas(PageView(), self)
        self.setFocusProxy(self.canvas.view)
        self.choice = QComboBox(self)
        self.choice.setAccessibleName(f"Page {name}")
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.choice.setSizeAdjustPolicy(policy)
        self.choice.setMinimumContentsLength(12)
        self.choice.setMaxVisibleItems(24)
        self.choice.activated.connect(self.chosen)
        self.work = IconButton("open", "Work on this page", self)
        self.work.clicked.connect(lambda: self.opened.emit(self.place))
        self.words = small(ElidedLabel("", self))
        tone(self.words, "muted")
        head = QWidget(self)
        head.setObjectName("SideHead")
        line = QHBoxLayout(head)
        line.setContentsMargins(8, 4, 8, 4)
        line.setSpacing(8)
        line.addWidget(self.choice, 3)
        line.addWidget(self.work)
        line.addWidget(self.words, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(head)
        layout.addWidget(self.canvas, 1)
        self.canvas.captured.connect(self._on_captured)
        self.canvas.failed.connect(self._on_failed)
        self.canvas.pointed.connect(self._on_pointed)
        self.canvas.view.page().scrollPositionChanged.connect(self._on_scrolled)

    def show_names(self, names: Sequence[str]) -> None:
        """Offer these pages."""
        self.choice.clear()
        self.choice.addItems(list(names))
        self.choice.setCurrentIndex(self.place)

    def load(self, place: int, document: Document) -> None:
        """Show a page of the list, unless it is shown already."""
        self.place = place
        self.choice.setCurrentIndex(place)
        if document == self._document and (self.page is not None or self.canvas.is_busy):
            return
        self.page, self._document = None, document
        self.words.setText("")
        self._expected = -1.0
        self.canvas.load(document)

    def show_nothing(self) -> None:
        """Let the page go."""
        self.page = self._document = None
        self.canvas.show_nothing()

    # drawing -----------------------------------------------------------------------------------
    def draw(self, found: Counterparts | None) -> None:
        """Draw the template and what differs, as seen from this page."""
        pieces = self.canvas.pieces
        self.canvas.draw([] if found is None or pieces is None else specs_of(found, pieces))

    def frame(self, rows: Sequence[int]) -> None:
        """Frame what is looked at."""
        pieces = self.canvas.pieces
        if self.page is None or pieces is None or not rows:
            self.canvas.draw_candidate(None)
            return
        spec = candidate_spec(tuple(rows), self.page.rendered(), pieces, _FRAME, "")
        spec["boxes"][0]["label"] = ""
        self.canvas.draw_candidate(spec)

    # the page in it ----------------------------------------------------------------------------
    def _on_captured(self, page: Page) -> None:
        self.page = page
        self.canvas.set_mode("select")
        self.captured.emit()

    def _on_failed(self, error: CaptureError) -> None:
        self.words.setText(str(error))
        self.words.setToolTip(plain(str(error)))

    def _on_pointed(self, event: dict[str, Any]) -> None:
        pieces = self.canvas.pieces
        if pieces is None or self.page is None or event.get("event") not in ("hover", "click"):
            return
        rows = [pieces.row(number) for number in event.get("rows", ())]
        row = next((each for each in rows if each >= 0), -1)
        if event["event"] == "click" and row >= 0:
            self.picked.emit(row)
        else:
            self.hovered.emit(row)

    # scrolling ---------------------------------------------------------------------------------
    def _on_scrolled(self, position: QPointF) -> None:
        top = position.y() / self.canvas.zoom
        if self._expected >= 0 and abs(top - self._expected) < 2:
            return  # that was us
        self._expected = -1.0
        self.scrolled.emit(top)

    @property
    def top(self) -> float:
        """How far this is scrolled, CSS px."""
        return self.canvas.view.page().scrollPosition().y() / self.canvas.zoom

    def scroll_with(self, found: Counterparts, top: float) -> None:
        """Scroll to what the other page, which ``found`` is seen from, has at its top."""
        self.scroll_to(follow(tie_of(found), top))

    def scroll_to(self, top: float) -> None:
        """Scroll without being followed."""
        if self.page is None:
            return
        limit = self.page.rendered().height - self.canvas.view.height() / self.canvas.zoom
        self._expected = min(max(top, 0.0), max(0.0, limit))
        self.canvas.scroll_down_to(self._expected)
