"""What is done with the cells of Evaluate's table: copy, order, list, compare, open, save."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from annotate.evaluation.robustness.perturbed import MARK
from annotate.evaluation.tables.axes import ListedPage
from engine.document import Document
from engine.words import plural
from gui.core.navigation import Navigation
from gui.features.evaluate.arrangement import DELTA, score_band
from gui.features.evaluate.columns import index_of, lend, pages_of
from gui.features.evaluate.filter_bar import FilterBar
from gui.features.evaluate.grid import WHOLE_PAGE, ScoreGrid
from gui.features.evaluate.model import ScoresModel
from gui.state.session import Session
from gui.widgets.file_dialog import ask_save

DATASET = "open pages"
"""Data set name of the window's pages in rows."""


class CellActions(QWidget):
    """The part of the view that acts on cells.

    Attributes:
        model, grid: The table.
        filter_bar: What is listed.
    """

    left = Signal()  # the page is to be shown
    errors_asked = Signal(str)  # of the current layer: against gold, or after a harmless change

    model: ScoresModel
    grid: ScoreGrid
    filter_bar: FilterBar
    _session: Session
    _host: Navigation
    _file: Path | None  # file with results shown in place of the pages' own

    def choose_measure(self) -> None:
        """Show the choice of measures for the methods of the current column."""
        self.grid.ask_measure_of_current()

    def copy(self) -> None:
        """Copy the selected cells."""
        self.grid.copy()

    def sort_by_current(self) -> None:
        """Sort pages by the current column."""
        self.grid.sort_by_current()

    def open_current(self) -> None:
        """Open the page of the current cell, with the layers of the cell."""
        self.grid.open_current()

    def list_alike(self) -> None:
        """List only pages where this method ends as in the current cell, or scores as much."""
        self._ask_alike(excludes=False)

    def list_others(self) -> None:
        """List all pages but those where this method ends or scores as in the current cell."""
        self._ask_alike(excludes=True)

    def _ask_alike(self, *, excludes: bool) -> None:
        cell = self.grid.current_cell()
        if cell is None:
            self._session.messages.say("choose the score of one method first")
            return
        shown, (page, column) = self.model.shown, cell
        low, high = score_band(shown, page, column)
        of, status = shown.table.columns[column], shown.status(page, column)
        self.filter_bar.ask(of, status, low, high, excludes=excludes)

    def selected_documents(self) -> list[Document]:
        """Return the documents of the rows with selected cells; those that are open."""
        rows = sorted({index.row() for index in self.grid.selectedIndexes()})
        found = (self._document_of(self.model.page(row)) for row in rows)
        return [document for document in found if document is not None]

    def compare_current(self) -> None:
        """Choose the current column for comparison, or end the comparison."""
        self.grid.pick_current()

    def export(self) -> None:
        """Ask where to save the table."""
        title = "Save the table as CSV"
        ask_save(self, title, "Tables", ("csv",), self.export_to, "scores.csv")

    def export_to(self, path: str) -> None:
        """Write the listed pages and shown columns to a CSV file."""
        said = f"saved {plural(self.model.rowCount(), 'page')} in {Path(path).name}"
        try:
            Path(path).write_text(self.grid.as_csv(), encoding="utf-8")
        except OSError as error:
            said = f"{path} cannot be written: {error.strerror or error}"
        self._session.messages.say(said)

    # opening a page --------------------------------------------------------------------------
    def show_cell(self, page: int, column: int) -> bool:
        """Open a page with the layers of a cell: its method, or the two compared.

        Return whether the page is among the open ones.
        """
        shown, pair = self.model.shown, self.model.shown.pair
        change = shown.table.pages[page].dataset.partition(MARK)[2]
        page = self._index(page)
        if page < 0:
            self._session.messages.say("this page is not open: open its folder first")
            return False
        if column != WHOLE_PAGE:
            indices = [column]
            if pair is not None and column in (DELTA, pair.one, pair.other):
                indices = [pair.one, pair.other]
            columns = [shown.table.columns[position] for position in indices]
            document = self._session.documents[page]
            lend(self._session, columns, shown.measure_of(indices[0]), document)
        if page != self._open_page() or self._session.open.page is None:
            self._host.open_document(page)
        self.left.emit()
        if column != WHOLE_PAGE:
            self.errors_asked.emit(change)
        return True

    def _index(self, page: int) -> int:
        """Return the index of the document of a page of the table; -1 if it is not open."""
        if self._file is None:
            return page
        page_shown = self.model.shown.table.pages[page]
        return index_of(page_shown, self._pages(), self._session.documents)

    def _document_of(self, page: int) -> Document | None:
        index = self._index(page)
        return self._session.documents[index] if index >= 0 else None

    def _pages(self) -> list[ListedPage]:
        documents = self._session.documents
        titles = [self._host.pages.title(document) for document in documents]
        return pages_of(documents, titles, DATASET)

    def _open_page(self) -> int:
        if self._file is not None:
            return -1
        documents, document = self._session.documents, self._session.open.document
        return documents.index(document) if document in documents else -1
