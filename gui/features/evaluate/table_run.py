"""Evaluation of a table's pages: start, results, end."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from annotate.datasets.cases import Key
from annotate.evaluation.run.open_pages import GoldFacts
from annotate.evaluation.run.run_progress import RunProgress
from annotate.evaluation.store.rows import ResultRow
from annotate.evaluation.tables.result_table import Stale
from gui.core.background_run import Running
from gui.features.evaluate.model import ScoresModel
from gui.features.evaluate.run_state import Evaluate, Request, RunState
from gui.features.evaluate.run_store import WindowRuns
from gui.state.session import Session


class TableRun(QObject):
    """Runs methods on the pages of a table; adds the results to the table and the workspace.

    Attributes:
        running: Background work.
        state: State of the last run on these pages; None before the first.
    """

    progressed = Signal(float)  # finished share
    page_done = Signal()  # the page's rows are in the table
    ended = Signal()

    def __init__(
        self,
        session: Session,
        model: ScoresModel,
        evaluate: Evaluate,
        store: WindowRuns,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._model = session, model
        self._evaluate, self._store = evaluate, store
        self._changed: set[int] = set()  # pages whose gold has changed since the run began
        self.state: RunState | None = None
        self.running = Running(self)
        self.running.progressed.connect(self._on_progress)
        self.running.page_done.connect(self._on_page_done)
        self.running.said.connect(self._on_message)
        self.running.ended.connect(self._on_ended)

    def start(self, request: Request, gold: Sequence[GoldFacts]) -> bool:
        """Start an evaluation; return whether it could be started.

        ``gold`` holds the gold of each page of the table; it may be empty if not known.
        """
        bare = [page for page in request.pages if gold and not gold[page].kinds]
        if bare:  # rendering them would only give the same message
            self._model.skip(bare, request.columns, "the page has no gold")
            rest = tuple(page for page in request.pages if gold[page].kinds)
            request = replace(request, pages=rest)
        with self._session.messages.errors():
            work = self._evaluate(request)
            names = self._model.shown.table.pages
            needed = {names[page].name: request.inputs_of(page) for page in request.pages}
            self.state = RunState(request, needed=needed)
            self._changed.clear()
            self._store.begin(self._session.documents, names, [facts.gold for facts in gold])
            self.running.start(work)
            return True
        return False

    def drop(self) -> None:
        """Drop the run: the table has other pages."""
        self.running.drop()
        self.state = None

    def note_gold(self, page: int) -> None:
        """Record that the gold of a page changed: later results are of the old gold."""
        if self.running.is_running:
            self._changed.add(page)
        self._model.mark_stale(page, Stale.GOLD)

    def _on_progress(self, state: RunProgress) -> None:
        if self.state is not None:
            self.progressed.emit(self.state.progress(state))

    def _on_message(self, line: str) -> None:
        # The user knows that it was stopped.
        if self.state is not None and not self.running.was_stopped:
            self.state.notes.append(line)

    def _on_page_done(self, key: Key, rows: Sequence[ResultRow]) -> None:
        page = self._model.shown.table.row_of(*key[:2])
        if page < 0:
            return
        self._model.take(rows, self._store.gold_of.get(key[1], ""))
        if page in self._changed:
            self._model.mark_stale(page, Stale.GOLD)
        self._store.keep(self._session.documents[page], rows)
        if self.state is not None:
            self.state.add(key)
        self.page_done.emit()

    def _on_ended(self, problem: str) -> None:
        if self.state is not None:
            self.state.end(problem, was_stopped=self.running.was_stopped)
            if problem:
                self._session.messages.say(problem)
        self._model.rearrange()  # sort new results
        self.ended.emit()
