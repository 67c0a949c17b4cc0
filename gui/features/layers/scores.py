"""Scores as one reads them: a table of all measures, and where each number comes from."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from algorithms.attempt import ResultScores
from algorithms.measures.blocks import BlockScores
from algorithms.measures.catalogue import BLOCK_MEASURES, TEXT_MEASURES
from algorithms.measures.measure import Counted, Match, Measure, View
from algorithms.measures.prf import Prf
from algorithms.measures.text import TextScores
from algorithms.measures.text_words import prepared
from algorithms.results import Extraction, Result
from engine.words import sentence
from gui.widgets.parts import ClickLabel, clear, small, tone
from gui.widgets.theme import scaled
from gui.widgets.tips import plain

M = TypeVar("M", bound=Measure)

PARTS = ("precision", "recall", "F1")


@dataclass(frozen=True)
class ShownScore:
    """One score with all that is needed to explain it.

    Attributes:
        measure: What it is the score of.
        counts: Hits, retrieved, relevant; None where they are not known.
        prf: The three numbers.
    """

    measure: Measure
    counts: tuple[int, int, int] | None
    prf: Prf

    @property
    def name(self) -> str:
        """What a table calls it."""
        words = self.measure.in_words
        return sentence(words)


def shown_scores(scores: ResultScores, result: Result | None = None) -> Iterator[ShownScore]:
    """Return every score of a method, the main one first; ``result`` is what was scored."""
    if isinstance(scores, TextScores):
        for text in _main_first(TEXT_MEASURES):
            if text.counted is not None:
                yield _text(scores, text.counted, text, result)
        return
    for both in _main_first(BLOCK_MEASURES):
        for blocks in BLOCK_MEASURES:
            if blocks.base == both.base and blocks.match is not None:
                yield _block(scores, blocks.match, blocks)


def _main_first(measures: Iterable[M]) -> list[M]:
    """Return the measures that are told with their counts, each once whatever the level."""
    mine = (each for each in measures if each.is_shown(View.COUNTED) and not each.has_one_level)
    return sorted(mine, key=lambda each: not each.is_main)


def headline(scores: ResultScores, level: int = 0, result: Result | None = None) -> ShownScore:
    """Return the one score that stands for all: that of the main measure, on the levels drawn."""
    every = shown_scores(scores, result)
    return next(each for each in every if not level or each.measure.level in ("", str(level)))


def _text(
    scores: TextScores, counted: Counted, measure: Measure, result: Result | None
) -> ShownScore:
    prf = counted.prf(scores)
    if not isinstance(result, Extraction):
        return ShownScore(measure, None, prf)
    return ShownScore(measure, _counts(prf, counted.size(prepared(result))), prf)


def _counts(prf: Prf, retrieved: int) -> tuple[int, int, int] | None:
    """Return the counts behind P = hits / retrieved and R = hits / relevant.

    Without a hit recall does not tell how much is relevant; then they are not known.
    """
    hits = round(prf.precision * retrieved)
    if not hits or not prf.recall:
        return None
    return hits, retrieved, round(hits / prf.recall)


def _block(scores: BlockScores, match: Match, measure: Measure) -> ShownScore:
    score = match(scores)[measure.level]
    return ShownScore(measure, (len(score.hits), score.retrieved, score.relevant), score.prf)


def reading(shown: ShownScore, which: str) -> str:
    """Return where a number comes from: its definition and the counts behind it.

    ``which`` is one of `PARTS`, or anything else for precision and recall together.
    """
    measure = shown.measure
    precision = f"precision {shown.prf.precision:.3f} = hits / found"
    recall = f"recall {shown.prf.recall:.3f} = hits / marked"
    if shown.counts is not None:
        hits, retrieved, relevant = shown.counts
        precision += f" = {hits:,} of {retrieved:,} {measure.items}"
        recall += f" = {hits:,} of {relevant:,} {measure.items}"
    f1 = f"F1 {shown.prf.f1:.3f} = 2PR / (P + R)"
    lines = {"precision": [precision], "recall": [recall], "F1": [f1, precision, recall]}
    text = "\n".join(lines.get(which, [precision, recall]))
    return (
        f"{shown.name}\n{text}\nHits: {measure.hit}.\n{measure.corners}\nSource: {measure.source}."
    )


class ScoresTable(QWidget):
    """Rows of P, R, F1; a click on a number says where it comes from."""

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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(self._grid)
        layout.addWidget(self._source)

    @property
    def source(self) -> str:
        """What was last said about where a number comes from; "" if nothing is asked."""
        return self._source.text()

    def cell(self, row: int, part: str) -> ClickLabel:
        """Return the number of a row."""
        return self._cells[row][PARTS.index(part)]

    def show_scores(self, scores: ResultScores | None, result: Result | None = None) -> None:
        """Show scores of a result; None for none."""
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
            label.setWordWrap(True)  # in a narrow panel names give way, numbers do not
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
