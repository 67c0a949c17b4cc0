"""Pictures of pages with gold and result drawn over them, as the window draws them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from algorithms.evaluation import attempt
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Result
from annotate.cases import Key
from annotate.gold import Gold
from engine.document import Document
from engine.errors import CaptureError, InputError, PageletError
from engine.page import Input, Page
from engine.web.headless import Browser
from gui.evaluation.report.markup import slug
from gui.layers import LayerState, gold_layers, method_layer
from gui.overlay.still import draw_layers
from gui.swatch import draw_box

_QUALITY = 85
_BAND_PX, _PAD_PX, _BOX_PX = 32, 12, 18


@dataclass(frozen=True)
class Subject:
    """What a picture is to show.

    Attributes:
        key: The page.
        setup: The label of the setup.
        document: Opens the page; raises `InputError`.
        gold: Finds the gold on the captured page; raises `InputError`.
        entry, params, form: What is run, how, and on which form of the page.
        says: A few words for the head of the picture, such as the score.
        why_not: Why the method has no result; it is not run again then (it might hang), and the
            picture shows gold alone.
    """

    key: Key
    setup: str
    document: Callable[[], Document]
    gold: Callable[[Page], Gold]
    entry: Method
    params: Params
    form: Input
    says: str = ""
    why_not: str = ""


@dataclass(frozen=True)
class Drawn:
    """What came of drawing.

    Attributes:
        pictures: Page and setup → the file.
        problems: Page and setup → why there is none.
    """

    pictures: Mapping[tuple[Key, str], Path] = field(default_factory=dict)
    problems: Mapping[tuple[Key, str], str] = field(default_factory=dict)


def draw_worst(
    subjects: Sequence[Subject],
    folder: Path,
    browser: Browser,
    *,
    say: Callable[[int, int], None] = lambda done, total: None,
) -> Drawn:
    """Draw pictures into a folder; each page is captured once, whatever is drawn on it.

    Args:
        subjects: What to draw.
        folder: Made if it is not there.
        browser: Renders the pages.
        say: Is told after each picture how many are done of how many.

    Raises:
        InputError: The folder cannot be written to.  A page that cannot be had is a problem of its
            own and leaves the others alone.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror or error}") from error
    pages: dict[Key, list[Subject]] = {}
    for subject in subjects:
        pages.setdefault(subject.key, []).append(subject)
    pictures: dict[tuple[Key, str], Path] = {}
    problems: dict[tuple[Key, str], str] = {}
    done = 0
    for same_page in pages.values():
        found: tuple[Page, Gold] | PageletError
        try:
            page = browser.capture(same_page[0].document())
            found = page, same_page[0].gold(page)
        except PageletError as error:
            found = error
        for subject in same_page:
            place = subject.key, subject.setup
            if isinstance(found, PageletError):
                problems[place] = str(found)
            else:
                path = folder / f"{slug(*subject.key, subject.setup)}.jpg"
                try:
                    _draw(browser, subject, *found).save(path)
                    pictures[place] = path
                except CaptureError as error:
                    problems[place] = str(error)
            done += 1
            say(done, len(subjects))
    return Drawn(pictures, problems)


@dataclass(frozen=True, eq=False)
class _Picture:
    image: QImage

    def save(self, path: Path) -> None:
        if not self.image.save(str(path), quality=_QUALITY):
            raise InputError(f"cannot write {path}")


def _draw(browser: Browser, subject: Subject, page: Page, gold: Gold) -> _Picture:
    results: dict[str, Result] = {}
    note = subject.why_not
    if not note:
        outcome = attempt(subject.entry, page, subject.params, subject.form)
        note = outcome.error
        if outcome.result is not None:
            results[subject.entry.key] = outcome.result
    levels = (0,) if subject.entry.output == "extraction" else (1, 2)
    kinds = [layer for k, layer in enumerate(gold_layers()) if k in levels]
    golds = [layer for k, layer in zip(levels, kinds, strict=True) if gold.of_level(k)]
    layers = [*([method_layer(subject.entry.key, 0)] if results else []), *golds]
    draw_layers(browser, page, layers, gold, results)
    return _Picture(_with_head(browser.picture(), subject, layers, note))


def _with_head(image: QImage, subject: Subject, layers: Sequence[LayerState], note: str) -> QImage:
    """Return the picture with a band above it that says what it shows."""
    whole = QImage(image.width(), image.height() + _BAND_PX, QImage.Format.Format_RGB32)
    whole.fill(QColor("#ffffff"))
    painter = QPainter(whole)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    font = QFont(painter.font())
    font.setPixelSize(13)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    right = float(image.width() - _PAD_PX)
    middle = Qt.AlignmentFlag.AlignVCenter
    for layer in layers[::-1]:
        name = f"Gold: {layer.name.lower()}" if layer.is_gold else subject.setup
        wide = metrics.horizontalAdvance(name)
        right -= wide
        painter.setPen(QColor("#16181d"))
        painter.drawText(QRectF(right, 0, wide + 2, _BAND_PX), middle, name)
        right -= _BOX_PX + 6
        box = QRectF(right, (_BAND_PX - 14) / 2, _BOX_PX, 14)
        draw_box(painter, box, layer.color, layer.dash)
        right -= _PAD_PX
    said = [subject.key[1], f"{subject.setup}: {note}" if note else subject.says]
    text = "  ·  ".join(filter(None, said))
    text = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, max(right - 2 * _PAD_PX, 60))
    painter.setPen(QColor("#16181d"))
    painter.drawText(QRectF(_PAD_PX, 0, max(right, 80), _BAND_PX), middle, text)
    painter.drawImage(0, _BAND_PX, image)
    painter.end()
    return whole
