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
        values: Name and value of the fields of the mark in hand; "" for none.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.guideline: Guideline = default()
        self.title = MAIN_TITLE
        self.examples: tuple[Example, ...] = ()
        self.values: tuple[tuple[str, str], ...] = ()

    def set_guideline(self, guideline: Guideline) -> None:
        self._set("guideline", guideline)

    def turn_to(self, title: str) -> None:
        """Open the page of a type."""
        self._set("title", title or self.title)

    def set_examples(self, examples: tuple[Example, ...]) -> None:
        self._set("examples", examples)

    def set_values(self, values: tuple[tuple[str, str], ...]) -> None:
        self._set("values", values)

    def _set(self, name: str, value: object) -> None:
        if value != getattr(self, name):
            setattr(self, name, value)
            self.changed.emit()


def title_in_hand(session: Session) -> str:
    """Return the type being marked or set.

    This is the type of the selected mark, else of the framed mark, else of blocks to be marked; ""
    if none is known.
    """
    selection, every = session.selection, session.open.gold.marks
    marks = list(selection.meant_marks())
    if not marks and selection.candidate >= 0:
        marks = [m for m in every if any(t.row == selection.candidate for t in m.targets)]
    for mark in reversed(marks):
        guess = mark.guess.type if mark.guess is not None else ""
        kind = MAIN_TITLE if mark.level == MAIN else mark.type or guess
        if kind:
            return kind
    if selection.mode is Mode.MAIN:
        return MAIN_TITLE
    return selection.next_type if selection.mode.makes_block else ""
