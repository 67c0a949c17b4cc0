"""Errors panel: a method's errors, counted, listed and selected on the page, too."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QLabel,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from algorithms.core.catalogue import method
from algorithms.explain.page_errors import ErrorOrder, PageError, counted
from gui.features.errors.state import CHANGES, GOLD, INPUTS, ErrorWalk
from gui.features.errors.style import STYLES
from gui.state.session import Session
from gui.widgets.elided_combo import ElidedCombo
from gui.widgets.entry_delegate import Entry, EntryDelegate
from gui.widgets.item_index import ItemIndex
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, PanelDock, Segments, small, tone
from gui.widgets.theme import Theme
from gui.widgets.tips import plain
from gui.widgets.walk_bar import WalkBar
from gui.widgets.walked_list import WalkedList

ERROR = Qt.ItemDataRole.UserRole + 1
_INPUT_WORDS = {"original": "original HTML", "dom": "DOM", "seen": "page as seen"}


class ErrorsDock(PanelDock):
    """All errors of the current layer's method, an entry each."""

    closed = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Errors", "ErrorsDock", parent)
        self._session, self._walk = session, session.get(ErrorWalk)
        self.close_button = IconButton("close", "Show the layers again  (F7)", self)
        self.close_button.clicked.connect(lambda: self._walk.show(False))
        self.add_to_title(self.close_button)

        top = QWidget(self)
        self.against = ElidedCombo(
            "Compare with: gold, another input or method, or a changed page", 12, top
        )
        self.against.activated.connect(
            lambda index: self._walk.set_against(self.against.itemData(index))
        )
        self.order = Segments(
            [
                (ErrorOrder.POSITION, "By position", "From the top of the page to its foot"),
                (ErrorOrder.SIZE, "By size", "The largest first, words or area"),
            ],
            top,
        )
        self.order.picked.connect(lambda order: self._walk.set_order(ErrorOrder(str(order))))
        self.counts = small(QLabel("", top), 0.92)
        self.counts.setWordWrap(True)
        self.counts.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = WalkBar("Previous error  (Shift+J)", "Next error  (J)", top)
        self.bar.stepped.connect(self._walk.step)
        lay_out(
            QVBoxLayout(top), self.against, self.counts, self.order, self.bar,
            margins=(14, 2, 8, 4), spacing=5,
        )  # fmt: skip

        self.list = WalkedList(self)
        self.list.setObjectName("ErrorList")
        self.list.setAccessibleName("Errors")
        self.list.setItemDelegate(EntryDelegate(_entry, self.list))
        self.list.chosen.connect(self._walk.choose)
        self.body.addWidget(top)
        self.body.addWidget(self.list, 1)

        self._walk.changed.connect(self._refresh)
        self._walk.index_changed.connect(self._on_index)
        self._walk.shown_changed.connect(self._refresh)
        session.layers.layers_changed.connect(self._refresh_choices)
        session.layers.outcome_changed.connect(lambda _key: self._refresh_choices())
        self._refresh_choices()
        self._refresh()

    def entries(self) -> list[str]:
        """Return the text of each entry for screen readers."""
        return self.list.entries()

    def _refresh_choices(self) -> None:
        """Offer gold and the methods of the current method's kind."""
        session = self._session
        by_key = {layer.key: layer for layer in session.layers.all}
        current = by_key.get(session.layers.current_layer)
        offered = [(GOLD, "against gold")]
        if current is not None and not current.is_gold:
            entry = method(current.key)
            kind = entry.output
            offered += [
                (key, f"against itself on the {_INPUT_WORDS[source]}")
                for key, source in INPUTS.items()
                if source in entry.inputs and source != current.source and kind == "extraction"
            ]
            offered += [
                (layer.key, f"against {layer.title}")
                for layer in session.layers.all
                if not layer.is_gold and layer is not current and method(layer.key).output == kind
            ]
            if kind == "extraction" and not entry.reads_site:
                offered += [
                    (key, f"against itself, {change.name}") for key, change in CHANGES.items()
                ]
        keys = [key for key, _ in offered]
        if keys != [self.against.itemData(row) for row in range(self.against.count())]:
            self.against.clear()
            for key, words in offered:
                self.against.addItem(words, key)
        if self._walk.against not in keys:
            self._walk.set_against(GOLD)
        self.against.setCurrentIndex(self.against.findData(self._walk.against))
        self.set_remark(current.name if current is not None else "")

    def _refresh(self) -> None:
        walk = self._walk
        self._refresh_choices()
        self.order.set_value(walk.order)
        text = walk.trouble or counted(walk.items)
        if not text and walk.key:
            text = "No errors: it agrees with gold."
        self.counts.setText(text)
        tone(self.counts, "muted" if walk.trouble or not walk.items else "")
        with self.list.being_filled():
            self.list.clear()
            for error in walk.items:
                item = QListWidgetItem(self.list)
                item.setData(ERROR, error)
                heading = f", {error.heading}" if error.heading else ""
                spoken = f"{error.in_words}{heading}: {_line(error)}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
                item.setToolTip(plain(_tip(error)))
        self._on_index()

    def _on_index(self) -> None:
        self.list.show_position(self._walk.index)
        can_walk = bool(self._walk.items)
        self.bar.show_position(self._walk.status, "J: to the first", can_walk=can_walk)


def _entry(index: ItemIndex, _theme: Theme) -> Entry | None:
    """Return sign and size, the heading at the right; below, the beginning of the text."""
    error: PageError | None = index.data(ERROR)
    if error is None:
        return None
    style, title = STYLES[str(error.kind)], error.in_words.removesuffix(" of the page")
    return Entry(style.sign, style.color, "#ffffff", title, error.heading, _line(error))


def _line(error: PageError) -> str:
    """Return the beginning of the error's text, after other facts on it."""
    parts = [] if error.rows else ["not shown on the page"]
    if error.in_gold is not None:
        parts.append("in gold" if error.in_gold else "not in gold")
    text = " ".join(error.text[:300].split()) or "no text"
    return f"{', '.join(parts)}: {text}" if parts else text


def _tip(error: PageError) -> str:
    text = " ".join(error.text.split())
    return text if len(text) <= 400 else f"{text[:399]}…"
