"""The user's own shortcuts: read when the window is made, changed in a separate view, printed."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QKeySequenceEdit,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import PageletError
from gui.core.action import Action
from gui.state.session import Session
from gui.widgets.controls import search_field
from gui.widgets.file_dialog import file_dialog
from gui.widgets.layouts import lay_out
from gui.widgets.parts import small, tone
from gui.window.action_table import SECTIONS, Actions, clashes, section_of, shown_keys
from gui.window.shortcuts import sections
from gui.window.user_keys import Keys, read_keys, with_keys, write_keys, write_sheet

_NAME = Qt.ItemDataRole.UserRole


class KeyEditor(QWidget):
    """A separate window; changes take effect at once."""

    def __init__(self, parent: QWidget, usual: Sequence[Action], own: "OwnKeys") -> None:
        """``usual`` are the actions with the keys they come with, ``own`` has the user's."""
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Shortcuts – Pagelet")
        self.setObjectName("KeyEditor")
        self.resize(720, 640)
        self._usual, self._own = usual, own
        self.filter = search_field("Find an action or a key", self)
        self.filter.textChanged.connect(lambda _text: self._refresh())
        self.tree = QTreeWidget(self)
        self.tree.setHeaderLabels(["Action", "Keys", "Default keys"])
        self.tree.setRootIsDecorated(False)
        self.tree.setAccessibleName("Actions and their keys")
        self.tree.setColumnWidth(0, 360)
        self.tree.setColumnWidth(1, 150)
        self.tree.currentItemChanged.connect(lambda _now, _before: self._on_current())
        self.edit = QKeySequenceEdit(self, maximumSequenceLength=1)
        self.edit.setAccessibleName("New key")
        self.edit.keySequenceChanged.connect(lambda _keys: self._say_clashes())
        self.apply = self._button("Use this key", lambda: self._take((self._typed(),)))
        self.add = self._button("Add this key", lambda: self._take((*self._now(), self._typed())))
        self.none = self._button("No key", lambda: self._take(()))
        self.usual = self._button("Default", self._take_usual)
        self.all_usual = self._button("Reset all", lambda: self._set({}))
        self.sheet = self._button("Save as a page to print…", self.ask_sheet)
        self.message = small(QLabel("", self, wordWrap=True), 0.95)
        hint, buttons = QLabel("Press the new key:", self), (self.apply, self.add, self.none)
        row = lay_out(QHBoxLayout(), hint, (self.edit, 1), *buttons, self.usual)
        foot = lay_out(QHBoxLayout(), self.all_usual, None, self.sheet)
        parts = (self.filter, (self.tree, 1), row, self.message, foot)
        lay_out(QVBoxLayout(self), *parts, margins=(14, 14, 14, 14), spacing=9)
        self._refresh()

    def _button(self, text: str, act: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.clicked.connect(act)
        return button

    def open_up(self) -> None:
        """Show the window and bring it to the front."""
        self._refresh()
        self.show()
        self.raise_()
        self.activateWindow()
        self.filter.setFocus()

    def choose(self, name: str) -> None:
        for item in self._items():
            if item.data(0, _NAME) == name:
                self.tree.setCurrentItem(item)

    def listed(self) -> list[str]:
        """Return the names of the actions that are listed."""
        return [str(item.data(0, _NAME)) for item in self._items()]

    def _items(self) -> list[QTreeWidgetItem]:
        every = self.tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
        return [item for item in every if item.data(0, _NAME)]

    def _refresh(self) -> None:
        current = self._name()
        words = self.filter.text().casefold().split()
        usual = {action.name: action for action in self._usual}
        self.tree.clear()
        rows = with_keys(self._usual, self._own.keys)
        for section in SECTIONS:
            head = QTreeWidgetItem([section])
            for action in rows:
                if section_of(action) != section:
                    continue
                keys = ", ".join(shown_keys(action))
                texts = f"{section} {action.text} {keys}".casefold()
                if not all(word in texts for word in words):
                    continue
                before = ", ".join(shown_keys(usual[action.name]))
                text = action.text.removesuffix("…")
                item = QTreeWidgetItem(head, [text, keys, before if before != keys else ""])
                item.setData(0, _NAME, action.name)
            if head.childCount():
                self.tree.addTopLevelItem(head)
                head.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.tree.expandAll()
        self.choose(current)
        self._on_current()

    def _name(self) -> str:
        item = self.tree.currentItem()
        return str(item.data(0, _NAME) or "") if item is not None else ""

    def _now(self) -> tuple[str, ...]:
        rows = with_keys(self._usual, self._own.keys)
        return next((action.keys for action in rows if action.name == self._name()), ())

    def _typed(self) -> str:
        return self.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def _on_current(self) -> None:
        self.edit.clear()
        self._say_clashes()

    def _say_clashes(self) -> None:
        name, key = self._name(), self._typed()
        is_chosen = bool(name)
        trouble = self.trouble((key,)) if is_chosen and key else ""
        for button in (self.none, self.usual, self.edit):
            button.setEnabled(is_chosen)
        for button in (self.apply, self.add):
            button.setEnabled(is_chosen and bool(key) and not trouble)
        self._say("" if is_chosen else "Choose an action.", trouble)

    def _say(self, text: str, trouble: str = "") -> None:
        self.message.setText(trouble or text)
        tone(self.message, "warn" if trouble else "muted")

    def trouble(self, keys: tuple[str, ...]) -> str:
        """Return what else keys would mean if the chosen action had them; "" for nothing."""
        name = self._name()
        rows = with_keys(self._usual, {**self._own.keys, name: keys})
        texts = {action.name: action.text.removesuffix("…") for action in rows}
        for clash in clashes(rows):
            key, _, both = clash.partition(": ")
            one, _, other = both.partition(" and ")
            if name in (one, other):
                return f"{key} is “{texts[other if one == name else one]}” already."
        return ""

    def _take(self, keys: tuple[str, ...]) -> None:
        name = self._name()
        if name and not self.trouble(keys):
            self._set({**self._own.keys, name: keys})

    def _take_usual(self) -> None:
        name = self._name()
        usual = next(action.keys for action in self._usual if action.name == name)
        if trouble := self.trouble(usual):
            self._say("", trouble)
        else:
            self._set({each: keys for each, keys in self._own.keys.items() if each != name})

    def _set(self, keys: Mapping[str, tuple[str, ...]]) -> None:
        self._own.choose(keys)
        self._refresh()

    def ask_sheet(self) -> None:
        dialog = file_dialog(self, "Save all shortcuts", str(Path.home()))
        dialog.selectFile("pagelet-shortcuts.pdf")
        dialog.setNameFilters(["PDF (*.pdf)", "Web page (*.html)"])
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("pdf")
        dialog.fileSelected.connect(self._save)
        dialog.open()

    def _save(self, path: str) -> None:
        try:
            self._own.save_sheet(Path(path))
        except PageletError as error:
            self._say("", str(error))
        else:
            self._say(f"Saved {Path(path).name}.")


class OwnKeys:
    """Puts the keys of a file into the actions of a window.

    Attributes:
        keys: What differs from the usual ones.
    """

    def __init__(self, window: QWidget, actions: Actions, session: Session, path: Path) -> None:
        self._window, self._actions, self._session = window, actions, session
        self._path = path
        self.keys, problems = read_keys(path, actions.usual)
        self._use(problems)

    @cached_property
    def editor(self) -> KeyEditor:
        """Dialog of all actions and keys, created on demand."""
        return KeyEditor(self._window, self._actions.usual, self)

    def change(self) -> None:
        """Show every action with its keys, to change them."""
        self.editor.open_up()

    def choose(self, keys: Keys) -> None:
        self.keys = dict(keys)
        self._use([])
        try:
            write_keys(self._path, self.keys)
        except PageletError as error:
            self._session.messages.say(
                f"the shortcuts are not saved and hold until Pagelet ends: {error}"
            )

    def ask_sheet(self) -> None:
        self.editor.ask_sheet()

    def save_sheet(self, path: Path) -> None:
        write_sheet(path, sections(self._actions.rows))

    def _use(self, problems: list[str]) -> None:
        self._actions.set_keys(self.keys)
        result = clashes(self._actions.rows) if self.keys else []  # the usual ones have none
        messages = [*problems, *(f"keys.json: {clash}" for clash in result)]
        if messages:
            more = f" (and {len(messages) - 1} more: Help → Change shortcuts…)" * bool(messages[1:])
            self._session.messages.say(f"{messages[0]}{more}")
