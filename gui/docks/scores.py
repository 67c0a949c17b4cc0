"""Scores as one reads them: a table of all measures, and where each number comes from."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from algorithms.evaluation import Scores
from algorithms.measures.blocks import BlockScore, BlockScores
from algorithms.measures.definitions import definition_of
from algorithms.measures.prf import Prf
from algorithms.measures.text import TextScores, prepared
from algorithms.results import Extraction, Result
from gui.theme import scaled
from gui.widgets import ClickLabel, clear, small, tone

PARTS = ("precision", "recall", "F1")

TEXT_MEASURES = {
    "ws": ("Words", "words", "words in the same order (their longest common subsequence)"),
    "cs": (
        "Characters",
        "characters",
        "characters in the same order (their longest common subsequence)",
    ),
    "bow": ("Bag of words", "words", "words in any order, each as often as it stands in both"),
    "sow": ("Set of words", "different words", "different words that stand in both"),
}
"""Gottron's measures (thesis, 2.2.4): name, what is counted, when it counts as hit."""

BLOCK_MEASURES = {
    "fuzzy": ("Fuzzy", "blocks whose texts are more than 80 % alike"),
    "exact": ("Exact", "blocks whose texts are equal but for white space"),
}
"""Kreuzer's measures (thesis, 5.3)."""

LEVEL_NAMES = {"all": "both levels", "1": "level 1", "2": "level 2"}


@dataclass(frozen=True)
class Shown:
    """One score with all that is needed to explain it.

    Attributes:
        name: The measure, as a table calls it.
        items: What is counted.
        rule: What counts as a hit.
        counts: Hits, retrieved, relevant; None where they are not known.
        prf: The three numbers.
        key: Of the measure.
    """

    name: str
    items: str
    rule: str
    counts: tuple[int, int, int] | None
    prf: Prf
    key: str


def shown_scores(scores: Scores, result: Result | None = None) -> Iterator[Shown]:
    """Return every score of a method, the most telling first; ``result`` is what was scored."""
    if isinstance(scores, TextScores):
        for key in TEXT_MEASURES:
            yield _text(scores, key, result)
        return
    for key in BLOCK_MEASURES:
        for level in LEVEL_NAMES:
            yield _block(scores, key, level)


def headline(scores: Scores, level: int = 0, result: Result | None = None) -> Shown:
    """Return the one score that stands for all: words, or the fuzzy match of the levels drawn."""
    if isinstance(scores, TextScores):
        return _text(scores, "ws", result)
    return _block(scores, "fuzzy", str(level) if level else "all")


def _text(scores: TextScores, key: str, result: Result | None) -> Shown:
    name, items, rule = TEXT_MEASURES[key]
    prf: Prf = getattr(scores, key)
    counts = None
    if isinstance(result, Extraction):
        words = prepared(result)
        sizes = {"cs": len(words.text), "sow": len(words.counts)}
        counts = _counts(prf, sizes.get(key, len(words.words)))
    return Shown(name, items, rule, counts, prf, key)


def _counts(prf: Prf, retrieved: int) -> tuple[int, int, int] | None:
    """Return the counts behind P = hits / retrieved and R = hits / relevant.

    Without a hit recall does not tell how much is relevant; then they are not known.
    """
    hits = round(prf.precision * retrieved)
    if not hits or not prf.recall:
        return None
    return hits, retrieved, round(hits / prf.recall)


def _block(scores: BlockScores, key: str, level: str) -> Shown:
    score: BlockScore = getattr(scores, key)[level]
    name, rule = BLOCK_MEASURES[key]
    counts = len(score.hits), score.retrieved, score.relevant
    full_name = f"{name}, {LEVEL_NAMES[level]}"
    return Shown(full_name, "different block texts", rule, counts, score.prf, key)


def reading(shown: Shown, which: str) -> str:
    """Return where a number comes from: its definition and the counts behind it.

    ``which`` is one of `PARTS`, or anything else for precision and recall together.
    """
    precision = f"precision {shown.prf.precision:.3f} = hits / found"
    recall = f"recall {shown.prf.recall:.3f} = hits / marked"
    if shown.counts is not None:
        hits, retrieved, relevant = shown.counts
        precision += f" = {hits:,} of {retrieved:,} {shown.items}"
        recall += f" = {hits:,} of {relevant:,} {shown.items}"
    f1 = f"F1 {shown.prf.f1:.3f} = 2PR / (P + R)"
    lines = {"precision": [precision], "recall": [recall], "F1": [f1, precision, recall]}
    text = "\n".join(lines.get(which, [precision, recall]))
    found = definition_of(shown.key)
    return f"{shown.name}\n{text}\nA hit: {shown.rule}.\n{found.corners}\nSource: {found.source}."


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
        self._rows: list[Shown] = []
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

    def show_scores(self, scores: Scores | None, result: Result | None = None) -> None:
        """Show scores of a result; None for none."""
        rows = list(shown_scores(scores, result)) if scores is not None else []
        if [row.name for row in rows] != [row.name for row in self._rows]:
            self._asked = None
            self._build(rows)
        self._rows = rows
        for place, shown in enumerate(rows):
            values = (shown.prf.precision, shown.prf.recall, shown.prf.f1)
            for part, value, label in zip(PARTS, values, self._cells[place], strict=True):
                label.setText(f"{value:.3f}")
                label.setToolTip(reading(shown, part))
                label.setAccessibleName(f"{shown.name}, {part}: {value:.3f}")
        self._explain()

    def _build(self, rows: list[Shown]) -> None:
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
        for place, shown in enumerate(rows):
            name, _, level = shown.name.partition(", ")
            if level == "both levels":
                text = name
            elif level:
                text = f"    {level}"
            else:
                text = name
            label = QLabel(text, self)
            if level and level != "both levels":
                tone(label, "muted")
            self._grid.addWidget(label, line, 0)
            cells = []
            for column, part in enumerate(PARTS, start=1):
                cell = ClickLabel("", self)
                cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                cell.setContentsMargins(5, 2, 5, 2)
                weight = QFont.Weight.DemiBold if part == "F1" else None
                cell.setFont(scaled(self.font(), 1.0, weight=weight))
                cell.clicked.connect(partial(self._ask, place, part))
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
