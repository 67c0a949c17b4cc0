"""The window: puts page, panels, tools and menus together; decides nothing itself."""

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from annotate.gold import MAIN
from gui.actions import Actions, Needs, Where
from gui.docks.details import DetailsDock
from gui.docks.layers import LayersDock
from gui.docks.outline import OutlineDock
from gui.docks.pages import PagesDock
from gui.empty import EmptyState
from gui.floating import Question, Toast
from gui.help import HelpOverlay
from gui.middle import Middle
from gui.opening import Opening, dropped_path
from gui.panels import Panels
from gui.statusline import StatusLine
from gui.strip import Strip
from gui.theme import Choice, ThemeSwitch
from gui.typefield import TypeField, type_choices
from gui.workbench import Workbench

CONTESTED = "another window has changed these marks too: yours are not saved until you choose"
LAYOUT = 1
"""Number of the arrangement of panels; another number makes saved ones void."""


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

        self._center()
        self._panels()
        self.opening = Opening(self, self.type_field, self._settings)
        self.opening.open_requested.connect(workbench.open_path)
        self.opening.picture_requested.connect(workbench.export_picture)
        self.opening.gold_requested.connect(workbench.export_gold)
        targets = {
            "workbench": workbench,
            "window": self,
            "opening": self.opening,
            "panels": self.panels,
            "middle": self.middle,
            "table": self.middle.table,
            "details": self.details,
        }
        places = {Where.PAGE: workbench.canvas, Where.TABLE: self.middle.table}
        self.actions_ = Actions(targets, self, places)
        self.strip = Strip(self.session, self.actions_, self)
        self.addToolBar(self.strip)
        self.status_line = StatusLine(self.session, workbench, self)
        self.setStatusBar(self.status_line)
        menus = self.actions_.fill(self.menuBar())
        menus["View"].addSeparator()
        for dock in self.panels.docks:
            menus["View"].addAction(dock.toggleViewAction())
        self.question.set_answers([self.actions_[n] for n in ("keep-mine", "take-theirs")])
        self.help = HelpOverlay(self)
        self._connect()
        self._restore()
        self._refresh()
        self._on_theme()
        workbench.canvas.view.setFocus()
        workbench.canvas.view.setAcceptDrops(False)  # a drop is the window's

    # putting together ----------------------------------------------------------------------
    def _center(self) -> None:
        desk = QWidget(self)
        desk.setObjectName("Desk")
        self.center = QStackedWidget(desk)
        self.empty = EmptyState(self.center)
        self.center.addWidget(self.workbench.canvas)
        self.center.addWidget(self.empty)
        layout = QVBoxLayout(desk)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.center)
        self.setCentralWidget(desk)
        self.question = Question(desk)
        self.toast = Toast(desk, below=self.question)
        self.type_field = TypeField(desk)

    def _panels(self) -> None:
        self.pages = PagesDock(self.session, self.workbench, self)
        self.outline = OutlineDock(self.session, self.workbench, self)
        self.layers = LayersDock(self.session, self.workbench, self)
        self.details = DetailsDock(self.session, self)
        self.panels = Panels(self, (self.pages, self.outline, self.layers, self.details))
        self.middle = Middle(self.workbench, self.panels, self.pages, self.center)

    def _connect(self) -> None:
        session, workbench = self.session, self.workbench
        for signal in (
            session.document_changed,
            session.page_changed,
            session.selection_changed,
            session.mode_changed,
            workbench.statuses_changed,
            workbench.saved_changed,
        ):
            signal.connect(self._refresh)
        session.page_changed.connect(self._on_page)
        session.message_changed.connect(lambda: self.toast.say(session.message))
        canvas = workbench.canvas
        canvas.zoom_changed.connect(
            lambda zoom: self.strip.show_zoom(zoom, is_fitted=canvas.is_fitted)
        )
        self.details.rounds.reached.connect(canvas.scroll_to)
        self.middle.switched.connect(self._refresh)
        self.middle.table.progress_changed.connect(self.strip.show_evaluation)
        for name in ("next", "previous"):
            self.actions_[name].triggered.connect(self.middle.show_page)
        for asked in (self.empty.asked, self.middle.table.asked):
            asked.connect(lambda name: self.actions_[name].trigger())
        self.themes.changed.connect(self._on_theme)
        group = workbench.undo_group
        for name, can, text, now in (
            ("undo", group.canUndoChanged, group.undoTextChanged, group.canUndo),
            ("redo", group.canRedoChanged, group.redoTextChanged, group.canRedo),
        ):
            action = self.actions_[name]
            can.connect(action.setEnabled)
            text.connect(lambda what, a=action, n=name: a.setText(f"{n.title()} {what}".strip()))
            action.setEnabled(now())

    # what the table of actions calls ---------------------------------------------------------
    def back_to_page(self) -> None:
        """Give the page the keyboard; if it has it, select nothing."""
        canvas = self.workbench.canvas
        if self.middle.leave():
            return
        focused = self.focusWidget()
        if focused is None or focused is canvas or canvas.isAncestorOf(focused):
            self.workbench.clear_selection()
        else:
            self.pages.end_search()
            canvas.view.setFocus()

    def show_help(self) -> None:
        """Show or hide all shortcuts."""
        self.help.toggle()

    def toggle_theme(self) -> None:
        """Take the other theme."""
        self.themes.toggle()

    def choose_theme(self, choice: Choice) -> None:
        """Take a theme, or the desktop's."""
        self.themes.choose(choice)

    def type_name(self) -> None:
        """Ask for the type of the selected blocks."""
        self.type_field.ask(
            "Type of the block",
            "Type a name",
            self.workbench.set_type,
            type_choices(self.session),
        )

    def toggle_layer_at(self, place: int) -> None:
        """Show or hide a layer by its place in the panel."""
        if place < len(self.session.layers):
            self.workbench.toggle_layer(self.session.layers[place].key)

    def toggle_current_layer(self) -> None:
        """Show or hide the current layer."""
        self.workbench.toggle_layer(self.session.current_layer)

    def solo_current_layer(self) -> None:
        """Draw only the current layer, or all again."""
        self.workbench.solo_layer(self.session.current_layer)

    def copy_extract(self) -> None:
        """Copy the current layer's text."""
        self.workbench.copy_extract(self.session.current_layer)

    # following the session -------------------------------------------------------------------
    def _refresh(self) -> None:
        session, workbench = self.session, self.workbench
        marks = session.selected_marks()
        is_page = not self.middle.is_table  # what is out of sight is not to be changed
        self.actions_.enable(
            {
                Needs.DOCUMENT: session.document is not None,
                Needs.PAGE: is_page and session.page is not None,
                Needs.MARK: is_page and bool(marks),
                Needs.BLOCK: is_page and any(mark.level != MAIN for mark in marks),
                Needs.TABLE: self.middle.is_table,
                Needs.CHOICE: workbench.is_contested,
            }
        )
        self.question.ask(CONTESTED if workbench.is_contested else "")
        self.actions_["undo"].setEnabled(is_page and workbench.undo_group.canUndo())
        self.actions_["redo"].setEnabled(is_page and workbench.undo_group.canRedo())
        self.actions_.check("mode", session.mode)
        document = session.document
        if document is None:
            self.empty.welcome()
        elif workbench.failure:
            is_last = document == session.documents[-1]
            self.empty.failed(document.name, workbench.failure, has_next=not is_last)
        is_empty = document is None or (bool(workbench.failure) and session.page is None)
        page = self.empty if is_empty else workbench.canvas
        self.center.setCurrentWidget(self.middle.table if self.middle.is_table else page)
        self.actions_.check("status", workbench.page_status(document) if document else None)
        name = session.page.title if session.page else document.name if document else ""
        self.setWindowTitle(f"{name} – Pagelet" if name else "Pagelet")

    def _on_page(self) -> None:
        # Who typed or clicked in a panel goes on there; else keys belong to the page.
        is_elsewhere = isinstance(self.focusWidget(), QLineEdit | QAbstractItemView)
        if not is_elsewhere and not self.middle.is_table:
            self.workbench.canvas.view.setFocus()

    def _on_theme(self) -> None:
        self.actions_.tint(self.themes.theme)
        self.actions_.check("theme", self.themes.choice)
        self.pages.tint(self.themes.theme)
        self.strip.tint()

    # opening by drop -------------------------------------------------------------------------
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Welcome files, folders and web addresses."""
        if dropped_path(event.mimeData()):
            event.acceptProposedAction()
            self.empty.set_dragged_over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Forget what was dragged over."""
        self.empty.set_dragged_over(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self.empty.set_dragged_over(False)
        found = dropped_path(event.mimeData())
        if found:
            event.acceptProposedAction()
            self.opening.open_requested.emit(found)

    # layout ----------------------------------------------------------------------------------
    def _restore(self) -> None:
        geometry = self._settings.value("geometry")
        state = self._settings.value("state")
        if not isinstance(geometry, QByteArray) or not self.restoreGeometry(geometry):
            screen = self.screen().availableGeometry()
            # Room for the frame and the title bar: the status line must not lie below the screen.
            self.resize(min(1600, screen.width() - 16), min(1000, screen.height() - 48))
        if not isinstance(state, QByteArray) or not self.restoreState(state, LAYOUT):
            self.panels.set_sizes()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the layout, as it is around the page."""
        self.middle.show_page()
        self._settings.setValue("geometry", self.saveGeometry())
        self._settings.setValue("state", self.saveState(LAYOUT))
        self._settings.sync()
        super().closeEvent(event)

    def close_down(self) -> None:
        """Let go of page and workspace, in the order the browser wants it."""
        self.middle.table.close_down()
        self.workbench.close()
