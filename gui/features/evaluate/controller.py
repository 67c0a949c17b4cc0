"""Actions of the table of scores while it is hidden, losses by harmless changes, and its export."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from annotate.evaluation.report.result_files import groups_of
from annotate.evaluation.report.stability import Drop, change_name, stabilities
from annotate.evaluation.robustness.perturbed import OF_SOURCE
from annotate.evaluation.run.open_pages import dataset_of
from annotate.evaluation.store.row_files import read_origin, read_rows, results_in
from annotate.evaluation.store.stored_runs import stored_runs
from annotate.evaluation.tables.result_table import Results, column_of
from annotate.library.page_cases import Cases, dataset
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.errors import InputError
from engine.words import plural
from gui.core.bundle_saving import BundleParts, BundleSaving, MakeBundle
from gui.core.workbench import Workbench
from gui.features.evaluate.cell_actions import DATASET
from gui.features.evaluate.columns import lend
from gui.features.evaluate.view import EvaluateView

NONE = "no page here was made worse: open the folder of pagelet evaluate --perturb"


def worst_drops(table: Results) -> tuple[Drop, ...]:
    """Return the largest losses of methods after a change, of all data sets, worst first."""
    every = (drop for each in stabilities(table, groups_of(table)) for drop in each.drops)
    return tuple(sorted(every, key=lambda drop: drop.after - drop.before))


def _words(worst: Sequence[Drop], index: int) -> str:
    drop = worst[index]
    is_drawn = any(each.key == drop.change for each in OF_SOURCE)
    drawn = "" if is_drawn else "; it cannot be drawn: these are errors against gold"
    return (
        f"{index + 1} of {len(worst)}: {drop.method} falls from {drop.before:.2f} to "
        f"{drop.after:.2f}: {change_name(drop.change)}{drawn}"
    )


class EvaluationController(QObject):
    """Actions of the evaluation, and the opening of folders with results."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._main_area, self._say = workbench.main_area, workbench.session.messages.say
        self._tags = workbench.tags
        self._shown: Drop | None = None
        workbench.navigation.openers.append(self.open_results)
        workbench.requests.draw.connect(partial(lend, workbench.session))

    def run(self) -> None:
        """Show the table and run its missing scores."""
        self._show_table().run()

    def tag(self) -> None:
        """Ask for a tag of the pages with selected scores."""
        self._tags.ask(self._main_area.get(EvaluateView).selected_documents())

    def show_next_worst(self) -> None:
        """Open the next page and method with a loss by a harmless change; the worst is first."""
        view = self._main_area.get(EvaluateView)
        table = view.model.shown.table
        worst = worst_drops(table)
        if not worst:
            self._say(NONE)
            return
        index = (worst.index(self._shown) + 1) % len(worst) if self._shown in worst else 0
        drop = self._shown = worst[index]
        if view.show_cell(table.row_of(drop.dataset, drop.page), table.column(drop.column)):
            self._say(_words(worst, index))

    def open_results(self, path: str) -> bool:
        """Show the results in a folder or file; False if there are none."""
        file = Path(path).expanduser()
        if results_in(file) is None:
            return False
        if self._main_area.get(EvaluateView).open_results(file):
            self._show_table()
        return True

    def _show_table(self) -> EvaluateView:
        if not self._main_area.shows(EvaluateView):
            self._main_area.toggle(EvaluateView)
        return self._main_area.get(EvaluateView)


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
