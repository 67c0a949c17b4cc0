"""Review panel: differences of annotators, listed, decided and shown on the page, too."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotate.plugins.team_work.review import DifferenceKind, Disagreement
from engine.words import plural, sentence
from gui.core.findings import FindingsDock, Row
from gui.plugins.team_work.review.controller import ReviewController
from gui.plugins.team_work.review.decisions import Decisions
from gui.plugins.team_work.review.state import LEFT, RIGHT, ReviewState, level_name
from gui.state.session import Session
from gui.widgets.controls import push_button
from gui.widgets.entry_delegate import Entry
from gui.widgets.fitted_texts import ElidedCombo
from gui.widgets.layouts import lay_out
from gui.widgets.parts import tone

SIGNS = {
    DifferenceKind.ALONE: "−",
    DifferenceKind.TYPE: "≠",
    DifferenceKind.FIELDS: "≠",
    DifferenceKind.EXTENT: "↔",
    DifferenceKind.SPLIT: "÷",
    DifferenceKind.UNSURE: "?",
}


class ReviewDock(FindingsDock[ReviewState]):
    """All differences of the open page, an entry each."""

    def __init__(
        self, session: Session, host: ReviewController, parent: QWidget | None = None
    ) -> None:
        super().__init__("Review", "ReviewDock", session.get(ReviewState), parent)
        self._host = host
        self.add_close("Leave the review  (Ctrl+Shift+R)", self.hide_findings)
        self.work = QWidget(self)  # buttons that need two annotators
        self.sides = tuple(self._side(number) for number in range(2))
        self.make_bar(
            "Previous difference  (Alt+Shift+J)", "Next difference  (Alt+J)", "Alt+J: to the first"
        )
        self.decisions = Decisions(session, host, self)
        self.fuse = QPushButton("Start from the majority", self)
        self.fuse.setToolTip("Takes what more than half of them marked  (Alt+Shift+F)")
        self.fuse.clicked.connect(host.fuse)
        self.heat = QPushButton("Heat", self)
        self.heat.setCheckable(True)
        self.heat.setToolTip("How much annotators disagree, area by area  (Alt+Shift+H)")
        self.heat.clicked.connect(host.toggle_heat)
        self.trouble = self.make_text()
        tone(self.trouble, "muted")
        self.make_list("Differences")
        self._lay_out_work()
        tip = "Puts another annotator's marks beside those here  (Ctrl+Shift+I)"
        self.merge = push_button("Merge marks…", self, host.ask_merge, tip)
        self.arrange(self.trouble, self.merge, self.work, spacing=6)
        self._walk.shown_changed.connect(self.refresh)

    def _side(self, number: int) -> QComboBox:
        which = ("left", "right")[number]
        box = ElidedCombo(f"Whose marks are the {which} ones", 6, self)
        box.activated.connect(self._on_side)
        return box

    def _lay_out_work(self) -> None:
        sides = lay_out(QHBoxLayout(), spacing=6)
        for box, color in zip(self.sides, (LEFT, RIGHT), strict=True):
            sides.addWidget(_SideChip(color, self.work))
            sides.addWidget(box, 1)
        start = lay_out(QHBoxLayout(), (self.fuse, 1), self.heat, spacing=4)
        lay_out(QVBoxLayout(self.work), sides, self.bar, self.decisions, start, spacing=6)

    def row(self, each: Disagreement) -> Row:
        """Return a sign, the kind and level, the decision at the right; below, the versions."""
        verdict, who, kind = self._walk.verdicts.get(each.item, ""), _who(each), each.kind
        sign = "✓" if verdict else SIGNS[DifferenceKind.UNSURE if each.unsure else kind]
        text = f"{kind}, {level_name(each)}: {who}"
        return Row(
            lambda theme: Entry(
                sign, theme.good if verdict else theme.warn, theme.panel, sentence(str(kind)),
                verdict or level_name(each), who,
            ),
            f"{text}; {verdict}" if verdict else text,
            f"{text}\n{_quote(each)}",
        )  # fmt: skip

    def refresh(self) -> None:
        review = self._walk
        for box, name in zip(self.sides, (review.left, review.right), strict=True):
            if [box.itemText(row) for row in range(box.count())] != list(review.names):
                box.clear()
                box.addItems(list(review.names))
            box.setCurrentText(name)
            box.setEnabled(len(review.names) > 2)
        count = len(review.items)
        self.set_remark(f"{review.open_count} of {count} to decide" if count else "")
        agreed = "" if count or review.trouble or not review.names else (
            f"{plural(len(review.names), 'annotator')} agree on all of this page, and are sure."
        )  # fmt: skip
        text = review.trouble or agreed
        self.trouble.setText(sentence(text))
        self.trouble.setVisible(bool(text))
        self.merge.setVisible(bool(text) and len(review.names) < 2)
        self.heat.setChecked(review.is_hot)
        self.decisions.setVisible(not review.is_in_bar)
        self.fuse.setEnabled(len(review.names) > 1)
        self.work.setVisible(len(review.names) > 1 or bool(count))
        self.heat.setEnabled(bool(review.heat))
        super().refresh()

    def position(self) -> str:
        return self._walk.status

    def _on_side(self) -> None:
        left, right = (box.currentText() for box in self.sides)
        if left == right:  # the sides swap
            review = self._walk
            left, right = (right, review.left) if left == review.right else (review.right, left)
        self._walk.set_sides(left, right)


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
        if difference.kind is DifferenceKind.FIELDS:
            what = version.fields or "no fields"
        parts.append(f"{', '.join(version.who)}: {what}")
    if difference.unsure:
        parts.append(f"unsure: {', '.join(difference.unsure)}")
    return " · ".join(parts)


def _quote(difference: Disagreement) -> str:
    texts = (mark.quote for version in difference.versions for mark in version.marks)
    return next((text[:200] for text in texts if text), "")
