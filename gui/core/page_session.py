"""The open page: loaded, rendered, with its gold, its undo history and its status."""

import logging
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoGroup

from annotate.marks.gold import Gold
from annotate.marks.journal import CAME_WITH_PAGE, History
from annotate.workspace.retyping import is_everywhere
from annotate.workspace.workspace import PageStatus, Workspace, page_key
from engine.document import Document
from engine.errors import CaptureError, PageletError, RendererDied, WorkspaceBusy
from engine.page import Page
from engine.web import profile
from engine.words import cut_text
from gui.core.autosave import RETRY_MS, STATUS_WAITS, Autosave
from gui.core.initial_gold import InitialGold, gold_of
from gui.core.known_pages import KnownPages
from gui.core.runner import Runner
from gui.page.canvas import PageCanvas
from gui.page.marking import Marking
from gui.state.opening import Event, Opening
from gui.state.session import Session
from gui.state.undo import DoneStep, WorkHistory, stack_of
from gui.widgets.events import debounce

log = logging.getLogger(__name__)

SHOW_MS = 500
"""What is faster than this needs no word about it."""


class ProgressNote(QObject):
    """Message on a running task, shown after `SHOW_MS`."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._messages = session.messages
        self._text = ""
        self._timer = debounce(self, SHOW_MS, self._show)

    def say(self, text: str) -> None:
        self._text = text
        if self._messages.progress:
            self._messages.set_progress(text)
        elif not self._timer.isActive():
            self._timer.start()

    def end(self) -> None:
        self._timer.stop()
        self._messages.set_progress("")

    def _show(self) -> None:
        self._messages.set_progress(self._text)


LATEST_MS = 1000
"""A page that has come is drawn on with its marks before methods take the processor; where it does
not report that it is, they begin so long after it came."""

CAME_BACK = "the page's process crashed: it is loaded again, all marks are kept"

BUSY = "waiting for another program that writes to the workspace"


class PageSession(QObject):
    """Follows one page from `load` until the next one is loaded.

    Attributes:
        opening: How far the page is, and what may follow.
        failure: Why the page that was asked for is not there; "" where it is.
        judges_first: Whether methods are hidden while a page is in progress.
        may_mark: Whether a click may change gold in the current task.
        is_marking: Whether the current task is Mark; in others methods stay visible.
        undo_group: Holds the undo stack of the open page.
        history: What was done on all pages in this window, in order.
    """

    refused = Signal(str)  # an address that could not be opened
    captured = Signal()  # the page is there, with its marks
    drawn = Signal()  # and they are drawn
    finished = Signal()  # the page's status became "done"
    hang_changed = Signal()  # whether the page answers, or what the user wants done about it
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
        self.marking = Marking(session, self, canvas)
        self.undo_group = QUndoGroup(self)
        self.history = session.get(WorkHistory)
        self.opening = Opening()
        self.failure = ""
        self._waits = False  # the user has decided to wait for a page that hangs
        self.judges_first = False
        self.moves_everywhere: Callable[[str, int], bool] = lambda _what, _by: False
        self.is_marking: Callable[[], bool] = lambda: True
        self.may_mark: Callable[[], bool] = lambda: True
        self.stays: Callable[[Document], bool] = lambda _document: False  # also when it is done
        self.progress = ProgressNote(session, self)
        self.saving = Autosave(session, workspace, self.marking, self)
        canvas.captured.connect(self._on_captured)
        canvas.failed.connect(self._on_failed)
        canvas.renderer_died.connect(self._on_death)
        canvas.hang_changed.connect(self._on_hang)
        canvas.progressed.connect(self.progress.say)
        canvas.pointed.connect(self.marking.on_event)
        canvas.pointed.connect(self.opening.use)
        self.saving.late_saved.connect(pages.refresh)
        session.open.gold_changed.connect(self._on_gold)
        session.open.gold_changed.connect(self.opening.use)

    # loading and rendering -------------------------------------------------------------------
    def load(self, document: Document) -> None:
        """Load a page in place of the open one, whose marks are saved."""
        self._canvas.stop()
        self.failure = ""
        self.opening.ask(page_key(document))
        self.progress.say("Opening the page")
        self._load(document)

    def _load(self, document: Document) -> None:
        self.undo_group.removeStack(self.marking.stack)
        self._session.set_document(document)
        self._canvas.load(document)

    def stop(self) -> None:
        """Stop loading, if the page is not there yet."""
        if self._canvas.is_busy:
            self._canvas.stop()
            self._give_up("loading was stopped")

    def _on_captured(self, page: Page) -> None:
        if self.opening.take(Event.RENDERED):
            self._read_marks(page, self.opening.number)

    def _read_marks(self, page: Page, number: int) -> None:
        """Show a page with its marks, once these can be read."""
        document = self._session.open.document
        if document is None or not self.opening.expects(Event.MARKS_READ, number):
            return
        files = self._session.files.get(page_key(document))
        try:
            with self._workspace.store.waiting(0):
                initial = gold_of(self._workspace, document, files, page)
        except WorkspaceBusy:  # shown without its marks, it would be saved without them
            self.progress.say(BUSY)
            QTimer.singleShot(RETRY_MS, self, partial(self._read_marks, page, number))
            return
        except PageletError as error:
            initial = InitialGold(Gold(), problems=(str(error),))
        self.opening.take(Event.MARKS_READ, number)
        self._show(document, page, initial)

    def _show(self, document: Document, page: Page, initial: InitialGold) -> None:
        session, opening = self._session, self.opening
        self.progress.end()
        session.messages.say_problems(initial.problems)
        self._use_stack(document, page)
        if (lost := profile.lost_sandbox()) and lost not in session.messages.notes:
            session.messages.notes += (lost,)
            session.messages.say(lost)
        session.set_page(page, initial.gold, is_locked=initial.is_locked)
        drawn = partial(self._on_drawn, opening.number)
        self._canvas.once_drawn(drawn)
        QTimer.singleShot(LATEST_MS, self, drawn)
        for note in page.notes:
            session.messages.say(note)
        self.judge_first()
        if opening.position is not None:
            self._canvas.scroll_down_to(opening.position)
            session.messages.say(CAME_BACK)
        self.saving.save_soon()  # and then the list of pages is refreshed
        self.captured.emit()
        if (then := opening.due()) is not None:
            then()

    def _on_drawn(self, number: int) -> None:
        if self.opening.take(Event.DRAWN, number):
            self.runner.begin()
            self.drawn.emit()

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
        if isinstance(error, RendererDied) and self._comes_back(0.0):
            return
        document = self._session.open.document
        if document is not None and document.is_live:
            self.refused.emit(document.address)
        self._give_up(str(error))

    def _give_up(self, reason: str) -> None:
        if not self.opening.take(Event.GIVEN_UP):
            return
        if self._session.open.page is not None:
            self.saving.put_aside()
            self._session.set_document(self._session.open.document)
        self.failure = cut_text(reason)
        self._session.messages.say(reason)
        self._session.open.document_changed.emit()
        self.progress.end()

    def close(self) -> None:
        """Stop loading and drop what would answer later, since the window closes."""
        self.stop()
        self.opening.take(Event.CLOSED)

    # a renderer that dies or hangs -------------------------------------------------------------
    def _on_death(self, what: str) -> None:
        if not self._comes_back(self._canvas.scrolled):
            self._canvas.show_nothing()
            self._give_up(f"{what} twice; load the page again (all marks are kept)")

    def _comes_back(self, position: float) -> bool:
        """Load a page whose renderer has died again, where it was; once, unless used since."""
        is_once = self.opening.crash(position)
        if is_once:
            log.warning("the renderer crashed: the page is loaded again")
            # Not now: a load begun while Qt still reports that a renderer has gone may be lost.
            QTimer.singleShot(0, self, partial(self._load_again, self.opening.number))
        return is_once

    def _load_again(self, number: int) -> None:
        document = self._session.open.document
        if document is not None and self.opening.take(Event.RELOADED, number):
            self.saving.put_aside()
            self._load(document)

    @property
    def asks_to_wait(self) -> bool:
        """Whether the page hangs and the user has not decided yet."""
        return self._canvas.hangs and not self._waits

    def wait(self) -> None:
        """Keep waiting for a page that does not respond."""
        self._waits = True
        self.hang_changed.emit()

    def end_hanging(self) -> None:
        """End a page that does not answer; one that was being shown comes back."""
        if not self._canvas.hangs:
            return
        if self._canvas.is_busy:
            self._canvas.stop()
            self._give_up("the page did not answer, and was stopped")
        self._canvas.view.kill_renderer()

    def _on_hang(self) -> None:
        self._waits = False
        self.hang_changed.emit()

    # gold ------------------------------------------------------------------------------------
    def copy_gold(self) -> None:
        """Copy the marks that came with a data set into the workspace, to go on marking there."""
        session = self._session
        if session.open.document is None or session.open.page is None or not session.open.is_locked:
            return
        key, nodes = page_key(session.open.document), session.open.page.rendered()
        with session.messages.errors("not copied: "):
            self._workspace.save_gold(key, session.open.gold, nodes, CAME_WITH_PAGE)
            session.open.unlock()
            session.messages.say("the marks are copied into your workspace: you can edit them")

    def _on_gold(self) -> None:
        document = self._session.open.document
        if document is not None and self._pages.status(document) == PageStatus.OPEN:
            self._pages.refresh()  # the first mark sets its status to in progress

    # undo ------------------------------------------------------------------------------------
    @property
    def undo_text(self) -> str | None:
        """Name of the next undo step, on any page; None where nothing was done."""
        group = self.undo_group
        return self._text_of(self.history.last, group.undoText() if group.canUndo() else None)

    @property
    def redo_text(self) -> str | None:
        """Name of the next redo step; None where nothing was undone."""
        group = self.undo_group
        return self._text_of(self.history.next, group.redoText() if group.canRedo() else None)

    def _text_of(self, step: DoneStep | None, own: str | None) -> str | None:
        """Return the name of a step, or ``own``, that of the page's stack, where it goes first."""
        if step is None or (self._is_beside(step) and self._has_own(own or "")):
            return own
        return None if self._is_loading(step) else step.text

    def undo(self) -> None:
        """Undo the last decision on any page, else the last change of this page's marks.

        Where the key that decided moved on to another page, its page is opened again.
        """
        last, group = self.history.last, self.undo_group
        if last is None or (self._is_beside(last) and self._has_own(group.undoText())):
            if not self.moves_everywhere(group.undoText(), -1):
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
        if following is None or (self._is_beside(following) and self._has_own(group.redoText())):
            if not self.moves_everywhere(group.redoText(), 1):
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

    @staticmethod
    def _has_own(text: str) -> bool:
        """Return whether the page's own stack has a step, which concerns this page alone."""
        return bool(text) and not is_everywhere(text)

    def _is_here(self, step: DoneStep) -> bool:
        document = self._session.open.document
        return not step.page or (document is not None and page_key(document) == step.page)

    def _is_beside(self, step: DoneStep) -> bool:
        """Return whether a step changed the marks of another page, and led nowhere else."""
        return step.command is None and not step.returns and not self._is_here(step)

    def _is_loading(self, step: DoneStep) -> bool:
        return step.command is None and self._is_here(step) and self._session.open.page is None

    def _on_page(self, step: DoneStep, then: Callable[[], None] = lambda: None) -> None:
        """Call a function on the page of a step, opening the page if needed."""
        if self._is_here(step) and (self._session.open.page is not None or not step.page):
            then()
            return
        if not self._is_here(step):
            self.page_asked.emit(step.page)
        self.opening.when_shown(step.page, then)

    def _use_stack(self, document: Document, page: Page) -> None:
        """Take up undo where it was left, today or last week: the workspace keeps every change."""
        self.marking.stack.deleteLater()
        past = History()
        with self._session.messages.errors():
            past = self._workspace.undo_history(page_key(document), page.rendered())
        stack = stack_of(past, self._session, self.undo_group)
        self.undo_group.addStack(stack)
        self.undo_group.setActiveStack(stack)
        self.marking.stack = stack

    def read_again(self) -> None:
        """Show the marks of the open page as the file has them, since all pages were changed."""
        self._workspace.forget_loaded()
        opened = self._session.open
        if opened.document is None or opened.page is None or opened.is_locked:
            return
        opened.gold = self._workspace.load_gold(opened.key, opened.page.rendered())
        self._use_stack(opened.document, opened.page)
        opened.gold_changed.emit()

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
