"""The toolbar (modes, type, undo, status of the page, zoom), and the switch between tasks."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from annotate.marks.gold import MAIN
from gui.state.session import Session
from gui.widgets.event_filters import until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.parts import KeyCap
from gui.widgets.tips import plain
from gui.window.action_table import Actions
from gui.window.tasks import TASKS

MODES = ("mode-select", "mode-main", "mode-1", "mode-2", "mode-why")
STATUSES = ("status-open", "status-progress", "status-question", "status-done")


class SearchButton(QPushButton):
    """Looks like the field that it opens; as wide as there is room."""

    def __init__(self, action: QAction, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("SearchButton")
        self._action = action
        self.setAccessibleName(action.text())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(self.iconSize().width() + 16)
        self.setMaximumWidth(self.fontMetrics().averageCharWidth() * 60)
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

    def sizeHint(self) -> QSize:
        """Ask for the icon alone: the rest is what the toolbar has left."""
        return QSize(self.minimumWidth(), super().sizeHint().height())

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
    """Toolbar above the page."""

    def __init__(self, session: Session, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__("Tools", parent)
        self.setObjectName("Toolbar")
        self._session, self._actions = session, actions
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        size = round(self.fontMetrics().height() * 1.2)
        self.setIconSize(QSize(size, size))

        self._add_opening()
        self._add_modes()
        self._add_types()
        self._button("undo")
        self._button("redo")
        self.search = SearchButton(actions["palette"], self)
        self.addWidget(self.search)
        known = {row.name for row in actions.rows}
        for name in ("previous", "next", *STATUSES):
            if name in known:  # a plug-in's is missing without it
                self._button(name)
        self.addSeparator()
        self._add_zoom()
        for name in ("evaluate", "panels", "theme", "help"):
            self._button(name)

        session.selection.selection_changed.connect(self._refresh_type)
        session.open.gold_changed.connect(self._refresh_type)
        session.selection.mode_changed.connect(self._refresh_type)
        session.open.page_changed.connect(self._refresh_type)
        session.open.document_changed.connect(self._refresh_type)
        self._refresh_type()
        self.show_zoom(1.0, is_fitted=False)

    def _add_opening(self) -> None:
        ways = ("open-file", "open-folder", "open-address", "open-sample")
        self.open_button = self._popup("Open", [self._actions[name] for name in ways])
        self.open_button.setToolButtonStyle(_style(on=True))
        self.open_button.setText("Open")
        self.open_button.setToolTip("Open pages")
        self.open_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.addWidget(self.open_button)
        self.addSeparator()

    def _add_modes(self) -> None:
        self.modes = [self._button(name, "mode") for name in MODES]
        self._room_for_names = self._room_for_words = self._progress_width = 0
        self._name_widths = [0] * len(self.modes)
        for button in self.modes:
            button.setToolButtonStyle(_style(on=True))
            button.toggled.connect(self._name_modes)
        self.addSeparator()

    def _add_types(self) -> None:
        types: list[QAction | None] = []
        for row in self._actions.rows:
            if row.menu == "Type":
                types += [*([None] if row.line else []), self._actions[row.name]]
        self.type_button = self._popup("Type of the selected block", types)
        self.type_button.setObjectName("type")
        self.type_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.type_button.setIcon(self._actions["type"].icon())
        self.type_button.setText("Several types")
        self._type_width = self.type_button.sizeHint().width()
        self.type_button.setFixedWidth(self._type_width)
        self.addWidget(self.type_button)
        self.addSeparator()

    def _add_zoom(self) -> None:
        self._button("zoom-out")
        sizes = ("zoom-fit", "zoom-actual", "zoom-in", "zoom-out")
        self.zoom = self._popup("Zoom", [self._actions[name] for name in sizes])
        self.zoom.setToolTip("Zoom of the page")
        self.zoom.setText("100 %")
        self.zoom.setFixedWidth(self.zoom.sizeHint().width())
        self.addWidget(self.zoom)
        self._button("zoom-in")
        self.addSeparator()

    def show_zoom(self, zoom: float, *, is_fitted: bool) -> None:
        self.zoom.setText(f"{zoom * 100:.0f} %")
        how = ": as wide as the window" if is_fitted else ""
        self.zoom.setToolTip(plain(f"Zoom of the page{how}"))

    def show_progress(self, name: str, progress: str) -> None:
        """Show beside an action's icon how far its work is; "" when none is running."""
        action = self._actions[name]
        action.setIconText(progress or action.text())
        button = self.widgetForAction(action)
        assert isinstance(button, QToolButton)
        self._progress_width = self.fontMetrics().averageCharWidth() * 6 if progress else 0
        has_room = self.width() >= self._room_for_words + self._progress_width
        button.setToolButtonStyle(_style(on=bool(progress) and has_room))
        self._name_modes()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Drop names of modes where there is no room, the chosen one's last, then other words."""
        super().resizeEvent(event)
        if not self._room_for_names:  # the first time, names are still shown
            widths = [button.sizeHint().width() for button in self.modes]
            self._room_for_names = self.sizeHint().width()
            for button in self.modes:
                button.setToolButtonStyle(_style(on=False))
            self._room_for_words = self.sizeHint().width()
            bare = [button.sizeHint().width() for button in self.modes]
            self._name_widths = [named - icon for named, icon in zip(widths, bare, strict=True)]
        self._name_modes()
        has_room = event.size().width() >= self._room_for_words
        for button in (self.open_button, self.type_button):
            button.setToolButtonStyle(_style(on=has_room))
        width = self._type_width if has_room else self.type_button.sizeHint().width()
        self.type_button.setFixedWidth(width)

    def _name_modes(self) -> None:
        """Name all modes where there is room, else the chosen one alone if its name fits."""
        if not self._room_for_names:
            return
        width = self.width() - self._progress_width
        has_room, left = width >= self._room_for_names, width - self._room_for_words
        for button, name_width in zip(self.modes, self._name_widths, strict=True):
            is_named = has_room or (button.isChecked() and name_width <= left)
            button.setToolButtonStyle(_style(on=is_named))

    def _button(self, name: str, kind: str = "") -> QToolButton:
        self.addAction(self._actions[name])
        button = self.widgetForAction(self._actions[name])
        assert isinstance(button, QToolButton)
        button.setAccessibleName(self._actions[name].text())
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if kind:
            button.setProperty("tool", kind)
        return button

    def _popup(self, name: str, actions: Sequence[QAction | None]) -> QToolButton:
        """Return a button with a menu of actions; None is a line between them."""
        button = QToolButton(self, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAccessibleName(name)
        menu = QMenu(button)
        self._actions.keep_keys(menu)
        for action in actions:
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
        button.setMenu(menu)
        return button

    def tint(self) -> None:
        """Follow the theme: buttons without an action get new icons."""
        self.type_button.setIcon(self._actions["type"].icon())
        self.open_button.setIcon(self._actions["open-folder"].icon())

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
        room, end = self._type_width - self.iconSize().width() - 20, Qt.TextElideMode.ElideRight
        self.type_button.setText(self.fontMetrics().elidedText(text, end, room))
        self.type_button.setToolTip(plain(tip))
        self.type_button.setEnabled(bool(blocks) or will_be)


def _style(*, on: bool) -> Qt.ToolButtonStyle:
    """Return how a button is drawn with its words, or without."""
    style = Qt.ToolButtonStyle
    return style.ToolButtonTextBesideIcon if on else style.ToolButtonIconOnly


class TaskSwitch(QWidget):
    """Shows the current task."""

    def __init__(self, bar: QMenuBar, actions: Actions) -> None:
        super().__init__(bar)
        self.setObjectName("Segments")
        self._bar = bar
        self._actions = [actions[f"task-{task.name}"] for task in TASKS]
        self.buttons = tuple(self._button(action) for action in self._actions)
        self.one = QToolButton(self, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.one)
        menu.addActions(self._actions)
        self.one.setMenu(menu)
        self.one.setAccessibleName("Task")
        widest = max(self.fontMetrics().horizontalAdvance(task.text) for task in TASKS)
        self.one.setMinimumWidth(widest + 44)  # the bar does not widen it later
        self.one.hide()
        lay_out(QHBoxLayout(self), *self.buttons, self.one, margins=(4, 2, 6, 2), spacing=2)
        for action in self._actions:
            action.changed.connect(self._name)
        bar.installEventFilter(self)
        self._name()

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setAccessibleName(action.text())
        return button

    def _name(self) -> None:
        checked = next((action for action in self._actions if action.isChecked()), None)
        self.one.setText(f"{checked.text()} ▾" if checked is not None else "Task ▾")

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Collapse to one button if the menus leave no room."""
        if event.type() == QEvent.Type.Resize and watched is self._bar:
            self._fit()
        return False

    def _fit(self) -> None:
        menus = [self._bar.actionGeometry(action).right() for action in self._bar.actions()]
        wide = sum(button.sizeHint().width() + 2 for button in self.buttons) + 12
        has_room = self._bar.width() - max(menus, default=0) > wide
        for button in self.buttons:
            button.setVisible(has_room)
        self.one.setVisible(not has_room)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._bar.fontMetrics().height() + 10)
