"""Feedback panel: a reviewer's changes of one's marks, selected on the page, too."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListWidgetItem, QVBoxLayout, QWidget

from annotate.marks.gold import MAIN
from annotate.team.feedback import MINE, Change, change
from annotate.team.review import Disagreement
from engine.words import sentence
from gui.features.review.feedback_state import FeedbackState
from gui.state.session import Session
from gui.widgets.entry_delegate import Entry, EntryDelegate
from gui.widgets.item_index import ItemIndex
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, PanelDock, small, tone
from gui.widgets.theme import Theme
from gui.widgets.tips import plain
from gui.widgets.walk_bar import WalkBar
from gui.widgets.walked_list import WalkedList

DIFFERENCE, REFERENCE = Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2

SIGNS = {
    Change.ADDED: "+",
    Change.REMOVED: "−",
    Change.RETYPED: "≠",
    Change.MOVED: "↔",
    Change.SPLIT: "÷",
    Change.CONFIRMED: "✓",
}


class FeedbackDock(PanelDock):
    """All changes of the open page, an entry each."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Feedback", "FeedbackDock", parent)
        self._state = session.get(FeedbackState)
        self.close_button = IconButton("close", "Close  (Ctrl+Alt+R)", self)
        self.close_button.clicked.connect(lambda: self._state.show(False))
        self.add_to_title(self.close_button)
        self.summary = QLabel("", self)
        self.summary.setWordWrap(True)
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        tone(small(self.summary, 0.95), "muted")
        self.bar = WalkBar("Previous change  (Ctrl+Alt+K)", "Next change  (Ctrl+Alt+J)", self)
        self.bar.stepped.connect(self._state.step)
        self.list = WalkedList(self)
        self.list.setObjectName("ErrorList")
        self.list.setAccessibleName("Changes")
        self.list.setItemDelegate(EntryDelegate(_entry, self.list))
        self.list.chosen.connect(self._state.choose)
        self.rule = QLabel("", self)
        self.rule.setWordWrap(True)
        self.rule.setTextFormat(Qt.TextFormat.PlainText)
        self.rule.setAccessibleName("What the guideline says of this type")
        self.rule.setContentsMargins(14, 6, 10, 8)
        top = QWidget(self)
        lay_out(QVBoxLayout(top), self.summary, self.bar, margins=(14, 2, 8, 4), spacing=6)
        self.body.addWidget(top)
        self.body.addWidget(self.list, 1)
        self.body.addWidget(self.rule)
        self._state.changed.connect(self._refresh)
        self._state.index_changed.connect(self._on_index)
        self._refresh()

    def entries(self) -> list[str]:
        """Return the text of each entry for screen readers."""
        return self.list.entries()

    def _refresh(self) -> None:
        state = self._state
        with self.list.being_filled():
            self.list.clear()
            for each in state.items:
                item = QListWidgetItem(self.list)
                item.setData(DIFFERENCE, each)
                item.setData(REFERENCE, state.reference)
                text = f"{title_of(each)}: {words_of(each, state.reference)}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
                item.setToolTip(plain(text))
        self.set_remark(str(len(state.items)) if state.items else "")
        text = state.trouble
        if state.score:
            text = f"{state.score}; {state.summary}" if state.items else state.score
        elif state.reference:
            text = f"{state.reference}: {state.summary}" if state.items else (
                f"{state.reference} reviewed this page and changed nothing"
            )  # fmt: skip
        self.summary.setText(f"{sentence(text)}." if text else "")
        self.summary.setVisible(bool(text))
        self._on_index()

    def _on_index(self) -> None:
        state = self._state
        self.list.show_position(state.index)
        can_walk = bool(state.items)
        self.rule.setText(state.rule)
        self.rule.setVisible(bool(state.rule))
        self.bar.show_position(state.status, "Ctrl+Alt+J: to the first", can_walk=can_walk)


def _entry(index: ItemIndex, theme: Theme) -> Entry | None:
    """Return a sign, the change and level; below, the old and the new version."""
    each: Disagreement | None = index.data(DIFFERENCE)
    if each is None:
        return None
    kind = change(each)
    fill = theme.good if kind in (Change.ADDED, Change.CONFIRMED) else theme.warn
    level = f"level {each.level}" if each.level else "main content"
    text = words_of(each, str(index.data(REFERENCE)))
    return Entry(SIGNS[kind], fill, theme.panel, title_of(each), level, text)


def title_of(difference: Disagreement) -> str:
    """Return the change with its types: "Retyped: Menu → Link list"."""
    kind = sentence(str(change(difference)))
    if difference.level == MAIN:
        return kind
    types = [version.type or "no type" for version in difference.versions if version.marks]
    return f"{kind}: {' → '.join(dict.fromkeys(types))}"


def words_of(difference: Disagreement, reference: str) -> str:
    """Return the text of one's marks, else of the reference's."""
    marks = difference.of(MINE).marks or difference.of(reference).marks
    return next((mark.quote[:200] for mark in marks if mark.quote), "no text")
