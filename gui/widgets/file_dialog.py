"""File dialogs that open no file to show its icon.

Qt's own dialog guesses what a file is by reading its beginning.  Of the workspace that must not be
done in this process: closing the file again would drop the locks of the save that is going on
(`engine.held_files`).
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QFileInfo, QSettings
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QWidget

import resources

_Icon = QAbstractFileIconProvider.IconType


class NameIcons(QFileIconProvider):
    """Icons and kinds of files by their names alone.  Qt asks from a separate thread."""

    def __init__(self) -> None:
        super().__init__()
        self._file = super().icon(_Icon.File)
        self._folder = super().icon(_Icon.Folder)

    def icon(self, of: QFileInfo | _Icon) -> QIcon:
        """Return the icon of a file, or of a kind of it."""
        if isinstance(of, QFileInfo):
            return self._folder if of.isDir() else self._file
        return super().icon(of)

    def type(self, info: QFileInfo) -> str:
        """Return the text of the column *Type*."""
        if info.isDir():
            return "Folder"
        return f"{info.suffix()} file" if info.suffix() else "File"


_icons: list[NameIcons] = []


def file_dialog(parent: QWidget, title: str, folder: str = "", kinds: str = "") -> QFileDialog:
    """Return a dialog that is not shown yet and deletes itself when it is done.

    Args:
        parent: Over which window.
        title: What is asked for.
        folder: Where it begins; "" for the current folder.
        kinds: Filters as Qt writes them.
    """
    if not _icons:
        _icons.append(NameIcons())  # kept for the whole process: dialogs do not own their provider
    # Until it has our icons it looks into the folder it begins with: one without a workspace.
    dialog = QFileDialog(parent, title, str(resources.path("corpus")), kinds)
    # GTK's dialog runs in this process, too, and reads every file it lists.
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog, sys.platform == "linux")
    dialog.setIconProvider(_icons[0])
    dialog.setDirectory(folder or str(Path.cwd()))
    dialog.finished.connect(dialog.deleteLater)
    return dialog


def ask_save(
    parent: QWidget,
    title: str,
    kind: str,
    suffixes: Sequence[str],
    chosen: Callable[[str], object],
    name: str,
    folder: str = "",
) -> None:
    """Ask for the file to write; ``suffixes``, the usual one first, are of ``kind``."""
    patterns = " ".join(f"*.{suffix}" for suffix in suffixes)
    dialog = file_dialog(parent, title, folder, f"{kind} ({patterns})")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(suffixes[0])
    dialog.selectFile(name)
    dialog.fileSelected.connect(chosen)
    dialog.open()


class FileDialogs:
    """Asks which file to open or to write; begins where pages were opened last.

    Attributes:
        settings: The window's.
    """

    def __init__(self, parent: QWidget, settings: QSettings) -> None:
        self._parent, self.settings = parent, settings

    def open(self, title: str, kinds: str, chosen: Callable[[str], object]) -> None:
        """Ask for an existing file."""
        dialog = self._dialog(title, kinds, chosen)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.open()

    def open_folder(self, title: str, chosen: Callable[[str], object]) -> None:
        """Ask for a folder."""
        dialog = self._dialog(title, "", chosen)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.open()

    def save(
        self,
        title: str,
        kind: str,
        suffixes: Sequence[str],
        chosen: Callable[[str], object],
        name: str,
    ) -> None:
        """Ask for the file to write, as `ask_save` does."""
        ask_save(self._parent, title, kind, suffixes, chosen, name, self._folder())

    def remember(self, chosen: str) -> None:
        """Remember the folder of the chosen path."""
        self.settings.setValue("folder", str(Path(chosen).parent))

    def _dialog(self, title: str, kinds: str, chosen: Callable[[str], object]) -> QFileDialog:
        dialog = file_dialog(self._parent, title, self._folder(), kinds)
        dialog.fileSelected.connect(chosen)
        return dialog

    def _folder(self) -> str:
        return str(self.settings.value("folder", str(Path.home())))
