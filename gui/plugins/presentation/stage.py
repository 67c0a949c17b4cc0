"""Presentation: slides of the open page, changed by key, with texts below, and as files."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPixmap, QScreen

from algorithms.core.attempt import Outcome
from algorithms.results import Extraction, Segmentation
from annotate.workspace.workspace import page_key
from engine.errors import CaptureError, PageletError
from engine.page import Page
from engine.words import plural, sentence
from gui.core.main_area import PageOnCanvas, Room
from gui.core.workbench import Workbench
from gui.plugins.presentation.caption import Caption
from gui.plugins.presentation.shots import Shot, shot_of, write_slides
from gui.plugins.presentation.slides import Slide, slides_of
from gui.plugins.presentation.speaker import SpeakerWindow
from gui.state.layers import GOLD_LAYERS
from gui.state.round_steps import step_at
from gui.state.shown_scores import headline
from gui.widgets.controls import announce
from gui.widgets.events import debounce
from gui.widgets.toasts import Overlay

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
        """Show slides on the canvas, with their `caption` below it.

        A slide replaces the one before it when it is drawn, with its caption.
        """
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
        self._tick.timeout.connect(self._on_tick)
        self.caption = Caption(main_area.desk)
        main_area.column.addWidget(self.caption)
        self.caption.hide()
        self.caption.noted.connect(self._keep_note)
        self._desk = main_area.desk
        self.curtain = Overlay(self._desk)
        self.curtain.setObjectName("Curtain")
        self.curtain.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.curtain.hide()
        self.speaker: SpeakerWindow | None = None
        self._switched = main_area.switched
        self._turn = 0  # counts slides that were asked for
        self._is_drawn = True
        self._pictures: dict[str, QPixmap] = {}  # of slides, by key; for the speaker
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
        self._canvas.cover.cover()  # until the first slide is drawn
        screens = QGuiApplication.screens()
        if len(screens) > 1:
            self._choose_screen(self._canvas.screen(), screens)
        self._key, self._brought, self._seconds = "", (None, ""), 0.0
        self._clock.start()
        self._tick.start()
        self._canvas.set_large(True)
        self.caption.show()
        self._refresh()
        self._on_tick()
        if self.shown_on is not None:
            self.toggle_speaker()
        return True

    def step_back(self) -> bool:
        """Cancel saving slides; end the black screen; from the notes return to the page."""
        if self._saving is not None:
            index, self._saving = self._saving.index, None
            self.go(index)
            self._show_result("the slides were not saved")
            return True
        if self.curtain.isVisible():
            self.curtain.hide()
            return True
        if self.caption.notes.hasFocus():
            self._canvas.view.setFocus()
            return True
        if self.speaker is not None and self.speaker.notes.hasFocus():
            self.speaker.setFocus()
            return True
        return False

    def close_up(self) -> None:
        self.is_on, self.shown_on = False, None
        self._turn += 1
        self._is_drawn = True
        self.curtain.hide()
        if self.speaker is not None:
            self.speaker.hide()
        self._canvas.release()
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
            self.curtain.hide()
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
        if self.speaker is not None and self.speaker.isVisible():
            self.speaker.activateWindow()
            self.speaker.notes.setFocus()
            return
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
        self._on_tick()

    def toggle_black(self) -> None:
        """Show the audience nothing, or the slide again."""
        self.curtain.setGeometry(self._desk.rect())
        self.curtain.setVisible(self.curtain.isHidden())
        self.curtain.raise_()

    # for the speaker -----------------------------------------------------------------------
    def toggle_speaker(self) -> None:
        """Show the speaker's window, on the screen that the audience does not see, or hide it."""
        if self.speaker is None:
            self.speaker = SpeakerWindow(self._canvas.window())
            own = [each for each in self._canvas.actions() if each.objectName()[:5] == "talk-"]
            self.speaker.addActions(own)
            self.speaker.noted.connect(self._keep_note)
        if self.speaker.isVisible():
            self.speaker.hide()
            return
        self.caption.notes.hide()
        self.speaker.show_on(self._other_screen())
        self._tell_speaker()

    def swap_screens(self) -> None:
        """Exchange the audience's screen and the speaker's, if there are two."""
        other = self._other_screen()
        if other is None:
            self._session.messages.say("there is one screen only: connect another")
            return
        self.shown_on = other
        self._switched.emit()
        if self.speaker is not None and self.speaker.isVisible():
            self.speaker.show_on(self._other_screen())

    def _choose_screen(self, own: QScreen, screens: Sequence[QScreen]) -> None:
        """Take the audience's screen: the window's, unless that is the speaker's usual one."""
        first = QGuiApplication.primaryScreen()
        self.shown_on = own if own is not first else next(s for s in screens if s is not first)

    def _other_screen(self) -> QScreen | None:
        own = self.shown_on or self._canvas.screen()
        return next((each for each in QGuiApplication.screens() if each is not own), None)

    def _tell_speaker(self) -> None:
        """Show the speaker where the talk is; look ahead at the next slide if it is not known."""
        speaker = self.speaker
        if speaker is None or not speaker.isVisible() or not self.slides:
            return
        coming = self.slides[self.index + 1 : self.index + 2]
        slide = self.slides[self.index]
        place = f"{self.index + 1} / {len(self.slides)}"
        speaker.show_slide(f"{place}  {slide.title}", self._notes().get(slide.key, ""))
        picture = self._pictures.get(coming[0].key) if coming else None
        title = coming[0].title if coming else "the last slide"
        speaker.show_next(f"Next: {title}", picture)
        if coming and picture is None and self._is_drawn and self._saving is None:
            self._look_ahead(slide, coming[0])

    def _look_ahead(self, slide: Slide, coming: Slide) -> None:
        """Take a picture of the next slide, behind one of the slide that is shown."""
        page, turn, y = self._session.open.page, self._turn, self._canvas.scrolled

        def take() -> None:
            try:
                picture = self._canvas.settled_picture() if turn == self._turn else None
            except CaptureError:
                return
            if turn != self._turn or picture is None:
                return
            self._pictures[coming.key] = QPixmap.fromImage(picture)
            self._session.layers.set_fixed(slide.drawn)
            self._draw()
            self._canvas.scroll_down_to(y)
            self._canvas.once_painted(come_back)

        def come_back() -> None:
            if turn == self._turn:
                self._canvas.release()
                self._tell_speaker()

        if page is not None:
            self._canvas.hold()
            self._session.layers.set_fixed(coming.drawn)
            self._draw()
            self._canvas.reveal(self._rows(page, coming))
            self._canvas.once_painted(take)

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
        self._pictures.clear()
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
        self._turn, self._is_drawn = self._turn + 1, False
        self._canvas.hold()
        session.layers.set_fixed(slide.drawn)
        self._draw()
        self._scroll_to_rows()
        turn = self._turn
        self._canvas.once_painted(lambda: self._arrive(turn))

    @property
    def is_drawn(self) -> bool:
        """Whether the slide that was asked for is shown."""
        return self._is_drawn

    def _arrive(self, turn: int) -> None:
        """Show a slide that is drawn, unless another was asked for meanwhile."""
        session = self._session
        if turn != self._turn or not self.slides:
            return
        self._is_drawn, slide = True, self.slides[self.index]
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
        announce(self.caption, f"{where}, {slide.title}: {slide.caption} {score}".rstrip(": "))
        self._canvas.release()
        if self._saving is not None:
            self._shoot(self._saving)
        self._tell_speaker()

    def _on_tick(self) -> None:
        self.caption.show_time(self.seconds, is_running=self._clock.isValid())
        if self.speaker is not None and self.speaker.isVisible():
            self.speaker.show_time(self.caption.time.text())
            if self._canvas.cover.isHidden():
                self.speaker.now.show_picture(self._canvas.picture())

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
        if len(saving.shots) < len(self.slides):
            self.go(len(saving.shots))
            return
        try:
            written = write_slides(saving.path, saving.shots)
        except PageletError as error:
            self._end_saving(saving, str(error))
        else:
            names = " to ".join(dict.fromkeys((written[0].name, written[-1].name)))
            self._end_saving(saving, f"saved {plural(len(saving.shots), 'slide')} as {names}")

    def _shoot(self, saving: _Saving) -> None:
        """Capture the current slide."""
        try:
            self._canvas.settled_picture()
            saving.shots.append(shot_of(self._canvas, self.caption))
        except CaptureError as error:
            self._end_saving(saving, f"the slides cannot be drawn: {error}")
        else:
            self._next.start()

    def _end_saving(self, saving: _Saving, outcome: str) -> None:
        self._saving = None
        self.go(saving.index)
        self._show_result(outcome)

    def _show_result(self, words: str) -> None:
        """Show the result of saving in the line below the slide: messages wait until the end."""
        self._session.messages.say(words)
        self.caption.text.setText(sentence(words))
