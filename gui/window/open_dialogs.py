"""Ways to say what to open or save: file choosers that do not block, an address field, drops."""

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from PySide6.QtCore import QMimeData, QObject, QSettings, Signal, SignalInstance
from PySide6.QtWidgets import QFileDialog, QWidget

from annotate.marks.gold_file import gold_path
from engine.document import Document
from gui.pictures.saving import KINDS
from gui.state.session import Session
from gui.widgets.file_dialog import file_dialog
from gui.window.quick_pick import Choice, QuickPick
from resources import path as resource

_FIRST = ("index", "default", "home")
"""What first pages are called: their folder says more."""

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
    picture_requested = Signal(str)  # a path to write to
    page_requested = Signal(str)  # a path to write to
    gold_requested = Signal(str)  # a path to write to
    merge_requested = Signal(str)  # the path of a workspace

    def __init__(
        self, window: QWidget, field: QuickPick, settings: QSettings, session: Session
    ) -> None:
        super().__init__(window)
        self._window, self._field, self._settings = window, field, settings
        self._session = session

    def open_file(self) -> None:
        """Let the user choose a page or package."""
        kinds = (
            "Pages and packages (*.html *.htm *.xhtml *.html.gz *.orig *.zip *.wacz);;All files (*)"
        )
        dialog = self._dialog("Open a page or package", kinds)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._chosen)
        dialog.open()

    def open_folder(self) -> None:
        """Let the user choose a folder of pages."""
        dialog = self._dialog("Open a folder of pages", "")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._chosen)
        dialog.open()

    def open_results(self) -> None:
        """Let the user choose a folder that an evaluation was written to."""
        dialog = self._dialog("Open the folder of an evaluation (scores.csv)", "")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._chosen)
        dialog.open()

    def open_address(self) -> None:
        """Let the user type an address or path."""
        choices = [Choice(address) for address in self.recent()]
        self._field.ask(
            "Open an address, file or folder",
            "https://…  or a path",
            self._typed,
            choices,
            is_whole=is_there,
        )

    def open_sample(self) -> None:
        """Open the pages that come with Pagelet."""
        self.open_requested.emit(str(resource("corpus")))

    def export_picture(self, kinds: Sequence[str] = ("png",)) -> None:
        """Let the user choose where the picture goes, and of which kind it is."""
        name = f"{self._page_name()}.{kinds[0]}"
        self._save("Save a picture of the page", "Pictures", kinds, self.picture_requested, name)

    def export_page(self) -> None:
        """Let the user choose where the page with its layers goes, and as what."""
        name = f"{self._page_name()}-layers.{KINDS[0]}"  # never that of the page itself
        self._save("Save the page with its layers", "Pages", KINDS, self.page_requested, name)

    def export_gold(self) -> None:
        """Let the user choose where the marks go: beside the page they come with it next time."""
        document = self._session.document
        if document is None:
            return
        beside = Path(document.path or document.name)
        name = gold_path(document.root / beside if document.root else beside).name
        folder = document.root / beside.parent if document.root else None
        kinds, whole = ("gold.json",), str(folder / name) if folder else name
        self._save("Save the marks of the page", "Gold files", kinds, self.gold_requested, whole)

    def _page_name(self) -> str:
        document = self._session.document
        return file_name(document) if document is not None else "page"

    def merge(self) -> None:
        """Let the user choose the workspace whose marks are put beside those here."""
        dialog = self._dialog("Merge marks of a workspace", "Workspaces (*.pagelet);;All files (*)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.merge_requested)
        dialog.open()

    def recent(self) -> list[str]:
        """Return what was opened last, newest first."""
        saved = self._settings.value("recent", [])
        return [str(each) for each in saved] if isinstance(saved, list) else [str(saved)]

    def _save(
        self,
        title: str,
        kind: str,
        suffixes: Sequence[str],
        chosen: SignalInstance,
        name: str,
    ) -> None:
        patterns = " ".join(f"*.{suffix}" for suffix in suffixes)
        dialog = self._dialog(title, f"{kind} ({patterns})")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffixes[0])
        dialog.selectFile(name)
        dialog.fileSelected.connect(chosen)
        dialog.open()

    def _dialog(self, title: str, kinds: str) -> QFileDialog:
        folder = str(self._settings.value("folder", str(Path.home())))
        return file_dialog(self._window, title, folder, kinds)

    def _chosen(self, chosen: str) -> None:
        self._settings.setValue("folder", str(Path(chosen).parent))
        self.open_requested.emit(chosen)

    def _typed(self, text: str) -> None:
        self.open_requested.emit(whole_address(text))

    def remember(self, address: str) -> None:
        """Put what was opened first among what is offered to be opened again."""
        if address == str(resource("corpus")):
            return  # a menu entry of its own
        path = Path(address).expanduser()
        address = str(path.absolute()) if path.exists() else address
        recent = [address, *(each for each in self.recent() if each != address)][:RECENT]
        self._settings.setValue("recent", recent)

    def forget(self, address: str) -> None:
        """Offer no more what could not be opened."""
        self._settings.setValue("recent", [each for each in self.recent() if each != address])


def file_name(document: Document) -> str:
    """Return what a file made of a page may be called, without its ending."""
    address = urlsplit(document.url)
    path = PurePosixPath(
        unquote(address.path) if document.is_live else document.path or document.name
    )
    host = address.hostname if document.is_live else ""
    names = [path.stem, path.parent.name, host or ""]
    found = next((name for name in names if name.strip("/") and name.lower() not in _FIRST), "page")
    return re.sub(r"[^\w.-]+", "-", found).strip("-.")[:80] or "page"


def is_there(text: str) -> bool:
    """Tell whether a typed text is all of an address: a file or folder there is, or a URL."""
    if text.lower().startswith(("http://", "https://")):
        return True
    try:
        return Path(text).expanduser().exists()
    except (OSError, ValueError, RuntimeError):  # a text no path can be
        return False


def whole_address(text: str) -> str:
    """Return what was typed, with its scheme if it is a host's name as browsers take it."""
    found = _HOST.fullmatch(text.strip())
    if found is None or is_there(text) or found[1].rpartition(".")[2].lower() in _FILES:
        return text
    is_own = found[1].lower() == "localhost" or found[1].replace(".", "").isdigit()
    return f"{'http' if is_own else 'https'}://{text.strip()}"


def dropped_path(data: QMimeData) -> str:
    """Return the first file, folder or web address of what is dragged; "" if there is none."""
    for url in data.urls():
        if url.isLocalFile():
            return url.toLocalFile()
        if url.scheme() in ("http", "https"):
            return url.toString()
    text = data.text().strip() if data.hasText() else ""
    return text if text.startswith(("http://", "https://")) and " " not in text else ""
