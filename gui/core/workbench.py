"""Workbench: what is open, how it is saved and drawn, and what of each feature acts on it."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import QObject, QProcess, QTimer, Signal
from PySide6.QtGui import QUndoGroup

from algorithms.params import Params
from annotate.datasets.kreuzer.pages import Variant
from annotate.datasets.opening import OpenedPages, open_pages
from annotate.marks.gold import Gold
from annotate.marks.journal import CAME_WITH_PAGE, History
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import PageStatus, Workspace, page_key
from engine.document import Document, plain_document, with_repeatable
from engine.errors import CaptureError, PageletError, WorkspaceBusy
from engine.interpreter import python
from engine.page import Page
from engine.web import profile
from engine.web.sandbox import sandbox_problem
from engine.words import cut, plural
from gui.core.autosave import RETRY_MS, STATUS_WAITS, Autosave
from gui.core.clock import WorkClock
from gui.core.exporting import Exporting
from gui.core.initial_gold import InitialGold, gold_of
from gui.core.known_pages import KnownPages
from gui.core.main_area import MainArea
from gui.core.overlay import OverlaySync
from gui.core.progress import Progress
from gui.core.recovery import Recovery
from gui.core.requests import Requests
from gui.core.restoring import Restoring
from gui.core.runner import Runner
from gui.page.canvas import PageCanvas
from gui.page.marking import Marking
from gui.state.session import Mode, Session
from gui.state.undo import ChangeParams, stack_of
from gui.widgets.debounce import debounce

log = logging.getLogger(__name__)

C = TypeVar("C", bound=QObject)

AHEAD_MS = 250
"""How long all must be quiet before the next page is read."""

BUSY = "waiting for another program that writes to the workspace"


@runtime_checkable
class Stoppable(Protocol):
    """Does something in the background that ends with the window."""

    def stop(self) -> None:
        """End it; harmless where nothing is going on."""


class Workbench(QObject):
    """Owns the workspace, the canvas, the runner and the undo stacks of one window."""

    saved_changed = Signal()
    opened = Signal(str)  # a path or address that holds pages
    refused = Signal(str)  # one that could not be opened
    stop_asked = Signal()  # what goes on behind is to end, too
    noted = Signal(str)  # which of `notes` is another

    def __init__(
        self,
        session: Session,
        workspace: Workspace,
        canvas: PageCanvas,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.session, self.workspace, self.canvas = session, workspace, canvas
        self.runner = Runner(session, self)
        self.marking = Marking(session, self)
        self.undo_group = QUndoGroup(self)
        self._coming = ""  # the path that was asked for last
        self.failure = ""  # why the asked-for page is not there
        self.clock = WorkClock(session, workspace, self)
        self.judges_first = False  # methods are out of sight while a page is in work
        self.reads_ahead = False  # the next page, as soon as nothing else is to be done
        self._ahead_timer = debounce(self, AHEAD_MS, self._read_ahead)
        self.progress = Progress(session, self)
        self.exporting = Exporting(session, canvas)
        self.saving = Autosave(session, workspace, self.marking, self)
        self.saving.changed.connect(self.saved_changed)
        self.saving.late_saved.connect(self._on_late_saved)
        self.restoring = Restoring(session, workspace, self.saving, self)
        self.pages = KnownPages(session, workspace, self)
        self.decide: Callable[[Callable[[], None]], None] = lambda change: change()
        self.confirm: Callable[[], None] = lambda: None
        self.requests = Requests(self)
        self.main_area = MainArea(session, canvas, self)
        self.notes: dict[str, tuple[str, str]] = {}  # item of the status line → text, tip
        self.guides: dict[str, str] = {}  # feature → the page of the documentation on it
        self.openers: list[Callable[[str], bool]] = []  # of what is no page; True where it was that
        self._controllers: dict[type[QObject], QObject] = {}
        session.gold_changed.connect(self._on_gold)
        self.drawing = OverlaySync(session, canvas, self)
        canvas.captured.connect(self._on_captured)
        canvas.failed.connect(self._on_failed)
        canvas.progressed.connect(self.progress.say)
        canvas.pointed.connect(self.marking.on_event)
        canvas.mouse_lost.connect(session.say)
        self.recovery = Recovery(session, canvas, self._load_again, self._give_up, self)

    # features ------------------------------------------------------------------------------
    def add(self, controller: QObject) -> None:
        """Take in what a feature acts by; it is stopped when the window closes."""
        self._controllers[type(controller)] = controller

    def get(self, kind: type[C]) -> C:
        """Return what a feature acts by, of this class; `KeyError` if there is none."""
        controller = self._controllers[kind]
        assert isinstance(controller, kind)
        return controller

    @property
    def controllers(self) -> tuple[QObject, ...]:
        """What acts, one or more a feature."""
        return tuple(self._controllers.values())

    def note(self, item: str, text: str, tip: str) -> None:
        """Have the status line say something of a feature."""
        self.notes[item] = (text, tip)
        self.noted.emit(item)

    # opening -------------------------------------------------------------------------------
    def open_path(self, path: str, variant: Variant = "html") -> None:
        """Open a file, folder, package or http(s) address, in place of the page list."""
        if _is_web(path) and not profile.may_load(plain_document(path)):
            self._open_online(path)
            return
        if not _is_web(path) and any(opener(path) for opener in self.openers):
            self.opened.emit(path)
            return
        if not self.saving.is_safe():
            return
        try:
            opened = open_pages(path, variant)
        except PageletError as error:
            self.session.say(str(error))
            self.refused.emit(path)
            return
        self._coming = path
        self._list(path, opened)

    def _list(self, path: str, opened: OpenedPages) -> None:
        """Take pages into list and workspace, once no other program is writing to it."""
        documents = opened.documents
        moved: dict[str, str] = {}
        try:
            with self.workspace.store.waiting(0):
                moved = self.workspace.add_pages(documents)
        except WorkspaceBusy:
            if self._coming == path:  # nothing else was opened meanwhile
                self.progress.say(BUSY)
                QTimer.singleShot(RETRY_MS, self, partial(self._list, path, opened))
            return
        except PageletError as error:
            self.session.say(str(error))
        self.clock.follow(moved)
        self.pages.refresh()
        self.session.set_documents(documents, opened.files)
        if moved:
            pages = plural(len(moved), "page")
            self.session.say(f"{pages} found in a new folder; all marks are kept")
        self._say_problems(opened.problems)
        self.opened.emit(path)
        last = self.workspace.last_page
        index = next((i for i, each in enumerate(documents) if page_key(each) == last), 0)
        self.open_document(index)

    def _say_problems(self, problems: Sequence[str]) -> None:
        """Say what of a data set cannot be used: all of it to the log, the first in the window."""
        for problem in problems:
            log.info("%s", problem)
        if problems:
            more = len(problems) - 1
            others = f" (and {plural(more, 'other trouble')}: --verbose lists all)" if more else ""
            self.session.say(f"{problems[0]}{others}")

    def _open_online(self, address: str) -> None:
        """Open a live page in a window of its own: this process is offline, and stays so."""
        problem = sandbox_problem()
        if problem:
            self.session.say(
                f"live pages need Chromium's sandbox, which is off ({problem}): "
                "start Pagelet with --online --no-sandbox to open them without it"
            )
            return
        own = ["-m", "gui.cli.main", "open", address, "--workspace", str(self.workspace.path)]
        program, *words = python(*own)
        if QProcess.startDetached(program, words)[0]:
            self.session.say("the page opens in a new window, because this one stays offline")
            self.opened.emit(address)
        else:
            self.session.say(f"no new window could be started; type: pagelet {address}")

    def open_document(self, index: int) -> None:
        if not 0 <= index < len(self.session.documents) or not self.saving.is_safe():
            return
        document = self.session.documents[index]
        self.canvas.stop()
        self.undo_group.removeStack(
            self.marking.stack
        )  # the page before is not there to be changed
        self.failure = ""
        self.session.set_document(document)
        self.progress.say("Opening the page")
        self.canvas.load(document)

    def open_frozen(self, document: Document) -> None:
        """Go on with the frozen page, if the one it was made from is still open."""
        index = self.session.documents.index(document)
        if index and self.session.documents[index - 1] == self.session.document:
            self.open_document(index)

    def next_page(self) -> None:
        """Open the next page of those listed."""
        self.open_document(self._beside(1))

    def previous_page(self) -> None:
        """Open the page before."""
        self.open_document(self._beside(-1))

    def _beside(self, way: int) -> int:
        """Return the index of the page listed after the open one, or before it; -1 for none.

        Where the open one is not listed itself, that of the nearest that is.
        """
        here, listed = self._open_index(), self.session.listed
        indices = [index for index in listed if (index - here) * way > 0]
        return (min(indices) if way > 0 else max(indices)) if indices else -1

    def _judge_first(self, document: Document) -> None:
        """Keep methods out of sight on a page in work: who sees them judges by them.

        In work is a page that is not done and has no marks but the user's own.  Who brings methods
        back (Shift+G) sees them on all pages from then on.
        """
        session = self.session
        if not self.judges_first or session.sees_methods or session.own_layers:
            return
        try:
            steps = self.workspace.history(page_key(document))
        except PageletError:
            return
        came_with_page = len(steps) == 1 and steps[0].what == CAME_WITH_PAGE
        is_done = self.pages.status(document) == "done"
        is_in_work = not (came_with_page or is_done or session.is_locked)
        if is_in_work and not session.is_gold_only:
            session.say("methods are hidden while you mark the page: Shift+G shows them")
        session.set_gold_only(is_in_work)

    def _read_ahead(self) -> None:
        if not self.reads_ahead or self.session.page is None:
            return
        if self.runner.is_running or self.canvas.is_busy:
            self._ahead_timer.start()
            return
        index = self._beside(1)
        self.canvas.prepare(self.session.documents[index] if index >= 0 else None)

    def reload(self) -> None:
        """Load the open page again."""
        self.open_document(self._open_index())

    def switch_repeatable(self) -> None:
        """Load the page again: its scripts get real random numbers and date, or fixed ones."""
        index, document = self._open_index(), self.session.document
        if document is None or not self.saving.is_safe():
            return
        if not document.scripts:
            self.session.say("the page's scripts are off, so random numbers and date play no part")
            return
        other = with_repeatable(document, not document.is_repeatable)
        documents = list(self.session.documents)
        documents[index] = other
        self.session.documents = tuple(documents)
        self.open_document(index)

    def stop(self) -> None:
        """Stop what is going on: loading, or methods at work."""
        if self.canvas.is_busy:
            self.canvas.stop()
            self._fail("loading was stopped")
        self.runner.stop()
        self.progress.end()

    def stop_work(self) -> None:
        """Stop what goes on in sight; where that is nothing, what goes on behind it."""
        self.stop_asked.emit()
        view = self.main_area.current
        if view.is_busy:
            view.stop()
            return
        if not (self.canvas.is_busy or self.runner.is_running):
            self.main_area.stop()
        self.stop()

    def close(self) -> None:
        """Let go of page and workspace, in the order the browser wants it."""
        self.main_area.close_down()
        self.stop()
        self.pages.titles.stop()
        self.clock.stop()
        for controller in self._controllers.values():
            if isinstance(controller, Stoppable):
                controller.stop()
        self.saving.put_aside()
        for timer in (
            self.drawing.timer,
            self._ahead_timer,
        ):
            timer.stop()
        self.canvas.show_nothing()
        self.canvas.dispose()
        self.saving.stop()
        self.workspace.close()

    def _open_index(self) -> int:
        document = self.session.document
        return self.session.documents.index(document) if document is not None else -1

    def _on_captured(self, page: Page) -> None:
        document = self.session.document
        if document is None:
            return
        try:
            files = self.session.files.get(page_key(document))
            with self.workspace.store.waiting(0):
                initial = gold_of(self.workspace, document, files, page)
        except WorkspaceBusy:  # shown without its marks, it would be saved without them
            self.progress.say(BUSY)
            self._when_free(document, page)
            return
        except PageletError as error:
            initial = InitialGold(Gold(), problems=(str(error),))
        self.progress.end()
        self._say_problems(initial.problems)
        self._use_stack(document, page)
        self.marking.pieces = self.canvas.pieces
        self.session.set_page(page, initial.gold, is_locked=initial.is_locked)
        self.canvas.set_mode(self.session.mode)
        self.canvas.once_drawn(self.runner.begin)
        for note in page.notes:
            self.session.say(note)
        self._ahead_timer.start()
        self._judge_first(document)
        self.recovery.on_captured()
        self.saving.save_soon()  # and then the list of pages is refreshed

    def _when_free(self, document: Document, page: Page) -> None:
        """Show a page once its marks can be read, unless another one is open by then."""

        def go_on() -> None:
            if self.session.document is document and self.session.page is None:
                self._on_captured(page)

        QTimer.singleShot(RETRY_MS, self, go_on)

    def _use_stack(self, document: Document, page: Page) -> None:
        """Take up undo where it was left, today or last week: the workspace keeps every change."""
        self.marking.stack.deleteLater()
        try:
            past = self.workspace.undo_history(page_key(document), page.rendered())
        except PageletError as error:
            self.session.say(str(error))
            past = History()
        stack = stack_of(past, self.session, self.undo_group)
        self.undo_group.addStack(stack)
        self.undo_group.setActiveStack(stack)
        self.marking.stack = stack

    def _on_failed(self, error: CaptureError) -> None:
        if self.recovery.takes(error):
            return
        document = self.session.document
        if document is not None and document.is_live:
            self.refused.emit(document.address)
        self._give_up(str(error))

    def _give_up(self, reason: str) -> None:
        self.saving.put_aside()
        if self.session.page is not None:
            self.session.set_document(self.session.document)
        self._fail(reason)
        self.progress.end()

    def _load_again(self) -> None:
        document = self.session.document
        if document is not None:
            self.saving.put_aside()
            self.undo_group.removeStack(self.marking.stack)
            self.session.set_document(document)
            self.canvas.load(document)

    def _fail(self, reason: str) -> None:
        self.failure = cut(reason)
        self.session.say(reason)
        self.session.document_changed.emit()

    # gold ----------------------------------------------------------------------------------
    @property
    def is_saved(self) -> bool:
        """Whether every change of the open page's marks is on disk, and what else waited."""
        return self.saving.is_saved and not self.saving.must_wait

    @property
    def is_contested(self) -> bool:
        """Whether it is not because another window has changed the same marks."""
        return self.saving.is_contested

    @property
    def is_waiting(self) -> bool:
        """Whether it is not because another program is writing to the workspace."""
        return self.saving.is_waiting or (self.saving.is_saved and self.saving.must_wait)

    def keep_mine(self) -> None:
        """Save this window's marks over those that another one has saved meanwhile."""
        self.saving.keep_mine()

    def take_theirs(self) -> None:
        """Go on with the marks that another window has saved meanwhile."""
        self.saving.take_theirs()

    def undo(self) -> None:
        """Undo the last change of this page's marks."""
        self.undo_group.undo()

    def redo(self) -> None:
        self.undo_group.redo()

    def copy_gold(self) -> None:
        """Copy the marks that came with a data set into the workspace, to go on marking there."""
        session = self.session
        if session.document is None or session.page is None or not session.is_locked:
            return
        key, nodes = page_key(session.document), session.page.rendered()
        try:
            self.workspace.save_gold(key, session.gold, nodes, CAME_WITH_PAGE)
        except PageletError as error:
            session.say(f"not copied: {error}")
            return
        session.unlock()
        session.say("the marks are copied into your workspace: change them as you like")

    def set_mode(self, mode: Mode) -> None:
        """Choose what a click does."""
        self.session.set_mode(mode)

    def take_candidate(self) -> None:
        """Do what a click would do at the framed element."""
        self.marking.take()

    def walk(self, way: str) -> None:
        """Move the frame; in select mode a selected block is widened or narrowed instead."""
        resizes = self.session.mode is Mode.SELECT and way in ("parent", "child")
        if resizes and self.session.selected:
            self.marking.resize_selected(way)
            return
        self.marking.walk(way)
        self.canvas.scroll_to(self.session.candidate)

    def cycle_marks(self, step: int) -> None:
        """Select the next or the previous mark and bring it into view."""
        mark = self.session.gold.find(self.marking.cycle(step))
        if mark is not None and mark.targets:
            self.canvas.scroll_to(mark.targets[0].row)

    def delete_selected(self) -> None:
        self.decide(self.marking.delete)

    def set_type(self, type_name: str) -> None:
        """Set the type of the selected blocks, or of those to come."""
        self.decide(partial(self.marking.set_type, type_name))

    def confirm_selected(self) -> None:
        """Confirm the selected drafts and moved marks."""
        self.confirm()

    def clear_selection(self) -> None:
        """Select nothing; blocks to come have no type."""
        self.session.set_next_type("")
        self.session.set_selected(())
        self.session.set_candidate(-1)
        self.marking.let_go()

    # panels --------------------------------------------------------------------------------
    def select_row(self, row: int) -> None:
        """Select the mark that starts at a row, else frame the row; bring it into view."""
        ids = [m.id for m in self.session.gold.marks if any(t.row == row for t in m.targets)]
        self.session.set_selected(ids[:1])
        if not ids:
            self.session.set_candidate(row)
        self.canvas.scroll_to(row)

    def change_params(self, key: str, before: Params, after: Params) -> None:
        """Set the parameters of a layer as one step that can be undone."""
        if after != before:
            self.marking.stack.push(ChangeParams(self.session, key, before, after))

    def bring_row(self, row: int) -> None:
        """Bring a row into view; what is selected stays."""
        self.canvas.scroll_to(row)

    def hover_row(self, row: int) -> None:
        """Frame a row; -1 for none."""
        self.session.set_candidate(row)

    def golds(self) -> dict[str, Gold]:
        """Return what each annotator marked on the open page, by name, for who may see all."""
        document, page = self.session.document, self.session.page
        may_see = self.workspace.annotator.role is Role.REVIEWER
        if document is None or page is None or not may_see:
            return {}
        try:
            found = self.workspace.golds(page_key(document), page.rendered())
        except PageletError as error:
            self.session.say(str(error))
            return {}
        return {who.shown: gold for who, gold in found.items()}

    # status of pages -------------------------------------------------------------------------
    def set_status(self, status: str) -> None:
        """Say how far the page is, as `PageStatus` says it; after ``done`` the next one opens."""
        document = self.session.document
        if document is None:
            return
        try:
            self.workspace.set_status(page_key(document), PageStatus(status))
        except PageletError as error:
            self.session.say(f"not saved: {error}")
            return
        self.pages.refresh()
        if self.workspace.has_late_statuses:
            self.session.say(STATUS_WAITS)
        if status == "done":
            self.next_page()

    def _on_late_saved(self) -> None:
        self.pages.refresh()

    def _on_gold(self) -> None:
        document = self.session.document
        if document is not None and self.pages.status(document) == PageStatus.OPEN:
            self.pages.refresh()  # its first mark makes it a page in progress

    def close_agreed(self) -> None:
        """Close a page on which all agree, unless it was closed before."""
        document = self.session.document
        if document is not None and self.pages.status(document) != PageStatus.DONE:
            self.session.say("all agree on this page: it is closed")
            self.set_status(PageStatus.DONE)

    def open_for_other_annotator(self) -> None:
        try:
            self.workspace.add_pages(self.session.documents)
        except PageletError as error:
            self.session.say(str(error))
        self.pages.refresh()
        self.reload()


def _is_web(path: str) -> bool:
    return path.lower().startswith(("http:", "https:"))
