"""ChangeGold: the only undo command."""

from PySide6.QtCore import QObject, QSignalBlocker
from PySide6.QtGui import QUndoCommand, QUndoStack

from annotate.gold import Gold
from annotate.journal import History
from gui.session import Session


class ChangeGold(QUndoCommand):
    """Replaces the session's gold; pushing it on the stack performs it."""

    def __init__(
        self, session: Session, after: Gold, text: str, before: Gold | None = None
    ) -> None:
        super().__init__(text)
        self._session, self._after = session, after
        self._before = session.gold if before is None else before

    def redo(self) -> None:
        """Set the gold after the change."""
        self._session.set_gold(self._after, self.text())

    def undo(self) -> None:
        """Set the gold before the change."""
        self._session.set_gold(self._before, self.text())


def stack_of(history: History, session: Session, parent: QObject) -> QUndoStack:
    """Return a stack that can undo and redo what was done before the page was opened.

    The session's own gold is left as it is; its signals are held back meanwhile.
    """
    stack, gold = QUndoStack(parent), session.gold
    held = QSignalBlocker(session)
    for before, after, text in zip(history.states, history.states[1:], history.texts, strict=False):
        stack.push(ChangeGold(session, after, text, before))
    stack.setIndex(history.place)
    session.set_gold(gold)
    held.unblock()
    return stack
