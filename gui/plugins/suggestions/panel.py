"""Suggestions panel: proposals of the visible methods and their agreement; accepted by key."""

from functools import partial
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotate.marks.gold import MAIN
from annotate.plugins.suggestions.suggestions import Suggestion
from gui.plugins.suggestions.state import SuggestionFilter, SuggestionWalk
from gui.state.describe import beginning, pictured
from gui.state.layers import GOLD_LAYERS
from gui.state.session import Session
from gui.widgets.accessible import make_clearable
from gui.widgets.entry_delegate import Entry, EntryDelegate
from gui.widgets.item_index import ItemIndex
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, PanelDock, Segments, hint
from gui.widgets.theme import Theme, mixed
from gui.widgets.tips import plain
from gui.widgets.walked_list import WalkBar, WalkedList

ITEM = Qt.ItemDataRole.UserRole + 1
QUOTE = ITEM + 1


AGREED = (("any method", 1), ("two or more", 2), ("three or more", 3), ("all methods", 0))


class SuggestionsHost(Protocol):
    """Suggestion actions used by the panel."""

    def accept(self) -> None:
        """Mark the current suggestion."""

    def reject(self) -> None:
        """Reject the current suggestion."""


class SuggestionsDock(PanelDock):
    """List of suggestions, in document order."""

    def __init__(
        self, session: Session, host: SuggestionsHost, parent: QWidget | None = None
    ) -> None:
        super().__init__("Suggestions", "SuggestionsDock", parent)
        self._session, self._host, self._walk = session, host, session.get(SuggestionWalk)
        self.close_button = IconButton("close", "Close  (Ctrl+J)", self)
        self.close_button.clicked.connect(lambda: self._walk.show(False))
        self.add_to_title(self.close_button)

        top = QWidget(self)
        self.level = Segments(
            [
                (None, "All", "Main content and blocks of both levels"),
                (MAIN, "M", "Main content only"),
                (1, "1", "Level-1 blocks only"),
                (2, "2", "Level-2 blocks only"),
            ],
            top,
        )
        self.level.set_value(None)
        self.level.picked.connect(lambda level: self._change_filter(level=level))
        self.agreed = QComboBox(top)
        self.agreed.setAccessibleName("How many methods must agree")
        self.agreed.setToolTip("How many of the methods shown must propose the same")
        for words, number in AGREED:
            self.agreed.addItem(words, number)
        self.agreed.activated.connect(
            lambda index: self._change_filter(agreed=self.agreed.itemData(index))
        )
        self.filter = QLineEdit(top)
        self.filter.setPlaceholderText("Type or method")
        self.filter.setAccessibleName("Filter suggestions by type or method")
        make_clearable(self.filter)
        self.filter.setProperty("quiet", True)
        self.filter.textChanged.connect(lambda words: self._change_filter(words=words))
        self.accept = IconButton("check", "Accept: mark it  (Shift+Return)", top)
        self.reject = IconButton("delete", "Reject: not suggested again  (Shift+Backspace)", top)
        self.accept.clicked.connect(host.accept)
        self.reject.clicked.connect(host.reject)
        self.bar = WalkBar(
            "Previous suggestion  (Shift+Up)", "Next suggestion  (Shift+Down)", top,
            buttons=(self.accept, self.reject),
        )  # fmt: skip
        self.bar.stepped.connect(self._walk.step)
        choices = lay_out(QHBoxLayout(), self.level, (self.agreed, 1), spacing=6)
        lay_out(QVBoxLayout(top), choices, self.filter, self.bar, margins=(12, 2, 8, 4), spacing=5)

        self.list = _SuggestionList(self)
        self.list.setObjectName("SuggestionList")
        self.list.setAccessibleName("Suggestions")
        self.list.setItemDelegate(EntryDelegate(partial(_entry, session), self.list))
        self.list.chosen.connect(self._walk.choose)
        self.list.host = host
        self._none = hint("", self)
        self.body.addWidget(top)
        self.body.addWidget(self._none)
        self.body.addWidget(self.list, 1)

        self._walk.changed.connect(self._refresh)
        self._walk.index_changed.connect(self._on_index)
        self._refresh()

    def entries(self) -> list[str]:
        """Return the text of each entry for screen readers."""
        return self.list.entries()

    @property
    def none_text(self) -> str:
        """Reason why nothing is listed; "" if something is."""
        return self._none.text()

    def _change_filter(self, **changes: object) -> None:
        old = self._walk.active_filter
        values = {"level": old.level, "agreed": old.agreed, "words": old.words, **changes}
        self._walk.set_filter(SuggestionFilter(**values))  # type: ignore[arg-type]

    def _refresh(self) -> None:
        walk, page = self._walk, self._session.open.page
        self.level.set_value(walk.active_filter.level)
        self.agreed.setCurrentIndex(self.agreed.findData(walk.active_filter.agreed))
        with self.list.being_filled():
            self.list.clear()
            for each in walk.items if page is not None else ():
                item = QListWidgetItem(self.list)
                assert page is not None
                nodes = page.rendered()
                quote = beginning(nodes, each.rows, 200) or pictured(nodes, each.rows)
                item.setData(ITEM, each)
                item.setData(QUOTE, quote or "no text")
                text = f"{_title(each)}, {self._made_by(each)}: {quote or 'no text'}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
                item.setToolTip(plain(f"{_title(each)}\n{self._made_by(each)}\n{quote}"))
        hidden = len(walk.all_items) - len(walk.items)
        none = "" if walk.items else walk.trouble or "Nothing more is suggested on this page."
        if not walk.items and hidden:
            none = f"{hidden} more are filtered out."
        self._none.setText(none)
        self._none.setVisible(bool(none))
        self.list.setVisible(not none)
        self.set_remark(str(len(walk.items)) if walk.items else "")
        self._on_index()

    def _made_by(self, each: Suggestion) -> str:
        names = {layer.key: layer.title for layer in self._session.layers.all}
        text = ", ".join(names.get(key, key) for key in each.methods)
        return f"{len(each.methods)} of {each.asked}: {text}"

    def _on_index(self) -> None:
        walk = self._walk
        self.list.show_position(walk.index)
        for button in (self.accept, self.reject):
            button.setEnabled(walk.current is not None)
        at = f"{walk.index + 1} of {len(walk.items)}" if walk.current is not None else ""
        self.bar.show_position(at, "Shift+Down: to the first", can_walk=bool(walk.items))


class _SuggestionList(WalkedList):
    """List of suggestions; Enter accepts, Del rejects the current one."""

    host: SuggestionsHost

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Accept or reject the current suggestion."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.host.accept()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.host.reject()
        else:
            super().keyPressEvent(event)


def _entry(session: Session, index: ItemIndex, theme: Theme) -> Entry | None:
    """Return level and type, the agreeing methods at the right; below, the text's beginning."""
    each: Suggestion | None = index.data(ITEM)
    if each is None:
        return None
    level = next(layer for layer in session.layers.all if GOLD_LAYERS.get(layer.key) == each.level)
    colors = {layer.key: layer.color for layer in session.layers.all}
    return Entry(
        {MAIN: "M", 1: "1", 2: "2"}[each.level],
        mixed(level.color, theme.panel, 0.22),
        theme.text,
        _title(each),
        f"{len(each.methods)} of {each.asked}",
        str(index.data(QUOTE)),
        border=level.color,
        squares=tuple(colors.get(key, "#808080") for key in each.methods[:6]),
    )


def _title(each: Suggestion) -> str:
    if each.level == MAIN:
        return "Main content"
    return each.type or f"Level-{each.level} block"
