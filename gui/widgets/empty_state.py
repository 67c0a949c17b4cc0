"""Start page, shown while no page is open."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from engine.words import sentence
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconLabel, clear, small, tone
from gui.widgets.theme import scaled, theme_of
from gui.widgets.tips import plain

MOST_RECENT = 6
"""What was open before, as many of it as one sees at a glance."""

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


class EmptyState(QWidget):
    """A sign, a sentence, and what to do next."""

    asked = Signal(str)  # the name of an action
    chosen = Signal(str)  # what was open before, to open it again
    removed = Signal(str)  # what is not to be offered again

    def __init__(self, parent: QWidget | None = None, known: Container[str] | None = None) -> None:
        """``known`` are the actions there are, None for all: others are not offered."""
        super().__init__(parent)
        self._known = known
        self.setObjectName("Empty")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.is_dragged_over = False
        self._sign = IconLabel("pagelet", self, color="muted", size=56)
        self._title = QLabel("", self)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setFont(scaled(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title.setWordWrap(True)
        self._text = QLabel("", self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setMaximumWidth(520)
        tone(self._text, "muted")
        self._keys = small(QLabel("", self), 0.92)
        self._keys.setAlignment(Qt.AlignmentFlag.AlignCenter)
        tone(self._keys, "muted")
        self._buttons = lay_out(QHBoxLayout(), spacing=8)
        layout = lay_out(QVBoxLayout(self), margins=(40, 40, 40, 40), spacing=12)
        layout.addStretch(2)
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self._title)
        layout.addWidget(self._text, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(6)
        layout.addLayout(self._buttons)
        layout.addSpacing(4)
        layout.addWidget(self._keys)
        layout.addSpacing(18)
        self._recent = lay_out(QVBoxLayout(), spacing=2)
        layout.addLayout(self._recent)
        layout.addStretch(3)
        self._shown: tuple[object, ...] = ()
        self._made: list[QPushButton] = []
        self.welcome()

    def welcome(self) -> None:
        """Show the first steps."""
        self.begin()

    def begin(
        self, first_step: str = "", recent: Sequence[RecentEntry] = (), refusal: str = ""
    ) -> None:
        """Show the first steps; or, until it is read, why what was chosen could not be opened."""
        if self._shown == (first_step, tuple(recent), refusal):
            return  # a button that has the keyboard keeps it
        self._show(
            "warning" if refusal else "pagelet",
            "warn" if refusal else "muted",
            "This could not be opened" if refusal else "Open a page to begin",
            sentence(refusal)
            if refusal
            else "Drop a file, a folder of pages or a data set here, or choose one.",
            (
                ("open-sample", "Open the sample pages"),
                ("open-file", "File…"),
                ("open-folder", "Folder…"),
                ("open-address", "Address…"),
                ("tour", "Take the tour"),
            ),
            first_step or "Press ? for all shortcuts",
        )
        self._shown = (first_step, tuple(recent), refusal)
        if recent:
            heading = small(QLabel("Open again", self), 0.92)
            heading.setAlignment(Qt.AlignmentFlag.AlignCenter)
            tone(heading, "muted")
            self._recent.addWidget(heading)
        box = QWidget(self)
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(2)
        grid.setHorizontalSpacing(12)
        for row, entry in enumerate(recent[:MOST_RECENT]):
            self._add_recent(grid, row, entry)
        self._recent.addWidget(box, 0, Qt.AlignmentFlag.AlignHCenter)

    def _add_recent(self, grid: QGridLayout, row: int, entry: RecentEntry) -> None:
        """Add a recent entry, or its error with an offer to remove it."""
        button = QPushButton(middle(entry.address), self)
        button.setProperty("link", True)
        button.setAutoDefault(True)  # Enter presses it
        button.setEnabled(not entry.problem)
        note = entry.problem or entry.progress
        button.setToolTip(plain("\n".join(filter(None, (entry.address, note)))))
        button.setAccessibleName(f"Open {entry.address}")
        button.setAccessibleDescription(note)
        button.clicked.connect(lambda: self.chosen.emit(entry.address))
        label = small(QLabel(note, self), 0.92)
        tone(label, "muted")
        label.setTextFormat(Qt.TextFormat.PlainText)
        grid.addWidget(button, row, 0, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(label, row, 1)
        self._made.append(button)
        if entry.problem:
            remove = QPushButton("Remove", self)
            remove.setProperty("link", True)
            remove.setAutoDefault(True)
            remove.setAccessibleName(f"Remove {entry.address} from this list")
            remove.clicked.connect(lambda: self.removed.emit(entry.address))
            grid.addWidget(remove, row, 2)

    def failed(self, name: str, reason: str, *, has_next: bool) -> None:
        """Show which page failed, why, and what to do."""
        actions = [("reload", "Try again")]
        if has_next:
            actions.append(("next", "Next page"))
        actions.append(("open-address", "Open another…"))
        heading = f"{name} could not be shown"
        self._show("warning", "warn", heading, sentence(reason), tuple(actions), "")

    @property
    def words(self) -> tuple[str, str]:
        """Title and text as shown."""
        return self._title.text(), self._text.text()

    def button(self, text: str) -> QPushButton:
        return next(button for button in self._made if button.text() == text)

    def take_focus(self) -> None:
        """Focus the first button."""
        self._made[0].show()  # one just made is shown a turn later, and would not take it before
        self._made[0].setFocus()

    def set_dragged_over(self, on: bool) -> None:
        """Highlight the drop target."""
        self.is_dragged_over = on
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ground, and a frame to drop into."""
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.desk))
        if self.is_dragged_over:
            painter.setPen(QPen(QColor(theme.accent), 2, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(14, 14, -14, -14), 14, 14)

    def _show(
        self,
        sign: str,
        color: str,
        title: str,
        text: str,
        actions: tuple[tuple[str, str], ...],
        keys: str,
    ) -> None:
        self._sign.set_icon(sign, color)
        self._title.setText(title)
        self._text.setText(text)
        self._text.setMinimumWidth(min(520, self._text.fontMetrics().horizontalAdvance(text) + 8))
        self._keys.setText(keys)
        self._shown = ()
        clear(self._buttons)
        clear(self._recent)
        self._made = []
        self._buttons.addStretch(1)
        for index, (name, words) in enumerate(actions):
            if self._known is not None and name not in self._known:  # that of a plug-in
                continue
            button = QPushButton(words, self)
            button.setProperty("main", index == 0)
            button.setAutoDefault(True)
            button.clicked.connect(lambda _on=False, n=name: self.asked.emit(n))
            self._buttons.addWidget(button)
            self._made.append(button)
        self._buttons.addStretch(1)
