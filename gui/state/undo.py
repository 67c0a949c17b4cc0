"""What can be undone: a change of the gold, and a change of a method's parameters."""

from collections.abc import Collection

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack

from algorithms.params import Params
from annotate.marks.gold import Gold
from annotate.marks.journal import ALSO, History, HistoryStep
from gui.state.session import Session

_GOLD = 1  # Qt merges commands of one number, if they let it


class ChangeGold(QUndoCommand):
    """Replaces the session's gold; pushing it on the stack performs it.

    A type given to a mark right after it was made is one step with it, though both are saved, each
    when it is made.  A type given after that one is a step of its own: it puts the first right.
    """

    def __init__(
        self, session: Session, after: Gold, text: str, before: Gold | None = None
    ) -> None:
        super().__init__(text)
        self._session, self._after = session, after
        self._before = session.gold if before is None else before
        self._what = text
        self._made: frozenset[str] = frozenset()  # marks whose first type belongs to this
        self._next: HistoryStep = "edit"  # as what it is done next: an edit, later done again
        self.is_past = False
        """Whether it is only put where it belongs on the stack: the session stays as it is."""

    def waits_for_type(self, ids: Collection[str]) -> None:
        """Take the next type given to these marks as part of this, if it is the next change."""
        self._made = frozenset(ids)

    def takes_type(self, ids: Collection[str]) -> bool:
        """Return whether a type of these marks belongs to this."""
        return bool(ids) and self._made.issuperset(ids)

    def join(self) -> None:
        """Belong to the change before, which `takes_type`."""
        self._what = ALSO + self.text()

    def id(self) -> int:
        """Return what Qt looks at first: other commands are never merged with this."""
        return _GOLD

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take the change after this one in, if it says that it belongs to it."""
        if not isinstance(other, ChangeGold) or not other._what.startswith(ALSO):
            return False
        self._after, self._made = other._after, frozenset()
        return True

    def redo(self) -> None:
        if not self.is_past:
            self._session.set_gold(self._after, self._what, self._next)
        self._next = "redo"

    def undo(self) -> None:
        self._made = frozenset()
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
    stack.setIndex(first + history.index)
    for command in commands:
        command.is_past = False


def stack_of(history: History, session: Session, parent: QObject) -> QUndoStack:
    """Return a stack that can undo and redo what was done before the page was opened."""
    stack = QUndoStack(parent)
    push_past(stack, history, session)
    return stack
