"""Learning panel: progress of learning, edits per mark page by page, and the bias."""

import math
from collections.abc import Sequence
from statistics import fmean

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotate.marks.learned.bias import MeasuredPage, bias_of
from engine.words import plural
from gui.features.drafts.learning import LearningDrafts, LearningState
from gui.state.session import Session
from gui.widgets.controls import push_button
from gui.widgets.layouts import lay_out
from gui.widgets.parts import PanelDock, hint
from gui.widgets.texts import plain
from gui.widgets.theme import scale_font, smooth_painter, theme_of

_LEFT, _TOP, _RIGHT, _FOOT = 34.0, 12.0, 14.0, 24.0
_HIGHEST = 3.0
"""Edits per mark above which a page is drawn at the top: manual marking takes some 2."""

_WINDOW = 5
"""Number of pages averaged by the line."""


class LearningDock(PanelDock):
    """Panel of learned drafts: progress, edits per mark, and the effect of drafts on the gold."""

    def __init__(
        self, session: Session, host: LearningDrafts, parent: QWidget | None = None
    ) -> None:
        super().__init__("Learning drafts", "LearningDock", parent)
        state = self._state = session.get(LearningState)
        self.add_close("Close", lambda: state.show(False))
        self.learned = hint("", self)
        self.bias = hint("", self)
        self.curve = EditsCurve(self)
        self.switch = push_button("", self, host.toggle)
        row = lay_out(QHBoxLayout(), self.switch, None, margins=(12, 6, 12, 9), spacing=6)
        lay_out(self.body, self.learned, (self.curve, 1), self.bias, row)
        state.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        state = self._state
        taught = "with drafts made from what you confirmed on others"
        how = "without drafts" if state.is_on else taught
        self.switch.setText("Stop learning" if state.is_on else "Learn from what I confirm")
        self.switch.setToolTip(plain(f"New pages begin {how}"))
        self.learned.setText(_learned_words(state))
        self.curve.show_pages(state.measured)
        self.bias.setText(bias_of(state.measured).sentence if state.measured else "")
        for part in (self.curve, self.bias):
            part.setVisible(bool(state.measured))
        self.set_remark(plural(state.pages, "page") if state.pages else "")


def _learned_words(state: LearningState) -> str:
    if state.problem:
        return f"Nothing was learned from the last page: {state.problem}."
    if not state.is_on:
        return (
            "Off. Turned on, new pages begin with drafts that the shipped models and what you "
            "confirmed so far expect, each with its confidence."
        )
    taught = (
        f"Learned from {plural(state.pages, 'page')} in {1000 * state.seconds:.0f} ms."
        if state.pages
        else "Nothing is confirmed yet: drafts are those of the shipped models."
    )
    if not state.share:
        return f"{taught} No page stays without drafts: bias cannot be measured."
    return f"{taught} {state.share:.0%} of the pages stay without drafts, always the same ones."


class EditsCurve(QWidget):
    """Edits per mark, a dot for each page, with a line through the mean of the last."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Edits a mark, page by page")
        self.setToolTip(
            plain(
                "Edits a mark, page by page: what made or changed marks by hand, "
                "undoing included.\nFull dots: pages that began with drafts; "
                f"rings: pages without; the line: the mean of {_WINDOW} pages"
            )
        )
        self.setMinimumSize(200, 120)
        self.pages: tuple[MeasuredPage, ...] = ()

    def sizeHint(self) -> QSize:
        return QSize(300, 160)

    def show_pages(self, pages: Sequence[MeasuredPage]) -> None:
        """Draw these pages in their order; those without marks are left out."""
        self.pages = tuple(each for each in pages if not math.isnan(each.edits_per_mark))
        self.setAccessibleDescription(
            ", ".join(f"{each.edits_per_mark:.1f}" for each in self.pages[-_WINDOW:])
        )
        self.update()

    def point(self, index: int, value: float) -> QPointF:
        box = QRectF(self.rect()).adjusted(_LEFT, _TOP, -_RIGHT, -_FOOT)
        steps = max(len(self.pages) - 1, 1)
        height = min(value, _HIGHEST) / _HIGHEST * box.height()
        return QPointF(box.left() + index / steps * box.width(), box.bottom() - height)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = smooth_painter(self), theme_of(self)
        painter.setFont(scale_font(self.font(), 0.82))
        line = painter.fontMetrics().height()
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for value in (0, 1, 2, 3):
            y = self.point(0, value).y()
            painter.setPen(QColor(theme.line))
            painter.drawLine(QPointF(_LEFT, y), QPointF(self.width() - _RIGHT, y))
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRectF(0, y - line / 2, _LEFT - 6, line), right, str(value))
        foot = QRectF(_LEFT, self.height() - line - 2, self.width() - _LEFT - _RIGHT, line)
        painter.drawText(foot, right, f"edits a mark, {plural(len(self.pages), 'page')}")
        values = [each.edits_per_mark for each in self.pages]
        means = [fmean(values[max(0, k - _WINDOW) : k]) for k in range(1, len(values) + 1)]
        painter.setPen(QPen(QColor(theme.accent), 2))
        painter.drawPolyline(QPolygonF([self.point(k, mean) for k, mean in enumerate(means)]))
        for index, page in enumerate(self.pages):
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.setBrush(QColor(theme.accent if page.is_drafted else theme.panel))
            painter.drawEllipse(self.point(index, page.edits_per_mark), 3, 3)
