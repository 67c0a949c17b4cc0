"""State of the guideline: the guideline shown, and the page of the current type."""

from PySide6.QtCore import QObject, Signal

from annotate.marks.gold import MAIN
from annotate.marks.guideline import MAIN_TITLE, Guideline, default
from gui.plugins.guidelines.cropper import Example
from gui.state.selection import Mode
from gui.state.session import Session
from gui.state.walk import Shown


class GuidelineState(Shown):
    """State of the Guideline panel.

    Attributes:
        guideline: The project's own, or Pagelet's.
        title: Title of its open page.
        examples: Crops so far, of all pages.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.guideline: Guideline = default()
        self.title = MAIN_TITLE
        self.examples: tuple[Example, ...] = ()

    def set_guideline(self, guideline: Guideline) -> None:
        if guideline != self.guideline:
            self.guideline = guideline
            self.changed.emit()

    def turn_to(self, title: str) -> None:
        """Open the page of a type."""
        if title and title != self.title:
            self.title = title
            self.changed.emit()

    def set_examples(self, examples: tuple[Example, ...]) -> None:
        if examples != self.examples:
            self.examples = examples
            self.changed.emit()


def title_in_hand(session: Session) -> str:
    """Return the type being marked or set.

    This is the type of the selected mark, else of the framed mark, else of blocks to be marked; ""
    if none is known.
    """
    marks = list(session.selection.meant_marks())
    if not marks and session.selection.candidate >= 0:
        marks = [
            mark
            for mark in session.open.gold.marks
            if any(target.row == session.selection.candidate for target in mark.targets)
        ]
    for mark in reversed(marks):
        if mark.level == MAIN:
            return MAIN_TITLE
        kind = mark.type or (mark.guess.type if mark.guess is not None else "")
        if kind:
            return kind
    if session.selection.mode is Mode.MAIN:
        return MAIN_TITLE
    return session.selection.next_type if session.selection.mode.makes_block else ""
