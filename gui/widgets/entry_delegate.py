"""EntryDelegate: draws an entry of a list in two lines or more, with a sign at the left."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.widgets.theme import Theme, draw_rounded, scale_font, theme_of

ItemIndex = QModelIndex | QPersistentModelIndex


_FEWEST_LETTERS = 8
"""Too little room: no remark."""

_END = Qt.TextElideMode.ElideRight
_ANYWHERE = QTextOption()
_ANYWHERE.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)


@dataclass(frozen=True)
class Entry:
    """Texts and icons of an entry; colours are ``#rrggbb``.

    Attributes:
        sign: A letter or sign in the badge at the left.
        fill, sign_color: Colours of the badge.
        title: First line.
        remark: At the right of the first line: half of it at most, or what the title leaves.
        text: Below it.
        border: Colour of the badge's border; "" for none.
        squares: Colours of the squares before the remark, from left to right.
    """

    sign: str
    fill: str
    sign_color: str
    title: str
    remark: str
    text: str
    border: str = ""
    squares: tuple[str, ...] = ()


class EntryDelegate(QStyledItemDelegate):
    """Draws the entry of each row (``entry_of``); None for nothing.

    The text of an entry has ``lines`` lines, whether it fills them or not.  Where it has several,
    the title is whole before the remark has any room.
    """

    def __init__(
        self,
        entry_of: Callable[[ItemIndex, Theme], Entry | None],
        parent: QObject,
        *,
        lines: int = 1,
    ) -> None:
        super().__init__(parent)
        self._entry_of, self._lines = entry_of, lines

    def sizeHint(self, option: QStyleOptionViewItem, index: ItemIndex) -> QSize:
        return QSize(80, round(option.fontMetrics.height() * (1.9 + self._lines)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ItemIndex) -> None:
        theme, rect, state = theme_of(option.widget), option.rect, option.state
        entry = self._entry_of(index, theme)
        if entry is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        if is_chosen or state & QStyle.StateFlag.State_MouseOver:
            fill = theme.chosen if is_chosen else theme.hover
            draw_rounded(painter, QRectF(rect).adjusted(4, 1, -4, -1), 6, fill=fill)
        line = option.fontMetrics.height()
        badge = QRectF(rect.left() + 12, rect.top() + 5, line, line)
        _draw_badge(painter, option.font, badge, entry)
        left = round(badge.right()) + 8
        room = QRect(left, rect.top() + 5, rect.right() - 12 - left, line)
        small = scale_font(option.font, 0.88)
        painter.setFont(small)
        painter.setPen(QColor(theme.muted))
        metrics = painter.fontMetrics()
        share = self._room_of_remark(room, option, entry)
        remark = metrics.elidedText(entry.remark, _END, share) if share else ""
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, int(right), remark)
        for number, text in enumerate(wrap_text(entry.text, small, room.width(), self._lines)):
            painter.drawText(room.translated(0, line + number * metrics.lineSpacing()), 0, text)
        taken = metrics.horizontalAdvance(remark) + 10 if remark else 0
        if entry.squares:
            _draw_squares(painter, room.right() - taken - 4, room.center().y(), entry.squares)
            taken += 14 + 11 * len(entry.squares)
        painter.setFont(option.font)
        painter.setPen(QColor(theme.text))
        title = painter.fontMetrics().elidedText(entry.title, _END, room.width() - taken)
        painter.drawText(room, 0, title)
        painter.restore()

    def _room_of_remark(self, room: QRect, option: QStyleOptionViewItem, entry: Entry) -> int:
        half = room.width() // 2
        if self._lines == 1:
            return half
        metrics = option.fontMetrics
        left = room.width() - metrics.horizontalAdvance(entry.title) - 10
        return min(half, left) if left >= _FEWEST_LETTERS * metrics.averageCharWidth() else 0


def wrap_text(text: str, font: QFont, width: int, most: int) -> list[str]:
    """Return the first lines of a text, at most so many; what the last has no room for is cut."""
    metrics = QFontMetrics(font)
    if most == 1:
        return [metrics.elidedText(text, _END, width)]
    layout = QTextLayout(text, font)
    layout.setTextOption(_ANYWHERE)
    layout.beginLayout()
    starts: list[int] = []
    while len(starts) < most and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        starts.append(line.textStart())
    layout.endLayout()
    units = text.encode("utf-16-le", "surrogatepass")  # the unit of Qt's positions
    cuts = [units[2 * start : 2 * end] for start, end in pairwise([*starts, len(units) // 2])]
    texts = [cut.decode("utf-16-le", "replace").rstrip() for cut in cuts]
    return [*texts[:-1], *(metrics.elidedText(last, _END, width) for last in texts[-1:])]


def _draw_badge(painter: QPainter, font: QFont, badge: QRectF, entry: Entry) -> None:
    outline = badge.translated(0.5, 0.5) if entry.border else badge  # on whole pixels
    draw_rounded(painter, outline, 4, entry.border, entry.fill)
    painter.setPen(QColor(entry.sign_color))
    weight = QFont.Weight.DemiBold if entry.border else QFont.Weight.Bold
    painter.setFont(scale_font(font, 0.85 if entry.border else 1.0, weight=weight))
    painter.drawText(outline, Qt.AlignmentFlag.AlignCenter, entry.sign)


def _draw_squares(painter: QPainter, left: float, middle: int, colors: tuple[str, ...]) -> None:
    """Draw squares, the last of which begins at ``left``."""
    for number, color in enumerate(reversed(colors)):
        box = QRectF(left - 11 * number, middle - 3.5, 8, 8)
        draw_rounded(painter, box, 2, fill=color)
