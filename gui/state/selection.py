"""Selection: which marks and rows are meant, what a click does, what a panel points at."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Signal

from annotate.marks.gold import Mark
from engine.page import Page
from engine.source import Source
from gui.state.open_page import CurrentPage


@dataclass(frozen=True)
class Highlight:
    """Places on the page, for as long as they are pointed at.

    Attributes:
        texts: Row, start and end in its text of each piece of text.
        rows: Rows whose boxes are meant.
        is_outlined: Whether only its outline is drawn, so that a large one stays legible.
    """

    texts: tuple[tuple[int, int, int], ...] = ()
    rows: tuple[int, ...] = ()
    is_outlined: bool = False

    @property
    def first_row(self) -> int:
        """The first row it is about, -1 for none."""
        return min((*(row for row, _, _ in self.texts), *self.rows), default=-1)


NOTHING = Highlight()


def of_words(page: Page, source: Source, first: int, last: int) -> Highlight:
    """Return the positions on the page of words of a source; none for words it does not show."""
    if first < 0 or last <= first:
        return NOTHING
    spans = source.tokens.spans
    ranges = page.alignment(source).ranges([[spans[first, 0], spans[last - 1, 1]]])
    return Highlight(tuple((row, start, end) for row, start, end in ranges.tolist()))


def of_rows(page: Page, first: int, last: int) -> Highlight:
    """Return the boxes of rows of the page, those inside others of them left out."""
    if first < 0:
        return NOTHING
    parent = page.rendered().parent[first:last].tolist()
    rows = range(first, last)
    return Highlight(rows=tuple(r for r, above in zip(rows, parent, strict=True) if above < first))


class Mode(StrEnum):
    SELECT = "select"  # selects marks
    MAIN = "main"  # adds to, or takes from, the main content
    LEVEL_1 = "level-1"  # takes the element as a level-1 block
    LEVEL_2 = "level-2"
    WHY = "why"  # asks why the methods shown kept or dropped a text

    @property
    def makes_block(self) -> bool:
        """Whether a click takes the element as a block."""
        return self in (Mode.LEVEL_1, Mode.LEVEL_2)


class Selection(QObject):
    """What is selected on the open page.

    Attributes:
        selected: Ids of the selected marks.
        pointed: The mark under the mouse, where keys act on it: nothing is selected.
        candidate: The row that a click or Enter would mark; -1 for none.
        has_crossed: Whether walking on has just led into another part of the page.
        highlight: What a panel points at.
        mode: What a click does.
        next_type: Of blocks marked from now on.
        last_type: That was given last.
        suggests_types: Whether blocks marked without a type get a suggested one.
        keeps_type: Whether blocks to come have the type that was given last.
    """

    selection_changed = Signal()
    candidate_changed = Signal()
    pointed_changed = Signal()
    highlight_changed = Signal()
    mode_changed = Signal()  # effect of a click: the mode, or the type of new blocks

    def __init__(self, page: CurrentPage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self.selected: tuple[str, ...] = ()
        self.pointed = self.next_type = self.last_type = ""
        self.candidate = -1
        self.highlight = NOTHING
        self.mode = Mode.SELECT
        self.has_crossed = self.suggests_types = self.keeps_type = False

    def reset(self) -> None:
        """Select nothing, since another page is opened; emits nothing."""
        self.selected, self.candidate, self.highlight = (), -1, NOTHING
        self.next_type = self.pointed = ""

    def set_selected(self, mark_ids: Sequence[str]) -> None:
        if tuple(mark_ids) != self.selected:
            self.selected = tuple(mark_ids)
            self.selection_changed.emit()

    def set_pointed(self, mark_id: str) -> None:
        """Set the mark that keys act on while none is selected; "" for none."""
        if mark_id != self.pointed:
            self.pointed = mark_id
            self.pointed_changed.emit()

    def meant_marks(self) -> tuple[Mark, ...]:
        """Return the selected marks, else the one under the mouse."""
        result = self._page.gold.find(self.pointed)
        return self.selected_marks() or (() if result is None else (result,))

    def selected_marks(self) -> tuple[Mark, ...]:
        return tuple(m for m in map(self._page.gold.find, self.selected) if m is not None)

    def set_candidate(self, row: int) -> None:
        """Set the row that a click or Enter would mark; -1 for none."""
        if row != self.candidate:
            self.candidate = row
            self.candidate_changed.emit()

    def set_highlight(self, highlight: Highlight) -> None:
        """Set the highlight of a panel on the page."""
        if highlight != self.highlight:
            self.highlight = highlight
            self.highlight_changed.emit()

    def set_mode(self, mode: Mode) -> None:
        """Choose what a click does; the type chosen for blocks to come goes."""
        if mode != self.mode:
            self.mode, self.next_type = mode, ""
            self.mode_changed.emit()

    def set_keeps_type(self, is_on: bool) -> None:
        if is_on != self.keeps_type:
            self.keeps_type = is_on
            self.mode_changed.emit()

    def set_next_type(self, type_name: str) -> None:
        """Set the type of new blocks; "" for none."""
        if type_name != self.next_type:
            self.next_type = type_name
            self.mode_changed.emit()
