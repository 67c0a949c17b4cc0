"""Views by task: the panels around the page for each kind of work, and how it starts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from engine import bounds
from engine.errors import InputError
from gui.core.feature import Panel, TaskView
from gui.core.main_area import Room
from gui.core.workbench import Workbench
from gui.features.errors.panel import MethodChoice
from gui.features.evaluate.view import EvaluateView
from gui.state.selection import Mode
from gui.widgets.events import debounce
from gui.widgets.parts import PanelDock
from gui.window.action_table import Actions
from gui.window.dock_layout import DockLayout
from gui.window.features import FEATURES
from gui.window.page_room import LAYOUT, is_docked

FOLDED = 215
"""A window of less width, in average letters, has all its panels as tabs in one column."""

WIDE = 340
"""From so many average letters on a window has more room than the page takes."""

_CORE = (
    TaskView(
        "mark", "Mark", "Main content and blocks, on the page",
        ("annotation view", "labelling workspace"),
        "Open a page, press M and click what is main content; 1 and 2 mark blocks.",
        left=("pages", "outline"), right=("layers",), more=("details",),
        tools=(("mode-select", "Select"), ("mode-main", "Main content"), ("mode-1", "Level 1"),
               ("mode-2", "Level 2")),
        ends_pages=True, facts=("checks", "who", "saved"),
        card=("Mark pages", "Gold main content and blocks, on the page itself."),
    ),
    TaskView(
        "debug", "Debug", "Why a method errs: errors, reasons, its figure",
        ("debugging view", "analyse errors"),
        "Open a page, then click a text to see why each method kept or dropped it.",
        right=("errors", "why"), walks=(("errors", "errors"), ("why", "mode-why")), mode=Mode.WHY,
        parts=(MethodChoice,),
        card=("See what methods do", "Where a method errs on a page, and why."),
    ),
    TaskView(
        "evaluate", "Evaluate", "The scores of all methods on all open pages",
        ("score view", "benchmark view"),
        "Open pages with gold: methods are scored on all of them.", view=EvaluateView,
        card=("Evaluate on a data set", "The scores of all methods on all pages."),
    ),
)  # fmt: skip


def _with_added(tasks: tuple[TaskView, ...]) -> tuple[TaskView, ...]:
    """Return tasks with those that features add, each before the one that it names."""
    result = [*tasks]
    for added in (task for feature in FEATURES for task in feature.tasks):
        names = [task.name for task in result]
        result.insert(names.index(added.before) if added.before in names else len(names), added)
    return tuple(map(_with_panels, result))


def _with_panels(task: TaskView) -> TaskView:
    """Return a task with the panels that declare themselves part of it."""
    for panel in (panel for feature in FEATURES for panel in feature.panels):
        if task.name in panel.tasks:
            more: dict[str, Any] = {str(panel.at): (*getattr(task, panel.at), panel.name)}
            task = replace(task, **more)
    return task


TASKS = _with_added(_CORE)
"""In the order of the switch; the first is what a new window shows."""

_BY_NAME = {task.name: task for task in TASKS}


class TaskViews(QObject):
    """Changes between tasks; each keeps the panels as its user left them, wide and folded."""

    changed = Signal()

    def __init__(
        self,
        window: QMainWindow,
        workbench: Workbench,
        panels: DockLayout,
        docks: Mapping[str, tuple[Panel, PanelDock]],
        settings: QSettings,
    ) -> None:
        super().__init__(window)
        self._window, self._workbench, self._panels = window, workbench, panels
        self._docks, self._settings = docks, settings
        self.current = TASKS[0]
        self._is_narrow: bool | None = None  # until panels are restored
        self._is_folded = self._is_wide = False
        self._begins = False  # once there is a page
        self._arranged: dict[str, object] = {}  # by task, as this has arranged them last
        self.actions: Actions | None = None  # made after this
        # Later: actions of the page are enabled by the same signal.
        self._soon = debounce(self, 0, self._on_page)
        workbench.session.open.page_changed.connect(self._soon.start)
        workbench.main_area.switched.connect(self.changed)

    @property
    def shown(self) -> TaskView:
        """The task that is seen: a view without panels covers the one it leads back to."""
        main_area = self._workbench.main_area
        for task in TASKS:
            if task.is_visit and task.view is not None and main_area.shows(task.view):
                return task
        return self.current

    def choose(self, name: str) -> None:
        """Show the view of a task, or begin it again."""
        task, main_area = _BY_NAME[name], self._workbench.main_area
        if task.is_visit:
            self._show_view(task)
        else:
            main_area.show_page()
            while main_area.leave():
                pass
            if task is not self.current:
                self._change(task)
            self._begins = True
            self._on_page()
        self.changed.emit()

    def reset(self) -> None:
        """Put the panels of this task where they were at first, in front of others."""
        if not self._workbench.main_area.has_panels:
            return
        self._arrange(self.current)
        for dock in self._of((*self.current.below, *self.current.right, *self.current.left)):
            dock.raise_()
        if self._is_folded:
            self._panels.fold()

    # stored -------------------------------------------------------------------------------------
    def _key(self, task: TaskView, *, is_folded: bool) -> str:
        """Return the setting of a task's panels; that of the first is the window's of 0.2."""
        if is_folded:
            return f"tasks/{task.name}-folded"
        return "state" if task is TASKS[0] else f"tasks/{task.name}"

    def store(self) -> None:
        """Remember where the panels are, and the task."""
        self._store_panels()
        self._settings.setValue("task", self.current.name)

    def _store_panels(self) -> None:
        key = self._key(self.current, is_folded=self._is_folded)
        self._settings.setValue(key, self._panels.page_room.saved())
        self._settings.setValue(f"{key}-width", self._window.width())

    def restore(self) -> None:
        """Show the task of last time as it was left."""
        name = str(self._settings.value("task", ""))
        task = _BY_NAME.get(name, TASKS[0])
        self.current = TASKS[0] if task.is_visit else task
        # What was arranged before there were tasks stays as it is, until the window is resized.
        is_older = self._settings.contains("state") and not self._settings.contains("task")
        self._is_narrow = self._needs_fold()
        self._is_folded = self._is_narrow and not is_older
        self._begins = self.current is not TASKS[0]
        self._bring(self.current)
        key = self._key(self.current, is_folded=self._is_folded)
        self._is_wide = self._width(key) >= WIDE * self._letter
        if not is_older:
            self._hide_idle()
        if self._is_folded and (own := self._of((*self.current.right, *self.current.left))):
            own[0].raise_()  # instead of the one last raised

    def _width(self, key: str) -> int:
        """Return the width that a layout was stored in; 0 where somebody has edited the file."""
        try:
            stored = float(str(self._settings.value(f"{key}-width", 0)))
            return bounds.whole(stored, bounds.WIDTH)
        except (ValueError, InputError):
            return 0

    def toggle_panel(self, name: str) -> None:
        """Show or hide a panel, together with the state that it follows."""
        panel, dock = self._docks[name]
        if panel.follows is None:
            dock.toggle()
        else:
            state = self._workbench.session.get(panel.follows)
            state.show(not state.is_shown)

    # changing -----------------------------------------------------------------------------------
    def _change(self, task: TaskView) -> None:
        session = self._workbench.session
        self._store_panels()
        shown = {*task.left, *task.right, *task.below}
        for name, (panel, dock) in self._docks.items():
            if name not in shown:
                if panel.follows is not None:
                    session.get(panel.follows).show(False)
                dock.hide()
        session.selection.set_mode(Mode.SELECT)
        self.current = task
        self._bring(task)
        self._hide_idle()
        self._settings.setValue("task", task.name)
        if session.open.page is not None:
            self._workbench.page_session.judge_first()

    def _bring(self, task: TaskView) -> None:
        """Restore the stored arrangement of panels; else the default one, or tabs of it."""
        left, right, below = map(self._of, (task.left, task.right, task.below))
        self._panels.set_sides(left, right, below, is_folded=self._is_folded)
        if self._restore_as(self._key(task, is_folded=self._is_folded)):
            return
        if not self._is_folded or not self._restore_as(self._key(task, is_folded=False)):
            self._arrange(task)
        if self._is_folded:
            self._panels.fold()
            if task.view is not None:  # two pages side by side take all of a narrow window
                self._panels.toggle()

    def _hide_idle(self) -> None:
        """Hide stored panels of modes that are not active and do not start with the task."""
        begun = {name for name, _ in self.current.walks}
        for name, (panel, dock) in self._docks.items():
            if panel.follows is not None and name not in begun:
                dock.setVisible(self._workbench.session.get(panel.follows).is_shown)
        self._keep_room()

    def _keep_room(self) -> None:
        """Make room for the page beside panels that were asked for and are shown again."""
        if not {*filter(is_docked, self._panels.every)} <= {*self._panels.at_rest}:
            self._panels.page_room.make_room_soon()

    def _restore_as(self, key: str) -> bool:
        state = self._settings.value(key)
        if not isinstance(state, QByteArray) or not self._window.restoreState(state, LAYOUT):
            return False
        self._panels.fit(self._window.height(), is_kept=True)
        if str(self._settings.value(f"{key}-width")) != str(self._window.width()):
            self._panels.page_room.keep_soon()
        return True

    def _arrange(self, task: TaskView) -> None:
        below = () if self._is_folded else task.below  # the page keeps its height, too
        right = (*task.right, *(task.more if self._is_very_wide else ()))
        self._panels.arrange(self._of(task.left), self._of(right), self._of(below))
        self._arranged[task.name] = self._arrangement()
        self._panels.page_room.keep_soon()

    def _arrangement(self) -> list[object]:
        """Return which panels are shown, and on which side; not those that come as guests."""
        guests, area = dict(self._panels.guests), self._window.dockWidgetArea
        docks = [dock for dock in self._panels.every if dock not in guests]
        return [(dock.isHidden(), dock.isFloating(), area(dock)) for dock in docks]

    def _of(self, names: tuple[str, ...]) -> tuple[QDockWidget, ...]:
        """Return the panels of these names; a plug-in's may be missing."""
        return tuple(self._docks[name][1] for name in names if name in self._docks)

    def fit(self) -> None:
        """Fold the panels in a narrow window, and unfold them in a wide one."""
        self._grow()
        is_narrow, has_panels = self._needs_fold(), self._workbench.main_area.has_panels
        if self._is_narrow in (None, is_narrow) or not has_panels:
            return
        if not self._is_folded:
            self._store_panels()
        guests = [guest for guest, _ in self._panels.guests if not guest.isHidden()]
        front = [guest for guest in guests if not guest.visibleRegion().isEmpty()]
        self._is_narrow = self._is_folded = is_narrow
        self._bring(self.current)
        for guest in guests:
            if guest.isHidden():
                self._panels.invite(guest, True)
        for guest in front:
            guest.raise_()
        self._keep_room()

    def _grow(self) -> None:
        """Widen panels in a window that has become wide: names are cut off no longer."""
        was_wide, self._is_wide = self._is_wide, self._is_very_wide
        if self._is_wide and not was_wide and self._workbench.main_area.has_panels:
            if not self._is_folded and self._arranged.get(self.current.name) == self._arrangement():
                self._panels.add_at_right(self._of(self.current.more))
                self._arranged[self.current.name] = self._arrangement()
            self._panels.set_widths()

    @property
    def _is_very_wide(self) -> bool:
        return self._window.width() >= WIDE * self._letter

    @property
    def _letter(self) -> int:
        return self._window.fontMetrics().averageCharWidth()

    def _needs_fold(self) -> bool:
        return self._window.width() < FOLDED * self._letter

    # beginning ----------------------------------------------------------------------------------
    def _on_page(self) -> None:
        session, task = self._workbench.session, self.current
        if not self._begins or session.open.page is None:
            return
        self._begins = False
        assert self.actions is not None
        for name, action in task.walks:
            state = self._docks[name][0].follows if name in self._docks else None
            if state is not None and not session.get(state).is_shown:
                self.actions[action].trigger()
        if task.view is not None:
            self._show_view(task)

    def _show_view(self, task: TaskView) -> None:
        main_area, session = self._workbench.main_area, self._workbench.session
        assert task.view is not None
        if main_area.shows(task.view):
            return
        if session.open.document is None:
            session.messages.say(task.first_step)
        elif task.view.room is Room.WHOLE_SCREEN and session.open.page is None:
            words = "the page is not there yet: wait until it is shown, then present it"
            session.messages.say(words)
        else:
            if main_area.current.room is Room.WHOLE_SCREEN:
                main_area.leave()  # a presentation is over when something else is chosen
            main_area.show(main_area.get(task.view))
