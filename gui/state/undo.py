"""What can be undone: a change of the gold, and a change of a method's parameters."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

from algorithms.params import Params
from annotate.gold import Gold
from annotate.journal import History, Step
from gui.state.session import Session


class ChangeGold(QUndoCommand):
    """Replaces the session's gold; pushing it on the stack performs it."""

    def __init__(
        self, session: Session, after: Gold, text: str, before: Gold | None = None
    ) -> None:
        super().__init__(text)
        self._session, self._after = session, after
        self._before = session.gold if before is None else before
        self._next: Step = "edit"  # as what it is done next: an edit, later done again
        self.is_past = False
        """Whether it is only put where it belongs on the stack: the session stays as it is."""

    def redo(self) -> None:
        """Set the gold after the change."""
        if not self.is_past:
            self._session.set_gold(self._after, self.text(), self._next)
        self._next = "redo"

    def undo(self) -> None:
        """Set the gold before the change."""
        if not self.is_past:
            self._session.set_gold(self._before, self.text(), "undo")


class ChangeParams(QUndoCommand):
    """Replaces the parameters of one layer; pushing it on the stack performs it."""

    def __init__(self, session: Session, key: str, before: Params, after: Params) -> None:
        names = [n for n, v in after.as_dict().items() if v != before.as_dict()[n]]
        super().__init__(f"change of {', '.join(names).replace('_', ' ')}")
        self._session, self._key, self._before, self._after = session, key, before, after

    def redo(self) -> None:
        """Run with the parameters after the change."""
        self._set(self._after)

    def undo(self) -> None:
        """Run with those before."""
        self._set(self._before)

    def _set(self, params: Params) -> None:
        # A layer that was taken away meanwhile has none to change.
        if any(layer.key == self._key for layer in self._session.layers):
            self._session.change_layer(self._key, params=params)


def push_past(stack: QUndoStack, history: History, session: Session) -> None:
    """Put on a stack what can be undone and redone; the session's own gold is left as it is."""
    first = stack.index()
    steps = zip(history.states, history.states[1:], history.texts, strict=False)
    commands = [ChangeGold(session, after, text, before) for before, after, text in steps]
    for command in commands:
        command.is_past = True
        stack.push(command)
    stack.setIndex(first + history.place)
    for command in commands:
        command.is_past = False


def stack_of(history: History, session: Session, parent: QObject) -> QUndoStack:
    """Return a stack that can undo and redo what was done before the page was opened."""
    stack = QUndoStack(parent)
    push_past(stack, history, session)
    return stack
