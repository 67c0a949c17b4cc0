"""What a right click is on: widgets tell, and what is selected."""

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QPoint

from annotate.marks.gold import MAIN
from gui.core.action import Context
from gui.state.session import Session


@runtime_checkable
class HasContext(Protocol):
    """Widget with a context menu for its items."""

    def context_at(self, at: QPoint | None) -> Context | None:
        """Select the item at a point of the screen; return what it is, None to ask the parent.

        ``at`` is None for the keyboard: what is chosen already is meant.
        """


def of_marks(session: Session) -> Context | None:
    """Return what the selected marks are; None while none is selected."""
    marks = session.selection.selected_marks()
    blocks = sum(mark.level != MAIN for mark in marks)
    if blocks:
        return Context.BLOCKS if len(marks) > 1 else Context.BLOCK
    return Context.MAIN if marks else None
