"""Where the keyboard is: back to the page, from area to area, and out of the window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar, QWidget

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

    def next_area(self) -> None:
        """Focus the next of bar, panels from the left, bars of the view, and page."""
        focused, areas = self._window.focusWidget(), self._areas()
        inside = [k for k, each in enumerate(areas) if _holds(each, focused)]
        place = (inside[0] if inside else len(areas)) + 1
        if place > len(areas):
            place = 0
        if place == len(areas):
            self._workbench.main_area.returned.emit()
            self._workbench.main_area.current.take_focus()
        elif (widget := _first_stop(areas[place])) is not None:
            widget.setFocus(Qt.FocusReason.TabFocusReason)

    def close_panel(self) -> None:
        """Hide the panel that has the keyboard, which the page gets."""
        focused = self._window.focusWidget()
        for dock in self._window.findChildren(QDockWidget):
            if _holds(dock, focused):
                self._workbench.main_area.current.take_focus()
                dock.hide()
                return

    def _areas(self) -> list[QWidget]:
        docks = self._window.findChildren(QDockWidget)
        areas = (
            *self._window.findChildren(QToolBar),
            *sorted(docks, key=lambda each: (each.x(), each.y())),
            *self._workbench.main_area.current.bars,
        )
        return [
            each for each in areas
            if not each.visibleRegion().isEmpty() and _first_stop(each) is not None
        ]  # fmt: skip


def _holds(area: QWidget, focused: QWidget | None) -> bool:
    return focused is not None and (area is focused or area.isAncestorOf(focused))


def _first_stop(area: QWidget) -> QWidget | None:
    """Return the first part of an area that Tab stops at, its title's buttons last."""
    body = area.widget() if isinstance(area, QDockWidget) else area
    for each in (*body.findChildren(QWidget), *area.findChildren(QWidget)):
        if each.isVisible() and each.isEnabled() and each.focusPolicy() & Qt.FocusPolicy.TabFocus:
            return each
    return None
