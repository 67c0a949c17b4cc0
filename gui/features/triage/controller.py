"""Predicts the listed pages in the background, and sorts them in an order of work."""

from collections.abc import Mapping

from PySide6.QtCore import QObject

from annotate.evaluation.run.triage import warning_of, worst_of
from annotate.evaluation.tables.prediction_quality import BAD
from annotate.workspace.workspace import page_key
from engine.words import plural
from gui.core.workbench import Workbench
from gui.features.triage.predictor import TriageOrder, triage_worker
from gui.state.work_order import WorkOrder, WorkRank
from gui.widgets.worker_process import PageQueue

_MOST_S = 60.0


class Triage(QObject):
    """Actions of the menu *Order of pages*."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        self._order = workbench.session.get(WorkOrder)
        self._ranks: dict[str, WorkRank] = {}
        self._queue = PageQueue(
            triage_worker, doing="reading", most=1000, seconds=_MOST_S, parent=self
        )
        self._queue.begun.connect(self._show_progress)
        self._queue.answered.connect(lambda order, rank: self._take(order, rank))
        self._queue.failed.connect(lambda order, why: self._take(order, WorkRank(-1.0, why)))
        self._queue.ended.connect(self._end)
        workbench.stop_asked.connect(self.stop)
        self._session.documents_changed.connect(self._forget)

    @property
    def is_running(self) -> bool:
        return self._queue.is_busy

    def toggle(self, by: str = "bad") -> None:
        """List pages in the order of work, or in their own order; stops if running.

        ``by`` is the order; pages with a prediction are only sorted again.
        """
        is_other = by != self._order.by
        self._order.set_by(by)
        if self.is_running:
            if not is_other:
                self.stop()
        elif self._order.ranks and is_other:
            self._workbench.navigation.starts_over = True
            self._order.asked.emit()
            self._session.messages.say(self._summary(self._order.ranks))
        elif self._order.ranks:
            self.restore()
        else:
            pages = [each for each in self._session.documents if not each.is_live]
            self._order.asked.emit()
            self._queue.start(TriageOrder(page_key(each), each) for each in pages)

    def restore(self) -> None:
        """List the pages in the order they were opened."""
        self.stop()
        self._order.set_ranks({})
        self._session.messages.say("pages are listed as they were opened")

    def stop(self) -> None:
        """Stop predicting; the list stays as it is."""
        self._queue.stop()
        self._ranks = {}
        self._workbench.note("triage", "", "")

    def _forget(self) -> None:
        self.stop()
        self._order.set_ranks({})

    def _show_progress(self) -> None:
        done = len(self._ranks)
        text = f"{done} of {plural(done + 1 + len(self._queue), 'page')} predicted"
        self._workbench.note("triage", text, "Order of pages: the same entry stops it")

    def _end(self) -> None:
        if self._ranks:
            ranks = self._ranks
            self.stop()
            self._order.set_ranks(ranks)
            self._workbench.navigation.starts_over = True
            self._order.asked.emit()
            self._session.messages.say(self._summary(ranks))

    def _take(self, order: TriageOrder, rank: WorkRank) -> None:
        self._ranks[order.page] = rank

    def _summary(self, ranks: Mapping[str, WorkRank]) -> str:
        documents = {page_key(each): each for each in self._session.documents}
        named = [
            (rank.f1, self._workbench.pages.title(documents[key]))
            for key, rank in ranks.items()
            if key in documents and rank.f1 >= 0
        ]
        bad = sum(f1 < BAD for f1, _ in named)
        warning = warning_of(len(named), bad, worst_of(named), len(ranks) - len(named))
        listed = f"{plural(len(named), 'page')} listed, {self._order.in_words}"
        return warning if warning and self._order.by == "bad" else listed
