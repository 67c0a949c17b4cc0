"""State of the listed pages without opening them: how far each is, and its title."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, Signal

from annotate.workspace.page_search import NO_FACTS, PageClues, facts_of_pages
from annotate.workspace.page_tags import Tags, tags_of
from annotate.workspace.workspace import PageEntry, PageStatus, Workspace, page_key
from engine.document import Document, title_in
from engine.errors import InputError
from engine.words import shorten
from gui.state.session import Session
from gui.widgets.jobs import Task

AT_ONCE = 40
"""Pages read before the result is first shown; the number doubles after each time, since showing it
goes through every page of the list."""


class PageTitles(QObject):
    """Reads what local pages of the list call themselves; those on the web wait to be opened."""

    found = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._titles: dict[str, str] = {}
        self._waiting: list[Document] = []
        self._task, self._over, self._at_once = Task(self), Event(), AT_ONCE
        session.documents_changed.connect(self._start)

    def of(self, document: Document) -> str:
        """Return what a page calls itself, as far as that is known; else ""."""
        return self._titles.get(page_key(document), "")

    @property
    def is_busy(self) -> bool:
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
        self._over.set()
        self._over = Event()
        self._task.cancel()


def _titles(documents: Sequence[Document], over: Event) -> dict[str, str]:
    """Return page key → title of those that have one; what cannot be read has none."""
    result = {}
    for document in documents:
        if over.is_set():
            break
        with suppress(InputError):
            received = document.receive()
            if title := title_in(received.data, received.charset):
                result[page_key(document)] = title
    return result


class KnownPages(QObject):
    """Answers from memory; `refresh` reads the workspace again.

    Attributes:
        remarks: Key of a page → a line on it, by which it is found, too.
        assigned: Gives the keys of the pages that who works is to mark; None where nobody assigns.
    """

    changed = Signal()

    def __init__(self, session: Session, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._workspace = session, workspace
        self.remarks: Mapping[str, str] = {}
        self.assigned: Callable[[], frozenset[str]] | None = None
        self._entries: dict[str, PageEntry] = {}
        self._done: frozenset[str] = frozenset()
        self._tags: Tags = {}
        self._facts: Mapping[str, PageClues] | None = None  # read when somebody looks for pages
        self._assigned: frozenset[str] = frozenset()  # keys of those who works is to mark
        self.titles = PageTitles(session, self)
        self.titles.found.connect(self.changed)

    def status(self, document: Document) -> str:
        """Return ``new`` or a `PageStatus`; ``question``, too, where one waits for an answer."""
        entry = self._entries.get(page_key(document))
        own = _status_of(entry)
        return "question" if own != "done" and _has_question(entry) else own

    def own_status(self, document: Document) -> str:
        """Return ``new`` or the `PageStatus` that was set, whoever asks questions."""
        return _status_of(self._entries.get(page_key(document)))

    def count_done(self, documents: Sequence[Document]) -> int:
        return sum(page_key(each) in self._done for each in documents) if self._done else 0

    def has_question(self, document: Document) -> bool:
        """Return whether a question waits for an answer, also where the page is done."""
        return _has_question(self._entries.get(page_key(document)))

    def facts(self, document: Document) -> PageClues:
        """Return what a page can be found by: types of its marks, comments, its score."""
        if self._facts is None:
            self._facts = {}
            with self._session.messages.errors():
                self._facts = facts_of_pages(self._workspace)
        return self._facts.get(page_key(document), NO_FACTS)

    def tags(self, document: Document) -> tuple[str, ...]:
        """Return the tags of a page, sorted."""
        return self._tags.get(page_key(document), ())

    def remark(self, document: Document) -> str:
        """Return the remark on a page; "" for none."""
        return self.remarks.get(page_key(document), "")

    @property
    def all_tags(self) -> list[str]:
        """The tags of all pages of the workspace, sorted."""
        return sorted({tag for tags in self._tags.values() for tag in tags})

    def is_assigned(self, document: Document) -> bool:
        """Return whether who works is to mark a page."""
        return page_key(document) in self._assigned

    def title(self, document: Document) -> str:
        """Return what a page calls itself; its name as long as that is not known."""
        entry = self._entries.get(page_key(document))
        stored_title = entry.title if entry is not None else ""
        return shorten(self.titles.of(document) or stored_title or document.name)

    def title_of(self, key: str) -> str:
        """Return the title of a listed page by its key; "" for any other."""
        listed = (each for each in self._session.documents if page_key(each) == key)
        return next(map(self.title, listed), "")

    def refresh(self) -> None:
        """Look again at what the workspace knows."""
        with self._session.messages.errors():
            entries = self._workspace.pages()
            self._assigned = self.assigned() if self.assigned else frozenset()
            self._entries = {entry.key: entry for entry in entries}
            self._tags = tags_of(self._workspace)
            self._done = frozenset(e.key for e in entries if _status_of(e) == "done")
            self._facts = None
            self.changed.emit()


def _status_of(entry: PageEntry | None) -> str:
    if entry is None or not (entry.visited or entry.status is not PageStatus.OPEN):
        return "new"
    return str(entry.status)


def _has_question(entry: PageEntry | None) -> bool:
    return entry is not None and (entry.questions > 0 or entry.status is PageStatus.QUESTION)
