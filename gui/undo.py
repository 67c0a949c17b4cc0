"""ChangeGold: the only undo command."""

from PySide6.QtGui import QUndoCommand

from annotate.gold import Gold
from gui.session import Session


class ChangeGold(QUndoCommand):
    """Replaces the session's gold; pushing it on the stack performs it."""

    def __init__(self, session: Session, after: Gold, text: str) -> None:
        super().__init__(text)
        self._session, self._before, self._after = session, session.gold, after

    def redo(self) -> None:
        """Set the gold after the change."""
        self._session.set_gold(self._after)

    def undo(self) -> None:
        """Set the gold before the change."""
        self._session.set_gold(self._before)
