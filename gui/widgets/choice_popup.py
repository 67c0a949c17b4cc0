"""A list to choose from that opens at a button: names with a sentence each, found by typing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHideEvent, QKeyEvent, QPainter, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from gui.widgets.controls import search_field
from gui.widgets.events import until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.parts import tone
from gui.widgets.texts import plain
from gui.widgets.theme import draw_rounded, pixmap, scale_font, theme_of

KEY, DETAIL, HEADING, ON = (Qt.ItemDataRole.UserRole + k for k in range(1, 5))

_SMALL = 0.88
_OWN_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Up)
_WRAP = Qt.TextFlag.TextWordWrap
_LEFT, _RIGHT = 34, 12
_WIDTH, _HEIGHT, _MOST = 62, 30, 40
"""Of the popup: in letters, in lines; no higher than the most, however long its list."""


@dataclass(frozen=True)
class PopupEntry:
    """A choice.

    Attributes:
        key: What is chosen.
        text, detail: Its name, and a sentence.
        group: The heading it stands under.
        is_on: Whether it is taken now.
    """

    key: str
    text: str
    detail: str = ""
    group: str = ""
    is_on: bool = False


class _ChoiceDelegate(QStyledItemDelegate):
    """Name, with a sentence below it, and a tick before chosen ones."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
                 ) -> QSize:  # fmt: skip
        line = option.fontMetrics.height()
        if index.data(HEADING):
            return QSize(100, round(line * 1.9))
        detail = str(index.data(DETAIL) or "")
        metrics = QFontMetrics(scale_font(option.font, _SMALL))
        view = option.widget
        assert isinstance(view, QListWidget)
        width = view.viewport().width() - _LEFT - _RIGHT
        room = metrics.boundingRect(QRect(0, 0, width, 1000), int(_WRAP), detail).height()
        return QSize(100, line + 10 + (room if detail else 0))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        view, rect = option.widget, QRect(option.rect)
        theme = theme_of(view)
        line = option.fontMetrics.height()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.data(HEADING):
            painter.setFont(scale_font(option.font, 0.88, weight=QFont.Weight.DemiBold))
            painter.setPen(QColor(theme.muted))
            flags = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
            painter.drawText(rect.adjusted(10, 0, -8, -3), flags, index.data())
            painter.restore()
            return
        states = QStyle.StateFlag
        if option.state & (states.State_MouseOver | states.State_Selected):
            line_color = theme.accent if option.state & states.State_Selected else ""
            box = QRectF(rect).adjusted(2.5, 1.5, -2.5, -1.5)
            draw_rounded(painter, box, 6, line_color, theme.hover)
        if index.data(ON):
            tick = pixmap("check", theme.accent, 16, view.devicePixelRatioF())
            painter.drawPixmap(QPoint(rect.left() + 10, rect.top() + 4 + (line - 16) // 2), tick)
        left, width = rect.left() + _LEFT, rect.width() - _LEFT - _RIGHT
        painter.setPen(QColor(theme.text))
        top = rect.top() + 4
        painter.drawText(QRect(left, top, width, line), 0, index.data())
        painter.setFont(scale_font(option.font, _SMALL))
        painter.setPen(QColor(theme.muted))
        room = QRect(left, top + line, width, rect.bottom() - top - line)
        painter.drawText(room, int(_WRAP), str(index.data(DETAIL)))
        painter.restore()


class ChoicePopup(QFrame):
    """Opens under a place; stays open while several things are chosen."""

    picked = Signal(str)  # key of the clicked choice

    def __init__(self, name: str, parent: QWidget, *, stays: bool = False) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("ChoicePopup")
        self.setAccessibleName(name)
        self._stays = stays
        self.line = search_field("Find", self, f"Find in: {name}")
        self.line.textChanged.connect(self._on_typed)
        self.line.installEventFilter(self)
        self.extra = QHBoxLayout()
        self.list = QListWidget(self)
        self.list.setObjectName("ChoiceList")
        self.list.setItemDelegate(_ChoiceDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setAccessibleName(name)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.itemClicked.connect(self._take)
        self.list.installEventFilter(self)
        parts = (self.line, self.extra, (self.list, 1))
        self._lines = lay_out(QVBoxLayout(self), *parts, margins=(8, 8, 8, 8), spacing=7)
        self.nothing = QLabel("Nothing here has all of these words.", self.list)
        tone(self.nothing, "muted")
        self.nothing.move(_LEFT, 6)
        self.nothing.hide()

    def fill(self, entries: Sequence[PopupEntry]) -> None:
        """Offer these choices; if it is open, the current one stays current."""
        now = self.list.currentItem() if self.isVisible() else None
        key, scrolled = now and now.data(KEY), self.list.verticalScrollBar().value()
        self.list.clear()
        group = ""
        for entry in entries:
            if entry.group != group:
                group = entry.group
                heading = QListWidgetItem(group, self.list)
                heading.setData(HEADING, True)
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
            item = QListWidgetItem(entry.text, self.list)
            for role, value in ((KEY, entry.key), (DETAIL, entry.detail), (ON, entry.is_on)):
                item.setData(role, value)
            item.setToolTip(plain(entry.detail))
            taken = "taken, " if entry.is_on else ""
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.text}, {taken}{entry.detail}")
            if entry.key == key or (key is None and entry.is_on and not self._stays):
                self.list.setCurrentItem(item)
        self._narrow()
        self.list.verticalScrollBar().setValue(scrolled)

    def open_at(self, position: QPoint) -> None:
        """Open with the upper left corner at a place on the screen."""
        letter, line = self.fontMetrics().averageCharWidth(), self.fontMetrics().height()
        screen = self.screen().availableGeometry()
        wide, high = min(_WIDTH * letter, screen.width()), min(_HEIGHT * line, screen.height())
        self.resize(wide, high)
        self.line.clear()
        self._lines.activate()  # names wrap in the width there is now
        lines = sum(self.list.sizeHintForRow(row) for row in range(self.list.count()))
        high = min(high - self.list.height() + lines + 4, _MOST * line, screen.height())
        self.resize(wide, high)
        across = max(screen.left(), min(position.x(), screen.right() - wide))
        self.move(across, max(screen.top(), min(position.y(), screen.bottom() - high)))
        self.show()
        self.line.setFocus()
        if self.list.currentItem() is not None:
            self.list.scrollToItem(self.list.currentItem())

    def item(self, key: str) -> QListWidgetItem:
        """Return the line of a choice; `KeyError` if there is none."""
        return {item.data(KEY): item for item in self._items()}[key]

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Walk the list from the field; Enter, and Space in the list, choose."""
        if not isinstance(event, QKeyEvent):
            return False
        key = event.key()
        if event.type() == QEvent.Type.ShortcutOverride and key in _OWN_KEYS:
            event.accept()  # else Enter is the page's, as soon as there is one
            return True
        if event.type() != QEvent.Type.KeyPress:
            return False
        is_enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter or (key == Qt.Key.Key_Space and watched is self.list):
            item = self.list.currentItem() or self._first()
            if item is not None and not item.isHidden():
                self._take(item)
            return True
        if watched is self.line and key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._stand()
            self.list.setFocus()
            return True
        return False

    def _items(self) -> Iterator[QListWidgetItem]:
        """The choices in order, without headings."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return (item for item in items if not item.data(HEADING))

    def _first(self) -> QListWidgetItem | None:
        return next((item for item in self._items() if not item.isHidden()), None)

    def _take(self, item: QListWidgetItem) -> None:
        key = item.data(KEY)
        if key is None:
            return
        self.list.setCurrentItem(item)
        if not self._stays:
            self.hide()
        self.picked.emit(key)

    def _narrow(self) -> None:
        words = self.line.text().casefold().split()
        is_empty = True  # whether nothing fits under the heading above; from the last row up
        for row in reversed(range(self.list.count())):
            item = self.list.item(row)
            if item.data(HEADING):
                item.setHidden(is_empty)
                is_empty = True
                continue
            text = f"{item.text()} {item.data(DETAIL)}".casefold()
            item.setHidden(not all(word in text for word in words))
            is_empty &= item.isHidden()
        self.nothing.setVisible(bool(words) and self._first() is None)
        if words:
            self._stand()

    def _on_typed(self, text: str) -> None:
        self._narrow()
        shown = [item for item in self._items() if not item.isHidden()]
        if text.strip() and shown:
            best = min(shown, key=lambda item: _rank(item.text(), text))
            self.list.setCurrentItem(best)
            self.list.scrollToItem(best)

    def _stand(self) -> None:
        """Make a choice that is seen the current one."""
        current, first = self.list.currentItem(), self._first()
        if first is not None and (current is None or current.isHidden()):
            self.list.setCurrentItem(first)


def _rank(name: str, typed: str) -> int:
    """Return how well a name matches the query: 0 begins so, then word by word, then no match."""
    name, typed = name.casefold(), typed.casefold().strip()
    if name.startswith(typed):
        return 0
    words = typed.split()
    if all(any(own.startswith(word) for own in name.split()) for word in words):
        return 1
    return 2 if all(word in name for word in words) else 3


GAP = 6
"""Room between the button and its card, px."""


class PopupCard(QFrame):
    """Card for fields and facts that are seldom needed."""

    closed = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        """``name`` is for screen readers."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("HelpCard")
        self.setAccessibleName(name)
        self.rows = lay_out(QVBoxLayout(self), margins=(16, 12, 16, 14), spacing=8)

    def open_at(self, button: QWidget, *, above: bool = False) -> None:
        """Show it below a button, or ``above`` it, inside the screen."""
        self.adjustSize()
        if self.hasHeightForWidth():  # Qt takes the height of lines as long as they would like
            self.resize(self.width(), self.heightForWidth(self.width()))
        foot = 0 if above else button.height()
        at = button.mapToGlobal(QPoint(0, foot))
        top = at.y() - self.height() - GAP if above else at.y() + GAP
        screen = button.screen().availableGeometry()
        left = max(screen.left(), min(at.x(), screen.right() - self.width()))
        self.move(left, max(screen.top(), min(top, screen.bottom() - self.height())))
        self.show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Put the keyboard into the first field."""
        super().showEvent(event)
        self.focusNextChild()
