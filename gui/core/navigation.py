"""Navigation: which pages are listed, and which of them is open."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import QObject, QTimer, Signal

from annotate.datasets.cases import Variant
from annotate.datasets.looking.found import NoPages
from annotate.datasets.looking.inspection import look_into
from annotate.datasets.no_pages import takes_all, takes_none
from annotate.datasets.opening import OpenedPages, open_pages, with_copies
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document, plain_document, with_repeatable
from engine.errors import PageletError, WorkspaceBusy
from engine.web import profile
from engine.web.sandbox import sandbox_problem
from engine.words import plural
from gui.core.autosave import RETRY_MS
from gui.core.clock import WorkClock
from gui.core.known_pages import KnownPages
from gui.core.last_opened import last_opened, note_closed, note_open
from gui.core.new_window import open_window
from gui.core.page_session import BUSY, PageSession
from gui.page.canvas import PageCanvas
from gui.state.session import Session
from gui.widgets.events import debounce
from gui.widgets.jobs import Task

AHEAD_MS = 250
"""How long all must be quiet before the next page is read."""

LARGE = 1_000
"""Files from which on a folder is read in the background: 10,000 take a second and more.

Pages stored at a time; the window stays responsive in between.
"""

TAKEN = "files taken as pages"
"""The workspace's setting: keys of files that are no pages and were ticked in the list."""


class Navigation(QObject):
    """Lists the pages of a path, and opens one of them at a time.

    Attributes:
        pages: What is known of the pages without opening them.
        openers: Open files that are not pages, such as results; return True if they did.
        reads_ahead: Whether the next page is read when the window is idle.
        warms_up: Whether a renderer is started then for an unforeseen page.
        takes_all: Whether files of a folder that are no pages are listed as pages, too.
    """

    opened = Signal(str)  # a path or address that holds pages
    refused = Signal(str)  # a page that could not be opened
    looked = Signal(object)  # Found: what a path is that holds no pages

    def __init__(
        self,
        session: Session,
        workspace: Workspace,
        canvas: PageCanvas,
        page_session: PageSession,
        pages: KnownPages,
        clock: WorkClock,
    ) -> None:
        super().__init__(page_session)
        self._session, self._workspace, self._canvas = session, workspace, canvas
        self._page_session, self._saving = page_session, page_session.saving
        self.pages, self._clock = pages, clock
        self._coming = ""  # the path that was asked for last
        self._reading = Task(self)  # of a large folder
        self._has_opened = False  # what the workspace knows as opened last
        self.starts_over = False  # the list has another order, and nobody has opened a page since
        session.open.document_changed.connect(self._go_on)
        self.openers: list[Callable[[str], bool]] = []
        self.reads_ahead = self.warms_up = self.takes_all = False
        self._listed: tuple[str, OpenedPages, Variant] = "", OpenedPages((), ()), "html"
        self.ahead_timer = debounce(self, AHEAD_MS, self._read_ahead)
        page_session.captured.connect(self.ahead_timer.start)
        page_session.refused.connect(self.refused)
        page_session.finished.connect(self.next_page)
        page_session.page_asked.connect(self.open_key)

    # paths -----------------------------------------------------------------------------------
    def open_path(self, path: str, variant: Variant = "html") -> None:
        """Open a file, folder, package or http(s) address, in place of the page list."""
        is_web = _is_web(path)
        if is_web and not profile.may_load(plain_document(path)):
            self._open_online(path)
            return
        if not is_web and any(opener(path) for opener in self.openers):
            self.opened.emit(path)
            return
        if not is_web and _is_workspace(path):
            self.open_workspace(Path(path).expanduser())
            return
        if not self._saving.is_safe():
            return
        self._reading.cancel()
        work = partial(_opened, path, variant, self._takes())
        take = partial(self._take, path, variant)
        if not is_web and _is_large(path):
            self._coming = path
            self._page_session.progress.say("Listing the pages …")
            arrived = partial(self._arrived, take)
            failed = lambda error: arrived(partial(_raise, error))  # noqa: E731
            self._reading.start(work, lambda opened: arrived(lambda: opened), failed)
            return
        take(work)

    def open_last(self) -> bool:
        """Open the last page of the workspace; return whether it exists."""
        last = last_opened(self._workspace)
        if last is None:
            return False
        with suppress(PageletError):  # noted first: reading the list may end the process, too
            note_open(self._workspace, *last)
            self._has_opened = True
        self.open_path(str(last[0]), last[1])
        return True

    def _arrived(
        self, take: Callable[[Callable[[], OpenedPages]], None], read: Callable[[], OpenedPages]
    ) -> None:
        """List the pages read in the background, unless marks of the open page cannot be saved."""
        self._page_session.progress.end()
        if self._saving.is_safe():
            take(read)

    def _take(self, path: str, variant: Variant, read: Callable[[], OpenedPages]) -> None:
        """List the pages of a path, or show why it cannot be opened."""
        try:
            opened = with_copies(self._workspace, read())
        except NoPages as error:
            self._coming = ""
            self.looked.emit(error.found)
        except PageletError as error:
            self._session.messages.say(str(error))
            self.refused.emit(path)
        else:
            self._coming = path
            self._list(path, opened, variant)

    def _takes(self) -> Callable[[Document], bool]:
        """Return which files that are no pages are listed: those that were ticked or are marked."""
        if self.takes_all:
            return takes_all
        try:
            known = {*self._taken(), *self._workspace.marked()}
        except PageletError:
            return takes_none
        return lambda document: page_key(document) in known

    def _taken(self) -> list[str]:
        stored = self._workspace.setting(TAKEN, [])
        return stored if isinstance(stored, list) else []

    def switch_no_page(self, document: Document) -> None:
        """List a file that is no page as one and open it; or leave it out again."""
        path, opened, variant = self._listed
        is_in = document not in opened.documents
        if not self._saving.is_safe():
            return
        with self._session.messages.errors():
            keys, own = set(self._taken()), {page_key(document)}
            keys = keys | own if is_in else keys - own
            self._workspace.set_setting(TAKEN, sorted(keys))
            opened = replace(opened.switched(document, is_in=is_in), problems=())
            shown = document if is_in else self._session.open.document
            self._list(path, opened, variant, shown)

    def _list(
        self, path: str, opened: OpenedPages, variant: Variant, shown: Document | None = None
    ) -> None:
        """Take pages into list and workspace, once no other program is writing to it.

        ``shown`` is the page to open, where it is not the one that was open last in the workspace.
        """
        self._go_through(path, self._listing(path, opened, variant, shown))

    def _go_through(self, path: str, steps: Iterator[int]) -> None:
        """Do steps; each returns how many ms the window runs before the next.

        They end where another data set is opened in the meantime.
        """
        wait = next(steps, None)
        if wait is not None:
            again = partial(self._go_through, path, steps)
            QTimer.singleShot(wait, self, lambda: self._coming == path and again())

    def _listing(
        self, path: str, opened: OpenedPages, variant: Variant, shown: Document | None
    ) -> Iterator[int]:
        documents = opened.documents
        is_long = len(documents) > LARGE
        moved: dict[str, str] = {}
        at = 0
        while at < max(1, len(documents)):
            try:
                with self._workspace.store.waiting(0):
                    if not at:
                        moved = self._workspace.follow_files(documents)
                        if not _is_web(path):
                            note_open(self._workspace, Path(path).expanduser().absolute(), variant)
                            self._has_opened = True
                    self._workspace.add_pages(documents[at : at + LARGE], follows=False)
            except WorkspaceBusy:
                self._page_session.progress.say(BUSY)
                yield RETRY_MS
                continue
            except PageletError as error:
                self._session.messages.say(str(error))
                break
            at += LARGE
            if is_long:
                yield 0
        self._clock.follow(moved)
        self.pages.refresh()
        if is_long:
            yield 0
        self._listed = path, opened, variant
        self._session.set_documents(documents, opened.files, opened.no_pages)
        if is_long:
            yield 0
        if moved:
            pages = plural(len(moved), "page")
            self._session.messages.say(f"{pages} found in a new folder; all marks are kept")
        self._session.messages.say_problems(opened.problems)
        self.opened.emit(path)
        if is_long:
            yield 0
        last = page_key(shown) if shown else self._workspace.last_page
        index = next((i for i, each in enumerate(documents) if page_key(each) == last), 0)
        self.open_document(index)

    def open_workspace(self, path: Path) -> None:
        """Open another workspace in a new window: this window's marks stay in this one."""
        if path.absolute() == self._workspace.path.absolute():
            self._session.messages.say(f"{path.name} is the workspace of this window")
            return
        if open_window("--workspace", str(path)):
            self._session.messages.say(f"{path.name} opens in a new window")
        else:
            self._session.messages.say(
                f"no new window could be started; type: pagelet --workspace {path}"
            )

    def _open_online(self, address: str) -> None:
        """Open a live page in a new window: this process is offline, and stays so."""
        problem = sandbox_problem()
        if problem:
            self._session.messages.say(
                f"live pages need Chromium's sandbox, which is off ({problem}): "
                "start Pagelet with --online --no-sandbox to open them without it"
            )
            return
        if open_window(address, "--workspace", str(self._workspace.path)):
            self._session.messages.say(
                "the page opens in a new window, because this one stays offline"
            )
            self.opened.emit(address)
        else:
            self._session.messages.say(f"no new window could be started; type: pagelet {address}")

    def stop(self) -> None:
        """List and read nothing more: the workspace is closed next."""
        if self._has_opened:
            note_closed(self._workspace)
        self._coming = ""
        self._reading.cancel()
        self.ahead_timer.stop()

    # pages of the list -----------------------------------------------------------------------
    def open_document(self, index: int) -> None:
        """Open a page of the list; none where there is no such, or the open one is not saved."""
        if 0 <= index < len(self._session.documents) and self._saving.is_safe():
            self._page_session.load(self._session.documents[index])

    def open_key(self, key: str) -> bool:
        """Open a page of the list by its key; return whether it is listed."""
        keys = [page_key(each) for each in self._session.documents]
        if key in keys:
            self.open_document(keys.index(key))
        return key in keys

    def open_frozen(self, document: Document, origin: Document) -> None:
        """Replace the open page by its frozen copy, if it is still open."""
        if self._session.open.document == origin:
            self.open_document(self._session.documents.index(document))

    def next_page(self) -> None:
        """Open the next page of those listed; the first of them in an order that is new."""
        listed = list(self._session.listed)
        begins = self.starts_over and listed and listed[0] != self._open_index()
        self.open_document(listed[0] if begins else self._beside(1))

    def _go_on(self) -> None:
        self.starts_over = False

    def previous_page(self) -> None:
        self.open_document(self._beside(-1))

    def reload(self) -> None:
        self.open_document(self._open_index())

    def switch_repeatable(self) -> None:
        """Load the page again: its scripts get real random numbers and date, or fixed ones."""
        index, document = self._open_index(), self._session.open.document
        if document is None or not self._saving.is_safe():
            return
        if not document.scripts:
            self._session.messages.say(
                "the page's scripts are off, so random numbers and date have no effect"
            )
            return
        documents = list(self._session.documents)
        documents[index] = with_repeatable(document, not document.is_repeatable)
        self._session.documents = tuple(documents)
        self.open_document(index)

    def _open_index(self) -> int:
        document, documents = self._session.open.document, self._session.documents
        return documents.index(document) if document in documents else -1

    def _beside(self, way: int) -> int:
        """Return the index of the page listed after the open one, or before it; -1 for none.

        Where the open one is not listed itself, that of the nearest that is.
        """
        here, listed = self._open_index(), list(self._session.listed)
        if here in listed:
            at = listed.index(here) + way
            return listed[at] if 0 <= at < len(listed) else -1
        indices = [index for index in listed if (index - here) * way > 0]
        return (min(indices) if way > 0 else max(indices)) if indices else -1

    def _read_ahead(self) -> None:
        if not (self.reads_ahead or self.warms_up) or self._session.open.page is None:
            return
        if self._page_session.runner.is_running or self._canvas.is_busy:
            self.ahead_timer.start()
            return
        if self.warms_up:
            self._canvas.warm_up()
        if not self.reads_ahead:
            return
        index = self._beside(1)
        self._canvas.prepare(self._session.documents[index] if index >= 0 else None)


def _is_workspace(path: str) -> bool:
    file = Path(path).expanduser()
    return file.is_file() and (file.suffix == ".pagelet" or look_into(file).kind == "workspace")


def _is_web(path: str) -> bool:
    return path.lower().startswith(("http:", "https:"))


def _is_large(path: str) -> bool:
    """Return whether a folder holds `LARGE` files or folders, at any depth."""
    left = LARGE
    for _, folders, names in os.walk(Path(path).expanduser()):
        left -= len(folders) + len(names)
        if left <= 0:
            return True
    return False


def _opened(path: str, variant: Variant, takes: Callable[[Document], bool]) -> OpenedPages:
    """Return the pages of a path, each with the names that the list is made of: they are kept."""
    opened = open_pages(path, variant, takes)
    for document in opened.documents:
        page_key(document)
        _ = document.host
    return opened


def _raise(error: Exception) -> NoReturn:
    raise error
