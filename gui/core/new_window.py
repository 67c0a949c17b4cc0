"""New windows: of another file or page, and in place of this one after damage to its workspace."""

import sqlite3

from PySide6.QtCore import QObject, QProcess, Signal

import resources
from annotate.workspace import backups
from annotate.workspace.backups import Backup
from annotate.workspace.replaced_file import bring_along
from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from engine.interpreter import python
from gui.core.autosave import Autosave
from gui.state.session import Session


def open_window(*words: str) -> bool:
    """Open another window, given words of ``pagelet open``; return whether it could be started."""
    program, *arguments = python("-m", "gui.cli.main", "open", *words)
    return QProcess.startDetached(program, arguments)[0]


class Restoring(QObject):
    """Continues in a new window: with a backup, or with the file that replaced the workspace.

    Attributes:
        backup: The last one that is whole, where the workspace is damaged; else None.
    """

    restarted = Signal()  # this window's workspace is set aside: it can go

    def __init__(
        self, session: Session, workspace: Workspace, saving: Autosave, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._workspace, self._saving = session, workspace, saving
        is_damaged = workspace.store.is_partial
        self.backup = backups.newest(workspace.path) if is_damaged else None

    @property
    def question(self) -> str:
        """The pending question; "" where nothing can be restored."""
        return f"the workspace is damaged; {self.backup.summary}" if self.backup else ""

    def take(self) -> None:
        """Continue with the backup; the damaged file is kept beside it."""
        if self.backup is None:
            return
        try:
            aside = backups.take(self._workspace.path, self.backup)
        except (sqlite3.Error, OSError, PageletError) as error:
            self._session.messages.say(f"the backup could not be taken: {error}")
            return
        self.backup = None
        self._go_on(f"the backup is taken, start Pagelet again; {aside.name} is kept")

    def put_back(self, backup: Backup) -> None:
        """Continue with an earlier state; the present one becomes a backup."""
        try:
            kept = backups.put_back(self._workspace.path, backup)
        except (sqlite3.Error, OSError, PageletError) as error:
            self._session.messages.say(f"the backup could not be taken: {error}")
            return
        self._go_on(f"the backup is taken, start Pagelet again; {kept.name} has what was here")

    def reopen(self) -> None:
        """Continue with the file that has replaced the workspace; it gets the unsaved marks."""
        if self._saving.is_moved:
            with self._session.messages.errors("not opened again: "):
                aside = bring_along(self._workspace, self._saving.unsaved())
                copy = f"; what was open is in {aside.name}" if aside is not None else ""
                self._go_on(f"your marks are saved, start Pagelet again{copy}")

    def _go_on(self, otherwise: str) -> None:
        """Open a window on the file to replace this one; show a message if none opens."""
        document = self._session.open.document
        page = document.full_path if document is not None else str(resources.path("corpus"))
        if open_window(page, "--workspace", str(self._workspace.path)):
            self.restarted.emit()
        else:
            self._session.messages.say(otherwise)
