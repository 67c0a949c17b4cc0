"""Menu bar that is hidden until Alt, F10 or *View ▸ Menu bar* shows it."""

import sys

from PySide6.QtCore import QEvent, QObject, QSettings, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from gui.core.workbench import Workbench
from gui.widgets.events import debounce, until_collected
from gui.window.action_table import MNEMONICS, Actions, menus_without_letter

_SETTING = "menu-bar"


class HiddenMenus(QObject):
    """Shows the menu bar while it is used, or always if the user wants that.

    Alt alone and F10 lead into it, Alt and a letter to a menu.  A menu bar of the system (macOS)
    stays as it is.
    """

    def __init__(self, window: QMainWindow, actions: Actions, settings: QSettings) -> None:
        super().__init__(window)
        self._window, self._bar, self._actions = window, window.menuBar(), actions
        self._settings = settings
        self.is_kept = sys.platform == "darwin" or str(settings.value(_SETTING, "")) == "true"
        self._soon = debounce(self, 0, self._fit)
        self._is_alt_alone = self._is_asked = self._is_off = False
        self._letters: dict[str, QShortcut] = {}
        for name, action in zip(MNEMONICS, self._bar.actions(), strict=True):
            menu = action.menu()
            assert isinstance(menu, QMenu)
            menu.aboutToHide.connect(self._soon.start)
            keys = QKeySequence(f"Alt+{MNEMONICS[name]}")
            self._letters[name] = QShortcut(keys, window, lambda of=action: self._open(of))
        self._bar.installEventFilter(self)
        actions.keys_changed.connect(self._fit)
        actions.called.connect(self._set_alone)  # the key of a shortcut never arrives as a press
        self._fit()

    def set_off(self, *, is_off: bool) -> None:
        """Keep the menus shut while the page is presented: letters with Alt are its own."""
        if is_off != self._is_off:
            self._is_off = is_off
            self._fit()

    def watch(self) -> None:
        """Hear Alt before the focused widget; the window is shown by now."""
        if (handle := self._window.windowHandle()) is not None:
            handle.installEventFilter(self)

    @staticmethod
    def is_shown(now: Workbench) -> bool:
        """Return whether a window shows its menu bar at rest."""
        bar = now.main_area.desk.window().findChild(QMenuBar)
        return bar is not None and not bar.isHidden()

    def toggle(self) -> None:
        """Show the menu bar always, or only when it is asked for."""
        self.is_kept = not self.is_kept
        self._settings.setValue(_SETTING, "true" if self.is_kept else "")
        self._fit()

    def walk(self) -> None:
        """Open the first menu, for arrows to walk on from it."""
        self._open(self._bar.actions()[0])

    def _open(self, action: object) -> None:
        self._set_alone()
        self._show()
        self._bar.setActiveAction(action)  # type: ignore[arg-type]

    def _show(self) -> None:
        self._bar.show()
        if (layout := self._window.layout()) is not None:
            layout.activate()  # a menu opens where the bar will be

    def _fit(self) -> None:
        is_used = self._is_asked or any(menu.isVisible() for menu in self._bar.findChildren(QMenu))
        self._bar.setVisible((self.is_kept or is_used) and not self._is_off)
        without = menus_without_letter(self._actions.rows)
        for name, shortcut in self._letters.items():  # a bar in sight has its own
            can_open = self._bar.isHidden() and not self._is_off
            shortcut.setEnabled(can_open and name not in without)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the bar when Alt alone is pressed and released; hide it after use."""
        kind = event.type()
        if watched is self._bar:
            if kind == QEvent.Type.FocusOut:
                self._is_asked = False
                self._soon.start()
        elif isinstance(event, QKeyEvent) and not event.isAutoRepeat():
            self._on_key(event)
        elif kind in (QEvent.Type.MouseButtonPress, QEvent.Type.FocusOut):
            self._set_alone()
        return False

    def _on_key(self, event: QKeyEvent) -> None:
        is_alt = event.key() == Qt.Key.Key_Alt
        if event.type() == QEvent.Type.KeyPress:
            self._set_alone(is_alone=is_alt)
            if self._is_asked and (is_alt or event.key() == Qt.Key.Key_Escape):
                self._is_asked = False
                self._set_alone()
                self._soon.start()
        elif event.type() == QEvent.Type.KeyRelease and is_alt and self._is_alt_alone:
            self._set_alone()
            if self._bar.isHidden() and not self._is_off:
                self._is_asked = True
                self._show()
                self._bar.setFocus(Qt.FocusReason.MenuBarFocusReason)

    def _set_alone(self, *, is_alone: bool = False) -> None:
        self._is_alt_alone = is_alone
