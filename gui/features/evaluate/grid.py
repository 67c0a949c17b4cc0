"""Table of scores: cells, fixed headers, and the actions of mouse and keys."""

from PySide6.QtCore import QElapsedTimer, QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QTableView, QWidget

from annotate.evaluation.tables.axes import Column
from gui.core.action import Context
from gui.features.evaluate import cell_text
from gui.features.evaluate.arrangement import DELTA
from gui.features.evaluate.cells import CellDelegate
from gui.features.evaluate.filtering import ComparedPair, Sort
from gui.features.evaluate.headers import Corner, HeaderLines, MethodHeader, PageHeader
from gui.features.evaluate.model import ScoresModel
from gui.widgets.theme import theme_of

_MOST_SPARE = 3
"""By so many times its width a column grows in a wide window."""

WHOLE_PAGE = -2
"""Column index if a page was chosen by its title."""


class ScoreGrid(QTableView):
    """Shows a `ScoresModel`; sorts and compares itself, and requests all other actions."""

    opened = Signal(int, int)  # page and column of the table, or `DELTA` or `WHOLE_PAGE`
    measure_asked = Signal(int, QPoint)  # column of the table; where, on screen
    changed = Signal()  # order or comparison
    sorted = Signal(object)  # the `Sort` that the user chose

    def __init__(self, model: ScoresModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._typed = QElapsedTimer()
        self.heads = MethodHeader(model, self)
        self.pages = PageHeader(model, self)
        self.corner = Corner(model, self)
        self.setHorizontalHeader(self.heads)
        self.setVerticalHeader(self.pages)
        self.setModel(model)
        self.delegate = CellDelegate(model, self)
        self.setItemDelegate(self.delegate)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setAccessibleName("Scores of methods by page")
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

        self.opens_by_click = True  # else a click makes a cell current, and a second one opens it
        self.clicked.connect(self._on_clicked)
        self.doubleClicked.connect(self._on_double_clicked)
        self.pages.opened.connect(lambda row: self.opened.emit(model.page(row), WHOLE_PAGE))
        self.heads.sort_asked.connect(self.sort_by)
        self.heads.pick_asked.connect(self.pick)
        self.heads.measure_asked.connect(
            lambda section, at: self.measure_asked.emit(model.shown.columns[section], at)
        )
        self.corner.sort_asked.connect(lambda: self._sort_next("title"))
        model.modelReset.connect(self.fit)
        model.layoutChanged.connect(self.repaint_heads)
        self.fit()

    # order and comparison --------------------------------------------------------------------
    def sort_by(self, section: int) -> None:
        """Sort by a column; by a difference, the largest or the smallest first."""
        shown = self._model.shown
        column = shown.columns[section]
        if column == DELTA:
            self._sort(Sort("difference", down=not shown.sort_by.down))
        else:
            self._sort_next(shown.table.columns[column])

    def _sort_next(self, by: str | Column) -> None:
        """Sort ascending, then descending, then as in the list of pages."""
        now = self._model.shown.sort_by
        if now.by != by:
            self._sort(Sort(by))
        else:
            self._sort(Sort() if now.down else Sort(by, down=True))

    def sort_by_current(self) -> None:
        """Sort by the column of the current cell."""
        if self.currentIndex().isValid():
            self.sort_by(self.currentIndex().column())

    def _sort(self, sort: Sort) -> None:
        """Sort the pages and scroll to the first; the current cell keeps its page."""
        self._model.set_sort(sort)
        self.scrollToTop()
        self.sorted.emit(sort)
        self.changed.emit()

    def pick(self, section: int) -> None:
        """Choose a column for comparison; a second one of the same kind completes the pair."""
        column = self._model.shown.columns[section]
        if column != DELTA:
            self.take(column)

    def take(self, column: int) -> None:
        """Choose a column of the table for comparison, as `pick` does."""
        shown, first = self._model.shown, self.heads.picked
        kinds = shown.table.columns
        if first is None or first == column or kinds[first].kind != kinds[column].kind:
            self.heads.picked = None if first == column else column
            self.heads.viewport().update()
            self.changed.emit()
            return
        self.compare(ComparedPair(first, column))

    def pick_current(self) -> None:
        """Choose the column of the current cell for comparison, or end a comparison."""
        if self._model.shown.pair is not None:
            self.compare(None)
        elif self.currentIndex().isValid():
            self.pick(self.currentIndex().column())

    def compare(self, pair: ComparedPair | None) -> None:
        """Compare two columns; None ends it."""
        self.heads.picked = None
        page = self.current_page()
        self._model.compare(pair)
        if pair is not None:
            self.scrollToTop()
            self.horizontalScrollBar().setValue(0)
            self._go(0, 1)
        elif page >= 0:
            rows = range(self._model.rowCount())
            self._go(next((row for row in rows if self._model.page(row) == page), len(rows)), 0)
        self.changed.emit()

    def ask_measure_of_current(self) -> None:
        """Ask for the measure of the column of the current cell, below its band."""
        section = max(self.currentIndex().column(), 0)
        if section < self._model.columnCount():
            position = QPoint(self.heads.sectionViewportPosition(section), HeaderLines(self).band)
            column = self._model.shown.columns[section]
            self.measure_asked.emit(column, self.heads.viewport().mapToGlobal(position))

    def current_page(self) -> int:
        """Return the page of the current cell, -1 without one."""
        index = self.currentIndex()
        return self._model.page(index.row()) if index.isValid() else -1

    def current_cell(self) -> tuple[int, int] | None:
        """Return page and column of the current score; None without one, or of a difference."""
        index = self.currentIndex()
        if not index.isValid() or self._model.shown.columns[index.column()] == DELTA:
            return None
        return self._model.page(index.row()), self._model.shown.columns[index.column()]

    def go_to(self, page: int | None, column: int | None) -> None:
        """Make another cell current, by page and column of the table; None keeps that one."""
        now = self.currentIndex()
        rows, columns = self._model.shown.order.tolist(), self._model.shown.columns
        row = now.row() if page is None else rows.index(page)
        self._go(row, now.column() if column is None else columns.index(column))

    def _go(self, row: int, section: int) -> None:
        if row < self._model.rowCount() and section < self._model.columnCount():
            self.setCurrentIndex(self._model.index(row, section))

    # mouse and keys --------------------------------------------------------------------------
    def _on_clicked(self, index: QModelIndex) -> None:
        held = QGuiApplication.keyboardModifiers()
        chosen = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        if self.opens_by_click and not held & chosen and len(self.selectedIndexes()) <= 1:
            self._open(index)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        if not self.opens_by_click:
            self._open(index)

    def _open(self, index: QModelIndex) -> None:
        column = self._model.shown.columns[index.column()]
        self.opened.emit(self._model.page(index.row()), column)

    def context_at(self, _at: QPoint | None) -> Context:
        """Return the context of a score; a press of any mouse button makes it current."""
        return Context.SCORE

    def open_current(self) -> None:
        """Open the page of the current cell as a click does."""
        if self.currentIndex().isValid():
            self._open(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the page on Enter, on all platforms; Space does nothing."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_current()
        elif event.key() != Qt.Key.Key_Space:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the next page whose title begins with the typed text."""
        self._typed.start()
        rows, first = self._model.rowCount(), max(self.currentIndex().row(), 0)
        prefix = search.casefold()
        start = first + (len(search) == 1)
        for row in ((start + step) % rows for step in range(rows)):
            title = self._model.shown.table.pages[self._model.page(row)].title
            if title.casefold().startswith(prefix):
                self._go(row, max(self.currentIndex().column(), 0))
                return

    @property
    def is_searched(self) -> bool:
        """Whether letters are being typed that a title begins with."""
        typed = self._typed
        return typed.isValid() and not typed.hasExpired(QApplication.keyboardInputInterval())

    def copy(self) -> None:
        """Copy the selected cells with their headings to the clipboard, separated by tabs."""
        cells = self.selectedIndexes()
        rows = sorted({cell.row() for cell in cells})
        sections = sorted({cell.column() for cell in cells})
        if rows:
            text = cell_text.as_text(self._model.shown, rows, sections, "\t")
            QGuiApplication.clipboard().setText(text)

    def as_csv(self) -> str:
        model = self._model
        return cell_text.as_text(model.shown, range(model.rowCount()), range(model.columnCount()))

    # room ------------------------------------------------------------------------------------
    def fit(self) -> None:
        """Set the column widths; titles get the rest, and columns what titles cannot use."""
        bar = self.verticalScrollBar()
        widths = [self.heads.width_for(column) for column in self._model.shown.columns]
        room = self.width() - sum(widths) - (bar.width() if bar.isVisible() else 0)
        self.pages.set_room(room)
        spare = (room - self.pages.sizeHint().width()) // max(1, len(widths))
        for section, width in enumerate(widths):
            self.heads.resizeSection(section, width + min(max(0, spare), _MOST_SPARE * width))
        frame = self.frameWidth()
        self.corner.setGeometry(frame, frame, self.pages.width(), self.heads.height())
        self.corner.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the cells, or a message if no page is listed."""
        super().paintEvent(event)
        if not self._model.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(QColor(theme_of(self).muted))
            box = self.viewport().rect().adjusted(16, 14, -16, -14)
            painter.drawText(box, Qt.AlignmentFlag.AlignTop, "No page matches.")
            painter.end()

    def repaint_heads(self) -> None:
        """Redraw the means: other pages are listed, or new scores have arrived."""
        self.heads.viewport().update()
        self.pages.viewport().update()
        self.corner.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        styles = (QEvent.Type.PaletteChange, QEvent.Type.FontChange)
        if event.type() in styles and hasattr(self, "delegate"):
            self.delegate.restyle()
            self.pages.setDefaultSectionSize(HeaderLines(self).row)
            self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
