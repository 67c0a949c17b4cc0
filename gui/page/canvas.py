"""PageCanvas: the page in the window's centre, at a fixed layout width, with its layers drawn."""

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import QEvent, QEventLoop, QObject, QPointF, QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QImage, QPixmap
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from engine.document import Document
from engine.errors import CaptureError
from engine.page import Page
from engine.web.capture import Capture
from engine.web.event_loop import wait_in
from engine.web.picture import take_picture, take_shown
from engine.web.view import PageView
from gui.page.next_page import NextPage
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec
from gui.page.page_scale import PageScale, next_zoom
from gui.page.page_stage import PageStage, PaintWait
from gui.page.tick_bar import TickBar
from gui.widgets.events import until_collected
from gui.widgets.toasts import LoadingCover
from resources import read_text

log = logging.getLogger(__name__)

MARGIN = 12
"""px left free on each side of a page that is fitted, for rectangles to begin in."""


class PageCanvas(QWidget):
    """Loads a document, makes it a `Page`, draws layers over it and reports the mouse.

    The page keeps the layout width of its snapshot whatever the window's size: a narrower window
    shows it smaller, without a new layout.

    Attributes:
        stage: Where the page is shown.
        next_page: Reads another page ahead.
        scrolled: Vertical scroll position, the last one if the renderer has crashed; CSS px.
        shows_when_painted: Whether a page that was opened stays covered until it is painted.
    """

    captured = Signal(object)  # Page
    failed = Signal(object)  # CaptureError
    progressed = Signal(str)
    pointed = Signal(dict)  # an event of resources/js/point.js
    zoom_changed = Signal(float)
    renderer_died = Signal(str)  # cause, in words
    page_moved = Signal()  # new scroll position
    hang_changed = Signal()  # see `hangs`
    mouse_lost = Signal(str)  # what the user should know

    def __init__(
        self, view: PageView, parent: QWidget | None = None, *, margin: int = MARGIN
    ) -> None:
        super().__init__(parent)
        self.setObjectName("PageCanvas")
        self._scale = PageScale(margin)
        self.pieces: PageNumberings | None = None
        self._capture: Capture | None = None
        self._page: Page | None = None
        self._is_pictured = False  # the view has another size meanwhile
        self._specs: list[LayerSpec] = []
        self._handles: LayerSpec | None = None
        self._mode = "select"
        self.shows_when_painted = False
        self._painting = PaintWait()

        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        ground = QWidget(self)  # hides the next page behind the bar
        ground.setAutoFillBackground(True)
        ground.lower()
        self._grid.addWidget(ground, 0, 0, 1, 2)
        self.stage = self._new_stage(view)
        self.next_page = NextPage(self._new_spare, self._fit, self)
        self._arriving: Page | None = None  # ready; announced shortly
        self.scrolled = 0.0  # the page's own value is lost with its renderer
        self.bar = TickBar(self)
        keeps_room = self.bar.sizePolicy()
        keeps_room.setRetainSizeWhenHidden(True)  # one layout, at the final width
        self.bar.setSizePolicy(keeps_room)
        self.bar.valueChanged.connect(lambda value: self.scroll_down_to(value / self.zoom))
        self.bar.picked.connect(self._on_tick)
        self._grid.addWidget(self.bar, 0, 1)
        self.cover = LoadingCover(self)
        self.view.setVisible(False)

    def _new_stage(self, view: PageView) -> PageStage:
        stage = PageStage(view, self)
        stage.received.connect(self._on_event)
        stage.scrolled.connect(self._on_scrolled)
        stage.died.connect(self._on_renderer_died)
        stage.heartbeat.fell_silent.connect(self.hang_changed)
        stage.heartbeat.came_back.connect(self.hang_changed)
        stage.mouse_watch.lost.connect(self.mouse_lost)
        stage.mouse_watch.restored.connect(lambda: self.set_mode(self._mode))
        view.scrolled.connect(lambda position: self._on_page_scrolled(stage, position))
        view.extent_changed.connect(self._update_bar)
        stage.area.viewport().installEventFilter(self)
        self._grid.addWidget(stage.area, 0, 0)
        return stage

    def _new_spare(self) -> PageStage:
        """Return a hidden stage behind the visible one, which loads pages the same way."""
        stage = self._new_stage(PageView(self))
        stage.area.lower()
        stage.area.show()
        return stage

    @property
    def view(self) -> PageView:
        return self.stage.view

    def name_page(self, name: str) -> None:
        """Name the page for screen readers, where there are several."""
        self.stage.area.setAccessibleName(name)

    # loading -------------------------------------------------------------------------------
    @property
    def is_busy(self) -> bool:
        return self._capture is not None or self._arriving is not None

    @property
    def hangs(self) -> bool:
        """Whether the page has not answered for a while."""
        return self.stage.heartbeat.is_silent

    @property
    def seen(self) -> tuple[float, float]:
        """Upper and lower edge of the part of the page that is in view; CSS px."""
        return self.scrolled, self.scrolled + self.view.height() / self.zoom

    @property
    def page_height(self) -> float:
        """Largest vertical scroll position; CSS px."""
        return max(self.view.page().contentsSize().height() / self.zoom, self.seen[1])

    def prepare(self, document: Document | None) -> None:
        """Preload a page that is likely to be opened next; None discards the preloaded one."""
        self.next_page.prepare(document)

    def warm_up(self) -> None:
        """Start a spare renderer for an unforeseen page."""
        self.view.warm_up()

    def load(self, document: Document) -> None:
        """Start loading; ends in `captured` or `failed`."""
        self.stop()
        if self._scale.is_large and self._page is not None:
            self.hold()  # an audience sees the slide before until the next one is drawn
        self._page, self.pieces, self._specs, self._handles = None, None, [], None
        page = self.next_page.take(document)
        if page is not None:  # the page before is now behind it
            before, self.stage = self.stage, self.next_page.change(self.stage)
            before.area.lower()
            self.view.setVisible(True)
            for part in (self.stage.area, self.bar, self.cover):
                part.raise_()
            self._arriving = page
            QTimer.singleShot(0, self._arrive)
            return
        self.next_page.prepare(None)
        self.view.setVisible(True)
        self.bar.setVisible(False)
        self.cover.cover()
        capture = self._capture = Capture(self.view, document)
        capture.progress.connect(self.progressed)
        capture.done.connect(self._on_captured)
        capture.failed.connect(self._on_failed)
        capture.start()
        self.stage.heartbeat.start()

    def _arrive(self) -> None:
        page, self._arriving = self._arriving, None
        if page is not None:
            self.stage.heartbeat.start()
            self._on_captured(page, is_drawn_on=True)

    def stop(self) -> None:
        self.stage.rest()
        self._arriving = None
        if self._capture is not None:
            capture, self._capture = self._capture, None
            capture.cancel()
            self.cover.uncover()

    def show_nothing(self) -> None:
        self.stop()
        self._page = None
        self.view.setVisible(False)
        self.bar.setVisible(False)

    def dispose(self) -> None:
        """Delete the pages with their profiles; the canvas cannot be used afterwards."""
        self.next_page.dispose()
        self.view.dispose()

    def _on_captured(self, page: Page, *, is_drawn_on: bool = False) -> None:
        self._capture = None
        self.scrolled, self._page = 0.0, page
        self.pieces = PageNumberings(page.rendered(), self.view.local_rows)
        if not is_drawn_on:
            self.view.run(read_text("js/overlay.js"), _ignore, self._on_script_error)
        self.bar.setVisible(True)
        self._apply_zoom()
        if self.shows_when_painted:
            self.once_painted(self.release)
        elif not self._scale.is_large:
            self.cover.uncover()
        self.stage.mouse_watch.check()
        self.captured.emit(page)

    def _on_failed(self, error: CaptureError) -> None:
        self._capture = None
        self.stage.heartbeat.stop()
        self.view.setVisible(False)
        self.cover.uncover()
        self.failed.emit(error)

    def _on_event(self, stage: PageStage, event: dict[str, Any]) -> None:
        if stage is self.stage:
            self.pointed.emit(event)
            if event["event"] == "menu":
                at = (QPointF(*event["view"]) * self.zoom).toPoint()
                screen = self.view.mapToGlobal(at)
                asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, screen)
                QApplication.sendEvent(self, asked)

    def _on_renderer_died(self, stage: PageStage, what: str) -> None:
        if stage is not self.stage:
            self.next_page.forget()
            return
        if self._capture is None and self._page is not None:
            self._page, self.pieces = None, None
            self.stage.rest()
            self.cover.cover()
            self.renderer_died.emit(what)

    def _on_script_error(self, error: Exception) -> None:
        if self._page is not None:
            log.warning("the page's drawing script failed: %s", error)

    # drawing -------------------------------------------------------------------------------
    @property
    def drawn(self) -> tuple[LayerSpec, ...]:
        """The layers on the page, bottom first."""
        return tuple(self._specs)

    def draw(self, specs: list[LayerSpec]) -> None:
        """Replace the drawn layers by these, bottom first."""
        if specs != self._specs:
            self._specs = specs
            self._painting.note_drawing()
            self._call("pagelet.overlay.setLayers", specs)

    def once_drawn(self, call: Callable[[], None]) -> None:
        """Call a function after the page has drawn the last layers, or failed to."""
        self.view.run("true", lambda _: call(), lambda _: call())

    def await_painted(self) -> bool:
        """Wait until the drawing is on screen; return whether it is.

        Keys and clicks made in the meantime are handled afterwards, in order.  Returns at once if
        the page is not visible.
        """
        if self._painting.is_over or self._page is None or not self.view.isVisible():
            return True
        return self._painting.wait(self.view, self.stage.bridge)

    def hold(self) -> None:
        """Cover the page with a picture of itself until `release`, while changes are drawn.

        The cover of a page that is being opened stays.
        """
        if not self.cover.isVisible():
            self.cover.cover(self.grab())

    def release(self) -> None:
        """Show the page again, unless it is still being opened."""
        if not self.is_busy:
            self.cover.uncover()

    @property
    def is_seen(self) -> bool:
        """Whether the page is open and shown without its cover; views may still lie over it."""
        is_open = self._page is not None and not self.is_busy and self.view.isVisible()
        return is_open and not self.cover.isVisible()

    @property
    def is_painted(self) -> bool:
        """Whether the last drawing is known to be on screen; `once_painted` asks for it."""
        return self._painting.is_over

    def once_painted(self, call: Callable[[], object]) -> None:
        """Call a function once the drawing is on screen, or a second later; at once if no page is.

        The calls come in their order; none waits for another.
        """
        if self._page is None or not self.view.isVisible():
            call()
        else:
            self._painting.call(self.view, self.stage.bridge, call)

    def draw_candidate(self, spec: LayerSpec | None) -> None:
        """Draw the candidate of a click; None for nothing."""
        self._call("pagelet.overlay.setCandidate", spec)

    def draw_handles(self, spec: LayerSpec | None) -> None:
        """Draw the handles of what is selected; None for nothing."""
        if spec != self._handles:
            self._handles = spec
            self._call("pagelet.handles.set", spec)

    def end_drag(self) -> None:
        """Give up what is being dragged on the page."""
        self._call("pagelet.endDrag", None)

    def draw_highlight(self, spec: LayerSpec | None) -> None:
        """Draw the item that a panel highlights; None for nothing."""
        self._call("pagelet.overlay.setLight", spec)

    def set_mode(self, mode: str) -> None:
        """Set the meaning of a click: ``select``, ``main``, ``level-1`` or ``level-2``."""
        self._mode = mode
        self._call("pagelet.setMode", mode)

    def scroll_to(self, row: int) -> None:
        if self.pieces is not None:
            self._painting.note_drawing()
            self._call("pagelet.overlay.scrollTo", self.pieces.piece(row))

    def reveal(self, rows: Iterable[int]) -> None:
        """Scroll to the first of some rows, unless one is visible already."""
        if self.pieces is not None:
            self._painting.note_drawing()
            self._call("pagelet.overlay.reveal", [self.pieces.piece(row) for row in rows])

    def scroll_to_texts(self, texts: Sequence[tuple[int, int, int]]) -> None:
        """Scroll to parts of texts, each a row, start and end: at least their beginning."""
        if self.pieces is not None:
            ranges = [self.pieces.range(*position) for position in texts]
            self._call("pagelet.overlay.scrollToTexts", ranges)

    def picture(self) -> QPixmap:
        return self.view.grab()

    def settled_picture(self) -> QImage:
        """Return what the page area shows once all is painted; `CaptureError` if it died."""
        return take_shown(self.view, self._ask)

    def whole_picture(self, script: str = "") -> tuple[QImage, Any]:
        """Return a picture of the whole page without layers, 1 px per CSS px, and a result.

        The script is evaluated while the page is as in the picture.  Input of the user in the
        meantime, some 100 to 500 ms, is handled afterwards.

        Raises:
            CaptureError: The page died.
        """
        position, specs = self.view.page().scrollPosition().y(), self._specs
        handles = self._handles
        self.draw([])
        self.draw_candidate(None)
        self.draw_handles(None)
        self.cover.cover()
        self._is_pictured = True
        try:
            image = take_picture(self.view, self._ask)
            return image, self._ask(script) if script else None
        finally:
            self._is_pictured = False
            self._apply_zoom()
            self.draw(specs)
            self.draw_handles(handles)
            self._call("scrollTo", {"top": position / self.zoom, "behavior": "instant"})
            self.cover.uncover()

    def _ask(self, script: str) -> Any:  # noqa: ANN401  any JSON value
        """Evaluate in the isolated world and wait for the answer; raises `CaptureError`."""
        loop, answer = QEventLoop(), Future[Any]()
        answer.add_done_callback(lambda _: loop.quit())
        self.view.run(script, answer.set_result, answer.set_exception)
        if not answer.done():
            wait_in(loop, QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        if not answer.done():  # the window was closed, and ended all loops
            raise CaptureError("the program is closing")
        return answer.result()

    def _call(self, function: str, argument: Any) -> None:  # noqa: ANN401
        if self._page is not None:
            script = f"({function}({json.dumps(argument)}), true)"
            self.view.run(script, _ignore, self._on_script_error)

    # zoom ----------------------------------------------------------------------------------
    @property
    def zoom(self) -> float:
        """The scale on screen: 1 is one CSS pixel a (device-independent) pixel."""
        return 1.0 if self._page is None else self._scale.of(self._page, self.stage.area)

    def _fit(self, page: Page, stage: PageStage) -> float:
        """Set a page to its size on screen; return its scale.

        A preloaded page gets it before it is opened, since Chromium then lays out all of it again.
        """
        zoom = self._scale.of(page, stage.area)
        stage.view.setZoomFactor(zoom)
        height = stage.area.viewport().height()
        stage.view.setFixedSize(round(page.viewport[0] * zoom), height)
        return zoom

    @property
    def least_width(self) -> int:
        """Width, px, below which a fitted page scrolls horizontally: Chromium's smallest zoom."""
        return self._scale.least_width(self._page) + self.bar.sizeHint().width()

    @property
    def is_fitted(self) -> bool:
        """Whether the page's width follows the window."""
        return self._scale.chosen is None

    def set_zoom(self, zoom: float | None) -> None:
        """Set the scale; None fits the page's width into the window (never above 1)."""
        self._scale.choose(zoom)
        self._apply_zoom()

    def set_large(self, is_large: bool) -> None:
        """Set whether the page fills any width, with lines and names legible from a distance."""
        self._scale.is_large = is_large
        self._apply_zoom()

    def zoom_by(self, steps: int) -> None:
        """Change the scale by some steps of the usual scales."""
        zoom = next_zoom(self.zoom, steps)
        if zoom is not None:
            self.set_zoom(zoom)

    def _apply_zoom(self) -> None:
        self.next_page.fit()
        if self._page is None or self.is_busy or self._is_pictured:
            return
        zoom = self._fit(self._page, self.stage)
        self._call("pagelet.overlay.setScale", self._scale.of_lines(zoom, self.stage.area))
        self._update_bar()
        self.zoom_changed.emit(zoom)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the page as high as its area, and as wide if it is fitted."""
        if event.type() == QEvent.Type.Resize:
            if watched is self.stage.area.viewport():
                self._apply_zoom()
            else:
                self.next_page.fit()
        return super().eventFilter(watched, event)

    # scrolling -----------------------------------------------------------------------------
    # The browser's own scroll bar is off, because it would take width from the page's layout.
    def _update_bar(self) -> None:
        page, visible = self.view.page(), self.view.height()
        with QSignalBlocker(self.bar):
            self.bar.setPageStep(visible)
            self.bar.setSingleStep(60)
            self.bar.setRange(0, max(0, round(page.contentsSize().height() - visible)))
            self.bar.setValue(round(page.scrollPosition().y()))

    def _on_scrolled(self, stage: PageStage, y: float) -> None:
        if stage is self.stage and self._page is not None:
            self.scrolled = y
            self.page_moved.emit()

    def scroll_down_to(self, y: float) -> None:
        """Scroll to a vertical position, CSS px."""
        self.scrolled = y
        self._call("scrollTo", {"top": y, "behavior": "instant"})

    def _on_tick(self, share: float) -> None:
        top, bottom = self.seen
        self.scroll_down_to(max(share * self.page_height - (bottom - top) / 3, 0.0))

    def _on_page_scrolled(self, stage: PageStage, position: QPointF) -> None:
        if stage is self.stage:
            with QSignalBlocker(self.bar):
                self.bar.setValue(round(position.y()))


def _ignore(_value: object) -> None:
    pass
