"""Card of the tour: a short text, dots for the steps, and an arrow to its target."""

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.widgets.event_filters import until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.parts import tone
from gui.widgets.theme import scaled, theme_of
from gui.widgets.toasts import raise_over_handles

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
        self.title.setFont(scaled(self.font(), 1.1, weight=QFont.Weight.DemiBold))
        self.words = QLabel("", self)
        self.words.setWordWrap(True)
        tone(self.words, "muted")
        self.leave = QPushButton("Leave the tour", self)
        self.skip = QPushButton("Skip", self)
        for button, signal in ((self.leave, self.left), (self.skip, self.skipped)):
            button.setProperty("link", True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(signal)
        row = lay_out(QHBoxLayout(), spacing=8)
        row.addStretch(1)
        row.addWidget(self.skip)
        row.addWidget(self.leave)
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
        """Follow the window's size."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self.isVisible():
            self.settle()
            QTimer.singleShot(0, self._come_up)
        return False

    def _come_up(self) -> None:
        raise_over_handles(self, self.window())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent), 1.5))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(self.rect().adjusted(1, ARROW, -1, -1), 9, 9)
        if self._target is not None:
            tip = self._target.center().x() - self.x()
            tip = min(max(tip, 2 * ARROW), self.width() - 2 * ARROW)
            corners = [(tip - ARROW, ARROW + 1), (tip, 1), (tip + ARROW, ARROW + 1)]
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in corners]))
        painter.setPen(Qt.PenStyle.NoPen)
        for step in range(self._count):
            painter.setBrush(QColor(theme.accent if step <= self._step else theme.line))
            painter.drawEllipse(QPoint(20 + 14 * step, self.height() - 22), 4, 4)
