"""The window: puts page, panels, tools and menus together; decides nothing itself."""

from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDockWidget,
    QLineEdit,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from annotate.datasets.kreuzer.pages import Variant
from annotate.evaluation.read_results import results_in
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import page_key
from engine.words import cut
from gui.core.action import Where
from gui.core.clock import spoken
from gui.core.feature import ShownState, Side
from gui.core.when import Situation
from gui.core.workbench import Workbench
from gui.features.evaluate.bundle_writer import BundleWriter
from gui.features.evaluate.view import EvaluateView
from gui.features.export.page_export import PageExport
from gui.features.pages.panel import PagesDock
from gui.features.review.state import ReviewState
from gui.features.source.panel import SourceDock
from gui.features.team.controller import Teamwork
from gui.features.team.panel import CommentsDock
from gui.widgets.drops import take_copy
from gui.widgets.empty_state import EmptyState
from gui.widgets.theme import ThemeSwitch
from gui.widgets.toasts import Question, Toast
from gui.window.actions import ACTIONS
from gui.window.bound_actions import Actions, Owners
from gui.window.central import Central
from gui.window.dock_layout import DockLayout
from gui.window.features import FEATURES, add_features
from gui.window.memory_setting import MemorySetting
from gui.window.open_dialogs import OpenDialogs, dropped_path
from gui.window.own_keys import OwnKeys
from gui.window.page_focus import PageFocus
from gui.window.page_views import Views
from gui.window.prompts import Prompts
from gui.window.quick_pick import QuickPick
from gui.window.shortcuts import ShortcutsOverlay
from gui.window.shown_views import ShownViews
from gui.window.stage_layout import StageLayout
from gui.window.status_bar import StatusBar
from gui.window.toolbar import Toolbar

HANGS = "the page has not answered for five seconds"
REPLACED = "the workspace file was replaced: your marks are not saved"
CONTESTED = "another window has changed these marks too: yours are not saved until you choose"
LEAST_PAGE = 200
"""Width of the page, px, in a window as small as it gets, with panels at both sides."""

LAYOUT = 2
"""Number of the arrangement of panels; another number makes saved ones void.

A new dock needs none: Qt leaves one that a saved arrangement does not know where it is.
"""

_LONGEST = 200
"""Letters of a name in a sentence."""


D = TypeVar("D", bound=QDockWidget)


class Window(QMainWindow):
    """One workbench on screen."""

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

        add_features(workbench)
        self._center()
        self._panels()
        self.dialogs = OpenDialogs(self, self.type_field, self._settings, self.session)
        self.dialogs.open_requested.connect(self.open_path)
        workbench.opened.connect(self.dialogs.remember)
        workbench.refused.connect(self.dialogs.forget)
        self.dialogs.picture_requested.connect(self.views.save_picture)
        self.page_export = PageExport(self.session, workbench.canvas, self)
        self.dialogs.page_requested.connect(self.page_export.save)
        self.dialogs.gold_requested.connect(workbench.exporting.save_gold)
        self.dialogs.merge_requested.connect(workbench.get(Teamwork).merge)
        self.memory_setting = MemorySetting(self._settings, self.type_field, self.session)
        self.shortcuts = ShortcutsOverlay(self, lambda: self.actions_.rows)
        self.actions_ = self._make_actions()
        self.toolbar = Toolbar(self.session, self.actions_, self)
        self.addToolBar(self.toolbar)
        self.status_bar = StatusBar(self.session, workbench, self)
        self.setStatusBar(self.status_bar)
        self.status_bar.lock.clicked.connect(self.actions_["copy-gold"].trigger)
        menus = self.actions_.fill(self.menuBar())
        menus["View"].addSeparator()
        for dock in self.panels.listed:
            menus["View"].addAction(dock.toggleViewAction())
        self.question.set_answers([self.actions_[n] for n in ("keep-mine", "take-theirs")])
        self.restore.set_answers([self.actions_["take-backup"]])
        self.replaced.set_answers([self.actions_["reopen-workspace"]])
        self.hang.set_answers([self.actions_[n] for n in ("wait", "stop-page")])
        key_file = Path(self._settings.fileName()).with_name("keys.json")
        self.own_keys = OwnKeys(self, self.actions_, self.session, key_file)
        bars = (self.menuBar(), self.toolbar, self.status_bar)
        self.stage = StageLayout(self, self.panels, bars)
        self._connect()
        self._restore()
        self._refresh()
        self._on_theme()
        workbench.canvas.view.setFocus()
        workbench.canvas.view.setAcceptDrops(False)  # a drop is the window's

    # putting together ----------------------------------------------------------------------
    def _center(self) -> None:
        self.desk = desk = QWidget(self)
        desk.setObjectName("Desk")
        self.center = QStackedWidget(desk)
        # What stands there without panels asks for more: that must not push them over the edge.
        self.center.setMinimumWidth(LEAST_PAGE)
        self.empty = EmptyState(self.center)
        self.center.addWidget(self.workbench.canvas)
        self.center.addWidget(self.empty)
        self.below = QVBoxLayout(desk)
        self.below.setContentsMargins(0, 0, 0, 0)
        self.below.setSpacing(0)
        self.below.addWidget(self.center, 1)
        self.setCentralWidget(desk)
        self.question = Question(desk)
        self.hang = Question(desk, self.question)
        self.restore = Question(desk, self.question, self.hang)
        self.replaced = Question(desk, self.question, self.hang, self.restore)
        self.toast = Toast(desk, self.question, self.hang, self.restore, self.replaced)
        self.type_field = QuickPick(desk)

    def _panels(self) -> None:
        workbench = self.workbench
        made = [(panel, panel.make(workbench, self)) for each in FEATURES for panel in each.panels]
        self._docks = {type(dock): dock for _, dock in made}
        by_name = {panel.name: dock for panel, dock in made}
        self.panels = DockLayout(
            self,
            [dock for panel, dock in made if panel.at == Side.LEFT],
            [dock for panel, dock in made if panel.at == Side.RIGHT],
            [(dock, by_name[panel.at]) for panel, dock in made if panel.at in by_name],
            [dock for panel, dock in made if panel.at == Side.BELOW],
        )
        for panel, dock in made:
            if panel.follows is not None:
                self._let_follow(dock, panel.follows(workbench))
        pages = self.panel(PagesDock)
        self.central = Central(workbench, self.panels, pages, self.center)
        self.views = Views(workbench, self.center, self.desk)
        self.bundles = BundleWriter(workbench, lambda: self.central.table, self)
        self.central.stopped.connect(self.bundles.stop)
        self.below.addWidget(self.views.presentation.caption)

    def _let_follow(self, dock: QDockWidget, shown: ShownState) -> None:
        shown.shown_changed.connect(lambda: self.panels.invite(dock, shown.is_shown))

    def panel(self, kind: type[D]) -> D:
        """Return the dock of this class; `KeyError` if there is none."""
        dock = self._docks[kind]
        assert isinstance(dock, kind)
        return dock

    def _make_actions(self) -> Actions:
        workbench, views = self.workbench, self.views
        comments, source = self.panel(CommentsDock), self.panel(SourceDock)
        pages = self.panel(PagesDock)
        owners = Owners(
            [
                workbench, workbench.marking, workbench.recovery, workbench.restoring,
                *workbench.controllers, *self._docks.values(), self.panels,
                self.central, views, views.view_3d, views.side, views.page_diff, views.presentation,
                self.dialogs, self.themes, self.memory_setting, self.bundles,
                self.shortcuts, Prompts(workbench, self.type_field, comments),
                PageFocus(self, workbench, self.central, views, pages, self.dialogs),
            ]
        )  # fmt: skip
        owners.add(EvaluateView, lambda: self.central.table)
        owners.add(OwnKeys, lambda: self.own_keys)
        places = {
            Where.PAGE: workbench.canvas,
            Where.TABLE: None,
            Where.VIEW_3D: views.view_3d,
            Where.SOURCE: source.view,
            Where.SIDE: views.side,
            Where.PAGE_DIFF: views.page_diff,
        }
        return Actions(ACTIONS, owners, self, places)

    def _connect(self) -> None:
        session, workbench = self.session, self.workbench
        for signal in (
            session.document_changed,
            session.page_changed,
            session.selection_changed,
            session.mode_changed,
            session.lock_changed,
            session.gold_changed,
            session.layers_changed,
            workbench.pages.changed,
            workbench.saved_changed,
            workbench.recovery.changed,
        ):
            signal.connect(self._refresh)
        workbench.restoring.restarted.connect(self.close)
        session.page_changed.connect(self._on_page)
        session.page_changed.connect(self._say_time)
        workbench.clock.changed.connect(self._say_time)
        session.message_changed.connect(lambda: self.toast.say(session.message))
        for signal in (self.views.zoomed, self.views.switched):
            signal.connect(self._say_zoom)
        self.central.switched.connect(self._refresh)
        self.views.switched.connect(self._refresh)
        self.views.switched.connect(lambda: self.panels.give_room(self.views.least_width))
        self.central.paired.connect(self.views.show_page_diff)
        self.views.page_diff_left.connect(self.central.come_back)
        self.central.table_made.connect(self._on_table)
        for name in ("next", "previous"):
            self.actions_[name].triggered.connect(self.central.show_page)
        asking = (self.empty, self.central, self.views)
        for asked in (each.asked for each in asking):
            asked.connect(lambda name: self.actions_[name].trigger())
        self.themes.changed.connect(self._on_theme)
        session.get(ReviewState).shown_changed.connect(self._refresh)
        workbench.get(Teamwork).changed.connect(self._say_who)
        self._say_who()
        group = workbench.undo_group
        for name, can, text in (
            ("undo", group.canUndoChanged, group.undoTextChanged),
            ("redo", group.canRedoChanged, group.redoTextChanged),
        ):
            action = self.actions_[name]
            can.connect(self._refresh)
            text.connect(lambda what, a=action, n=name: a.setText(f"{n.title()} {what}".strip()))

    def open_path(self, path: str, variant: Variant = "html") -> None:
        """Open pages, or the results that `pagelet evaluate` wrote into a folder."""
        is_live = path.lower().startswith(("http:", "https:"))
        try:
            path.encode()
            if not is_live:
                Path(path).expanduser().exists()
        except UnicodeEncodeError:
            self.session.say(f"{cut(ascii(path), _LONGEST)} is not UTF-8: rename it, then open it")
            return
        except OSError as error:
            self.session.say(f"{cut(path, _LONGEST)} cannot be opened: {error.strerror}")
            return
        if not is_live and results_in(Path(path).expanduser()) is not None:
            self.central.open_results(path)
            self.dialogs.remember(path)
        else:
            self.workbench.open_path(path, variant)

    def _say_zoom(self) -> None:
        zoom, is_fitted = self.views.scale
        self.toolbar.show_zoom(zoom, is_fitted=is_fitted)

    def _say_who(self) -> None:
        me = self.workbench.get(Teamwork).me
        role = " (reviewer)" if me.role is Role.REVIEWER else ""
        name = me.shown if self.workbench.get(Teamwork).people() else me.name
        tip = "Whose marks are shown and changed: Alt+W to mark as another, Alt+Shift+W to review"
        self.status_bar.who.say(f"{name}{role}" if name or role else "", tip)

    # following the session -------------------------------------------------------------------
    def _refresh(self) -> None:
        session, workbench = self.session, self.workbench
        self.stage.set_bare(self.views.is_presentation)
        pair = self.views.pair
        self.panels.set_aside(bool(pair))
        self.status_bar.speak_of(" · ".join(pair))
        self.actions_.enable(Situation(workbench, ShownViews(self.central, self.views)))
        self.toolbar.zoom.setEnabled(self.central.widget is None)
        self.question.ask(CONTESTED if workbench.is_contested else "")
        self.restore.ask(workbench.restoring.question)
        self.replaced.ask(REPLACED if workbench.saving.is_moved else "")
        self.hang.ask(HANGS if workbench.recovery.is_asking else "")
        self.actions_.check("mode", session.mode)
        document = session.document
        if document is None:
            self.empty.welcome()
        elif workbench.failure:
            is_last = document == session.documents[-1]
            self.empty.failed(
                workbench.pages.title(document), workbench.failure, has_next=not is_last
            )
        is_empty = document is None or (bool(workbench.failure) and session.page is None)
        page = self.empty if is_empty else self.views.widget or workbench.canvas
        self.center.setCurrentWidget(self.central.widget or page)
        self.actions_.check("status", workbench.pages.status(document) if document else None)
        title = session.page.title if session.page else ""
        name = title or (workbench.pages.title(document) if document is not None else "")
        name = " · ".join(pair) or name
        self.setWindowTitle(f"{name} – Pagelet" if name else "Pagelet")

    def _say_time(self) -> None:
        clock, document = self.workbench.clock, self.session.document
        here = clock.on_page(page_key(document)) if document is not None else 0
        days = list(clock.by_day().items())[:7]
        tip = "\n".join(["At work on this page; by day:", *(f"{d}  {spoken(s)}" for d, s in days)])
        said = f"{spoken(here)}, today {spoken(clock.today())}"
        self.status_bar.time.say(said if here else "", tip)

    def _on_table(self, table: EvaluateView) -> None:
        table.progress_changed.connect(self.toolbar.show_evaluation)
        self.actions_.hold_in(Where.TABLE, table)

    def _on_page(self) -> None:
        # Who typed or clicked in a panel goes on there; else keys belong to the page.
        is_elsewhere = isinstance(self.focusWidget(), QLineEdit | QAbstractItemView)
        if not is_elsewhere and self.central.widget is None and self.views.widget is None:
            self.workbench.canvas.view.setFocus()

    def _on_theme(self) -> None:
        self.actions_.tint(self.themes.theme)
        self.actions_.check("theme", self.themes.choice)
        self.panel(PagesDock).tint(self.themes.theme)
        self.toolbar.tint()

    # opening by drop -------------------------------------------------------------------------
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Welcome files, folders and web addresses."""
        if dropped_path(event.mimeData()):
            take_copy(event)
            self.empty.set_dragged_over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Forget what was dragged over."""
        self.empty.set_dragged_over(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self.empty.set_dragged_over(False)
        found = dropped_path(event.mimeData())
        if found:
            take_copy(event)
            self.dialogs.open_requested.emit(found)

    # layout ----------------------------------------------------------------------------------
    def _restore(self) -> None:
        geometry = self._settings.value("geometry")
        state = self._settings.value("state")
        if not isinstance(geometry, QByteArray) or not self.restoreGeometry(geometry):
            screen = self.screen().availableGeometry()
            # Room for the frame and the title bar: the status line must not lie below the screen.
            self.resize(min(1600, screen.width() - 16), min(1000, screen.height() - 48))
        self.panels.opened |= set(str(self._settings.value("opened", "")).split())
        is_kept = isinstance(state, QByteArray) and self.restoreState(state, LAYOUT)
        if not is_kept:
            self.panels.set_sizes()
        self.panels.fit(self.height(), is_kept=is_kept)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the panels as there is room."""
        super().resizeEvent(event)
        is_bare = (
            self.central.widget is not None or self.views.is_presentation or self.views.is_page_diff
        )
        if not is_bare:
            self.panels.fit(event.size().height())
        if self.views.least_width:
            self.panels.give_room(self.views.least_width)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the layout, as it is around the page; marks that wait are saved first."""
        if not self.workbench.saving.may_end():
            self.workbench.saving.when_saved(self.close)
            event.ignore()
            return
        self.central.show_page()  # it may lie over two pages of a site, and comes back
        self.views.leave()
        self.central.show_page()
        self._settings.setValue("geometry", self.saveGeometry())
        self._settings.setValue("state", self.saveState(LAYOUT))
        self._settings.setValue("opened", " ".join(sorted(self.panels.opened)))
        self._settings.sync()
        super().closeEvent(event)

    def close_down(self) -> None:
        """Let go of page and workspace, in the order the browser wants it."""
        self.bundles.stop()
        self.central.close_down()
        self.views.close_down()
        self.workbench.close()
