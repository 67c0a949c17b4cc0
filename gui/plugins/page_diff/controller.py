"""Two pages of the list, shown side by side on request of another feature."""

from PySide6.QtCore import QObject

from gui.core.workbench import Workbench
from gui.plugins.page_diff.view import PageDiffView


class PairShower(QObject):
    """Creates the view when the first pair is shown."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._main_area = workbench.main_area
        workbench.requests.pair.connect(self.show)

    def show(self, first: int, second: int) -> None:
        """Show two pages of the list."""
        view = self._main_area.get(PageDiffView)
        view.pair = (first, second)
        self._main_area.show(view)
