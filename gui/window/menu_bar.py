"""The menu bar, out of sight until Alt, F10 or *View ▸ Menu bar* asks for it."""

import sys

from PySide6.QtCore import QEvent, QObject, QSettings
from PySide6.QtWidgets import QMenuBar

from gui.core.workbench import Workbench
from gui.widgets.debounce import debounce
from gui.widgets.event_filters import until_collected

_SETTING = "menu-bar"
_ANY_HEIGHT = 16_777_215


class HiddenMenus(QObject):
    """Gives the menu bar no height while nobody uses it, so that Alt and its letters still hold.

    A menu bar of the system (macOS) stays as it is.
    """

    def __init__(self, bar: QMenuBar, settings: QSettings) -> None:
        super().__init__(bar)
        self._bar, self._settings = bar, settings
        self.is_kept = sys.platform == "darwin" or str(settings.value(_SETTING, "")) == "true"
        self._soon = debounce(self, 0, self._fit)
        bar.installEventFilter(self)
        for action in bar.actions():
            if (menu := action.menu()) is not None:
                menu.installEventFilter(self)
        self._fit()

    @staticmethod
    def is_shown(now: Workbench) -> bool:
        """Return whether the bar of a window is in sight at rest."""
        bar = now.main_area.desk.window().findChild(QMenuBar)
        return bar is not None and bar.maximumHeight() > 0

    def toggle(self) -> None:
        """Show the menu bar always, or only when it is asked for."""
        self.is_kept = not self.is_kept
        self._settings.setValue(_SETTING, "true" if self.is_kept else "")
        self._fit()

    def show(self) -> None:
        """Show the bar until it is left."""
        self._bar.setMaximumHeight(_ANY_HEIGHT)

    def walk(self) -> None:
        """Open the first menu, for arrows to walk on from it."""
        self.show()
        self._bar.setActiveAction(self._bar.actions()[0])

    @property
    def _is_used(self) -> bool:
        return self._bar.hasFocus() or self._bar.activeAction() is not None

    def _fit(self) -> None:
        self._bar.setMaximumHeight(_ANY_HEIGHT if self.is_kept or self._is_used else 0)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the keyboard into the bar and out of it."""
        kinds = (QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.Show, QEvent.Type.Hide)
        if event.type() in kinds:
            self._soon.start()
        return False
