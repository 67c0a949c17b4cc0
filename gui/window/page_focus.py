"""From wherever the keyboard is back to the page, and out of the window."""

from PySide6.QtWidgets import QMainWindow

from gui.core.workbench import Workbench


class PageFocus:
    """Window-wide part of Esc and *Quit*."""

    def __init__(self, window: QMainWindow, workbench: Workbench) -> None:
        self._window, self._workbench = window, workbench

    def quit(self) -> None:
        self._window.close()

    def back_to_page(self) -> None:
        """Focus the page; if it has it, select nothing."""
        main_area, canvas = self._workbench.main_area, self._workbench.canvas
        if main_area.leave():
            return
        focused = self._window.focusWidget()
        if focused is not None and focused is not canvas and not canvas.isAncestorOf(focused):
            main_area.returned.emit()
            main_area.page.take_focus()
        elif not main_area.step_back():
            self._workbench.clear_selection()
