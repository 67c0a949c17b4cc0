"""Panel of the path: a row of buttons, one for each element, and two lines about the framed one."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from algorithms.results import Result
from engine.words import in_one_line
from gui.core.workbench import Workbench
from gui.plugins.element_path.described import all_methods, facts_of, path_to
from gui.state.describe import describe
from gui.widgets.controls import text_label
from gui.widgets.events import debounce
from gui.widgets.jobs import Task
from gui.widgets.layouts import lay_out
from gui.widgets.parts import PanelDock
from gui.widgets.texts import plain

_NOTHING = "Move the mouse over the page, or walk on it with the arrow keys."
_GAP = 2

LARGE = 5_000
"""Rows of a page from which on methods are asked on a thread: 38,000 rows take .1 to .4 s."""


class Crumbs(QWidget):
    """Buttons in a row; those at the left give way where there is no room for all."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.buttons: list[QPushButton] = []
        self._row = lay_out(QHBoxLayout(self), None, spacing=_GAP)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_names(self, names: list[str]) -> None:
        """Show a button for each name."""
        while len(self.buttons) < len(names):
            button = QPushButton(self)
            button.setProperty("link", True)
            self._row.insertWidget(len(self.buttons), button)
            self.buttons.append(button)
        for button, name in zip(self.buttons, [*names, *[""] * len(self.buttons)], strict=False):
            button.setText(f"› {name}" if name and button is not self.buttons[0] else name)
            button.setAccessibleName(f"Frame {name}" if name else "")
        self.fit()

    def fit(self) -> None:
        """Hide the buttons at the left that have no room."""
        room = self.width()
        for button in reversed(self.buttons):
            if button.text():
                room -= button.sizeHint().width() + _GAP
            button.setVisible(bool(button.text()) and room >= 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


class PathDock(PanelDock):
    """Path of the framed element; it stays when the mouse leaves the page.

    A click on an element frames it; those below it stay, for the way back.
    """

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__("Path", "PathDock", parent)
        self._workbench, self._session = workbench, workbench.session
        self._deepest = self._framed = -1
        self.crumbs = Crumbs(self)
        self.facts = text_label(self, _NOTHING, color="muted", factor=0.92)
        self._task = Task(self, in_line=True)
        self.methods = text_label(self, factor=0.92)
        lay_out(
            self.body, self.crumbs, self.facts, self.methods, None,
            margins=(14, 0, 14, 8), spacing=4,
        )  # fmt: skip
        self.setMaximumHeight(round(self.fontMetrics().height() * 8.5))
        self.add_close()
        session = self._session
        self._soon = debounce(self, 60, self.refresh)
        for signal in (session.selection.candidate_changed, session.selection.selection_changed,
                       session.layers.outcome_changed, session.layers.layers_changed):  # fmt: skip
            signal.connect(self._soon.start)
        session.open.page_changed.connect(self._forget)
        session.open.document_changed.connect(self._forget)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._soon.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.crumbs.fit()

    @property
    def is_busy(self) -> bool:
        """Whether the methods of a large page are still asked."""
        return self._task.is_busy

    def _forget(self) -> None:
        self._deepest = self._framed = -1
        self._soon.start()

    def refresh(self) -> None:
        """Show the path of the element that is framed, or was last."""
        page = self._session.open.page
        if not self.isVisible():
            return
        if page is None or page.nodes is None or not self._find(len(page.nodes)):
            self.crumbs.show_names([])
            self.facts.setText(_NOTHING)
            self._task.cancel()
            self.methods.setText("")
            return
        nodes, row = page.nodes, self._framed
        path = path_to(nodes, self._deepest)
        if row not in path:
            self._deepest, path = row, path_to(nodes, row)
        self.crumbs.show_names([in_one_line(describe(nodes, each)) for each in path])
        for button, each in zip(self.crumbs.buttons, path, strict=False):
            font = button.font()
            font.setBold(each == row)
            button.setFont(font)
            button.setToolTip(plain("Frame this element"))
            button.disconnect(self)
            button.clicked.connect(lambda _=False, each=each: self._frame(each))
        self.crumbs.fit()
        self.facts.setText(facts_of(nodes, row))
        ask = partial(all_methods, page, row, list(self._results()))
        if len(nodes) < LARGE:
            self._task.cancel()
            self.methods.setText(ask())
        else:
            self.methods.setText("…")
            self._task.start(ask, self.methods.setText)

    def _find(self, count: int) -> bool:
        """Return whether there is an element to show; update which."""
        selection = self._session.selection
        marks = selection.selected_marks()
        found = selection.candidate
        if found < 0 and marks and marks[0].targets:
            found = marks[0].targets[0].row
        if 0 <= found < count:
            self._framed = found
        return 0 <= self._framed < count

    def _results(self) -> Iterator[tuple[str, Result]]:
        layers = self._session.layers
        for layer in layers.all:
            outcome = layers.outcomes.get(layer.key)
            if not layer.is_gold and outcome is not None and outcome.result is not None:
                yield layer.title, outcome.result

    def _frame(self, row: int) -> None:
        self._workbench.select_row(row)
