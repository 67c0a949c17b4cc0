"""Stores the counts for the start page: pages and marked pages of folders and workspaces."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QStandardPaths

from annotate.datasets.cases import VARIANTS, Variant
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import PageletError
from gui.core.navigation import OPENED
from gui.core.workbench import Workbench
from gui.window.open_dialogs import OpenDialogs, is_there


def default_workspace() -> Path:
    """Return where marks are kept unless the user names a file."""
    kind = QStandardPaths.StandardLocation.GenericDataLocation
    return Path(QStandardPaths.writableLocation(kind)) / "pagelet" / "marks.pagelet"


def last_opened(workspace: Workspace) -> tuple[Path, Variant] | None:
    """Return the last opened path of a workspace, and its variant; None if it is gone.

    One of an older version knows its last page alone: then that is the folder of the page.
    """
    stored = _stored(workspace)
    if stored:
        path = Path(stored["path"])
        variant: Variant = next((v for v in VARIANTS if v == stored.get("variant")), "html")
        if path.is_absolute() and path.exists():
            return path, variant
    page = Path(workspace.last_page)
    return (page.parent, "html") if page.is_absolute() and page.is_file() else None


def gone_path(workspace: Workspace) -> str:
    """Return the path that was opened last in a workspace if it is gone, else ""."""
    path = str(_stored(workspace).get("path", ""))
    return path if path and not is_there(path) else ""


def _stored(workspace: Workspace) -> dict[str, Any]:
    try:
        stored = workspace.setting(OPENED)
    except PageletError:
        return {}
    is_whole = isinstance(stored, dict) and isinstance(stored.get("path"), str)
    return stored if is_whole else {}


class RecentCounts(QObject):
    """Counts when other pages are opened and when the window closes.

    Args:
        workbench: Whose pages are counted.
        dialogs: What remembers them.
    """

    def __init__(self, workbench: Workbench, dialogs: OpenDialogs) -> None:
        super().__init__(workbench)
        self._workbench, self._dialogs = workbench, dialogs
        self._usual = default_workspace()  # opens by itself, so nobody needs it offered
        self._address = ""  # of what is open
        self._documents: tuple[Document, ...] = ()  # of that
        workbench.navigation.opened.connect(self._on_opened)

    def _on_opened(self, address: str) -> None:
        self.store()  # what was open before
        path = self._workbench.workspace.path
        if path != self._usual:
            self._dialogs.remember(str(path))
        self._address = self._dialogs.remember(address)
        self._documents = self._workbench.session.documents
        self.store()

    def stop(self) -> None:
        """Stop counting: the workspace is about to be closed."""
        self._address = ""

    def store(self) -> None:
        """Count the open folder and the workspace; one that cannot be read stays as it was."""
        workspace, documents = self._workbench.workspace, self._documents
        if not self._address:
            return
        try:
            marked, known = workspace.marked().keys(), workspace.pages()
        except PageletError:
            return
        own = sum(page_key(document) in marked for document in documents)
        self._dialogs.count(self._address, len(documents), own)
        if workspace.path != self._usual:
            self._dialogs.count(str(workspace.path), len(known), len(marked))
