"""Methods panel: layers of the page, their style and scores; how often blocks occur on the site."""

from collections.abc import Sequence
from itertools import chain

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QDragMoveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from algorithms.core.catalogue import available, method, on_sites
from engine.words import join_words, shorten
from gui.core.changed_note import ChangedNote
from gui.features.layers.controller import move_layer
from gui.features.layers.layer_row import MIME, SCORE, LayerRow, LayersHost, column_width
from gui.state.layers import GOLD_LAYERS
from gui.state.session import Session
from gui.widgets.choice_popup import ChoicePopup, PopupEntry
from gui.widgets.controls import column_head, push_button
from gui.widgets.events import debounce
from gui.widgets.layouts import ColumnArea, lay_out
from gui.widgets.parts import PanelDock, tone
from gui.widgets.texts import plain


class OccurrenceRow(QWidget):
    """Row shown while the heat map of the site is on."""

    def __init__(self, session: Session, host: LayersHost, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.box = QCheckBox("On at least", self)
        self.box.setToolTip(
            "Draws how often each block occurs on the pages of the site (Ctrl+Shift+H)"
        )
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, 100)
        self.slider.setPageStep(10)
        self.slider.setAccessibleName("Share of the site's pages from which a block is drawn")
        self.words = QLabel(self)
        tone(self.words, "muted")
        self.words.setMinimumWidth(self.words.fontMetrics().horizontalAdvance("100% of 1000 pages"))
        lay_out(
            QHBoxLayout(self), self.box, (self.slider, 1), self.words,
            margins=(10, 4, 10, 6), spacing=8,
        )  # fmt: skip
        self.box.clicked.connect(lambda: host.toggle_occurrence())
        state = session.layers.occurrence
        self.slider.valueChanged.connect(lambda value: state.set_least(value / 100))
        for signal in (state.shown_changed, state.changed, session.open.document_changed):
            signal.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        state = self._session.layers.occurrence
        self.setVisible(state.is_shown and bool(self._session.open.siblings))
        self.box.setChecked(state.is_shown)
        self.slider.setEnabled(state.is_shown)
        self.slider.blockSignals(True)
        self.slider.setValue(round(100 * state.least))
        self.slider.blockSignals(False)
        of = f"{state.pages} pages" if state.pages else "the site"
        self.words.setText(f"{state.least:.0%} of {of}")


HEADS = {
    "extraction": ("Main content", "Scored by words in the same order, against your main content"),
    "segmentation": ("Blocks", "Scored by blocks with similar texts, against your blocks"),
}
"""Heading of each kind of methods in the list, and its tool tip."""


ON_SITES = "Main content, from the page and its site"

GROUPS = (
    ("Main content", "extraction", True),
    (ON_SITES, "extraction", True),
    ("Blocks", "segmentation", True),
    ("Main content, other programs", "extraction", False),
    ("Blocks, other programs", "segmentation", False),
)
"""Headings of the methods to add: their output, and whether they are Pagelet's."""

FOLLOWED_MS = 1000
"""Time for which a new current layer is kept in view while rows are laid out."""


class LayersDock(PanelDock):
    """All layers, gold first."""

    def __init__(self, session: Session, host: LayersHost, parent: QWidget | None = None) -> None:
        super().__init__("Methods", "LayersDock", parent)
        self._session, self._host = session, host
        self._rows: dict[str, LayerRow] = {}

        self.add_button = self.title_button("plus", "Add a method", self.choose_method)
        self.add_close()
        self.methods = ChoicePopup("Methods to add", self)
        self.methods.picked.connect(session.layers.add_method)

        self._list = _RowList(self)
        self._list.dropped.connect(self._on_dropped)
        self._grid = lay_out(QVBoxLayout(self._list), margins=(4, 0, 4, 8), spacing=1)
        self._area = ColumnArea(self._list, self)
        layers, opened = session.layers, session.open
        self.back = push_button("My layers", self, layers.return_layers, "Shift+Esc", look="link")
        self.changed = ChangedNote(session, self)
        self.occurrence = OccurrenceRow(session, host, self)
        lay_out(self.body, self.back, self.changed, (self._area, 1), self.occurrence)

        self._current = ""
        self._follows = debounce(self, FOLLOWED_MS, lambda: None)
        self._area.verticalScrollBar().rangeChanged.connect(self._on_laid_out)
        layers.layers_changed.connect(self._refresh)
        layers.outcome_changed.connect(self._refresh_row)
        for signal in (
            layers.scores_changed, opened.gold_changed, opened.page_changed, opened.document_changed
        ):  # fmt: skip
            signal.connect(self._refresh_numbers)
        self._refresh()

    def row(self, key: str) -> LayerRow:
        """Return one layer's row."""
        return self._rows[key]

    def order(self) -> list[str]:
        return list(self._rows)

    def _refresh(self) -> None:
        keys = [layer.key for layer in self._session.layers.all]
        if keys != list(self._rows):
            self._rebuild(keys)
        for row in self._rows.values():
            row.refresh()
        self._refresh_remark()
        every = self._session.layers.all
        only = [each.title for each in every if each.visible and not each.is_gold]
        shown = f"Only {shorten(join_words(only), 40)} shown · My layers" if only else "My layers"
        self.back.setText(shown.replace("&", "&&"))
        self.back.setVisible(bool(self._session.layers.own_layers))
        if self._current != self._session.layers.current_layer:
            self._current = self._session.layers.current_layer
            self._follows.start()
        self._show_current()

    def _on_laid_out(self) -> None:
        if self._follows.isActive():
            self._show_current()

    def _show_current(self) -> None:
        current = self._rows.get(self._session.layers.current_layer)
        if current is not None and current.isVisible():
            self._area.ensureWidgetVisible(current, 0, 4)

    def _rebuild(self, keys: list[str]) -> None:
        old = self._rows
        for each in old.values():
            # Qt's own: an item that Python holds would keep later ones from hearing of new heights.
            self._grid.removeWidget(each)
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if isinstance(widget, ListHead):
                widget.hide()
                widget.deleteLater()
        self._rows = {}
        kind = ""
        for key in keys:
            result = "" if key in GOLD_LAYERS else method(key).output
            if result != kind:
                kind = result
                self._grid.addWidget(ListHead(*HEADS[kind], self._list))
            row = old.pop(key, None) or LayerRow(key, self._session, self._host, self._list)
            self._rows[key] = row
            self._grid.addWidget(row)
        self._grid.addStretch(1)
        methods = [row for row in self._rows.values() if row.key not in GOLD_LAYERS]
        shown: list[ListHead | LayerRow] = [*self._list.findChildren(ListHead), *methods]
        self._list.set_details([each.details for each in shown if not each.isHidden()])
        self._area.updateGeometry()
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
        layers = self._session.layers
        drawn = f"{sum(map(layers.is_chosen, layers.all))} of {len(layers.all)}"
        only = "only one is" if layers.solo else "only gold is" if layers.is_gold_only else drawn
        self.set_remark(f"{only} drawn")

    def choose_method(self) -> None:
        """Show the choice of methods to add: by group, or by words of its name and summary."""
        there = {layer.key for layer in self._session.layers.all}
        every = (*available(), *(on_sites() if self._session.open.siblings else ()))
        missing = [entry for entry in every if entry.key not in there]
        self.methods.fill(
            [
                PopupEntry(entry.key, entry.name, entry.summary or entry.cite, title)
                for title, output, is_own in GROUPS
                for entry in missing
                if entry.output == output
                and entry.is_own == is_own
                and (entry.reads_site and is_own) == (title == ON_SITES)
            ]
        )
        button = self.add_button
        self.methods.open_at(button.mapToGlobal(button.rect().bottomLeft()))

    def pick_style(self) -> None:
        """Offer colours and lines for the current layer."""
        self._rows[self._session.layers.current_layer].swatch.offer()

    def _on_dropped(self, key: str, y: int) -> None:
        others = [k for k in self._rows if k not in GOLD_LAYERS and k != key]
        position = sum(self._rows[k].geometry().center().y() < y for k in others)
        move_layer(self._session, key, position)


class ListHead(QWidget):
    """Heading with a kind of methods and the columns of their scores."""

    def __init__(self, title: str, tip: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setToolTip(plain(tip))
        name, precision, recall, f1 = (
            column_head(text, self, 0.85) for text in (title, "P", "R", "F1")
        )
        name.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self.details = precision, recall
        for label in self.details:
            label.setFixedWidth(column_width(self, ".00", 0.88))
        f1.setFixedWidth(column_width(self, "0.000", SCORE) + 2)
        layout = QHBoxLayout(self)
        lay_out(layout, (name, 1), precision, recall, f1, margins=(8, 11, 8, 2), spacing=4)


class _RowList(QWidget):
    """Background of the rows; accepts a dragged row.

    If it is narrow, precision and recall are only in the tool tip of the score.
    """

    dropped = Signal(str, int)  # key, y

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self._details: list[tuple[QLabel, QLabel]] = []
        self._is_narrow = False

    def set_details(self, details: Sequence[tuple[QLabel, QLabel]]) -> None:
        """Set precision and recall of all rows, and their headings."""
        self._details = list(details)
        self._show_details()

    def _widths(self) -> tuple[int, int]:
        """Return the least widths without and with precision and recall; px."""
        least = super().minimumSizeHint().width()
        spare = sum(label.width() + 4 for label in self._details[0]) if self._details else 0
        return (least, least + spare) if self._is_narrow else (least - spare, least)

    def _show_details(self) -> None:
        self._is_narrow = self.width() < self._widths()[1]
        for label in chain.from_iterable(self._details):
            label.setVisible(not self._is_narrow)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._widths()[0], super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_details()

    def dragEnterEvent(self, event: QDragMoveEvent) -> None:
        """Accept rows only; files are passed to the window."""
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()

    dragMoveEvent = dragEnterEvent

    def dropEvent(self, event: QDropEvent) -> None:
        key = bytes(event.mimeData().data(MIME).data()).decode()
        event.acceptProposedAction()
        self.dropped.emit(key, round(event.position().y()))
