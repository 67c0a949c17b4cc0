"""View of a source: lines, colours, marks, folds, a caret; draws only the visible part."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from engine.source import Source
from engine.tree import Ints
from gui.features.source.lines import Folds, SourceLines, Wide
from gui.features.source.syntax import Syntax
from gui.widgets.theme import INKS, Theme, mix_colors, theme_of

_PAD = 8
_MOST_COLUMNS = 400


@dataclass(frozen=True, eq=False)
class Marks:
    """Highlighted spans of the source.

    Attributes:
        spans: int32 (k, 2). In order, not overlapping.
        kind: int32 (k,). Index into `colors`.
        colors: ``#rrggbb``.
    """

    spans: Ints
    kind: Ints
    colors: tuple[str, ...]

    @classmethod
    def of(cls, spans: Ints, *colors: str) -> Self:
        """Return the spans, all in the first of the colours."""
        return cls(spans, np.zeros(len(spans), np.int32), colors)


NO_MARKS = Marks.of(np.zeros((0, 2), np.int32))


class SourceView(QAbstractScrollArea):
    """Shows one source; the caret moves by mouse and arrows."""

    moved = Signal(int)  # offset of the caret, moved by the user
    taken = Signal(int)  # a click or Enter: the same

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("SourceView")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._metrics = QFontMetricsF(self.font())  # a letter is no whole number of px wide
        self.setAccessibleName("Source")
        self.setAccessibleDescription("the text of the source")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._source: Source | None = None
        self._syntax: Syntax | None = None
        self._lines = SourceLines.of("", 1)
        self._folds: Folds | None = None
        self._folded: frozenset[int] = frozenset()
        self._shown: Wide = np.arange(1)
        self._columns = 0
        self._marks = NO_MARKS
        self._span = (-1, -1)
        self._hits: list[tuple[int, int]] = []
        self.caret = 0
        self.verticalScrollBar().valueChanged.connect(self.viewport().update)

    # contents ------------------------------------------------------------------------------
    def set_source(self, source: Source | None) -> None:
        """Show another source from its start; None for none."""
        self._source = source
        self._syntax = None if source is None else Syntax(source)
        self._folded, self._marks, self._span, self._hits = frozenset(), NO_MARKS, (-1, -1), []
        self.caret, self._columns = 0, 0
        self._wrap()
        self.verticalScrollBar().setValue(0)

    def set_marks(self, marks: Marks) -> None:
        """Set the highlighted spans."""
        self._marks = marks
        self.viewport().update()

    def show_span(self, start: int, end: int, *, scrolls: bool = True) -> None:
        """Emphasize a span and scroll to its start; (-1, -1) for none."""
        self._span = (start, end)
        if start >= 0 and scrolls:
            self.caret = start
            self._unfold_at(start)
            self._reveal(start)
        self.viewport().update()

    @property
    def marks(self) -> Marks:
        """Highlighted spans."""
        return self._marks

    @property
    def span(self) -> tuple[int, int]:
        """Emphasized span."""
        return self._span

    def _lines_in_view(self) -> Wide:
        first = self.verticalScrollBar().value()
        return self._shown[first : first + self._rows_in_view() + 1]

    @property
    def is_folded(self) -> bool:
        return bool(self._folded)

    # lines -----------------------------------------------------------------------------------
    def _line_height(self) -> int:
        return round(self._metrics.height()) + 2

    def _gutter(self) -> int:
        digits = len(str(int(self._lines.number[-1]))) if len(self._lines) else 1
        return round(self._metrics.horizontalAdvance("0") * (max(digits, 2) + 2)) + _PAD

    def _rows_in_view(self) -> int:
        return max(1, self.viewport().height() // self._line_height())

    def _wrap(self) -> None:
        """Wrap the source again if the panel's width requires it; the top line stays on top."""
        room = self.viewport().width() - self._gutter() - _PAD
        columns = int(room / self._metrics.horizontalAdvance("0"))
        columns = max(20, min(_MOST_COLUMNS, columns))
        if self._source is None:
            self._lines, self._folds = SourceLines.of("", 1), None
            self._show_lines(0)
        elif columns != self._columns:
            top = self._top()
            self._columns = columns
            self._lines = SourceLines.of(self._source.html, columns)
            self._folds = Folds.of(self._source.tree, self._lines)
            self._show_lines(top)
        else:
            self._set_range()

    def _top(self) -> int:
        index = min(self.verticalScrollBar().value(), len(self._shown) - 1)
        line = int(self._shown[index])
        return int(self._lines.spans[line, 0]) if line < len(self._lines) else 0

    def _show_lines(self, top: int) -> None:
        folds, count = self._folds, len(self._lines)
        self._shown = np.arange(count) if folds is None else folds.shown(self._folded, count)
        self._set_range()
        self.verticalScrollBar().setValue(self._shown_index(self._lines.at(top)))
        self.viewport().update()

    def _set_range(self) -> None:
        rows = self._rows_in_view()
        self.verticalScrollBar().setPageStep(rows)
        self.verticalScrollBar().setRange(0, max(0, len(self._shown) - rows))

    def _shown_index(self, line: int) -> int:
        """Return the index of a line among the shown ones, or of the last before it."""
        return max(0, int(np.searchsorted(self._shown, line, side="right")) - 1)

    def _reveal(self, offset: int) -> None:
        bar, line_index = self.verticalScrollBar(), self._shown_index(self._lines.at(offset))
        if not bar.value() <= line_index < bar.value() + self._rows_in_view() - 1:
            bar.setValue(line_index - self._rows_in_view() // 3)

    # folding -----------------------------------------------------------------------------------
    def fold(self, way: int) -> None:
        """Fold (-1) the innermost element around the caret, or unfold (1) the one at its start."""
        folds = self._folds
        if folds is None:
            return
        line = self._lines.at(self.caret)
        if way > 0:
            self._set_folded(self._folded - self._begun_at(line))
            return
        index = folds.by_line.get(line, -1)
        if index < 0 or int(folds.rows[index]) in self._folded:
            index = folds.around(line - 1) if line else -1
        if index >= 0:
            self._set_folded(self._folded | {int(folds.rows[index])})
            self.caret = int(self._lines.spans[folds.first[index], 0])
            self._reveal(self.caret)

    def unfold_all(self) -> None:
        self._set_folded(frozenset())

    def _begun_at(self, line: int) -> frozenset[int]:
        folds = self._folds
        assert folds is not None
        return frozenset(folds.rows[folds.first == line].tolist())

    def _unfold_at(self, offset: int) -> None:
        folds, line = self._folds, self._lines.at(offset)
        if folds is not None and self._folded:
            around = (folds.first < line) & (line < folds.last)
            self._set_folded(self._folded - frozenset(folds.rows[around].tolist()))

    def _set_folded(self, folded: frozenset[int]) -> None:
        if folded != self._folded:
            top = self._top()
            self._folded = folded
            self._show_lines(top)

    # search --------------------------------------------------------------------------------
    def search(self, text: str) -> int:
        """Highlight all matches of a text, ignoring case; return their number."""
        self._hits = []
        if self._source is not None and text:
            html, needle = self._source.html.lower(), text.lower()
            if len(html) != len(self._source.html):  # a letter whose small form is longer
                html, needle = self._source.html, text
            at = html.find(needle)
            while at >= 0:
                self._hits.append((at, at + len(needle)))
                at = html.find(needle, at + len(needle))
        self.viewport().update()
        return len(self._hits)

    def go_to_hit(self, step: int) -> int:
        """Go to the next (1) or previous (-1) match; return its number, 0 if there is none."""
        if not self._hits:
            return 0
        starts, at = [start for start, _ in self._hits], self.caret
        after = bisect_right(starts, at) if step > 0 else bisect_left(starts, at) - 1
        index = after % len(starts)
        self.set_caret(starts[index])
        return index + 1

    # the caret -------------------------------------------------------------------------------
    def set_caret(self, offset: int) -> None:
        """Set the caret, as a click does."""
        size = len(self._source.html) if self._source is not None else 0
        self.caret = max(0, min(offset, size))
        self._unfold_at(self.caret)
        self._reveal(self.caret)
        self.viewport().update()
        self.moved.emit(self.caret)

    def move_lines(self, lines: int) -> None:
        """Move the caret down by some shown lines, to the first letter there."""
        if self._source is None:
            return
        index = self._shown_index(self._lines.at(self.caret)) + lines
        line = int(self._shown[max(0, min(index, len(self._shown) - 1))])
        start, end = self._lines.spans[line].tolist()
        text = self._source.html[start:end]
        self.set_caret(start + len(text) - len(text.lstrip()) if text.strip() else start)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        page = self._rows_in_view() - 1
        lines = {
            Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page, Qt.Key.Key_Home: -len(self._shown),
            Qt.Key.Key_End: len(self._shown),
        }  # fmt: skip
        if event.key() in lines:
            self.move_lines(lines[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def offset_at(self, position: QPointF) -> int:
        """Return the offset in the source at a point of the viewport."""
        if self._source is None:
            return 0
        row = self.verticalScrollBar().value() + int(position.y()) // self._line_height()
        line = int(self._shown[max(0, min(row, len(self._shown) - 1))])
        start, end = self._lines.spans[line].tolist()
        text, x = self._source.html[start:end], position.x() - self._gutter()
        cuts = range(1, len(text) + 1)
        count = bisect_right(cuts, x, key=lambda cut: self._advance(text[:cut]))
        return int(start) + min(count, max(len(text) - 1, 0))

    def point_of(self, offset: int) -> QPointF:
        """Return the point of the viewport at an offset of the source."""
        line = self._lines.at(offset)
        row = self._shown_index(line) - self.verticalScrollBar().value()
        assert self._source is not None
        text = self._source.html[int(self._lines.spans[line, 0]) : offset]
        return QPointF(self._gutter() + self._advance(text) + 1, (row + 0.5) * self._line_height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Set the caret; in the gutter fold or unfold."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        offset = self.offset_at(event.position())
        if event.position().x() < self._gutter() and self._folds is not None:
            line = self._lines.at(offset)
            index = self._folds.by_line.get(line, -1)
            if index >= 0:
                begun, row = self._begun_at(line), int(self._folds.rows[index])
                is_folded = bool(self._folded & begun)
                self._set_folded(self._folded - begun if is_folded else self._folded | {row})
            return
        self.set_caret(offset)
        self.taken.emit(self.caret)

    # drawing -------------------------------------------------------------------------------
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_columns"):
            self._metrics, self._columns = QFontMetricsF(self.font()), 0
            self._wrap()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wrap()

    def _advance(self, text: str) -> float:
        return self._metrics.horizontalAdvance(text.replace("\t", " "))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self.viewport())
        painter.setFont(self.font())
        painter.fillRect(self.viewport().rect(), QColor(theme.panel))
        gutter, height = self._gutter(), self._line_height()
        painter.fillRect(0, 0, gutter - 4, self.viewport().height(), QColor(theme.chrome))
        if self._source is None or self._syntax is None:
            return
        caret = self._lines.at(self.caret)
        for row, line in enumerate(self._lines_in_view().tolist()):
            if line == caret:
                full = QRectF(gutter - 4, row * height, self.viewport().width(), height)
                painter.fillRect(full, QColor(theme.hover))
            self._draw_grounds(painter, theme, line, row * height, gutter, height)
            self._draw_number(painter, theme, line, row * height, gutter, height)
            self._draw_text(painter, theme, line, row * height, gutter)

    def _draw_grounds(
        self, painter: QPainter, theme: Theme, line: int, y: int, left: int, height: int
    ) -> None:
        start, end = self._lines.spans[line].tolist()
        marks = self._marks
        low = int(np.searchsorted(marks.spans[:, 1], start, side="right"))
        high = int(np.searchsorted(marks.spans[:, 0], end, side="left"))
        for index in range(low, high):
            color, (a, b) = marks.colors[int(marks.kind[index])], marks.spans[index].tolist()
            box = self._box(start, end, (a, b), y, left, height)
            painter.fillRect(box, QColor(mix_colors(color, theme.panel, 0.26)))
            if a >= start:  # the border between two places matters here
                painter.fillRect(QRectF(box.left(), y, 1.2, height), QColor(color))
        for span, shade in self._overlays(theme, start, end):
            painter.fillRect(self._box(start, end, span, y, left, height), shade)

    def _overlays(
        self, theme: Theme, start: int, end: int
    ) -> Iterator[tuple[tuple[int, int], QColor]]:
        span_color, hit_color = QColor(theme.accent), QColor(theme.warn)
        span_color.setAlphaF(0.2)
        hit_color.setAlphaF(0.42)
        if self._span[0] < end and self._span[1] > start:
            yield self._span, span_color
        first = max(0, bisect_right(self._hits, (start, -1)) - 1)
        yield from ((hit, hit_color) for hit in self._hits[first : bisect_left(self._hits, (end,))])

    def _box(
        self, start: int, end: int, span: tuple[int, int], y: int, left: int, height: int
    ) -> QRectF:
        assert self._source is not None
        low, high = max(span[0], start), max(min(span[1], end), start)
        html = self._source.html
        x = left + self._advance(html[start:low])
        return QRectF(x, y, self._advance(html[low:high]), height)

    def _draw_number(
        self, painter: QPainter, theme: Theme, line: int, y: int, gutter: int, height: int
    ) -> None:
        folds = self._folds
        wide = self._metrics.horizontalAdvance("0")
        if line == 0 or self._lines.number[line] != self._lines.number[line - 1]:
            painter.setPen(QColor(theme.muted))
            room = QRectF(0, y, gutter - 4 - 1.6 * wide, height)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, right, str(int(self._lines.number[line])))
        if folds is None or line not in folds.by_line:
            return
        x, middle, size = gutter - 4 - 0.9 * wide, y + height / 2, 0.36 * wide
        if self._folded & self._begun_at(line):
            line_color, tips = theme.accent, ((x - size, -1.6), (x - size, 1.6), (x + size, 0))
        else:
            line_color, tips = theme.edge, ((x - 1.5 * size, -1), (x + 1.5 * size, -1), (x, 1))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(line_color))
        painter.drawPolygon(QPolygonF([QPointF(a, middle + b * size) for a, b in tips]))
        painter.restore()

    def _draw_text(self, painter: QPainter, theme: Theme, line: int, y: int, left: int) -> None:
        assert self._source is not None
        assert self._syntax is not None
        start, end = self._lines.spans[line].tolist()
        html, inks = self._source.html, INKS[theme.name]
        base = y + 1 + self._metrics.ascent()
        x, at = float(left), start
        for low, high, kind in (*self._syntax.pieces(start, end), (end, end, "")):
            for a, b, line_color in (
                (at, max(low, at), theme.text),
                (max(low, at), min(high, end), inks.get(kind, theme.text)),
            ):
                text = html[a:b].replace("\t", " ")
                if text.strip():
                    painter.setPen(QColor(line_color))
                    painter.drawText(QPointF(x, base), text)
                x += self._advance(text) if text else 0
                at = max(at, b)
