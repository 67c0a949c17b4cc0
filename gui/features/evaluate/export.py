"""Writes a table to a file the user chooses."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from gui.widgets.file_dialog import file_dialog


def ask_where(parent: QWidget, chosen: Callable[[str], None]) -> None:
    """Ask for a file without blocking; ``chosen`` gets its path."""
    dialog = file_dialog(parent, "Save the table as CSV")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilter("Tables (*.csv)")
    dialog.setDefaultSuffix("csv")
    dialog.selectFile("scores.csv")
    dialog.fileSelected.connect(chosen)
    dialog.open()


def write(path: str, text: str) -> str:
    """Write a text; return an error as a sentence, "" if there is none."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        return f"{path} cannot be written: {error.strerror or error}"
    return ""
