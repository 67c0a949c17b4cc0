"""A small picture of a page with its errors: coloured grounds and signs, as lines get too thin."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from algorithms.core.attempt import attempt
from algorithms.explain.page_errors import PageError, count_errors, errors_of
from annotate.marks.gold import Gold
from engine.errors import InputError
from engine.geometry import Box
from engine.page import Page
from engine.web.headless import Browser
from engine.web.picture import image_bytes
from engine.words import plural
from gui.page.overlay.error_layers import STYLES, error_layers, layer_id
from gui.page.overlay.pieces import PageNumberings
from gui.pictures.error_request import ErrorPicture, ErrorRequest
from gui.pictures.page_drawing import DrawnLayer, drawing_of, measuring
from gui.widgets.theme import smooth_painter
from resources import read_text

_QUALITY = 88
_SIGN_PX = 15
_NEAR = 1.6
"""Lines of text so many heights apart have one sign."""


class ErrorDrawer:
    """Draws one picture after the other; the last page stays rendered."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._version: tuple[str, ...] = ()
        self._page: tuple[Page, Gold, QImage] | None = None

    def draw(self, request: ErrorRequest) -> ErrorPicture:
        """Return the picture; raises `PageletError` where page, gold or result is missing."""
        page, gold, image = self._rendered(request)
        setup = request.setup
        outcome = attempt(setup.entry, page, setup.params, setup.input)
        if outcome.result is None:
            raise InputError(outcome.error)
        expected = gold.as_results(page)
        reference = expected.text if setup.is_extractor else expected.blocks
        if reference is None:
            raise InputError("no gold of this kind is on the page")
        errors = errors_of(page, outcome.result, reference, expected.blocks)
        small, top = self._drawn(page, image, errors, request.size)
        return ErrorPicture(image_bytes(small, "JPG", _QUALITY), in_words(errors), top)

    def _rendered(self, request: ErrorRequest) -> tuple[Page, Gold, QImage]:
        if self._page is None or request.version != self._version or "" in self._version:
            self._page = None
            page = self._browser.capture(request.files.document())
            self._page = page, request.files.marks(page), self._browser.picture()
            self._browser.run(read_text("js/overlay.js"))
            self._version = request.version
        return self._page

    def _drawn(
        self, page: Page, image: QImage, errors: Sequence[PageError], size: tuple[int, int]
    ) -> tuple[QImage, int]:
        specs = error_layers(errors, PageNumberings(page.rendered(), self._browser.view.local_rows))
        shapes = self._browser.run(measuring(specs))
        layers = drawing_of(image, specs, shapes, {}, page.title, "").layers
        width, most = size
        scale = width / max(1, image.width())
        smooth = Qt.TransformationMode.SmoothTransformation
        part = image.copy(0, 0, image.width(), min(image.height(), round(most / scale)))
        small = part.scaledToWidth(width, smooth).convertToFormat(QImage.Format.Format_RGB32)
        painter = smooth_painter(small)
        tops = [top for layer in layers for top in _draw_layer(painter, layer, scale)]
        painter.end()
        return small, round(min(tops, default=0.0))


def in_words(errors: Sequence[PageError]) -> str:
    """Return a summary of errors: "182 words missing, 499 too much"; "" without errors."""
    if not errors or not errors[0].is_text:
        return count_errors(errors)
    amounts = {"missing": 0.0, "superfluous": 0.0}
    for error in errors:
        amounts[str(error.kind)] += error.amount
    missing, more = (round(amount) for amount in amounts.values())
    parts = [f"{plural(missing, 'word')} missing"] if missing else []
    parts += [f"{more} too much" if missing else f"{plural(more, 'word')} too much"] if more else []
    return ", ".join(parts)


def _draw_layer(painter: QPainter, layer: DrawnLayer, scale: float) -> list[float]:
    """Draw one kind of error; return the heights of its signs."""
    style = next(style for kind, style in STYLES.items() if layer_id(kind) == layer.key)
    color, ground = QColor(style.color), QColor(style.color)
    ground.setAlphaF(0.34)
    lines = [_scaled(line, scale) for line in layer.lines]
    for box in lines:
        painter.fillRect(box, ground)
        y = box.center().y() if style.line == "line-through" else box.bottom() - 0.5
        painter.setPen(QPen(color, 1.2))
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
    frames = [_scaled(each.box, scale) for each in layer.boxes if each.label]
    ground.setAlphaF(0.14)
    for box in frames:
        painter.fillRect(box, ground)
        painter.setPen(QPen(color, 1.6))
        painter.drawRect(box)
    places = [*_runs(lines), *frames]
    for box in places:
        _draw_sign(painter, box, style.sign, color)
    return [box.top() for box in places]


def _runs(lines: Sequence[QRectF]) -> list[QRectF]:
    """Return the first line of each run of lines that lie close together."""
    result: list[QRectF] = []
    last: QRectF | None = None
    for box in sorted(lines, key=lambda line: (line.top(), line.left())):
        if last is None or box.top() - last.bottom() > _NEAR * max(box.height(), _SIGN_PX / 2):
            result.append(box)
        last = box
    return result


def _draw_sign(painter: QPainter, box: QRectF, sign: str, color: QColor) -> None:
    """Draw a sign at the left of a box, on a disc with a light edge."""
    at = QRectF(max(1.0, box.left() - _SIGN_PX - 1), max(1.0, box.top() - 1), _SIGN_PX, _SIGN_PX)
    painter.setPen(QPen(QColor("#ffffff"), 1.4))
    painter.setBrush(color)
    painter.drawEllipse(at)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    font = painter.font()
    font.setPixelSize(_SIGN_PX - 2)
    font.setBold(True)
    painter.setFont(font)
    painter.drawText(at, Qt.AlignmentFlag.AlignCenter, sign)


def _scaled(box: Box, scale: float) -> QRectF:
    left, top, wide, high = (each * scale for each in box)
    return QRectF(left, top, max(wide, 1.0), max(high, 2.0))
