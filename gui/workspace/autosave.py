"""Saving: every change of the open page's marks goes to disk at once, or is said not to have.

The session calls `Autosave.save` with every change before anyone else hears of it, so a method or
measure that takes the program down loses no mark.

What cannot be saved stays on screen and keeps its page open.  Where another window has changed the
marks of the same page, nobody's are lost: the user says whose to go on with, and those of the
other window are one undo away, today and after the page was opened again.
"""

import logging

from PySide6.QtCore import QObject, Signal

from annotate.gold import Gold
from annotate.journal import History, HistoryStep
from annotate.workspace import Workspace, page_key
from engine.errors import MarksContested, PageletError
from engine.nodes import NodeTable
from gui.page.marking import Marking
from gui.state.session import Session
from gui.state.undo import ChangeGold, push_past

log = logging.getLogger(__name__)

KEEP, TAKE = "keep my marks", "take the other window's marks"
ASIDE = "marks made beside another window"


class Autosave(QObject):
    """Writes the session's gold to the workspace whenever it changes.

    Attributes:
        is_saved: Whether the marks on screen are those on disk.
        is_contested: Whether they are not because another window has changed them too.
    """

    changed = Signal()  # one of is_saved, is_contested

    def __init__(
        self, session: Session, workspace: Workspace, marking: Marking, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._workspace, self._marking = session, workspace, marking
        self.is_saved = True
        self.is_contested = False
        self._unsaved: tuple[str, HistoryStep] = ("change marks", "edit")  # what led to the marks
        session.keep = self.save
        session.document_changed.connect(self._on_document)

    def is_safe(self) -> bool:
        """Return whether the page may be left; marks that are only on screen keep it open."""
        if not self.is_saved:
            self._save_again()
            if self.is_contested:
                self._session.say("choose first whose marks to keep: yours or the other window's")
        return self.is_saved

    def keep_mine(self) -> None:
        """Save the marks on screen; undo brings those of the other window."""
        if not self.is_contested:
            return
        mine = self._session.gold
        theirs = self._put_aside(KEEP)
        if theirs is None:
            return
        # On screen nothing changes: theirs were taken, and mine kept, behind it.
        past = History((mine, theirs, mine), (TAKE, KEEP), index=2)
        push_past(self._marking.stack, past, self._session)
        self._set(is_saved=True)
        self._session.say("your marks are saved; undo brings those of the other window")

    def take_theirs(self) -> None:
        """Show the marks of the other window; undo brings the ones that were on screen."""
        if not self.is_contested:
            return
        theirs = self._put_aside(ASIDE)
        if theirs is None:
            return
        self._marking.stack.push(ChangeGold(self._session, theirs, TAKE))
        self._save_again()  # where both are the same, nothing has changed
        self._session.say("the other window's marks are taken; undo brings yours")

    def put_aside(self) -> None:
        """Before marks go off the screen unasked: save what can be saved.

        Contested ones go into the journal behind those of the other window: the page opens with
        the latter, and undo brings the former.
        """
        place, mine = self._place(), self._session.gold
        if self.is_saved or place is None:
            return
        self._save_again()
        theirs = self._put_aside(ASIDE) if self.is_contested else None
        if theirs is not None and theirs != mine:
            key, nodes = place
            try:
                self._workspace.save_gold(key, theirs, nodes, TAKE)
            except PageletError as error:
                self._fail(str(error))

    def _on_document(self) -> None:
        if self._session.page is None:
            self._set(is_saved=True)  # nothing is on screen

    def _put_aside(self, what: str) -> Gold | None:
        """Save the marks on screen as the page's; return those that were, None on failure."""
        place = self._place()
        if place is None:
            return None
        key, nodes = place
        try:
            theirs = self._workspace.gold_in_file(key, nodes)
            self._workspace.save_gold(key, self._session.gold, nodes, what, overwrite=True)
        except PageletError as error:
            self._fail(str(error))
            return None
        return theirs

    def save(self, what: str, step: HistoryStep) -> None:
        """Put the session's gold on disk; where that fails it is said, and nothing is raised.

        Args:
            what: What led to the marks as they are, in the user's words.
            step: How that came about.
        """
        self._unsaved = what, step
        place = self._place()
        if place is None:
            return
        key, nodes = place
        try:
            self._workspace.save_gold(key, self._session.gold, nodes, what, step)
        except MarksContested:
            self._set(is_saved=False, is_contested=True)
        except PageletError as error:
            self._fail(str(error))
        except Exception as error:
            # What is raised here would keep the change from being shown.
            log.exception("the marks could not be saved")
            self._fail(f"something went wrong inside Pagelet ({type(error).__name__}: {error})")
        else:
            self._set(is_saved=True)

    def _save_again(self) -> None:
        self.save(*self._unsaved)

    def _place(self) -> tuple[str, NodeTable] | None:
        document, page = self._session.document, self._session.page
        if document is None or page is None:
            return None
        return page_key(document), page.rendered()

    def _fail(self, reason: str) -> None:
        # The marks stay in memory and go to disk with the next change that can be saved.
        self._session.say(f"not saved ({reason}); the page stays open until it is")
        self._set(is_saved=False, is_contested=self.is_contested)

    def _set(self, *, is_saved: bool, is_contested: bool = False) -> None:
        if (is_saved, is_contested) != (self.is_saved, self.is_contested):
            self.is_saved, self.is_contested = is_saved, is_contested
            self.changed.emit()
