"""What the inspector shows: it follows the current score and asks for its picture."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from algorithms.core.batch import Setup
from algorithms.core.catalogue import has_method, method
from annotate.datasets.case_files import PageFiles
from annotate.evaluation.robustness.perturbed import MARK
from annotate.evaluation.run.open_pages import GoldFacts
from annotate.evaluation.tables.axes import Column
from annotate.evaluation.tables.result_table import EMPTY, NOT_RUN, OK, STATUSES
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.page import Input
from engine.words import sentence
from gui.features.evaluate.arrangement import DELTA
from gui.features.evaluate.error_pictures import ErrorPictures
from gui.features.evaluate.grid import ScoreGrid
from gui.features.evaluate.inspector import WIDE, WIDTH, Inspector
from gui.features.evaluate.model import ScoresModel
from gui.features.evaluate.run_store import WindowRuns
from gui.pictures.error_request import ErrorPicture, ErrorRequest
from gui.widgets.events import debounce

NARROW, VERY_WIDE = 1300, 2400
"""Below this width of the window, px, the inspector is folded at first; from this on it is wide."""


class Inspection(QObject):
    """Keeps an `Inspector` at the current cell of a grid, and folds it.

    Args:
        model, grid: The table.
        files_of: Returns the locations of a document and its gold.
        document_of: Returns the document of a page of the table; None for a closed one.
        facts_of: Returns the known facts about a page's gold.
        store: Stores the folded state.
        parent: The view.
    """

    def __init__(
        self,
        model: ScoresModel,
        grid: ScoreGrid,
        files_of: Callable[[Document], PageFiles],
        document_of: Callable[[int], Document | None],
        facts_of: Callable[[int], GoldFacts],
        store: WindowRuns,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._model, self._grid, self._store, self._view = model, grid, store, parent
        self._files_of, self._document_of, self._facts_of = files_of, document_of, facts_of
        self._edits = 0  # of marks while the table is there
        self._of: tuple[Hashable, ...] = ()
        self._is_available = False
        self._folded = store.folded()
        self.inspector = Inspector(model, parent)
        self.inspector.hide()
        self.pictures = ErrorPictures(self)
        self.pictures.drawn.connect(self.inspector.show_picture)
        self._show_soon = debounce(self, 0, self._show)
        self.inspector.closed.connect(self.toggle)
        self.inspector.opened.connect(grid.open_current)
        self.inspector.method_chosen.connect(lambda column: grid.go_to(None, column))
        self.inspector.page_chosen.connect(lambda page: grid.go_to(page, None))
        for signal in (
            grid.selectionModel().currentChanged, model.modelReset, model.layoutChanged,
            model.dataChanged,
        ):  # fmt: skip
            signal.connect(lambda *_: self._show_soon.start())

    # folding ---------------------------------------------------------------------------------
    def toggle(self) -> None:
        """Fold or open the inspector; it stays so in windows of this size."""
        self._folded[self._size] = not self.inspector.isHidden()
        self._store.keep_folded(self._folded)
        self.fit()
        if self.inspector.isHidden():
            self._grid.setFocus()

    @property
    def _size(self) -> str:
        return "narrow" if self._view.window().width() < NARROW else "wide"

    def set_available(self, *, on: bool) -> None:
        """Show it only beside a table."""
        self._is_available = on
        self.fit()

    def fit(self) -> None:
        """Show or fold it, as wide as the view has room."""
        is_narrow = self._size == "narrow"
        is_shown = self._is_available and not self._folded.get(self._size, is_narrow)
        self.inspector.setFixedWidth(WIDE if self._view.window().width() >= VERY_WIDE else WIDTH)
        self.inspector.setVisible(is_shown)
        self._grid.opens_by_click = not is_shown
        if is_shown:
            self._show_soon.start()
        else:
            self.end()

    def end(self) -> None:
        """End the process that draws pictures."""
        self._of = ()
        self._show_soon.stop()
        self.pictures.end()

    def close(self) -> None:
        """Stop drawing; it cannot be started again."""
        self._is_available = False
        self.end()

    def note_edit(self) -> None:
        """Draw pictures again: marks have changed."""
        self._edits += 1
        self._show_soon.start()

    # contents --------------------------------------------------------------------------------
    def _show(self) -> None:
        if self.inspector.isHidden() or not self._view.isVisible():
            return
        index = self._grid.currentIndex()
        shown = self._model.shown
        if not index.isValid() or index.column() >= len(shown.columns):
            self._of = ()
            self.pictures.cancel()
            self.inspector.show_nothing()
            return
        page, column = self._model.page(index.row()), shown.columns[index.column()]
        if column == DELTA:
            column = shown.compared.one
        self.inspector.show_cell(page, column)
        self._draw(page, column)

    def _draw(self, page: int, column: int) -> None:
        """Ask for the picture, unless it is the one that is shown or wanted."""
        table, facts = self._model.shown.table, self._facts_of(page)
        size = self.inspector.picture_size
        place = (table.pages[page].dataset, table.pages[page].name)
        version = (*place, facts.page, facts.gold or f"edit {self._edits}")
        made, status = float(table.made[page, column]), int(table.status[page, column])
        of = (version, table.columns[column], status, str(made), size)
        if of == self._of:
            return
        self._of = of
        self.inspector.begin_picture()
        document = self._document_of(page)
        if why := self._why_not(page, column, document):
            self.pictures.cancel()
            self.inspector.show_picture(ErrorPicture(b"", why))
        elif document is not None:
            make = partial(self._request, version, document, table.columns[column], size)
            self.pictures.want(of, make)

    def _why_not(self, page: int, column: int, document: Document | None) -> str:
        """Return why a page cannot be drawn with a method, as a sentence; "" if it can."""
        table = self._model.shown.table
        status = int(table.status[page, column])
        if MARK in table.pages[page].dataset:
            return "A changed copy of the page: Debug shows what differs."
        if status == NOT_RUN:
            return "Not run yet: Shift+F8 runs what is missing."
        if status not in (OK, EMPTY):
            reason = table.reason(page, column, self._model.shown.measure_of(column))
            return sentence(f"{STATUSES[status]}: {reason}" if reason else STATUSES[status])
        if not has_method(key := table.columns[column].method):
            return f"{key} is not among the methods here."
        if document is None:
            return "This page is not open: open its folder to see it."
        return "A live page: open it to see its errors." if document.is_live else ""

    def _request(
        self, version: tuple[str, ...], document: Document, column: Column, size: tuple[int, int]
    ) -> ErrorRequest:
        entry = method(column.method)
        given = cast(Input, column.input)
        setup = Setup(column.method, entry.params(**column.values), given)
        return ErrorRequest((page_key(document), *version), self._files_of(document), setup, size)
