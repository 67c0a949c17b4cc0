"""View of published tables: the list, details of a table, and reruns."""

import math
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QScrollArea,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.run_progress import RunProgress
from annotate.evaluation.tables.published import (
    MeasuredFigures,
    PublishedTable,
    built_in,
    read_table,
)
from annotate.plugins.museum.paper_tables import (
    data_line,
    format_signed,
    of_how_many,
    provenance,
    summary_line,
    tolerance,
)
from annotate.plugins.museum.rerun import record, rerun
from annotate.plugins.museum.status import differences, format_number, rows_by_reason, status_of
from engine.errors import PageletError
from gui.core.background_run import Running, SignalWatcher
from gui.core.main_area import Room, View
from gui.plugins.museum.list import TableList, shade_of
from gui.widgets.controls import push_button, text_label
from gui.widgets.file_dialog import FileDialogs
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Busy, ElidedLabel, IconButton, tone
from gui.widgets.texts import plain
from gui.widgets.theme import theme_of

MOST_HEIGHT = 420
"""Largest height of a table, px; a longer one scrolls."""


class FiguresTable(QTableWidget):
    """A row for each method: published figure, own figure, and their difference."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Published and own figures")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def fill(self, table: PublishedTable, measured: MeasuredFigures | None) -> None:
        """Show a table with own figures, or only with the published ones."""
        self.clear()
        self.setRowCount(len(table.rows))
        self.setColumnCount(len(table.columns))
        self.setHorizontalHeaderLabels([column.label for column in table.columns])
        self.setVerticalHeaderLabels([row.label for row in table.rows])
        statuses = status_of(table, measured).rows
        for number, row in enumerate(table.rows):
            gaps = differences(table, measured, number) if measured is not None else ()
            for column, published in enumerate(row.published):
                own = math.nan if measured is None else measured.figures[number][column]
                text = format_number(published)
                if not math.isnan(own):
                    text += f" → {format_number(own)}\n{format_signed(gaps[column])}"
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                status = statuses[number]
                if status is not None and not math.isnan(own) and not math.isnan(published):
                    item.setForeground(shade_of(status.standing, theme_of(self)))
                    item.setToolTip(
                        plain(f"published {format_number(published)}, here {format_number(own)}")
                    )
                self.setItem(number, column, item)
        self.resizeRowsToContents()
        whole = self.horizontalHeader().sizeHint().height() + self.verticalHeader().length() + 4
        self.setMinimumHeight(min(whole, MOST_HEIGHT))
        self.setVisible(bool(table.rows))


class TableDetails(QScrollArea):
    """Details of a table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("The table chosen")
        self.setAccessibleDescription("text that scrolls")
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        inside = QWidget(self)
        self.title, self.cite, self.status, self.said = (
            text_label(inside, "", color, factor, is_selectable=True)
            for color, factor in (("", 1.2), ("muted", 1), ("", 1), ("", 1))
        )
        self.figures = FiguresTable(inside)
        lay_out(
            QVBoxLayout(inside), self.title, self.cite, self.status, (self.figures, 1), self.said,
            None, margins=(16, 12, 16, 16), spacing=10,
        )  # fmt: skip
        self.setWidget(inside)

    def fill(self, table: PublishedTable, measured: MeasuredFigures | None) -> None:
        """Show a table with these own figures."""
        self.title.setText(table.title)
        self.cite.setText(", ".join(filter(None, (table.cite, table.source))))
        status = status_of(table, measured)
        self.status.setText(status.text[:1].upper() + status.text[1:])
        self.status.setStyleSheet(
            f"color: {shade_of(status.standing, theme_of(self)).name()}; font-weight: 600"
        )
        self.figures.fill(table, measured)
        parts = list(filter(None, [of_how_many(table, measured), tolerance(table)]))
        parts += [f"{', '.join(rows)}: {why}" for why, rows in rows_by_reason(table).items()]
        parts += [table.notes, data_line(table)]
        parts += [provenance(measured)] if measured is not None else []
        self.said.setText("\n\n".join(filter(None, parts)))


_FILES = "museum/files"
"""Setting: the user's own tables."""


class MuseumView(QWidget, View):
    """Published tables and whether they are reproduced here, in place of the page."""

    left = Signal()
    said = Signal(str)
    room = Room.OVER_PAGE
    hint = "Click a table: its numbers here and as published · Esc: back to the page"

    def __init__(self, files: FileDialogs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(320, 240)  # takes no room from the panels while hidden
        self.setObjectName("MuseumView")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._files = files
        self._tables: dict[str, PublishedTable] = {}
        self._results: dict[str, MeasuredFigures] = {}  # by table, of this session
        self._current = self._at_work = ""
        self.running = Running(self)
        self.list, self.sheet = TableList(self), TableDetails(self)
        self.list.chosen.connect(self.show_table)
        self.run_folder = push_button(
            "Run on a folder…", self,
            lambda: files.open_folder("The pages of this table", self.run), look="main",
        )  # fmt: skip
        self.run_file = push_button(
            "Run on a file…", self,
            lambda: files.open("The pages of this table", "All files (*)", self.run),
        )  # fmt: skip
        self.stop_run = push_button("Stop", self, self.stop)
        self.keep = push_button(
            "Keep figures", self, self.keep_figures,
            "Writes date, command and figures into the table's file",
        )  # fmt: skip
        self.add = push_button(
            "Add a table…", self,
            lambda: files.open("A table of a paper", "Tables (*.toml)", self.add_file),
            "A file in TOML: of your own paper, or one that somebody handed on",
        )  # fmt: skip
        self.busy, self.words = Busy(self, 14), ElidedLabel("", self)
        tone(self.words, "muted")
        leave = IconButton("close", "Back to the page", self, self.left.emit)
        self.running.said.connect(self.said)
        self.running.progressed.connect(self._on_progress)
        self.running.ended.connect(self._on_end)
        bar = lay_out(
            QHBoxLayout(), self.run_folder, self.run_file, self.stop_run, self.keep, self.busy,
            (self.words, 1), self.add, leave, margins=(12, 8, 8, 8), spacing=8,
        )  # fmt: skip
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.addWidget(self.list)
        split.addWidget(self.sheet)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setSizes([470, 700])
        split.setChildrenCollapsible(False)
        lay_out(QVBoxLayout(self), bar, (split, 1), spacing=0)
        self._show_state()

    # the view -------------------------------------------------------------------------------
    def open(self) -> bool:
        if not self._tables:
            self._tables = {each.id: each for each in (*built_in(), *self._own())}
            run = [name for name, table in self._tables.items() if table.measured is not None]
            self._current = (run or [*self._tables])[0]
        self._fill()
        return True

    def take_focus(self) -> None:
        self.list.setFocus()

    @property
    def is_busy(self) -> bool:
        return self.running.is_running

    def stop(self) -> None:
        """Stop the rerun; its results are dropped."""
        self.running.stop()

    def close_down(self) -> None:
        self.running.close()

    @property
    def table(self) -> PublishedTable | None:
        """Shown table."""
        return self._tables.get(self._current)

    def show_table(self, name: str) -> None:
        """Show a table by its id."""
        self._current = name
        table = self.table
        if table is not None:
            self.sheet.fill(table, self._results.get(name, table.measured))
        self._show_state()

    def _fill(self) -> None:
        tables = [self._with_result(each) for each in self._tables.values()]
        self.list.fill(tables, self._current)
        self.show_table(self._current)
        if not self.is_busy:
            self.words.setText(summary_line(tables))

    def _with_result(self, table: PublishedTable) -> PublishedTable:
        return replace(table, measured=self._results.get(table.id, table.measured))

    def _show_state(self) -> None:
        table, is_busy = self.table, self.is_busy
        for button in (self.run_folder, self.run_file):
            button.setVisible(not is_busy)
            button.setEnabled(table is not None and table.is_runnable)
            why = "" if table is None or table.is_runnable else "No figure that Pagelet computes"
            button.setToolTip(plain(why))
        self.stop_run.setVisible(is_busy)
        self.busy.setVisible(is_busy)
        self.keep.setVisible(not is_busy and self._current in self._results)

    # files ----------------------------------------------------------------------------------
    def add_file(self, path: str) -> None:
        """Add a user's table permanently."""
        try:
            table = read_table(Path(path))
        except PageletError as error:
            self.said.emit(str(error))
            return
        self._files.remember(path)
        paths = [*dict.fromkeys((*self._paths(), path))]
        self._files.settings.setValue(_FILES, paths)
        self._tables[table.id] = table
        self._current = table.id
        self._fill()

    def _paths(self) -> list[str]:
        stored = self._files.settings.value(_FILES, [])
        return [stored] if isinstance(stored, str) else list(stored or [])  # type: ignore[call-overload]

    def _own(self) -> list[PublishedTable]:
        """Return the user's tables; missing or broken ones are left out, with a message."""
        tables = []
        for path in self._paths():
            try:
                tables.append(read_table(Path(path)))
            except PageletError as error:
                self.said.emit(str(error))
        return tables

    # a rerun --------------------------------------------------------------------------------
    def run(self, source: str) -> None:
        """Run the shown table on a data set."""
        table = self.table
        if table is None or self.is_busy:
            return
        self._files.remember(source)
        self._at_work = table.id
        results = self._results

        def work(watcher: SignalWatcher) -> None:
            results[table.id] = rerun(table, [source], EvaluationOptions(), watcher)

        self.running.start(work)
        self.words.setText(f"{table.id}: starting")
        self._show_state()

    def _on_progress(self, state: RunProgress) -> None:
        self.words.setText(f"{self._at_work}: {state.line}")

    def _on_end(self, problem: str) -> None:
        if problem and not self.running.was_stopped:
            self.said.emit(problem)
        self._fill()

    def keep_figures(self) -> None:
        """Write the figures of the rerun to the table's file."""
        table = self.table
        if table is None or table.id not in self._results:
            return
        try:
            record(table, self._results[table.id])
        except PageletError as error:
            self.said.emit(str(error))
            return
        self._tables[table.id] = read_table(table.path)
        del self._results[table.id]
        built_in.cache_clear()
        self.said.emit(f"The figures are in {table.path.name}")
        self._fill()
