"""Row of the Methods panel."""

import operator
from typing import Protocol

from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QDrag,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from algorithms.core.attempt import Outcome, OutcomeStatus
from algorithms.results import Extraction
from annotate.evaluation.tables.method_colors import COLORS, GOLD_COLORS
from annotate.marks.gold import MarkState
from engine.words import plural
from gui.core.action import Context
from gui.state.layers import DASHES, GOLD_LAYERS, LayerState
from gui.state.session import Session
from gui.state.shown_scores import headline, reading
from gui.widgets.controls import text_label
from gui.widgets.fitted_texts import WrappedLabel
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Busy, IconButton, IconLabel, Meter, small, tone
from gui.widgets.swatch import Swatch
from gui.widgets.texts import plain
from gui.widgets.theme import draw_rounded, scale_font, smooth_painter, theme_of

_ALONE = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
"""With one of these a click shows only a layer: window managers often use Alt."""

MIME = "application/x-pagelet-layer"

SCORE = 1.12
"""Size of the score, relative to the window's font."""

PICKED = (*COLORS, GOLD_COLORS[0], GOLD_COLORS[1])
"""Colours offered for a layer."""

INPUT_WORDS = {
    "original": "original HTML",
    "dom": "HTML of the DOM",
    "seen": "page as seen",
    "rendered": "rendered page",
}


class LayersHost(Protocol):
    def toggle_layer(self, key: str) -> None: ...

    def solo_layer(self, key: str) -> None:
        """Show only this layer, or all again."""

    def toggle_occurrence(self) -> None:
        """Show or hide how often blocks occur on the site's pages."""


class LayerRow(QFrame):
    """Row of a layer: swatch, name, score; facts and buttons while the mouse is over it."""

    def __init__(self, key: str, session: Session, host: LayersHost, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("LayerRow")
        self.key = key
        self._session, self._host = session, host
        self._pressed = QPoint()
        self._shown: tuple[object, ...] = ()  # shown state, and its scores and result
        self._shown_scores: tuple[object, ...] = ()
        layer = session.layers.layer(key)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(layer.title)
        self.setAccessibleDescription("a layer")

        self.swatch, layers = Swatch(layer.color, layer.dash, PICKED, DASHES, self), session.layers
        self.swatch.pressed.connect(self._on_swatch)
        self.swatch.color_picked.connect(lambda color: layers.change_layer(key, color=color))
        self.swatch.dash_picked.connect(lambda dash: layers.change_layer(key, dash=dash))
        self.name = WrappedLabel(layer.title, self)
        # Facts and buttons share their room: a name is not elided further on hover.
        self._room = QWidget(self)
        self.busy = Busy(self._room, 13)
        self.fact = small(QLabel("", self._room), 0.85)
        tone(self.fact, "muted")
        self.solo = IconButton("solo", "Only this layer", self._room, lambda: host.solo_layer(key))
        self.more = IconButton("more", "More", self._room, self._open_menu)
        self.precision, self.recall = small(QLabel("", self), 0.88), small(QLabel("", self), 0.88)
        self.details = self.precision, self.recall
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for label in self.details:
            label.setFont(scale_font(label.font(), 1.0))
            label.setAlignment(right)
            label.setFixedWidth(column_width(self, ".00", 0.88))
            tone(label, "muted")
        self.score = QLabel("", self)
        self.score.setFont(scale_font(self.font(), SCORE, weight=QFont.Weight.DemiBold))
        self.score.setAlignment(right)
        self.meter = Meter(f"F1 of {layer.title}", self)
        for part in (self.score, self.meter):
            part.setFixedWidth(column_width(self, "0.000", SCORE))
        self._note_line = QWidget(self)
        self.sign = IconLabel("warning", self._note_line, color="bad", size=14)
        self.note = text_label(self._note_line, color="", factor=0.88)

        for part in (self.precision, self.recall, self.score, self.meter):
            part.setVisible(not layer.is_gold)

        self._build()
        self.refresh()

    def _build(self) -> None:
        number = lay_out(QVBoxLayout(), self.score, self.meter, spacing=0)
        tools = (self.solo, self.more, self.busy, self.fact)
        lay_out(QHBoxLayout(self._room), None, *tools, spacing=0)
        buttons = self.solo.sizeHint().width() + self.more.sizeHint().width()
        fact = self.fact.fontMetrics().horizontalAdvance("00 marks ")
        self._room.setFixedWidth(max(buttons, fact))
        self._room.setMinimumHeight(self.solo.sizeHint().height())  # no row grows under the mouse
        line = lay_out(
            QHBoxLayout(), self.swatch, 3, (self.name, 1), self._room, self.precision,
            self.recall, 2, number, margins=(4, 1, 8, 1), spacing=4,
        )  # fmt: skip
        sign = (self.sign, 0, Qt.AlignmentFlag.AlignTop)
        note = QHBoxLayout(self._note_line)
        lay_out(note, sign, (self.note, 1), margins=(36, 0, 10, 5), spacing=6)
        lay_out(QVBoxLayout(self), line, self._note_line, spacing=0)

    # showing -------------------------------------------------------------------------------
    def refresh(self) -> None:
        layers = self._session.layers
        layer = layers.layer(self.key)
        is_drawn = layers.is_drawn(layer)
        self.swatch.set_drawn(is_drawn)
        self.swatch.set_style(layer.color, layer.dash)
        self.name.setText(layer.title)
        weight = QFont.Weight.DemiBold if layers.current_layer == self.key else None
        self.name.setFont(scale_font(self.font(), 1.0, weight=weight))
        tone(self.name, "" if is_drawn else "muted")
        self.solo.set_icon("solo", "accent" if layers.solo == self.key else "muted")
        self._show_tools()
        self.refresh_numbers()
        self.update()

    def _name_it(self) -> None:
        """Describe the row to readers: a layer, whether it is drawn, its score, whether current."""
        layers = self._session.layers
        is_drawn = layers.is_drawn(layers.layer(self.key))
        is_current = layers.current_layer == self.key
        score = f"F1 {self.score.text()}" if self.score.text() else self.fact.text()
        parts = ("drawn" if is_drawn else "not drawn", score, "current" if is_current else "")
        self.setAccessibleDescription(f"a layer, {', '.join(filter(None, parts))}")

    def refresh_numbers(self) -> None:
        """Show the method's progress and scores."""
        self._show_numbers()
        self._name_it()

    def _show_numbers(self) -> None:
        session = self._session
        layer = session.layers.layer(self.key)
        outcome = session.layers.outcomes.get(self.key, Outcome())
        scores = session.layers.seen_scores(self.key)
        fact, tip = _fact(session, layer, outcome)
        note, icon, color = _note(session, layer, outcome)
        state = (layer, outcome.status, fact, tip, note, icon, color)
        result = (scores, outcome.result)
        if state == self._shown and all(map(operator.is_, result, self._shown_scores)):
            return  # every mark and every run updates all rows
        self._shown, self._shown_scores = state, result
        self.fact.setText(fact)
        self.fact.setToolTip(plain(tip))
        self.busy.setVisible(outcome.status is OutcomeStatus.RUNNING)
        self.note.setText(note)
        tone(self.note, color)
        self.sign.set_icon(icon or "warning", color or "bad")
        self._note_line.setVisible(bool(note))
        self.meter.setVisible(scores is not None)
        labels = {"F1": self.score, "precision": self.precision, "recall": self.recall}
        if scores is None:
            for label in labels.values():
                label.setText("")
                label.setToolTip("")
                label.setAccessibleName("")
            return
        shown = headline(scores, layer.level, outcome.result)
        self.meter.set_share(shown.prf.f1, layer.color)
        values = (shown.prf.f1, shown.prf.precision, shown.prf.recall)
        for (which, label), value in zip(labels.items(), values, strict=True):
            label.setText(f"{value:.3f}" if which == "F1" else _two(value))
            label.setToolTip(plain(reading(shown, which)))
            label.setAccessibleName(f"{layer.title}: {which} {value:.3f}")

    def _show_tools(self) -> None:
        is_hot = self.underMouse() or self.hasFocus()
        self.solo.setVisible(is_hot or self._session.layers.solo == self.key)
        self.more.setVisible(is_hot)
        self.fact.setVisible(not is_hot)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        is_current = self._session.layers.current_layer == self.key
        painter = smooth_painter(self)
        box = QRectF(self.rect()).adjusted(0, 0.5, 0, -0.5)
        if is_current or self.underMouse():
            draw_rounded(painter, box, 7, fill=theme.chosen if is_current else theme.hover)
        if self.hasFocus():
            draw_rounded(painter, box.adjusted(0.5, 0.5, -0.5, -0.5), 7, theme.accent)

    # input ---------------------------------------------------------------------------------
    def _on_swatch(self) -> None:
        if QApplication.keyboardModifiers() & _ALONE:
            self._host.solo_layer(self.key)
        else:
            self._host.toggle_layer(self.key)

    def enterEvent(self, event: object) -> None:
        """Show the row's buttons, for the keyboard too."""
        self._show_tools()
        self.update()

    leaveEvent = focusInEvent = focusOutEvent = enterEvent

    def _pick(self) -> None:
        self._session.layers.show_layer_shortly(self.key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make the row current; with Ctrl or Alt show only its layer."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = event.position().toPoint()
        if event.modifiers() & _ALONE:
            self._host.solo_layer(self.key)
        else:
            self._pick()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a method's row to another place."""
        far = (event.position().toPoint() - self._pressed).manhattanLength()
        is_dragged = event.buttons() & Qt.MouseButton.LeftButton
        if self.key in GOLD_LAYERS or not is_dragged or far < QApplication.startDragDistance():
            return
        data = QMimeData()
        data.setData(MIME, self.key.encode())
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.setPixmap(self.grab())
        drag.setHotSpot(self._pressed)
        drag.exec(Qt.DropAction.MoveAction)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter makes the row current, Space shows or hides it, arrows move on."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pick()
        elif event.key() == Qt.Key.Key_Space:
            self._host.toggle_layer(self.key)
        elif event.key() == Qt.Key.Key_Down:
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def context_at(self, _at: QPoint | None) -> Context:
        """Make the row current, as offered actions apply to it."""
        self._pick()
        return Context.LAYER

    def _open_menu(self) -> None:
        at = self.more.geometry().bottomLeft()
        screen = self._room.mapToGlobal(at)
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, screen)
        QApplication.sendEvent(self, asked)


def column_width(widget: QWidget, text: str, factor: float) -> int:
    """Return the width of a column of numbers in a font relative to the widget's."""
    font = scale_font(widget.font(), factor, weight=QFont.Weight.DemiBold)
    return QFontMetrics(font).horizontalAdvance(text) + 3


def _two(value: float) -> str:
    return f"{value:.2f}".removeprefix("0") if value < 0.995 else "1.0"


def _fact(session: Session, layer: LayerState, outcome: Outcome) -> tuple[str, str]:
    """Return the short text beside a layer's name, and its tool tip."""
    if session.open.page is None:
        return "", ""
    if layer.is_gold:
        level = GOLD_LAYERS[layer.key]
        count = sum(mark.level == level for mark in session.open.gold.marks)
        if not count:
            return "none yet", f"Press {('M', '1', '2')[level]} and click an element of the page"
        return plural(count, "mark"), ""
    if outcome.status in (OutcomeStatus.OK, OutcomeStatus.EMPTY):
        took = time_of(outcome.seconds)
        return took, f"Ran in {took}, reading the {INPUT_WORDS[layer.source or 'dom']}"
    return ("waiting" if outcome.status is OutcomeStatus.WAITING else ""), ""


def _note(session: Session, layer: LayerState, outcome: Outcome) -> tuple[str, str, str]:
    """Return the line below a row that needs attention: text, icon, tone; "" if there is none."""
    if layer.is_gold:
        level = GOLD_LAYERS[layer.key]
        marks = session.open.gold.marks
        count = sum(m.level == level and m.state is not MarkState.EXACT for m in marks)
        text = f"{count} to be confirmed: see the outline"
        return (text, "moved", "warn") if count else _NONE
    if outcome.status is OutcomeStatus.FAILED:
        return outcome.error, "warning", "bad"
    if outcome.status is OutcomeStatus.EMPTY:
        if isinstance(outcome.result, Extraction) and outcome.result.no_content:
            return f"no main content: {outcome.result.no_content}", "empty", "muted"
        scores = session.layers.seen_scores(layer.key)
        if scores is not None and headline(scores, layer.level, outcome.result).prf.f1 == 1.0:
            return "found nothing, and nothing is marked that it should have", "empty", "good"
        return "found nothing on this page", "empty", "warn"
    if session.layers.seen_scores(layer.key) is not None and layer.key in session.layers.gold_seen:
        return "it has seen the gold of this page", "info", "muted"
    return _NONE


_NONE = ("", "", "")


def time_of(seconds: float) -> str:
    """Return a run time with its unit."""
    if seconds < 0.0095:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
