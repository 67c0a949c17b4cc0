"""Ways to say what to open or save: file choosers that do not block, an address field, drops."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QSettings, Signal, SignalInstance
from PySide6.QtWidgets import QFileDialog, QWidget

from engine.document import Document, Variant, list_documents, open_document
from gui.typefield import Choice, TypeField
from resources import path as resource

RECENT = 12
"""Addresses that are remembered."""


class Opening(QObject):
    """Asks what to open; who listens opens it."""

    open_requested = Signal(str)  # a path or address
    picture_requested = Signal(str)  # a path to write to
    gold_requested = Signal(str)  # a path to write to

    def __init__(self, window: QWidget, field: TypeField, settings: QSettings) -> None:
        super().__init__(window)
        self._window, self._field, self._settings = window, field, settings
        self.open_requested.connect(self._remember)

    def open_file(self) -> None:
        """Let the user choose a page or package."""
        kinds = "Pages and packages (*.html *.htm *.xhtml *.html.gz *.orig *.zip);;All files (*)"
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

    def open_address(self) -> None:
        """Let the user type an address or path."""
        choices = [Choice(address) for address in self.recent()]
        self._field.ask(
            "Open an address, file or folder",
            "https://…  or a path",
            self._typed,
            choices,
        )

    def open_sample(self) -> None:
        """Open the pages that come with Pagelet."""
        self.open_requested.emit(str(resource("corpus")))

    def export_picture(self) -> None:
        """Let the user choose where the picture goes."""
        self._save("Save a picture of the page", "Pictures", "png", self.picture_requested)

    def export_gold(self) -> None:
        """Let the user choose where the marks go."""
        self._save("Save the marks of the page", "Gold files", "gold.json", self.gold_requested)

    def recent(self) -> list[str]:
        """Return what was opened last, newest first."""
        saved = self._settings.value("recent", [])
        return [str(each) for each in saved] if isinstance(saved, list) else [str(saved)]

    def _save(self, title: str, kind: str, suffix: str, chosen: SignalInstance) -> None:
        dialog = self._dialog(title, f"{kind} (*.{suffix})")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
        dialog.fileSelected.connect(chosen)
        dialog.open()

    def _dialog(self, title: str, kinds: str) -> QFileDialog:
        folder = str(self._settings.value("folder", str(Path.home())))
        dialog = QFileDialog(self._window, title, folder, kinds)
        dialog.finished.connect(dialog.deleteLater)
        return dialog

    def _chosen(self, chosen: str) -> None:
        self._settings.setValue("folder", str(Path(chosen).parent))
        self.open_requested.emit(chosen)

    def _typed(self, text: str) -> None:
        self.open_requested.emit(text)

    def _remember(self, address: str) -> None:
        recent = [address, *(each for each in self.recent() if each != address)][:RECENT]
        self._settings.setValue("recent", recent)


def dropped_path(data: QMimeData) -> str:
    """Return the first file, folder or web address of what is dragged; "" if there is none."""
    for url in data.urls():
        if url.isLocalFile():
            return url.toLocalFile()
        if url.scheme() in ("http", "https"):
            return url.toString()
    text = data.text().strip() if data.hasText() else ""
    return text if text.startswith(("http://", "https://")) and " " not in text else ""


def find_documents(path: str, variant: Variant = "html") -> Sequence[Document]:
    """Return what a path or address holds: the pages of a folder or package, or one page."""
    found = Path(path).expanduser()
    if found.is_dir() or found.suffix.lower() == ".zip":
        return list_documents(found, variant=variant)
    return (open_document(path, variant=variant),)
