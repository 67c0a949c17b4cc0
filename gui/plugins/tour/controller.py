"""Steps through the tour, with its card; it continues at the step where it was left."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QColor, QFont, QPaintEvent, QPolygonF
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotate.marks.gold import MAIN, Mark, MarkState
from gui.core.workbench import Workbench
from gui.widgets.controls import push_button, text_label
from gui.widgets.events import until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.theme import draw_rounded, scale_font, smooth_painter, theme_of
from gui.widgets.toasts import raise_over_handles
from resources import path as resource


@dataclass(frozen=True)
class TourStep:
    """Gesture explained by the tour.

    Attributes:
        title, text: Texts of the card.
        points_at: The action whose button, or else whose menu, the card points at; "" for the page.
        is_done: Whether the gesture was made, given the window and the marks at the beginning.
    """

    title: str
    text: str
    points_at: str
    is_done: Callable[[Workbench, tuple[Mark, ...]], bool]


def _marked(now: Workbench, before: tuple[Mark, ...]) -> list[Mark]:
    """Return the marks made since the step began, without drafts."""
    old = {(mark.level, mark.targets) for mark in before if mark.state is not MarkState.DRAFT}
    marks = (mark for mark in now.session.open.gold.marks if mark.state is not MarkState.DRAFT)
    return [mark for mark in marks if (mark.level, mark.targets) not in old]


def _main(now: Workbench, before: tuple[Mark, ...]) -> bool:
    return any(mark.level == MAIN for mark in _marked(now, before))


def _block(now: Workbench, before: tuple[Mark, ...]) -> bool:
    return any(mark.level != MAIN for mark in _marked(now, before))


def _typed(now: Workbench, before: tuple[Mark, ...]) -> bool:
    types = {mark.id: mark.type for mark in before}
    return any(
        mark.type and mark.type != types.get(mark.id) for mark in now.session.open.gold.marks
    )


def _adopted(now: Workbench, before: tuple[Mark, ...]) -> bool:
    has_drafts = any(mark.state is MarkState.DRAFT for mark in now.session.open.gold.marks)
    return has_drafts and _block(now, before)


def _evaluates(now: Workbench, _before: tuple[Mark, ...]) -> bool:
    return now.main_area.current.widget.objectName() == "Evaluate"


STEPS = (
    TourStep("Main content", "Press M, then click a paragraph of the article.", "mode-main", _main),
    TourStep("A block", "Press 1, then click the list at the right.", "mode-1", _block),
    TourStep("A rectangle", "Still with 1, drag a frame around the article.", "", _block),
    TourStep("Its type", "Press C: the block selected is Content.", "type", _typed),
    TourStep(
        "Drafts",
        "Click WebTerrain in the Methods panel and press Shift+A: its blocks become drafts. "
        "Shift+N goes to the first, Y confirms it.",
        "adopt",
        _adopted,
    ),
    TourStep(
        "Scores", "Press F8, then Run: every method against your marks.", "evaluate", _evaluates
    ),
)


WIDTH, ARROW, MARGIN = 320, 10, 12


class TourCard(QWidget):
    """Card over the window that takes no keys; it can be left at any time."""

    left = Signal()
    skipped = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("TourCard")
        self._target: QRect | None = None  # in the parent; None for the page
        self._step = self._count = 0
        self.title = QLabel("", self)
        self.title.setFont(scale_font(self.font(), 1.1, weight=QFont.Weight.DemiBold))
        self.words = text_label(self, factor=1)
        self.leave = push_button("Leave the tour", self, self.left.emit, look="link")
        self.skip = push_button("Skip", self, self.skipped.emit, look="link")
        for button in (self.leave, self.skip):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row = lay_out(QHBoxLayout(), None, self.skip, self.leave, spacing=8)
        lay_out(
            QVBoxLayout(self), self.title, self.words, row,
            margins=(16, 14 + ARROW, 10, 8), spacing=6,
        )  # fmt: skip
        parent.installEventFilter(self)
        self.hide()

    def show_step(self, step: int, count: int, title: str, words: str, at: QRect | None) -> None:
        """Show a step, numbered from 0; ``at`` is its target's rectangle in the parent."""
        self._step, self._count, self._target = step, count, at
        self.title.setText(title)
        self.words.setText(words)
        self.setAccessibleName(f"Tour, step {step + 1} of {count}: {title}. {words}")
        self.settle()
        self.show()
        raise_over_handles(self, self.window())
        self.update()

    def settle(self) -> None:
        """Move below the target, else to the bottom of the page."""
        parent = self.parentWidget()
        assert parent is not None
        self.setFixedWidth(WIDTH)
        self.setFixedHeight(self.heightForWidth(WIDTH))
        most = parent.width() - WIDTH - MARGIN
        if self._target is None:
            self.move((parent.width() - WIDTH) // 2, parent.height() - self.height() - 48)
            return
        center = self._target.center().x()
        self.move(min(max(center - WIDTH // 2, MARGIN), most), self._target.bottom() + 2)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self.isVisible():
            self.settle()
            QTimer.singleShot(0, self, self._come_up)
        return False

    def _come_up(self) -> None:
        raise_over_handles(self, self.window())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = theme_of(self), smooth_painter(self)
        box = QRectF(self.rect()).adjusted(1, ARROW, -1, -1)
        draw_rounded(painter, box, 9, theme.accent, theme.raised, 1.5)
        if self._target is not None:
            tip = self._target.center().x() - self.x()
            tip = min(max(tip, 2 * ARROW), self.width() - 2 * ARROW)
            corners = [(tip - ARROW, ARROW + 1), (tip, 1), (tip + ARROW, ARROW + 1)]
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in corners]))
        painter.setPen(Qt.PenStyle.NoPen)
        for step in range(self._count):
            painter.setBrush(QColor(theme.accent if step <= self._step else theme.line))
            painter.drawEllipse(QPoint(20 + 14 * step, self.height() - 22), 4, 4)


_STEP = "tour"
"""Workspace setting: step at which the tour was left."""


class Tour(QObject):
    """Waits for the real gesture; nothing is modal, and the page stays usable."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        self._before: tuple[Mark, ...] | None = None  # marks when the step began
        self._card: TourCard | None = None
        self.step = -1
        self._session.open.page_changed.connect(self._on_page)
        self._session.open.gold_changed.connect(self._check)
        workbench.main_area.switched.connect(self._check)

    @property
    def card(self) -> TourCard:
        if self._card is None:
            self._card = TourCard(self._workbench.main_area.desk.window())
            self._card.left.connect(self.leave)
            self._card.skipped.connect(self._show_next)
        return self._card

    def start(self) -> None:
        """Open the page of the tour, at the step where it was left."""
        left_at = self._workbench.workspace.setting(_STEP, 0)
        self.step = left_at if isinstance(left_at, int) and 0 <= left_at < len(STEPS) else 0
        self._before = None
        self._workbench.main_area.show_page()
        self._workbench.navigation.open_path(str(resource("tour/index.html")))

    def leave(self) -> None:
        """End the tour; it continues at this step the next time."""
        self._workbench.workspace.set_setting(_STEP, self.step)
        self.step = -1
        self.card.hide()
        self._workbench.main_area.page.take_focus()

    def _on_page(self) -> None:
        if self.step < 0:
            return
        document = self._session.open.document
        if document is not None and document.address != str(resource("tour/index.html")):
            self.leave()
        elif self._session.open.page is not None and self._before is None:
            self._show()

    def _show(self) -> None:
        self._before = self._session.open.gold.marks
        step = STEPS[self.step]
        at = self._rect_of(step.points_at) if step.points_at else None
        self.card.show_step(self.step, len(STEPS), step.title, step.text, at)

    def _check(self) -> None:
        step, before = self.step, self._before
        if step >= 0 and before is not None and STEPS[step].is_done(self._workbench, before):
            self._show_next()

    def _show_next(self) -> None:
        if self.step + 1 < len(STEPS):
            self.step += 1
            self._show()
            return
        self._workbench.workspace.set_setting(_STEP, 0)
        self.step = -1
        self.card.hide()
        self._session.messages.say(
            "that was the tour: ? lists all keys, F1 explains what you are doing"
        )

    def _rect_of(self, name: str) -> QRect | None:
        """Return the rectangle in the window of an action's button, else of its menu."""
        window = self._workbench.main_area.desk.window()
        action = window.findChild(QAction, name)
        if not isinstance(window, QMainWindow) or action is None:
            return None
        for bar in window.findChildren(QToolBar):
            widget = bar.widgetForAction(action) or bar.findChild(QToolButton, name)
            if widget is not None and widget.isVisible():
                return _in_window(widget, widget.rect(), window)
        menus = window.menuBar()
        for menu in menus.actions():
            shown = menu.menu()
            if isinstance(shown, QMenu) and any(
                action in each.actions() for each in (shown, *shown.findChildren(QMenu))
            ):
                return _in_window(menus, menus.actionGeometry(menu), window)
        return None


def _in_window(widget: QWidget, rect: QRect, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, rect.topLeft()), rect.size())
