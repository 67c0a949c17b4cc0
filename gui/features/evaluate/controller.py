"""Actions of the table of scores for others, while it is hidden."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from annotate.evaluation.row_files import results_in
from gui.core.workbench import Workbench
from gui.features.evaluate.columns import lend
from gui.features.evaluate.view import EvaluateView
from gui.features.evaluate.worst_walk import WorstWalk


class EvaluationController(QObject):
    """Actions of the evaluation, and the opening of folders with results."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._main_area = workbench.main_area
        self._worst = WorstWalk(workbench.session)
        workbench.navigation.openers.append(self.open_results)
        workbench.requests.draw.connect(partial(lend, workbench.session))

    def run(self) -> None:
        """Show the table and run its missing scores."""
        self._show_table().run()

    def show_next_worst(self) -> None:
        """Open the next page and method with a loss by a harmless change."""
        self._worst.show_next(self._main_area.get(EvaluateView))

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
