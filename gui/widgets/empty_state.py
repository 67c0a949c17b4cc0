"""Start page, shown while no page is open."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.words import sentence
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconLabel, clear, small, tone
from gui.widgets.texts import plain
from gui.widgets.theme import draw_rounded, scale_font, smooth_painter, theme_of

WIDTH, HEIGHT = 34, 5
"""Size of a card, in letters and in lines."""
_INSET = 12


class TaskCard(QAbstractButton):
    """A title above a sentence; the chosen one is framed."""

    def __init__(self, title: str, sentence: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setText(title)
        self._sentence = sentence
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.averageCharWidth() * WIDTH + 2 * _INSET, metrics.height() * HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = theme_of(self), smooth_painter(self)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        is_marked = self.isChecked() or self.hasFocus()
        edge = theme.accent if is_marked else theme.line
        fill = (
            theme.chosen if self.isChecked() else theme.hover if self.underMouse() else theme.raised
        )
        draw_rounded(painter, box, 8, edge, fill, width=2 if self.hasFocus() else 1)
        room = QRect(self.rect()).adjusted(_INSET, _INSET - 2, -_INSET, -_INSET + 2)
        painter.setPen(QColor(theme.text))
        painter.setFont(scale_font(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        painter.drawText(room, Qt.AlignmentFlag.AlignTop, self.text())
        painter.setPen(QColor(theme.muted))
        painter.setFont(scale_font(self.font(), 0.92))
        below = room.adjusted(0, self.fontMetrics().height() + 4, 0, 0)
        painter.drawText(
            below, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop, self._sentence
        )


MOST_RECENT = 6
"""What was open before, as many of it as one sees at a glance."""

_LOW = 560
"""Height too small for the sign, px."""

_LONGEST = 64
"""Letters of an address on a button."""


def middle(address: str) -> str:
    """Return an address cut in its middle: where it is, and its name."""
    half = _LONGEST // 2
    return address if len(address) <= _LONGEST else f"{address[:half]}…{address[-half:]}"


@dataclass(frozen=True)
class RecentEntry:
    """Something that was open before.

    Attributes:
        address: Path or URL.
        progress: How much of it is marked; "" where that is not known.
        problem: Why it cannot be opened now; "" where it can.
    """

    address: str
    progress: str = ""
    problem: str = ""


@dataclass(frozen=True)
class TaskEntry:
    """A kind of work to choose.

    Attributes:
        action: The action that chooses it.
        title, sentence: Words of its card.
        is_chosen: Whether pages will be opened in it.
    """

    action: str
    title: str
    sentence: str
    is_chosen: bool = False


def _quiet(text: str, parent: QWidget) -> QLabel:
    label = small(QLabel(text, parent), 0.92)
    tone(label, "muted")
    return label


class EmptyState(QWidget):
    """A sign, a sentence, and what to do next."""

    asked = Signal(str)  # the name of an action
    chosen = Signal(str)  # address of a recent page or data set, to open it
    removed = Signal(str)  # address to remove from the recent ones

    def __init__(self, parent: QWidget | None = None, known: Container[str] | None = None) -> None:
        """``known`` are the actions there are, None for all: others are not offered."""
        super().__init__(parent)
        self._known = known
        self.setObjectName("Empty")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.is_dragged_over = False
        self._sign = IconLabel("pagelet", self, color="muted", size=56)
        middle, across = Qt.AlignmentFlag.AlignCenter, Qt.AlignmentFlag.AlignHCenter
        self._title = QLabel("", self, alignment=middle, wordWrap=True)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setFont(scale_font(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        self._text = QLabel("", self, alignment=middle, wordWrap=True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setMaximumWidth(520)
        tone(self._text, "muted")
        self._keys = _quiet("", self)
        self._keys.setAlignment(middle)
        self._cards = QGridLayout()
        self._cards.setSpacing(12)
        self._buttons = lay_out(QHBoxLayout(), spacing=8)
        self._recent = lay_out(QVBoxLayout(), spacing=2)
        layout = lay_out(QVBoxLayout(self), margins=(16, 12, 16, 12), spacing=12)
        layout.addStretch(2)
        cards = lay_out(QHBoxLayout(), None, self._cards, None)
        parts = (
            (self._sign, 0, across),
            self._title,
            (self._text, 0, across),
            6,
            cards,
            6,
            self._buttons,
        )
        lay_out(layout, *parts, 4, self._keys, 18, self._recent, margins=None)
        layout.addStretch(3)
        self._shown: tuple[object, ...] = ()
        self.cards: list[TaskCard] = []
        self._made: list[QPushButton] = []
        self.welcome()

    def welcome(self) -> None:
        """Show the first steps."""
        self.begin()

    def begin(
        self,
        first_step: str = "",
        recent: Sequence[RecentEntry] = (),
        refusal: str = "",
        tasks: Sequence[TaskEntry] = (),
    ) -> None:
        """Show the first steps, or first the reason why the last choice could not be opened."""
        if self._shown == (first_step, tuple(recent), refusal):
            return  # a button that has the keyboard keeps it
        is_same = self._shown[1:] == (tuple(recent), refusal)
        if is_same and [each.title for each in tasks] == [card.text() for card in self.cards]:
            self._keys.setText(first_step)  # another card was chosen
            self._shown = (first_step, tuple(recent), refusal)
            for card, each in zip(self.cards, tasks, strict=True):
                card.setChecked(each.is_chosen)
            return
        self._show(
            "warning" if refusal else "pagelet",
            "This could not be opened" if refusal else "What would you like to do?",
            sentence(refusal)
            if refusal
            else "Choose, then drop a file, a folder of pages or a data set here, or open one.",
            (
                ("open-sample", "Open the sample pages"),
                ("open-file", "File…"),
                ("open-folder", "Folder…"),
                ("open-address", "Address…"),
                ("tour", "Take the tour"),
            ),
            first_step or "Press ? for all shortcuts",
            "warn" if refusal else "muted",
        )
        self._shown = (first_step, tuple(recent), refusal)
        for place, each in enumerate(() if refusal else tasks):
            self._add_card(place, each)
        if recent:
            heading = _quiet("Open again", self)
            heading.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self._recent.addWidget(heading)
        box = QWidget(self)
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        grid.setHorizontalSpacing(12)
        for row, entry in enumerate(recent[:MOST_RECENT]):
            self._add_recent(grid, row, entry)
        self._recent.addWidget(box, 0, Qt.AlignmentFlag.AlignHCenter)

    def _add_card(self, place: int, task: TaskEntry) -> None:
        card = TaskCard(task.title, task.sentence, self)
        card.setChecked(task.is_chosen)
        card.clicked.connect(lambda: self.asked.emit(task.action))
        self._cards.addWidget(card, place // 2, place % 2)
        self.cards.append(card)

    def _add_recent(self, grid: QGridLayout, row: int, entry: RecentEntry) -> None:
        """Add a recent entry, or its error with an offer to remove it."""
        button = QPushButton(middle(entry.address), self, autoDefault=True)  # Enter presses it
        button.setProperty("link", True)
        button.setEnabled(not entry.problem)
        note = entry.problem or entry.progress
        button.setToolTip(plain("\n".join(filter(None, (entry.address, note)))))
        button.setAccessibleName(f"Open {entry.address}")
        button.setAccessibleDescription(note)
        button.clicked.connect(lambda: self.chosen.emit(entry.address))
        grid.addWidget(button, row, 0, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(_quiet(note, self), row, 1)
        self._made.append(button)
        if entry.problem:
            remove = QPushButton("Remove", self, autoDefault=True)
            remove.setProperty("link", True)
            remove.setAccessibleName(f"Remove {entry.address} from this list")
            remove.clicked.connect(lambda: self.removed.emit(entry.address))
            grid.addWidget(remove, row, 2)

    def failed(self, name: str, reason: str, *, has_next: bool) -> None:
        """Show which page failed, why, and what to do."""
        following = (("next", "Next page"),) if has_next else ()
        actions = (("reload", "Try again"), *following, ("open-address", "Open another…"))
        title = f"{name} could not be shown"
        self._show("warning", title, sentence(reason), actions, color="warn")

    @property
    def words(self) -> tuple[str, str]:
        """Title and text as shown."""
        return self._title.text(), self._text.text()

    def button(self, text: str) -> QPushButton:
        return next(button for button in self._made if button.text() == text)

    def take_focus(self) -> None:
        self._made[0].show()  # one just made is shown a turn later, and would not take it before
        self._made[0].setFocus()

    def minimumSizeHint(self) -> QSize:
        """Return a small size: a larger one would push panels away."""
        return QSize(200, 120)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._sign.setVisible(event.size().height() >= _LOW)

    def set_dragged_over(self, on: bool) -> None:
        """Highlight the drop target."""
        self.is_dragged_over = on
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = theme_of(self), smooth_painter(self)
        painter.fillRect(self.rect(), QColor(theme.desk))
        if self.is_dragged_over:
            painter.setPen(QPen(QColor(theme.accent), 2, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(14, 14, -14, -14), 14, 14)

    def _show(
        self,
        sign: str,
        title: str,
        text: str,
        actions: tuple[tuple[str, str], ...],
        keys: str = "",
        color: str = "muted",
    ) -> None:
        self._sign.set_icon(sign, color)
        self._title.setText(title)
        self._text.setText(text)
        self._text.setMinimumWidth(min(520, self._text.fontMetrics().horizontalAdvance(text) + 8))
        self._keys.setText(keys)
        self._shown = ()
        clear(self._buttons)
        clear(self._recent)
        clear(self._cards)
        self.cards = []
        self._made = []
        self._buttons.addStretch(1)
        for index, (name, words) in enumerate(actions):
            if self._known is not None and name not in self._known:  # that of a plug-in
                continue
            button = QPushButton(words, self, autoDefault=True)
            button.setProperty("main", index == 0)
            button.clicked.connect(lambda _on=False, n=name: self.asked.emit(n))
            self._buttons.addWidget(button)
            self._made.append(button)
        self._buttons.addStretch(1)
