"""Finds existing thumbnails on disk in the background, as it reads each page."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.document import Document
from engine.errors import PageletError
from engine.page_cache import Snapshots
from gui.widgets.jobs import Task


class KnownPictures(QObject):
    """Finds stored thumbnails."""

    found = Signal(object)  # dict: page → path of its thumbnail; Signal(dict) requires text keys

    def __init__(self, snapshots: Snapshots, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._snapshots = snapshots
        self._task = Task(self, in_line=True)

    def search(self, documents: Sequence[Document]) -> None:
        """Find the pictures of these pages; a previous search is dropped."""
        self._task.start(partial(_known, self._snapshots, tuple(documents)), self.found.emit)

    def end(self) -> None:
        """Cancel the search."""
        self._task.cancel()


def _known(snapshots: Snapshots, documents: Sequence[Document]) -> dict[int, Path]:
    result = {}
    for page, document in enumerate(documents):
        try:
            path = None if document.is_live else snapshots.find_thumbnail(document)
        except PageletError:
            continue
        if path is not None:
            result[page] = path
    return result
