"""Inspector beside the scores: the page with its errors, all methods on it, all pages of one."""

from math import isnan

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidgetItem,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from engine.tree import Doubles, Indices
from gui.features.evaluate import cell_text
from gui.features.evaluate.arrangement import DELTA, Arrangement
from gui.features.evaluate.model import ScoresModel
from gui.pictures.error_request import ErrorPicture
from gui.widgets.controls import push_button, text_label
from gui.widgets.entry_delegate import ItemIndex
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Busy, ElidedLabel, IconButton, small, tone
from gui.widgets.theme import draw_rounded, smooth_painter, theme_of
from gui.widgets.walked_list import WalkedList

WIDTH, WIDE = 360, 640
"""Width of the column, px: in most windows, and in very wide ones."""

_MARGIN = 14
_SPIN_MS = 300
_ROW, _LEAST_ROWS, _MOST_ROWS, _STRIP = 25, 3, 10, 62
_TALLEST = 6
"""A picture is at most so many times as high as it is wide."""


class Inspector(QFrame):
    """Shows one score of a table; moves the table by signals."""

    opened = Signal()  # the page in Debug
    closed = Signal()
    method_chosen = Signal(int)  # column of the table
    page_chosen = Signal(int)  # page of the table

    def __init__(self, model: ScoresModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("Inspector")
        self.setAccessibleName("Inspector of the score")
        self._model = model
        self.columns: tuple[int, ...] = ()
        self.title = ElidedLabel("", self, Qt.TextElideMode.ElideMiddle)
        small(self.title, 1.0, QFont.Weight.DemiBold)
        self.score = tone_label(self)
        close = IconButton("close", "Fold the inspector  (I)", self, self.closed.emit)
        close.setAccessibleName("Fold the inspector")  # its key is in the description
        self.picture = PagePicture(self)
        self.busy = Busy(self, 14)
        self.words = text_label(self)
        self.methods = WalkedList(self, self.opened.emit)
        self.methods.setAccessibleName("All methods on this page")
        self.methods.setItemDelegate(MethodBars(self))
        self.methods.chosen.connect(lambda row: self.method_chosen.emit(self.columns[row]))
        self.strip_head = ElidedLabel("", self)
        small(self.strip_head, 0.92, QFont.Weight.DemiBold)
        self.strip = PageStrip(self)
        self.strip.chosen.connect(self.page_chosen)
        self.open = push_button("Open in Debug", self, self.opened.emit, "Enter", look="main")
        head = QLabel("All methods on this page", self)
        small(head, 0.92, QFont.Weight.DemiBold)
        top = lay_out(QHBoxLayout(), (self.title, 1), self.score, close, spacing=6)
        said = lay_out(QHBoxLayout(), self.busy, (self.words, 1), spacing=6)
        last = lay_out(QHBoxLayout(), self.open, None)
        rows = lay_out(
            QVBoxLayout(self), top, (self.picture, 1), said, 2, head, (self.methods, 1), 2,
            self.strip_head, self.strip, 4, last,
            margins=(_MARGIN, 8, _MARGIN, 12), spacing=6,
        )  # fmt: skip
        rows.addStretch(0)  # takes the room while all else is hidden
        self._of_score = (self.picture, head, self.methods, self.strip_head, self.strip, self.open)
        self._spin = QTimer(self, singleShot=True, interval=_SPIN_MS)
        self._spin.timeout.connect(self.busy.show)
        self.show_nothing()

    @property
    def shown(self) -> Arrangement:
        """The table that it is beside."""
        return self._model.shown

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and largest height of the picture in the pixels of the screen."""
        wide = round((self.width() - 2 * _MARGIN - 2) * self.devicePixelRatioF())
        return wide, wide * _TALLEST

    def show_nothing(self) -> None:
        """Ask for a score."""
        self.title.setText("No score chosen")
        self.score.setText("")
        self.show_picture(ErrorPicture(b"", "Click a score to see its page and errors here."))
        self.columns = ()
        with self.methods.being_filled():
            self.methods.clear()
        self.strip_head.setText("")
        self.strip.show_values(np.zeros(0), _NONE, -1, "", _NONE)
        self._show_parts(are_shown=False)

    def _show_parts(self, *, are_shown: bool) -> None:
        for part in self._of_score:
            part.setVisible(are_shown)

    def show_cell(self, page: int, column: int) -> None:
        """Show a page and a method; the picture follows."""
        shown = self.shown
        name, digits = cell_text.title(shown, column), cell_text.words(shown, page, column)
        self.title.setText(shown.table.pages[page].title)
        self.score.setText(f"{name} {digits}".strip())
        self._show_methods(page, column)
        self._show_pages(page, column)
        self._show_parts(are_shown=True)

    def _show_methods(self, page: int, column: int) -> None:
        columns = tuple(each for each in self.shown.columns if each != DELTA)
        rows = self.methods
        with rows.being_filled():
            if columns != self.columns:
                rows.clear()
                for _ in columns:
                    QListWidgetItem(rows)
                rows.setMaximumHeight(_ROW * min(len(columns), _MOST_ROWS) + 2)
                rows.setMinimumHeight(_ROW * min(len(columns), _LEAST_ROWS) + 2)
            self.columns = columns
            for row, each in enumerate(columns):
                words = cell_text.words(self.shown, page, each) or "not run yet"
                item = rows.item(row)
                item.setData(_SCORE, (page, each))
                spoken = f"{cell_text.title(self.shown, each)}, {words}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
        rows.show_position(columns.index(column) if column in columns else -1)

    def _show_pages(self, page: int, column: int) -> None:
        shown = self.shown
        values = shown.table.values(shown.measure_of(column), column)[shown.order]
        there = ~np.isnan(values)
        values, pages = values[there], shown.order[there]
        order = np.argsort(values, kind="stable")
        values, pages = values[order], pages[order]
        name = cell_text.title(shown, column)
        head = f"{name} on all pages"
        if values.size:
            low, high = (cell_text.digits(shown, column, float(values[k])) for k in (0, -1))
            head = f"{head}: {low} – {high}"
        self.strip_head.setText(head)
        rank = cell_text.rank(shown, page, column)
        spoken = f"{head}; this page is {rank}" if rank else head
        drawn = _places(len(values))
        shares = np.array([shown.share(column, float(value)) for value in values[drawn]])
        self.strip.show_values(shares, pages[drawn], page, spoken, pages)

    # picture ---------------------------------------------------------------------------------
    def begin_picture(self) -> None:
        """Wait for a picture: a spinner after a moment."""
        self.picture.clear()
        self.words.setText("")
        self._spin.start()

    def show_picture(self, picture: ErrorPicture) -> None:
        """Show a picture with its words, or why there is none."""
        self._spin.stop()
        self.busy.hide()
        said = picture.words or "It keeps exactly the gold here"
        self.words.setText(said)
        self.picture.show_picture(picture, f"{self.title.text()}, {self.score.text()}: {said}")


_SCORE = Qt.ItemDataRole.UserRole + 1
_MOST_BARS = 300


_NONE: Indices = np.zeros(0, dtype=np.intp)


def _places(count: int) -> Indices:
    """Return which of so many sorted values have a bar: all, or as many as there is room for."""
    return np.linspace(0, count - 1, min(count, _MOST_BARS)).round().astype(np.intp)


def tone_label(parent: QWidget) -> QLabel:
    """Return a label of one line, in the second tone."""
    label = small(QLabel("", parent), 0.92)
    label.setTextFormat(Qt.TextFormat.PlainText)
    tone(label, "muted")
    return label


class PagePicture(QScrollArea):
    """The picture of a page, scrolled to its first error."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = QLabel(self)
        self.setWidget(self._label)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(96)
        self.clear()

    def clear(self) -> None:
        """Show no picture."""
        self._label.setPixmap(QPixmap())
        self._label.resize(0, 0)
        self.setAccessibleName("Picture of the page with its errors")

    @property
    def is_empty(self) -> bool:
        return self._label.pixmap().isNull()

    def show_picture(self, picture: ErrorPicture, spoken: str) -> None:
        """Show a picture; without data, none."""
        self.clear()
        self.setAccessibleName(f"Picture of {spoken}")
        pixels = QPixmap()
        if picture.data and pixels.loadFromData(picture.data):
            ratio = self.devicePixelRatioF()
            pixels.setDevicePixelRatio(ratio)
            self._label.setPixmap(pixels)
            self._label.resize(pixels.deviceIndependentSize().toSize())
            self.verticalScrollBar().setValue(max(0, round(picture.top / ratio) - 24))


class MethodBars(QStyledItemDelegate):
    """Draws a row of methods: name, bar, score."""

    def __init__(self, inspector: Inspector) -> None:
        super().__init__(inspector)
        self._inspector = inspector

    def sizeHint(self, option: QStyleOptionViewItem, index: ItemIndex) -> QSize:
        return QSize(80, _ROW)

    def name_width(self, width: float, metrics: QFontMetrics) -> float:
        """Return what names take of a row's width, px: the longest one, and 60 % at most."""
        shown = self._inspector.shown
        names = [cell_text.title(shown, each) for each in self._inspector.columns]
        longest = max((metrics.horizontalAdvance(name) for name in names), default=0)
        return min(longest + 18.0, 0.6 * width)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ItemIndex) -> None:
        cell = index.data(_SCORE)
        if cell is None:
            return
        page, column = cell
        shown, theme, box = self._inspector.shown, theme_of(self._inspector), QRectF(option.rect)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_current or option.state & QStyle.StateFlag.State_MouseOver:
            ground = theme.chosen if is_current else theme.hover
            draw_rounded(painter, box.adjusted(0, 1, 0, -1), 5, fill=ground)
        value, words = shown.value(page, column), cell_text.words(shown, page, column)
        metrics, middle = option.fontMetrics, Qt.AlignmentFlag.AlignVCenter
        wide = self.name_width(box.width(), metrics)
        room = QRectF(box.left() + 6, box.top(), wide - 10, box.height())
        painter.setFont(option.font)
        painter.setPen(QColor(theme.text))
        name = cell_text.title(shown, column)
        elided = metrics.elidedText(name, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, middle, elided)
        right = Qt.AlignmentFlag.AlignRight | middle
        if isnan(value):
            painter.setPen(QColor(theme.muted))
            painter.drawText(box.adjusted(0, 0, -6, 0), right, words or "not run yet")
            return
        painter.drawText(box.adjusted(0, 0, -6, 0), right, words)
        number = metrics.horizontalAdvance("0.0000") + 10
        bar = QRectF(box.left() + wide, box.center().y() - 4, box.width() - wide - number, 8)
        draw_rounded(painter, bar, 2, fill=theme.line)
        bar.setWidth(bar.width() * min(max(shown.share(column, value), 0.0), 1.0))
        draw_rounded(painter, bar, 2, fill=theme.accent if is_current else theme.edge)


class PageStrip(QWidget):
    """The scores of a method on all pages as bars, lowest first; the bar of one page is lit."""

    chosen = Signal(int)  # page of the table

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedHeight(_STRIP)
        self.setAccessibleDescription("a plot: Left and Right go from page to page")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._shares: Doubles = np.zeros(0)
        self._pages = self._all = _NONE
        self._page = -1

    def show_values(
        self, shares: Doubles, pages: Indices, page: int, spoken: str, every: Indices
    ) -> None:
        """Show bars.

        Args:
            shares: Heights of the bars, 0 to 1, lowest first; float64 (bars,).
            pages: The page of each; int (bars,).
            page: The one that is lit.
            spoken: All of it in words.
            every: All pages in this order, also those for whose bars there is no room.
        """
        self._shares, self._pages, self._page, self._all = shares, pages, page, every
        self.setAccessibleName(spoken)
        self.update()

    @property
    def lit(self) -> int:
        """Index of the bar of the page, or of the nearest one; -1 for none."""
        if not len(self._pages) or self._page not in self._all:
            return -1
        at = int(np.flatnonzero(self._all == self._page)[0])
        return round(at * (len(self._pages) - 1) / max(1, len(self._all) - 1))

    def place_of(self, bar: int) -> float:
        """Return where the middle of a bar is, px from the left."""
        return (bar + 0.5) * self.width() / max(1, len(self._pages))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the page of the bar there, however low it is."""
        if len(self._pages) and event.button() == Qt.MouseButton.LeftButton:
            bar = int(event.position().x() * len(self._pages) / max(1, self.width()))
            self.chosen.emit(int(self._pages[min(max(bar, 0), len(self._pages) - 1)]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the page with the next lower or higher score."""
        way = {int(Qt.Key.Key_Left): -1, int(Qt.Key.Key_Right): 1}.get(event.key())
        places = np.flatnonzero(self._all == self._page)
        if way is None or not places.size:
            super().keyPressEvent(event)
            return
        self.chosen.emit(int(self._all[min(max(int(places[0]) + way, 0), len(self._all) - 1)]))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = theme_of(self), smooth_painter(self)
        count, foot = len(self._shares), self.height() - 2.0
        wide = self.width() / max(1, count)
        gap, lit = (min(3.0, wide * 0.25) if wide > 2 else 0.0), self.lit
        for bar, share in enumerate(self._shares):
            high = max(2.0, (foot - 2) * min(max(float(share), 0.0), 1.0))
            box = QRectF(bar * wide, foot - high, max(wide - gap, 1.0), high)
            painter.fillRect(box, QColor(theme.accent if bar == lit else theme.edge))
        if lit >= 0 and wide < 6:
            painter.fillRect(QRectF(self.place_of(lit) - 1.5, 0, 3, foot), QColor(theme.accent))
        if self.hasFocus():
            box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            draw_rounded(painter, box, 4, theme.accent)
