"""The one bar of the window: menus, switch of views, tools of the view, search, *Done*."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from annotate.marks.gold import MAIN
from gui.core.feature import TaskView
from gui.core.workbench import Workbench
from gui.widgets.events import OneStop, keep_bar_keys
from gui.widgets.layouts import lay_out
from gui.widgets.parts import KeyCap
from gui.widgets.texts import plain
from gui.widgets.theme import themed_icon
from gui.window.action_table import TYPES, Actions
from gui.window.tasks import FOLDED, TASKS

HEIGHT = 44
"""Height of the bar, px."""

SEARCH_LETTERS = 32, 19
"""Width of the search field in a wide and in a narrow window, in average letters."""


class SearchButton(QPushButton):
    """Looks like the field that it opens."""

    def __init__(self, action: QAction, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("SearchButton")
        self._action = action
        self.setAccessibleName(action.text())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        action.changed.connect(self.follow)
        self.clicked.connect(action.trigger)
        self._keys = KeyCap("", self)
        self.follow()

    def follow(self) -> None:
        """Show icon, tip and key of the action as they are now."""
        self.setIcon(self._action.icon())
        self.setToolTip(plain(self._action.toolTip()))
        keys = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self._keys.setText(keys)
        self._keys.setMinimumWidth(self._keys.fontMetrics().horizontalAdvance(keys) + 12)
        self._lay()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay()

    def _lay(self) -> None:
        """Write all its words where there is room, else the first, else none; then the key."""
        words = f"  {self._action.text()}"
        room = self.width() - self.iconSize().width() - 34
        width = self.fontMetrics().horizontalAdvance
        fits = (text for text in (words, words.rpartition(" ")[0]) if width(text) <= room)
        self.setText(next(fits, ""))
        self._keys.adjustSize()
        keys = self._keys.size()
        self._keys.setVisible(room - width(words) >= keys.width())
        self._keys.move(self.width() - keys.width() - 12, (self.height() - keys.height()) // 2)


class Toolbar(QToolBar):
    """Bar above everything else."""

    def __init__(
        self,
        workbench: Workbench,
        actions: Actions,
        menus: Iterable[QMenu],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Tools", parent)
        self.setObjectName("Toolbar")
        self._session, self._actions = workbench.session, actions
        self.setMovable(False)
        self.setFixedHeight(HEIGHT)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        size = round(self.fontMetrics().height() * 1.2)
        self.setIconSize(QSize(size, size))
        self._task = TASKS[0]
        self._places: dict[QWidget, QAction] = {}  # Qt shows and hides the widgets of a bar by them

        self._add_menus(menus)
        self.switch = TaskSwitch(actions, self)
        self.addWidget(self.switch)
        self._edge = self.addSeparator()
        self._tools = {name: self._tool(name, text) for task in TASKS for name, text in task.tools}
        self.modes = [self._tools[name] for name, _ in TASKS[0].tools]
        self._parts = {
            task.name: [self._add(make(workbench, self)) for make in task.parts] for task in TASKS
        }
        OneStop(self, [*self._tools.values()])
        self._add_selection_tools()
        spacer = QWidget(self)
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spacer)
        self.search = SearchButton(actions["palette"], self)
        self.addWidget(self.search)
        self.done = self._tool("status-done", "Done")

        session = self._session
        for signal in (
            session.selection.selection_changed, session.open.gold_changed,
            session.selection.mode_changed, session.open.page_changed,
            session.open.document_changed,
        ):  # fmt: skip
            signal.connect(self._refresh_type)
        actions.keys_changed.connect(self._fit)
        self.show_task(self._task)

    def _add_menus(self, menus: Iterable[QMenu]) -> None:
        self.menu_button = self._popup("Menus", [])
        for menu in menus:
            self._menu(self.menu_button).addMenu(menu)
        self.menu_button.setToolTip("Menus  (F10)")
        self._add(self.menu_button)

    def _add_selection_tools(self) -> None:
        types: list[QAction | None] = []
        for row in self._actions.rows:
            if row.menu == TYPES:
                types += [*([None] if row.line else []), self._actions[row.name]]
        self.type_button = self._popup("Type of the selected block", types)
        self.type_button.setObjectName("type")
        self.type_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._add(self.type_button)
        self._delete = self._tool("delete", "Delete")

    # of the view ---------------------------------------------------------------------------
    def show_task(self, task: TaskView) -> None:
        """Show the tools of a view, and no others."""
        self._task = task
        wanted = {name for name, _ in task.tools}
        for name, button in self._tools.items():
            self._put(button, name in wanted)
        for of, parts in self._parts.items():
            for part in parts:
                self._put(part, of == task.name)
        self._edge.setVisible(bool(wanted or self._parts[task.name]))
        self._put(self.done, task.ends_pages)
        self._refresh_type()
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Keep its keys from the page, whose actions are in the menus of its buttons."""
        return keep_bar_keys(event) or super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @property
    def _is_narrow(self) -> bool:
        return self.width() < FOLDED * self.fontMetrics().averageCharWidth()

    def _fit(self) -> None:
        """Name tools and views where there is room, else the chosen ones alone."""
        is_narrow, letter = self._is_narrow, self.fontMetrics().averageCharWidth()
        self.switch.fold(is_narrow=is_narrow)
        self.search.setFixedWidth(SEARCH_LETTERS[is_narrow] * letter)
        words = dict(text for task in TASKS for text in task.tools) | {
            "status-done": "Done", "delete": "Delete",
        }  # fmt: skip
        for name, button in (
            *self._tools.items(), ("status-done", self.done), ("delete", self._delete)
        ):  # fmt: skip
            action = self._actions[name]
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setIconText(words[name] if is_narrow else f"{words[name]}  {keys}".rstrip())
            is_named = not is_narrow or button.isChecked() or action.icon().isNull()
            style = Qt.ToolButtonStyle
            button.setToolButtonStyle(
                style.ToolButtonIconOnly
                if not is_named
                else style.ToolButtonTextBesideIcon if is_narrow else style.ToolButtonTextOnly
            )  # fmt: skip

    # parts ---------------------------------------------------------------------------------
    def _add(self, widget: QWidget) -> QWidget:
        self._places[widget] = self.addWidget(widget)
        return widget

    def _put(self, widget: QWidget, is_there: bool) -> None:
        self._places[widget].setVisible(is_there)

    def _tool(self, name: str, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(self._actions[name])
        button.setObjectName(name)
        whole = self._actions[name].text()
        button.setAccessibleName(", ".join(dict.fromkeys((text, whole))))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setProperty("tool", "mode")
        button.toggled.connect(self._fit)
        self._add(button)
        return button

    def _popup(self, name: str, actions: Sequence[QAction | None]) -> QToolButton:
        """Return a button with a menu of actions; None is a line between them."""
        button = QToolButton(self, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAccessibleName(name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(button)
        self._actions.keep_keys(menu)
        for action in actions:
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
        button.setMenu(menu)
        return button

    def _menu(self, button: QToolButton) -> QMenu:
        menu = button.menu()
        assert isinstance(menu, QMenu)
        return menu

    def tint(self) -> None:
        """Follow the theme: buttons without an action get new icons."""
        self.type_button.setIcon(self._actions["type"].icon())
        self.menu_button.setIcon(themed_icon(self, "menu", "text"))

    def _refresh_type(self) -> None:
        blocks = [mark for mark in self._session.selection.selected_marks() if mark.level != MAIN]
        types = {mark.shown_type for mark in blocks}
        will_be = self._session.selection.mode.makes_block
        next_type = self._session.selection.next_type
        if not blocks and next_type:
            text = f"→ {next_type}"
            tip = f"Next: {next_type}, type of the blocks you mark from now on, until Esc"
        elif not blocks:
            to_come = "Type of the blocks you mark from now on  (T or a letter)"
            text, tip = "Type", to_come if will_be else "Select a block to give it a type"
        elif len(types) > 1:
            text, tip = "Several types", "Type of the selected blocks  (T or a letter)"
        else:
            text = types.pop() or "No type"
            tip = f"{text}: type of the selected block, level {blocks[0].level}  (T or a letter)"
        room, end = self.fontMetrics().averageCharWidth() * 16, Qt.TextElideMode.ElideRight
        self.type_button.setText(f"{self.fontMetrics().elidedText(text, end, room)} ▾")
        self.type_button.setToolTip(plain(tip))
        marks = self._task.ends_pages  # other views change no marks
        self._put(self.type_button, marks and (bool(blocks) or (will_be and bool(next_type))))
        self._put(self._delete, marks and bool(self._session.selection.selected_marks()))


class TaskSwitch(QWidget):
    """Shows the current view, and leads to the others."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("Segments")
        self._actions = [actions[f"task-{task.name}"] for task in TASKS]
        self.buttons = tuple(self._button(action) for action in self._actions)
        self.one = QToolButton(self, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.one)
        menu.addActions(self._actions)
        self.one.setMenu(menu)
        widest = max(self.fontMetrics().horizontalAdvance(task.text) for task in TASKS)
        self.one.setMinimumWidth(widest + 44)  # the bar does not widen it later
        self.one.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.one.hide()
        lay_out(QHBoxLayout(self), *self.buttons, self.one, margins=(4, 2, 6, 2), spacing=2)
        for action in self._actions:
            action.changed.connect(self._name)
        OneStop(self, self.buttons)
        self._name()

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        at = len(self._actions)
        place = 1 + self._actions.index(action)
        button.setAccessibleName(f"View: {action.text()}, {place} of {at}")
        return button

    def _name(self) -> None:
        checked = next((action for action in self._actions if action.isChecked()), None)
        self.one.setText(f"{checked.text()} ▾" if checked is not None else "View ▾")
        self.one.setAccessibleName(f"View: {checked.text() if checked is not None else 'none'}")

    def fold(self, *, is_narrow: bool) -> None:
        """Show one button in place of all."""
        for button in self.buttons:
            button.setVisible(not is_narrow)
        self.one.setVisible(is_narrow)
