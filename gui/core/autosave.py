"""Autosave: writes every change of the open page's marks to disk at once, or shows a failure.

The session calls `Autosave.save` with every change before anyone else hears of it, so a method or
measure that takes the program down loses no mark.

What cannot be saved stays on screen and keeps its page open.  While another program writes to the
file, changes wait in memory, in their order, and are tried again without the window standing still;
the page and the window stay open until they are saved.  Where another window has changed the
marks of the same page, nobody's are lost: the user says whose to go on with, and those of the
other window are one undo away, today and after the page was opened again.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from annotate.marks.gold import Gold
from annotate.marks.journal import History, HistoryStep
from annotate.workspace.replaced_file import UnsavedMarks
from annotate.workspace.store import BUSY_SECONDS
from annotate.workspace.workspace import Workspace, page_key
from engine.errors import MarksContested, PageletError, WorkspaceBusy, WorkspaceMoved
from engine.nodes import NodeTable
from gui.page.marking import Marking
from gui.state.session import Session
from gui.state.undo import ChangeGold, push_past
from gui.widgets.events import debounce

log = logging.getLogger(__name__)

KEEP, TAKE = "keep my marks", "take the other window's marks"
ASIDE = "marks made beside another window"

PATIENCE_S = 0.2
"""How long the window may stand still for another program that reads or writes the workspace."""

RETRY_MS = 40

NOTE_MS = 150
"""A visit of a page is saved so long after it was shown: syncing the disk would hold up its scores.
"""

LONG_S = 3.0
"""Delay after which the reason for unsaved changes is shown."""

STATUS_WAITS = "another program is writing to the workspace: the status is saved when it is done"

COMMENT_WAITS = "another program is writing to the workspace: it is saved when that is done"

WAITS = "another program is writing to the workspace: your marks are saved when it is done"


@dataclass(frozen=True, eq=False)
class WaitingChange:
    """A change of marks that is not in the file yet, and the page it was made on."""

    key: str
    nodes: NodeTable
    gold: Gold
    what: str
    step: HistoryStep


class Autosave(QObject):
    """Writes the session's gold to the workspace whenever it changes.

    Attributes:
        is_saved: Whether the marks on screen are those on disk.
        is_contested: Whether they are not because another window has changed them too.
        is_waiting: Whether they are not because another program is writing to the file.
        is_moved: Whether they are not because the file was replaced, moved or deleted.
    """

    changed = Signal()  # is_saved, is_contested, is_waiting or must_wait changed
    late_saved = Signal()  # settings, statuses, visits and comments that waited
    late_refused = Signal()  # some changes cannot be saved

    def __init__(
        self, session: Session, workspace: Workspace, marking: Marking, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._workspace, self._marking = session, workspace, marking
        self.is_saved = True
        self.is_contested = self.is_waiting = self.is_moved = False
        self._waiting: list[WaitingChange] = []
        self._since = 0.0  # start of the oldest waiting change
        self._then: Callable[[], object] | None = None
        workspace.store.patience = PATIENCE_S
        workspace.store.on_notice = session.messages.say
        self._timer = QTimer(self, interval=RETRY_MS)
        self._timer.timeout.connect(self._try_again)
        workspace.waits = self._begin_to_wait
        self._soon = debounce(self, NOTE_MS, self._try_again)
        self._unsaved: tuple[str, HistoryStep] = ("change marks", "edit")  # steps to the marks
        session.open.keep = self.save
        session.open.document_changed.connect(self._on_document)

    def is_safe(self) -> bool:
        """Return whether the page may be left; marks that are only on screen keep it open."""
        if not self.is_saved:
            self._save_again()
            if self.is_contested:
                self._session.messages.say(
                    "choose first which marks to keep: yours or the other window's"
                )
            elif self.is_waiting:
                self._session.messages.say(WAITS)
        return self.is_saved

    def may_end(self) -> bool:
        """Return whether the window may close; changes that wait for another program keep it."""
        if self._waiting:
            self._flush(PATIENCE_S)
        if self.must_wait:
            is_comment = bool(self._workspace.late_changes)
            late = "comment is" if is_comment else "page's status is"
            what = "marks are" if self._waiting else late
            self._session.messages.say(
                f"the window closes when your {what} saved: another program is "
                "writing to the workspace"
            )
        return not self.must_wait

    @property
    def is_all_saved(self) -> bool:
        """Whether the marks, and statuses and comments of all pages, are on disk."""
        return self.is_saved and not self.must_wait

    @property
    def must_wait(self) -> bool:
        """Whether marks, statuses or comments are not in the file yet: another program writes."""
        workspace = self._workspace
        return bool(self._waiting or workspace.has_late_statuses or workspace.late_changes)

    def save_soon(self) -> None:
        self._soon.start()

    def _begin_to_wait(self) -> None:
        self._timer.start()
        self.changed.emit()

    def stop(self) -> None:
        """Stop retrying: the workspace is closed next, which saves what it can."""
        self._timer.stop()
        self._soon.stop()
        self._workspace.waits = None

    def when_saved(self, then: Callable[[], object]) -> None:
        self._then = then

    def keep_mine(self) -> None:
        """Save the marks on screen; undo brings those of the other window."""
        mine = self._session.open.gold
        theirs = self._put_aside(KEEP) if self.is_contested else None
        if theirs is None:
            return
        # The screen does not change: taking theirs and keeping mine are steps of the past.
        past = History((mine, theirs, mine), (TAKE, KEEP), index=2)
        push_past(self._marking.stack, past, self._session)
        self._set(is_saved=True)
        self._session.messages.say("your marks are saved; undo restores those of the other window")

    def take_theirs(self) -> None:
        """Show the marks of the other window; undo brings the ones that were on screen."""
        theirs = self._put_aside(ASIDE) if self.is_contested else None
        if theirs is None:
            return
        self._marking.stack.push(ChangeGold(self._session, theirs, TAKE))
        self._save_again()  # nothing changed if both are equal
        self._session.messages.say("the other window's marks are used; undo restores yours")

    def put_aside(self) -> None:
        """Before marks go off the screen unasked: save what can be saved.

        Contested ones go into the journal behind those of the other window: the page opens with
        the latter, and undo brings the former.
        """
        target, mine = self._target(), self._session.open.gold
        if self._waiting:
            self._flush(BUSY_SECONDS)
        if self.is_saved or target is None:
            return
        self._save_again()
        theirs = self._put_aside(ASIDE) if self.is_contested else None
        if theirs is not None and theirs != mine:
            try:
                self._workspace.save_gold(target[0], theirs, target[1], TAKE)
            except PageletError as error:
                self._fail(str(error))

    def _on_document(self) -> None:
        if self._session.open.page is None and not self._waiting:
            self._set(is_saved=True)  # no page is shown

    def _put_aside(self, what: str) -> Gold | None:
        """Save the marks on screen as the page's; return those that were, None on failure."""
        target = self._target()
        if target is None:
            return None
        key, nodes = target
        try:
            theirs = self._workspace.gold_in_file(key, nodes)
            self._workspace.save_gold(key, self._session.open.gold, nodes, what, overwrite=True)
        except PageletError as error:
            self._fail(str(error))
            return None
        return theirs

    def save(self, what: str, step: HistoryStep) -> None:
        """Write the session's gold to disk; a failure is shown, not raised.

        Args:
            what: What led to the marks as they are, in the user's words.
            step: How that came about.
        """
        self._unsaved = what, step
        target = self._target()
        if target is None:
            return
        is_first = not self._waiting
        self._waiting.append(WaitingChange(*target, self._session.open.gold, what, step))
        self._flush(PATIENCE_S if is_first else 0)

    def _flush(self, patience: float) -> None:
        """Save what waits, in its order; what another program keeps from it waits on."""
        try:
            with self._workspace.store.waiting(patience):
                while self._waiting:
                    each = self._waiting[0]
                    self._workspace.save_gold(each.key, each.gold, each.nodes, each.what, each.step)
                    del self._waiting[0]
        except WorkspaceBusy:
            self._wait()
        except MarksContested:
            self._waiting.clear()
            self._set(is_saved=False, is_contested=True)
        except PageletError as error:
            self._waiting.clear()
            self._fail(str(error), is_moved=isinstance(error, WorkspaceMoved))
        except Exception as error:
            # An exception here would keep the change from being shown.
            self._waiting.clear()
            log.exception("the marks could not be saved")
            self._fail(f"an error in Pagelet: {error}")
        else:
            self._set(is_saved=True)

    def _wait(self) -> None:
        if not self.is_waiting:
            self._since = time.monotonic()
        elif time.monotonic() - self._since > LONG_S:
            self._since = float("inf")  # shown once
            self._session.messages.say(WAITS)
        self._set(is_saved=False, is_waiting=True)
        self._timer.start()

    def _try_again(self) -> None:
        self._timer.stop()
        if self._waiting:
            self._flush(0)
        if not self._waiting and not self._save_late():
            self._timer.start()
        if not self.must_wait and self._then is not None:
            then, self._then = self._then, None
            then()

    def _save_late(self) -> bool:
        try:
            with self._workspace.store.waiting(0):
                is_done = self._workspace.save_late()
        except PageletError as error:
            self._session.messages.say(f"settings, statuses or comments are not saved ({error})")
            is_done = not self._workspace.late_changes
        if self._workspace.has_refused:
            self._then = None  # the window stays open and offers the typed text again
            self.late_refused.emit()
        if is_done:
            self.late_saved.emit()
            self.changed.emit()
        return is_done

    def _save_again(self) -> None:
        if self._waiting:
            self._flush(PATIENCE_S)
        else:
            self.save(*self._unsaved)

    def unsaved(self) -> UnsavedMarks | None:
        """Return the marks that are on screen alone; None where all are saved."""
        target, document = self._target(), self._session.open.document
        if self.is_saved or target is None or document is None:
            return None
        return UnsavedMarks(document, target[1], self._session.open.gold, self._unsaved[0])

    def _target(self) -> tuple[str, NodeTable] | None:
        document, page = self._session.open.document, self._session.open.page
        if document is None or page is None:
            return None
        return page_key(document), page.rendered()

    def _fail(self, reason: str, *, is_moved: bool = False) -> None:
        # The marks stay in memory and go to disk with the next change that can be saved.
        self._session.messages.say(f"not saved ({reason}); the page stays open until it is")
        self.is_moved = is_moved
        self._set(is_saved=False, is_contested=self.is_contested)
        self.changed.emit()

    def _set(self, *, is_saved: bool, is_contested: bool = False, is_waiting: bool = False) -> None:
        self.is_moved &= not is_saved
        now = is_saved, is_contested, is_waiting
        if now != (self.is_saved, self.is_contested, self.is_waiting):
            self.is_saved, self.is_contested, self.is_waiting = now
            self.changed.emit()
