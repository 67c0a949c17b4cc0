"""Small parts the panels share.  None knows the session; colours come from the palette."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QButtonGroup,
    QDockWidget,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from gui.theme import pixmap, scaled, theme_of, themed_icon

PEN_STYLES = {
    "solid": Qt.PenStyle.SolidLine,
    "dashed": Qt.PenStyle.DashLine,
    "dotted": Qt.PenStyle.DotLine,
    "double": Qt.PenStyle.SolidLine,
}
"""How a layer's line style (`gui.layers.DASHES`) is drawn; double is two thin lines."""


def tone(label: QLabel, name: str) -> None:
    """Give a label one of the style sheet's tones: muted, good, warn, bad, accent or ""."""
    if label.property("tone") != name:
        label.setProperty("tone", name)
        label.style().unpolish(label)
        label.style().polish(label)


def small(label: QLabel, factor: float = 0.9, weight: QFont.Weight | None = None) -> QLabel:
    """Set a label in a size relative to the window's font; return it."""
    label.setFont(scaled(label.font(), factor, weight=weight))
    return label


def clear(layout: QBoxLayout | QGridLayout) -> None:
    """Delete what a layout holds."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class IconButton(QToolButton):
    """A flat button with a line icon in a colour of the theme."""

    def __init__(
        self, name: str, tip: str, parent: QWidget | None = None, *, ink: str = "muted"
    ) -> None:
        super().__init__(parent)
        self._name, self._ink = name, ink
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setAutoRaise(True)
        size = round(self.fontMetrics().height() * 1.05)
        self.setIconSize(QSize(size, size))
        self._tint()

    def set_icon(self, name: str, ink: str = "") -> None:
        """Show another icon, in another colour if ``ink`` is given."""
        ink = ink or self._ink
        if (name, ink) != (self._name, self._ink):
            self._name, self._ink = name, ink
            self._tint()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _tint(self) -> None:
        self.setIcon(themed_icon(self, self._name, self._ink))


class IconLabel(QLabel):
    """A line icon that is only looked at."""

    def __init__(
        self, name: str, parent: QWidget | None = None, *, ink: str = "muted", size: int = 16
    ) -> None:
        super().__init__(parent)
        self._name, self._ink, self._size = name, ink, size
        self.setFixedSize(size, size)

    def set_icon(self, name: str, ink: str = "muted") -> None:
        """Show another icon."""
        self._name, self._ink = name, ink
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the icon as sharp as the screen is."""
        theme = theme_of(self)
        picture = pixmap(
            self._name,
            str(getattr(theme, self._ink)),
            self._size,
            self.devicePixelRatioF(),
            theme.panel,
        )
        QPainter(self).drawPixmap(0, 0, picture)


class ElidedLabel(QLabel):
    """A label of one line that shortens its text to the room there is; the tool tip has it all."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self._tip = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(24)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def set_tip(self, tip: str) -> None:
        """Set a tool tip that stays whether the text fits or not."""
        self._tip = tip
        self.setToolTip(tip)

    def shown_text(self) -> str:
        """Return the text as it is drawn."""
        return self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the shortened text."""
        shown = self.shown_text()
        if not self._tip:
            tip = self.text() if shown != self.text() else ""
            if self.toolTip() != tip:
                self.setToolTip(tip)
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            int(self.alignment() | Qt.TextFlag.TextSingleLine),
            self.palette(),
            self.isEnabled(),
            shown,
            self.foregroundRole(),
        )


class Swatch(QAbstractButton):
    """A layer's colour and line style; a click offers others."""

    color_picked = Signal(str)  # "#rrggbb"
    dash_picked = Signal(str)

    def __init__(
        self,
        color: str,
        dash: str,
        colors: Sequence[str],
        dashes: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.color, self.dash = color, dash
        self._colors, self._dashes = tuple(colors), tuple(dashes)
        self.setFixedSize(22, 22)
        self.setToolTip("Colour and line")
        self.setAccessibleName("Colour and line style")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self._offer)

    def set_look(self, color: str, dash: str) -> None:
        """Show another colour and line style."""
        if (color, dash) != (self.color, self.dash):
            self.color, self.dash = color, dash
            self.update()

    def sizeHint(self) -> QSize:
        """Return a square."""
        return QSize(22, 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a small box as the page shows it."""
        painter = QPainter(self)
        box = QRectF(3, 3, self.width() - 6, self.height() - 6)
        draw_box(painter, box, self.color, self.dash)
        if self.hasFocus() or self.underMouse():
            painter.setPen(QPen(QColor(theme_of(self).accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1), 5, 5)

    def _offer(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid_widget = QWidget(menu)
        grid = QGridLayout(grid_widget)
        grid.setContentsMargins(6, 6, 6, 6)
        grid.setSpacing(4)
        for place, color in enumerate(self._colors):
            chip = _Chip(color, self.dash, color == self.color, grid_widget)
            chip.clicked.connect(partial(self.color_picked.emit, color))
            chip.clicked.connect(menu.close)
            grid.addWidget(chip, place // 6, place % 6)
        for place, dash in enumerate(self._dashes):
            chip = _Chip(self.color, dash, dash == self.dash, grid_widget)
            chip.setToolTip(f"{dash} line")
            chip.setAccessibleName(f"{dash} line")
            chip.clicked.connect(partial(self.dash_picked.emit, dash))
            chip.clicked.connect(menu.close)
            grid.addWidget(chip, 3 + len(self._colors) // 6, place)
        action = QWidgetAction(menu)
        action.setDefaultWidget(grid_widget)
        menu.addAction(action)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


class _Chip(QAbstractButton):
    """One colour or line style to pick."""

    def __init__(self, color: str, dash: str, is_on: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._color, self._dash, self._is_on = color, dash, is_on
        self.setFixedSize(30, 26)
        self.setAccessibleName(color)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, framed while it is the one in use or under the mouse."""
        painter = QPainter(self)
        draw_box(
            painter, QRectF(5, 5, self.width() - 10, self.height() - 10), self._color, self._dash
        )
        if self._is_on or self.underMouse() or self.hasFocus():
            theme = theme_of(self)
            painter.setPen(QPen(QColor(theme.accent if self._is_on else theme.edge), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(1, 1, self.width() - 2, self.height() - 2), 6, 6)


def draw_box(painter: QPainter, box: QRectF, color: str, dash: str) -> None:
    """Draw a box as layers are drawn on the page: a light fill inside a line of some style."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill = QColor(color)
    fill.setAlphaF(0.30)
    pen = QPen(QColor(color), 2.0 if dash != "double" else 1.2, PEN_STYLES[dash])
    if dash == "dashed":
        pen.setDashPattern([2.2, 1.5])
    elif dash == "dotted":
        pen.setDashPattern([0.9, 1.1])
    painter.setPen(pen)
    painter.setBrush(fill)
    painter.drawRoundedRect(box, 3, 3)
    if dash == "double":
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), 1.5, 1.5)
    painter.restore()


class Segments(QFrame):
    """A few choices side by side, one of them taken."""

    picked = Signal(object)  # the value

    def __init__(
        self, choices: Sequence[tuple[object, str, str]], parent: QWidget | None = None
    ) -> None:
        """Offer (value, text, tool tip) choices."""
        super().__init__(parent)
        self.setObjectName("Segments")
        self._group = QButtonGroup(self)
        self._values: list[object] = []
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(1)
        for place, (value, text, tip) in enumerate(choices):
            button = QToolButton(self)
            button.setText(text)
            button.setCheckable(True)
            button.setToolTip(tip)
            button.setAccessibleName(tip or text)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self._group.addButton(button, place)
            self._values.append(value)
            layout.addWidget(button)
        self._group.idClicked.connect(lambda place: self.picked.emit(self._values[place]))

    def set_value(self, value: object) -> None:
        """Show which is taken."""
        if value in self._values:
            self._group.button(self._values.index(value)).setChecked(True)

    def button(self, value: object) -> QAbstractButton:
        """Return the button of one choice."""
        return self._group.button(self._values.index(value))


class ValueSlider(QWidget):
    """A slider over whole steps with its value in words beside it."""

    changed = Signal(int)  # only by hand

    def __init__(
        self, low: int, high: int, suffix: str, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._suffix = suffix
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(low, high)
        self.slider.setPageStep(max(1, (high - low) // 10))
        self.slider.setAccessibleName(name)
        self.slider.setMinimumWidth(50)
        self._label = small(QLabel(self), 0.88)
        tone(self._label, "muted")
        self._label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._label.setMinimumWidth(self._label.fontMetrics().horizontalAdvance(f"{high}{suffix}"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.slider, 1)
        layout.addWidget(self._label)
        self.slider.valueChanged.connect(self._on_changed)

    def set_value(self, value: int) -> None:
        """Show a value; emits nothing."""
        self.slider.blockSignals(True)
        self.slider.setValue(value)
        self.slider.blockSignals(False)
        self._label.setText(f"{value}{self._suffix}")

    def _on_changed(self, value: int) -> None:
        self._label.setText(f"{value}{self._suffix}")
        self.changed.emit(value)


class Busy(QWidget):
    """A turning arc; turns only while it is seen."""

    def __init__(self, parent: QWidget | None = None, size: int = 14) -> None:
        super().__init__(parent)
        self.setFixedSize(size, size)
        self._angle = 0
        self._timer = QTimer(self)
        self._timer.setInterval(60)
        self._timer.timeout.connect(self._turn)

    def showEvent(self, event: QEvent) -> None:  # type: ignore[override]
        """Start turning."""
        self._timer.start()

    def hideEvent(self, event: QEvent) -> None:  # type: ignore[override]
        """Stop turning."""
        self._timer.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw three quarters of a circle."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(theme_of(self).accent), 1.8)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        box = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.drawArc(box, -self._angle * 16, 250 * 16)

    def _turn(self) -> None:
        self._angle = (self._angle + 24) % 360
        self.update()


class Meter(QWidget):
    """A share as a thin bar in a layer's colour, so that rows compare at a glance."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share, self._color = 0.0, "#808080"
        self.setFixedHeight(3)

    def set_share(self, share: float, color: str) -> None:
        """Show a share of 0 to 1."""
        if (share, color) != (self._share, self._color):
            self._share, self._color = share, color
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ground and the share of it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme_of(self).line))
        painter.drawRoundedRect(QRectF(self.rect()), 1.5, 1.5)
        painter.setBrush(QColor(self._color))
        painter.drawRoundedRect(QRectF(0, 0, self.width() * self._share, self.height()), 1.5, 1.5)


class KeyCap(QLabel):
    """A key as it looks on a keyboard."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        small(self, 0.9)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        metrics = self.fontMetrics()
        self.setFixedHeight(metrics.height() + 5)
        self.setMinimumWidth(max(metrics.horizontalAdvance(text) + 12, self.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the cap below its letter."""
        theme = theme_of(self)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.edge), 1))
        painter.setBrush(QColor(theme.field))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()
        super().paintEvent(event)


class PanelDock(QDockWidget):
    """A panel with a quiet title line: its name, a remark, and room for buttons."""

    def __init__(self, name: str, object_name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setObjectName(object_name)  # QMainWindow.saveState() finds it by this name
        bar = QWidget(self)
        bar.setObjectName("DockTitle")
        self._bar = QHBoxLayout(bar)
        self._bar.setContentsMargins(14, 7, 6, 5)
        self._bar.setSpacing(6)
        title = QLabel(name, bar)
        title.setFont(scaled(title.font(), 1.0, weight=QFont.Weight.DemiBold))
        self._remark = ElidedLabel("", bar)
        small(self._remark)
        tone(self._remark, "muted")
        self._bar.addWidget(title)
        self._bar.addWidget(self._remark, 1)
        bar.setMinimumHeight(round(self.fontMetrics().height() * 2.1))
        self.setTitleBarWidget(bar)
        body = QWidget(self)
        body.setObjectName("DockBody")
        self.body = QVBoxLayout(body)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        self.setWidget(body)

    def set_remark(self, text: str) -> None:
        """Say something beside the title."""
        self._remark.setText(text)

    def remark(self) -> str:
        """Return what stands beside the title."""
        return self._remark.text()

    def add_to_title(self, widget: QWidget) -> None:
        """Put a button at the right of the title."""
        self._bar.addWidget(widget)


class Toast(QFrame):
    """A message over the lower edge of the page; goes by itself, or at a click; blocks nothing."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self.setObjectName("Toast")
        self.setAccessibleName("Message")
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = IconButton("close", "Dismiss", self)
        close.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 7, 7, 7)
        layout.setSpacing(8)
        layout.addWidget(IconLabel("info", self, ink="accent", size=18))
        layout.addWidget(self._text, 1)
        layout.addWidget(close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        ground.installEventFilter(self)
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def say(self, text: str) -> None:
        """Show a message for as long as it takes to read it; "" takes the last one away."""
        if not text:
            self.hide()
            return
        self._text.setText(text[:1].upper() + text[1:])
        self._place()
        self.show()
        self.raise_()
        self._timer.start(min(4000 + 60 * len(text), 20_000))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stay while the mouse is over it."""
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Go a little later."""
        self._timer.start(2500)

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # type: ignore[override]
        """Keep its place when the window changes its size."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _place(self) -> None:
        ground = self.parentWidget()
        most = min(560, max(200, ground.width() - 48))
        words = self._text.fontMetrics().horizontalAdvance(self._text.text()) + 90
        width = min(most, words)
        self.setFixedWidth(width)
        self.adjustSize()
        height = max(self.heightForWidth(width), self.sizeHint().height())
        self.resize(width, height)
        self.move((ground.width() - width) // 2, ground.height() - height - 22)


class ClickLabel(QLabel):
    """A label that can be clicked and reached by Tab."""

    clicked = Signal()

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Count a release inside as a click."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.clicked.emit()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Keep the press from what lies below."""
        event.accept()

    def keyPressEvent(self, event: QEvent) -> None:  # type: ignore[override]
        """Space and Enter click."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return):  # type: ignore[attr-defined]
            self.clicked.emit()
        else:
            super().keyPressEvent(event)  # type: ignore[arg-type]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and a ring around it while it has the focus."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme_of(self).accent), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)


class Fold(QWidget):
    """Draws a hairline; a quiet separator between groups of rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(9)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line."""
        painter = QPainter(self)
        painter.setPen(QPen(QColor(theme_of(self).line), 1))
        y = self.height() / 2
        painter.drawLine(QPointF(10, y), QPointF(self.width() - 10, y))


class Overlay(QWidget):
    """A widget that covers another one and follows its size."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self._ground = ground
        ground.installEventFilter(self)

    def eventFilter(self, watched: object, event: QEvent) -> bool:  # type: ignore[override]
        """Follow the size."""
        if watched is self._ground and isinstance(event, QResizeEvent):
            self.setGeometry(self._ground.rect())
        return False
