"""What can be undone: changes of the gold, of parameters, and other decisions, over all pages."""

from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from algorithms.params import Params
from annotate.marks.gold import Gold
from annotate.marks.journal import ALSO, History, HistoryStep
from annotate.workspace.workspace import page_key
from gui.state.session import Session

_GOLD, _PARAMS = 1, 2  # commands of one number are merged, if they let it


@dataclass
class DoneStep:
    """An undo step of the window.

    Attributes:
        page: The key of the page it was decided on; "" for none.
        text: What it did.
        command: Takes it back; None where the undo stack of the page does.
        is_joined: Whether it is undone together with the step before.
        returns: Whether undo opens its page again, since the key that did it moved on.
    """

    page: str
    text: str
    command: QUndoCommand | None = None
    is_joined: bool = False
    returns: bool = False


def is_of_no_page(step: DoneStep | None) -> bool:
    """Return whether a step is a decision that is about no page, such as a name of a filter."""
    return step is not None and step.command is not None and not step.page


class WorkHistory(QObject):
    """History of the window over all pages, in order: what undo takes back next.

    The marks of a page are undone by the stack of that page, rebuilt whenever the page
    is opened.  All other decisions (a status, an answer to the auditor, parameters) are commands
    kept here, so that they can be taken back from another page.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._steps: list[DoneStep] = []
        self._index = 0  # number of steps that are done; the rest can be redone
        session.documents_changed.connect(self._forget_unlisted)

    @property
    def last(self) -> DoneStep | None:
        return self._steps[self._index - 1] if self._index else None

    @property
    def next(self) -> DoneStep | None:
        return self._steps[self._index] if self._index < len(self._steps) else None

    def push(self, command: QUndoCommand, page: str = "") -> None:
        """Perform a decision that is not a change of marks; one that is obsolete is not kept.

        Args:
            command: Performs it and takes it back.
            page: The page it is about, which undo opens again; "" for none.
        """
        command.redo()
        last = self.last.command if self.last is not None and self.next is None else None
        if last is not None and last.id() == command.id() != -1 and last.mergeWith(command):
            return
        if not command.isObsolete():
            self._add(DoneStep(page, command.text(), command))

    def join_last(self) -> None:
        """Merge the last step with the one before."""
        if self.last is not None:
            self.last.is_joined = True

    def note_marks(self, text: str) -> None:
        """Note that the marks of the open page were changed."""
        self._add(DoneStep(self._open_page(), text))

    def return_to_last(self) -> None:
        """Mark the last step so that undo reopens its page."""
        if self.last is not None:
            self.last.returns = True

    def move(self, by: int) -> None:
        """Count the step before as undone (-1), or the next as done again (1)."""
        self._index += by
        self.changed.emit()

    def note_undone(self) -> None:
        """Note that a change of the open page's marks was undone."""
        page, done = self._open_page(), self._steps[: self._index]
        mine = [k for k, step in enumerate(done) if step.page == page and step.command is None]
        if not mine:
            return  # done before this window was opened
        if mine[-1] != self._index - 1:
            del self._steps[mine[-1]]
        self.move(-1)

    def note_redone(self) -> None:
        """Note that a change of the open page's marks was done again."""
        following = self.next
        if following and following.command is None and following.page == self._open_page():
            self.move(1)

    def _add(self, step: DoneStep) -> None:
        self._steps[self._index :] = [step]
        self._index = len(self._steps)
        self.changed.emit()

    def _forget_unlisted(self) -> None:
        """Drop the steps of pages that are no longer listed: undo cannot go there."""
        listed = {"", *map(page_key, self._session.documents)}
        self._index = sum(step.page in listed for step in self._steps[: self._index])
        self._steps = [step for step in self._steps if step.page in listed]
        self.changed.emit()

    def _open_page(self) -> str:
        document = self._session.open.document
        return "" if document is None else page_key(document)


class ChangeGold(QUndoCommand):
    """Replaces the session's gold; pushing it on the stack performs it.

    A type given to a mark right after it was made is one step with it, though both are saved, each
    when it is made.  A type given after that one is a separate step: it corrects the first.
    """

    def __init__(
        self, session: Session, after: Gold, text: str, before: Gold | None = None
    ) -> None:
        super().__init__(text)
        self._session, self._after = session, after
        self._before = session.open.gold if before is None else before
        self._what = text
        self._made: frozenset[str] = frozenset()  # marks whose first type belongs to this
        self._next: HistoryStep = "edit"  # kind of the next redo: an edit first, then a redo
        self.is_past = False  # whether it is only pushed, without effect

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
        return _GOLD

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Merge the following change, if it is marked as part of this one."""
        if not isinstance(other, ChangeGold) or not other._what.startswith(ALSO):
            return False
        self._after, self._made = other._after, frozenset()
        return True

    def redo(self) -> None:
        if not self.is_past:
            history = self._session.get(WorkHistory)
            if self._next == "redo":
                history.note_redone()
            elif not self._what.startswith(ALSO):
                history.note_marks(self.text())
            self._session.set_gold(self._after, self._what, self._next)
        self._next = "redo"

    def undo(self) -> None:
        self._made = frozenset()
        if not self.is_past:
            self._session.get(WorkHistory).note_undone()
            self._session.set_gold(self._before, self.text(), "undo")


class ChangeParams(QUndoCommand):
    """Sets the parameters of layers; further ones of the same name are one step with it."""

    def __init__(
        self, session: Session, key: str, before: Params, after: Params, *, joins: bool = False
    ) -> None:
        names = [n for n, v in after.as_dict().items() if v != before.as_dict()[n]]
        super().__init__(f"change of {', '.join(names).replace('_', ' ')}")
        self._session, self._key, self._before, self._after = session, key, before, after
        self._joins = joins

    def id(self) -> int:
        return _PARAMS if self._joins else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in a change of the same parameters of the same layer, as of a field held down."""
        if not isinstance(other, ChangeParams) or (other._key, other.text()) != (
            self._key, self.text()
        ):  # fmt: skip
            return False
        self._after = other._after
        return True

    def redo(self) -> None:
        self._set(self._after)

    def undo(self) -> None:
        self._set(self._before)

    def _set(self, params: Params) -> None:
        # A layer removed in the meantime has no parameters to change.
        if any(layer.key == self._key for layer in self._session.layers.all):
            self._session.layers.change_layer(self._key, params=params)


def set_params(session: Session, key: str, after: Params, *, joins: bool = False) -> None:
    """Set a method's parameters, as an undo step on every page."""
    before = session.layers.layer(key).params
    if before is not None and before != after:
        session.get(WorkHistory).push(ChangeParams(session, key, before, after, joins=joins))


def reset_params(session: Session) -> None:
    """Reset the parameters of all layers, as one undo step."""
    history, count = session.get(WorkHistory), 0
    for layer in session.layers.all:
        if layer.is_changed and (params := layer.params) is not None:
            own = {n: v for n, v in params.as_dict().items() if n not in params.changed()}
            set_params(session, layer.key, type(params)(**own))
            if count:
                history.join_last()
            count += 1


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
    """Return an undo stack with the steps from before the page was opened."""
    stack = QUndoStack(parent)
    push_past(stack, history, session)
    return stack
