"""Text below a slide, in large type: content, score, position."""

from PySide6.QtCore import QEvent, QObject, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from annotate.evaluation.tables.method_colors import on_ground
from engine.words import sentence
from gui.widgets.events import until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.parts import ElidedLabel, tone
from gui.widgets.swatch import draw_box
from gui.widgets.theme import smooth_painter, theme_of

_SHARE, _LEAST, _MOST = 1 / 34, 17, 72
"""Height of a letter of the title as a share of the window's, and its bounds in px."""

_SMALLER = 0.74
"""Size of all texts but title and score, relative to the title."""

_NOTE_LINES = 3


class Caption(QWidget):
    """Scales with the window, so that the last row of a hall can read it."""

    noted = Signal(str)  # the notes to this slide, as they are now

    def __init__(self, desk: QWidget) -> None:
        super().__init__(desk)
        self.setObjectName("Caption")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._progress = 0.0
        self._box = _LayerSample(self)
        self.title = ElidedLabel("", self)
        self.score = QLabel("", self)
        self.text = ElidedLabel("", self)
        self.where = QLabel("", self)
        self.time = QLabel("", self)
        for label in (self.text, self.where, self.time):
            tone(label, "muted")
        for label in (self.score, self.where, self.time):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.time.setToolTip("Time since the first slide  (Alt+T stops it)")
        self.notes = QPlainTextEdit(self)
        self.notes.setObjectName("SlideNotes")
        self.notes.setAccessibleName("Notes")
        self.notes.setPlaceholderText("Notes to this slide; Esc: back to the page")
        self.notes.setTabChangesFocus(True)
        self.notes.hide()
        self.notes.textChanged.connect(lambda: self.noted.emit(self.notes.toPlainText()))
        self._lines = (
            lay_out(QHBoxLayout(), self._box, (self.title, 1), self.score),
            lay_out(QHBoxLayout(), (self.text, 1), self.where, self.time),
        )
        self._layout = lay_out(QVBoxLayout(self), *self._lines, self.notes, margins=None)
        desk.installEventFilter(self)
        self._fit(desk.height())

    # contents ------------------------------------------------------------------------------
    def show_slide(
        self, title: str, text: str, where: str, score: str = "", color: str = "", dash: str = ""
    ) -> None:
        """Show the texts of a slide; ``color`` and ``dash`` are those of its layer."""
        self.title.setText(title)
        self.text.setText(sentence(text))
        self.where.setText(where)
        self.score.setText(score)
        self._box.show_style(color, dash)

    def show_words(self, words: str) -> None:
        """Show a text for a page that is not loaded yet."""
        self.show_slide(words, "Opening the page", "")
        self.show_progress(0, 1)

    def show_progress(self, index: int, count: int) -> None:
        """Draw the progress."""
        self._progress = index / max(1, count)
        self.update()

    def show_notes(self, words: str) -> None:
        """Show the notes to another slide."""
        if words != self.notes.toPlainText():
            with QSignalBlocker(self.notes):
                self.notes.setPlainText(words)

    def show_time(self, seconds: float, *, is_running: bool) -> None:
        minutes, rest = divmod(int(seconds), 60)
        words = f"{minutes}:{rest:02}" + ("" if is_running else " ❚❚")
        if words != self.time.text():
            self.time.setText(words)
            self.time.setAccessibleName(words if is_running else f"{words}, stopped")

    # drawing -------------------------------------------------------------------------------
    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parent():
            desk = self.parentWidget()
            assert desk is not None
            self._fit(desk.height())
        return super().eventFilter(watched, event)

    def _fit(self, height: int) -> None:
        size = round(min(max(height * _SHARE, _LEAST), _MOST))
        small = round(size * _SMALLER)
        for label in (self.title, self.score):
            label.setFont(_font(label, size, QFont.Weight.DemiBold))
        for each in (self.text, self.where, self.time, self.notes):
            each.setFont(_font(each, small, QFont.Weight.Normal))
        notes = _NOTE_LINES * self.notes.fontMetrics().lineSpacing()
        self.notes.setFixedHeight(notes + 2 * (small // 2))
        self._box.setFixedSize(round(size * 1.3), round(size * 0.95))
        self._layout.setContentsMargins(size, size // 2 + 3, size, size // 2)
        self._layout.setSpacing(size // 5)
        for line in self._lines:
            line.setSpacing(round(size * 0.7))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = theme_of(self)
        painter = QPainter(self)
        thick = max(3, self.title.font().pixelSize() // 6)
        painter.fillRect(QRectF(0, 0, self.width(), thick), QColor(theme.line))
        painter.fillRect(QRectF(0, 0, self.width() * self._progress, thick), QColor(theme.accent))


class _LayerSample(QWidget):
    """Sample of a layer's colour and line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._color, self._dash = "", ""

    def show_style(self, color: str, dash: str) -> None:
        """Show the style of a layer; "" for none."""
        self._color, self._dash = color, dash
        self.setVisible(bool(color))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._color:
            color = on_ground(self._color, is_dark=theme_of(self).name == "dark")
            draw_box(smooth_painter(self), QRectF(self.rect()), color, self._dash)


def _font(widget: QWidget, px: int, weight: QFont.Weight) -> QFont:
    font = QFont(widget.font())
    font.setPixelSize(px)
    font.setWeight(weight)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
