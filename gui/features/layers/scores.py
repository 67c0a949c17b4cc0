"""Table of all measures of one result."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from algorithms.core.attempt import ResultScores
from algorithms.results import Result
from gui.state.shown_scores import PARTS, ShownScore, reading, shown_scores
from gui.widgets.layouts import lay_out
from gui.widgets.parts import ClickLabel, clear, small, tone
from gui.widgets.theme import scaled
from gui.widgets.tips import plain


class ScoresTable(QWidget):
    """Rows of P, R, F1; a click on a number explains its source."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(0, 1)
        self._source = QLabel("", self)
        self._source.setObjectName("Note")
        self._source.setWordWrap(True)
        self._source.setContentsMargins(9, 6, 9, 7)
        self._source.setTextFormat(Qt.TextFormat.PlainText)
        self._source.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        small(self._source, 0.9)
        self._source.hide()
        self._asked: tuple[int, str] | None = None
        self._rows: list[ShownScore] = []
        self._cells: list[list[ClickLabel]] = []
        lay_out(QVBoxLayout(self), self._grid, self._source, spacing=6)

    @property
    def source(self) -> str:
        """Text on the source of a number; "" if none is requested."""
        return self._source.text()

    def cell(self, row: int, part: str) -> ClickLabel:
        """Return the number of a row."""
        return self._cells[row][PARTS.index(part)]

    def show_scores(self, scores: ResultScores | None, result: Result | None = None) -> None:
        """Show scores of a result, or none."""
        rows = list(shown_scores(scores, result)) if scores is not None else []
        if [row.name for row in rows] != [row.name for row in self._rows]:
            self._asked = None
            self._build(rows)
        self._rows = rows
        for index, shown in enumerate(rows):
            values = (shown.prf.precision, shown.prf.recall, shown.prf.f1)
            for part, value, label in zip(PARTS, values, self._cells[index], strict=True):
                label.setText(f"{value:.3f}")
                label.setToolTip(plain(reading(shown, part)))
                label.setAccessibleName(f"{shown.name}, {part}: {value:.3f}")
        self._explain()

    def _build(self, rows: list[ShownScore]) -> None:
        clear(self._grid)
        self._cells = []
        if not rows:
            return
        for column, text in enumerate(("Precision", "Recall", "F1"), start=1):
            head = small(QLabel(text, self), 0.82)
            head.setAlignment(Qt.AlignmentFlag.AlignRight)
            head.setContentsMargins(0, 0, 5, 0)
            tone(head, "muted")
            self._grid.addWidget(head, 0, column)
        line = 1
        for index, shown in enumerate(rows):
            is_inner = shown.measure.has_one_level
            text = f"    level {shown.measure.level}" if is_inner else shown.name
            label = small(QLabel(text, self), 1.0)
            label.setWordWrap(True)  # in a narrow panel names shrink, numbers do not
            label.setToolTip(plain(shown.measure.sentence))
            if is_inner:
                tone(label, "muted")
            self._grid.addWidget(label, line, 0)
            cells = []
            for column, part in enumerate(PARTS, start=1):
                cell = ClickLabel("", self)
                cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                cell.setContentsMargins(5, 2, 5, 2)
                weight = QFont.Weight.DemiBold if part == "F1" else None
                cell.setFont(scaled(self.font(), 1.0, weight=weight))
                cell.clicked.connect(partial(self._ask, index, part))
                self._grid.addWidget(cell, line, column)
                cells.append(cell)
            self._cells.append(cells)
            line += 1

    def _ask(self, row: int, part: str) -> None:
        self._asked = None if self._asked == (row, part) else (row, part)
        self._explain()

    def _explain(self) -> None:
        if self._asked is None or self._asked[0] >= len(self._rows):
            self._source.hide()
            self._source.setText("")
            return
        row, part = self._asked
        self._source.setText(reading(self._rows[row], part))
        self._source.show()
