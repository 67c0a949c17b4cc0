"""Review panel: differences of annotators, listed, decided and shown on the page, too."""

from typing import Protocol

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotate.team.review import DifferenceKind, Disagreement
from engine.words import plural, sentence, shortened
from gui.features.review.state import LEFT, RIGHT, ReviewState, level_name
from gui.state.session import Session
from gui.widgets.elided_combo import ElidedCombo
from gui.widgets.entry_delegate import Entry, EntryDelegate
from gui.widgets.item_index import ItemIndex
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, PanelDock, small, tone
from gui.widgets.theme import Theme
from gui.widgets.tips import plain
from gui.widgets.walk_bar import WalkBar
from gui.widgets.walked_list import WalkedList

DIFFERENCE, VERDICT = Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2

SIGNS = {
    DifferenceKind.ALONE: "−",
    DifferenceKind.TYPE: "≠",
    DifferenceKind.EXTENT: "↔",
    DifferenceKind.SPLIT: "÷",
    DifferenceKind.UNSURE: "?",
}


class ReviewHost(Protocol):
    @property
    def closes(self) -> bool:
        """Whether pages on which all agree are closed automatically."""

    def take(self, side: str) -> None:
        """Take ``left``, ``right``, ``both`` or ``none``."""

    def fuse(self) -> None:
        """Start from the marks of the majority."""

    def toggle_heat(self) -> None:
        """Show the heat map of disagreement."""

    @property
    def is_at_once(self) -> bool:
        """Whether the review of a page begins with the agreed marks."""

    def set_at_once(self, is_at_once: bool) -> None:
        """Set whether a review begins with the agreed marks."""

    def set_closing(self, closes: bool) -> None:
        """Set whether pages on which all agree are closed automatically."""


class ReviewDock(PanelDock):
    """All differences of the open page, an entry each."""

    def __init__(self, session: Session, host: ReviewHost, parent: QWidget | None = None) -> None:
        super().__init__("Review", "ReviewDock", parent)
        self._session, self._review, self._host = session, session.get(ReviewState), host
        self.close_button = IconButton("close", "Leave the review  (Ctrl+Shift+R)", self)
        self.close_button.clicked.connect(lambda: self._review.show(False))
        self.add_to_title(self.close_button)
        self.work = QWidget(self)  # buttons that need two annotators
        self.sides = tuple(self._side(number) for number in range(2))
        self.bar = WalkBar("Previous difference  (Alt+Shift+J)", "Next difference  (Alt+J)", self)
        self.bar.stepped.connect(self._review.step)
        self.left = self._button("Left", "Take the left version  (Ctrl+Left)", "left")
        self.right = self._button("Right", "Take the right version  (Ctrl+Right)", "right")
        self.both = self._button("Both", "Take both  (Ctrl+Down)", "both")
        self.neither = self._button(
            "Neither", "Take neither, and mark what should be there  (Ctrl+Up)", "none"
        )
        self.fuse = QPushButton("Start from the majority", self)
        self.fuse.setToolTip("Takes what more than half of them marked  (Alt+Shift+F)")
        self.fuse.clicked.connect(lambda: self._host.fuse())
        self.heat = QPushButton("Heat", self)
        self.heat.setCheckable(True)
        self.heat.setToolTip("How much annotators disagree, area by area  (Alt+Shift+H)")
        self.heat.clicked.connect(lambda: self._host.toggle_heat())
        self.at_once = QCheckBox("Begin with what all agree on", self)
        self.at_once.setToolTip("Only what they differ in stays to decide  (Alt+Shift+G: once)")
        self.at_once.clicked.connect(lambda is_on: self._host.set_at_once(is_on))
        self.closes = QCheckBox("Close pages on which all agree", self)
        self.closes.setToolTip("Takes what all marked, says that the page is done, opens the next")
        self.closes.clicked.connect(lambda is_on: self._host.set_closing(is_on))
        self.trouble = QLabel("", self)
        self.trouble.setWordWrap(True)
        self.trouble.setTextFormat(Qt.TextFormat.PlainText)
        tone(small(self.trouble, 0.95), "muted")
        self.list = WalkedList(self)
        self.list.setObjectName("ErrorList")
        self.list.setAccessibleName("Differences")
        self.list.setItemDelegate(EntryDelegate(_entry, self.list))
        self.list.chosen.connect(self._review.choose)
        self._build_layout()
        for signal in (self._review.changed, self._review.shown_changed):
            signal.connect(self._refresh)
        self._review.index_changed.connect(self._on_index)
        self._refresh()

    def _side(self, number: int) -> QComboBox:
        which = ("left", "right")[number]
        box = ElidedCombo(f"Whose marks are the {which} ones", 6, self)
        box.activated.connect(self._on_side)
        return box

    def _button(self, text: str, tip: str, side: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(plain(tip))
        button.clicked.connect(lambda: self._host.take(side))
        return button

    def _build_layout(self) -> None:
        top = QWidget(self)
        sides = lay_out(QHBoxLayout(), spacing=6)
        for box, color in zip(self.sides, (LEFT, RIGHT), strict=True):
            sides.addWidget(_SideChip(color, self.work))
            sides.addWidget(box, 1)
        take = QGridLayout()
        take.setSpacing(4)
        for column, button in enumerate((self.left, self.both, self.right, self.neither)):
            take.addWidget(button, 0, column)
        start = lay_out(QHBoxLayout(), (self.fuse, 1), self.heat, spacing=4)
        lay_out(QVBoxLayout(self.work), sides, self.bar, take, start, spacing=6)
        lay_out(
            QVBoxLayout(top), self.trouble, self.work, self.at_once, self.closes,
            margins=(14, 2, 8, 4), spacing=6,
        )  # fmt: skip
        self.body.addWidget(top)
        self.body.addWidget(self.list, 1)

    def entries(self) -> list[str]:
        """Return the text of each entry for screen readers."""
        return self.list.entries()

    def _refresh(self) -> None:
        review = self._review
        for box, name in zip(self.sides, (review.left, review.right), strict=True):
            if [box.itemText(row) for row in range(box.count())] != list(review.names):
                box.clear()
                box.addItems(list(review.names))
            box.setCurrentText(name)
            box.setEnabled(len(review.names) > 2)
        for button, name, side in (
            (self.left, review.left, "Left"), (self.right, review.right, "Right")
        ):  # fmt: skip
            # A long name must not push the other buttons out of the panel.
            button.setText((shortened(name, 12) or side).replace("&", "&&"))
            button.setAccessibleName(f"{side}: {name}" if name else side)
        with self.list.being_filled():
            keeps = [self.list.item(row).data(DIFFERENCE) for row in range(self.list.count())]
            if keeps != list(review.items):
                self.list.clear()
                for _ in review.items:
                    QListWidgetItem(self.list)
            for row, difference in enumerate(review.items):
                item = self.list.item(row)
                verdict = review.verdicts.get(difference.item, "")
                item.setData(DIFFERENCE, difference)
                item.setData(VERDICT, verdict)
                text = f"{difference.kind}, {level_name(difference)}: {_who(difference)}"
                spoken = f"{text}; {verdict}" if verdict else text
                item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
                item.setToolTip(plain(f"{text}\n{_quote(difference)}"))
        count = len(review.items)
        self.set_remark(f"{review.open_count} of {count} to decide" if count else "")
        agreed = "" if count or review.trouble or not review.names else (
            f"{plural(len(review.names), 'annotator')} agree on all of this page, and are sure."
        )  # fmt: skip
        text = review.trouble or agreed
        self.trouble.setText(sentence(text))
        self.trouble.setVisible(bool(text))
        self.heat.setChecked(review.is_hot)
        self.at_once.setChecked(self._host.is_at_once)
        self.closes.setChecked(self._host.closes)
        for part in (self.left, self.neither):
            part.setEnabled(bool(count))
        for part in (self.right, self.both):
            part.setEnabled(bool(count and review.right))
        self.fuse.setEnabled(len(review.names) > 1)
        self.work.setVisible(len(review.names) > 1 or bool(count))
        self.heat.setEnabled(bool(review.heat))
        self._on_index()

    def _on_index(self) -> None:
        self.list.show_position(self._review.index)
        can_walk = bool(self._review.items)
        self.bar.show_position(self._review.status, "Alt+J: to the first", can_walk=can_walk)

    def _on_side(self) -> None:
        left, right = (box.currentText() for box in self.sides)
        if left == right:  # the sides swap
            review = self._review
            left, right = (right, review.left) if left == review.right else (review.right, left)
        self._review.set_sides(left, right)


class _SideChip(QWidget):
    def __init__(self, color: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._color = QColor(color)
        self.setFixedSize(12, 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._color)
        painter.drawRoundedRect(QRectF(self.rect()), 3, 3)


def _entry(index: ItemIndex, theme: Theme) -> Entry | None:
    """Return a sign, the kind and level, the decision at the right; below, the versions."""
    each: Disagreement | None = index.data(DIFFERENCE)
    if each is None:
        return None
    verdict = str(index.data(VERDICT) or "")
    sign, fill = ("✓", theme.good) if verdict else (_sign(each), theme.warn)
    title = sentence(str(each.kind))
    return Entry(sign, fill, theme.panel, title, verdict or level_name(each), _who(each))


def _sign(difference: Disagreement) -> str:
    return SIGNS[DifferenceKind.UNSURE if difference.unsure else difference.kind]


def _who(difference: Disagreement) -> str:
    """Return the version of each annotator: "Anna: Header · Ben: –", and who is unsure."""
    parts = []
    for version in difference.versions:
        if difference.level == 0:
            what = "marked" if version.marks else "–"
        elif len(version.marks) > 1:
            what = f"{len(version.marks)} × {version.type or 'no type'}"
        else:
            what = (version.type or "no type") if version.marks else "–"
        parts.append(f"{', '.join(version.who)}: {what}")
    if difference.unsure:
        parts.append(f"unsure: {', '.join(difference.unsure)}")
    return " · ".join(parts)


def _quote(difference: Disagreement) -> str:
    texts = (mark.quote for version in difference.versions for mark in version.marks)
    return next((text[:200] for text in texts if text), "")
