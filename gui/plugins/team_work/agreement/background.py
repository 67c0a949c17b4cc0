"""Background work of the Agreement view: comparing marks, a page at a time."""

from PySide6.QtCore import QObject, Signal

from annotate.plugins.team_work.shared_pages import pages_in
from annotate.workspace.workspace import Workspace
from gui.plugins.team_work.agreement.comparer import CompareOrder, compare_worker
from gui.plugins.team_work.agreement.rows import AgreementRow
from gui.widgets.worker_process import PageQueue

_MOST_S = 120.0
"""Seconds allowed per page."""


class AgreementRun(QObject):
    """Agreement run over the shared pages of a workspace; a page that fails is skipped."""

    compared = Signal(object, int, int)  # AgreementRow, its page's number, of how many
    ended = Signal(str)  # a sentence if nothing could be compared, else ""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._count = self._compared = 0
        self._problem = ""
        self._queue = PageQueue(
            compare_worker, doing="rendering", most=100, seconds=_MOST_S, parent=self
        )
        self._queue.answered.connect(self._take)
        self._queue.failed.connect(self._on_failed)
        self._queue.ended.connect(self._end)

    @property
    def is_running(self) -> bool:
        return self._queue.is_busy

    def start(self, workspace: Workspace) -> None:
        """Start again with the current contents of the workspace."""
        problems: list[str] = []
        pages = pages_in(workspace, problems)
        self._compared, self._problem = 0, "".join(problems[-1:])
        self._count = len(pages)
        self._queue.start(
            [CompareOrder(workspace.path, each.key, each.name, each.document) for each in pages]
        )

    def stop(self) -> None:
        self._queue.stop()

    def _take(self, _order: CompareOrder, row: AgreementRow) -> None:
        self._compared += 1
        self.compared.emit(row, self._count - len(self._queue), self._count)

    def _on_failed(self, _order: CompareOrder, why: str) -> None:
        self._problem = why

    def _end(self) -> None:
        self.ended.emit("" if self._compared else self._problem)
