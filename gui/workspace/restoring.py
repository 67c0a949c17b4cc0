"""A damaged workspace is open for reading: its last backup is offered in its stead."""

import sqlite3

from PySide6.QtCore import QObject, QProcess, Signal

import resources
from annotate import backups
from annotate.workspace import Workspace
from engine.interpreter import python
from gui.state.session import Session


class Restoring(QObject):
    """Puts a backup in the stead of the workspace and goes on with it in a new window.

    Attributes:
        backup: The last one that is whole, where the workspace is damaged; else None.
    """

    restarted = Signal()  # this window's workspace is set aside: it can go

    def __init__(self, session: Session, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._workspace = session, workspace
        is_damaged = workspace.store.is_partial
        self.backup = backups.newest(workspace.path) if is_damaged else None

    @property
    def question(self) -> str:
        """What is asked; "" where nothing can be restored."""
        return f"the workspace is damaged; {self.backup.summary}" if self.backup else ""

    def take(self) -> None:
        """Go on with the backup; the damaged file is kept beside it."""
        if self.backup is None:
            return
        path = self._workspace.path
        try:
            aside = backups.take(path, self.backup)
        except (sqlite3.Error, OSError) as error:
            self._session.say(f"the backup could not be taken: {error}")
            return
        self.backup = None
        document = self._session.document
        page = document.full_path if document is not None else str(resources.path("corpus"))
        program, *words = python("-m", "gui.cli.main", "open", page, "--workspace", str(path))
        if QProcess.startDetached(program, words)[0]:
            self.restarted.emit()
        else:
            self._session.say(f"the backup is taken, start Pagelet again; {aside.name} is kept")
