"""File dialogs that open no file to show its icon.

Qt's own dialog guesses what a file is by reading its beginning.  Of the workspace that must not be
done in this process: closing the file again would drop the locks of the save that is going on
(`engine.held_files`).
"""

import sys
from pathlib import Path

from PySide6.QtCore import QFileInfo
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QWidget

import resources

_Icon = QAbstractFileIconProvider.IconType


class NameIcons(QFileIconProvider):
    """Icons and kinds of files by their names alone.  Qt asks from a thread of its own."""

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
        """Return what stands in the column *Type*."""
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
        _icons.append(NameIcons())  # one for good: dialogs do not own theirs
    # Until it has our icons it looks into the folder it begins with: one without a workspace.
    dialog = QFileDialog(parent, title, str(resources.path("corpus")), kinds)
    # GTK's dialog runs in this process, too, and reads every file it lists.
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog, sys.platform == "linux")
    dialog.setIconProvider(_icons[0])
    dialog.setDirectory(folder or str(Path.cwd()))
    dialog.finished.connect(dialog.deleteLater)
    return dialog
