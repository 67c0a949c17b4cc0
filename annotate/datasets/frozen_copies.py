"""Frozen pages that replace their original pages in the list of a workspace."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.datasets.case_files import BesideFiles
from annotate.datasets.opening import OpenedPages
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import PageletError

SETTING = "frozen pages"
"""The setting of a workspace: key of a page → file of the frozen page that represents it."""


def note_copy(workspace: Workspace, origin: Document, path: Path) -> None:
    """Replace a page by its frozen copy in the list; raises `WorkspaceError`."""
    workspace.set_setting(SETTING, {**_noted(workspace), page_key(origin): str(path)})


def with_copies(workspace: Workspace, opened: OpenedPages) -> OpenedPages:
    """Return pages with each that was frozen as it was frozen: one of them, and counted once.

    A page that is opened directly is never replaced, so the original can still be opened.
    """
    noted = _noted(workspace) if len(opened.documents) > 1 else {}
    documents, files = list(opened.documents), list(opened.files)
    for index, document in enumerate(opened.documents if noted else ()):
        path = noted.get(page_key(document))
        if path is not None and is_frozen(Path(path)):
            with suppress(PageletError):
                documents[index] = FrozenFile(Path(path)).document()
                files[index] = BesideFiles(documents[index])
    return replace(opened, documents=tuple(documents), files=tuple(files))


def _noted(workspace: Workspace) -> dict[str, str]:
    stored = None
    with suppress(PageletError):
        stored = workspace.setting(SETTING, {})
    return {str(key): str(path) for key, path in stored.items()} if isinstance(stored, dict) else {}
