"""What floats over the window: messages, and covers that follow its size."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import (
    QAction,
    QEnterEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget
from shiboken6 import isValid

from engine.words import sentence
from gui.widgets.controls import announce
from gui.widgets.events import debounce, until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Busy, IconButton, IconLabel, KeyCap
from gui.widgets.texts import plain, translate

MARGIN = 22
"""Room between a message and the edges of the page, px."""

_NATIVE = QKeySequence.SequenceFormat.NativeText

_HANDLES = "qt_qmainwindow_extended_splitter"


def raise_over_handles(widget: QWidget, window: QWidget) -> None:
    """Raise a child of a main window, which keeps the handles between docks above all others."""
    for handle in window.findChildren(QWidget, _HANDLES):
        handle.lower()
    widget.raise_()


class Message(QFrame):
    """Words over the page's lower right corner, above those of ``below`` while they are seen."""

    def __init__(self, ground: QWidget, icon: str, color: str, *below: QWidget) -> None:
        super().__init__(ground)
        self._ground, self._below = ground, below
        self.setObjectName("Toast")
        self._text = QLabel(self, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.row = lay_out(
            QHBoxLayout(self), IconLabel(icon, self, color=color, size=18), (self._text, 1),
            margins=(14, 7, 7, 7), spacing=8,
        )  # fmt: skip
        for watched in (ground, *below):
            watched.installEventFilter(self)
        self._is_held = self._waits = False
        self.hide()

    def make_button(
        self, words: str, tip: str, call: Callable[[], object], *, is_main: bool = False
    ) -> QPushButton:
        """Return a button that is never narrower than its words: in little room the text breaks."""
        button = QPushButton(words, self)
        button.setToolTip(plain(tip))
        button.setProperty("main", is_main)
        button.clicked.connect(call)
        button.ensurePolished()
        button.setMinimumWidth(button.sizeHint().width())
        return button

    def stand_on(self, other: QWidget) -> None:
        """Stack above another message while it is visible."""
        self._below = (*self._below, other)
        other.installEventFilter(self)

    def hold(self, *, is_on: bool) -> None:
        """Hide, for example while a page is presented; unread messages are shown afterwards."""
        if is_on == self._is_held:
            return
        waits = self._waits or self.isVisible()
        self._is_held = is_on
        self.hide()
        self._waits = is_on and waits
        if waits and not is_on:
            self.show_text(self.text)

    def dismiss(self) -> None:
        self._waits = False
        self.hide()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_text(self, text: str) -> None:
        """Show these words in place of the last ones."""
        self._text.setText(sentence(translate(text)))
        announce(self, self._text.text())
        self._waits = self._is_held
        if not self._is_held:
            self._arrange()
            self.show()
            self.raise_()

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind, moves = event.type(), (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Move)
        moved = kind == QEvent.Type.Resize or (watched in self._below and kind in moves)
        if moved and self.isVisible():
            self._arrange()
        return False

    def _arrange(self) -> None:
        self._below = tuple(filter(isValid, self._below))  # a question goes with what asked it
        ground, below = self._ground, self._below
        most = min(560 + self._room(), max(200, ground.width() - 48))
        words = self._text.fontMetrics().horizontalAdvance(self._text.text()) + 60 + self._room()
        width = min(most, words)
        layout = self.row
        layout.invalidate()
        layout.activate()
        frame = 2  # the style sheet's border lies outside the layout
        height = max(layout.heightForWidth(width - frame), layout.minimumSize().height()) + frame
        tops = [other.y() for other in below if other.isVisible()]
        foot = min(tops) - MARGIN // 2 if tops else ground.height() - MARGIN
        left = max(0, ground.width() - width - MARGIN)  # the middle is what one reads
        self.setGeometry(left, foot - height, width, height)

    def _room(self) -> int:
        """Return the width of the buttons behind the words, px."""
        items = [self.row.itemAt(i) for i in range(2, self.row.count())]
        seen = [x for x in items if x is not None and not x.isEmpty()]
        return sum(x.sizeHint().width() + self.row.spacing() for x in seen)


class Toast(Message):
    """A message that disappears after some time, or at a click; blocks nothing."""

    def __init__(self, ground: QWidget, *below: QWidget) -> None:
        super().__init__(ground, "info", "accent", *below)
        self.setAccessibleName("Message")
        self._offered = QPushButton(self)
        self._offered.hide()
        self.row.addWidget(self._offered)
        close = IconButton("close", "Dismiss", self)
        close.clicked.connect(self.hide)
        self.row.addWidget(close)
        self._timer = debounce(self, 0, self.hide)

    def offer(self, action: QAction) -> None:
        """Add a button for messages with an action."""
        self._offered.setText(action.text())
        self._offered.clicked.connect(action.trigger)

    def say(self, text: str, *, offers: bool = False) -> None:
        """Show a message for as long as it takes to read it; "" takes the last one away."""
        if not text:
            self.dismiss()
            return
        self._offered.setVisible(offers)
        self.show_text(text)

    def show_text(self, text: str) -> None:
        super().show_text(text)
        self._timer.start(min(5000 + 90 * len(text), 30_000))

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        self._timer.start(2500)


ROOM_FOR_KEYS = 700
"""Width of the page from which on a question names the keys beside its buttons, px."""


class Question(Message):
    """A message that stays until it is settled, with a button for each way out; blocks nothing."""

    def __init__(self, ground: QWidget, *below: QWidget) -> None:
        super().__init__(ground, "warning", "warn", *below)
        self.setAccessibleName("Question")
        self.buttons: list[QPushButton] = []
        self._keys: list[KeyCap] = []

    def set_answers(self, actions: Sequence[QAction]) -> None:
        """Add a button for each action, with its key."""
        for action in actions:
            button = self.make_button(action.text(), action.toolTip(), action.trigger)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.buttons.append(button)
            self.row.addWidget(button)
            if keys := action.shortcut().toString(_NATIVE):
                self._keys.append(KeyCap(keys, self))
                self.row.addWidget(self._keys[-1])
        self.row.setContentsMargins(14, 7, 14, 7)

    def ask(self, text: str) -> None:
        """Show a question; "" takes it away."""
        if not text:
            self.dismiss()
        elif self.isHidden() and not self._waits:
            self.show_text(text)

    def _arrange(self) -> None:
        for key in self._keys:
            key.setVisible(self._ground.width() >= ROOM_FOR_KEYS)
        super()._arrange()


def question_over(ground: QWidget) -> Question:
    """Return a new question above those that a window asks; its passing messages come above it."""
    there = ground.findChildren(Message)
    result = Question(ground, *(each for each in there if not isinstance(each, Toast)))
    for each in there:
        if isinstance(each, Toast):
            each.stand_on(result)
    return result


class Overlay(QWidget):
    """A widget that covers another one and follows its size."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self._ground = ground
        ground.installEventFilter(self)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._ground and isinstance(event, QResizeEvent):
            self.setGeometry(self._ground.rect())
        return False


class LoadingCover(Overlay):
    """Lies over a page that is being opened: it is laid out, scrolled and measured meanwhile.

    Without it the page would be seen to jump.  If that takes long, a turning arc is shown.  A
    picture of the page hides this.
    """

    PATIENCE_MS = 400

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self.setObjectName("LoadingCover")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("The page is being opened")
        self._busy = Busy(self, 30)
        self._timer = debounce(self, self.PATIENCE_MS, self._busy.show)
        self._picture = QPixmap()
        self.hide()

    def cover(self, picture: QPixmap | None = None) -> None:
        """Cover the page, with a picture if there is one; a picture that covers it stays."""
        if picture is not None or not self.isVisible():
            self._picture = picture or QPixmap()
        self._busy.hide()
        self._timer.start()
        self.setGeometry(self._ground.rect())
        self.show()
        self.raise_()

    def uncover(self) -> None:
        self._timer.stop()
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._busy.move((self.width() - self._busy.width()) // 2, self.height() * 2 // 5)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).drawPixmap(0, 0, self._picture)
