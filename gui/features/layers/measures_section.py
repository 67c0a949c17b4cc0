"""All measures of the current layer, one click and one key away, with explanations.

Nothing is computed while this part of the panel is folded, so clicks on the page are scored without
delay. Unfolded, a pool thread computes them once marks and results stop changing.
"""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from algorithms.levels import Level
from algorithms.results import Result, Segmentation
from annotate.marks.gold import Gold
from engine.document import Document
from engine.page import Page
from gui.features.layers.confusion import ConfusionTable
from gui.features.layers.measured import (
    LEVEL_NAMES,
    LayerMeasures,
    Line,
    explain_score,
    in_words,
    measure_all,
    tool_tip,
)
from gui.state.session import Session
from gui.widgets.controls import column_head, note_label, text_label
from gui.widgets.events import debounce
from gui.widgets.fitted_texts import WrappedLabel
from gui.widgets.jobs import Task
from gui.widgets.layouts import grid, lay_out
from gui.widgets.parts import Busy, ClickLabel, IconLabel, clear, small, tone
from gui.widgets.texts import plain
from gui.widgets.theme import scale_font

REST_MS = 150
"""Delay of the measures after the last change of marks."""

HEADS = ("P", "R", "F1")


@dataclass(frozen=True, eq=False)
class _MeasureQuestion:
    page: Page
    gold: Gold
    result: Result
    level: Level
    document: Document | None

    def is_like(self, other: "_MeasureQuestion") -> bool:
        """Return whether another question has the same answer; compares by identity only."""
        same = self.page is other.page and self.gold is other.gold and self.result is other.result
        return same and self.level == other.level

    def answer(self) -> LayerMeasures | None:
        return measure_all(self.page, self.gold, self.result, self.level, self.document)


class MeasuresSection(QWidget):
    """Section that unfolds into all measures of one layer."""

    measured = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._key = ""
        self._question: _MeasureQuestion | None = None  # subject of the requested numbers
        self._is_filled = False
        self._task = Task(self, in_line=True)
        self._rest = debounce(self, REST_MS, self._work)

        self.sign = IconLabel("next", self, size=12)
        self.switch = ClickLabel("All measures", self)
        self.switch.setToolTip("Every measure of this result, with its definition")
        self.switch.setFont(scale_font(self.font(), 0.95))
        self.switch.setContentsMargins(3, 2, 5, 2)
        tone(self.switch, "accent")
        self.switch.clicked.connect(self.toggle)
        self._what = small(QLabel("", self), 0.9)
        tone(self._what, "muted")
        self._busy = Busy(self, 12)
        self._busy.hide()
        parts = (self.sign, self.switch, self._what, None, self._busy)
        head = lay_out(QHBoxLayout(), *parts, spacing=4)

        body = self._body = QWidget(self)
        body.hide()
        self._trouble = text_label(body)
        self.table = MeasuresTable(body)
        self._types_head = _heading("Marked types (rows) as found (columns)", body)
        self.types = ConfusionTable(body)
        inner = (self._trouble, self.table, self._types_head, self.types)
        lay_out(QVBoxLayout(body), *inner, spacing=5)
        lay_out(QVBoxLayout(self), head, self._body, spacing=3)

    @property
    def is_open(self) -> bool:
        return not self._body.isHidden()

    @property
    def is_current(self) -> bool:
        """Whether the shown scores belong to the current result and marks."""
        return not self._task.is_busy and not self._rest.isActive()

    def toggle(self) -> None:
        """Fold or unfold."""
        self._body.setVisible(not self.is_open)
        self.sign.set_icon("down" if self.is_open else "next")
        self.switch.setAccessibleDescription("unfolded" if self.is_open else "folded")
        self._refresh()

    def show_layer(self, key: str) -> None:
        """Show the measures of a layer's result, of the levels it draws."""
        self._key = key
        self._refresh()

    def _refresh(self) -> None:
        layers, opened = self._session.layers, self._session.open
        outcome, page = layers.outcomes.get(self._key), opened.page
        result = outcome.result if outcome is not None else None
        if layers.seen_scores(self._key) is None or page is None or result is None:
            self.hide()
            self._stop()
            return
        self.show()
        is_blocks = isinstance(result, Segmentation)
        level = layers.layer(self._key).level if is_blocks else 0
        self._what.setText(LEVEL_NAMES[level] if is_blocks and self.is_open else "")
        if not self.is_open:
            self._stop()
            return
        question = _MeasureQuestion(page, opened.gold, result, level, opened.document)
        if self._question is not None and question.is_like(self._question):
            return
        self._stop()
        self._question = question
        self._busy.show()
        # The first request is answered at once.
        self._rest.start(REST_MS if self._is_filled else 0)

    def _stop(self) -> None:
        self._question = None
        self._rest.stop()
        self._task.cancel()
        self._busy.hide()

    def _work(self) -> None:
        if self._question is not None:
            self._task.start(self._question.answer, self._on_done, self._on_failed)

    def _on_done(self, measured: LayerMeasures | None) -> None:
        self._is_filled = True
        self._busy.hide()
        message = measured.why_none if measured else "Nothing is marked to compare with."
        self._trouble.setVisible(bool(message))
        self._trouble.setText(message)
        self.table.show_measured(measured)
        types = measured.types if measured is not None else {}
        self.types.show_counts(types)
        for part in (self._types_head, self.types):
            part.setVisible(bool(types))
        self.measured.emit()

    def _on_failed(self, error: Exception) -> None:
        self._busy.hide()
        self._trouble.setText(f"The measures could not be computed: {error}.")
        self._trouble.show()


class MeasuresTable(QWidget):
    """Groups of measures; a click on one unfolds its explanation."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = grid(self, spacing=(8, 0), wide=0)
        self._lines: list[Line] = []
        self._names: list[ClickLabel] = []
        self._cells: list[list[ClickLabel]] = []
        self._note = note_label(self)
        self._asked = -1

    @property
    def note(self) -> str:
        """Explanation of the requested measure; "" if none is requested."""
        return self._note.text() if not self._note.isHidden() else ""

    def name(self, key: str) -> ClickLabel:
        """Return the clickable name of a measure."""
        return self._names[self._index(key)]

    def values(self, key: str) -> tuple[str, str, str]:
        """Return precision, recall and value as shown."""
        precision, recall, value = self._cells[self._index(key)]
        return precision.text(), recall.text(), value.text()

    def _index(self, key: str) -> int:
        return [line.key for line in self._lines].index(key)

    def show_measured(self, measured: LayerMeasures | None) -> None:
        """Show numbers; rows are rebuilt only for other measures."""
        groups = measured.groups if measured is not None else ()
        lines = [line for _, rows in groups for line in rows]
        if [line.name for line in lines] != [line.name for line in self._lines]:
            self._build(groups)
        self._lines = lines
        for line, name, cells in zip(lines, self._names, self._cells, strict=True):
            numbers = (line.score.precision, line.score.recall)
            for cell, number in zip(cells, numbers, strict=False):
                cell.setText(f"{number:.3f}" if number is not None and line.has_parts else "")
            cells[2].setText(in_words(line))
            tone(cells[2], "muted" if line.score.value is None else "")
            name.setAccessibleName(f"{line.name}: {in_words(line)}")
            name.setToolTip(plain(tool_tip(line)))
        self._explain()

    def _build(self, groups: tuple[tuple[str, tuple[Line, ...]], ...]) -> None:
        clear(self._grid)
        self._names, self._cells, self._asked = [], [], -1
        self._note = note_label(self)
        row = 0
        for title, lines in groups:
            heads = HEADS if any(line.has_parts for line in lines) else ()
            self._grid.addWidget(_heading(title, self), row, 0, 1, 1 if heads else 4)
            for column, text in enumerate(heads, start=1):
                head = column_head(text, self)
                head.setContentsMargins(0, 0, 0, 2)
                self._grid.addWidget(head, row, column)
            row += 1
            for line in lines:
                self._row(line, row)
                row += 2  # the row below is for its explanation

    def _row(self, line: Line, index: int) -> None:
        name = ClickLabel(line.name, self)
        name.setFont(scale_font(self.font(), 0.95))
        name.setContentsMargins(2, 2, 5, 2)
        name.setWordWrap(True)  # in a narrow panel names shrink, numbers do not
        name.clicked.connect(partial(self._ask, len(self._names)))
        self._grid.addWidget(name, index, 0)
        cells = []
        for column in (1, 2, 3):
            cell = ClickLabel("", self)
            cell.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # on the name instead: one tab stop per row
            weight = QFont.Weight.DemiBold if column == 3 else None
            cell.setFont(scale_font(self.font(), 0.95, weight=weight))
            cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if column < 3:
                tone(cell, "muted")
            cell.clicked.connect(partial(self._ask, len(self._names)))
            self._grid.addWidget(cell, index, column)
            cells.append(cell)
        self._names.append(name)
        self._cells.append(cells)

    def _ask(self, index: int) -> None:
        self._asked = -1 if self._asked == index else index
        self._explain()

    def _explain(self) -> None:
        if not 0 <= self._asked < len(self._lines):
            self._note.hide()
            return
        self._note.setText(explain_score(self._lines[self._asked]))
        index = self._grid.indexOf(self._names[self._asked])
        row = self._grid.getItemPosition(index)[0]  # type: ignore[index]
        self._grid.removeWidget(self._note)
        self._grid.addWidget(self._note, row + 1, 0, 1, 4)
        self._note.show()


def _heading(text: str, parent: QWidget) -> QLabel:
    label = WrappedLabel(text, parent)
    label.setFont(scale_font(label.font(), 0.88, weight=QFont.Weight.DemiBold))
    label.setContentsMargins(2, 8, 0, 3)
    return label
