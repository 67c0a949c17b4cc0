"""Capture: a document in a view becomes a `Page`.

Load, settle, freeze, collect.  The first ``loadFinished`` counts; a page that does not finish
loading is stopped and taken as it is, with a note; one that never answers has its renderer killed,
after which the view is ready for the next document.  From the freeze on the page's scripts are off
and it gets nothing more from folder or network, so that its DOM stays what was read.

Whatever goes wrong in any of these steps, in the page or in here, ends in one ``failed``.
"""

import contextlib
import functools
import json
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWebEngineCore import QWebEngineLoadingInfo, QWebEnginePage

from engine.document import Document
from engine.errors import CaptureError, InputError, LoadTimeout, MemoryExceeded, RendererDied
from engine.fetch import Received
from engine.page import Page
from engine.source import Source
from engine.web import profile
from engine.web.collected import FrameReply, node_table
from engine.web.collecting import FrameCollector, collector, notes_on
from engine.web.crash_cause import death, likely_cause, load_failure
from engine.web.event_loop import collect_here
from engine.web.frame_steps import FrameStep, settle, thaw
from engine.web.memory_watch import watch
from engine.web.page_time import HangWatch, IdleWatch
from engine.web.scripts import total
from engine.web.view import IS_ARMED, PageView
from engine.words import shorten
from resources import read_text

log = logging.getLogger(__name__)

ENDLESS = (
    "the page went on loading though nothing more came; load it again (F5) if something is missing"
)
SETTLE_S = 4.0
_MOST_SETTLE_S = 16.0  # on a slow machine
_POLL_MS = (4, 4, 4, 8, 8, 12)
"""Pauses between the first looks whether a page has settled: one without scripts needs some 20 ms
..."""
_LATER_POLL_MS = 20
"""... and between later ones."""
_PING_S = 3.0
_DEATH_MS = 3000
_HANGS_S = 8.0
"""Processor time without an answer, from a page that is not being read."""
_MOST_STARTS = 3  # a new profile starts with an empty table (`IS_ARMED`)

_REST = 2.0
"""Settling and reading together may take so many times as long as loading; not less than this:"""
_LEAST_REST_S = 7.0

_IS_BLANK = "window.location.protocol === 'about:'"
_READY_STATE = f"""{_IS_BLANK} ? 'blank' :
  Object.getOwnPropertyDescriptor(Document.prototype, 'readyState').get.call(document)"""
_SHOW = "(pagelet.held?.replaceSync(''), true)"  # reading is over: see hold.js
_SETTLING = "{...pagelet.settling, triedToBlank: pagelet.hasTriedToBlank === true}"


class Capture(QObject):
    """Capture of a page; ``done`` or ``failed`` comes exactly once, neither after `cancel`.

    Args:
        view: Where the document is loaded; it belongs to the capture until that is over.
        document: What to load.
        timeout_s: How long loading may take, settling not included.
        clicks: Selectors or XPaths of elements to click before the page is read, one after the
            other.

    Attributes:
        clicked: The clicked elements, in words.
        lost: Parts of a recorded page that no file can store.
        address: The final address, after redirects.
        starts: Number of loads: more than one where a renderer lacked the view's scripts.
    """

    done = Signal(object)  # Page
    failed = Signal(object)  # CaptureError or InputError
    progress = Signal(str)  # current step
    _received = Signal(object)  # Received, or the InputError

    def __init__(
        self,
        view: PageView,
        document: Document,
        *,
        timeout_s: float = 20.0,
        clicks: Sequence[str] = (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._clicks = list(clicks)
        self.clicked: list[str] = []
        self._view = view
        self._document = document
        self._timeout_s = timeout_s
        self._notes: list[str] = []
        self._is_over = False
        self._is_loaded = False
        self._is_late = False
        self.starts = 1
        self.lost: tuple[str, ...] = ()
        self.address = document.url
        self._charset = ""
        self._end = math.inf  # deadline (`time.monotonic`)
        self._original: Received | InputError | None = None
        self._page: Page | None = None
        self._verdict: CaptureError | None = None
        self._replies: list[FrameReply] = []
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_late)
        self._deadline = QTimer(self, singleShot=True)
        self._deadline.timeout.connect(self._on_deadline)
        self._idle = IdleWatch(view, self._on_idle, script=_READY_STATE, parent=self)
        self._frames = FrameCollector(view, self._notes, self)
        self._frames.done.connect(self._on_frames)
        self._frames.failed.connect(self._on_error)
        self._frames.crashed.connect(self._on_crash)
        self._hangs = HangWatch(view, self._on_hang, limit_s=_HANGS_S, parent=self)
        self._frames_ended = 0
        self._pauses = iter(_POLL_MS)
        self._received.connect(self._on_received)

    def start(self) -> None:
        """Start; the signals report the rest, none of them before this has returned."""
        self._view.begun.connect(self._on_begun)
        self._view.loaded.connect(self._on_loading)
        self._view.renderer_died.connect(self._on_death)
        rest = max(_REST * self._timeout_s, _LEAST_REST_S)
        self._end = time.monotonic() + self._timeout_s + rest
        self._deadline.start(int((self._timeout_s + rest) * 1000))
        try:
            self._begin()
        except Exception as error:  # noqa: BLE001  (a crash becomes a result)
            problem = error  # the name `error` ends with this block
            QTimer.singleShot(0, self, lambda: self._on_crash(problem))

    def _begin(self) -> None:
        document = self._document
        watch.begin(id(self._view))
        self._frames_ended = watch.frames_ended
        if not document.is_live:
            self._original = document.receive()
        self._view.open(document)
        if document.is_live:
            collect_here()
            # The thread refers to the signal alone: the capture must not be deleted in it.
            request = document, self._timeout_s, self._received
            threading.Thread(target=_fetch, args=request, daemon=True).start()
        self.progress.emit(f"loading {document.name}")

    def _start_over(self) -> None:
        """Load once more, in a new profile: this renderer has lost the scripts of the view."""
        if self.starts >= _MOST_STARTS:
            why = "the browser did not run Pagelet's scripts; load the page again"
            self._fail(CaptureError(f"{self._document.address}: {why}"))
            return
        log.info("the page is loaded again: its renderer has lost the scripts of the view")
        self.starts += 1
        self._is_loaded = False
        self._notes.clear()
        if self._view.gate.recorder is not None:
            self._view.gate.recorder.clear()
        self._view.reopen()

    def cancel(self) -> None:
        """Stop; no signal follows, and the view is ready for the next document."""
        if self._finish():
            view = self._view
            view.give_up()
            view.run(_SHOW, lambda _: None, self._on_still_busy, timeout_s=_PING_S)

    def _on_still_busy(self, error: CaptureError) -> None:
        if isinstance(error, LoadTimeout) and self._view.document is self._document:
            self._view.kill_renderer()

    # Load

    @total
    def _on_begun(self) -> None:
        self._hangs.start()
        self._timer.start(int(self._timeout_s * 1000))
        if not self._document.is_live:
            self._idle.start()

    @total
    def _on_loading(self, info: QWebEngineLoadingInfo) -> None:
        status = info.status()
        if self._is_over or self._is_loaded:
            return
        if status == info.LoadStatus.LoadFailedStatus:
            self._fail(load_failure(self._document.address, info.errorString()))
            return
        if status == info.LoadStatus.LoadStoppedStatus and not self._notes:
            self._notes.append("loading was stopped by the page")
        self._on_loaded()

    @total
    def _on_idle(self, state: str) -> None:
        if self._is_loaded or self._is_over:
            return
        if state == "blank":  # while it loads, the page may only not have come yet
            if self._view.gate.is_served and not self._view.page().isLoading():
                self._fail(self._blank_error())
            return
        if state == "loading":  # a script still runs, or has yet to ask for more
            return
        if state != "complete":
            self._notes.append(ENDLESS)
        self._view.page().triggerAction(QWebEnginePage.WebAction.Stop)
        self._on_loaded()

    @total
    def _on_late(self) -> None:
        self._is_late = True
        self._notes.append(
            f"not fully loaded after {self._timeout_s:g} s; this is what was there by then"
        )
        self._view.page().triggerAction(QWebEnginePage.WebAction.Stop)
        self._on_loaded()

    def _on_loaded(self) -> None:
        if self._is_loaded or self._is_over:
            return
        self._is_loaded = True
        self._timer.stop()
        self._idle.stop()
        self.progress.emit("waiting for the page to settle")
        store = self._document.store
        frames = () if store is None or self._is_late else store.frames()
        if frames:
            self._await(thaw(self._view, frames, self._time_left() / 2, self), self._on_thawed)
        else:
            self._settle()

    def _await(self, step: FrameStep, then: Callable[[list[str]], None]) -> None:
        step.done.connect(then)
        step.start()

    @total
    def _on_thawed(self, lost: list[str]) -> None:
        self._notes.extend(f"not brought back from the file: {each}" for each in lost)
        self._run(f"{IS_ARMED} ? 'settling' : 'unarmed'", self._on_armed)

    @total
    def _on_armed(self, state: str) -> None:
        if state == "unarmed":
            self._start_over()
        else:
            self._settle()

    # Settle

    def _settle(self) -> None:
        most_s = min(_MOST_SETTLE_S, self._time_left() / 2)
        limits = {"limit": int(SETTLE_S * 1000), "most": int(most_s * 1000)}
        options = json.dumps({"scripts": self._document.scripts, **limits})
        still = f"({read_text('js/freeze.js')})()"
        settle = f"({read_text('js/settle.js')})({options})"
        state = f"{IS_ARMED} ? 'settling' : 'unarmed'"
        begun = f"({still} && {settle}, {state})"
        self._pauses = iter(_POLL_MS)
        self._run(begun if self._is_late else f"{_IS_BLANK} ? 'blank' : {begun}", self._on_settling)

    @total
    def _on_settling(self, state: str) -> None:
        if state == "settling":
            self._poll()
        elif state == "unarmed":
            self._start_over()
        else:  # the document left again, or has not arrived: wait
            self._is_loaded = False
            self._on_begun()

    @total
    def _poll(self) -> None:
        self._run(_SETTLING, self._on_poll)

    @total
    def _on_poll(self, state: dict[str, Any]) -> None:
        if "done" not in state:  # another document has come in its place
            self._settle()
            return
        if not state["done"]:
            QTimer.singleShot(next(self._pauses, _LATER_POLL_MS), self, self._poll)
            return
        if self._clicks:
            name = json.dumps(self._clicks[0])
            self._run(f"({read_text('js/click.js')})({name})", self._on_clicked)
            return
        self._notes.extend(f"{note} after {SETTLE_S:g} s" for note in state["notes"])
        if state["triedToBlank"]:
            self._notes.append(
                "the page tried to replace itself with a blank one and was kept from it"
            )
        if self._document.store is not None:
            self._run("pagelet.thawed?.finish() ?? true", lambda _: self._hold())
        elif self._view.gate.recorder is not None:
            self._await(settle(self._view, SETTLE_S, self), self._on_settled)
        else:
            self._hold()

    @total
    def _on_clicked(self, reply: dict[str, str]) -> None:
        """Settle the page again: content opened by a click may have to load first."""
        name = self._clicks.pop(0)
        if "problem" in reply:
            self._fail(CaptureError(f"{name} {reply['problem']}: it could not be clicked"))
            return
        self.clicked.append(f"{name}: {reply['clicked']}")
        self._settle()

    @total
    def _on_settled(self, lost: list[str]) -> None:
        self.lost = tuple(lost)
        self._hold()

    @total
    def _hold(self) -> None:
        if self._is_over:
            return
        self._hangs.stop()  # to read a large page takes long, and what reads it has a limit
        self.progress.emit("reading the page")
        self._view.set_page_scripts(False)
        self._view.gate.is_shut = True
        self._frames.collect(self._time_left(), self._frames_ended)

    # Collect

    @total
    def _on_frames(self, replies: list[FrameReply]) -> None:
        self._replies = replies
        self._collect_main()

    def _collect_main(self) -> None:
        self._run(collector(serialise=True), self._on_collected)

    @total
    def _on_collected(self, columns: dict[str, Any] | None) -> None:
        if columns is None:
            self._fail(CaptureError("the page has removed its own root element"))
            return
        document = self._document
        if columns["address"].startswith("about:blank"):
            self._fail(self._blank_error())
            return
        self.address = str(columns["address"])
        self._charset = str(columns["charset"])
        nodes, local_rows = node_table([FrameReply((), columns), *self._replies])
        has_ended = watch.frames_ended > self._frames_ended
        self._notes.extend(notes_on(document, columns, self._replies, nodes, has_ended=has_ended))
        self._view.local_rows = local_rows
        self._page = Page(
            url=document.address,
            dom=Source.from_text(columns["html"]),
            nodes=nodes,
            viewport=document.viewport,
            title=shorten(str(columns["title"])),
        )
        self._finish_page()

    def _blank_error(self) -> CaptureError:
        address = self._document.address
        if self._view.gate.is_served or not self._is_late:
            return CaptureError(f"{address} has replaced itself with a blank page")
        return LoadTimeout(f"{address} did not answer in {self._timeout_s:g} s")

    # The document's own bytes

    @total
    def _on_received(self, answer: Received | InputError) -> None:
        self._original = answer
        self._finish_page()

    def _finish_page(self) -> None:
        if self._page is None or self._original is None or self._is_over:
            return
        original = None
        if isinstance(self._original, InputError):
            self._notes.append(f"no original HTML: {self._original}")
        else:
            received = self._original
            original = Source.of(received, self._charset)
            self._notes.extend(original.notes)
        if refused := self._view.refused:
            self._notes.append(f"the page wanted to go on to {refused[0]}; its own text was kept")
        page = replace(self._page, original=original, notes=tuple(dict.fromkeys(self._notes)))
        log.info("captured %s, %d nodes", page.url, len(page.rendered()))
        profile.check_sandbox(self._view.page().renderProcessPid())
        self._succeed(page)

    @property
    def received(self) -> Received | None:
        """The document's own bytes; None before they are there, and where they cannot be had."""
        return None if isinstance(self._original, InputError) else self._original

    # Ends

    def _time_left(self) -> float:
        return max(self._end - time.monotonic(), 0.1)

    def _run(self, script: str, then: Callable[[Any], None]) -> None:
        if not self._is_over and self._verdict is None:
            answered = functools.partial(self._go_on, then)
            self._view.run(script, answered, self._on_error, self._time_left())

    @total
    def _go_on(self, then: Callable[[Any], None], value: Any) -> None:  # noqa: ANN401  any JSON
        if not self._is_over:
            then(value)

    @total
    def _on_error(self, error: CaptureError) -> None:
        if self._is_over or self._verdict is not None:
            return
        if isinstance(error, RendererDied | MemoryExceeded):
            self._on_death(str(error))
            return
        if not isinstance(error, LoadTimeout):
            self._fail(error)
            return
        # Reported when the renderer has ended, so that the next document meets no dying one.
        self._verdict = LoadTimeout(f"{self._document.address} hangs: {error}; it was stopped")
        self._view.kill_renderer()
        QTimer.singleShot(_DEATH_MS, self, lambda: self._on_death("it does not die"))

    @total
    def _on_hang(self, seconds: float) -> None:
        self._on_error(LoadTimeout(f"its scripts run on and on ({seconds:g} s without an answer)"))

    @total
    def _on_deadline(self) -> None:
        self._on_error(LoadTimeout("it was not read in time"))

    @total
    def _on_death(self, what: str) -> None:
        error = death(what)
        cause = likely_cause(self._original) if isinstance(error, RendererDied) else ""
        died = type(error)(f"{self._document.address}: {what}{cause}")
        self._fail(died if isinstance(died, MemoryExceeded) else self._verdict or died)

    def _on_crash(self, error: Exception) -> None:
        """Report an unexpected exception; one with a sentence for the user as it is."""
        if isinstance(error, CaptureError | InputError):
            self._fail(error)
            return
        log.error("the capture of %s crashed", self._document.address, exc_info=error)
        self._fail(CaptureError(f"{self._document.address} could not be read: {error!r}"))

    def _fail(self, error: CaptureError | InputError) -> None:
        if self._finish():
            if not isinstance(error, LoadTimeout | RendererDied | MemoryExceeded):
                with contextlib.suppress(Exception):  # this may be the call that failed
                    self._view.run(_SHOW, lambda _: None, lambda _: None, _PING_S)
            self.failed.emit(error)

    def _succeed(self, page: Page) -> None:
        if self._finish():
            self.done.emit(page)

    def _finish(self) -> bool:
        if self._is_over:
            return False
        self._is_over = True
        with contextlib.suppress(RuntimeError):  # the view was deleted, and its signals with it
            self._timer.stop()
            self._deadline.stop()
            self._idle.stop()
            self._hangs.stop()
            self._frames.stop()
            self._view.begun.disconnect(self._on_begun)
            self._view.loaded.disconnect(self._on_loading)
            self._view.renderer_died.disconnect(self._on_death)
        watch.end(id(self._view))
        return True


def _fetch(document: Document, timeout_s: float, received: Any) -> None:  # noqa: ANN401
    """Run in a separate thread; the signal brings the answer to the GUI thread."""
    answer: Received | InputError
    try:
        answer = document.receive(timeout_s)
    except InputError as error:
        answer = error
    except Exception as error:
        log.exception("%s could not be fetched", document.address)
        answer = InputError(f"it could not be fetched: {error!r}")
    try:
        received.emit(answer)
    except RuntimeError:  # the capture was deleted in the meantime
        log.debug("the answer of %s came too late", document.address)
