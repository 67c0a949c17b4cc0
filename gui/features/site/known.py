"""Looks which pages have a picture on disk already; off the window's thread, it reads each page."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QThreadPool, Signal

from engine.document import Document
from engine.errors import PageletError
from engine.page_cache import Snapshots
from gui.widgets.jobs import Job


class KnownPictures(QObject):
    """Finds kept thumbnails."""

    found = Signal(object)  # dict: page → where its thumbnail is; Signal(dict) wants text keys

    def __init__(self, snapshots: Snapshots, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._snapshots = snapshots
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._job: Job | None = None

    def look(self, documents: Sequence[Document]) -> None:
        """Look for the pictures of these pages; what was looked for before is dropped."""
        self.end()
        wanted = tuple(documents)
        self._job = Job(lambda: _known(self._snapshots, wanted), self)
        self._job.done.connect(self._on_done)
        self._job.start(self._pool)

    def end(self) -> None:
        """Drop what is looked for."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _on_done(self, paths: dict[int, Path]) -> None:
        self._job = None
        self.found.emit(paths)


def _known(snapshots: Snapshots, documents: Sequence[Document]) -> dict[int, Path]:
    found = {}
    for page, document in enumerate(documents):
        try:
            path = None if document.is_live else snapshots.find_thumbnail(document)
        except PageletError:
            continue
        if path is not None:
            found[page] = path
    return found
