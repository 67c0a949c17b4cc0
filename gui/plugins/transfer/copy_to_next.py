"""Copy of marks from the open page to the next: as drafts, if the same nodes are found."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from annotate.marks.gold import Gold
from annotate.plugins.transfer import transfer
from annotate.plugins.transfer.transfer import TransferResult
from engine.nodes import NodeTable
from engine.page import Page
from engine.version import pagelet_version
from engine.words import plural
from gui.core.workbench import Workbench
from gui.plugins.transfer.controller import refusal
from gui.widgets.jobs import Task


@dataclass(frozen=True, eq=False)
class _Copied:
    """Page at the time of copying, its confirmed marks, and its name."""

    page: Page
    gold: Gold
    name: str


class CopyToNext(QObject):
    """Copies the marks of a page to the page opened next."""

    ended = Signal()  # the marks are on the page, or a message gives the reason

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        session = self._session = workbench.session
        self._marking = workbench.marking
        self._open_next = workbench.navigation.next_page
        self._copied: _Copied | None = None
        self._task = Task(self, in_line=True)
        session.open.page_changed.connect(self._on_page)
        session.open.document_changed.connect(self.stop)

    def copy(self) -> None:
        """Go to the next page, and copy the marks of this page to it."""
        session = self._session
        page, document = session.open.page, session.open.document
        if page is None or document is None:
            return
        if not session.open.gold.sure.marks:
            session.messages.say("nothing to copy: mark something on this page first")
            return
        copied = _Copied(page, session.open.gold.sure, document.name)
        self._open_next()
        if session.open.document == document:
            session.messages.say("nothing to copy to: this is the last page listed")
        else:
            self._copied = copied
            self._on_page()

    def stop(self) -> None:
        """Stop copying: another page is about to be opened."""
        self._copied = None
        self._task.cancel()

    def _on_page(self) -> None:
        session, copied = self._session, self._copied
        page = session.open.page
        if copied is None or page is None or page is copied.page:
            return
        self._copied = None
        if problem := refusal(session.open):
            self._end(problem)
            return
        sources = [(copied.page.rendered(), copied.gold)]
        work = partial(transfer.transfer_marks, sources, page.rendered())
        self._task.start(work, partial(self._take, copied), self._fail)

    def _take(self, copied: _Copied, result: TransferResult) -> None:
        made: list[int] = []
        if 2 * len(result.sure) < len(copied.gold.marks):
            # Chance matches of two different pages have full certainty.
            self._end(f"too few marks of {copied.name} match: the pages are not alike")
            return

        def edit(gold: Gold, nodes: NodeTable) -> Gold:
            new = transfer.without_marked(result, gold, nodes).sure
            after = transfer.with_drafts(gold, nodes, new, copied.name, pagelet_version())
            made.append(len(after.marks) - len(gold.marks))
            return after

        session = self._session
        asked = len(copied.gold.marks)
        if self._marking.change(f"copy marks from {copied.name}", edit):
            for level in sorted({mark.level for mark in session.open.gold.drafts()}):
                self._marking.show_layer(level)
            of = f" ({asked} were marked there)" if made[0] != asked else ""
            session.messages.say(
                f"{plural(made[0], 'draft')} from {copied.name}{of}. "
                "Y confirms the selected one, Shift+Y all in view"
            )
        elif made:
            session.messages.say(f"no mark of {copied.name} matches this page")
        self.ended.emit()

    def _fail(self, error: Exception) -> None:
        self._end(f"the marks could not be copied: {error}")

    def _end(self, text: str) -> None:
        self._session.messages.say(text)
        self.ended.emit()
