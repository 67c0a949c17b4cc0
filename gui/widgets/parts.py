"""Small parts the panels share.  None knows the session; colours come from the palette."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFont,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QBoxLayout,
    QButtonGroup,
    QDockWidget,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QSizePolicy,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotate.evaluation.tables.method_colors import on_ground
from gui.widgets.layouts import lay_out
from gui.widgets.texts import plain, translate
from gui.widgets.theme import (
    draw_rounded,
    pixmap,
    scale_font,
    smooth_painter,
    theme_of,
    themed_icon,
)

L = TypeVar("L", bound=QLabel)


def tone(label: QLabel, name: str) -> None:
    """Set a label's tone of the style sheet: muted, good, warn, bad, accent or ""."""
    if label.property("tone") != name:
        label.setProperty("tone", name)
        if label.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):  # else it is yet to be
            font = label.font()
            label.style().unpolish(label)  # puts back the font of when the theme last changed
            label.style().polish(label)
            if label.font() != font:
                label.setFont(font)


def small(label: L, factor: float = 0.9, weight: QFont.Weight | None = None) -> L:
    """Set a label in a size relative to the window's font, its text plain; return it."""
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(scale_font(label.font(), factor, weight=weight))
    return label


def hint(words: str, parent: QWidget) -> QLabel:
    """Return a label shown instead of an empty list."""
    label = QLabel(translate(words), parent, wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
    label.setContentsMargins(14, 6, 14, 6)
    tone(small(label, 0.95), "muted")
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
        self,
        name: str,
        tip: str,
        parent: QWidget | None = None,
        act: Callable[[], object] | None = None,
        *,
        color: str = "muted",
    ) -> None:
        super().__init__(parent)
        if act is not None:
            self.clicked.connect(lambda: act())
        self._name, self._color = name, color
        tip = translate(tip)
        self.setToolTip(plain(tip))
        self.setAccessibleName(tip)
        self.setAutoRaise(True)
        size = round(self.fontMetrics().height() * 1.05)
        self.setIconSize(QSize(size, size))
        self._tint()

    def set_icon(self, name: str, color: str = "") -> None:
        """Show another icon, in another colour if ``color`` is given."""
        color = color or self._color
        if (name, color) != (self._name, self._color):
            self._name, self._color = name, color
            self._tint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _tint(self) -> None:
        self.setIcon(themed_icon(self, self._name, self._color))


class IconLabel(QLabel):
    """A line icon without a function."""

    def __init__(
        self, name: str, parent: QWidget | None = None, *, color: str = "muted", size: int = 16
    ) -> None:
        super().__init__(parent)
        self._name, self._color, self._size = name, color, size
        self.setFixedSize(size, size)

    def set_icon(self, name: str, color: str = "muted") -> None:
        self._name, self._color = name, color
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, ratio = theme_of(self), self.devicePixelRatioF()
        color = str(getattr(theme, self._color))
        picture = pixmap(self._name, color, self._size, ratio, theme.panel)
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
        self.setToolTip(plain(tip))

    def shown_text(self) -> str:
        return self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown_text()
        if not self._tip:
            tip = self.text() if shown != self.text() else ""
            if self.toolTip() != plain(tip):
                self.setToolTip(plain(tip))
        painter, role, room = QPainter(self), self.foregroundRole(), self.contentsRect()
        painter.setPen(self.palette().color(role))
        flags = int(self.alignment() | Qt.TextFlag.TextSingleLine)
        palette, is_on = self.palette(), self.isEnabled()
        self.style().drawItemText(painter, room, flags, palette, is_on, shown, role)


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
        layout = lay_out(QHBoxLayout(self), margins=(2, 2, 2, 2), spacing=1)
        for index, (value, text, tip) in enumerate(choices):
            button = QToolButton(self)
            text, tip = translate(text), translate(tip)
            button.setText(text)
            button.setCheckable(True)
            button.setToolTip(plain(tip))
            button.setAccessibleName(tip or text)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self._group.addButton(button, index)
            self._values.append(value)
            layout.addWidget(button)
        self._group.idClicked.connect(lambda index: self.picked.emit(self._values[index]))

    def set_value(self, value: object) -> None:
        if value in self._values:
            self._group.button(self._values.index(value)).setChecked(True)

    def button(self, value: object) -> QAbstractButton:
        return self._group.button(self._values.index(value))


class ValueSlider(QWidget):
    """A slider over whole steps with its value in words beside it."""

    changed = Signal(int)  # only by the user

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
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self._label = small(QLabel(self, alignment=right), 0.88)
        tone(self._label, "muted")
        self._label.setMinimumWidth(self._label.fontMetrics().horizontalAdvance(f"{high}{suffix}"))
        lay_out(QHBoxLayout(self), (self.slider, 1), self._label, spacing=6)
        self.slider.valueChanged.connect(self._on_changed)

    def set_value(self, value: int) -> None:
        """Show a value; emits nothing."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(value)
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
        self._timer = QTimer(self, interval=60)
        self._timer.timeout.connect(self._turn)

    def showEvent(self, event: QShowEvent) -> None:
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        pen = QPen(QColor(theme_of(self).accent), 1.8)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        box = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.drawArc(box, -self._angle * 16, 250 * 16)

    def _turn(self) -> None:
        self._angle = (self._angle + 24) % 360
        self.update()


class Meter(QProgressBar):
    """A share as a thin bar in a layer's colour, so that rows compare at a glance."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share, self._color = 0.0, "#808080"
        self.setRange(0, 100)  # read out as a percentage
        self.setAccessibleName(name)
        self.setFixedHeight(3)
        self.setMinimumWidth(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_share(self, share: float, color: str) -> None:
        """Show a share of 0 to 1."""
        if (share, color) != (self._share, self._color):
            self._share, self._color = share, color
            self.setValue(round(100 * share))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        draw_rounded(painter, QRectF(self.rect()), 1.5, fill=theme_of(self).line)
        share = QRectF(0, 0, self.width() * self._share, self.height())
        is_dark = theme_of(self).name == "dark"
        draw_rounded(painter, share, 1.5, fill=on_ground(self._color, is_dark=is_dark))


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
        theme, painter = theme_of(self), smooth_painter(self)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        draw_rounded(painter, box, 4, theme.edge, theme.field)
        painter.end()
        super().paintEvent(event)


class PanelDock(QDockWidget):
    """A panel with a quiet title line: its name, a remark, and room for buttons."""

    came = Signal()  # it was asked for

    def __init__(self, name: str, object_name: str, parent: QWidget | None = None) -> None:
        name = translate(name)
        super().__init__(name, parent)
        self.setObjectName(object_name)  # QMainWindow.saveState() finds it by this name
        bar = QWidget(self)
        bar.setObjectName("DockTitle")
        title = QLabel(name, bar)
        title.setFont(scale_font(title.font(), 1.0, weight=QFont.Weight.DemiBold))
        self._remark = ElidedLabel("", bar)
        tone(small(self._remark), "muted")
        parts = (title, (self._remark, 1))
        self._bar = lay_out(QHBoxLayout(bar), *parts, margins=(14, 7, 6, 5), spacing=6)
        bar.setMinimumHeight(round(self.fontMetrics().height() * 2.1))
        self.setTitleBarWidget(bar)
        self._on_hover: list[QWidget] = []
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._show_quiet)
        body = QWidget(self)
        body.setObjectName("DockBody")
        self.body = lay_out(QVBoxLayout(body), spacing=0)
        self.setWidget(body)

    @property
    def key_holder(self) -> QWidget:
        """The part in which shortcuts of the panel alone hold."""
        return self

    def set_remark(self, text: str) -> None:
        """Set the note beside the title."""
        self._remark.setText(text)

    def remark(self) -> str:
        """Return the note beside the title."""
        return self._remark.text()

    def add_to_title(self, widget: QWidget) -> None:
        """Put a button at the right of the title."""
        self._bar.addWidget(widget)

    def title_button(
        self, icon: str, tip: str, act: Callable[[], object], *, at_rest: bool = True
    ) -> IconButton:
        """Put a button with an icon at the right of the title; return it.

        One that is not there ``at_rest`` is seen while the mouse is over the panel, or the keyboard
        in it.
        """
        button = IconButton(icon, tip, self, act)
        self.add_to_title(button)
        if not at_rest:
            self.show_on_hover(button)
        return button

    def show_on_hover(self, button: QWidget) -> None:
        """Show a button only while the mouse is over the panel or the keyboard in it."""
        self._on_hover.append(button)
        self._show_quiet()

    def _show_quiet(self) -> None:
        if not self._on_hover:
            return
        focused = QApplication.focusWidget()
        is_hot = self.underMouse() or (focused is not None and self.isAncestorOf(focused))
        for button in self._on_hover:
            button.setVisible(is_hot)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the quiet buttons; not in `event`, which is called at the exit, too."""
        super().enterEvent(event)
        self._show_quiet()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._show_quiet()

    def add_close(self, tip: str = "Close", close: Callable[[], object] | None = None) -> None:
        """Put a button that hides the panel, by ``close`` if given, at the right of all others."""
        self.close_button = self.title_button("close", tip, close or self.hide, at_rest=False)

    def toggle(self) -> None:
        """Show the panel in front of the others that share its position, or hide it."""
        if self.isHidden():
            self.show_up()
        else:
            self.hide()

    def show_up(self) -> None:
        """Show the panel in front of those it is tabbed with."""
        self.show()
        self.raise_()
        self.came.emit()


class ClickLabel(QLabel):
    """A label that can be clicked and reached by Tab."""

    clicked = Signal()

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(text)
        self.setAccessibleDescription("a link")

    def setText(self, text: str) -> None:
        """Show another text, and give it to readers."""
        super().setText(text)
        self.setAccessibleName(text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and is_inside:
            self.clicked.emit()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Accept the press, so that widgets below do not get it."""
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            draw_rounded(smooth_painter(self), box, 4, theme_of(self).accent)


class Fold(QWidget):
    """Draws a hairline; a quiet separator between groups of rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(9)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(theme_of(self).line), 1))
        y = self.height() / 2
        painter.drawLine(QPointF(10, y), QPointF(self.width() - 10, y))
