"""Learning drafts in the window: pages begin with drafts learned from the annotator's pages."""

from contextlib import suppress

from PySide6.QtCore import QObject, Signal

from annotate.marks.drafts import FREE_SHARE
from annotate.marks.learned.bias import DRAFTING, MeasuredPage
from annotate.marks.learned.learned_drafts import with_learned
from annotate.workspace.workspace import page_key
from engine.archive import pack
from engine.document import Document
from engine.errors import PageletError
from engine.page import Page
from engine.page_cache import default_folder
from engine.version import pagelet_version
from engine.words import plural
from gui.core.workbench import Workbench
from gui.features.drafts.controller import KEPT_FREE, LEARNS, DraftsController
from gui.features.drafts.drafter import DraftingAnswer, DraftingOrder, DraftingPage, drafting_worker
from gui.state.walk import Shown
from gui.widgets.worker_process import QtWorkerProcess

SHARE = 0.1
"""Default share of the pages kept free of drafts."""

_MOST_S = 120.0


class LearningState(Shown):
    """State of the panel of learned drafts."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_on = False
        self.share = 0.0
        self.pages = 0
        self.seconds = 0.0
        self.measured: tuple[MeasuredPage, ...] = ()
        self.problem = ""


class LearningDrafts(QObject):
    """Sends pages to the learning process and adopts its drafts, without blocking."""

    answered = Signal()

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        session = self._session = workbench.session
        self._workspace, self._marking = workbench.workspace, workbench.marking
        self._drafting = workbench.get(DraftsController)
        self.state = session.get(LearningState)
        self._worker = QtWorkerProcess(
            drafting_worker, default_folder(), doing="learning drafts", most=200, seconds=_MOST_S,
            parent=self,
        )  # fmt: skip
        self._worker.answered.connect(self._take)
        self._worker.failed.connect(self._fail)
        self._asked: tuple[Document, bool] | None = None  # page, whether manually
        self._next: DraftingOrder | None = None  # next request while the worker is busy
        session.open.page_changed.connect(self._begin)
        self.state.shown_changed.connect(self._measure)
        self._update_state()

    # the switch ------------------------------------------------------------------------------
    @property
    def is_on(self) -> bool:
        """Whether drafts learn in this workspace."""
        return self._drafting.is_set(LEARNS)

    def toggle(self) -> None:
        """Switch learned drafts for new pages on or off."""
        is_on, messages = not self.is_on, self._session.messages
        try:
            if is_on and self._workspace.setting(FREE_SHARE, None) is None:
                self._workspace.set_setting(FREE_SHARE, SHARE)
            self._workspace.set_setting(LEARNS, is_on)
        except PageletError as error:
            messages.say(f"not saved: {error}")
            return
        self._drafting.share_changed.emit()
        self._update_state()
        if is_on:
            messages.say(
                "new pages begin with drafts that learn from what you confirm; "
                f"{self._drafting.share:.0%} of the pages stay without, to measure bias"
            )
            self._begin()
        else:
            self._asked = self._next = None
            messages.say("learning stopped: new pages begin without drafts")

    def stop(self) -> None:
        """End the process with the window."""
        self._asked = self._next = None
        self._worker.end()

    # drafting ----------------------------------------------------------------------------------
    def adopt(self) -> None:
        """Draft the open page from the marks confirmed so far, even if it has marks."""
        opened, say = self._session.open, self._session.messages.say
        if opened.document is None or opened.page is None:
            return
        if opened.is_locked:
            say("the marks are read-only: copy them into your workspace to edit them")
        elif opened.is_unassisted:
            say(KEPT_FREE)
        else:
            self._ask(opened.document, opened.page, by_hand=True)

    def _begin(self) -> None:
        """Request drafts for an untouched page."""
        opened = self._session.open
        if opened.document is None or opened.page is None or not self.is_on:
            return
        if opened.gold.marks or opened.is_locked or opened.is_unassisted:
            self._measure()
            return
        with self._session.messages.errors():
            if not self._workspace.history(page_key(opened.document)):
                self._ask(opened.document, opened.page, by_hand=False)

    def _ask(self, document: Document, page: Page, *, by_hand: bool) -> None:
        self._asked = document, by_hand
        self._submit(self._order(self._page(document), pack(page)))

    def _measure(self) -> None:
        """Measure pages that were worked on, for the panel and for later drafts."""
        if self._asked is None and (self.is_on or self.state.is_shown):
            self._submit(self._order())

    def _order(self, target: DraftingPage | None = None, packed: bytes = b"") -> DraftingOrder:
        session, workspace = self._session, self._workspace
        pages = {page_key(each): each for each in (*session.open.siblings, *session.documents)}
        nearest: tuple[DraftingPage, ...] = ()
        with suppress(PageletError):
            marked = workspace.marked()
            nearest = tuple(self._page(each) for key, each in pages.items() if key in marked)
        who, share = workspace.annotator.name, self._drafting.share
        return DraftingOrder(workspace.path, who, nearest, share, target, packed)

    def _page(self, document: Document) -> DraftingPage:
        return DraftingPage(document, self._session.files.get(page_key(document)))

    def _submit(self, order: DraftingOrder) -> None:
        if self._worker.is_busy:
            self._next = order  # the one before it, if any, is no longer asked for
        else:
            self._worker.hand(order)

    def _submit_next(self) -> None:
        order, self._next = self._next, None
        if order is not None:
            self._worker.hand(order)

    def _fail(self, why: str) -> None:
        if self._asked is not None and self._asked[1]:
            self._session.messages.say(why)
        self._asked = None
        self.state.problem = why
        self.state.changed.emit()
        self._submit_next()
        self.answered.emit()

    def _take(self, answer: DraftingAnswer) -> None:
        state = self.state
        state.pages, state.seconds = answer.pages, answer.seconds
        state.measured, state.problem = answer.measured, ""
        if self._next is None:
            if self._asked is not None:
                document, by_hand = self._asked
                self._asked = None
                self._adopt(document, answer, by_hand=by_hand)
            if answer.left and (self.is_on or state.is_shown):
                self._next = self._order()
        self._submit_next()
        state.changed.emit()
        self.answered.emit()

    def _adopt(self, document: Document, answer: DraftingAnswer, *, by_hand: bool) -> None:
        opened = self._session.open
        if opened.document != document or opened.page is None or opened.is_locked:
            return
        if opened.gold.marks and not by_hand:  # the annotator was faster
            return
        nodes, version = opened.page.rendered(), pagelet_version()
        after = with_learned(opened.gold, nodes, answer.drafts, version, answer.pages)
        made = len(after.marks) - len(opened.gold.marks)
        origin = plural(answer.pages, "page") if answer.pages else "the shipped models"
        text = f"{DRAFTING}{plural(made, 'mark')} from {origin}"
        if made and self._marking.change(text, lambda _gold, _nodes: after):
            weak = sum(mark.is_weak for mark in opened.gold.marks)
            more = f", {weak} of them weak and not drawn" if weak else ""
            self._drafting.show_made(f"{plural(made, 'draft')} learned from {origin}{more}")
        elif by_hand:
            self._session.messages.say(
                "nothing is expected on this page that is not marked already"
            )

    def toggle_weak(self) -> None:
        """Draw drafts that are more probably wrong than right, or not."""
        layers = self._session.layers
        layers.set_weak(not layers.draws_weak)

    def _update_state(self) -> None:
        self.state.is_on, self.state.share = self.is_on, self._drafting.share
        self.state.changed.emit()
