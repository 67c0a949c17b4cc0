"""Rounds of a method that works in rounds, stage by stage, in words."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from algorithms.results import Segmentation
from engine.words import plural
from gui.state.round_steps import SEPARATOR_COLOR, RoundStep, Stage, separator_fill, steps_of
from gui.state.session import Session
from gui.widgets.layouts import grid, lay_out
from gui.widgets.parts import clear, small, tone
from gui.widgets.theme import scale_font, smooth_painter
from gui.widgets.walked_list import WalkBar

MOST_LISTED = 40
"""Largest number of listed items, of separators the heaviest: nobody reads more."""

COHERENCE = "DoC: degree of coherence, 1 to 10"


class RoundsSection(QWidget):
    """Steps through the rounds of the current layer's method; the page shows the chosen step."""

    reached = Signal(int)  # a row of the current step

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._key = ""
        self._steps: tuple[RoundStep, ...] = ()
        self._shown: object = None

        self._title = QLabel("Rounds", self)
        self._title.setFont(scale_font(self.font(), 0.92, weight=QFont.Weight.DemiBold))
        self.bar = WalkBar("Back  (Alt+Left)", "On  (Alt+Right)", self)
        self.bar.stepped.connect(self.step)
        widest = "round 10 of 10: separators"
        self.bar.status.setMinimumWidth(self.fontMetrics().horizontalAdvance(widest) + 6)
        head = lay_out(QHBoxLayout(), self._title, (self.bar, 1), spacing=10)

        self._body = QWidget(self)
        self._legend = grid(spacing=(8, 3), wide=1, margins=(2, 0, 0, 0))
        self._list = grid(spacing=(8, 2), wide=1, margins=(2, 4, 0, 0))
        lay_out(QVBoxLayout(self._body), self._legend, self._list, spacing=4)
        lay_out(QVBoxLayout(self), head, self._body, spacing=4)

    def show_layer(self, key: str) -> None:
        """Show the rounds of a layer's method, if it works in rounds."""
        session = self._session
        self._key = key
        outcome = session.layers.outcomes.get(key)
        result = outcome.result if outcome is not None else None
        self._steps = steps_of(result.rounds) if isinstance(result, Segmentation) else ()
        self.setVisible(bool(self._steps))
        if not self._steps:
            return
        index = self._index()
        step = self._steps[index - 1] if index else None
        where = _where(step, self._steps[-1].number)
        self.bar.show_position(where, can_walk=(index > 0, index < len(self._steps)))
        self._body.setVisible(step is not None)
        showing = (step, session.layers.layer(key).color)
        if showing != self._shown:
            self._shown = showing
            self._fill(*showing)

    def step(self, by: int) -> None:
        """Go some steps forward or back; before the first is the result."""
        if not self._steps:
            return
        index = self._index()
        goal = min(max(index + by, 0), len(self._steps))
        if goal != index:
            self._session.layers.change_layer(self._key, step=goal, visible=True)
            if goal:
                self.reached.emit(self._steps[goal - 1].shown.divided[0].rows[0])

    def _index(self) -> int:
        return min(self._session.layers.layer(self._key).step, len(self._steps))

    def lines(self) -> list[str]:
        """Return the texts of the round line by line, from top to bottom."""
        grids = (self._legend, self._list)
        items = (grid.itemAt(index) for grid in grids for index in range(grid.count()))
        result = (item.widget() for item in items if item is not None)
        return [label.text() for label in result if isinstance(label, QLabel)]

    def _fill(self, step: RoundStep | None, color: str) -> None:
        clear(self._legend)
        clear(self._list)
        if step is None:
            return
        shown = step.shown
        blocks = plural(len(shown.found), "block")
        parts = shown.merged if step.stage is Stage.MERGED else shown.found
        lines = [(each.label, each.reason) for each in parts]
        if step.stage is Stage.BLOCKS:
            divided = plural(len(shown.divided), "block")
            signs = [("divided", f"{divided} divided"), ("found", f"{blocks} found in it")]
        elif step.stage is Stage.MERGED:
            merged = plural(len(shown.merged), "block")
            signs = [("found", f"{blocks}, of which"), ("merged", f"{merged} merged")]
        else:
            separators = sorted(shown.separators, key=lambda each: -each.weight)
            lines = [(str(each.weight), each.reason) for each in separators]
            count = plural(len(separators), "separator")
            signs = [
                ("found", f"{blocks}, and between them"),
                ("separator", f"{count}, the heavier the darker"),
            ]
        for index, (kind, words) in enumerate(signs):
            self._legend.addWidget(_Sign(kind, color, self._body), index, 0)
            self._legend.addWidget(self._text(words), index, 1)
        if step.stage is not Stage.SEPARATORS:
            self._legend.addWidget(self._text(COHERENCE, "muted"), len(signs), 0, 1, 2)
        for index, (label, reason) in enumerate(lines[:MOST_LISTED]):
            name = self._text(label)
            name.setFont(scale_font(name.font(), 1.0, weight=QFont.Weight.DemiBold))
            name.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            because = self._text(_without(reason, label), "muted")
            because.setWordWrap(True)  # a truncated reason is useless
            self._list.addWidget(name, index, 0)
            self._list.addWidget(because, index, 1)
        if len(lines) > MOST_LISTED:
            more = self._text(f"and {len(lines) - MOST_LISTED} more", "muted")
            self._list.addWidget(more, MOST_LISTED, 1)

    def _text(self, text: str, name: str = "") -> QLabel:
        label = small(QLabel(text, self._body), 0.92)
        tone(label, name)
        return label


class _Sign(QWidget):
    """Small sample of how the page shows one kind."""

    def __init__(self, kind: str, color: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._kind, self._color = kind, color
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(24, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        box = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        if self._kind == "separator":
            for index, weight in enumerate((2, 6, 10)):
                color = QColor(SEPARATOR_COLOR)
                color.setAlphaF(separator_fill(weight))
                strip = QRectF(1 + 8 * index, 4, 6, 6)
                painter.fillRect(strip, QColor("#ffffff"))  # as on a page: most are light
                painter.fillRect(strip, color)
            return
        painter.fillRect(box, QColor("#ffffff"))
        if self._kind == "divided":
            painter.setPen(QPen(QColor(self._color), 1))
            painter.drawRect(box)
            painter.drawRect(box.adjusted(2, 2, -2, -2))
            return
        pen = QPen(QColor(self._color), 1.6 if self._kind == "found" else 2.4)
        if self._kind == "found":
            pen.setStyle(Qt.PenStyle.DotLine)
        painter.setPen(pen)
        painter.drawRoundedRect(box, 2, 2)


def _where(step: RoundStep | None, last: int) -> str:
    return "the result" if step is None else f"round {step.number} of {last}: {step.stage}"


def _without(reason: str, label: str) -> str:
    """Return a reason without a label repeated at its end."""
    return reason.removesuffix(f" ({label})")
