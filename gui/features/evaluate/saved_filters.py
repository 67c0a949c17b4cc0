"""Filters of the table saved by name in the workspace; each change of them can be undone."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from annotate.evaluation.tables.axes import Column
from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from gui.core.findings import DecideFinding
from gui.features.evaluate.filtering import ANY, EVERY, PageFilter
from gui.state.session import Session
from gui.state.undo import WorkHistory
from gui.widgets.controls import push_button
from gui.widgets.layouts import lay_out
from gui.widgets.walked_list import WalkedList

SETTING = "evaluate filters"
"""Workspace setting: name → conditions."""

Filters = Mapping[str, PageFilter]
_MOST_ROWS, _ROW = 6, 24


def stored_filters(workspace: Workspace) -> dict[str, PageFilter]:
    """Return the saved filters by name; damaged ones are left out."""
    stored: object = None
    with suppress(PageletError):
        stored = workspace.setting(SETTING, {})
    items = stored.items() if isinstance(stored, dict) else ()
    read = {name: _read(conditions) for name, conditions in items}
    return {name: each for name, each in sorted(read.items()) if each is not None}


def put_filters(workspace: Workspace, filters: Filters) -> None:
    """Save filters in place of those that are saved; raises `WorkspaceError`."""
    workspace.set_setting(SETTING, {name: asdict(each) for name, each in filters.items()})


def _read(stored: object) -> PageFilter | None:
    match stored:
        case {
            "words": list(words), "of": of, "status": int() | None as status,
            "low": int() | float() as low, "high": int() | float() as high,
            "type": str(kind), "tag": str(tag), "excludes": bool(excludes),
        }:  # fmt: skip
            asked: str | Column = EVERY if of == EVERY else ANY
            if isinstance(of, dict):
                with suppress(TypeError):
                    asked = Column(**of)
            return PageFilter(
                tuple(map(str, words)), asked, status, low, high, kind, tag, excludes=excludes
            )
    return None


class SavedFilters(QWidget):
    """List of saved filters: a click applies one, buttons save, rename and remove."""

    applied = Signal(object)  # PageFilter

    def __init__(self, session: Session, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._workspace = session, workspace
        self.current: Callable[[], PageFilter] = PageFilter
        self.filters = stored_filters(workspace)
        self.list = WalkedList(self, delete=self.remove)
        self.list.setAccessibleName("Saved filters; a click lists their pages")
        self.list.itemClicked.connect(lambda _: self.apply())
        self.list.itemActivated.connect(lambda _: self.apply())
        self.list.chosen.connect(self._show_name)
        self.name = QLineEdit(self)
        self.name.setPlaceholderText("Name of these filters")
        self.name.setAccessibleName("Name of these filters")
        self.name.returnPressed.connect(self.save)
        self.name.textChanged.connect(lambda _: self.refresh())
        self.buttons = [
            push_button(text, self, act)
            for text, act in (("Save", self.save), ("Rename", self.rename), ("Remove", self.remove))
        ]
        row = lay_out(QHBoxLayout(), (self.name, 1), *self.buttons, spacing=4)
        lay_out(QVBoxLayout(self), self.list, row, spacing=6)
        self._fill()

    @property
    def chosen(self) -> str:
        """Name of the current entry; "" for none."""
        item = self.list.currentItem() if self.list.currentRow() >= 0 else None
        return item.text() if item is not None else ""

    def apply(self) -> None:
        """List the pages of the current entry."""
        if self.chosen:
            self.applied.emit(self.filters[self.chosen])

    def save(self) -> None:
        """Save the conditions that hold by the typed name."""
        if self._typed and self.current() != PageFilter():
            after = {**self.filters, self._typed: self.current()}
            self._change(f"save the filter “{self._typed}”", after, self._typed)

    def rename(self) -> None:
        """Give the current entry the typed name."""
        old, new = self.chosen, self._typed
        if old and new and new != old:
            after = {new if name == old else name: each for name, each in self.filters.items()}
            self._change(f"rename the filter “{old}” to “{new}”", after, new)

    def remove(self) -> None:
        """Remove the current entry."""
        if old := self.chosen:
            after = {name: each for name, each in self.filters.items() if name != old}
            self._change(f"remove the filter “{old}”", after, "")

    @property
    def _typed(self) -> str:
        return " ".join(self.name.text().split())

    def _change(self, text: str, after: Filters, name: str) -> None:
        put = partial(self._put, dict(self.filters), after, f"{text}: Ctrl+Z takes it back", name)
        self._session.get(WorkHistory).push(DecideFinding(text, put))

    def _put(self, before: Filters, after: Filters, said: str, name: str, is_done: bool) -> None:
        with self._session.messages.errors("not saved: "):
            put_filters(self._workspace, after if is_done else before)
            if is_done:
                self._session.messages.say(said)
        self.filters = stored_filters(self._workspace)
        self._fill(name if is_done else "")

    def _fill(self, name: str = "") -> None:
        with self.list.being_filled():
            self.list.clear()
            self.list.addItems([*self.filters])
            for row in range(self.list.count()):
                item = self.list.item(row)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, item.text())
        names = [*self.filters]
        self.list.show_position(names.index(name) if name in names else -1)
        self.list.setFixedHeight(_ROW * min(len(names), _MOST_ROWS) + 4)
        self.list.setVisible(bool(names))
        self.refresh()

    def _show_name(self, _row: int) -> None:
        self.name.setText(self.chosen)

    def refresh(self) -> None:
        """Offer what can be done with the conditions that hold now."""
        can_save = bool(self._typed) and self.current() != PageFilter()
        can_rename = bool(self.chosen and self._typed) and self._typed != self.chosen
        states = (can_save, can_rename, bool(self.chosen))
        for button, is_on in zip(self.buttons, states, strict=True):
            button.setEnabled(is_on)
