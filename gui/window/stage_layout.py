"""The window while a page is presented: nothing but the page, on all of the screen."""

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QMainWindow, QWidget

from gui.window.dock_layout import DockLayout


class StageLayout:
    """Takes panels and bars away and brings them back as they were."""

    def __init__(self, window: QMainWindow, panels: DockLayout, bars: Sequence[QWidget]) -> None:
        """``bars`` are the widgets around the page besides panels."""
        self._window, self._panels, self._bars = window, panels, tuple(bars)
        self._arranged: QByteArray | None = None
        self._shown: list[QWidget] = []
        self._state = Qt.WindowState.WindowNoState

    def set_bare(self, is_bare: bool) -> None:
        """Show the page alone, or all around it again."""
        if is_bare == (self._arranged is not None):
            return
        if is_bare:
            self._state = self._window.windowState()
            self._arranged = self._panels.put_away()
            self._shown = [bar for bar in self._bars if not bar.isHidden()]
            for bar in self._shown:
                bar.hide()
            self._window.setWindowState(self._state | Qt.WindowState.WindowFullScreen)
            return
        arranged, self._arranged = self._arranged, None
        self._window.setWindowState(self._state)
        for bar in self._shown:
            bar.show()
        assert arranged is not None
        self._panels.bring_back(arranged)
