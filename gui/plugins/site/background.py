"""Background processes of the Site view: comparison of pages, and thumbnails."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.document import Document
from engine.errors import PageletError
from engine.page_cache import Snapshots
from gui.plugins.site.comparison import Compare, PagesRead, comparison_worker
from gui.plugins.site.thumbnailer import Drawn, ThumbnailRequest, thumbnail_worker
from gui.widgets.worker_process import QtWorkerProcess

_MOST_S = 60.0
"""Seconds allowed per picture of a page."""


class SiteComparison(QObject):
    """Comparison of pages in a separate process."""

    progressed = Signal(int)  # pages read
    problem = Signal(str)
    compared = Signal(object)  # Overview
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents: tuple[Document, ...] = ()
        self._has_read = False
        self._worker = QtWorkerProcess(comparison_worker, doing="comparing", parent=self)
        self._worker.progressed.connect(self._on_read)
        self._worker.answered.connect(self.compared)
        self._worker.failed.connect(self._on_failed)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is pending."""
        return self._worker.is_busy

    def compare(self, documents: Sequence[Document], key: str) -> None:
        """Compare these pages; the work for others is dropped."""
        if tuple(documents) != self._documents:
            self.end()
            self._documents = tuple(documents)
        self._worker.hand(Compare(key, None if self._has_read else self._documents))
        self._has_read = True

    def end(self) -> None:
        """End the process; it starts again with the next request."""
        self._has_read = False
        self._worker.end()

    def _on_failed(self, why: str) -> None:
        self._has_read = False
        self.failed.emit(f"the pages could not be compared: {why}")

    def _on_read(self, read: PagesRead) -> None:
        self.progressed.emit(read.count)
        for problem in read.problems:
            self.problem.emit(problem)


def known_pictures(snapshots: Snapshots, documents: Sequence[Document]) -> dict[int, Path]:
    """Return the thumbnails that are stored, by page; reads each page."""
    result = {}
    for page, document in enumerate(documents):
        try:
            path = None if document.is_live else snapshots.find_thumbnail(document)
        except PageletError:
            continue
        if path is not None:
            result[page] = path
    return result


class Thumbnailer(QObject):
    """Renderer of thumbnails, one page after the other, visible pages first."""

    drawn = Signal(object)  # Drawn

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents: tuple[Document, ...] = ()
        self._requested: list[int] = []  # visible pages, then the others
        self._done: set[int] = set()
        self._current = -1
        self._worker = QtWorkerProcess(
            thumbnail_worker, folder, doing="rendering", most=100, seconds=_MOST_S, parent=self
        )
        self._worker.answered.connect(self._take)
        self._worker.failed.connect(self._on_failed)

    def set_documents(self, documents: Sequence[Document], known: Iterable[int] = ()) -> None:
        """Set the pages to draw, except those whose picture is known."""
        self.end()
        self._documents, self._done = tuple(documents), set(known)

    def want(self, pages: Sequence[int]) -> None:
        """Draw these pages next."""
        self._requested = [page for page in pages if page not in self._done]
        if self._requested and self._current < 0:
            self._next()

    def end(self) -> None:
        """End the process; it starts again with the next order."""
        self._current, self._requested = -1, []
        self._worker.end()

    def _next(self) -> None:
        self._current = -1
        while self._requested:
            page = self._requested.pop(0)
            if page not in self._done and not self._documents[page].is_live:
                self._current = page
                self._worker.hand(ThumbnailRequest(page, self._documents[page]))
                return

    def _on_failed(self, why: str) -> None:
        self._take(Drawn(self._current, None, why))

    def _take(self, answer: Drawn) -> None:
        self._done.add(answer.page)
        self.drawn.emit(answer)
        self._next()
