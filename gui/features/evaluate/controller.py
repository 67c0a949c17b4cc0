"""Actions of the table of scores while it is hidden; walk through losses by harmless changes."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from annotate.evaluation.report.result_files import groups_of
from annotate.evaluation.report.stability import Drop, change_name, stabilities
from annotate.evaluation.robustness.perturbed import OF_SOURCE
from annotate.evaluation.store.row_files import results_in
from annotate.evaluation.tables.result_table import Results
from gui.core.workbench import Workbench
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
