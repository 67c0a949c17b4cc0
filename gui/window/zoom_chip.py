"""Zoom of the page, over its lower right corner; shown where the page does not fit the width."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QPushButton, QWidget

from gui.widgets.events import until_collected
from gui.widgets.texts import plain

MARGIN = 22
"""Room to the edges of the page, with its scroll bar, px."""


class ZoomChip(QPushButton):
    """Fits the page to the window's width again when it is pressed."""

    def __init__(self, ground: QWidget, fit: Callable[[], object]) -> None:
        super().__init__(ground)
        self._ground = ground
        self.setObjectName("ZoomChip")
        self.setToolTip(plain("Zoom of the page; click: fit the window's width  (Z)"))
        self.clicked.connect(lambda: fit())
        ground.installEventFilter(self)
        self.hide()

    def show_zoom(self, zoom: float, *, is_told: bool) -> None:
        """Show a zoom, 1.0 for actual size, or nothing."""
        self.setText(f"{zoom * 100:.0f} %")
        self.setAccessibleName(f"Zoom {zoom * 100:.0f} %: fit the width")
        self.setVisible(is_told)
        self._place()

    def _place(self) -> None:
        self.adjustSize()
        ground = self._ground
        self.move(ground.width() - self.width() - MARGIN, ground.height() - self.height() - MARGIN)
        self.raise_()

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False
