"""PageHistory: the changes of the open page's marks, and the way to each."""

from PySide6.QtCore import QObject

from annotate.marks.journal import PastChange
from annotate.workspace.workspace import page_key
from engine.errors import PageletError
from gui.core.workbench import Workbench
from gui.state.undo import ChangeGold

LOCKED = "these marks came with the data set: copy them to edit first"


class PageHistory(QObject):
    """Lists the changes of the open page, and goes back or forth to each.

    A change that undo or redo reaches is reached by them, in one move.  Marks of any other time,
    such as of a change that was undone and replaced, come back by a new change, which undo takes
    back.
    """

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session

    @property
    def who(self) -> str:
        """Name of the annotator whose changes these are."""
        return self._workbench.workspace.annotator.shown

    @property
    def refusal(self) -> str:
        """Why no change can be gone to; "" where it can."""
        return LOCKED if self._session.open.is_locked else ""

    def changes(self) -> tuple[PastChange, ...]:
        """Return the changes of the open page, the oldest first; raises `PageletError`."""
        document = self._session.open.document
        if document is None or self._session.open.page is None:
            return ()
        return self._workbench.workspace.past(page_key(document))

    def leave(self) -> None:
        """Go back to before the first change."""
        first = self.changes()[0]
        back = None if first.back is None else first.back + 1
        self._move(back, 0, "go back to before the first change")

    def go_to(self, change: PastChange) -> None:
        """Bring the marks as they were after a change."""
        self._move(change.back, change.number, f"go back to: {change.revision.what}")

    def _move(self, back: int | None, number: int, text: str) -> None:
        document, page = self._session.open.document, self._session.open.page
        if document is None or page is None or self.refusal or back == 0:
            return
        try:
            gold = self._workbench.workspace.gold_after(page_key(document), number, page.rendered())
        except PageletError as error:
            self._session.messages.say(str(error))
            return
        stack = self._workbench.marking.stack
        if back is not None and 0 <= (index := stack.index() - back) <= stack.count():
            stack.setIndex(index)
        if self._session.open.gold != gold:  # undo does not reach so far
            stack.push(ChangeGold(self._session, gold, text))
