"""Evaluate view: runs the methods on all open pages and shows pages × methods."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

import resources
from annotate.datasets.case_files import PageFiles
from annotate.evaluation.run.open_pages import GoldFacts, facts_of, types_of
from annotate.evaluation.tables.axes import Column, OutputKind, PackedPages
from annotate.evaluation.tables.result_table import read_results
from engine.document import Document
from gui.core.changed_note import ChangedNote
from gui.core.main_area import Room, View
from gui.core.navigation import Navigation
from gui.features.evaluate import cell_text
from gui.features.evaluate.cell_actions import CellActions
from gui.features.evaluate.choosing import ChoicePopups
from gui.features.evaluate.columns import RunOffer, offer
from gui.features.evaluate.filter_bar import FilterBar
from gui.features.evaluate.filtering import Sort
from gui.features.evaluate.grid import ScoreGrid
from gui.features.evaluate.inspection import Inspection
from gui.features.evaluate.measures import KINDS
from gui.features.evaluate.model import ScoresModel
from gui.features.evaluate.placeholder import Placeholder
from gui.features.evaluate.run_bar import RunBar
from gui.features.evaluate.run_state import Evaluate, Request
from gui.features.evaluate.run_store import WindowRuns
from gui.features.evaluate.saved_filters import SavedFilters
from gui.features.evaluate.table_run import TableRun
from gui.state.session import Session
from gui.widgets.events import debounce
from gui.widgets.layouts import lay_out

_SIGNS = ".,"
"""Typed in numbers and names; on the page they open another page."""

_KEYS = "iI"
"""Letters that are keys here, unless others were typed just before."""

_DRAW_MS = 150
"""Least interval between redrawing means and headings while results arrive."""


class EvaluateView(CellActions, View):
    """Table of scores in place of the page; its results are restored next time."""

    asked = Signal(str)  # the name of an action
    asked_gold = Signal()  # request to look up the pages' gold
    progress_changed = Signal(str)  # "37 %" while it runs, "" otherwise
    room = Room.OVER_PAGE
    hint = (
        "Enter: page and errors · {evaluate-inspector} inspector · {evaluate-sort} order by the "
        "column · {evaluate-copy} copies"
    )

    def __init__(
        self,
        session: Session,
        host: Navigation,
        evaluate: Evaluate,
        store: WindowRuns,
        files_of: Callable[[Document], PageFiles],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("Evaluate")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        # Its preferred size must not take room from the panels around the page it covers,
        # and the filter bar uses two lines only if it may get narrow.
        self.setMinimumSize(320, 240)
        self._session, self._host = session, host
        self._gold: list[GoldFacts] = []  # for each page, once known
        self._file: Path | None = None  # file with results shown in place of the pages' own
        self._store = store
        self._begins = False  # whether to run as soon as the gold is known
        self._sort = store.sort()  # the order the user chose, also while its column is not shown
        self.model = ScoresModel(self)
        self._table_run = TableRun(session, self.model, evaluate, store, self)
        self.running = self._table_run.running
        self.run_bar = RunBar(self)
        self.filter_bar = FilterBar(SavedFilters(session, store.workspace, self), self)
        self.grid = ScoreGrid(self.model, self)
        self.placeholder = Placeholder(self)
        self._choosing = ChoicePopups(session, self.model, self)
        self.methods, self.measures = self._choosing.methods, self._choosing.measures
        self.inspection = Inspection(
            self.model, self.grid, files_of, self._document_of, self._facts_of, store, self
        )
        self._middle = QStackedWidget(self)
        self._middle.addWidget(self.grid)
        self._middle.addWidget(self.placeholder)
        note = lay_out(QHBoxLayout(), ChangedNote(session, self), None, margins=(12, 0, 8, 0))
        parts = (self.filter_bar, note, (self._middle, 1))
        left = lay_out(QVBoxLayout(), *parts, spacing=0)
        below = lay_out(QHBoxLayout(), (left, 1), self.inspection.inspector, spacing=0)
        lay_out(QVBoxLayout(self), self.run_bar, (below, 1), spacing=0)
        self._draw = debounce(self, _DRAW_MS, self.grid.repaint_heads)
        self._connect()
        self._on_documents()
        self._on_document()

    def _connect(self) -> None:
        session, bar = self._session, self.run_bar
        bar.run.clicked.connect(self.run)
        bar.stop.clicked.connect(self.stop)
        bar.again.clicked.connect(self.run_all)
        bar.methods.clicked.connect(self.choose_methods)
        bar.kinds.picked.connect(self._show_kinds)
        bar.export.clicked.connect(self.export)
        bar.close_file.clicked.connect(self.close_results)
        self.filter_bar.changed.connect(self._on_filter)
        self.filter_bar.refused.connect(session.messages.say)
        self.filter_bar.compare_asked.connect(self.grid.compare)
        self.filter_bar.pick_asked.connect(self.grid.take)
        self.filter_bar.left.connect(self.grid.setFocus)
        self.grid.changed.connect(self._restore_sort)
        self.grid.changed.connect(self._refresh)
        self.grid.sorted.connect(self._keep_sort)
        self.grid.opened.connect(self.show_cell)
        self.grid.measure_asked.connect(self._choosing.ask_measure)
        self.placeholder.asked.connect(self.asked)
        self.methods.picked.connect(self._toggle_method)
        self._choosing.toggled.connect(self._on_layers)
        self.measures.picked.connect(self._show_measure)
        self._table_run.progressed.connect(self._on_progress)
        self._table_run.page_done.connect(self._on_page_done)
        self._table_run.ended.connect(self._on_ended)
        session.documents_changed.connect(self._on_documents)
        session.open.document_changed.connect(self._on_document)
        session.layers.layers_changed.connect(self._on_layers)
        session.open.gold_changed.connect(self._on_gold)
        self._host.pages.changed.connect(self._on_titles)

    # running ---------------------------------------------------------------------------------
    def run(self) -> None:
        """Run missing scores: all at first, later only new, changed and unfinished ones."""
        self._start(offer(self.model.shown.table, self._to_run()).request)

    def run_all(self) -> None:
        """Run all methods on all pages; nothing happens without either, as with `run`."""
        every, columns = range(len(self.model.shown.table.pages)), self._to_run()
        self._start(Request(tuple(every), columns) if every and columns else None)

    def _start(self, request: Request | None) -> None:
        if request is None or self.running.is_running or self._file is not None:
            return
        if self._table_run.start(request, self._gold):
            self._refresh()
            self.grid.setFocus()

    @property
    def is_busy(self) -> bool:
        return self.running.is_running

    def stop(self) -> None:
        """Stop; finished results stay."""
        self.running.stop()
        self._refresh()

    def close_up(self) -> None:
        self.inspection.end()

    def close_down(self) -> None:
        self.running.close()
        self.inspection.close()

    def _show_running(self) -> None:
        self.run_bar.show_running(self._table_run.state, is_ending=self.running.was_stopped)

    def _on_progress(self, share: float) -> None:
        self._show_running()
        self.progress_changed.emit(f"{share:.0%}" if self.running.is_running else "")

    def _on_page_done(self) -> None:
        if self._middle.currentWidget() is not self.grid:
            self._refresh()
        if not self._draw.isActive():
            self._draw.start()

    def _on_ended(self) -> None:
        self.progress_changed.emit("")
        self._show_wanted()

    # contents --------------------------------------------------------------------------------
    def _on_documents(self) -> None:
        self._table_run.drop()
        self._file = None
        pages = self._pages()
        self.model.set_pages(pages)
        self.model.restore(self._store.restore(self._session.documents, pages))
        self._gold = []
        self._want()
        self._choosing.golds = frozenset(KINDS)
        self.filter_bar.show_types(())
        self._show_tags()
        self._refresh()

    # results of a file -----------------------------------------------------------------------
    def open_results(self, path: Path) -> bool:
        """Show results of `pagelet evaluate` in place of the open pages; return success."""
        with self._session.messages.errors():
            results = read_results(path)
            self._table_run.drop()
            self._file, self._gold = path, []
            if isinstance(results.pages, PackedPages):
                named = self._pages()
                results.pages.titles = {each.name: each.title for each in named if each.title}
            self.model.set_results(results)
            self._choosing.golds = frozenset(column.kind for column in results.columns)
            self.run_bar.offer_kinds(self._choosing.golds)
            self.filter_bar.show_types(())
            self._on_document()  # none of these is the open page
            self._show_wanted()
            return True
        return False

    @property
    def file(self) -> Path | None:
        """File with the shown results; None for those of the open pages."""
        return self._file

    def close_results(self) -> None:
        """Show the open pages again, with their stored scores."""
        if self._file is not None:
            self._on_documents()
            self._on_document()
            self.asked_gold.emit()

    def _columns(self) -> tuple[Column, ...]:
        if self._file is not None:
            return tuple(self.model.shown.table.columns)
        return self._choosing.columns()

    def set_gold(self, facts: Sequence[GoldFacts]) -> None:
        if self._file is not None or len(facts) != len(self.model.shown.table.pages):
            return
        self._gold = list(facts)
        self.model.check([(each.gold, each.page) for each in facts])
        self.model.set_types([each.types for each in facts])
        self.filter_bar.show_types(types_of(facts))
        self._choosing.golds = frozenset(kind for each in facts for kind in each.kinds)
        self.run_bar.offer_kinds(self._choosing.golds)
        self._show_wanted()
        begins, self._begins = self._begins, False
        if begins and not self.model.shown.table.has_results:
            self.run()

    def _want(self) -> None:
        """Show the chosen methods with gold."""
        self.model.set_columns(self._columns(), self._choosing.kinds)
        self._restore_sort()

    def _show_wanted(self) -> None:
        self._want()
        self._refresh()

    def _restore_sort(self) -> None:
        """Restore the stored sort order, if its column is shown and no other order is set."""
        by = self._sort.by
        if self.model.shown.sort_by == Sort() and by in ("list", "title", *self._to_run()):
            self.model.set_sort(self._sort)

    def _keep_sort(self, sort: Sort) -> None:
        self._sort = sort
        self._store.keep_sort(sort)

    def _to_run(self) -> tuple[Column, ...]:
        shown = self.model.shown
        return tuple(column for column in shown.chosen if column.kind in shown.kinds)

    def _on_titles(self) -> None:
        if self._file is not None:
            return
        self._show_tags()
        pages = tuple(self._pages())
        table = self.model.shown.table
        if pages != table.pages and [p.name for p in pages] == [p.name for p in table.pages]:
            table.pages = pages
            self.grid.repaint_heads()

    def _show_tags(self) -> None:
        known = self._host.pages
        tags = tuple(frozenset(known.tags(document)) for document in self._session.documents)
        if any(tags) or self.model.shown.tags:
            self.model.set_tags(tags)
            self.filter_bar.show_tags(sorted({tag for those in tags for tag in those}))

    def _on_document(self) -> None:
        self.grid.pages.is_open = self._open_page()
        self.grid.pages.viewport().update()

    def _on_gold(self) -> None:
        page = self._open_page()
        self.inspection.note_edit()
        if page >= 0:
            self._table_run.note_gold(page)
            if self._gold:
                # Its digest is known when the gold is looked up again.
                self._gold[page] = facts_of(self._session.open.gold)
                self.set_gold(self._gold)

    def _on_layers(self) -> None:
        if self.running.is_running or self._file is not None:
            return  # the columns being filled stay until the end
        if self._columns() != self.model.shown.chosen:
            self._show_wanted()

    def _show_kinds(self, kinds: object) -> None:
        self._choosing.pick_kind(str(kinds))
        self._show_wanted()

    def _on_filter(self) -> None:
        self.model.set_filter(self.filter_bar.page_filter())
        self.grid.repaint_heads()

    def _refresh(self) -> None:
        shown = self.model.shown
        table, methods = shown.table, self._to_run()
        self.filter_bar.show_columns(shown, self.grid.heads.picked)
        names = [column.name for column in methods]
        others = [each.name for each in self._choosing.columns() if each.name not in names]
        self.run_bar.show_methods(names, others, follows=self._choosing.follows)
        if self.running.is_running:
            self._show_running()
        else:
            what = offer(table, methods) if self._file is None else RunOffer("Run", None)
            self.run_bar.show_idle(
                what.words,
                self._table_run.state,
                can_run=what.request is not None,
                has_results=table.has_results,
                summary=cell_text.age_text(shown),
            )
        if self._file is not None:
            self.run_bar.show_file(self._file, len(table.pages), len(table.columns))
        self._show_placeholder()
        self.grid.repaint_heads()

    def _show_placeholder(self) -> None:
        had_focus = self.placeholder.isAncestorOf(self.window().focusWidget() or self)
        shown = self.model.shown
        pages, methods = len(shown.table.pages), len(self._to_run())
        is_table = pages and methods and (shown.table.has_results or self.running.is_running)
        if not is_table:
            self.placeholder.say(pages, methods, self._choosing.golds)
        self._middle.setCurrentWidget(self.grid if is_table else self.placeholder)
        self.filter_bar.setVisible(bool(is_table))
        self.run_bar.methods.setVisible(bool(pages and self._choosing.golds and self._file is None))
        self.run_bar.show_tools(on=bool(is_table))
        self.inspection.set_available(on=bool(is_table))
        if had_focus and not is_table:
            self.placeholder.take_focus()  # its buttons have changed

    # methods and measures --------------------------------------------------------------------
    def choose_methods(self) -> None:
        """Show the choice of methods to evaluate."""
        button = self.run_bar.methods
        self._choosing.open_at(button.mapToGlobal(QPoint(0, button.height() + 2)))

    def _toggle_method(self, key: str) -> None:
        if self.running.is_running:
            self._session.messages.say("stop the evaluation to choose other methods")
            return
        self._choosing.toggle(key)

    def _show_measure(self, kind: OutputKind, key: str) -> None:
        self.model.show_measure(kind, key)
        self._refresh()

    # inspector -------------------------------------------------------------------------------
    def _facts_of(self, page: int) -> GoldFacts:
        return self._gold[page] if page < len(self._gold) else GoldFacts()

    def toggle_inspector(self) -> None:
        """Fold or open the inspector."""
        self.inspection.toggle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.inspection.fit()

    def event(self, event: QEvent) -> bool:
        """Keep typed text from the shortcuts of the page: a hidden page is not changed."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            text, held = event.text(), event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            is_typed = text.isalnum() or (bool(text) and text in _SIGNS)
            is_typed &= text not in _KEYS or self.grid.is_searched
            if is_typed and held == Qt.KeyboardModifier.NoModifier:
                event.accept()
                return True
        return super().event(event)

    # keys ------------------------------------------------------------------------------------
    def open(self) -> bool:
        """Look up the gold of the pages again; run the sample pages (seconds)."""
        samples, documents = resources.path("corpus"), self._session.documents
        are_samples = all(samples in Path(each.full_path).parents for each in documents)
        self._begins = bool(documents) and are_samples and self._file is None
        self.asked_gold.emit()
        return True

    def start_search(self) -> bool:
        self.filter_bar.words.start()
        return True

    def step_back(self) -> bool:
        """Clear a focused filter and focus the table; return whether the focus moved."""
        words = self.filter_bar.words
        if words.hasFocus():
            words.clear()
        if self.window().focusWidget() is self.grid or not self.grid.isVisible():
            return False
        self.grid.setFocus()
        return True

    def take_focus(self) -> None:
        if self._middle.currentWidget() is self.grid:
            self.grid.setFocus()
        else:
            self.placeholder.take_focus()
