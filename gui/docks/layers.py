"""The Layers panel: what is drawn on the page, how it looks, and how good it is."""

from functools import partial
from typing import Protocol

from algorithms.catalogue import METHODS, method
from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDrag,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QEnterEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from algorithms.evaluation import Outcome, Status
from annotate.gold import State
from gui.docks.scores import headline, reading
from gui.layers import COLORS, DASHES, GOLD_LAYERS, LayerState
from gui.session import Session
from gui.theme import scaled, theme_of
from gui.widgets import (
    Busy,
    ElidedLabel,
    Fold,
    IconButton,
    IconLabel,
    Meter,
    PanelDock,
    Segments,
    Swatch,
    ValueSlider,
    small,
    tone,
)

MIME = "application/x-pagelet-layer"


class LayersHost(Protocol):
    """Who acts on layers."""

    def toggle_layer(self, key: str) -> None:
        """Show or hide a layer."""

    def solo_layer(self, key: str) -> None:
        """Draw only this layer, or all again."""

    def copy_extract(self, key: str) -> None:
        """Put the text a layer takes on the clipboard."""

    def run_again(self) -> None:
        """Run all methods again."""


class LayerRow(QFrame):
    """One layer: eye, colour, name, what it says of itself, score."""

    picked = Signal(str)
    toggled = Signal(str)
    soloed = Signal(str)

    def __init__(self, key: str, session: Session, host: LayersHost, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("LayerRow")
        self.key = key
        self._session, self._host = session, host
        self._pressed = QPoint()
        layer = session.layer(key)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(layer.name)

        self.eye = IconButton("eye", "Show or hide  (Alt-click: only this one)", self)
        self.eye.clicked.connect(self._on_eye)
        self.swatch = Swatch(layer.color, layer.dash, _colors(layer), DASHES, self)
        self.swatch.color_picked.connect(lambda color: session.change_layer(key, color=color))
        self.swatch.dash_picked.connect(lambda dash: session.change_layer(key, dash=dash))
        self.name = ElidedLabel(layer.name, self)
        self.note = ElidedLabel("", self)
        small(self.note, 0.85)
        self.busy = Busy(self, 13)
        self.sign = IconLabel("warning", self, ink="bad", size=14)
        self.solo = IconButton("solo", "Only this layer", self)
        self.solo.clicked.connect(lambda: self.soloed.emit(self.key))
        self.more = IconButton("more", "More", self)
        self.more.clicked.connect(self._open_menu)
        for button in (self.solo, self.more):
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(False)
            button.setSizePolicy(policy)

        self.score = QLabel("", self)
        self.score.setFont(scaled(self.font(), 1.22, weight=QFont.Weight.DemiBold))
        self.score.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.parts = small(QLabel("", self), 0.8)
        self.parts.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.parts.setTextFormat(Qt.TextFormat.PlainText)
        tone(self.parts, "muted")
        self.meter = Meter(self)
        digits = self.score.fontMetrics().horizontalAdvance("0.000")
        self.meter.setFixedWidth(digits)

        self._build()
        self.refresh()

    def _build(self) -> None:
        note = QHBoxLayout()
        note.setContentsMargins(0, 0, 0, 0)
        note.setSpacing(4)
        note.addWidget(self.busy)
        note.addWidget(self.sign)
        note.addWidget(self.note, 1)
        words = QVBoxLayout()
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(0)
        words.addWidget(self.name)
        words.addLayout(note)
        number = QVBoxLayout()
        number.setContentsMargins(0, 0, 0, 0)
        number.setSpacing(1)
        number.addWidget(self.score)
        number.addWidget(self.meter, 0, Qt.AlignmentFlag.AlignRight)
        line = QHBoxLayout()
        line.setContentsMargins(4, 4, 8, 4)
        line.setSpacing(4)
        line.addWidget(self.eye)
        line.addWidget(self.swatch)
        line.addSpacing(4)
        line.addLayout(words, 1)
        line.addWidget(self.solo)
        line.addWidget(self.more)
        line.addWidget(self.parts)
        line.addSpacing(2)
        line.addLayout(number)

        self.details = QWidget(self)
        self.opacity = ValueSlider(10, 100, " %", "Opacity", self.details)
        self.opacity.slider.setToolTip("Opacity")
        self.opacity.changed.connect(
            lambda value: self._session.change_layer(self.key, opacity=value / 100)
        )
        self.level = Segments(
            [(0, "1 + 2", "Both levels"), (1, "1", "Level 1 only"), (2, "2", "Level 2 only")],
            self.details,
        )
        self.level.picked.connect(lambda level: self._session.change_layer(self.key, level=level))
        inner = QHBoxLayout(self.details)
        inner.setContentsMargins(34, 0, 8, 6)
        inner.setSpacing(10)
        inner.addWidget(self.opacity, 1)
        inner.addWidget(self.level)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(line)
        whole.addWidget(self.details)

    # showing -------------------------------------------------------------------------------
    def refresh(self) -> None:
        """Show the layer as the session has it."""
        session = self._session
        layer = session.layer(self.key)
        is_drawn = session.is_drawn(layer)
        self.eye.set_icon("eye" if is_drawn else "eye-off", "text" if is_drawn else "edge")
        self.eye.setAccessibleName(f"{'Hide' if is_drawn else 'Show'} {layer.name}")
        self.swatch.set_look(layer.color, layer.dash)
        self.name.setText(layer.name)
        is_current = session.current_layer == self.key
        self.name.setFont(
            scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold if is_current else None)
        )
        tone(self.name, "" if is_drawn else "muted")
        self.details.setVisible(is_current)
        self.opacity.set_value(round(layer.opacity * 100))
        self.level.set_value(layer.level)
        self.level.setVisible(not layer.is_gold and method(layer.key).output == "segmentation")
        is_solo = session.solo == self.key
        self.solo.set_icon("solo", "accent" if is_solo else "muted")
        self._show_tools()
        self.refresh_numbers()
        self.update()

    def refresh_numbers(self) -> None:
        """Show how far the method is and how good."""
        session = self._session
        layer = session.layer(self.key)
        outcome = session.outcomes.get(self.key, Outcome())
        text, ink, tip = _note(session, layer, outcome)
        self.note.setText(text)
        self.note.set_tip(tip)
        tone(self.note, ink)
        self.busy.setVisible(outcome.status is Status.RUNNING)
        self.sign.setVisible(outcome.status in (Status.FAILED, Status.EMPTY))
        if outcome.status is Status.EMPTY:
            self.sign.set_icon("empty", "warn")
        else:
            self.sign.set_icon("warning", "bad")
        scores = session.scores.get(self.key)
        for part in (self.score, self.meter):
            part.setVisible(scores is not None)
        if scores is None:
            self.parts.setText("")
            return
        shown = headline(scores, layer.level, outcome.result)
        self.score.setText(f"{shown.prf.f1:.3f}")
        self.parts.setText(f"P {_two(shown.prf.precision)}\nR {_two(shown.prf.recall)}")
        self.meter.set_share(shown.prf.f1, layer.color)
        for label, which in ((self.score, "F1"), (self.parts, "both")):
            label.setToolTip(reading(shown, which))
        self.score.setAccessibleName(f"{layer.name}: F1 {shown.prf.f1:.3f}")

    def _show_tools(self) -> None:
        is_hot = self.underMouse() or self.hasFocus()
        is_method = self.key not in GOLD_LAYERS
        self.solo.setVisible(is_hot or self._session.solo == self.key)
        self.more.setVisible(is_hot and is_method)
        self.parts.setVisible(not is_hot)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ground of the row."""
        theme = theme_of(self)
        is_current = self._session.current_layer == self.key
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0, 0.5, 0, -0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        if is_current:
            painter.setBrush(QColor(theme.chosen))
            painter.drawRoundedRect(box, 7, 7)
        elif self.underMouse():
            painter.setBrush(QColor(theme.hover))
            painter.drawRoundedRect(box, 7, 7)
        if self.hasFocus():
            painter.setPen(QColor(theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)

    # hands ---------------------------------------------------------------------------------
    def _on_eye(self) -> None:
        if QApplication.keyboardModifiers() & Qt.KeyboardModifier.AltModifier:
            self.soloed.emit(self.key)
        else:
            self.toggled.emit(self.key)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the row's buttons."""
        self._show_tools()
        self.update()

    def leaveEvent(self, event: object) -> None:
        """Hide the row's buttons."""
        self._show_tools()
        self.update()

    def focusInEvent(self, event: object) -> None:
        """Show the row's buttons to the keyboard too."""
        self._show_tools()
        self.update()

    def focusOutEvent(self, event: object) -> None:
        """Hide the row's buttons."""
        self._show_tools()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make the row current; Alt draws it alone."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = event.position().toPoint()
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.soloed.emit(self.key)
        else:
            self.picked.emit(self.key)

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
        """Enter makes the row current, Space shows or hides it, arrows go on."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.picked.emit(self.key)
        elif event.key() == Qt.Key.Key_Space:
            self.toggled.emit(self.key)
        elif event.key() == Qt.Key.Key_Down:
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the layer."""
        self._menu().popup(event.globalPos())

    def _open_menu(self) -> None:
        self._menu().popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _menu(self) -> QMenu:
        session, key = self._session, self.key
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        is_solo = session.solo == key
        menu.addAction(
            "Show all again" if is_solo else "Only this layer", partial(self.soloed.emit, key)
        )
        menu.addAction("Copy its text", partial(self._host.copy_extract, key))
        if key in GOLD_LAYERS:
            return menu
        methods = [layer.key for layer in session.layers if not layer.is_gold]
        place = methods.index(key)
        menu.addSeparator()
        up = menu.addAction("Move up", partial(move_layer, session, key, place - 1))
        up.setEnabled(place > 0)
        down = menu.addAction("Move down", partial(move_layer, session, key, place + 1))
        down.setEnabled(place < len(methods) - 1)
        menu.addSeparator()
        menu.addAction("Remove", partial(session.remove_layer, key))
        return menu


class LayersDock(PanelDock):
    """All layers, gold first."""

    def __init__(self, session: Session, host: LayersHost, parent: QWidget | None = None) -> None:
        super().__init__("Layers", "LayersDock", parent)
        self._session, self._host = session, host
        self._rows: dict[str, LayerRow] = {}

        self.add_button = IconButton("plus", "Add a method", self)
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self.add_button)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.add_button.setMenu(self._menu)
        self.add_to_title(self.add_button)

        self._list = _RowList(self)
        self._list.dropped.connect(self._on_dropped)
        self._grid = QVBoxLayout(self._list)
        self._grid.setContentsMargins(6, 0, 6, 8)
        self._grid.setSpacing(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self._list)
        self._area = area
        self.body.addWidget(area, 1)

        session.layers_changed.connect(self._refresh)
        session.outcome_changed.connect(self._refresh_row)
        session.scores_changed.connect(self._refresh_numbers)
        session.gold_changed.connect(self._refresh_numbers)
        session.page_changed.connect(self._refresh_numbers)
        session.document_changed.connect(self._refresh_numbers)
        self._refresh()

    def row(self, key: str) -> LayerRow:
        """Return one layer's row."""
        return self._rows[key]

    def keys(self) -> list[str]:
        """Return the layers in the order shown."""
        return list(self._rows)

    def _refresh(self) -> None:
        keys = [layer.key for layer in self._session.layers]
        if keys != list(self._rows):
            self._rebuild(keys)
        for row in self._rows.values():
            row.refresh()
        self._refresh_remark()
        current = self._rows.get(self._session.current_layer)
        if current is not None and current.isVisible():
            self._area.ensureWidgetVisible(current, 0, 4)

    def _rebuild(self, keys: list[str]) -> None:
        old = self._rows
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget()
            if isinstance(widget, Fold):
                widget.deleteLater()
        self._rows = {}
        was_gold = True
        for key in keys:
            if was_gold and key not in GOLD_LAYERS:
                self._grid.addWidget(Fold(self._list))
            was_gold = key in GOLD_LAYERS
            row = old.pop(key, None)
            if row is None:
                row = LayerRow(key, self._session, self._host, self._list)
                row.picked.connect(self._session.set_current_layer)
                row.toggled.connect(self._host.toggle_layer)
                row.soloed.connect(self._host.solo_layer)
            self._rows[key] = row
            self._grid.addWidget(row)
        self._grid.addStretch(1)
        for row in old.values():
            row.hide()
            row.deleteLater()

    def _refresh_row(self, key: str) -> None:
        if key in self._rows:
            self._rows[key].refresh_numbers()
        self._refresh_remark()

    def _refresh_numbers(self) -> None:
        for row in self._rows.values():
            row.refresh_numbers()
        self._refresh_remark()

    def _refresh_remark(self) -> None:
        session = self._session
        if session.solo:
            self.set_remark("only one is drawn")
        else:
            drawn = sum(layer.visible for layer in session.layers)
            self.set_remark(f"{drawn} of {len(session.layers)} drawn")

    def _fill_menu(self) -> None:
        self._menu.clear()
        there = {layer.key for layer in self._session.layers}
        missing = [entry for entry in METHODS if entry.key not in there]
        for output, title in (("extraction", "Main content"), ("segmentation", "Blocks")):
            entries = [entry for entry in missing if entry.output == output]
            if entries:
                self._menu.addSection(title)
            for entry in entries:
                action = self._menu.addAction(
                    f"{entry.name}  —  {entry.cite}", partial(self._session.add_method, entry.key)
                )
                action.setToolTip(entry.summary)
        if not missing:
            self._menu.addAction("Every method is there already").setEnabled(False)

    def _on_dropped(self, key: str, y: int) -> None:
        others = [k for k in self._rows if k not in GOLD_LAYERS and k != key]
        place = sum(self._rows[k].geometry().center().y() < y for k in others)
        move_layer(self._session, key, place)


class _RowList(QWidget):
    """The ground of the rows; takes a dragged row."""

    dropped = Signal(str, int)  # key, y

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take rows only; files go on to the window."""
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Allow every place."""
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Say which row was dropped where."""
        key = bytes(event.mimeData().data(MIME).data()).decode()
        event.acceptProposedAction()
        self.dropped.emit(key, round(event.position().y()))


def move_layer(session: Session, key: str, place: int) -> None:
    """Put a method's layer at a place among the methods."""
    gold = tuple(layer for layer in session.layers if layer.is_gold)
    methods = [layer for layer in session.layers if not layer.is_gold and layer.key != key]
    methods.insert(place, session.layer(key))
    session.set_layers((*gold, *methods))


def _colors(layer: LayerState) -> tuple[str, ...]:
    gold = ("#E69F00", "#B35900")
    return (*COLORS, *gold)


def _two(value: float) -> str:
    return f"{value:.2f}".removeprefix("0") if value < 0.995 else "1.0"


def _note(session: Session, layer: LayerState, outcome: Outcome) -> tuple[str, str, str]:
    """Return the second line of a row: text, tone, tool tip."""
    if layer.is_gold:
        return _gold_note(session, layer)
    entry = method(layer.key)
    kind = "main content" if entry.output == "extraction" else "blocks"
    if session.page is None:
        return kind, "muted", entry.summary
    if outcome.status is Status.FAILED:
        return outcome.error, "bad", outcome.error
    if outcome.status is Status.EMPTY:
        return "nothing found", "warn", f"{entry.name} ran and found nothing on this page"
    if outcome.status is Status.RUNNING:
        return "running", "muted", ""
    if outcome.status is Status.WAITING:
        return "waiting", "muted", ""
    tip = f"Ran in {time_of(outcome.seconds)} on the {layer.source} page\n{entry.summary}"
    return f"{time_of(outcome.seconds)} · {kind}", "muted", tip


def _gold_note(session: Session, layer: LayerState) -> tuple[str, str, str]:
    level = GOLD_LAYERS[layer.key]
    marks = [mark for mark in session.gold.marks if mark.level == level]
    if session.page is None:
        return "your marks", "muted", ""
    if not marks:
        key = ("M", "1", "2")[level]
        return f"none yet: press {key} and click", "muted", ""
    unsure = sum(mark.state is not State.EXACT for mark in marks)
    text = f"{len(marks)} mark{'s' if len(marks) > 1 else ''}"
    if unsure:
        return f"{text}, {unsure} to be confirmed", "warn", "Their text has changed or is gone"
    return text, "muted", ""


def time_of(seconds: float) -> str:
    """Return a run time as one reads it."""
    if seconds < 0.0095:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
