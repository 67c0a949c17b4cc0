"""Background work of the Agreement view: comparing marks, a page at a time."""

from collections import deque

from PySide6.QtCore import QObject, Signal

from annotate.team.shared_pages import pages_in
from annotate.workspace.workspace import Workspace
from gui.features.agreement.comparer import CompareOrder, compare_worker
from gui.features.agreement.rows import AgreementRow
from gui.widgets.worker_process import QtWorkerProcess

_MOST_S = 120.0
"""Seconds allowed per page."""


class AgreementRun(QObject):
    """Agreement run over the shared pages of a workspace; a page that fails is skipped."""

    compared = Signal(object, int, int)  # AgreementRow, its page's number, of how many
    ended = Signal(str)  # a sentence if nothing could be compared, else ""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[CompareOrder] = deque()
        self._count = self._compared = 0
        self._problem = ""
        self._worker = QtWorkerProcess(
            compare_worker, doing="rendering", most=100, seconds=_MOST_S, parent=self
        )
        self._worker.answered.connect(self._take)
        self._worker.failed.connect(self._on_failed)

    @property
    def is_running(self) -> bool:
        return self._worker.is_busy or bool(self._waiting)

    def start(self, workspace: Workspace) -> None:
        """Start again with the current contents of the workspace."""
        self.stop()
        problems: list[str] = []
        self._waiting.extend(
            CompareOrder(workspace.path, each.key, each.name, each.document)
            for each in pages_in(workspace, problems)
        )
        self._compared, self._problem = 0, "".join(problems[-1:])
        self._count = len(self._waiting)
        self._next()

    def stop(self) -> None:
        self._waiting.clear()
        self._worker.end()

    def _next(self) -> None:
        if self._waiting:
            self._worker.hand(self._waiting.popleft())
        else:
            self._worker.end()  # its browser is no longer needed
            self.ended.emit("" if self._compared else self._problem)

    def _take(self, row: AgreementRow) -> None:
        self._compared += 1
        self.compared.emit(row, self._count - len(self._waiting), self._count)
        self._next()

    def _on_failed(self, why: str) -> None:
        self._problem = why
        self._next()
