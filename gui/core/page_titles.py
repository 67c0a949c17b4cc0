"""Titles of pages before they are opened, read from the files, off the window's thread."""

from collections.abc import Sequence
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, Signal

from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.errors import InputError
from engine.head_title import title_in
from gui.state.session import Session
from gui.widgets.jobs import Task

AT_ONCE = 40
"""Pages that are read before what was found is first shown; each time after that twice as many, for
showing it costs a look at every page of the list."""


class PageTitles(QObject):
    """Reads what local pages of the list call themselves; those on the web wait to be opened."""

    found = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._titles: dict[str, str] = {}
        self._waiting: list[Document] = []
        self._at_once = AT_ONCE
        self._task = Task(self)
        self._over = Event()
        session.documents_changed.connect(self._start)

    def of(self, document: Document) -> str:
        """Return what a page calls itself, as far as that is known; else ""."""
        return self._titles.get(page_key(document), "")

    @property
    def is_busy(self) -> bool:
        """Whether pages are still read."""
        return self._task.is_busy

    def _start(self) -> None:
        self.stop()
        self._waiting = [
            each for each in self._session.documents if not each.is_live and not self.of(each)
        ]
        self._at_once = AT_ONCE
        self._next()

    def _next(self) -> None:
        some, self._waiting = self._waiting[: self._at_once], self._waiting[self._at_once :]
        if some:
            self._at_once *= 2
            self._task.start(partial(_titles, some, self._over), self._on_result)

    def _on_result(self, titles: dict[str, str]) -> None:
        self._titles.update(titles)
        if titles:
            self.found.emit()
        self._next()

    def stop(self) -> None:
        """Stop reading."""
        self._over.set()
        self._over = Event()
        self._task.cancel()


def _titles(documents: Sequence[Document], over: Event) -> dict[str, str]:
    """Return page key → title of those that have one; what cannot be read has none."""
    result = {}
    for document in documents:
        if over.is_set():
            break
        try:
            received = document.receive()
        except InputError:
            continue
        title = title_in(received.data, received.charset)
        if title:
            result[page_key(document)] = title
    return result
