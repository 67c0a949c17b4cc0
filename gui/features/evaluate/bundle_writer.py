"""Export of the Evaluate view as a folder of web pages."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from annotate.evaluation.run.open_pages import dataset_of
from annotate.evaluation.store.row_files import read_origin, read_rows
from annotate.evaluation.store.stored_runs import stored_runs
from annotate.evaluation.tables.result_table import column_of
from annotate.library.page_cases import Cases, dataset
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.errors import InputError
from engine.words import plural
from gui.core.bundle_saving import BundleParts, BundleSaving, MakeBundle
from gui.features.evaluate.view import DATASET, EvaluateView


class BundleWriter(BundleSaving):
    """Saves the methods and pages of the table."""

    def _what(self) -> tuple[MakeBundle, str]:
        """Return the background function that collects rows and pages, and their title."""
        workbench, session = self._workbench, self._workbench.session
        table = workbench.main_area.get(EvaluateView)
        file = table.file
        if file is not None:
            folder = file if file.is_dir() else file.parent
            return partial(_of_file, file, folder), folder.name
        pages = table.model.shown.table.pages
        both = [*zip(pages, session.documents, strict=True)]
        names = {page_key(document): (page.dataset, page.name) for page, document in both}
        columns, runs = set(table.model.shown.chosen), stored_runs(workbench.workspace, names)
        rows = [row for run in runs for row in run.rows if column_of(row) in columns]
        if not rows:
            raise InputError("there are no scores yet: run the methods first")
        order = {page.name: number for number, page in enumerate(pages)}
        rows.sort(key=lambda row: order[row.run.page])
        ran = {row.run.page for row in rows}
        named = [(page.name, document) for page, document in both if page.name in ran]
        cases = Cases((dataset_of(DATASET, named, workbench.workspace, session.files),))
        return (lambda: BundleParts(rows, cases)), _title(session.documents)


def _of_file(file: Path, folder: Path) -> BundleParts:
    rows = read_rows(file)
    origin = read_origin(folder)
    cases = dataset(*origin.datasets) if origin.datasets else Cases(())
    return BundleParts(rows, cases, origin.repeatable)


def _title(documents: Sequence[Document]) -> str:
    first, *others = {document.root for document in documents}
    return first.name if first and not others else plural(len(documents), "page")
