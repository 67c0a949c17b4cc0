"""Dialogs that ask for a page, folder or address; drops; recent data sets."""

import json
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QSettings, QStandardPaths, Signal
from PySide6.QtWidgets import QMenu, QWidget

from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.errors import PageletError
from engine.words import plural
from gui.core.workbench import Workbench
from gui.widgets.empty_state import RecentEntry
from gui.widgets.file_dialog import FileDialogs
from gui.widgets.quick_pick import Choice, QuickPick
from resources import path as resource

RECENT = 12
"""Addresses that are remembered."""

_HOST = re.compile(r"(localhost|(?:[\w-]+\.)+[\w-]+)(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)
_FILES = frozenset(
    "csv gz htm html json jsonl mht mhtml pagelet pages txt warc wacz xhtml xml zip".split()
)
"""Endings of files, which no host's name has: who types one means a file that is not there."""


class OpenDialogs(QObject):
    """Asks what to open; who listens opens it."""

    open_requested = Signal(str)  # a path or address

    def __init__(
        self, window: QWidget, field: QuickPick, files: FileDialogs, settings: QSettings
    ) -> None:
        super().__init__(window)
        self._field, self._files, self._settings = field, files, settings

    def open_file(self) -> None:
        kinds = (
            "All files (*);;"
            "Pages and archives (*.html *.htm *.xhtml *.html.gz *.orig *.zip *.mhtml *.mht *.wacz "
            "*.warc *.warc.gz);;Workspaces (*.pagelet)"
        )
        self._files.open("Open a page or package", kinds, self._chosen)

    def open_folder(self) -> None:
        self._files.open_folder("Open a folder of pages", self._chosen)

    def open_results(self) -> None:
        self._files.open_folder("Open the folder of an evaluation (scores.csv)", self._chosen)

    def open_address(self) -> None:
        title, choices = "Open an address, file or folder", list(map(Choice, self.recent()))
        self._field.ask(title, "https://…  or a path", self._typed, choices, is_whole=is_there)

    def open_recent(self) -> None:
        choices = [
            Choice(each.address, each.problem or each.progress, is_off=bool(each.problem))
            for each in self.entries()
        ]
        opens = self.open_requested.emit
        self._field.ask("Open recent", "Part of its name", opens, choices, is_whole=is_there)

    def fill_recent(self, menu: QMenu) -> None:
        """Fill a menu with the recent entries."""
        menu.clear()
        for each in self.entries():
            action = menu.addAction(f"{each.address}    {each.problem or each.progress}".strip())
            action.setEnabled(not each.problem)
            action.triggered.connect(partial(self.open_requested.emit, each.address))
        if menu.isEmpty():
            menu.addAction("Nothing opened yet").setEnabled(False)

    def open_sample(self) -> None:
        """Open the pages that come with Pagelet."""
        self.open_requested.emit(str(resource("corpus")))

    def recent(self) -> list[str]:
        saved = self._settings.value("recent", [])
        return [str(each) for each in saved] if isinstance(saved, list) else [str(saved)]

    def entries(self) -> tuple[RecentEntry, ...]:
        """Return the recent entries with their progress, and the missing ones."""
        counts = self._counts()
        return tuple(_entry(address, counts.get(address)) for address in self.recent())

    def count(self, address: str, pages: int, marked: int) -> None:
        """Store the numbers of pages and of marked pages of an entry."""
        recent = {*self.recent(), address}
        counts = {key: each for key, each in self._counts().items() if key in recent}
        self._settings.setValue("recent counts", json.dumps({**counts, address: [pages, marked]}))

    def _counts(self) -> dict[str, list[int]]:
        try:
            stored = json.loads(str(self._settings.value("recent counts", "{}")))
        except ValueError:
            return {}
        return {
            key: each
            for key, each in (stored.items() if isinstance(stored, dict) else ())
            if isinstance(each, list) and len(each) == 2 and all(type(n) is int for n in each)
        }

    def _chosen(self, chosen: str) -> None:
        self._files.remember(chosen)
        self.open_requested.emit(chosen)

    def _typed(self, text: str) -> None:
        self.open_requested.emit(whole_address(text))

    def remember(self, address: str) -> str:
        """Add an entry at the top of the recent ones; return the address it is offered by."""
        if address == str(resource("corpus")):
            return ""  # it has its own menu entry
        path = Path(address).expanduser()
        address = str(path.absolute()) if path.exists() else address
        recent = [address, *(each for each in self.recent() if each != address)][:RECENT]
        self._settings.setValue("recent", recent)
        return address

    def forget(self, address: str) -> None:
        """Remove an entry that could not be opened."""
        self._settings.setValue("recent", [each for each in self.recent() if each != address])


def _entry(address: str, counts: Sequence[int] | None) -> RecentEntry:
    pages, marked = counts or (0, 0)
    progress = f"{marked} of {plural(pages, 'page')} marked" if pages else ""
    return RecentEntry(address, progress, "" if is_there(address) else "no longer there")


def is_there(text: str) -> bool:
    """Return whether a typed text is a complete address: a file or folder there is, or a URL."""
    if text.lower().startswith(("http://", "https://")):
        return True
    try:
        return Path(text).expanduser().exists()
    except (OSError, ValueError, RuntimeError):  # a text no path can be
        return False


def whole_address(text: str) -> str:
    """Return the typed address, with a scheme if it is a host name."""
    match = _HOST.fullmatch(text.strip())
    if match is None or is_there(text) or match[1].rpartition(".")[2].lower() in _FILES:
        return text
    is_own = match[1].lower() == "localhost" or match[1].replace(".", "").isdigit()
    return f"{'http' if is_own else 'https'}://{text.strip()}"


def dropped_path(data: QMimeData) -> str:
    """Return the first file, folder or web address of a drag; "" if there is none."""
    for url in data.urls():
        if url.isLocalFile():
            return url.toLocalFile()
        if url.scheme() in ("http", "https"):
            return url.toString()
    text = data.text().strip() if data.hasText() else ""
    return text if text.startswith(("http://", "https://")) and " " not in text else ""


def default_workspace() -> Path:
    """Return where marks are kept unless the user names a file."""
    kind = QStandardPaths.StandardLocation.GenericDataLocation
    return Path(QStandardPaths.writableLocation(kind)) / "pagelet" / "marks.pagelet"


class RecentCounts(QObject):
    """Counts when other pages are opened and when the window closes.

    Args:
        workbench: Whose pages are counted.
        dialogs: What remembers them.
    """

    def __init__(self, workbench: Workbench, dialogs: OpenDialogs) -> None:
        super().__init__(workbench)
        self._workbench, self._dialogs = workbench, dialogs
        self._usual = default_workspace()  # opened automatically, so it is not offered
        self._address = ""  # of the open data set or page
        self._documents: tuple[Document, ...] = ()  # of that
        workbench.navigation.opened.connect(self._on_opened)

    def _on_opened(self, address: str) -> None:
        self.store()  # the folder open before
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
            marked = workspace.marked().keys()
            known = workspace.page_count if workspace.path != self._usual else 0
        except PageletError:
            return
        own = sum(page_key(document) in marked for document in documents)
        self._dialogs.count(self._address, len(documents), own)
        if workspace.path != self._usual:
            self._dialogs.count(str(workspace.path), known, len(marked))
