"""Outline panel: blocks as a tree by containment, selected as on the page; marks to confirm."""

from collections.abc import Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from algorithms.core.catalogue import available, method
from algorithms.results import Segmentation
from annotate.marks.drafts import origin_of
from annotate.marks.gold import MAIN, Mark, MarkState
from annotate.marks.learned.learned_drafts import LEARNED
from engine.nodes import NodeTable
from engine.words import quote_start
from gui.core.action import Context, of_marks
from gui.features.outline.view import ENTRY, HOT, OutlineEntry, OutlineTree
from gui.state.describe import QUOTE, beginning, describe_pictures
from gui.state.layers import GOLD_1, GOLD_2, GOLD_LAYERS, GOLD_MAIN
from gui.state.session import Session
from gui.widgets.controls import push_button, text_label
from gui.widgets.events import until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, PanelDock, hint
from gui.widgets.texts import plain


def nest_entries(
    entries: Sequence[OutlineEntry], nodes: NodeTable
) -> list[tuple[OutlineEntry, int]]:
    """Return entries in document order, each with the index of its parent, or -1.

    The parent is the smallest entry that covers all rows; of two with the same rows level 1 is the
    parent of level 2.  O(n log n + n d) for nesting depth d.
    """

    def size(entry: OutlineEntry) -> int:
        return sum(int(nodes.end[row]) - row for row in entry.rows)

    ordered = sorted(entries, key=lambda e: (e.rows[0], -size(e), e.level))
    result: list[tuple[OutlineEntry, int]] = []
    stack: list[int] = []
    for index, entry in enumerate(ordered):
        while stack and int(nodes.end[ordered[stack[-1]].rows[-1]]) <= entry.rows[0]:
            stack.pop()
        parent = next((p for p in reversed(stack) if _covers(ordered[p], entry, nodes)), -1)
        result.append((entry, parent))
        stack.append(index)
    return result


def _covers(outer: OutlineEntry, inner: OutlineEntry, nodes: NodeTable) -> bool:
    return all(any(nodes.is_inside(row, other) for other in outer.rows) for row in inner.rows)


def speak_entry(entry: OutlineEntry) -> str:
    """Return the text of an entry for screen readers."""
    level = "main content" if entry.level == MAIN else f"level {entry.level}"
    unsure = "unsure" if entry.is_unsure else ""
    state = "" if entry.state is MarkState.EXACT else entry.state.value
    return ", ".join(filter(None, (unsure, state, level, entry.type, *entry.fields, entry.quote)))


_STATE_TIPS = {
    MarkState.MOVED: "Its position or text has changed: no gold before it is confirmed",
    MarkState.DRAFT: "A draft: no gold before it is confirmed",
    MarkState.LOST: "Not found on this page any more",
}


def tip_of(entry: OutlineEntry) -> str:
    """Return the lines of an entry's tool tip."""
    level = "Main content" if entry.level == MAIN else f"Level {entry.level}"
    head = f"{level} · {entry.type}" if entry.type else level
    unsure = "Unsure: it is listed first in the review (Shift+Q: sure again)"
    lines = (
        head,
        *entry.fields,
        entry.quote,
        entry.note,
        entry.finding,
        unsure if entry.is_unsure else "",
    )
    return "\n".join(filter(None, (*lines, _STATE_TIPS.get(entry.state))))


class OutlineHost(Protocol):
    """Page actions used by the outline."""

    def select_row(self, row: int) -> None:
        """Select the mark at a row, or frame its element, and scroll there."""

    def confirm(self) -> None:
        """Confirm the selected marks."""

    def delete_selected(self) -> None: ...


class ConfirmBar(QFrame):
    """Offers actions for selected drafts and for moved or lost marks."""

    def __init__(self, host: OutlineHost, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("Note")
        self._text = text_label(self, color="warn", factor=0.92)
        tip = "It is right where it stands now  (Y)"
        self.confirm = push_button("Confirm", self, lambda: host.confirm(), tip)
        self.delete = push_button("Delete", self, host.delete_selected)
        buttons = lay_out(QHBoxLayout(), self.confirm, self.delete, None, spacing=6)
        lay_out(QVBoxLayout(self), self._text, buttons, margins=(12, 8, 12, 9), spacing=6)
        self.hide()

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Offer actions for these marks; hidden if all are sure."""
        unsure = [mark for mark in marks if mark.state is not MarkState.EXACT or mark.awaits_type]
        states = {mark.state for mark in unsure}
        if MarkState.LOST in states:
            text = "The text of this mark is no longer on the page. It is kept until you delete it."
        elif MarkState.DRAFT in states:
            text = _draft_words(unsure)
        else:
            text = _guess_words(unsure) if states <= {MarkState.EXACT} else _moved_words(unsure)
        self._text.setText(text)
        self.confirm.setVisible(MarkState.LOST not in states)
        self.setVisible(bool(unsure))


def _guess_words(unsure: Sequence[Mark]) -> str:
    guesses = (mark.guess for mark in unsure if mark.guess is not None)
    texts = (f"Suggested type: {each.type} ({each.why}). Is it right?" for each in guesses)
    return next(texts, "")


def _moved_words(unsure: Sequence[Mark]) -> str:
    like = min((mark.score for mark in unsure), default=1.0)
    text = f" ({like:.0%} alike)" if like < 1 else ""
    text = (
        f"The position or text of this mark has changed{text}: no gold until confirmed. Is it "
        "right? Ctrl+Alt+Y shows the next likely position."
    )
    quote = next((mark.quote for mark in unsure if mark.quote), "")
    return f"{text} It was: {quote_start(quote, QUOTE)}" if quote else text


def _draft_words(unsure: Sequence[Mark]) -> str:
    seed = next((mark.seed for mark in unsure if mark.seed is not None), None)
    if seed is None:
        return "This mark was transferred here from another page. Is it right?"
    transferred = [origin for origin in map(origin_of, unsure) if origin is not None]
    if transferred:
        page, confidence = min(transferred, key=lambda each: each[1])
        return f"Transferred from {page or 'another page'}, {confidence:.0%} certain. Is it right?"
    if seed.method == LEARNED:
        sure = min(mark.seed.confidence or 0.0 for mark in unsure if mark.seed is not None)
        return f"A draft learned from what you confirmed, {sure:.0%} certain. Is it right?"
    name = next((each.name for each in available() if each.key == seed.method), seed.method)
    return f"A draft, as {name} has it. Is it right?"


LAYER_OF_LEVEL = {0: GOLD_MAIN, 1: GOLD_1, 2: GOLD_2}


class OutlineDock(PanelDock):
    """The marks, or the current layer's blocks."""

    def __init__(self, session: Session, host: OutlineHost, parent: QWidget | None = None) -> None:
        super().__init__("Outline", "OutlineDock", parent)
        self._session, self._host = session, host
        self._is_syncing = False
        self._items: list[QTreeWidgetItem] = []
        self._hot: QTreeWidgetItem | None = None

        self.listed = IconButton("sliders", "What is listed", self)
        self.listed.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu, group = QMenu(self.listed), QActionGroup(self)
        for view, text in (("marks", "Your marks"), ("layer", "The current layer")):
            action = menu.addAction(text, partial(self.show_view, view))
            action.setCheckable(True)
            action.setChecked(view == "marks")
            group.addAction(action)
        self.listed.setMenu(menu)
        self._view = "marks"
        self.add_to_title(self.listed)
        self.add_close()

        self.tree = OutlineTree(self)
        self.tree.itemSelectionChanged.connect(self._on_selected)
        self.tree.itemEntered.connect(self._on_entered)
        self.tree.currentItemChanged.connect(self._on_current)
        self.tree.viewport().installEventFilter(self)

        self._none = hint("", self)
        self.unsure = ConfirmBar(host, self)
        lay_out(self.body, self._none, (self.tree, 1), self.unsure)

        opened = session.open
        for signal in (opened.gold_changed, opened.remarks_changed):
            signal.connect(self._on_gold)
        for signal in (opened.page_changed, opened.document_changed):
            signal.connect(self._rebuild)
        opened.dropped_changed.connect(self._count)
        session.layers.layers_changed.connect(self._on_layers)
        session.layers.outcome_changed.connect(self._on_outcome)
        session.selection.selection_changed.connect(self._sync_selection)
        session.selection.candidate_changed.connect(self._sync_candidate)
        self._shown_layer = session.layers.current_layer
        self._rebuild()

    def _count(self) -> None:
        """Show how many entries there are, and how many drafts were dropped."""
        dropped = self._session.open.dropped
        numbers = (
            str(len(self._items)) if self._items else "",
            f"{dropped} dropped" if dropped else "",
        )
        self.set_remark(" · ".join(filter(None, numbers)))

    # listed entries ------------------------------------------------------------------------
    def show_view(self, view: str) -> None:
        """List the "marks", or the blocks of the current "layer"."""
        self._view = view
        menu = self.listed.menu()
        assert isinstance(menu, QMenu)
        menu.actions()[view == "layer"].setChecked(True)
        self.listed.set_icon("sliders", "accent" if view == "layer" else "muted")
        self._rebuild()

    def _on_gold(self) -> None:
        if self._view == "marks" or self._session.layers.current_layer in GOLD_LAYERS:
            self._rebuild()

    def _on_layers(self) -> None:
        if self._session.layers.current_layer != self._shown_layer:
            self._shown_layer = self._session.layers.current_layer
            if self._view == "layer":
                self._rebuild()

    def _on_outcome(self, key: str) -> None:
        if self._view == "layer" and key == self._session.layers.current_layer:
            self._rebuild()

    @property
    def none_text(self) -> str:
        """Reason why nothing is listed; "" if something is."""
        return self._none.text()

    def entries(self) -> list[OutlineEntry]:
        """Return the listed entries, in the order of the tree."""
        return [item.data(0, ENTRY) for item in self._items]

    def _rebuild(self) -> None:
        self._is_syncing = True
        scroll = self.tree.verticalScrollBar().value()
        self.tree.clear()
        self._items, self._hot = [], None
        nodes = self._nodes
        none = "Blocks of the open page are listed here." if nodes is None else self._fill(nodes)
        self._none.setText(none)
        self._none.setVisible(bool(none))
        self.tree.setVisible(not none)
        self._count()
        self.tree.expandAll()
        self.tree.verticalScrollBar().setValue(scroll)
        self._is_syncing = False
        self._sync_selection()
        self._sync_candidate()

    @property
    def _nodes(self) -> NodeTable | None:
        page = self._session.open.page
        return page.nodes if page is not None else None

    def _fill(self, nodes: NodeTable) -> str:
        """List the entries; return why there are none."""
        layers, key = self._session.layers, self._session.layers.current_layer
        if self._view == "marks" or key in GOLD_LAYERS:
            marks = self._session.open.gold.marks
            if self._view == "layer":
                marks = tuple(mark for mark in marks if mark.level == GOLD_LAYERS[key])
            self._fill_marks(marks, nodes)
            return "" if marks else "No marks yet. Press 1 or 2 and click a block on the page."
        layer = layers.layer(key)
        if method(key).output == "extraction":
            return f"{layer.title} takes text, not blocks; its text is shaded on the page."
        outcome = layers.outcomes.get(key)
        result = outcome.result if outcome is not None else None
        if not isinstance(result, Segmentation):
            return f"{layer.title} has no blocks to show."
        entries = [
            OutlineEntry(
                each.rows, each.level, each.type, beginning(nodes, each.rows), color=layer.color,
                note=each.reason,
            )
            for each in result.blocks
        ]  # fmt: skip
        self._add_tree(entries, nodes)
        return "" if entries else f"{layer.title} found no blocks on this page."

    def _fill_marks(self, marks: Sequence[Mark], nodes: NodeTable) -> None:
        colors = {layer.key: layer.color for layer in self._session.layers.all}
        findings = self._session.open.remarks
        entries = [
            OutlineEntry(
                tuple(sorted({target.row for target in mark.targets})),
                mark.level,
                mark.shown_type,
                mark.quote[:QUOTE]
                or beginning(nodes, (t.row for t in mark.targets))
                or describe_pictures(nodes, [t.row for t in mark.targets]),
                mark.id,
                mark.state,
                colors[LAYER_OF_LEVEL[mark.level]],
                finding=findings.get(mark.id, ""),
                is_unsure=mark.is_unsure,
                fields=tuple(f"{name}: {value}" for name, value in mark.fields),
            )
            for mark in marks
        ]
        self._add_tree([e for e in entries if e.rows and e.level != MAIN], nodes)
        main = sorted((e for e in entries if e.rows and e.level == MAIN), key=lambda e: e.rows)
        lost = [e for e in entries if not e.rows]
        for title, group in (("Main content", main), ("Lost", lost)):
            if group:
                head = QTreeWidgetItem(self.tree, [f"{title}  {len(group)}"])
                head.setFlags(Qt.ItemFlag.ItemIsEnabled)
                for entry in group:
                    self._add(entry, head)

    def _add_tree(self, entries: Sequence[OutlineEntry], nodes: NodeTable) -> None:
        made: list[QTreeWidgetItem] = []
        for entry, parent in nest_entries(entries, nodes):
            made.append(self._add(entry, made[parent] if parent >= 0 else self.tree))

    def _add(self, entry: OutlineEntry, parent: QTreeWidgetItem | QTreeWidget) -> QTreeWidgetItem:
        item = QTreeWidgetItem(parent)
        item.setData(0, ENTRY, entry)
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, speak_entry(entry))
        item.setToolTip(0, plain(tip_of(entry)))
        self._items.append(item)
        return item

    # input ---------------------------------------------------------------------------------
    def _on_entered(self, item: QTreeWidgetItem) -> None:
        entry = item.data(0, ENTRY)
        row = entry.rows[0] if entry is not None and entry.rows else -1
        self._session.selection.set_candidate(row)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Remove the frame when the mouse leaves the tree."""
        if event.type() == QEvent.Type.Leave:
            self._session.selection.set_candidate(-1)
        return False

    def _on_current(self, item: QTreeWidgetItem | None) -> None:
        entry = item.data(0, ENTRY) if item is not None else None
        if self._is_syncing or entry is None:
            return
        if entry.rows:
            self._host.select_row(entry.rows[0])
        if entry.mark:  # two marks may share a row: the outline has the selected one
            self._session.selection.set_selected((entry.mark,))

    def _on_selected(self) -> None:
        """Select the marks of several lines chosen by Shift or Ctrl."""
        if self._is_syncing:
            return
        entries = [item.data(0, ENTRY) for item in self.tree.selectedItems()]
        marks = [entry.mark for entry in entries if entry is not None and entry.mark]
        if len(marks) > 1:
            self._session.selection.set_selected(marks)

    def context_at(self, at: QPoint | None) -> Context | None:
        """Return the context of the entry at a position; any mouse press has selected it."""
        view = self.tree.viewport()
        if at is not None and not view.rect().contains(view.mapFromGlobal(at)):
            return None if self.tree.isVisible() else Context.OUTLINE
        item = self.tree.currentItem() if at is None else self.tree.itemAt(view.mapFromGlobal(at))
        entry: OutlineEntry | None = item.data(0, ENTRY) if item is not None else None
        if entry is None:
            return Context.OUTLINE
        return of_marks(self._session) if entry.mark else Context.ELEMENT

    # page → tree ---------------------------------------------------------------------------
    def _sync_selection(self) -> None:
        self._is_syncing = True
        selected = set(self._session.selection.selected)
        chosen = [item for item in self._items if item.data(0, ENTRY).mark in selected]
        if chosen:
            if len(selected) < 2 or not chosen[-1].isSelected():
                self.tree.setCurrentItem(chosen[-1])
            for item in self._items:
                item.setSelected(item.data(0, ENTRY).mark in selected)
            self.tree.scrollToItem(chosen[-1])
        elif self._view == "marks":
            self.tree.setCurrentIndex(QModelIndex())
            self.tree.clearSelection()
        self._is_syncing = False
        self.unsure.show_marks(self._session.selection.selected_marks())

    def _sync_candidate(self) -> None:
        nodes, row = self._nodes, self._session.selection.candidate
        hot: QTreeWidgetItem | None = None
        if nodes is not None and row >= 0:
            smallest = len(nodes) + 1
            for item in self._items:
                for own in item.data(0, ENTRY).rows:
                    size = int(nodes.end[own]) - own
                    if nodes.is_inside(row, own) and size <= smallest:
                        hot, smallest = item, size
        if hot is self._hot:
            return
        if self._hot is not None:
            self._hot.setData(0, HOT, False)
        if hot is not None:
            hot.setData(0, HOT, True)
            if not self.tree.underMouse():
                self.tree.scrollToItem(hot)
        self._hot = hot
