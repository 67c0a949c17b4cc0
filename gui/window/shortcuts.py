"""The `?` overlay: every shortcut, read from the table of actions, over the dimmed window."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.core.action import Action
from gui.widgets.controls import search_field
from gui.widgets.events import until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, KeyCap, clear, small, tone
from gui.widgets.theme import scale_font
from gui.widgets.toasts import Overlay, raise_over_handles
from gui.window.action_table import SECTIONS, section_of, shown_keys
from gui.window.keyboard import HELD, Keyboard
from gui.window.user_keys import split

MOUSE = (
    ("Take or select what is framed", ("Click",)),
    ("Add to the selection; extend the block to here", ("Shift-click",)),
    ("Mark a part of a text (main content)", ("Drag",)),
    ("Mark a block by a rectangle around it", ("Drag",)),
    ("Main content by a rectangle", ("Alt-drag",)),
    ("Mark a block without leaving Select", ("Ctrl-Shift-drag",)),
    ("Wider or narrower frame", ("Ctrl-wheel", "Alt-wheel")),
    ("Draw one layer alone", ("Ctrl-click its swatch",)),
    ("Compare two methods in the table of scores", ("Ctrl-click their names",)),
)
"""What the mouse does, in words and gestures."""

ShortcutRow = tuple[str, tuple[str, ...]]


def sections(actions: Sequence[Action]) -> Iterator[tuple[str, list[ShortcutRow]]]:
    """Return heading and rows (text, keys) of every section; one row for the numbered layers."""
    yield "Mouse", list(MOUSE)
    for section in SECTIONS:
        rows = list(_rows(a for a in actions if section_of(a) == section and a.keys))
        if rows:
            yield section, rows


def _rows(actions: Iterable[Action]) -> Iterator[ShortcutRow]:
    numbered: list[Action] = []
    for action in actions:
        if action.name.startswith("layer-"):
            numbered.append(action)
            continue
        text = action.text.removesuffix("…")
        if action.name.startswith("type-") and action.help:
            text = f"{text}  ({action.help})"
        yield text, shown_keys(action)[:2]
    if numbered:
        first, last = shown_keys(numbered[0])[0], shown_keys(numbered[-1])[0]
        yield "Show or hide a layer, from the top", (first, "…", last)


class ShortcutsOverlay(Overlay):
    """Covers the window until Esc, `?`, or a click beside the card."""

    saving = Signal()  # the user asks for all shortcuts as a page to print

    def __init__(
        self,
        ground: QWidget,
        actions: Callable[[], Sequence[Action]],
        is_live: Callable[[Action], bool] = lambda action: True,
    ) -> None:
        """Show the rows of ``actions``, those that are not ``is_live`` grey."""
        super().__init__(ground)
        self._actions, self._is_live = actions, is_live
        self.setAccessibleName("Shortcuts")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._before: QWidget | None = None
        self._columns = 0
        self._whole = QSize()
        self._card = QFrame(self)
        self._card.setObjectName("HelpCard")
        title = QLabel("Shortcuts", self._card)
        title.setFont(scale_font(title.font(), 1.35, weight=QFont.Weight.DemiBold))
        close = IconButton("close", "Close  (Esc)", self._card)
        close.clicked.connect(self.close_up)
        self.search = search_field("Find an action or a key", self._card)
        self.search.setMinimumWidth(self.fontMetrics().averageCharWidth() * 28)
        self.search.setMaximumWidth(self.fontMetrics().averageCharWidth() * 44)
        self.search.textChanged.connect(self._refill)
        self.search.installEventFilter(self)
        self.live = QCheckBox("Only what is live now", self._card)
        self.live.toggled.connect(self._refill)
        self.sheet = QPushButton("Save as a page to print…", self._card)
        self.sheet.clicked.connect(self.saving)
        head = lay_out(
            QHBoxLayout(), title, 16, (self.search, 1), self.live, None, self.sheet, close
        )
        self._inner = QWidget()
        self.keyboard = Keyboard(actions, is_live, self._inner)
        self._grid = lay_out(QHBoxLayout(), spacing=34)
        whole = QVBoxLayout(self._inner)
        lay_out(whole, self.keyboard, self._grid, None, margins=(0, 0, 8, 0), spacing=16)
        self._area = QScrollArea(self._card, widgetResizable=True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(self._inner)
        for part in (self._area, self._inner):
            part.setStyleSheet("background: transparent;")
        margins = (26, 18, 16, 20)
        lay_out(QVBoxLayout(self._card), head, self._area, margins=margins, spacing=12)
        self.hide()

    def open_up(self) -> None:
        window = self.window()
        self._before = window.focusWidget()
        self.setGeometry(self._ground.rect())
        self.search.clear()
        self.keyboard.let_go()
        self._refill()  # keys may have changed
        self.show()
        self._come_up()
        self.search.setFocus()

    def _refill(self) -> None:
        self._columns = 0
        self.keyboard.setVisible(not self.search.text())  # leaves room for matches
        self._arrange()

    def _come_up(self) -> None:
        raise_over_handles(self, self._ground)

    def close_up(self) -> None:
        self.hide()
        if self._before is not None:
            self._before.setFocus()

    def toggle(self) -> None:
        (self.close_up if self.isVisible() else self.open_up)()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc; nothing else reaches the window."""
        if not self._walk(event):
            event.accept()

    def _walk(self, event: QKeyEvent) -> bool:
        """Close on Esc and `?`, scroll by keys that a field of one line has no use for."""
        key = event.key()
        bar = self._area.verticalScrollBar()
        steps: dict[int, int] = {
            Qt.Key.Key_Down: bar.singleStep(),
            Qt.Key.Key_Up: -bar.singleStep(),
            Qt.Key.Key_PageDown: bar.pageStep(),
            Qt.Key.Key_PageUp: -bar.pageStep(),
        }
        if key in (Qt.Key.Key_Escape, Qt.Key.Key_Question):
            self.close_up()
        elif key in steps:
            bar.setValue(bar.value() + steps[key])
        else:
            return False
        return True

    def event(self, event: QEvent) -> bool:
        """Keep the window's shortcuts quiet while the overlay is up."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._card.geometry().contains(event.position().toPoint()):
            self.close_up()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(0, 0, 0, 130))

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        super().eventFilter(watched, event)
        if watched is self.search:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if isinstance(event, QKeyEvent) and event.key() in HELD:
                self.keyboard.hold(event.key(), is_down=event.type() == QEvent.Type.KeyPress)
                return False
            return isinstance(event, QKeyEvent) and (
                event.type() == QEvent.Type.KeyPress and self._walk(event)
            )
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self.isVisible():
            self._arrange()
            QTimer.singleShot(0, self._come_up)
        return False

    def _arrange(self) -> None:
        """Arrange the sections in as many even columns as fit."""
        room = self.width() - 80
        unit = self.fontMetrics().horizontalAdvance("x") * 52
        columns = max(1, min(3, room // max(1, unit)))
        if columns != self._columns:
            self._columns = columns
            self._fill(columns)
        self._grid.activate()
        size = self._inner.sizeHint()
        if not self.search.text() and not self.live.isChecked():
            self._whole = size
        else:
            size = size.expandedTo(self._whole)  # the field stays where one types
        width = min(size.width() + 60, self.width() - 40)
        height = min(size.height() + 96, self.height() - 40)
        self._card.setGeometry(
            (self.width() - width) // 2, (self.height() - height) // 2, width, height
        )

    def _listed(self) -> list[tuple[str, list[ShortcutRow]]]:
        """Return the sections that match the query, on request only enabled actions."""
        rows = [row for row in self._actions() if not self.live.isChecked() or self._is_live(row)]
        words = self.search.text().casefold().split()
        other = {row.text.removesuffix("…"): " ".join(row.words) for row in rows}

        def fits(heading: str, row: ShortcutRow) -> bool:
            text = f"{heading} {row[0]} {other.get(row[0], '')} {' '.join(row[1])}".casefold()
            return all(word in text for word in words)

        kept = ((head, [row for row in part if fits(head, row)]) for head, part in sections(rows))
        return [(heading, lines) for heading, lines in kept if lines]

    def _fill(self, columns: int) -> None:
        clear(self._grid)
        result = self._listed()
        if not result:
            none = QLabel("No action and no key has these words.", self._inner)
            tone(none, "muted")
            self._grid.addWidget(none)
            none.show()
            return
        weights = [len(rows) + 2 for _, rows in result]
        off = {row.text.removesuffix("…") for row in self._actions() if not self._is_live(row)}
        for part in split(weights, columns):
            column = QWidget(self._inner)
            grid = QGridLayout(column)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(14)
            grid.setVerticalSpacing(4)
            line = 0
            for index in part:
                title, rows = result[index]
                line = _section(grid, line, title, rows, column, off)
            grid.setRowStretch(line, 1)
            grid.setColumnStretch(0, 1)
            self._grid.addWidget(column, 1)
            for child in (column, *column.findChildren(QWidget)):
                child.show()  # hidden widgets have no size yet


_WORDS = 34
"""Room for the words of a line, in average letters: what is longer is broken."""


def _section(
    grid: QGridLayout,
    line: int,
    title: str,
    rows: list[ShortcutRow],
    parent: QWidget,
    off: set[str],
) -> int:
    head = QLabel(title, parent)
    head.setFont(scale_font(head.font(), 0.95, weight=QFont.Weight.DemiBold))
    head.setContentsMargins(0, 12 if line else 0, 0, 2)
    tone(head, "accent")
    grid.addWidget(head, line, 0, 1, 2)
    for text, keys in rows:
        line += 1
        label = small(QLabel(text, parent, wordWrap=True), 0.95)
        metrics = label.fontMetrics()
        room = min(metrics.horizontalAdvance(text) + 2, metrics.averageCharWidth() * _WORDS)
        label.setMinimumWidth(room)
        if text in off:
            tone(label, "muted")
        grid.addWidget(label, line, 0)
        drawn = [QLabel(key, parent) if key == "…" else KeyCap(key, parent) for key in keys]
        caps = lay_out(QHBoxLayout(), *drawn, spacing=4)
        grid.addLayout(caps, line, 1, Qt.AlignmentFlag.AlignRight)
    return line + 1
