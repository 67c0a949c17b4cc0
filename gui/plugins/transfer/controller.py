"""Transfer of marks in the window: from marked pages to others of their template, as drafts.

Pages are rendered and matched in a separate process. Results are saved page by page, each as one
undoable change; existing marks are never changed.
"""

from collections import deque
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from annotate.marks import drafts
from annotate.marks.gold import Gold, Mark
from annotate.plugins.transfer import transfer
from annotate.workspace.workspace import page_key
from engine.archive import pack
from engine.document import Document
from engine.errors import PageletError
from engine.nodes import NodeTable
from engine.page import Page
from engine.page_cache import Snapshots, default_folder
from engine.version import pagelet_version
from engine.web.renderer import renderer_name
from engine.words import plural
from gui.core.workbench import Workbench
from gui.features.drafts.feature import DraftsController
from gui.features.pages.feature import PageMenu
from gui.plugins.transfer.worker import TransferAnswer, TransferOrder, TransferPage, transfer_worker
from gui.state.open_page import CurrentPage
from gui.widgets.jobs import Task
from gui.widgets.worker_process import QtWorkerProcess

_MOST_S = 90.0
"""Seconds allowed for one page, with the pages its marks come from."""

_MOST_SOURCES = 12
_BUSY = "marks are already being transferred"


class Transfer(QObject):
    """Transfers marks to one page after the other in the background."""

    ended = Signal()

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._session, self._workspace = workbench.session, workbench.workspace
        self._marking, self._drafting = workbench.marking, workbench.get(DraftsController)
        self._listed, self._folder = workbench.get(PageMenu), default_folder()
        workbench.requests.transfer.connect(self.transfer)
        self._worker = QtWorkerProcess(
            transfer_worker, self._folder, doing="rendering", most=100, seconds=_MOST_S, parent=self
        )
        self._worker.answered.connect(self._take)
        self._worker.failed.connect(self._give_up)
        self._waiting: deque[tuple[Document, TransferOrder]] = deque()
        self._current: tuple[Document, TransferOrder] | None = None
        self._counts = [0, 0, 0, 0]  # pages, marks, uncertain marks, pages with errors
        self._problem = ""
        self._task = Task(self, in_line=True)

    @property
    def is_busy(self) -> bool:
        """Whether marks are being transferred."""
        return self._current is not None or bool(self._waiting)

    # requests --------------------------------------------------------------------------------
    def transfer_here(self) -> None:
        """Transfer marks from other pages of its site to the open page."""
        session, opened = self._session, self._session.open
        document, page = opened.document, opened.page
        if document is None or page is None:
            return
        problem = _BUSY if self.is_busy else refusal(opened)
        if problem:
            session.messages.say(problem)
            return
        sources = self._marked([each for each in opened.siblings if page_key(each) != opened.key])
        if not sources:
            session.messages.say("no other page of its site is marked yet")
            return
        order = TransferOrder(self._files(document), sources, self._workspace.path, pack(page))
        self._start([(document, order)])

    def transfer_to_listed(self) -> None:
        """Transfer the open page's marks to the one chosen in the list."""
        if (pair := self._listed.pair) is not None:
            self.transfer(pair[:1], pair[1:])

    def transfer(self, pages: Sequence[int], to: Sequence[int]) -> None:
        """Transfer the marks of some listed pages to others, and save them there as drafts."""
        session = self._session
        if self.is_busy:
            session.messages.say(_BUSY)
            return
        sources = tuple(self._files(session.documents[page]) for page in pages)
        if not sources or not to:
            session.messages.say("no other page in this cluster")
            return
        orders, here, shown = [], session.open.document, session.open.page
        for document in (session.documents[page] for page in to):
            if document.is_live or drafts.is_unassisted(page_key(document), self._drafting.share):
                continue
            packed = pack(shown) if document == here and shown is not None else b""
            order = TransferOrder(self._files(document), sources, self._workspace.path, packed)
            orders.append((document, order))
        self._start(orders)

    def stop(self) -> None:
        """Stop transferring; transferred marks stay."""
        self._waiting.clear()
        self._current = None
        self._task.cancel()
        self._worker.end()

    def _files(self, document: Document) -> TransferPage:
        return TransferPage(document, self._session.files.get(page_key(document)))

    def _marked(self, documents: Sequence[Document]) -> tuple[TransferPage, ...]:
        with self._session.messages.errors():
            known = self._workspace.marked()
            result = [each for each in documents if page_key(each) in known]
            return tuple(map(self._files, result[:_MOST_SOURCES]))
        return ()

    # transferring --------------------------------------------------------------------------------
    def _start(self, orders: Sequence[tuple[Document, TransferOrder]]) -> None:
        self._counts, self._problem = [0, 0, 0, 0], ""
        self._waiting = deque(orders)
        self._next()

    def _next(self) -> None:
        self._current = None
        if not self._waiting:
            self._session.messages.set_progress("")
            self._show_summary()
            self.ended.emit()
            return
        self._current = self._waiting.popleft()
        self._session.messages.set_progress(
            f"Transferring marks: {plural(len(self._waiting) + 1, 'page')} left"
        )
        self._worker.hand(self._current[1])

    def _give_up(self, why: str) -> None:
        self._counts[3] += 1
        self._problem = why
        self._next()

    def _take(self, answer: TransferAnswer) -> None:
        assert self._current is not None
        document, order = self._current
        if order.packed:
            self._to_open_page(document, answer)
            self._next()
        else:
            self._task.start(
                lambda: Snapshots(self._folder, renderer_name()).find(document),
                partial(self._save, document, answer),
                lambda error: self._give_up(str(error)),
            )

    def _to_open_page(self, document: Document, answer: TransferAnswer) -> None:
        if self._session.open.document != document:
            return
        made: list[int] = []

        def edit(gold: Gold, nodes: NodeTable) -> Gold:
            after, counts = _with(gold, nodes, answer, self._marking.dropped())
            made.extend(counts)
            return after

        self._marking.change(f"transfer marks from {answer.origin}", edit)
        self._note(made)

    def _save(self, document: Document, answer: TransferAnswer, page: Page | None) -> None:
        if self._current is None or self._current[0] != document:
            return
        if page is None:
            self._give_up("its snapshot is gone")
            return
        if document == self._session.open.document:  # opened meanwhile: its marks must not be lost
            self._give_up(f"{document.name} was opened meanwhile")
            return
        try:
            key, nodes = page_key(document), page.rendered()
            self._workspace.visit(key, title=page.title, digest=page.digest, viewport=page.viewport)
            gold = self._workspace.load_gold(key, nodes)
            dropped = self._workspace.dropped_drafts(key, nodes)
            after, counts = _with(gold, nodes, answer, dropped)
            if counts[0]:
                self._workspace.save_gold(key, after, nodes, f"transfer marks from {answer.origin}")
            self._note(counts)
        except PageletError as error:
            self._give_up(str(error))
            return
        self._next()

    def _note(self, made: Sequence[int]) -> None:
        if made and made[0]:
            self._counts[0] += 1
            self._counts[1] += made[0]
            self._counts[2] += made[1]

    def _show_summary(self) -> None:
        pages, marks, doubtful, trouble = self._counts
        if not pages:
            self._session.messages.say(self._problem or "nothing new was found to mark")
            return
        text = f"{plural(marks, 'draft')} on {plural(pages, 'page')}"
        if doubtful:
            text += f", {doubtful} of them uncertain"
        text += ": Ctrl+Shift+Y confirms the certain ones, Shift+N walks the others"
        if trouble:
            text += f"; {plural(trouble, 'page')} left out: {self._problem}"
        self._session.messages.say(text)


def _with(
    gold: Gold, nodes: NodeTable, answer: TransferAnswer, dropped: Sequence[Mark]
) -> tuple[Gold, list[int]]:
    """Return the gold with the transferred marks, their number, and that of uncertain ones."""
    result = transfer.without_marked(answer.result, gold, nodes)
    every = sorted((*result.sure, *result.doubtful), key=lambda each: (each.targets[0], each.level))
    after = transfer.with_drafts(gold, nodes, every, answer.origin, pagelet_version())
    after = drafts.without_dropped(gold, after, dropped)
    new = len(after.marks) - len(gold.marks)
    known = {mark.id for mark in gold.marks}
    sure = sum(mark.id not in known for mark in drafts.certain(after))
    return after, [new, new - sure]


def refusal(opened: CurrentPage) -> str:
    """Return why drafts cannot be put on the open page; "" if they can."""
    if opened.is_unassisted:
        return "this page is kept free of drafts: mark it by hand"
    locked = "the marks are read-only: copy them into your workspace to edit them"
    return locked if opened.is_locked else ""
