"""Presentation: slides of the open page, changed by key, with texts below, and as files."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QElapsedTimer,
    QIODevice,
    QMarginsF,
    QPoint,
    QSize,
    QSizeF,
    QTimer,
)
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter, QPicture
from PySide6.QtWidgets import QWidget

from algorithms.core.attempt import Outcome
from algorithms.results import Extraction, Segmentation
from annotate.workspace.workspace import page_key
from engine.errors import CaptureError, InputError, PageletError
from engine.page import Page
from engine.whole_file import atomic_write
from engine.words import plural, sentence
from gui.core.main_area import PageOnCanvas, Room
from gui.core.workbench import Workbench
from gui.plugins.presentation.caption import Caption
from gui.plugins.presentation.slides import Slide, slides_of
from gui.state.layers import GOLD_LAYERS
from gui.state.round_steps import step_at
from gui.state.shown_scores import headline
from gui.widgets.debounce import debounce

_DPI, _POINTS = 96, 72
"""CSS px per inch, and points: a page of the PDF is as large as the slide on screen."""


@dataclass(frozen=True, eq=False)
class Shot:
    """Slide as shown: the page, and the text below it."""

    page: QImage
    words: QPicture
    words_size: QSize

    @property
    def size(self) -> QSize:
        """Size in points of the screen."""
        page = self.page.deviceIndependentSize().toSize()
        return QSize(page.width(), page.height() + self.words_size.height())


def shot_of(page: QWidget, words: QWidget) -> Shot:
    """Return a shot of two widgets, one below the other."""
    drawn = QPicture()
    painter = QPainter(drawn)
    words.render(painter, QPoint(0, 0))
    painter.end()
    return Shot(page.grab().toImage(), drawn, words.size())


def write_slides(path: Path, shots: Sequence[Shot]) -> tuple[Path, ...]:
    """Write slides; return the files.

    Args:
        path: ``talk.pdf`` for one file; ``talk.png`` for ``talk-01.png``, ``talk-02.png``, …
        shots: The slides.

    Raises:
        InputError: Nothing can be written there.
    """
    if path.suffix.lower() == ".pdf":
        _write(path, _as_pdf(shots))
        return (path,)
    digits = max(2, len(str(len(shots))))
    paths = []
    for number, shot in enumerate(shots, 1):
        paths.append(path.with_name(f"{path.stem}-{number:0{digits}}{path.suffix or '.png'}"))
        _write(paths[-1], _as_picture(shot, paths[-1]))
    return tuple(paths)


def _as_picture(shot: Shot, path: Path) -> bytes:
    ratio = shot.page.devicePixelRatio()
    image = QImage(shot.size * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    _draw(painter, shot)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    kind = path.suffix.lstrip(".").upper()
    if not image.save(buffer, kind):  # type: ignore[call-overload]
        raise InputError(f"cannot write {path}: pictures are PNG, JPEG or WebP, or all one PDF")
    return bytes(buffer.data().data())


def _as_pdf(shots: Sequence[Shot]) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DPI)
    writer.setPageMargins(QMarginsF())
    painter = QPainter()
    for number, shot in enumerate(shots):
        size = QSizeF(shot.size) * (_POINTS / _DPI)
        layout = QPageLayout(
            QPageSize(size, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch),
            QPageLayout.Orientation.Portrait,
            QMarginsF(),
        )
        writer.setPageLayout(layout)
        if number == 0:
            painter.begin(writer)
        else:
            writer.newPage()
        _draw(painter, shot)
    painter.end()
    return bytes(buffer.data().data())


def _draw(painter: QPainter, shot: Shot) -> None:
    painter.drawImage(QPoint(0, 0), shot.page)
    below = shot.size.height() - shot.words_size.height()
    painter.drawPicture(QPoint(0, below), shot.words)


def _write(path: Path, data: bytes) -> None:
    with atomic_write(path) as beside:
        beside.write_bytes(data)


NOTES = "notes"
"""Workspace setting: texts of the notes by page and slide."""


@dataclass
class _Saving:
    """Slides being saved to a file, and the slide shown before."""

    path: Path
    index: int
    shots: list[Shot] = field(default_factory=list)


class Presentation(PageOnCanvas):
    """Steps through the slides; the page stays in place, and so do marks and layers."""

    room = Room.WHOLE_SCREEN
    stays = True

    def __init__(self, workbench: Workbench) -> None:
        """Show slides on the canvas, with their `caption` below it."""
        session, main_area = workbench.session, workbench.main_area
        super().__init__(session, workbench.canvas, workbench)
        self._workspace, self._draw = workbench.workspace, workbench.drawing.draw
        self._title_of = workbench.pages.title
        self.is_on = False
        self.slides: tuple[Slide, ...] = ()
        self.index = 0
        self._key = ""  # of the slide shown, so that the next page begins with the same
        self._brought: tuple[Page | None, str] = None, ""  # page and slide last brought into view
        self._seconds = 0.0  # on the clock before it ran on
        self._clock = QElapsedTimer()
        self._tick = QTimer(self)
        self._tick.setInterval(250)
        self._tick.timeout.connect(self._show_time)
        self.caption = Caption(main_area.desk)
        main_area.column.addWidget(self.caption)
        self.caption.hide()
        self.caption.noted.connect(self._keep_note)
        self._saving: _Saving | None = None
        self._next = debounce(self, 0, self._save_next)
        self._soon = debounce(self, 0, self._refresh)
        for signal in (
            session.open.page_changed,
            session.open.document_changed,
            session.open.gold_changed,
            session.layers.scores_changed,
            session.layers.layers_changed,
            session.layers.outcome_changed,
        ):
            signal.connect(self._on_changed)

    # beginning and ending -------------------------------------------------------------------
    def open(self) -> bool:
        if self._session.open.page is None:
            return False
        self.is_on = True
        self._key, self._brought, self._seconds = "", (None, ""), 0.0
        self._clock.start()
        self._tick.start()
        self._canvas.set_large(True)
        self.caption.show()
        self._refresh()
        self._show_time()
        return True

    def step_back(self) -> bool:
        """Cancel saving slides; from the notes return to the page."""
        if self._saving is not None:
            index, self._saving = self._saving.index, None
            self.go(index)
            self._show_result("the slides were not saved")
            return True
        if self.caption.notes.hasFocus():
            self._canvas.view.setFocus()
            return True
        return False

    def close_up(self) -> None:
        self.is_on = False
        self._soon.stop()
        self._tick.stop()
        self.caption.hide()
        self._canvas.set_large(False)
        self._session.layers.set_fixed(None)

    def close_down(self) -> None:
        for timer in (self._tick, self._soon, self._next):
            timer.stop()

    # by key --------------------------------------------------------------------------------
    def step(self, by: int) -> None:
        """Show the next or previous slide, if there is one."""
        self.go(self.index + by)

    def go(self, index: int) -> None:
        if self.slides and self.is_on:
            self.index = min(max(index, 0), len(self.slides) - 1)
            self._key = self.slides[self.index].key
            self._show()

    def _scroll_to_rows(self) -> None:
        """Scroll to the rows of the slide once, so that later scrolling is kept."""
        page, slide = self._session.open.page, self.slides[self.index]
        if page is not None and (page, slide.key) != self._brought:
            self._brought = page, slide.key
            self._canvas.reveal(self._rows(page, slide))

    def _rows(self, page: Page, slide: Slide) -> list[int]:
        """Return the rows of a slide, from its first layer with any."""
        session = self._session
        for key in slide.drawn.layers:
            layer = session.layers.layer(key)
            result = session.layers.outcomes.get(key, Outcome()).result
            rows: list[int] = []
            if layer.is_gold:
                marks = session.open.gold.of_level(GOLD_LAYERS[key])
                rows = sorted(target.row for mark in marks for target in mark.targets)
            elif isinstance(result, Extraction):
                rows = page.alignment(result.source).ranges(result.spans)[:, 0].tolist()
            elif isinstance(result, Segmentation):
                step = step_at(result.rounds, slide.drawn.step) if slide.drawn.step else None
                blocks = result.blocks if step is None else step.shown.divided[:1]
                rows = [block.rows[0] for block in blocks if block.rows]
            if rows:
                return list(dict.fromkeys(rows))
        return []

    def go_last(self) -> None:
        self.go(len(self.slides) - 1)

    def toggle_notes(self) -> None:
        """Show the notes to the slide, to be read or written, or hide them."""
        notes = self.caption.notes
        notes.setVisible(notes.isHidden())
        (self._canvas.view if notes.isHidden() else notes).setFocus()

    def toggle_clock(self) -> None:
        """Pause the clock, or continue it."""
        if self._clock.isValid():
            self._seconds = self.seconds
            self._clock.invalidate()
        else:
            self._clock.start()
        self._show_time()

    @property
    def seconds(self) -> float:
        """Seconds the clock has run."""
        ran = self._clock.elapsed() / 1000 if self._clock.isValid() else 0.0
        return self._seconds + ran

    # following the session -------------------------------------------------------------------
    def _on_changed(self, _key: str = "") -> None:
        if self.is_on:
            self._soon.start()

    def _refresh(self) -> None:
        session, page = self._session, self._session.open.page
        self.slides = ()
        if page is not None:
            self.slides = slides_of(
                page.title,
                session.layers.all,
                session.layers.is_chosen,
                session.open.gold,
                session.layers.outcomes,
            )
        keys = [slide.key for slide in self.slides]
        self.index = keys.index(self._key) if self._key in keys else 0
        self._show()

    def _show(self) -> None:
        session = self._session
        if not self.slides:
            document = session.open.document
            self.caption.show_words("" if document is None else self._title_of(document))
            return
        slide = self.slides[self.index]
        session.layers.set_fixed(slide.drawn)
        score, color, dash = "", "", ""
        if slide.drawn.layer:
            layer = session.layers.layer(slide.drawn.layer)
            color, dash = layer.color, layer.dash
            scores = session.layers.scores.get(slide.drawn.layer)
            if scores is not None and not slide.drawn.step:
                outcome = session.layers.outcomes[slide.drawn.layer]
                score = f"F1 {headline(scores, layer.level, outcome.result).prf.f1:.3f}"
                score += ", gold seen" if layer.key in session.layers.gold_seen else ""
        where = f"{self.index + 1} / {len(self.slides)}"
        self.caption.show_slide(slide.title, slide.caption, where, score, color, dash)
        self.caption.show_progress(self.index + 1, len(self.slides))
        self.caption.show_notes(self._notes().get(slide.key, ""))
        self._scroll_to_rows()

    def _show_time(self) -> None:
        self.caption.show_time(self.seconds, is_running=self._clock.isValid())

    # notes ---------------------------------------------------------------------------------
    def _all_notes(self) -> dict[str, dict[str, str]]:
        stored = self._workspace.setting(NOTES)
        return stored if isinstance(stored, dict) else {}

    def _notes(self) -> dict[str, str]:
        document = self._session.open.document
        result = self._all_notes().get(page_key(document)) if document is not None else None
        if not isinstance(result, dict):
            return {}
        return {key: words for key, words in result.items() if isinstance(words, str)}

    def _keep_note(self, words: str) -> None:
        document = self._session.open.document
        if document is None or not self.slides:
            return
        slide = self.slides[self.index]
        mine = {**self._notes(), slide.key: words}
        notes = {key: each for key, each in mine.items() if each.strip()}
        with self._session.messages.errors("not saved: "):
            self._workspace.set_setting(NOTES, {**self._all_notes(), page_key(document): notes})

    # saving --------------------------------------------------------------------------------
    @property
    def picture_kinds(self) -> tuple[str, ...]:
        """File types: one file of all slides, or a picture each."""
        return ("pdf", "png")

    def save_picture(self, path: str) -> None:
        """Write all slides as shown: one PDF, or a picture each; Esc cancels."""
        folder = Path(path).parent
        if not folder.is_dir():
            self._show_result(f"cannot write {path}: there is no folder {folder}")
            return
        self._saving = _Saving(Path(path), self.index)
        self._next.start()

    @property
    def is_saving(self) -> bool:
        """Whether slides are being saved."""
        return self._saving is not None

    def _save_next(self) -> None:
        """Capture the next slide, one at a time, so that keys are handled in between."""
        saving = self._saving
        if saving is None or not self.is_on or not self.slides:
            self._saving = None
            return
        try:
            if len(saving.shots) < len(self.slides):
                self.go(len(saving.shots))
                self._draw()
                self._canvas.settled_picture()
                saving.shots.append(shot_of(self._canvas, self.caption))
                self._next.start()
                return
            written = write_slides(saving.path, saving.shots)
        except CaptureError as error:
            outcome = f"the slides cannot be drawn: {error}"
        except PageletError as error:
            outcome = str(error)
        else:
            names = " to ".join(dict.fromkeys((written[0].name, written[-1].name)))
            outcome = f"saved {plural(len(saving.shots), 'slide')} as {names}"
        self._saving = None
        self.go(saving.index)
        self._show_result(outcome)

    def _show_result(self, words: str) -> None:
        """Show the result of saving in the line below the slide: messages wait until the end."""
        self._session.messages.say(words)
        self.caption.text.setText(sentence(words))
