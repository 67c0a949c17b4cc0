"""Panes: several pages side by side over one legend; the keyboard is in one of them."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from gui.plugins.side_by_side.legend import Legend, LegendLine
from gui.plugins.side_by_side.page_pane import PagePane
from gui.widgets.layouts import lay_out


class Panes(QWidget):
    """Up to four panes, two in a row; each has a separate browser view, made when needed."""

    zoomed = Signal()
    said = Signal(str)

    def __init__(
        self, name: str, entries: Sequence[LegendLine] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._made: list[PagePane] = []  # the first of them are shown
        self._count = 0
        self._current = 0
        self.legend = Legend(entries, self)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(1)
        lay_out(QVBoxLayout(self), (self._grid, 1), self.legend, spacing=0)

    @property
    def panes(self) -> Sequence[PagePane]:
        return self._made[: self._count]

    @property
    def bars(self) -> Sequence[QWidget]:
        return [pane.head for pane in self.panes]

    def lay_out(self, count: int) -> None:
        """Show so many of the panes that were made; the others let their pages go."""
        for pane in self._made[count:]:
            pane.show_nothing()
            pane.hide()
        self._count = count
        for index, pane in enumerate(self.panes):
            self._grid.addWidget(pane, index // 2, index % 2)
            pane.show()
        for side in (0, 1):
            self._grid.setColumnStretch(side, 1)
            self._grid.setRowStretch(side, 1 if side * 2 < count else 0)

    def close_up(self) -> None:
        for pane in self._made:
            pane.show_nothing()

    def close_down(self) -> None:
        """Close the views, in the order that the browser requires."""
        for pane in self._made:
            pane.show_nothing()
            pane.canvas.view.dispose()

    # the keyboard ------------------------------------------------------------------------------
    def take_focus(self) -> None:
        """Focus the pane that had the focus last."""
        if self.panes:
            self.panes[self.current_index()].setFocus()

    def current_index(self) -> int:
        """Return which pane has the keyboard, or had it last."""
        focused = self.focusWidget()
        for index, pane in enumerate(self.panes):
            if focused is not None and pane.isAncestorOf(focused):
                self._current = index
        return min(self._current, len(self.panes) - 1)

    def next_pane(self, by: int = 1) -> None:
        if self.panes:
            self._current = (self.current_index() + by) % len(self.panes)
            self.panes[self._current].setFocus()

    # size --------------------------------------------------------------------------------------
    def _follow_zoom(self, pane: PagePane) -> None:
        pane.canvas.zoom_changed.connect(lambda _zoom: self.zoomed.emit())

    @property
    def scale(self) -> tuple[float, bool]:
        """Scale of the pane with the keyboard, and whether it follows the window."""
        if not self.panes:
            return 1.0, False
        canvas = self.panes[self.current_index()].canvas
        return canvas.zoom, canvas.is_fitted

    @property
    def picture_kinds(self) -> tuple[str, ...]:
        return ("png",)

    def save_picture(self, path: str) -> None:
        is_saved = self.grab().save(path)
        name = Path(path).name
        self.said.emit(
            f"saved {name}" if is_saved else f"the picture could not be written to {path}"
        )

    def zoom(self, way: int) -> None:
        for pane in self.panes:
            pane.canvas.zoom_by(way)

    def zoom_fit(self) -> None:
        for pane in self.panes:
            pane.canvas.set_zoom(None)

    def zoom_actual(self) -> None:
        for pane in self.panes:
            pane.canvas.set_zoom(1.0)
