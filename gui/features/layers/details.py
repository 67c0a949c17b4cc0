"""Details panel: the current layer's style, scores, input and parameters."""

from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from algorithms.core.attempt import Outcome, OutcomeStatus, ResultScores
from algorithms.core.catalogue import method
from algorithms.levels import Level
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Result
from annotate.marks.gold import MarkState
from engine.words import sentence
from gui.features.freezing.feature import CertificatePart
from gui.features.layers.layer_row import time_of
from gui.features.layers.measures_section import MeasuresSection
from gui.features.layers.params import ParamsForm
from gui.features.layers.rounds import RoundsSection
from gui.state.layers import GOLD_LAYERS
from gui.state.session import Session
from gui.state.shown_scores import PARTS, ShownScore, reading, shown_scores
from gui.state.undo import set_params
from gui.widgets.controls import column_head, note_label, push_button, text_label
from gui.widgets.layouts import ColumnArea, grid, lay_out
from gui.widgets.parts import ClickLabel, Fold, PanelDock, Segments, ValueSlider, clear, small
from gui.widgets.texts import plain
from gui.widgets.theme import scale_font


class StylePart(QWidget):
    """Opacity and levels of one layer."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._key = session, session.layers.current_layer
        self.opacity = ValueSlider(10, 100, " %", "Opacity", self)
        self.opacity.slider.setToolTip("Opacity")
        self.opacity.changed.connect(
            lambda value: session.layers.change_layer(self._key, opacity=value / 100)
        )
        self.level = Segments(
            [(0, "1 + 2", "Both levels"), (1, "1", "Level 1 only"), (2, "2", "Level 2 only")], self
        )
        self.level.picked.connect(lambda level: session.layers.change_layer(self._key, level=level))
        lay_out(QHBoxLayout(self), (self.opacity, 1), self.level, spacing=10)

    def show_layer(self, key: str) -> None:
        """Show the style of a layer."""
        layer = self._session.layers.layer(key)
        self._key = key
        self.opacity.set_value(round(layer.opacity * 100))
        self.level.set_value(layer.level)
        self.level.setVisible(not layer.is_gold and method(key).output == "segmentation")


class ScoresTable(QWidget):
    """Rows of P, R, F1; a click on a number explains its source."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = grid(spacing=(4, 1), wide=0)
        self._source = note_label(self)
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
            head = column_head(text, self)
            head.setContentsMargins(0, 0, 5, 0)
            self._grid.addWidget(head, 0, column)
        for index, shown in enumerate(rows):
            is_inner = shown.measure.has_one_level
            text = f"    level {shown.measure.level}" if is_inner else shown.name
            # In a narrow panel names shrink, numbers do not.
            label = text_label(self, text, "muted" if is_inner else "", 1.0)
            label.setToolTip(plain(shown.measure.sentence))
            self._grid.addWidget(label, index + 1, 0)
            cells = []
            for column, part in enumerate(PARTS, start=1):
                cell = ClickLabel("", self)
                cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                cell.setContentsMargins(5, 2, 5, 2)
                weight = QFont.Weight.DemiBold if part == "F1" else None
                cell.setFont(scale_font(self.font(), 1.0, weight=weight))
                cell.clicked.connect(partial(self._ask, index, part))
                self._grid.addWidget(cell, index + 1, column)
                cells.append(cell)
            self._cells.append(cells)

    def _ask(self, row: int, part: str) -> None:
        self._asked = None if self._asked == (row, part) else (row, part)
        self._explain()

    def _explain(self) -> None:
        row, part = self._asked or (len(self._rows), "")
        is_asked = row < len(self._rows)
        self._source.setText(reading(self._rows[row], part) if is_asked else "")
        self._source.setVisible(is_asked)


INPUT_NAMES = {
    "original": ("Original", "The HTML as the server sent it"),
    "dom": ("DOM", "The HTML of the DOM after the page's scripts have run"),
    "seen": ("Seen", "The DOM as it is laid out, without hidden parts"),
    "rendered": ("Rendered", "The page as the browser lays it out"),
}
"""Inputs of a method: short name and tool tip."""

HINTS = {
    0: "Press M, then click an element to add it or take it out; drag over text for a part of it.",
    1: "Press 1, then click an element. Wheel with Alt, or [ and ], narrows and widens the frame.",
    2: "Press 2, then click an element. A letter gives the block its type: see the Type menu.",
}
"""How to mark, in one line, by level."""


class DetailsDock(PanelDock):
    """Details of the current layer."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Details", "DetailsDock", parent)
        self._session = session
        inner = QWidget(self)
        self._summary = text_label(inner)
        self._trouble = text_label(inner, color="bad")
        self._trouble.setObjectName("Note")
        self._trouble.setContentsMargins(9, 6, 9, 7)
        self.certificate = CertificatePart(session, inner)
        self.style_part = StylePart(session, inner)
        self._scores_head = _heading("Scores", inner)
        self.scores = ScoresTable(inner)
        self._no_scores = text_label(inner)
        self.measures = MeasuresSection(session, inner)
        self.rounds = RoundsSection(session, inner)
        self._input_head = _heading("Reads", inner)
        self._inputs: Segments | None = None
        self._input_slot = QVBoxLayout()
        self._params_line = Fold(inner)
        self._params_head = _heading("Parameters", inner)
        self.reset = push_button(
            "Reset", inner, self._on_reset, "Back to the defaults", look="link"
        )
        self.form = ParamsForm(inner)
        self._cite = text_label(inner)

        # Parameters are above their effect: the score is in the layer's row, too.
        head = lay_out(QHBoxLayout(), (self._params_head, 1), self.reset)
        lay_out(
            QVBoxLayout(inner), self.certificate, self._summary, self.style_part, self._trouble,
            self._input_head, self._input_slot, head, self.form, self._params_line, self.rounds,
            self._scores_head, self.scores, self._no_scores, self.measures, self._cite, None,
            margins=(14, 3, 14, 14), spacing=7,
        )  # fmt: skip
        self._area = ColumnArea(inner, self)
        self.body.addWidget(self._area, 1)

        self._shown_key = ""
        self._asked_by_key = False  # for all measures
        self.measures.measured.connect(self._on_measured)
        self.form.changed.connect(self._on_params)
        opened, layers = session.open, session.layers
        layers.layers_changed.connect(self._refresh)
        layers.outcome_changed.connect(self._on_outcome)
        for signal in (
            layers.scores_changed, opened.gold_changed, opened.page_changed, opened.document_changed
        ):  # fmt: skip
            signal.connect(self._refresh_numbers)
        self._refresh()

    @property
    def no_scores(self) -> str:
        """Reason for missing scores; "" where there are some."""
        return self._no_scores.text() if not self._no_scores.isHidden() else ""

    @property
    def trouble(self) -> str:
        """Error of the method; "" if there is none."""
        return self._trouble.text() if not self._trouble.isHidden() else ""

    def inputs(self) -> Segments | None:
        """Return the switch of the method's input; None without a choice."""
        return self._inputs

    def toggle_measures(self) -> None:
        """Unfold or fold all measures of the current layer; explain if there are none."""
        self.show()
        self.raise_()
        if self.measures.isHidden():
            self._session.messages.say(self._no_scores.text().partition("\n")[0])
            return
        self.measures.toggle()
        self._asked_by_key = self.measures.is_open

    def step(self, by: int) -> None:
        """Go to the next or previous step of the current layer's rounds, if it has any."""
        if self.rounds.isHidden():
            name = self._session.layers.layer(self._key()).name
            self._session.messages.say(f"{name} has no rounds to show; choose VIPS in the layers.")
            return
        self.rounds.step(by)
        self.raise_()
        # By key, no button is under the mouse: the text may take its place.
        QTimer.singleShot(0, partial(self._scroll_to, self.rounds))

    def _on_measured(self) -> None:
        if self._asked_by_key:
            self._asked_by_key = False
            QTimer.singleShot(0, partial(self._scroll_to, self.measures))

    def _scroll_to(self, part: QWidget) -> None:
        """Scroll a part of the panel into view: all of it, or its beginning."""
        # Otherwise a part that has just become longer may be taken for as long as it was.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        bar, top = self._area.verticalScrollBar(), part.y()
        bottom = top + part.height()
        if top < bar.value() or bottom > bar.value() + self._area.viewport().height():
            bar.setValue(top)

    def _key(self) -> str:
        layers = self._session.layers
        keys = [layer.key for layer in layers.all]
        return layers.current_layer if layers.current_layer in keys else keys[0]

    def _refresh(self) -> None:
        key = self._key()
        layer = self._session.layers.layer(key)
        if key != self._shown_key:
            self._shown_key = key
            self._build(key)
        self.set_remark(layer.title)
        self.style_part.show_layer(key)
        if layer.params is not None:
            self.form.show_params(layer.params)
            self.reset.setVisible(layer.params != type(layer.params)())
        if self._inputs is not None:
            self._inputs.set_value(layer.source)
        self._refresh_numbers()

    def _build(self, key: str) -> None:
        entry: Method | None = None if key in GOLD_LAYERS else method(key)
        if self._inputs is not None:
            self._inputs.hide()
            self._inputs.deleteLater()
            self._inputs = None
        if entry is None:
            self._summary.setText(HINTS[GOLD_LAYERS[key]])
            self._cite.setText("")
        else:
            self._summary.setText(entry.summary)
            self._cite.setText(f"After {entry.cite}" if entry.cite else "")
            if len(entry.inputs) > 1:
                choices = [(name, *INPUT_NAMES[name]) for name in entry.inputs]
                self._inputs = Segments(choices, self)
                self._inputs.picked.connect(partial(self._on_input, key))
                self._input_slot.addWidget(self._inputs)
        has_params = entry is not None and bool(entry.params.specs())
        self._summary.setVisible(bool(self._summary.text()))
        self._input_head.setVisible(self._inputs is not None)
        for part in (self._params_line, self._params_head, self.form):
            part.setVisible(has_params)
        self.reset.setVisible(False)
        self._cite.setVisible(bool(self._cite.text()))

    def _refresh_numbers(self) -> None:
        session, key = self._session, self._key()
        scores = session.layers.seen_scores(key)
        outcome = session.layers.outcomes.get(key, Outcome())
        failed = outcome.status is OutcomeStatus.FAILED
        self._trouble.setText(sentence(outcome.error) if failed else "")
        self._trouble.setVisible(failed)
        self._scores_head.setVisible(key not in GOLD_LAYERS)
        self.scores.setVisible(scores is not None)
        self.scores.show_scores(scores, outcome.result)
        self.measures.show_layer(key)
        self.rounds.show_layer(key)
        reason = "" if scores is not None else self._why_no_scores(key, outcome)
        self._no_scores.setText(reason)
        self._no_scores.setVisible(bool(reason))
        text = "Scores"
        if outcome.status in (OutcomeStatus.OK, OutcomeStatus.EMPTY):
            text += f" · ran in {time_of(outcome.seconds)}"
            # Another program's text is found again word by word.
            if unmapped := getattr(outcome.result, "unmapped", 0):
                text += f" · {unmapped:,} of its words are not on the page"
        if scores is not None and key in session.layers.gold_seen:
            text += " · it has seen the gold of this page"
        self._scores_head.setText(text)

    def _why_no_scores(self, key: str, outcome: Outcome) -> str:
        session = self._session
        if key in GOLD_LAYERS:
            return self._gold_words(GOLD_LAYERS[key])
        if session.layers.is_gold_only and key in session.layers.scores:
            return "Scores are hidden while only gold is drawn: Shift+G shows them."
        if session.open.page is None:
            return "Scores appear when a page is open."
        if outcome.status is OutcomeStatus.FAILED:
            return "A method that failed has no scores."
        if outcome.status in (OutcomeStatus.WAITING, OutcomeStatus.RUNNING):
            return "Scores appear when the method has run."
        if method(key).output == "extraction":
            return "Mark main content (M) to score this method."
        return "Mark blocks (1, 2) to score this method."

    def _gold_words(self, level: Level) -> str:
        marks = [mark for mark in self._session.open.gold.marks if mark.level == level]
        if not marks:
            return "Nothing is marked yet." if self._session.open.page else ""
        lines = [f"{len(marks)} marked"]
        counted = (
            (MarkState.DRAFT, "unconfirmed"),
            (MarkState.MOVED, "moved or changed"),
            (MarkState.LOST, "no longer found"),
        )
        for state, words in counted:
            if count := sum(mark.state is state for mark in marks):
                lines.append(f"{count} {words}: see the outline")
        return "\n".join(lines)

    def _on_outcome(self, key: str) -> None:
        if key == self._key():
            self._refresh_numbers()

    def _on_params(self, params: Params) -> None:
        if QApplication.mouseButtons() & Qt.MouseButton.LeftButton:  # a slider on its way
            self._session.layers.drag_params(self._shown_key, params)
        else:
            set_params(self._session, self._shown_key, params, joins=True)

    def _on_reset(self) -> None:
        params = self._session.layers.layer(self._shown_key).params
        if params is not None:
            set_params(self._session, self._shown_key, type(params)())

    def _on_input(self, key: str, source: object) -> None:
        self._session.layers.change_layer(key, source=source)


def _heading(text: str, parent: QWidget) -> QLabel:
    label = small(QLabel(text, parent), 0.92, QFont.Weight.DemiBold)
    label.setContentsMargins(0, 4, 0, 0)
    return label
