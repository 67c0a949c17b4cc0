"""Save pages and results as a folder of web pages, in the background."""

import threading
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from algorithms.method import MethodRecipe
from annotate.evaluation.store.rows import ResultRow
from annotate.library.bundling import bundle
from annotate.library.page_cases import Cases
from gui.core.background_run import jobs
from gui.core.workbench import Workbench
from gui.widgets.file_dialog import file_dialog
from gui.widgets.jobs import Task

FOLDER = "pagelet-bundle"

_SAY_EVERY_S = 0.5


@dataclass(frozen=True)
class BundleParts:
    """Content of a bundle, by the names of the parameters of `bundle`.

    Attributes:
        rows: The results.
        cases: The pages that they are of.
        repeatable: Whether pages are rendered repeatably; None for their own setting.
        recipes: What makes the methods that are in no catalogue, by key.
        compared: Two methods, by key: pages show first what the later one lost and gained.
    """

    rows: Sequence[ResultRow]
    cases: Cases
    repeatable: bool | None = None
    recipes: Mapping[str, MethodRecipe] = field(default_factory=dict)
    compared: tuple[str, str] | None = None


MakeBundle = Callable[[], BundleParts]


class BundleSaving(QObject):
    """Writes one bundle at a time; a stopped one keeps its finished pages."""

    progressed = Signal(str)

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        workbench.stop_asked.connect(self.stop)
        self._stop = threading.Event()
        self._task = Task(self)
        self.progressed.connect(self._show_progress)

    @property
    def is_busy(self) -> bool:
        return self._task.is_busy

    def ask(self) -> None:
        if self.is_busy:
            words = "web pages are being written already: Ctrl+. stops that"
            self._workbench.session.messages.say(words)
            return
        dialog = file_dialog(self._workbench.main_area.desk, "Save as web pages: name a new folder")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.selectFile(FOLDER)
        dialog.fileSelected.connect(self.write)
        dialog.open()

    def write(self, folder: str) -> None:
        """Write the shown pages and results into a folder."""
        with self._workbench.session.messages.errors():
            make, title = self._what()
            self._stop.clear()
            self._show_progress("starting")
            self._task.start(
                partial(self._write, Path(folder), title, make),
                lambda index: self._end(f"saved {index.parent.name}: open {index.name}"),
                lambda error: self._end(str(error)),
            )

    def stop(self) -> None:
        """Stop at once; the pages that are written stay."""
        self._stop.set()

    def _show_progress(self, line: str) -> None:
        if self.is_busy or line == "starting":
            self._workbench.note(
                "bundle", f"Web pages: {line}", "You can go on meanwhile; Ctrl+. stops"
            )

    def _end(self, words: str) -> None:
        self._workbench.note("bundle", "", "")
        self._workbench.session.messages.say(words)

    @abstractmethod
    def _what(self) -> tuple[MakeBundle, str]:
        """Return functions that compute rows and pages in the background, and their titles."""

    def _write(self, folder: Path, title: str, make: MakeBundle) -> Path:
        parts = make()
        return bundle(
            folder,
            title,
            **vars(parts),
            jobs=jobs(len(parts.rows)),
            say=self.progressed.emit,
            every_s=_SAY_EVERY_S,
            is_stopped=self._stop.is_set,
        )
