"""Two or four panes, scrolled as one, with one legend."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.document import Document
from gui.state.layers import LayerState
from gui.state.session import Session
from gui.state.shown_method import method_shown
from gui.views.side.pane import Golds, Pane, usual
from gui.widgets.debounce import debounce
from gui.widgets.swatch import draw_box
from gui.widgets.theme import theme_of


class SideBySide(QWidget):
    """Follows the session; each pane has a browser view of its own, made when first wanted."""

    row_hovered = Signal(int)
    row_picked = Signal(int)

    def __init__(
        self, session: Session, parent: QWidget | None = None, golds: Golds = dict
    ) -> None:
        """``golds`` gives what each annotator has marked on the session's page, by name."""
        super().__init__(parent)
        self.setObjectName("SideBySide")
        self._session, self._golds = session, golds
        self._made: list[Pane] = []
        self.panes: tuple[Pane, ...] = ()
        self._document: Document | None = None
        self._current = 0
        self.legend = _Legend(self)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._grid, 1)
        layout.addWidget(self.legend)
        self._soon = debounce(self, 0, self._refresh)
        for signal in (session.outcome_changed, session.gold_changed, session.layers_changed):
            signal.connect(lambda *_: self._soon.start())
        session.candidate_changed.connect(self._on_candidate)

    # what is shown -------------------------------------------------------------------------
    def open(self, count: int) -> None:
        """Show the session's page in so many panes; those there are keep what they show."""
        document = self._session.document
        if document is None:
            return
        wanted = usual(self._session, method_shown(self._session), count)
        while len(self._made) < count:
            pane = Pane(self._session, wanted[len(self._made)], self, self._golds)
            pane.scrolled.connect(lambda top, p=pane: self._on_scrolled(p, top))
            pane.hovered.connect(self.row_hovered)
            pane.picked.connect(self.row_picked)
            pane.chosen.connect(self._refresh)
            pane.captured.connect(lambda p=pane: self._on_captured(p))
            self._made.append(pane)
        for pane in self._made[count:]:
            pane.show_nothing()
            pane.hide()
        self.panes = tuple(self._made[:count])
        for place, pane in enumerate(self.panes):
            self._grid.addWidget(pane, place // 2, place % 2)
            pane.show()
            if pane.page is None or document != self._document:
                pane.load(document)
        for side in (0, 1):
            self._grid.setColumnStretch(side, 1)
            self._grid.setRowStretch(side, 1 if side * 2 < count else 0)
        self._document = document
        self._current = 0
        self._refresh()

    def close_up(self) -> None:
        """Let the pages go."""
        for pane in self._made:
            pane.show_nothing()
        self._document = None

    def close_down(self) -> None:
        """Let go of the views, in the order the browser wants it."""
        self._soon.stop()
        for pane in self._made:
            pane.show_nothing()
            pane.canvas.view.dispose()

    def take_focus(self) -> None:
        """Give the keyboard to the first pane."""
        if self.panes:
            self.panes[self._place()].setFocus()

    def _place(self) -> int:
        """Which pane has the keyboard, or had it last."""
        for place, pane in enumerate(self.panes):
            if pane.isAncestorOf(self.focusWidget() or self):
                self._current = place
        return min(self._current, len(self.panes) - 1)

    # by key --------------------------------------------------------------------------------
    def swap(self) -> None:
        """Let two panes change places: the one with the keyboard and the next."""
        if len(self.panes) < 2:
            return
        place = self._place()
        one, other = self.panes[place], self.panes[(place + 1) % len(self.panes)]
        mine, theirs = one.shown, other.shown
        one.set_shown(theirs)
        other.set_shown(mine)
        self._refresh()

    def next_pane(self, by: int) -> None:
        """Give the keyboard to the next pane."""
        if self.panes:
            self._current = (self._place() + by) % len(self.panes)
            self.panes[self._current].setFocus()

    def step(self, by: int) -> None:
        """Show something else in the pane with the keyboard."""
        if self.panes:
            self.panes[self._place()].step(by)

    def zoom(self, way: int) -> None:
        """Show all panes larger or smaller."""
        for pane in self.panes:
            pane.canvas.zoom_by(way)

    def zoom_fit(self) -> None:
        """Fit the page into the panes."""
        for pane in self.panes:
            pane.canvas.set_zoom(None)

    # following -----------------------------------------------------------------------------
    def _on_scrolled(self, leader: Pane, top: float) -> None:
        for pane in self.panes:
            if pane is not leader:
                pane.follow(leader, top)

    def _on_captured(self, pane: Pane) -> None:
        pane.draw_candidate(self._session.candidate)
        leader = next((each for each in self.panes if each is not pane and each.page), None)
        if leader is not None and leader.top > 0:
            pane.follow(leader, leader.top)

    def _on_candidate(self) -> None:
        if self.isVisible():
            for pane in self.panes:
                pane.draw_candidate(self._session.candidate)

    def _refresh(self) -> None:
        if self._document is None:
            return
        for pane in self.panes:
            pane.refresh()
        shown = [layer for pane in self.panes for layer in pane.layers()]
        self.legend.show_layers(tuple({layer.key: layer for layer in shown}.values()))


class _Legend(QWidget):
    """Each layer that is shown anywhere, once: its line and its name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layers: tuple[LayerState, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_layers(self, layers: tuple[LayerState, ...]) -> None:
        """Show other layers."""
        self._layers = layers
        self.setAccessibleName(", ".join(self.words))
        self.updateGeometry()
        self.update()

    @property
    def words(self) -> tuple[str, ...]:
        """The names."""
        return tuple(layer.name for layer in self._layers)

    def hasHeightForWidth(self) -> bool:
        """Say that what does not fit in one line takes another."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines."""
        last = self.places(width)[-1][1] if self._layers else 0
        return self._line * (last + 1) + 6

    def sizeHint(self) -> QSize:
        """Return the height of the lines as wide as it is."""
        return QSize(200, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the same: no name is left out."""
        return QSize(0, self.heightForWidth(self.width()))

    @property
    def _line(self) -> int:
        return self.fontMetrics().height() + 8

    def places(self, width: int) -> list[tuple[int, int]]:
        """Return where each layer stands: px from the left, and its line."""
        found, x, line = [], 12, 0
        for words in self.words:
            wide = 24 + self.fontMetrics().horizontalAdvance(words) + 20
            if x > 12 and x + wide - 16 > width:
                x, line = 12, line + 1
            found.append((x, line))
            x += wide
        return found

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take more lines, or fewer."""
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw boxes and names."""
        theme = theme_of(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.chrome))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, height = self.fontMetrics(), self._line
        middle = Qt.AlignmentFlag.AlignVCenter
        places = self.places(self.width())
        for layer, words, (x, line) in zip(self._layers, self.words, places, strict=True):
            top, wide = 3 + line * height, metrics.horizontalAdvance(words)
            draw_box(painter, QRectF(x, top + height / 2 - 7, 18, 14), layer.color, layer.dash)
            painter.setPen(QColor(theme.text))
            painter.drawText(QRectF(x + 24, top, wide + 4, height), middle, words)
