"""Pane of two pages side by side: choice of the page, and the page with its template drawn."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from annotate.plugins.page_diff.page_diff import PageDiff
from engine.document import Document
from gui.plugins.page_diff.drawing import specs_of
from gui.plugins.side_by_side.page_pane import PagePane
from gui.plugins.side_by_side.scroll_sync import ScrollSync, follow
from gui.widgets.tips import plain


class PageDiffPane(PagePane):
    """Pane that shows a page of the list."""

    chosen = Signal(int)  # another page of the list
    opened = Signal(int)  # the page is opened for work

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """Create a pane; ``name`` is its name for screen readers."""
        super().__init__(f"Page {name}", "open", parent)
        self.index = -1  # of the page in the list
        self.choice.activated.connect(self.chosen)
        work = self.head.button
        work.setToolTip(plain("Work on this page"))
        work.setAccessibleName("Work on this page")
        work.clicked.connect(lambda: self.opened.emit(self.index))

    def show_names(self, names: Sequence[str]) -> None:
        self.choice.clear()
        self.choice.addItems(list(names))
        self.choice.setCurrentIndex(self.index)

    def load(self, index: int, document: Document) -> None:
        """Load a page of the list, unless it is loaded already."""
        self.index = index
        self.choice.setCurrentIndex(index)
        if document == self._document and (self.page is not None or self.canvas.is_busy):
            return
        self._document = document
        self.begin(document)

    def draw(self, diff: PageDiff | None) -> None:
        """Draw the template and the differences, as seen from this page."""
        pieces = self.canvas.pieces
        self.canvas.draw([] if diff is None or pieces is None else specs_of(diff, pieces))

    def scroll_with(self, diff: PageDiff, top: float) -> None:
        """Scroll to the match of the top of the other page, from which ``diff`` is seen."""
        self.scroll_to(follow(ScrollSync(diff.ours, diff.theirs, diff.rows), top))
