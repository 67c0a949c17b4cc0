"""Layouts, and a scroll area that never scrolls across."""

from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QLayout, QScrollArea, QStyle, QWidget

from gui.widgets.events import until_collected

Box = TypeVar("Box", bound=QBoxLayout)
Part = QWidget | QLayout | int | None


def lay_out(
    box: Box,
    *parts: Part | tuple[Part, int] | tuple[Part, int, Qt.AlignmentFlag],
    margins: tuple[int, int, int, int] | None = (0, 0, 0, 0),
    spacing: int | None = None,
) -> Box:
    """Put parts into a layout, one after the other, and return it.

    Args:
        box: Takes them.
        parts: Widgets and layouts, each with its stretch (and alignment) where it has one; a
            number of pixels that stay empty; None for what takes the room that is left.
        margins: Left, top, right and bottom, px; None for those of the style.
        spacing: Between two parts, px; None for that of the style.
    """
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for each in parts:
        part, stretch, *align = each if isinstance(each, tuple) else (each, 0)
        if part is None:
            box.addStretch(stretch or 1)
        elif isinstance(part, int):
            box.addSpacing(part)
        elif isinstance(part, QLayout):
            box.addLayout(part, stretch)
        else:
            box.addWidget(part, stretch, *align)
    return box


def grid(
    parent: QWidget | None = None,
    *,
    spacing: tuple[int, int],
    wide: int = -1,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
) -> QGridLayout:
    """Return a grid: px between columns and rows, and the column that takes the room left."""
    made = QGridLayout() if parent is None else QGridLayout(parent)
    made.setContentsMargins(*margins)
    made.setHorizontalSpacing(spacing[0])
    made.setVerticalSpacing(spacing[1])
    if wide >= 0:
        made.setColumnStretch(wide, 1)
    return made


class ColumnArea(QScrollArea):
    """Asks for the width its content needs, so that nothing is cut off at any width."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        content.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        """Return the width of the content with the scroll bar, and little height."""
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return QSize(self._content.minimumSizeHint().width() + bar, 60)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and watched is self._content:
            self.updateGeometry()
        return super().eventFilter(watched, event)
