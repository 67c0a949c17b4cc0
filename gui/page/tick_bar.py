"""Scroll bar of the page with a tick for each mark and error; a click on a tick scrolls to it."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider, QWidget

MOST = 200
"""Ticks that are drawn; those that touch are joined."""

_LEAST = 2.0
_NEAR = 4.0
"""Height of a tick, and distance at which a click still means it, px."""


@dataclass(frozen=True)
class Tick:
    """Part of the page's height.

    Attributes:
        top, bottom: Shares of the page's height.
        color: As ``#rrggbb``.
        is_error: Drawn in the right half; marks in the left one.
        is_draft: Drawn paler.
    """

    top: float
    bottom: float
    color: str
    is_error: bool = False
    is_draft: bool = False


def joined(ticks: Iterable[Tick], most: int = MOST) -> list[Tick]:
    """Return ticks by position; those alike that nearly touch become one, ``most`` at most."""
    found = sorted(ticks, key=lambda each: (each.is_error, each.color, each.is_draft, each.top))
    gap = 0.0
    while True:
        result: list[Tick] = []
        for tick in found:
            last = result[-1] if result else None
            if last is not None and _alike(last, tick) and tick.top - last.bottom <= gap:
                bottom = max(last.bottom, tick.bottom)
                result[-1] = Tick(last.top, bottom, last.color, last.is_error, last.is_draft)
            else:
                result.append(tick)
        if len(result) <= most or gap > 1:
            return sorted(result[:most], key=lambda each: each.top)
        gap = max(2 * gap, 1 / 1000)


def _alike(one: Tick, other: Tick) -> bool:
    first = (one.is_error, one.color, one.is_draft)
    return first == (other.is_error, other.color, other.is_draft)


class TickBar(QScrollBar):
    """Vertical scroll bar with ticks."""

    picked = Signal(float)  # top of the tick that was clicked, a share of the page's height

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.ticks: list[Tick] = []

    def set_ticks(self, ticks: Iterable[Tick]) -> None:
        """Draw ticks in place of those before."""
        made = joined(ticks)
        if made != self.ticks:
            self.ticks = made
            self._describe()
            self.update()

    def _describe(self) -> None:
        errors = sum(tick.is_error for tick in self.ticks)
        ahead = [t.top for t in self.ticks if t.is_error and t.top * self._whole() > self.value()]
        words = f"{len(self.ticks) - errors} ticks with marks, {errors} with errors"
        self.setAccessibleDescription(words + (f"; next error {ahead[0]:.0%}" if ahead else ""))

    def _whole(self) -> int:
        return max(self.maximum() + self.pageStep(), 1)

    def box_of(self, tick: Tick) -> QRectF:
        """Return where a tick is drawn, px."""
        half, height = self.width() / 2, self.height()
        top, bottom = tick.top * height, tick.bottom * height
        return QRectF(half if tick.is_error else 0, top, half - 0.5, max(bottom - top, _LEAST))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        for tick in self.ticks:
            color = QColor(tick.color)
            color.setAlphaF(0.45 if tick.is_draft else 0.9)
            painter.fillRect(self.box_of(tick), color)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the tick under the mouse, unless the handle is there."""
        at = event.position()
        near = [
            tick for tick in self.ticks
            if self.box_of(tick).adjusted(0, -_NEAR, 0, _NEAR).contains(at)
        ]  # fmt: skip
        if event.button() is Qt.MouseButton.LeftButton and near and not self._is_handle(event):
            self.picked.emit(min(near, key=lambda t: abs(self.box_of(t).top() - at.y())).top)
            event.accept()
            return
        super().mousePressEvent(event)

    def _is_handle(self, event: QMouseEvent) -> bool:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_ScrollBar, QStyle.SubControl.SC_ScrollBarSlider
        handle = self.style().subControlRect(control, option, part, self)
        return bool(handle.contains(event.position().toPoint()))
