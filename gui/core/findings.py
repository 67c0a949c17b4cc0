"""FindingsDock: a panel that lists the items of a walk; Decision: a decision on one of them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import QLabel, QListWidgetItem, QVBoxLayout, QWidget

from gui.page.overlay.pieces import PageNumberings
from gui.state.walk import Walk
from gui.widgets.entry_delegate import Entry, EntryDelegate, ItemIndex
from gui.widgets.layouts import Part, lay_out
from gui.widgets.parts import IconButton, PanelDock, hint, small
from gui.widgets.texts import plain
from gui.widgets.theme import Theme
from gui.widgets.walked_list import WalkBar, WalkedList

_DRAW = Qt.ItemDataRole.UserRole + 1
W = TypeVar("W", bound=Walk[Any])


class DecideFinding(QUndoCommand):
    """A decision on a finding; ``decide`` is told to make it, or by undo to take it back."""

    def __init__(self, text: str, decide: Callable[[bool], object]) -> None:
        super().__init__(text)
        self._decide = decide

    def redo(self) -> None:
        self._decide(True)

    def undo(self) -> None:
        self._decide(False)


@dataclass(frozen=True)
class Row:
    """How an item is listed.

    Attributes:
        draw: Returns its entry, in the colours of a theme.
        spoken: Its text for screen readers.
        tip: Its tool tip.
    """

    draw: Callable[[Theme], Entry]
    spoken: str
    tip: str


class FindingsDock(PanelDock, Generic[W]):
    """The items of a walk, an entry each.

    A panel makes its parts in the order in which Tab reaches them: `make_bar`, `make_list`, and
    its own before and between; `arrange` puts them together and fills the list.
    """

    def __init__(self, title: str, name: str, walk: W, parent: QWidget | None) -> None:
        super().__init__(title, name, parent)
        self._walk = walk
        self._listed: tuple[object, ...] = ()

    def hide_findings(self) -> None:
        """Hide the panel and what it draws on the page."""
        self._walk.show(False)

    def make_bar(
        self,
        previous: str,
        following: str,
        first: str,
        *acts: tuple[str, str, Callable[[], object]],
    ) -> None:
        """Make the bar that steps through the list.

        Args:
            previous, following: Tool tips of the buttons that step.
            first: How to reach the first item, shown while none is current.
            acts: Buttons for the current item: icon, tool tip, what it does.
        """
        self._first = first
        self.acts = [IconButton(icon, tip, self) for icon, tip, _ in acts]
        for button, (_, _, act) in zip(self.acts, acts, strict=True):
            button.clicked.connect(act)
        self.bar = WalkBar(previous, following, self, buttons=self.acts)
        self.bar.stepped.connect(self._walk.step)

    def make_text(self, name: str = "", size: float = 0.95) -> QLabel:
        """Return a label of several lines with a name for screen readers."""
        label = small(QLabel("", self), size)
        label.setWordWrap(True)
        label.setAccessibleName(name)
        return label

    def make_list(
        self,
        name: str,
        enter: Callable[[], object] | None = None,
        delete: Callable[[], object] | None = None,
        lines: int = 1,
    ) -> None:
        """Make the list: its name for screen readers, what Enter and Del do, lines of a text."""
        self.list = WalkedList(self, enter, delete)
        self.list.setAccessibleName(name)
        self.list.setItemDelegate(EntryDelegate(_entry, self.list, lines=lines))
        self.list.chosen.connect(self._walk.choose)
        self.none = hint("", self)
        self.none.hide()

    def arrange(
        self,
        *parts: Part | tuple[Part, int],
        margins: tuple[int, int, int, int] = (14, 2, 8, 4),
        spacing: int = 5,
    ) -> QWidget:
        """Put parts above the list, fill it, and follow the walk; return the parts' widget."""
        top = QWidget(self)
        lay_out(QVBoxLayout(top), *parts, margins=margins, spacing=spacing)
        self.body.addWidget(top)
        self.body.addWidget(self.none)
        self.body.addWidget(self.list, 1)
        self._walk.changed.connect(self.refresh)
        self._walk.index_changed.connect(self.show_current)
        self.refresh()
        return top

    def entries(self) -> list[str]:
        """Return the text of each entry for screen readers."""
        return self.list.entries()

    def row(self, item: Any) -> Row:  # noqa: ANN401
        """Return how an item of the walk is listed."""
        raise NotImplementedError

    def position(self) -> str:
        """Return the position in the list in words; "" for none."""
        walk = self._walk
        return f"{walk.index + 1} of {len(walk.items)}" if walk.current is not None else ""

    def refresh(self) -> None:
        """List the items."""
        items = self._walk.items
        with self.list.being_filled():
            if items != self._listed:
                self._listed = items
                self.list.clear()
                for _ in items:
                    QListWidgetItem(self.list)
            for index, item in enumerate(items):
                row, entry = self.row(item), self.list.item(index)
                entry.setData(_DRAW, row.draw)
                entry.setData(Qt.ItemDataRole.AccessibleTextRole, row.spoken)
                entry.setToolTip(plain(row.tip))
        self.show_current()

    def show_none(self, text: str) -> None:
        """Show a text in place of the list; "" for the list."""
        self.none.setText(text)
        self.none.setVisible(bool(text))
        self.list.setVisible(not text)

    def show_current(self) -> None:
        """Make the item of the walk current, and show its position."""
        self.list.show_position(self._walk.index)
        for button in self.acts:
            button.setEnabled(self._walk.current is not None)
        has_items = bool(self._walk.items)
        self.bar.show_position(self.position(), self._first, can_walk=has_items)


def frame_box(rows: Iterable[int], label: str, pieces: PageNumberings) -> dict[str, Any]:
    """Return the frame around the current finding on the page, for a layer of the overlay."""
    return pieces.box(rows, label, fill=0.0, weight=2.0, selected=True)


def _entry(index: ItemIndex, theme: Theme) -> Entry | None:
    draw: Callable[[Theme], Entry] | None = index.data(_DRAW)
    return None if draw is None else draw(theme)
