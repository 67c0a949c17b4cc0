"""The speaker's own window: the slide and the next one, notes and clock."""

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, QTime, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QScreen
from PySide6.QtWidgets import QGridLayout, QLabel, QPlainTextEdit, QSizePolicy, QWidget

from gui.widgets.parts import ElidedLabel, tone

_HINT = (
    "→ Next · ← Back · B Black · Alt+N Notes · Alt+T Clock · Alt+S Exchange screens · "
    "S Close this window · Esc End"
)
_LETTER, _NOTES = 20, 22
"""Height of letters, px: read while standing."""


class SlidePicture(QWidget):
    """A picture as large as there is room."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("SlidePicture")
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._picture = QPixmap()

    @property
    def picture(self) -> QPixmap:
        return self._picture

    def show_picture(self, picture: QPixmap | None) -> None:
        """Show a picture; None for nothing."""
        self._picture = picture or QPixmap()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture.isNull():
            return
        size = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(QRect(0, 0, size.width(), size.height()), self._picture)


class SpeakerWindow(QWidget):
    """Shows the speaker what the audience does not see; the keys of the talk hold in it."""

    noted = Signal(str)  # the notes to this slide, as they are now

    def __init__(self, window: QWidget) -> None:
        """``window`` is the audience's; its keys hold here, as in each window of tools."""
        super().__init__(window, Qt.WindowType.Tool)
        self.setObjectName("SpeakerWindow")
        self.setWindowTitle("Pagelet: for the speaker")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.title, self.coming = ElidedLabel("", self), ElidedLabel("", self)
        self.now = SlidePicture("The slide that the audience sees", self)
        self.next = SlidePicture("The next slide", self)
        self.notes = QPlainTextEdit(self)
        self.notes.setObjectName("SlideNotes")
        self.notes.setAccessibleName("Notes")
        self.notes.setPlaceholderText("Notes to this slide; Esc: back to the slides")
        self.notes.setTabChangesFocus(True)
        self.notes.textChanged.connect(lambda: self.noted.emit(self.notes.toPlainText()))
        self.time, self.hint = QLabel("", self), QLabel(_HINT, self)
        self.hint.setWordWrap(True)
        tone(self.hint, "muted")
        for each, px in (
            (self.title, _LETTER), (self.coming, _LETTER), (self.time, 2 * _LETTER),
            (self.notes, _NOTES),
        ):  # fmt: skip
            font = each.font()
            font.setPixelSize(px)
            font.setBold(each is self.title)
            each.setFont(font)
        grid = QGridLayout(self)
        grid.setContentsMargins(24, 16, 24, 16)
        grid.setSpacing(12)
        grid.addWidget(self.title, 0, 0)
        grid.addWidget(self.now, 1, 0, 2, 1)
        grid.addWidget(self.coming, 0, 1)
        grid.addWidget(self.next, 1, 1)
        grid.addWidget(self.notes, 2, 1, 2, 1)
        grid.addWidget(self.time, 3, 0)
        grid.addWidget(self.hint, 4, 0, 1, 2)
        for line, share in ((1, 4), (2, 5)):
            grid.setRowStretch(line, share)
        for column, share in ((0, 8), (1, 5)):
            grid.setColumnStretch(column, share)

    def sizeHint(self) -> QSize:
        return QSize(1100, 640)

    def show_on(self, screen: QScreen | None) -> None:
        """Fill a screen, or open as a window where there is none but the audience's."""
        if screen is not None:
            self.setWindowState(Qt.WindowState.WindowNoState)
            self.setScreen(screen)
            self.setGeometry(screen.availableGeometry())
            self.setWindowState(Qt.WindowState.WindowFullScreen)
        self.show()
        self.activateWindow()
        self.setFocus()

    def show_slide(self, title: str, notes: str) -> None:
        """Show the name and place of a slide, and the notes to it."""
        self.title.setText(title)
        if notes != self.notes.toPlainText():
            with QSignalBlocker(self.notes):
                self.notes.setPlainText(notes)

    def show_next(self, title: str, picture: QPixmap | None) -> None:
        self.coming.setText(title)
        self.next.show_picture(picture)

    def show_time(self, words: str) -> None:
        """Show how long the talk has lasted, and what o'clock it is."""
        self.time.setText(f"{words}  ·  {QTime.currentTime().toString('HH:mm')}")
