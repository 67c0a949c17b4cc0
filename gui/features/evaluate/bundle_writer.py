"""What the Evaluate view shows as a folder of web pages, written while one goes on working."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from annotate.evaluation.open_pages import dataset_of
from annotate.evaluation.provenance import read_origin
from annotate.evaluation.read_results import read_rows
from annotate.evaluation.results import column_of
from annotate.evaluation.rows import ResultRow
from annotate.evaluation.stored_runs import stored_runs
from annotate.library.bundling import bundle
from annotate.library.cases import Cases, dataset
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.errors import InputError, PageletError
from engine.words import plural
from gui.core.workbench import Workbench
from gui.features.evaluate.run_plan import jobs
from gui.features.evaluate.view import DATASET, EvaluateView
from gui.widgets.file_dialog import file_dialog
from gui.widgets.jobs import Task

FOLDER = "pagelet-bundle"

_SAY_EVERY_S = 0.5

_BundleParts = tuple[Sequence[ResultRow], Cases, bool | None]
_MakeBundle = Callable[[], _BundleParts]


class BundleWriter(QObject):
    """At most one bundle at a time; what is done when it is stopped stays."""

    said = Signal(str)
    progressed = Signal(str)

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        workbench.stop_asked.connect(self.stop)
        self._stop = threading.Event()
        self._task = Task(self)
        self.said.connect(workbench.session.say)
        self.progressed.connect(self._show_progress)

    @property
    def is_busy(self) -> bool:
        """Whether a bundle is being written."""
        return self._task.is_busy

    def ask(self) -> None:
        """Let the user name the folder to make."""
        if self.is_busy:
            self._workbench.session.say("web pages are being written already: Ctrl+. stops that")
            return
        dialog = file_dialog(self._workbench.main_area.desk, "Save as web pages: name a new folder")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.selectFile(FOLDER)
        dialog.fileSelected.connect(self.write)
        dialog.open()

    def write(self, folder: str) -> None:
        """Write the methods and pages of the table into a folder."""
        session = self._workbench.session
        try:
            make, title = self._what()
        except PageletError as error:
            session.say(str(error))
            return
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
        self.said.emit(words)

    def _what(self) -> tuple[_MakeBundle, str]:
        """Return what gets rows and pages, away from the window, and what they are called."""
        workbench = self._workbench
        table = workbench.main_area.get(EvaluateView)
        file = table.file
        if file is not None:
            folder = file if file.is_dir() else file.parent
            return partial(_of_file, file, folder), folder.name
        documents, pages = workbench.session.documents, table.model.shown.table.pages
        names = {
            page_key(document): (page.dataset, page.name)
            for document, page in zip(documents, pages, strict=True)
        }
        columns = set(table.model.shown.chosen)
        rows = [
            row
            for run in stored_runs(workbench.workspace, names)
            for row in run.rows
            if column_of(row) in columns
        ]
        if not rows:
            raise InputError("there are no scores yet: run the methods first")
        order = {page.name: number for number, page in enumerate(pages)}
        rows.sort(key=lambda row: order[row.run.page])
        run = {row.run.page for row in rows}
        named = [
            (page.name, document)
            for page, document in zip(pages, documents, strict=True)
            if page.name in run
        ]
        files = workbench.session.files
        cases = Cases((dataset_of(DATASET, named, workbench.workspace, files),))
        return (lambda: (rows, cases, None)), _title(documents)

    def _write(self, folder: Path, title: str, make: _MakeBundle) -> Path:
        rows, cases, repeatable = make()
        return bundle(
            folder,
            title,
            rows,
            cases,
            jobs=jobs(len(rows)),
            repeatable=repeatable,
            say=self.progressed.emit,
            every_s=_SAY_EVERY_S,
            is_stopped=self._stop.is_set,
        )


def _of_file(file: Path, folder: Path) -> _BundleParts:
    rows = read_rows(file)
    origin = read_origin(folder)
    cases = dataset(*origin.datasets) if origin.datasets else Cases(())
    return rows, cases, origin.repeatable


def _title(documents: Sequence[Document]) -> str:
    roots = {document.root for document in documents}
    root = roots.pop() if len(roots) == 1 else None
    return root.name if root is not None else plural(len(documents), "page")
