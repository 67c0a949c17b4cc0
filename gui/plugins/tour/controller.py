"""Steps through the tour; it continues at the step where it was left."""

from PySide6.QtCore import QObject, QRect
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar, QToolButton, QWidget

from annotate.marks.gold import Mark
from gui.core.workbench import Workbench
from gui.plugins.tour.card import TourCard
from gui.plugins.tour.steps import STEPS
from resources import path as resource

_STEP = "tour"
"""Workspace setting: step at which the tour was left."""


class Tour(QObject):
    """Waits for the real gesture; nothing is modal, and the page stays usable."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        self._before: tuple[Mark, ...] | None = None  # marks when the step began
        self._card: TourCard | None = None
        self.step = -1
        self._session.open.page_changed.connect(self._on_page)
        self._session.open.gold_changed.connect(self._check)
        workbench.main_area.switched.connect(self._check)

    @property
    def card(self) -> TourCard:
        if self._card is None:
            self._card = TourCard(self._workbench.main_area.desk.window())
            self._card.left.connect(self.leave)
            self._card.skipped.connect(self._show_next)
        return self._card

    def start(self) -> None:
        """Open the page of the tour, at the step where it was left."""
        left_at = self._workbench.workspace.setting(_STEP, 0)
        self.step = left_at if isinstance(left_at, int) and 0 <= left_at < len(STEPS) else 0
        self._before = None
        self._workbench.main_area.show_page()
        self._workbench.navigation.open_path(str(resource("tour/index.html")))

    def leave(self) -> None:
        """End the tour; it continues at this step the next time."""
        self._workbench.workspace.set_setting(_STEP, self.step)
        self.step = -1
        self.card.hide()
        self._workbench.main_area.page.take_focus()

    def _on_page(self) -> None:
        if self.step < 0:
            return
        document = self._session.open.document
        if document is not None and document.address != str(resource("tour/index.html")):
            self.leave()
        elif self._session.open.page is not None and self._before is None:
            self._show()

    def _show(self) -> None:
        self._before = self._session.open.gold.marks
        step = STEPS[self.step]
        at = self._rect_of(step.points_at) if step.points_at else None
        self.card.show_step(self.step, len(STEPS), step.title, step.text, at)

    def _check(self) -> None:
        before = self._before
        if self.step >= 0 and before is not None:
            is_done = STEPS[self.step].is_done(self._workbench, before)
            if is_done:
                self._show_next()

    def _show_next(self) -> None:
        if self.step + 1 < len(STEPS):
            self.step += 1
            self._show()
            return
        self._workbench.workspace.set_setting(_STEP, 0)
        self.step = -1
        self.card.hide()
        self._session.messages.say(
            "that was the tour: ? lists all keys, F1 explains what you are doing"
        )

    def _rect_of(self, name: str) -> QRect | None:
        """Return the rectangle in the window of an action's button, else of its menu."""
        window = self._workbench.main_area.desk.window()
        action = window.findChild(QAction, name)
        if not isinstance(window, QMainWindow) or action is None:
            return None
        for bar in window.findChildren(QToolBar):
            widget = bar.widgetForAction(action) or bar.findChild(QToolButton, name)
            if widget is not None and widget.isVisible():
                return _in_window(widget, widget.rect(), window)
        menus = window.menuBar()
        for menu in menus.actions():
            shown = menu.menu()
            if isinstance(shown, QMenu) and any(
                action in each.actions() for each in (shown, *shown.findChildren(QMenu))
            ):
                return _in_window(menus, menus.actionGeometry(menu), window)
        return None


def _in_window(widget: QWidget, rect: QRect, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, rect.topLeft()), rect.size())
