"""The window: puts page, panels, tools and menus together; decides nothing itself."""

from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QByteArray, QChildEvent, QSettings
from PySide6.QtGui import (
    QCloseEvent,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDockWidget,
    QLineEdit,
    QMainWindow,
    QMenu,
    QTabBar,
    QWidget,
)

from annotate.datasets.cases import Variant
from engine.words import cut_text
from gui.core.feature import Side
from gui.core.main_area import Room, Where
from gui.core.workbench import Workbench
from gui.state.messages import UNFORESEEN
from gui.state.selection import Mode
from gui.state.walk import Shown
from gui.widgets.empty_state import EmptyState, TaskEntry
from gui.widgets.events import take_copy
from gui.widgets.file_dialog import FileDialogs
from gui.widgets.parts import PanelDock
from gui.widgets.texts import translate, translate_in
from gui.widgets.theme import ThemeSwitch
from gui.widgets.toasts import Message, Question, Toast
from gui.window.action_table import MENUS, Actions, Owners
from gui.window.actions import ACTIONS
from gui.window.context_menus import ContextMenus
from gui.window.dock_layout import DockLayout, StageLayout
from gui.window.features import FEATURES, add_features
from gui.window.found_banner import FoundBanner, FoundDoor
from gui.window.key_editor import OwnKeys
from gui.window.key_filters import KeyHints, UnavailableKeys
from gui.window.memory_setting import MemorySetting
from gui.window.menu_bar import HiddenMenus
from gui.window.open_dialogs import OpenDialogs, RecentCounts, dropped_path
from gui.window.page_focus import PageFocus
from gui.window.page_ticks import PageTicks
from gui.window.palette_entries import PaletteEntries
from gui.window.retold import Retold
from gui.window.shortcuts import ShortcutsOverlay
from gui.window.status_bar import StatusBar
from gui.window.tasks import TASKS, TaskViews
from gui.window.toolbar import Toolbar
from gui.window.zoom_chip import ZoomChip

HANGS = "the page has not answered for five seconds"
REPLACED = "the workspace file was replaced: your marks are not saved"
CONTESTED = "another window has changed these marks too: yours are not saved until you choose"

_LONGEST = 200
"""Letters of a name in a sentence."""

D = TypeVar("D", bound=PanelDock)


class Window(QMainWindow):
    """Main window of a workbench."""

    def __init__(self, workbench: Workbench, settings: QSettings | None = None) -> None:
        super().__init__()
        self.workbench = workbench
        self.session = workbench.session
        self._settings = settings or QSettings()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self.themes = ThemeSwitch(app, self._settings)
        self.setWindowTitle("Pagelet")
        self.setAcceptDrops(True)
        self.setMinimumSize(860, 520)
        self.setDockNestingEnabled(True)

        self._is_framed = False
        self._task = TASKS[0]
        self._refusal = ""  # why the last choice could not be opened
        self._center()
        add_features(workbench)
        self._panels()
        self.type_field = self.main_area.field
        files = self.main_area.files = FileDialogs(self, self._settings)
        self.dialogs = OpenDialogs(self, self.type_field, files, self._settings)
        self.dialogs.open_requested.connect(self.open_path)
        self.counts = RecentCounts(workbench, self.dialogs)
        workbench.navigation.refused.connect(self.dialogs.forget)
        self.memory_setting = MemorySetting(self._settings, self.type_field, self.session)
        self.shortcuts = ShortcutsOverlay(
            self, lambda: self.actions_.rows, lambda row: self.actions_[row.name].isEnabled()
        )
        self.context_menus = ContextMenus(self, workbench)
        self.retold = Retold(workbench, self)
        self.actions_ = self._make_actions()
        self.palette_entries = PaletteEntries(workbench, self.actions_, self.panels)
        self.context_menus.use(self.actions_, self.panels.listed)
        self.tasks.actions = self.actions_
        menus = self.actions_.fill(self.menuBar())
        self.menus = HiddenMenus(self, self.actions_, self._settings)
        self.toolbar = Toolbar(workbench, self.actions_, [menus[name] for name in MENUS], self)
        self.addToolBar(self.toolbar)
        self.status_bar = StatusBar(workbench, self)
        self.setStatusBar(self.status_bar)
        self.status_bar.use(self.actions_.key)
        self.status_bar.lock.clicked.connect(self.actions_["copy-gold"].trigger)
        recent = QMenu(menus["File"])
        recent.aboutToShow.connect(lambda: self.dialogs.fill_recent(recent))
        self.actions_["open-recent"].setMenu(recent)
        for menu in menus.values():
            menu.aboutToShow.connect(lambda: self.actions_.tick(workbench))
        panels = QMenu("Panels", menus["View"])
        panels.addActions([dock.toggleViewAction() for dock in self.panels.listed])
        menus["View"].insertMenu(self.actions_["layout"], panels)
        self.actions_.keep_keys(panels)
        self.toast.offer(self.actions_["copy-report"])
        self.question.set_answers([self.actions_[n] for n in ("keep-mine", "take-theirs")])
        self.restore.set_answers([self.actions_["take-backup"]])
        self.replaced.set_answers([self.actions_["reopen-workspace"]])
        self.hang.set_answers([self.actions_[n] for n in ("wait", "stop-page")])
        key_file = Path(self._settings.fileName()).with_name("keys.json")
        self.own_keys = OwnKeys(self, self.actions_, self.session, key_file)
        self.key_hints = KeyHints(self)
        self.unavailable_keys = UnavailableKeys(self, workbench, self.actions_)
        self.shortcuts.saving.connect(self.own_keys.ask_sheet)
        bars = (self.menuBar(), self.toolbar, self.status_bar)
        self.stage = StageLayout(self, self.panels, bars)
        self._connect()
        self._restore()
        self._refresh()
        self._on_theme()
        translate_in(self)
        self.empty.take_focus()
        workbench.canvas.view.setAcceptDrops(False)  # a drop is the window's

    # putting together ----------------------------------------------------------------------
    def _center(self) -> None:
        self.main_area = self.workbench.main_area
        desk, stack = self.main_area.desk, self.main_area.stack
        self.empty = EmptyState(stack, {row.name for row in ACTIONS})
        stack.addWidget(self.workbench.canvas)
        stack.addWidget(self.empty)
        self.zoom = ZoomChip(desk, self.main_area.zoom_fit)
        PageTicks(self.workbench, self)
        self.setCentralWidget(desk)
        self.question = Question(desk, self.zoom)
        self.hang = Question(desk, self.zoom, self.question)
        self.restore = Question(desk, self.zoom, self.question, self.hang)
        self.replaced = Question(desk, self.zoom, self.question, self.hang, self.restore)
        below = (self.zoom, self.question, self.hang, self.restore, self.replaced)
        self.found = FoundDoor(self.workbench, FoundBanner(desk, *below))
        self.toast = Toast(desk, *below, self.found.banner)
        self.workbench.saving.changed.connect(self._on_saved)

    def _panels(self) -> None:
        workbench = self.workbench
        made = [(panel, panel.make(workbench, self)) for each in FEATURES for panel in each.panels]
        self._docks = {type(dock): dock for _, dock in made}
        named = {panel.name: (panel, dock) for panel, dock in made}
        sides = ([dock for panel, dock in made if panel.at == side] for side in Side)
        left, right, below = sides
        guests = [(dock, named[panel.at][1]) for panel, dock in made if panel.at in named]
        self.panels = DockLayout(self, left, right, guests, below)
        for panel, dock in made:
            dock.came.connect(self.panels.page_room.make_room_soon)
            if panel.follows is not None:
                self._let_follow(dock, self.session.get(panel.follows))
        self.tasks = TaskViews(self, workbench, self.panels, named, self._settings)
        layers = named["layers"][1]
        workbench.sight.sees_layers = lambda: (
            layers.isVisible() and not layers.visibleRegion().isEmpty()
        )
        workbench.page_session.may_mark = lambda: self.tasks.current.mode is not Mode.WHY
        workbench.page_session.is_marking = lambda: self.tasks.current.name == "mark"
        self._scopes: dict[Where, QWidget | None] = {
            panel.where: dock.key_holder for panel, dock in made if panel.where is not None
        }

    def _let_follow(self, dock: QDockWidget, shown: Shown) -> None:
        shown.shown_changed.connect(lambda: self.panels.invite(dock, shown.is_shown))
        shown.shown_changed.connect(self._refresh)

    def panel(self, kind: type[D]) -> D:
        """Return the dock of this class; `KeyError` if there is none."""
        dock = self._docks[kind]
        assert isinstance(dock, kind)
        return dock

    def _make_actions(self) -> Actions:
        workbench, main_area = self.workbench, self.main_area
        owners = Owners(
            [
                workbench, workbench.page_session, workbench.navigation,
                workbench.session.selection, workbench.marking,
                workbench.marking.commands, workbench.saving, workbench.restoring, workbench.runner,
                *workbench.controllers, *self._docks.values(), self.panels, self.tasks, main_area,
                self.dialogs, self.themes, self.memory_setting, self.shortcuts,
                PageFocus(self, workbench), self.context_menus, self.retold,
            ]
        )  # fmt: skip
        owners.add(OwnKeys, lambda: self.own_keys)
        owners.add(HiddenMenus, lambda: self.menus)
        for feature in FEATURES:
            for row in feature.views:
                owners.add(row.kind, partial(main_area.get, row.kind))
                if row.where is not None:
                    self._scopes[row.where] = None
        actions = Actions(ACTIONS, owners, self, {Where.PAGE: workbench.canvas, **self._scopes})
        actions.hold_in(Where.MARKS, workbench.canvas)
        actions.await_painted = workbench.drawing.await_painted
        return actions

    def _connect(self) -> None:
        session, workbench = self.session, self.workbench
        for signal in (
            session.open.document_changed,
            session.open.page_changed,
            session.selection.selection_changed,
            session.selection.mode_changed,
            session.open.lock_changed,
            session.open.gold_changed,
            session.layers.layers_changed,
            workbench.pages.changed,
            workbench.saving.changed,
            workbench.page_session.hang_changed,
            self.tasks.changed,
        ):
            signal.connect(self._refresh)
        session.selection.candidate_changed.connect(self._on_candidate)
        workbench.requests.task.connect(self.tasks.choose)
        workbench.requests.enable.connect(lambda: self.actions_.enable(workbench))
        workbench.restoring.restarted.connect(self.close)
        session.open.page_changed.connect(self._on_page)
        session.messages.message_changed.connect(self._on_message)
        main_area = self.main_area
        main_area.zoomed.connect(self._say_zoom)
        for slot in (self._say_zoom, self._refresh, self._give_room):
            main_area.switched.connect(slot)
        main_area.made.connect(lambda view, where: self.actions_.hold_in(where, view.widget))
        main_area.made.connect(lambda view, _where: translate_in(view.widget))
        for name in ("next", "previous"):
            self.actions_[name].triggered.connect(main_area.show_page)
        for asking in (self.empty, main_area):
            asking.asked.connect(lambda name: self.actions_[name].trigger())
        self.empty.chosen.connect(self.open_path)
        self.empty.removed.connect(self._forget)
        workbench.navigation.refused.connect(self._on_refused)
        self.themes.changed.connect(self._on_theme)
        group = workbench.page_session.undo_group
        changes = (group.canUndoChanged, group.undoTextChanged, group.canRedoChanged,
                   group.redoTextChanged, workbench.page_session.history.changed)  # fmt: skip
        for signal in changes:
            signal.connect(self._name_undo)

    def _name_undo(self) -> None:
        page_session = self.workbench.page_session
        for name, text in (("undo", page_session.undo_text), ("redo", page_session.redo_text)):
            self.actions_[name].setText(f"{name.title()} {text or ''}".strip())
        self._refresh()

    def _on_message(self) -> None:
        is_error = self.session.messages.message.startswith(UNFORESEEN)
        self.toast.say(self.session.messages.message, offers=is_error)
        if is_error:
            self._refresh()  # the error report can now be copied

    def _on_candidate(self) -> None:
        """Follow whether there is a frame, not which: it moves with the mouse."""
        is_framed = self.session.selection.candidate >= 0
        if is_framed != self._is_framed:
            self._is_framed = is_framed
            self.actions_.enable(self.workbench)

    def open_path(self, path: str, variant: Variant = "html") -> None:
        """Open pages, or the results that `pagelet evaluate` wrote into a folder."""
        self._refusal = ""
        is_live = path.lower().startswith(("http:", "https:"))
        try:
            path.encode()
            if not is_live:
                Path(path).expanduser().exists()
        except UnicodeEncodeError:
            self.session.messages.say(
                f"{cut_text(ascii(path), _LONGEST)} is not UTF-8: rename it, then open it"
            )
            return
        except OSError as error:
            self.session.messages.say(
                f"{cut_text(path, _LONGEST)} cannot be opened: {error.strerror}"
            )
            return
        self.workbench.navigation.open_path(path, variant)

    def _forget(self, address: str) -> None:
        """Stop offering it; the keyboard goes to the first button."""
        self.dialogs.forget(address)
        self._refresh()
        self.empty.take_focus()

    def _on_refused(self) -> None:
        self._refusal = self.session.messages.message
        self._refresh()

    def _on_saved(self) -> None:
        is_told = self.session.messages.message.startswith("not saved")
        if is_told and self.workbench.saving.is_all_saved:
            self.toast.dismiss()

    def _say_zoom(self) -> None:
        zoom, is_fitted = self.main_area.scale
        is_page = self.main_area.current is self.main_area.page
        self.zoom.show_zoom(zoom, is_told=not is_fitted and is_page)

    # following the session -------------------------------------------------------------------
    def _refresh(self) -> None:
        session, workbench, main_area = self.session, self.workbench, self.main_area
        view = main_area.current
        is_bare = view.room is Room.WHOLE_SCREEN
        self.stage.set_bare(is_bare, view.shown_on)
        self.menus.set_off(is_off=is_bare)
        for message in main_area.desk.findChildren(Message):
            message.hold(is_on=is_bare)
        self.panels.set_aside(not main_area.has_panels and not is_bare)
        self.status_bar.speak_of(" · ".join(main_area.names))
        self.actions_.enable(workbench)
        self.question.ask(CONTESTED if workbench.saving.is_contested else "")
        self.restore.ask(workbench.restoring.question)
        self.replaced.ask(REPLACED if workbench.saving.is_moved else "")
        is_page = not main_area.is_covered  # a hidden page may be slow
        self.hang.ask(HANGS if is_page and workbench.page_session.asks_to_wait else "")
        self.actions_.check("mode", session.selection.mode)
        self.actions_.check("task", self.tasks.shown.name)
        if self.tasks.shown is not self._task:
            self._task = self.tasks.shown
            self.toolbar.show_task(self._task)
            self.status_bar.show_task(self._task)
        document, failure = session.open.document, workbench.page_session.failure
        if document is None:
            step = self.tasks.shown.first_step
            own = str(workbench.workspace.path)
            recent = [each for each in self.dialogs.entries() if each.address != own]
            tasks = [
                TaskEntry(f"task-{each.name}", *each.card, is_chosen=each is self._task)
                for each in TASKS
                if each.card
            ]
            self.empty.begin(step, recent, self._refusal, tasks)
        elif failure:
            is_last = document == session.documents[-1]
            title = workbench.pages.title(document)
            self.empty.failed(title, failure, has_next=not is_last)
        is_empty = document is None or (bool(failure) and session.open.page is None)
        is_empty = is_empty and not main_area.is_covered
        had_keys = workbench.canvas.isAncestorOf(self.focusWidget() or self)
        main_area.stack.setCurrentWidget(self.empty if is_empty else view.widget)
        if is_empty and failure and had_keys:
            self.empty.take_focus()  # else it would go to a field of a panel, and keys be text
        self.actions_.check("status", workbench.pages.status(document) if document else None)
        title = session.open.page.title if session.open.page else ""
        name = title or (workbench.pages.title(document) if document is not None else "")
        name = " · ".join(main_area.names) or name
        self.setWindowTitle(f"{name} – Pagelet" if name else "Pagelet")

    def _on_page(self) -> None:
        # A panel with the focus keeps it; else the page gets the keys.
        is_elsewhere = isinstance(self.focusWidget(), QLineEdit | QAbstractItemView)
        if not is_elsewhere and self.main_area.current.widget is self.workbench.canvas:
            self.workbench.canvas.view.setFocus()

    def _on_theme(self) -> None:
        self.actions_.tint(self.themes.theme)
        self.actions_.check("theme", self.themes.choice)
        self.toolbar.tint()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.context_menus.open_for(event, self)

    # opening by drop -------------------------------------------------------------------------
    def childEvent(self, event: QChildEvent) -> None:
        """Name the tabs of panels, which Qt makes without a name."""
        super().childEvent(event)
        child = event.child()
        if event.polished() and isinstance(child, QWidget) and child.inherits("QTabBar"):
            child.setAccessibleName(translate("Panels"))
            if isinstance(child, QTabBar):
                child.setUsesScrollButtons(False)  # shows all tabs, with shortened names

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Pass over tab bars of hidden panels, which Qt keeps visible outside of the window."""
        passed: list[QWidget] = []  # in a presentation there may be nothing else
        while super().focusNextPrevChild(is_next):
            focused = self.focusWidget()
            is_unseen = isinstance(focused, QTabBar) and focused.visibleRegion().isEmpty()
            if not is_unseen or focused in passed:
                return True
            passed.append(focused)
        return False

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_path(event.mimeData()):
            take_copy(event)
            self.empty.set_dragged_over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.empty.set_dragged_over(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.empty.set_dragged_over(False)
        result = dropped_path(event.mimeData())
        if result:
            take_copy(event)
            self.dialogs.open_requested.emit(result)
            if (count := len(event.mimeData().urls())) > 1:
                words = f"only the first of {count} is opened: drop their folder for all"
                self.session.messages.say(words)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.key_hints.watch()
        self.unavailable_keys.watch()
        self.menus.watch()

    # layout ----------------------------------------------------------------------------------
    def _restore(self) -> None:
        geometry = self._settings.value("geometry")
        if not isinstance(geometry, QByteArray) or not self.restoreGeometry(geometry):
            screen = self.screen().availableGeometry()
            # Room for the frame and the title bar: the status line must not lie below the screen.
            self.resize(min(1600, screen.width() - 16), min(1000, screen.height() - 48))
        self.panels.opened |= set(str(self._settings.value("opened", "")).split())
        self.tasks.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.main_area.has_panels:
            self.tasks.fit()
            self.panels.fit(event.size().height())
            self.panels.page_room.keep()
            self.panels.page_room.keep_soon()
        if self.main_area.least_width:
            self.panels.give_room(self.main_area.least_width)

    def _give_room(self) -> None:
        self.tasks.fit()
        if not self.main_area.is_covered:
            self.panels.give_room(self.main_area.least_width)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the layout, as it is around the page; marks that wait are saved first."""
        if not self.workbench.saving.may_end():
            self.workbench.saving.when_saved(self.close)
            event.ignore()
            return
        self.main_area.show_page()  # the site may lie over two of its pages, and comes back
        self.main_area.leave()
        self.main_area.show_page()
        self._settings.setValue("geometry", self.saveGeometry())
        self.tasks.store()
        self.counts.store()
        self._settings.setValue("opened", " ".join(sorted(self.panels.opened)))
        self._settings.sync()
        super().closeEvent(event)

    def close_down(self) -> None:
        """Close page and workspace, in the order that the browser requires."""
        self.counts.stop()
        self.workbench.close()
