"""Why panel: each visible method's reason for keeping or dropping a text, and its reversal."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from algorithms.core.catalogue import method
from algorithms.explain.explanations import DecidedLocation, Explanation
from engine.errors import CaptureError
from engine.version import pagelet_version
from engine.words import quote_start
from gui.features.why.controller import WhyActions
from gui.features.why.state import WhyState
from gui.state.session import Session
from gui.widgets.controls import text_label
from gui.widgets.events import debounce, until_collected
from gui.widgets.layouts import ColumnArea, lay_out
from gui.widgets.parts import ClickLabel, PanelDock, clear, small, tone
from gui.widgets.swatch import ColorDot
from gui.widgets.texts import ClosedDocument, plain
from gui.widgets.theme import scale_font

_INK, _PAPER, _LINE = "#16181d", "#ffffff", "#c9ccd3"
"""Same in both themes: a report is read elsewhere."""

_MARGIN, _NARROWEST = 16, 640


def picture_of(page: QImage, text: str, font: QFont) -> QImage:
    """Return a picture of a page above a text, in the resolution of the page's picture."""
    shot = page.deviceIndependentSize().toSize()
    width = max(shot.width(), _NARROWEST)
    words = ClosedDocument()
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

    def __init__(self, session: Session, host: WhyActions, parent: QWidget | None = None) -> None:
        super().__init__("Why", "WhyDock", parent)
        self._session, self._host = session, host
        self._state = session.get(WhyState)
        self._open: set[str] = set()  # methods whose steps are unfolded
        self._held: DecidedLocation | None = None  # outlined until another is chosen
        # A picture cannot be taken while the browser still hands on what it was asked.
        self._shoot = debounce(self, 50, self._copy_picture)
        make, undo = partial(self.title_button, at_rest=False), host.undo_counterfactual
        self.undo_button = make("undo", "Put the parameter back  (Alt+Z)", undo)
        self.copy_button = make("copy", "Copy as text, for a report  (Shift+W)", self.copy)
        tip = "Copy as a picture  (Ctrl+Shift+W)"
        self.picture_button = make("picture", tip, self.copy_picture)
        self.add_close(close=lambda: self._state.show(False))
        copies = (self.copy_button, self.picture_button)
        for button in (self.undo_button, *copies, self.close_button):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._answers = QWidget(self)
        margins = (14 - _INSET, 4, 14 - _INSET, 14)
        self._lines = lay_out(QVBoxLayout(self._answers), margins=margins, spacing=12)
        self.body.addWidget(ColumnArea(self._answers, self), 1)
        for signal in (self._state.changed, self._state.shown_changed):
            signal.connect(self._refresh)
        self._state.counterfactual_ready.connect(
            lambda key: self.answer_of(key).show_counterfactual()
        )
        self._state.tried_changed.connect(self._refresh_title)
        self._refresh()

    def answer_of(self, key: str) -> "MethodAnswer":
        """Return the answer of a method; `KeyError` if there is none."""
        return self._shown[key]

    def copy(self) -> None:
        """Copy all answers to the clipboard, as text for a report."""
        if text := "\n".join(report(self._session)):
            QGuiApplication.clipboard().setText(text)
        self._session.messages.say("copied the methods' decisions" if text else _NOTHING)

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
        self._shown: dict[str, MethodAnswer] = {}
        self._hold(None)
        if not why.answers:
            self._lines.addWidget(_text(HINT, self._answers, "muted"))
        for answer in why.answers:
            shown = MethodAnswer(answer, self._session, answer.key in self._open, self._answers)
            self._shown[answer.key] = shown
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

    def event(self, event: QEvent) -> bool:
        """Outline the position under the mouse or with the keyboard's focus."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.FocusIn):
            self.pointed.emit(self.location)
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.FocusOut):
            self.pointed.emit(None)
        return super().event(event)

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
        name.setFont(scale_font(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        self.verdict = small(QLabel(_verdict(answer), self), 0.92)
        tone(self.verdict, {True: "bad", False: "good", None: "muted"}[answer.is_wrong])
        head = lay_out(
            QHBoxLayout(), ColorDot(layer.color, self), name, None, self.verdict,
            margins=(_INSET, 0, _INSET, 0), spacing=7,
        )  # fmt: skip
        lines = lay_out(QVBoxLayout(self), head, spacing=4)
        self.sentence = _text(answer.sentence, self)
        self.location_texts = [LocationText(answer.location, self)]
        self.location_texts[0].add(self.sentence)
        if answer.text:
            self.location_texts[0].add(_text(quote_start(answer.text), self, "muted"))
        lines.addWidget(self.location_texts[0])
        if answer.cost:
            lines.addWidget(_inset(_text(answer.cost, self)))
        count = len(answer.steps)
        text = f"Hide the {count} steps" if is_open else f"All {count} steps"
        self.unfold = ClickLabel(text, self)
        tone(self.unfold, "accent")
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
        tried = lay_out(QHBoxLayout(), self.applied, None, margins=(_INSET, 0, _INSET, 0))
        lines.addWidget(_inset(self.counterfactual))
        lines.addLayout(tried)

    def show_counterfactual(self) -> None:
        """Show the change that reverses the decision, as far as known."""
        answer = self._answer
        turned = self._session.get(WhyState).counterfactuals.get(answer.key)
        text = "Looking for what would reverse it …" if turned is None else turned.sentence
        self.counterfactual.setText(text)
        tone(self.counterfactual, "muted" if turned is None else "")
        self.counterfactual.setVisible(answer.why is not None)
        change = turned.counterfactual if turned is not None else None
        self.applied.setVisible(change is not None)
        if change is not None:
            what = f"Sets {change.parameter} of {answer.name} to {change.after}; Alt+Z puts it back"
            self.applied.setToolTip(plain(what))


def report(session: Session) -> Iterator[str]:
    """Yield the lines of a bug report: page, methods, versions, parameters, reasons, numbers."""
    page, state = session.open.page, session.get(WhyState)
    if page is None or not state.answers:
        return
    yield f"Page: {page.url}"
    if page.title:
        yield f"Title: {page.title}"
    yield f"SHA-256 of the document: {page.digest}"
    for answer in state.answers:
        layer, entry = session.layers.layer(answer.key), method(answer.key)
        params = layer.params.as_dict() if layer.params is not None else {}
        values = ", ".join(f"{name}={value}" for name, value in params.items()) or "none"
        yield ""
        version = entry.version or f"of Pagelet {pagelet_version()}"
        yield f"Method: {entry.name} ({entry.key}) {version}"
        yield f"Reads: {layer.source}; parameters: {values}"
        yield from answer.lines(state.counterfactuals.get(answer.key))


def _verdict(answer: Explanation) -> str:
    if answer.is_wrong is None:
        return ""
    return "✗ wrong by gold" if answer.is_wrong else "✓ as in gold"


def _inset(label: QLabel) -> QLabel:
    label.setContentsMargins(_INSET, 0, _INSET, 0)
    return label


def _text(text: str, parent: QWidget, name: str = "") -> QLabel:
    return text_label(parent, text, name, is_selectable=True)
