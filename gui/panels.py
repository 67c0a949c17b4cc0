"""The panels around the page: their places, all away and back again."""

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

_AREAS = Qt.DockWidgetArea


class Panels(QObject):
    """Four docks, two at each side: first, second at the left, third and fourth at the right."""

    def __init__(self, window: QMainWindow, docks: Sequence[QDockWidget]) -> None:
        super().__init__(window)
        self._window = window
        self.docks = tuple(docks)
        left, right = _AREAS.LeftDockWidgetArea, _AREAS.RightDockWidgetArea
        self._places = (left, left, right, right)
        for dock, place in zip(self.docks, self._places, strict=True):
            window.addDockWidget(place, dock)
        window.setCorner(Qt.Corner.BottomLeftCorner, left)
        window.setCorner(Qt.Corner.BottomRightCorner, right)
        self._hidden: list[QDockWidget] = []

    def put_away(self) -> QByteArray:
        """Hide all panels; return what `bring_back` wants."""
        arranged = self._window.saveState()
        for dock in self.docks:
            dock.hide()
        return arranged

    def bring_back(self, arranged: QByteArray) -> None:
        """Arrange all panels as they were."""
        self._window.restoreState(arranged)

    def toggle(self) -> None:
        """Hide all panels, or show those that were hidden so."""
        shown = [dock for dock in self.docks if not dock.isHidden()]
        for dock in shown or self._hidden or self.docks:
            dock.setVisible(not shown)
        self._hidden = shown

    def reset(self) -> None:
        """Put all panels where they were at first."""
        for dock, place in zip(self.docks, self._places, strict=True):
            dock.setFloating(False)
            self._window.addDockWidget(place, dock)
            dock.show()
        self.set_sizes()

    def set_sizes(self) -> None:
        """Give each the room its content asks for."""
        letter = self._window.fontMetrics().averageCharWidth()
        pages, outline, layers, details = self.docks
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self._window.resizeDocks([pages, layers], [36 * letter, 47 * letter], across)
        self._window.resizeDocks([pages, outline], [45, 55], down)
        self._window.resizeDocks([layers, details], [58, 42], down)
