"""What the window's middle shows: the page with its panels around it, or the table of scores."""

from PySide6.QtCore import QByteArray, QObject, Signal
from PySide6.QtWidgets import QStackedLayout, QStackedWidget

from gui.docks.pages import PagesDock
from gui.matrix.evaluating import plan_of, task_of
from gui.matrix.goldlook import GoldLook
from gui.matrix.running import Request, Work
from gui.matrix.view import EvaluateView
from gui.panels import Panels
from gui.workbench import Workbench


class Middle(QObject):
    """Goes to the table and back; each finds itself as it was left."""

    switched = Signal()
    looked = Signal()  # what gold the pages have is known

    def __init__(
        self, workbench: Workbench, panels: Panels, pages: PagesDock, stack: QStackedWidget
    ) -> None:
        """Put the table on the stack that has the page."""
        super().__init__(stack)
        self._stack = stack
        self._workbench, self._panels, self._pages = workbench, panels, pages
        self._arranged: QByteArray | None = None  # the panels, while the table is shown
        self.table = EvaluateView(workbench.session, workbench, self._work, stack)
        stack.addWidget(self.table)
        self.table.left.connect(self.show_page)
        self._gold = GoldLook(workbench.session, workbench.workspace, self)
        self._gold.found.connect(self.table.set_gold)
        self._gold.found.connect(lambda _: self.looked.emit())
        workbench.session.documents_changed.connect(self._gold.look)
        pages.opened.connect(self.show_page)

    @property
    def is_table(self) -> bool:
        """Whether the table is shown."""
        return self._arranged is not None

    def toggle(self) -> None:
        """Show the table in the page's place, or the page again."""
        if self.is_table:
            self.show_page()
            return
        self._arranged = self._panels.put_away()
        self._lay(QStackedLayout.StackingMode.StackAll)
        self._gold.look()
        self.switched.emit()
        self.table.take_focus()

    def show_page(self) -> None:
        """Show the page, with the panels as they were around it."""
        if self._arranged is not None:
            arranged, self._arranged = self._arranged, None
            self._panels.bring_back(arranged)
            self._lay(QStackedLayout.StackingMode.StackOne)
            self.switched.emit()
        self._workbench.canvas.view.setFocus()

    def _lay(self, mode: QStackedLayout.StackingMode) -> None:
        """Keep the page laid out behind the table: one that is opened meanwhile is measured."""
        layout = self._stack.layout()
        assert isinstance(layout, QStackedLayout)
        layout.setStackingMode(mode)
        self._workbench.canvas.setEnabled(not self.is_table)  # nothing behind takes keys

    def leave(self) -> bool:
        """Go back a step: from a field to the table, from there to the page; False at the page."""
        if not self.is_table:
            return False
        if not self.table.end_search():
            self.show_page()
        return True

    def run(self) -> None:
        """Show the table and run what is missing in it."""
        if not self.is_table:
            self.toggle()
        self.table.run()

    def find(self) -> None:
        """Let the user type which page to look for."""
        (self.table if self.is_table else self._pages).start_search()

    def stop(self) -> None:
        """Stop what is going on in sight, else an evaluation behind it."""
        workbench = self._workbench
        is_busy = workbench.canvas.is_busy or workbench.runner.is_running
        if self.is_table or not is_busy:
            self.table.stop()
        if not self.is_table:
            workbench.stop()

    def _work(self, request: Request) -> Work:
        workbench, pages = self._workbench, self.table.model.shown.table.pages
        documents = workbench.session.documents
        return task_of(plan_of(request, pages, documents, workbench.workspace))
