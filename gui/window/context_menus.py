"""Context menus: the actions that belong to the clicked item."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QWidget

from gui.core.action import Action, Context, HasContext, of_marks
from gui.core.workbench import Workbench
from gui.widgets.events import until_collected
from gui.widgets.parts import PanelDock
from gui.widgets.texts import translate
from gui.window.action_table import Actions, right_click_submenu


class ContextMenus(QObject):
    """Opens the context menu of the item under the mouse, or of the selection.

    Attributes:
        menu: The one opened last.
    """

    def __init__(self, window: QMainWindow, workbench: Workbench) -> None:
        super().__init__(window)
        self._window, self._workbench = window, workbench
        self._actions: Actions | None = None
        self._listed: Sequence[QDockWidget] = ()
        self._dock: QDockWidget | None = None  # asked about last
        self.menu: QMenu | None = None

    def use(self, actions: Actions, docks: Sequence[QDockWidget]) -> None:
        """Offer these actions; ``docks`` are shown and hidden by their names."""
        self._actions, self._listed = actions, docks
        for dock in self._window.findChildren(QDockWidget):
            dock.installEventFilter(self)  # a floating dock is a separate window

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what no part of a panel has taken."""
        if isinstance(event, QContextMenuEvent) and isinstance(watched, QDockWidget):
            self.open_for(event, watched)
            return True
        return False

    # actions ---------------------------------------------------------------------------------
    def open(self) -> None:
        """Open the context menu of the selection in the focused widget."""
        self._open(self._window.focusWidget() or self._window, None)

    def hide_panel(self) -> None:
        if self._dock is not None:
            self._dock.hide()

    def float_panel(self) -> None:
        if self._dock is not None:
            self._dock.setFloating(not self._dock.isFloating())

    # menus -----------------------------------------------------------------------------------
    def open_for(self, event: QContextMenuEvent, window: QWidget) -> None:
        """Open the menu for an event that came to a window or a panel."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            self.open()
            return
        at = event.globalPos()
        self._open(window.childAt(window.mapFromGlobal(at)) or window, at)

    def _open(self, widget: QWidget, at: QPoint | None) -> None:
        assert self._actions is not None
        marking, session = self._workbench.marking, self._workbench.session
        context = self.context_of(widget, at)
        self._actions.enable(self._workbench)
        self._actions.tick(self._workbench)
        menu = self.menu = self.fill(context)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        framed = session.selection.candidate
        marking.holds_still = True

        def go_on() -> None:
            marking.holds_still = False
            # A list lets go of it when the mouse goes to the menu.
            session.selection.set_candidate(framed)

        menu.aboutToHide.connect(go_on)
        menu.popup(at if at is not None else self._position_of(widget))

    def context_of(self, widget: QWidget, at: QPoint | None) -> Context:
        """Select the item at a point of a widget and return its target; see `HasContext`."""
        each: QWidget | None = widget
        while each is not None:
            if isinstance(each, HasContext) and (result := each.context_at(at)) is not None:
                return result
            if each is self._workbench.canvas:
                session = self._workbench.session
                is_framed = session.selection.candidate >= 0
                beside = Context.ELEMENT if is_framed else self._beside_all()
                return of_marks(session) or beside
            if isinstance(each, PanelDock):
                self._dock = each
                return Context.PANEL
            each = each.parentWidget()
        return self._beside_all()

    def _beside_all(self) -> Context:
        has_page = self._workbench.session.open.document is not None
        return Context.PAGE if has_page else Context.NO_PAGE

    def fill(self, context: Context) -> QMenu:
        """Return a menu of the rows that belong to a context, types and status in a submenu."""
        assert self._actions is not None
        menu = _menu(self._window)
        below: dict[str, QMenu] = {}
        last: Action | None = None
        for row in self._actions.rows:
            if context not in row.context:
                continue
            if title := right_click_submenu(row):
                if title not in below:
                    below[title] = _menu(menu)
                    below[title].setTitle(translate(title))
                    menu.addMenu(below[title])
                if row.line:
                    below[title].addSeparator()
                below[title].addAction(self._actions[row.name])
                continue
            if last is not None and row.top_menu != last.top_menu:
                menu.addSeparator()
            last = row
            menu.addAction(self._actions[row.name])
        if context is Context.PANEL:
            panels = menu.addMenu(translate("Panels"))
            panels.addActions([dock.toggleViewAction() for dock in self._listed])
        return menu

    def _position_of(self, widget: QWidget) -> QPoint:
        """Return where the menu opens for the keyboard: at the selection, else in the widget."""
        canvas, session = self._workbench.canvas, self._workbench.session
        if session.open.page is not None and (widget is canvas or canvas.isAncestorOf(widget)):
            rows = [t.row for mark in session.selection.selected_marks() for t in mark.targets]
            rows = rows or [session.selection.candidate]
            if rows[0] >= 0:
                left, top, wide, high = session.open.page.rendered().rect[rows[0]].tolist()
                x, y = left + wide / 2, top + min(high / 2, 40) - canvas.scrolled
                inside = canvas.view.rect()
                across = min(max(round(x * canvas.zoom), 0), inside.right())
                down = min(max(round(y * canvas.zoom), 0), inside.bottom())
                return canvas.view.mapToGlobal(QPoint(across, down))
        cursor = widget.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        rect = cursor if isinstance(cursor, QRect) else widget.rect()
        return widget.mapToGlobal(rect.center())


def _menu(parent: QWidget) -> QMenu:
    menu = QMenu(parent)
    menu.setToolTipsVisible(True)  # they explain disabled entries
    return menu
