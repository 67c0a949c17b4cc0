"""Pictures of pages with gold and result drawn over them, as the window draws them.

It is apart from `gui.pictures.drawers` because it needs Qt, which commands do not load.
"""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage

from algorithms.core.attempt import attempt
from algorithms.levels import LEVELS, Level
from algorithms.results import Result
from annotate.evaluation.report.markup import slug
from annotate.evaluation.report.pictures import PictureRequest, Pictures
from annotate.marks.gold import Gold
from engine.errors import CaptureError, InputError, PageletError, convert_os_error
from engine.page import Page
from engine.web.headless import Browser
from gui.pictures.still import draw_layers
from gui.state.layers import LayerState, gold_layers, method_layer
from gui.widgets.swatch import draw_box
from gui.widgets.theme import smooth_painter

_QUALITY = 85
_BAND_PX, _PAD_PX, _BOX_PX = 32, 12, 18


def draw_page(requests: Sequence[PictureRequest], folder: Path, browser: Browser) -> Pictures:
    """Draw pictures of one page into a folder; it is captured once, whatever is drawn on it.

    Args:
        requests: What to draw, all of the same page.
        folder: Made if it is not there.
        browser: Renders the page.

    Raises:
        InputError: The folder cannot be written to.  An unreadable page is a separate problem.
    """
    with convert_os_error(f"write to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    result = Pictures()
    try:
        page = browser.capture(requests[0].files.document())
        gold = requests[0].files.marks(page)
    except PageletError as error:
        result.problems.update({each.picture_key: str(error) for each in requests})
        return result
    for each in requests:
        path = folder / f"{slug(*each.key, each.label)}.jpg"
        try:
            image = _draw(browser, each, page, gold)
        except CaptureError as error:
            result.problems[each.picture_key] = str(error)
            continue
        if not image.save(str(path), quality=_QUALITY):
            raise InputError(f"cannot write {path}")
        result.files[each.picture_key] = path
    return result


def _draw(browser: Browser, request: PictureRequest, page: Page, gold: Gold) -> QImage:
    results: dict[str, Result] = {}
    note, setup = request.why_not, request.setup
    if not note:
        outcome = attempt(setup.entry, page, setup.params, setup.input)
        note = outcome.error
        if outcome.result is not None:
            results[setup.entry.key] = outcome.result
    levels: tuple[Level, ...] = (0,) if setup.entry.output == "extraction" else LEVELS
    kinds = [layer for k, layer in enumerate(gold_layers()) if k in levels]
    golds = [layer for k, layer in zip(levels, kinds, strict=True) if gold.of_level(k)]
    layers = [*([method_layer(setup.entry.key)] if results else []), *golds]
    draw_layers(browser, page, layers, gold, results)
    return _with_head(browser.picture(), request, layers, note)


def _with_head(
    image: QImage, request: PictureRequest, layers: Sequence[LayerState], note: str
) -> QImage:
    whole = QImage(image.width(), image.height() + _BAND_PX, QImage.Format.Format_RGB32)
    whole.fill(QColor("#ffffff"))
    painter = smooth_painter(whole)
    font = QFont(painter.font())
    font.setPixelSize(13)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    right = float(image.width() - _PAD_PX)
    middle = Qt.AlignmentFlag.AlignVCenter
    for layer in layers[::-1]:
        name = layer.legend_name if layer.is_gold else request.label
        wide = metrics.horizontalAdvance(name)
        right -= wide
        painter.setPen(QColor("#16181d"))
        painter.drawText(QRectF(right, 0, wide + 2, _BAND_PX), middle, name)
        right -= _BOX_PX + 6
        box = QRectF(right, (_BAND_PX - 14) / 2, _BOX_PX, 14)
        draw_box(painter, box, layer.color, layer.dash)
        right -= _PAD_PX
    parts = [request.key[1], f"{request.label}: {note}" if note else request.says]
    text = "  ·  ".join(filter(None, parts))
    text = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, max(right - 2 * _PAD_PX, 60))
    painter.setPen(QColor("#16181d"))
    painter.drawText(QRectF(_PAD_PX, 0, max(right, 80), _BAND_PX), middle, text)
    painter.drawImage(0, _BAND_PX, image)
    painter.end()
    return whole
