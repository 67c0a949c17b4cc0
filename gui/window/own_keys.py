"""The user's own shortcuts: read when the window is made, changed in a dialog, kept and printed."""

from functools import cached_property
from pathlib import Path

from PySide6.QtWidgets import QWidget

from engine.errors import PageletError
from gui.state.session import Session
from gui.window.action_table import clashes
from gui.window.bound_actions import Actions
from gui.window.key_editor import KeyEditor
from gui.window.keys import Keys, read_keys, write_keys, write_sheet
from gui.window.shortcuts import sections


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
        return KeyEditor(
            self._window, self._actions.usual, lambda: self.keys, self.choose, self.save_sheet
        )

    def change(self) -> None:
        """Show every action with its keys, to change them."""
        self.editor.open_up()

    def choose(self, keys: Keys) -> None:
        """Apply and store other keys."""
        self.keys = dict(keys)
        self._use([])
        try:
            write_keys(self._path, self.keys)
        except PageletError as error:
            self._session.messages.say(
                f"the shortcuts are not saved and hold until Pagelet ends: {error}"
            )

    def ask_sheet(self) -> None:
        """Ask for the file to write all shortcuts to."""
        self.editor.ask_sheet()

    def save_sheet(self, path: Path) -> None:
        """Write all shortcuts as a page to print."""
        write_sheet(path, sections(self._actions.rows))

    def _use(self, problems: list[str]) -> None:
        self._actions.set_keys(self.keys)
        result = clashes(self._actions.rows) if self.keys else []  # the usual ones have none
        messages = [*problems, *(f"keys.json: {clash}" for clash in result)]
        if messages:
            more = (
                f" (and {len(messages) - 1} more: Help → Change shortcuts…)" if messages[1:] else ""
            )
            self._session.messages.say(f"{messages[0]}{more}")
