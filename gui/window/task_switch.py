"""The switch between tasks, right of the menus: a button for each, one where there is no room."""

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QMenuBar, QToolButton, QWidget

from gui.widgets.event_filters import until_collected
from gui.widgets.layouts import lay_out
from gui.window.bound_actions import Actions
from gui.window.tasks import TASKS


class TaskSwitch(QWidget):
    """Shows the current task."""

    def __init__(self, bar: QMenuBar, actions: Actions) -> None:
        super().__init__(bar)
        self.setObjectName("Segments")
        self._bar = bar
        self._actions = [actions[f"task-{task.name}"] for task in TASKS]
        self.buttons = tuple(self._button(action) for action in self._actions)
        self.one = QToolButton(self)
        self.one.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.one)
        menu.addActions(self._actions)
        self.one.setMenu(menu)
        self.one.setAccessibleName("Task")
        widest = max(self.fontMetrics().horizontalAdvance(task.text) for task in TASKS)
        self.one.setMinimumWidth(widest + 44)  # the bar gives it no more room later
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
        """As high as the menus."""
        return QSize(super().sizeHint().width(), self._bar.fontMetrics().height() + 10)
