"""A layer's colour and line style as a button that offers others."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QMenu, QWidget, QWidgetAction

from gui.widgets.theme import draw_rounded, theme_of
from gui.widgets.tips import plain

PEN_STYLES = {
    "solid": Qt.PenStyle.SolidLine,
    "dashed": Qt.PenStyle.DashLine,
    "dotted": Qt.PenStyle.DotLine,
    "double": Qt.PenStyle.SolidLine,
}
"""How a layer's line style (`gui.state.layers.DASHES`) is drawn; double is two thin lines."""


class Swatch(QAbstractButton):
    """A layer's colour and line style; a click offers others."""

    color_picked = Signal(str)  # "#rrggbb"
    dash_picked = Signal(str)

    def __init__(
        self,
        color: str,
        dash: str,
        colors: Sequence[str],
        dashes: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.color, self.dash = color, dash
        self._colors, self._dashes = tuple(colors), tuple(dashes)
        self.setFixedSize(22, 22)
        self.setToolTip("Colour and line")
        self.setAccessibleName("Colour and line style")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self._offer)

    def set_style(self, color: str, dash: str) -> None:
        """Show another colour and line style."""
        if (color, dash) != (self.color, self.dash):
            self.color, self.dash = color, dash
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box = QRectF(3, 3, self.width() - 6, self.height() - 6)
        draw_box(painter, box, self.color, self.dash)
        if self.hasFocus() or self.underMouse():
            ring = QRectF(0.5, 0.5, self.width() - 1, self.height() - 1)
            draw_rounded(painter, ring, 5, theme_of(self).accent)

    def _offer(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid_widget = QWidget(menu)
        grid = QGridLayout(grid_widget)
        grid.setContentsMargins(6, 6, 6, 6)
        grid.setSpacing(4)
        for index, color in enumerate(self._colors):
            chip = _Chip(color, self.dash, color == self.color, grid_widget)
            chip.clicked.connect(partial(self.color_picked.emit, color))
            grid.addWidget(chip, index // 6, index % 6)
        for index, dash in enumerate(self._dashes):
            chip = _Chip(self.color, dash, dash == self.dash, grid_widget)
            chip.setToolTip(plain(f"{dash} line"))
            chip.setAccessibleName(f"{dash} line")
            chip.clicked.connect(partial(self.dash_picked.emit, dash))
            grid.addWidget(chip, 3 + len(self._colors) // 6, index)
        for chip in grid_widget.findChildren(_Chip):
            chip.clicked.connect(menu.close)
        action = QWidgetAction(menu)
        action.setDefaultWidget(grid_widget)
        menu.addAction(action)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


class _Chip(QAbstractButton):
    """A colour or line style to pick."""

    def __init__(self, color: str, dash: str, is_on: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._color, self._dash, self._is_on = color, dash, is_on
        self.setFixedSize(30, 26)
        self.setAccessibleName(color)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, box, theme = QPainter(self), QRectF(self.rect()), theme_of(self)
        draw_box(painter, box.adjusted(5, 5, -5, -5), self._color, self._dash)
        if self._is_on or self.underMouse() or self.hasFocus():
            color = theme.accent if self._is_on else theme.edge
            draw_rounded(painter, box.adjusted(1, 1, -1, -1), 6, color, width=1.5)


def draw_box(painter: QPainter, box: QRectF, color: str, dash: str) -> None:
    """Draw a box as layers are drawn on the page: a light fill inside a line of some style."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill = QColor(color)
    fill.setAlphaF(0.30)
    pen = QPen(QColor(color), 2.0 if dash != "double" else 1.2, PEN_STYLES[dash])
    if dash == "dashed":
        pen.setDashPattern([2.2, 1.5])
    elif dash == "dotted":
        pen.setDashPattern([0.9, 1.1])
    painter.setPen(pen)
    painter.setBrush(fill)
    painter.drawRoundedRect(box, 3, 3)
    if dash == "double":
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), 1.5, 1.5)
    painter.restore()
