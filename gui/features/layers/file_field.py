"""Field of a file parameter: typed, chosen, or dropped; problems are shown below."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from algorithms.params import FileKind
from engine.words import sentence
from gui.widgets.accessible import make_clearable
from gui.widgets.drops import take_copy
from gui.widgets.file_dialog import file_dialog
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, small, tone
from gui.widgets.tips import plain


class FileField(QWidget):
    """Path with a button that asks for one; only valid files are accepted.

    An invalid path stays for correction, with the reason below, and the method keeps its file. An
    accepted path is checked again whenever it is shown.

    Args:
        kind: Kind of file.
        problem: Returns the problem of a path's file, "" if there is none.
    """

    taken = Signal(str)  # a valid path, "" for none

    def __init__(self, kind: FileKind, problem: Callable[[str], str], parent: QWidget) -> None:
        super().__init__(parent)
        self._kind, self._problem_of = kind, problem
        self._path = ""
        self.setAcceptDrops(True)
        self.line = QLineEdit(self)
        self.line.setPlaceholderText(kind.none)
        make_clearable(self.line)
        self.line.setAcceptDrops(False)  # the whole field takes files
        self.line.editingFinished.connect(lambda: self._offer(self.line.text()))
        self.line.textChanged.connect(self._on_text)
        self.button = IconButton("open", f"Choose a file ({' '.join(kind.patterns)})", self)
        self.button.clicked.connect(self._choose)
        self.trouble = small(QLabel("", self), 0.9)
        self.trouble.setWordWrap(True)
        self.trouble.setTextFormat(Qt.TextFormat.PlainText)
        tone(self.trouble, "bad")
        self.trouble.hide()
        row = lay_out(QHBoxLayout(), (self.line, 1), self.button, spacing=4)
        lay_out(QVBoxLayout(self), row, self.trouble, spacing=3)

    def show_path(self, path: str) -> None:
        """Show the used path, and whether its file is still valid; emits nothing."""
        self._path = path
        self._show(path, self._problem_of(path) if path else "")

    def _on_text(self, text: str) -> None:
        if not text:  # cleared, with the button or the keyboard
            self._offer("")

    def _offer(self, text: str) -> None:
        path = str(Path(text.strip()).expanduser()) if text.strip() else ""
        problem = self._problem_of(path) if path else ""
        if problem or path == self._path:
            self._show(path, problem)
            return
        self._path = path
        self._show(path, "")
        self.taken.emit(path)

    def _show(self, path: str, problem: str) -> None:
        if path != self.line.text():
            is_blocked = self.line.blockSignals(True)
            self.line.setText(path)
            self.line.blockSignals(is_blocked)
        self.line.setToolTip(plain(path))
        # The file is named just above.
        text = problem.removeprefix(f"{path}: ").removeprefix(f"{Path(path).name}, ")
        self.trouble.setText(sentence(text))
        self.trouble.setVisible(bool(problem))

    # choosing and dropping -------------------------------------------------------------------
    def _choose(self) -> None:
        kinds = f"{self._kind.name} ({' '.join(self._kind.patterns)});;All files (*)"
        folder = str(Path(self._path).parent) if self._path else str(Path.home())
        dialog = file_dialog(self.window(), f"{self._kind.name}: choose a file", folder, kinds)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._offer)
        dialog.open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a file, and show that it can be dropped."""
        if _file_of(event.mimeData()):
            take_copy(event)
            self.line.setPlaceholderText("Drop to use this file")

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.line.setPlaceholderText(self._kind.none)

    def dropEvent(self, event: QDropEvent) -> None:
        """Accept the file if it is valid."""
        self.line.setPlaceholderText(self._kind.none)
        result = _file_of(event.mimeData())
        if result:
            take_copy(event)
            self._offer(result)


def _file_of(data: QMimeData) -> str:
    """Return the first local file of a drag; "" if there is none."""
    return next((url.toLocalFile() for url in data.urls() if url.isLocalFile()), "")
