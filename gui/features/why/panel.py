"""Why panel: each visible method's reason for keeping or dropping a text, and its reversal."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QEnterEvent,
    QFocusEvent,
    QFont,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
    QPen,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from algorithms.core.catalogue import method
from algorithms.explain.explanations import DecidedLocation, Explanation
from engine.errors import CaptureError
from engine.words import quoted
from gui.features.why.controller import Why
from gui.features.why.state import WhyState
from gui.state.session import Session
from gui.widgets.column_area import ColumnArea
from gui.widgets.debounce import debounce
from gui.widgets.event_filters import until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.parts import ClickLabel, IconButton, PanelDock, clear, small, tone
from gui.widgets.theme import scaled
from gui.widgets.tips import plain
from gui.widgets.version import pagelet_version

_INK, _PAPER, _LINE = "#16181d", "#ffffff", "#c9ccd3"
"""Same in both themes: a report is read elsewhere."""

_MARGIN, _NARROWEST = 16, 640


def picture_of(page: QImage, text: str, font: QFont) -> QImage:
    """Return a picture of a page above a text, in the resolution of the page's picture."""
    shot = page.deviceIndependentSize().toSize()
    width = max(shot.width(), _NARROWEST)
    words = QTextDocument()
    words.setDefaultFont(font)
    words.setDocumentMargin(0)
    words.setPlainText(text)
    words.setTextWidth(width - 2 * _MARGIN)
    height = shot.height() + round(words.size().height()) + 2 * _MARGIN
    ratio = page.devicePixelRatio()
    image = QImage(QSize(width, height) * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(_PAPER))
    painter = QPainter(image)
    painter.drawImage(QPointF((width - shot.width()) / 2, 0), page)
    painter.setPen(QPen(QColor(_LINE), 1))
    painter.drawLine(0, shot.height(), width, shot.height())
    painter.translate(_MARGIN, shot.height() + _MARGIN)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette.setColor(QPalette.ColorRole.Text, QColor(_INK))
    words.documentLayout().draw(painter, context)
    painter.end()
    return image


HINT = "Click anywhere on the page (W), or choose an error: each method shown says why."
_NOTHING = "nothing to copy yet: press W and click the page"
_INSET = 6
"""Margin around words, so that their hover background is wider than they are."""


class WhyDock(PanelDock):
    """Panel with an answer per method."""

    def __init__(self, session: Session, host: Why, parent: QWidget | None = None) -> None:
        super().__init__("Why", "WhyDock", parent)
        self._session, self._host = session, host
        self._state = session.get(WhyState)
        self._open: set[str] = set()  # methods whose steps are unfolded
        self._held: DecidedLocation | None = None  # outlined until another is chosen
        self.copy_button = IconButton("copy", "Copy as text, for a report  (Shift+W)", self)
        self.copy_button.clicked.connect(self.copy)
        self.picture_button = IconButton("picture", "Copy as a picture  (Ctrl+Shift+W)", self)
        self.picture_button.clicked.connect(self.copy_picture)
        # A picture cannot be taken while the browser still hands on what it was asked.
        self._shoot = debounce(self, 50, self._copy_picture)
        self.undo_button = IconButton("undo", "Put the parameter back  (Alt+Z)", self)
        self.undo_button.clicked.connect(host.undo_counterfactual)
        self.close_button = IconButton("close", "Close", self)
        self.close_button.clicked.connect(lambda: self._state.show(False))
        copies = (self.copy_button, self.picture_button)
        for button in (self.undo_button, *copies, self.close_button):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.add_to_title(button)
        self._answers = QWidget(self)
        self._lines = lay_out(
            QVBoxLayout(self._answers), margins=(14 - _INSET, 4, 14 - _INSET, 14), spacing=12
        )
        self.body.addWidget(ColumnArea(self._answers, self), 1)
        self._state.changed.connect(self._refresh)
        self._state.counterfactual_ready.connect(
            lambda key: self.answer_of(key).show_counterfactual()
        )
        self._state.tried_changed.connect(self._refresh_title)
        self._state.shown_changed.connect(self._refresh)
        self._refresh()

    def answer_of(self, key: str) -> "MethodAnswer":
        """Return the answer of a method; `KeyError` if there is none."""
        for index in range(self._lines.count()):
            item = self._lines.itemAt(index)
            widget = item.widget() if item is not None else None
            if isinstance(widget, MethodAnswer) and widget.key == key:
                return widget
        raise KeyError(key)

    def copy(self) -> None:
        """Copy all answers to the clipboard, as text for a report."""
        text = "\n".join(report(self._session))
        if not text:
            self._session.messages.say(_NOTHING)
            return
        QGuiApplication.clipboard().setText(text)
        self._session.messages.say("copied the methods' decisions")

    def copy_picture(self) -> None:
        """Copy the page with the outlined position, and all answers below, to the clipboard."""
        answers = self._state.answers
        if not answers:
            self._session.messages.say(_NOTHING)
            return
        self._host.point(self._held or answers[0].location)
        self._shoot.start()

    def _copy_picture(self) -> None:
        text = "\n".join(report(self._session))
        if not text:
            return
        try:
            page = self._host.picture()
        except CaptureError as error:
            self._session.messages.say(f"no picture was copied: {error}")
            return
        finally:
            self._host.point(self._held)
        QGuiApplication.clipboard().setImage(picture_of(page, text, self.font()))
        self._session.messages.say("copied the page and the methods' decisions as a picture")

    def _refresh_title(self) -> None:
        self.undo_button.setVisible(bool(self._state.tried))

    def _refresh(self) -> None:
        why = self._state
        self._refresh_title()
        for button in (self.copy_button, self.picture_button):
            button.setEnabled(bool(why.answers))
        clear(self._lines)
        self._hold(None)
        if not why.answers:
            hint = _text(HINT, self._answers, "muted")
            self._lines.addWidget(hint)
        for answer in why.answers:
            shown = MethodAnswer(answer, self._session, answer.key in self._open, self._answers)
            shown.applied.clicked.connect(partial(self._host.apply_counterfactual, answer.key))
            shown.unfold.clicked.connect(partial(self._toggle, answer.key))
            for location in shown.location_texts:
                location.pointed.connect(self._point)
                location.chosen.connect(self._choose)
            self._lines.addWidget(shown)
        self._lines.addStretch(1)

    def _point(self, location: DecidedLocation | None) -> None:
        self._host.point(self._held if location is None else location)

    def _choose(self, location: DecidedLocation) -> None:
        """Outline a position until it is chosen again, and scroll to it."""
        self._hold(None if location == self._held else location)
        if self._held is not None:
            self._host.bring(location)

    def _hold(self, location: DecidedLocation | None) -> None:
        self._held = location
        self._host.point(location)

    def _toggle(self, key: str) -> None:
        self._open ^= {key}
        self._refresh()
        self.answer_of(key).unfold.setFocus()


class LocationText(QFrame):
    """Text on a position: outlined while hovered or focused, held when chosen."""

    pointed = Signal(object)  # DecidedLocation, or None
    chosen = Signal(object)  # DecidedLocation

    def __init__(self, location: DecidedLocation, parent: QWidget) -> None:
        super().__init__(parent)
        self.location = location
        self.setObjectName("WhyPlace")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleDescription("a button: Enter scrolls to it on the page")
        self.lines = lay_out(QVBoxLayout(self), margins=(_INSET, 2, _INSET, 2), spacing=4)

    def add(self, label: QLabel) -> None:
        """Add words; a click on them chooses the position, unless some are selected."""
        label.installEventFilter(self)
        self.setAccessibleName(" ".join((self.accessibleName(), label.text())).strip())
        self.lines.addWidget(label)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.pointed.emit(self.location)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Outline the position on keyboard focus."""
        super().focusInEvent(event)
        self.pointed.emit(self.location)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.pointed.emit(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self.location)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Accept the press, so that the release arrives here."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(self.location)
        else:
            super().keyPressEvent(event)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle a click on words as one on the position."""
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(watched, QLabel):
            assert isinstance(event, QMouseEvent)
            if event.button() == Qt.MouseButton.LeftButton and not watched.selectedText():
                self.chosen.emit(self.location)
                return True
        return super().eventFilter(watched, event)


class MethodAnswer(QFrame):
    def __init__(
        self, answer: Explanation, session: Session, is_open: bool, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.key = answer.key
        layer = session.layers.layer(answer.key)
        name = QLabel(answer.name, self)
        name.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        swatch = QLabel(self)
        swatch.setFixedSize(10, 10)
        swatch.setStyleSheet(f"background: {layer.color}; border-radius: 3px")
        self.verdict = small(QLabel(_verdict(answer), self), 0.92)
        tone(self.verdict, {True: "bad", False: "good", None: "muted"}[answer.is_wrong])
        head = lay_out(
            QHBoxLayout(), swatch, name, None, self.verdict,
            margins=(_INSET, 0, _INSET, 0), spacing=7,
        )  # fmt: skip
        lines = lay_out(QVBoxLayout(self), head, spacing=4)
        self.sentence = _text(answer.sentence, self)
        self.location_texts = [LocationText(answer.location, self)]
        self.location_texts[0].add(self.sentence)
        if answer.text:
            self.location_texts[0].add(_text(quoted(answer.text), self, "muted"))
        lines.addWidget(self.location_texts[0])
        if answer.cost:
            lines.addWidget(_inset(_text(answer.cost, self)))
        self.unfold = ClickLabel("", self)
        tone(self.unfold, "accent")
        count = len(answer.steps)
        self.unfold.setText(f"Hide the {count} steps" if is_open else f"All {count} steps")
        self.unfold.setVisible(bool(count))
        lines.addWidget(_inset(self.unfold))
        steps = zip(answer.steps, answer.step_locations, strict=True) if is_open else ()
        for number, (step, location) in enumerate(steps, start=1):
            words = LocationText(location, self)
            words.add(_text(f"{number}. {step}", self, "muted"))
            self.location_texts.append(words)
            lines.addWidget(words)
        self.counterfactual = _text("", self)
        self.applied = QPushButton("Try it", self)
        self._answer, self._session = answer, session
        self.show_counterfactual()
        lines.addWidget(_inset(self.counterfactual))
        tried = lay_out(QHBoxLayout(), self.applied, None, margins=(_INSET, 0, _INSET, 0))
        lines.addLayout(tried)

    def show_counterfactual(self) -> None:
        """Show the change that reverses the decision, as far as known."""
        answer, session = self._answer, self._session
        self.applied.hide()
        if answer.why is None:
            self.counterfactual.hide()
            return
        if answer.key not in session.get(WhyState).counterfactuals:
            self.counterfactual.setText("Looking for what would reverse it …")
            tone(self.counterfactual, "muted")
            return
        turned = session.get(WhyState).counterfactuals[answer.key]
        self.counterfactual.setText(turned.sentence)
        tone(self.counterfactual, "")
        change = turned.counterfactual
        if change is not None:
            self.applied.show()
            what = f"Sets {change.parameter} of {answer.name} to {change.after}; Alt+Z puts it back"
            self.applied.setToolTip(plain(what))


def report(session: Session) -> Iterator[str]:
    """Yield the lines of a bug report: page, methods, versions, parameters, reasons, numbers."""
    page = session.open.page
    if page is None or not session.get(WhyState).answers:
        return
    yield f"Page: {page.url}"
    if page.title:
        yield f"Title: {page.title}"
    yield f"SHA-256 of the document: {page.digest}"
    for answer in session.get(WhyState).answers:
        layer, entry = session.layers.layer(answer.key), method(answer.key)
        params = layer.params.as_dict() if layer.params is not None else {}
        values = ", ".join(f"{name}={value}" for name, value in params.items()) or "none"
        yield ""
        version = entry.version or f"of Pagelet {pagelet_version()}"
        yield f"Method: {entry.name} ({entry.key}) {version}"
        yield f"Reads: {layer.source}; parameters: {values}"
        yield from answer.lines(session.get(WhyState).counterfactuals.get(answer.key))


def _verdict(answer: Explanation) -> str:
    if answer.is_wrong is None:
        return ""
    return "✗ wrong by gold" if answer.is_wrong else "✓ as in gold"


def _inset(label: QLabel) -> QLabel:
    label.setContentsMargins(_INSET, 0, _INSET, 0)
    return label


def _text(text: str, parent: QWidget, name: str = "") -> QLabel:
    label = small(QLabel(text, parent), 0.95)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    tone(label, name)
    return label
