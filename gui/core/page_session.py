"""The open page: loaded, rendered, with its gold, its undo history and its status."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoGroup

from annotate.marks.gold import Gold
from annotate.marks.journal import CAME_WITH_PAGE, History
from annotate.workspace.workspace import PageStatus, Workspace, page_key
from engine.document import Document
from engine.errors import CaptureError, PageletError, WorkspaceBusy
from engine.page import Page
from engine.words import cut
from gui.core.autosave import RETRY_MS, STATUS_WAITS, Autosave
from gui.core.initial_gold import InitialGold, gold_of
from gui.core.known_pages import KnownPages
from gui.core.recovery import Recovery
from gui.core.runner import Runner
from gui.page.canvas import PageCanvas
from gui.page.marking import Marking
from gui.state.session import Session
from gui.state.undo import DoneStep, WorkHistory, stack_of
from gui.widgets.debounce import debounce

SHOW_MS = 500
"""What is faster than this needs no word about it."""


class Progress(QObject):
    """Message on a running task, shown after `SHOW_MS`."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._waits = ""
        self._timer = debounce(self, SHOW_MS, self._show)

    def say(self, text: str) -> None:
        self._waits = text
        if self._session.messages.progress:
            self._session.messages.set_progress(text)
        elif not self._timer.isActive():
            self._timer.start()

    def end(self) -> None:
        """Clear the message."""
        self._waits = ""
        self._timer.stop()
        self._session.messages.set_progress("")

    def _show(self) -> None:
        if self._waits:
            self._session.messages.set_progress(self._waits)


BUSY = "waiting for another program that writes to the workspace"


class PageSession(QObject):
    """Follows one page from `load` until the next one is loaded.

    Attributes:
        failure: Why the page that was asked for is not there; "" where it is.
        judges_first: Whether methods are out of sight while a page is in work.
        is_marking: Whether the window is laid for marking, where that holds.
        undo_group: Holds the undo stack of the open page.
        history: What was done on all pages in this window, in order.
    """

    refused = Signal(str)  # an address that could not be opened
    captured = Signal()  # the page is there, with its marks
    finished = Signal()  # its status is "done" from now on
    page_asked = Signal(str)  # open the page of this key: something is undone there

    def __init__(
        self,
        session: Session,
        workspace: Workspace,
        canvas: PageCanvas,
        pages: KnownPages,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._workspace, self._canvas = session, workspace, canvas
        self._pages = pages
        self.runner = Runner(session, self)
        self.marking = Marking(session, self)
        self.marking.zoom = lambda: canvas.zoom
        self.undo_group = QUndoGroup(self)
        self.history = session.get(WorkHistory)
        self._then: tuple[str, Callable[[], None]] | None = (
            None  # once the page of this key is open
        )
        self.failure = ""
        self.judges_first = False
        self.is_marking: Callable[[], bool] = lambda: True
        self.stays: Callable[[Document], bool] = lambda _document: False  # also when it is done
        self.progress = Progress(session, self)
        self.saving = Autosave(session, workspace, self.marking, self)
        self.recovery = Recovery(session, canvas, self._load_again, self._give_up, self)
        canvas.captured.connect(self._on_captured)
        canvas.failed.connect(self._on_failed)
        canvas.progressed.connect(self.progress.say)
        canvas.pointed.connect(self.marking.on_event)
        self.saving.late_saved.connect(pages.refresh)
        session.open.gold_changed.connect(self._on_gold)

    # loading and rendering -------------------------------------------------------------------
    def load(self, document: Document) -> None:
        """Load a page in place of the open one, whose marks are saved."""
        self._canvas.stop()
        self.undo_group.removeStack(self.marking.stack)
        self.failure = ""
        if self._then is not None and self._then[0] != page_key(document):
            self._then = None
        self._session.set_document(document)
        self.progress.say("Opening the page")
        self._canvas.load(document)

    def stop(self) -> None:
        """Stop loading, if the page is not there yet."""
        if self._canvas.is_busy:
            self._canvas.stop()
            self._fail("loading was stopped")

    def _on_captured(self, page: Page) -> None:
        document = self._session.open.document
        if document is None:
            return
        try:
            files = self._session.files.get(page_key(document))
            with self._workspace.store.waiting(0):
                initial = gold_of(self._workspace, document, files, page)
        except WorkspaceBusy:  # shown without its marks, it would be saved without them
            self.progress.say(BUSY)
            self._when_free(document, page)
            return
        except PageletError as error:
            initial = InitialGold(Gold(), problems=(str(error),))
        self.progress.end()
        self._session.messages.say_problems(initial.problems)
        self._use_stack(document, page)
        self.marking.pieces = self._canvas.pieces
        self._session.set_page(page, initial.gold, is_locked=initial.is_locked)
        self._canvas.set_mode(self._session.selection.mode)
        self._canvas.once_drawn(self.runner.begin)
        for note in page.notes:
            self._session.messages.say(note)
        self.judge_first()
        self.recovery.on_captured()
        self.saving.save_soon()  # and then the list of pages is refreshed
        self.captured.emit()
        if self._then is not None:
            (_, then), self._then = self._then, None
            then()

    def _when_free(self, document: Document, page: Page) -> None:
        """Show a page once its marks can be read, unless another one is open by then."""

        def go_on() -> None:
            if self._session.open.document is document and self._session.open.page is None:
                self._on_captured(page)

        QTimer.singleShot(RETRY_MS, self, go_on)

    def judge_first(self) -> None:
        """Hide methods on pages in work while marking: who sees them follows them.

        In work is a page that is not done and has no marks but the user's own.  Who brings methods
        back (Shift+G) sees them on all pages from then on.
        """
        session, document = self._session, self._session.open.document
        if not self.judges_first or session.layers.sees_methods or document is None:
            return
        is_lent = bool(session.layers.own_layers) and session.layers.lent_for in (None, document)
        if is_lent or not self.is_marking():
            session.layers.set_gold_only(False)
            return
        try:
            steps = self._workspace.history(page_key(document))
        except PageletError:
            return
        came_with_page = len(steps) == 1 and steps[0].what == CAME_WITH_PAGE
        is_done = self._pages.status(document) == "done"
        is_in_work = not (came_with_page or is_done or session.open.is_locked)
        if is_in_work and not session.layers.is_gold_only:
            session.messages.say("methods are hidden while you mark the page: Shift+G shows them")
        session.layers.set_gold_only(is_in_work)

    def _on_failed(self, error: CaptureError) -> None:
        if self.recovery.takes(error):
            return
        document = self._session.open.document
        if document is not None and document.is_live:
            self.refused.emit(document.address)
        self._give_up(str(error))

    def _give_up(self, reason: str) -> None:
        self.saving.put_aside()
        if self._session.open.page is not None:
            self._session.set_document(self._session.open.document)
        self._fail(reason)
        self.progress.end()

    def _load_again(self) -> None:
        document = self._session.open.document
        if document is not None:
            self.saving.put_aside()
            self.undo_group.removeStack(self.marking.stack)
            self._session.set_document(document)
            self._canvas.load(document)

    def _fail(self, reason: str) -> None:
        self.failure = cut(reason)
        self._session.messages.say(reason)
        self._session.open.document_changed.emit()

    # gold ------------------------------------------------------------------------------------
    def copy_gold(self) -> None:
        """Copy the marks that came with a data set into the workspace, to go on marking there."""
        session = self._session
        if session.open.document is None or session.open.page is None or not session.open.is_locked:
            return
        key, nodes = page_key(session.open.document), session.open.page.rendered()
        try:
            self._workspace.save_gold(key, session.open.gold, nodes, CAME_WITH_PAGE)
        except PageletError as error:
            session.messages.say(f"not copied: {error}")
            return
        session.open.unlock()
        session.messages.say("the marks are copied into your workspace: you can edit them")

    def _on_gold(self) -> None:
        document = self._session.open.document
        if document is not None and self._pages.status(document) == PageStatus.OPEN:
            self._pages.refresh()  # its first mark makes it a page in progress

    # undo ------------------------------------------------------------------------------------
    @property
    def undo_text(self) -> str | None:
        """Name of the next undo step, on any page; None where nothing was done."""
        last, group = self.history.last, self.undo_group
        if last is None or (self._is_beside(last) and group.canUndo()):
            return group.undoText() if group.canUndo() else None
        return None if self._is_loading(last) else last.text

    @property
    def redo_text(self) -> str | None:
        """Name of the next redo step; None where nothing was undone."""
        following, group = self.history.next, self.undo_group
        if following is None or (self._is_beside(following) and group.canRedo()):
            return group.redoText() if group.canRedo() else None
        return None if self._is_loading(following) else following.text

    def undo(self) -> None:
        """Undo the last decision on any page, else the last change of this page's marks.

        Where the key that decided moved on to another page, its page is opened again.
        """
        last, group = self.history.last, self.undo_group
        if last is None or (self._is_beside(last) and group.canUndo()):
            group.undo()
        elif self._is_loading(last):
            return
        elif last.command is None:
            self._on_page(last, group.undo)
        else:
            self.history.move(-1)
            last.command.undo()
            self._session.messages.say(f"undone: {last.text}")
            self._on_page(last, self.undo if last.is_joined else lambda: None)

    def redo(self) -> None:
        """Redo the last undone step, on its page."""
        following, group = self.history.next, self.undo_group
        if following is None or (self._is_beside(following) and group.canRedo()):
            group.redo()
        elif following.command is None:
            self._on_page(following, self._redo_marks)
        else:
            following.command.redo()
            self.history.move(1)
            self._on_page(following, self._redo_joined)

    def _redo_marks(self) -> None:
        self.undo_group.redo()
        self._redo_joined()

    def _redo_joined(self) -> None:
        if self.history.next is not None and self.history.next.is_joined:
            self.redo()

    def _is_here(self, step: DoneStep) -> bool:
        document = self._session.open.document
        return not step.page or (document is not None and page_key(document) == step.page)

    def _is_beside(self, step: DoneStep) -> bool:
        """Return whether a step changed the marks of another page, and led nowhere else."""
        return step.command is None and not step.returns and not self._is_here(step)

    def _is_loading(self, step: DoneStep) -> bool:
        """Return whether a step belongs to the open page while it is loading."""
        return step.command is None and self._is_here(step) and self._session.open.page is None

    def _on_page(self, step: DoneStep, then: Callable[[], None] = lambda: None) -> None:
        """Call a function on the page of a step, opening the page if needed."""
        if self._is_here(step) and (self._session.open.page is not None or not step.page):
            then()
            return
        self._then = step.page, then
        if not self._is_here(step):
            self.page_asked.emit(step.page)

    def _use_stack(self, document: Document, page: Page) -> None:
        """Take up undo where it was left, today or last week: the workspace keeps every change."""
        self.marking.stack.deleteLater()
        try:
            past = self._workspace.undo_history(page_key(document), page.rendered())
        except PageletError as error:
            self._session.messages.say(str(error))
            past = History()
        stack = stack_of(past, self._session, self.undo_group)
        self.undo_group.addStack(stack)
        self.undo_group.setActiveStack(stack)
        self.marking.stack = stack

    # status ----------------------------------------------------------------------------------
    def set_status(self, status: str) -> None:
        """Set the status of the page (`PageStatus`); after ``done`` the next one opens.

        Where `stays` holds of the page it stays.
        """
        document = self._session.open.document
        if document is None or not self.set_status_of(document, status):
            return
        if status == "done" and not self.stays(document):
            self.finished.emit()

    def set_status_of(self, document: Document, status: str) -> bool:
        """Decide how far one of the pages is, which can be undone; return whether that is done."""
        before = self._pages.own_status(document)
        if before == status:
            return True
        change = _ChangeStatus(self._put_status, document, before, status)
        self.history.push(change, page=page_key(document))
        return not change.isObsolete()

    def _put_status(self, document: Document, status: str) -> bool:
        try:
            self._workspace.set_status(page_key(document), PageStatus(status))
        except PageletError as error:
            self._session.messages.say(f"not saved: {error}")
            return False
        if document == self._session.open.document and status == "done" and self.judges_first:
            self._session.layers.set_gold_only(False)
        self._pages.refresh()
        if self._workspace.has_late_statuses:
            self._session.messages.say(STATUS_WAITS)
        return True


class _ChangeStatus(QUndoCommand):
    """Sets how far a page is."""

    def __init__(
        self, put: Callable[[Document, str], bool], document: Document, before: str, after: str
    ) -> None:
        super().__init__(f"page is {after}")
        self._put, self._document = put, document
        self._before = PageStatus.OPEN if before == "new" else before
        self._after = after

    def redo(self) -> None:
        self.setObsolete(not self._put(self._document, self._after))

    def undo(self) -> None:
        self._put(self._document, self._before)
