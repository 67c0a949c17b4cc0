"""A layer's colour and line style, filled while it is drawn; offers others."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QMenu, QWidget, QWidgetAction

from annotate.evaluation.tables.method_colors import on_ground
from gui.widgets.texts import plain
from gui.widgets.theme import draw_rounded, theme_of

PEN_STYLES = {
    "solid": Qt.PenStyle.SolidLine,
    "dashed": Qt.PenStyle.DashLine,
    "dotted": Qt.PenStyle.DotLine,
    "double": Qt.PenStyle.SolidLine,
}
"""How a layer's line style (`gui.state.layers.DASHES`) is drawn; double is two thin lines."""


class Swatch(QWidget):
    """A layer's colour and line style, part of its row."""

    pressed = Signal()
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
        self.color, self.dash, self.is_drawn = color, dash, True
        self._colors, self._dashes = tuple(colors), tuple(dashes)
        self.setFixedSize(24, 24)
        self.setToolTip("Draw it on the page, or not  (Space; Ctrl-click: only this one)")

    def set_drawn(self, is_drawn: bool) -> None:
        """Fill it while its layer is drawn."""
        if is_drawn != self.is_drawn:
            self.is_drawn = is_drawn
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit()
        else:
            event.ignore()

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.update()

    def set_style(self, color: str, dash: str) -> None:
        """Show another colour and line style."""
        if (color, dash) != (self.color, self.dash):
            self.color, self.dash = color, dash
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        box = QRectF(4.5, 4.5, self.width() - 9, self.height() - 9)
        color = on_ground(self.color, is_dark=theme_of(self).name == "dark")
        draw_box(painter, box, color, self.dash, fill=0.85 if self.is_drawn else 0.0)
        if self.underMouse():
            ring = QRectF(0.5, 0.5, self.width() - 1, self.height() - 1)
            draw_rounded(painter, ring, 5, theme_of(self).accent)

    def offer(self) -> None:
        """Offer other colours and lines."""
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


class ColorDot(QWidget):
    """A layer's colour beside its name, as it is told apart on the ground of the theme."""

    def __init__(self, color: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._color = color
        self.setFixedSize(10, 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        color = on_ground(self._color, is_dark=theme_of(self).name == "dark")
        draw_rounded(QPainter(self), QRectF(self.rect()), 3, fill=color)


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


def draw_box(painter: QPainter, box: QRectF, color: str, dash: str, *, fill: float = 0.3) -> None:
    """Draw a box as layers are drawn on the page: a light fill inside a line of some style.

    ``fill`` is the opacity of the fill, 0 to 1.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inside = QColor(color)
    inside.setAlphaF(fill)
    pen = QPen(QColor(color), 2.0 if dash != "double" else 1.2, PEN_STYLES[dash])
    if dash == "dashed":
        pen.setDashPattern([2.2, 1.5])
    elif dash == "dotted":
        pen.setDashPattern([0.9, 1.1])
    painter.setPen(pen)
    painter.setBrush(inside)
    painter.drawRoundedRect(box, 3, 3)
    if dash == "double":
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), 1.5, 1.5)
    painter.restore()
