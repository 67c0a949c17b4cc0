"""Headers of the table: methods with their means on top, pages at the left.

As headers they stay in view while the cells scroll.
"""

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHeaderView, QWidget

from gui.features.evaluate import cell_text
from gui.features.evaluate.arrangement import DELTA
from gui.features.evaluate.cells import CENTER, draw_difference
from gui.features.evaluate.model import ScoresModel
from gui.widgets.color_scale import SIDES, colors_of
from gui.widgets.theme import Theme, pixmap, scale_font, theme_of

NAME_LINES = 2
COUNTS = (("Pages in the mean", "scored"), ("Scores of 0", "zeros"), ("Failed", "failures"))
"""Rows below the means: labels, and the attributes of `Mean` they show."""

MOST_OF_TITLE = 90
"""Largest number of letters of a page's title in a wide window."""

_SCALE = 70
"""Width of the colour scale."""

_ARROWS = {True: " ▾", False: " ▴"}


class HeaderLines:
    """Heights of the lines of the top edge, from a font."""

    def __init__(self, widget: QWidget) -> None:
        line = widget.fontMetrics().height()
        self.row = round(line * 1.7)
        self.band = round(line * 1.6)
        self.names = round(line * 0.95 * NAME_LINES) + 10
        self.count = round(line * 1.25)

    @property
    def mean_top(self) -> int:
        return self.band + self.names

    @property
    def height(self) -> int:
        return self.mean_top + self.row + len(COUNTS) * self.count + 6


class _HoveredHeader(QHeaderView):
    """Header with a hovered section, highlighted as the target of a click; -1 for none."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self._hovered = -1
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.logicalIndexAt(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)
        super().leaveEvent(event)

    def _hover(self, section: int) -> None:
        if section != self._hovered:
            self._hovered = section
            self.viewport().update()


class MethodHeader(_HoveredHeader):
    """Kind, method, mean, zeros and failures of each column."""

    sort_asked = Signal(int)  # section
    pick_asked = Signal(int)  # section: to be compared
    measure_asked = Signal(int, QPoint)  # section whose band was clicked; where, on screen

    def __init__(self, model: ScoresModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._model = model
        self.picked: int | None = None  # first column of a pair to be compared
        self.setSectionsClickable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setAccessibleName("Methods")

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), HeaderLines(self).height)

    def width_for(self, column: int) -> int:
        """Return the width a column needs for its name in two lines."""
        letter = self.fontMetrics().averageCharWidth()
        if column == DELTA:
            return letter * 24
        metrics = self.fontMetrics()
        words = cell_text.title(self._model.shown, column).replace(",", ", ").split()
        cuts = ((words[:cut], words[cut:]) for cut in range(len(words) + 1))
        wide = min(max(metrics.horizontalAdvance(" ".join(line)) for line in cut) for cut in cuts)
        return min(max(wide + 18, letter * 10), letter * 24)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Sort on a click, compare on a click with Ctrl or Shift, choose a measure in the band."""
        section = self.logicalIndexAt(event.position().toPoint())
        if section < 0 or event.button() != Qt.MouseButton.LeftButton:
            return
        more = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        if event.position().y() < HeaderLines(self).band:
            self.measure_asked.emit(section, event.globalPosition().toPoint())
        elif event.modifiers() & more:
            self.pick_asked.emit(section)
        else:
            self.sort_asked.emit(section)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        shown = self._model.shown
        if not 0 <= section < len(shown.columns):
            return
        column, theme, lines = shown.columns[section], theme_of(self), HeaderLines(self)
        painter.save()
        painter.fillRect(rect, QColor(theme.panel))
        self._draw_name(painter, rect, section, theme, lines)
        self._draw_mean(painter, rect, column, theme, lines)
        if self._is_first(section):
            painter.setPen(QColor(theme.edge))
            painter.drawLine(rect.left(), 4, rect.left(), rect.bottom())
        painter.restore()

    def _is_first(self, section: int) -> bool:
        columns, band = self._model.shown.columns, self._model.shown.band
        return section > 0 and band(columns[section]) != band(columns[section - 1])

    def _draw_name(
        self, painter: QPainter, rect: QRect, section: int, theme: Theme, lines: HeaderLines
    ) -> None:
        shown = self._model.shown
        column = shown.columns[section]
        box = QRectF(rect.left() + 1, lines.band, rect.width() - 1, lines.names)
        if section == self._hovered:
            painter.fillRect(box, QColor(theme.hover))
        sort = shown.sort_by
        is_sorted = sort.by == ("difference" if column == DELTA else shown.table.columns[column])
        is_picked = column == self.picked and column != DELTA
        text = cell_text.title(shown, column) + (_ARROWS[sort.down] if is_sorted else "")
        weight = QFont.Weight.DemiBold if is_sorted else None
        painter.setFont(scale_font(self.font(), 0.92, weight=weight))
        painter.setPen(QColor(theme.accent if is_sorted or is_picked else theme.text))
        below = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        flags = int(Qt.TextFlag.TextWordWrap | below)
        painter.drawText(box.adjusted(3, 2, -3, -5), flags, text)
        if is_picked:
            painter.setPen(QPen(QColor(theme.accent), 1.5, Qt.PenStyle.DashLine))
            painter.drawRect(box.adjusted(1, 1, -2, -2))
        if shown.pair is not None and column in (shown.pair.one, shown.pair.other):
            side = SIDES[theme.name][column == shown.pair.other]
            painter.fillRect(QRectF(box.left() + 4, box.bottom() - 4, box.width() - 8, 3),
                             QColor(side))  # fmt: skip

    def _draw_mean(
        self, painter: QPainter, rect: QRect, column: int, theme: Theme, lines: HeaderLines
    ) -> None:
        shown = self._model.shown
        mean = shown.mean(column)
        box = QRectF(rect.left() + 1, lines.mean_top, rect.width() - 1, lines.row)
        font = scale_font(self.font(), 0.95, weight=QFont.Weight.DemiBold)
        if column == DELTA:
            value = float("nan") if mean.value is None else mean.value
            draw_difference(painter, box, value, self._model, theme, font)
        elif mean.value is not None:
            ground, text_color = colors_of(theme, shown.share(column, mean.value))
            painter.fillRect(box, ground)
            painter.setFont(font)
            painter.setPen(text_color)
            painter.drawText(box, CENTER, cell_text.digits(shown, column, mean.value))
        painter.setFont(scale_font(self.font(), 0.84))
        top = lines.mean_top + lines.row + 2
        for _, name in COUNTS:
            count = getattr(mean, name)
            line = QRectF(rect.left() + 1, top, rect.width() - 1, lines.count)
            top += lines.count
            if column == DELTA and name != "scored":
                continue
            is_bad = name == "failures" and count
            painter.setPen(QColor(theme.bad if is_bad else theme.muted))
            painter.drawText(line, CENTER, str(count))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the columns, then the bands over them: one band spans many columns."""
        super().paintEvent(event)
        shown, theme, lines = self._model.shown, theme_of(self), HeaderLines(self)
        painter, width = QPainter(self.viewport()), self.viewport().width()
        painter.fillRect(0, 0, width, lines.band, QColor(theme.chrome))
        painter.setFont(scale_font(self.font(), 0.9, weight=QFont.Weight.DemiBold))
        first = 0
        for section in range(1, len(shown.columns) + 1):
            if section < len(shown.columns) and not self._is_first(section):
                continue
            left = self.sectionViewportPosition(first)
            right = self.sectionViewportPosition(section - 1) + self.sectionSize(section - 1)
            self._draw_band(painter, left, right, shown.columns[first], theme, lines.band)
            first = section
        painter.setPen(QColor(theme.line))
        painter.drawLine(0, lines.height - 1, width, lines.height - 1)
        painter.end()

    def band_text(self, column: int, metrics: QFontMetrics, room: int) -> str:
        """Return the text of a band: its measure in words, or its short name if narrow."""
        shown = self._model.shown
        of = shown.measure_of(column)
        texts = [f"{shown.band(column)}: {name}  ▾" for name in (of.in_words, of.name)]
        text = next((t for t in texts if metrics.horizontalAdvance(t) <= room), texts[-1])
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def _draw_band(
        self, painter: QPainter, left: int, right: int, column: int, theme: Theme, height: int
    ) -> None:
        seen_left = max(left, 0)
        room = min(right, self.viewport().width()) - seen_left - 12
        if room < 24:
            return
        painter.setPen(QColor(theme.edge))
        painter.drawLine(left, 3, left, height - 1)
        painter.setPen(QColor(theme.text))
        text = self.band_text(column, painter.fontMetrics(), room)
        box = QRectF(seen_left + 8, 0, room, height)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)


class PageHeader(_HoveredHeader):
    """Header of the pages: titles, and a sign if the marks have changed since."""

    opened = Signal(int)  # section

    def __init__(self, model: ScoresModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._model = model
        self._room = 0
        self.is_open = -1  # the page (of the table) that is open
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setDefaultSectionSize(HeaderLines(self).row)
        self.setMinimumSectionSize(4)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Pages")

    def sizeHint(self) -> QSize:
        """Return the width of most titles."""
        letter = self.fontMetrics().averageCharWidth()
        least, most = letter * 34, letter * MOST_OF_TITLE
        return QSize(min(max(self._room, least), most), super().sizeHint().height())

    def set_room(self, room: int) -> None:
        """Set the largest width that keeps all methods in view."""
        if room != self._room:
            self._room = room
            self.updateGeometry()
            self.geometriesChanged.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        section = self.logicalIndexAt(event.position().toPoint())
        if section >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(section)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        if not 0 <= section < self._model.rowCount():
            return
        theme, page = theme_of(self), self._model.page(section)
        is_open = page == self.is_open
        painter.save()
        ground = theme.hover if section == self._hovered else theme.panel
        painter.fillRect(rect, QColor(theme.chosen if is_open else ground))
        right = rect.right() - 8
        if self._model.shown.why_stale(page):
            sign = pixmap("reload", theme.warn, 14, self.devicePixelRatioF())
            painter.drawPixmap(QPoint(right - 14, rect.center().y() - 6), sign)
            right -= 20
        weight = QFont.Weight.DemiBold if is_open else None
        painter.setFont(scale_font(self.font(), 0.95, weight=weight))
        painter.setPen(QColor(theme.text))
        left, title = rect.left() + 14, self._model.shown.table.pages[page].title
        end = Qt.TextElideMode.ElideRight
        text = painter.fontMetrics().elidedText(title, end, right - left)
        box = QRect(left, rect.top(), right - left, rect.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


class Corner(QWidget):
    """Corner that explains the lines of the top edge; a click on its name orders pages by title."""

    sort_asked = Signal()

    def __init__(self, model: ScoresModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Order by title, or as in the list of pages")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.sort_asked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        shown, theme, lines = self._model.shown, theme_of(self), HeaderLines(self)
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.panel))
        painter.fillRect(QRect(0, 0, self.width(), lines.band), QColor(theme.chrome))
        listed, every = len(shown.order), len(shown.table.pages)
        count = f"{listed} of {every} pages" if listed != every else f"{every} pages"
        left, width = 14, self.width() - 28
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(theme.muted))
        painter.setFont(scale_font(self.font(), 0.9))
        painter.drawText(QRect(left, 0, width, lines.band), flags, count)

        self._draw_scale(painter, theme, lines)

        is_sorted = shown.sort_by.by == "title"
        painter.setPen(QColor(theme.accent if is_sorted else theme.text))
        painter.setFont(scale_font(self.font(), 0.92))
        text = "Page" + (_ARROWS[shown.sort_by.down] if is_sorted else "")
        names = QRect(left, lines.band, width, lines.names - 5)
        painter.drawText(names, Qt.AlignmentFlag.AlignBottom, text)

        painter.setPen(QColor(theme.text))
        painter.setFont(scale_font(self.font(), 0.95, weight=QFont.Weight.DemiBold))
        painter.drawText(QRect(left, lines.mean_top, width, lines.row), flags, "Mean")
        painter.setPen(QColor(theme.muted))
        painter.setFont(scale_font(self.font(), 0.84))
        top = lines.mean_top + lines.row + 2
        for words, _ in COUNTS:
            painter.drawText(QRect(left, top, width, lines.count), flags, words)
            top += lines.count
        painter.setPen(QColor(theme.line))
        painter.drawLine(0, lines.height - 1, self.width(), lines.height - 1)
        painter.drawLine(self.width() - 1, lines.band, self.width() - 1, self.height())
        painter.end()

    def _draw_scale(self, painter: QPainter, theme: Theme, lines: HeaderLines) -> None:
        metrics = painter.fontMetrics()
        high = lines.band - 14
        right, flags = self.width() - 12, Qt.AlignmentFlag.AlignVCenter
        columns = [column for column in self._model.shown.columns if column != DELTA]
        is_share = all(self._model.shown.measure_of(column).is_share for column in columns)
        ends = ("1", "0") if is_share else ("high", "low")
        for step, text in enumerate(ends):
            wide = metrics.horizontalAdvance(text)
            painter.drawText(QRect(right - wide, 0, wide, lines.band), flags, text)
            right -= wide + 5
            if step == 0:
                left = right - _SCALE
                for x in range(_SCALE):
                    color = colors_of(theme, x / (_SCALE - 1))[0]
                    painter.fillRect(QRect(left + x, 7, 1, high), color)
                right = left - 5
