"""Capture: a document in a view becomes a `Page`.

Load, settle, freeze, collect.  The first ``loadFinished`` counts; a page that does not finish
loading is stopped and taken as it is, with a note; one that does not answer at all has its renderer
killed, after which the view is ready for the next document.  From the freeze on the page's scripts
are off and it gets nothing more from folder or network, so that its DOM stays what was read.
"""

import json
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWebEngineCore import QWebEngineFrame, QWebEngineLoadingInfo, QWebEnginePage

from engine.document import Document
from engine.errors import CaptureError, InputError, LoadTimeout, RendererDied
from engine.fetch import Received
from engine.nodes import STYLE_PROPERTIES
from engine.page import Page
from engine.source import Source
from engine.web.snapshot import FrameReply, node_table
from engine.web.view import PageView
from resources import read_text

log = logging.getLogger(__name__)

SETTLE_S = 4.0
_POLL_MS = 20
_REPLY_S = 20.0
_PING_S = 3.0
_MAX_FRAMES = 100
_WATCH_MS = 250
_IDLE_S = 1.5
_DEATH_MS = 3000
_REST_S = 60.0  # settling and reading together never take as long

_READY_STATE = """window.location.href === 'about:blank' ? 'loading' :
  Object.getOwnPropertyDescriptor(Document.prototype, 'readyState').get.call(document)"""
_WHICH_FRAME = """(() => {
  const path = [];
  for (let at = window; at !== at.parent; at = at.parent) {
    let index = -1;
    for (let k = 0; k < at.parent.length; k++) if (at.parent[k] === at) index = k;
    path.unshift(index);
  }
  return path;
})()"""


class Capture(QObject):
    """One capture; ``done`` or ``failed`` comes exactly once, neither after `cancel`.

    Args:
        view: Where the document is loaded; it belongs to the capture until that is over.
        document: What to load.
        timeout_s: How long loading may take, settling not included.
    """

    done = Signal(object)  # Page
    failed = Signal(object)  # CaptureError or InputError
    progress = Signal(str)  # what is going on
    _received = Signal(object)  # Received, or the InputError

    def __init__(
        self,
        view: PageView,
        document: Document,
        *,
        timeout_s: float = 20.0,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._document = document
        self._timeout_s = timeout_s
        self._notes: list[str] = []
        self._is_over = False
        self._is_loaded = False
        self._original: Received | InputError | None = None
        self._page: Page | None = None
        self._verdict: CaptureError | None = None
        self._replies: list[FrameReply] = []
        self._waiting = 0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_late)
        self._deadline = QTimer(self, singleShot=True)
        self._deadline.timeout.connect(self._on_deadline)
        self._watch = QTimer(self, interval=_WATCH_MS)
        self._watch.timeout.connect(self._on_watch)
        self._received.connect(self._on_received)

    def start(self) -> None:
        """Begin; the signals tell the rest."""
        view, document = self._view, self._document
        view.loaded.connect(self._on_loading)
        view.renderer_died.connect(self._on_death)
        try:
            if not document.is_live:
                self._original = document.receive()
            view.open(document)
        except InputError as error:
            problem = error  # the name `error` ends with this block
            QTimer.singleShot(0, self, lambda: self._fail(problem))
            return
        if document.is_live:
            threading.Thread(target=self._fetch, daemon=True).start()
        else:
            self._watch.start()
        self.progress.emit(f"loading {document.name}")
        self._timer.start(int(self._timeout_s * 1000))
        self._deadline.start(int((self._timeout_s + _REST_S) * 1000))

    def cancel(self) -> None:
        """Stop; no signal follows, and the view is ready for the next document."""
        if self._finish():
            view = self._view
            view.page().triggerAction(QWebEnginePage.WebAction.Stop)
            view.run("true", lambda _: None, self._on_still_busy, timeout_s=_PING_S)

    def _on_still_busy(self, error: CaptureError) -> None:
        if isinstance(error, LoadTimeout) and self._view.document is self._document:
            self._view.kill_renderer()

    # Load

    def _on_loading(self, info: QWebEngineLoadingInfo) -> None:
        status = info.status()
        if self._is_over or self._is_loaded:
            return
        if status == info.LoadStatus.LoadFailedStatus:
            reason = info.errorString() or "it is no page a browser shows"
            self._fail(CaptureError(f"could not load {self._document.address}: {reason}"))
            return
        if status == info.LoadStatus.LoadStoppedStatus and not self._notes:
            self._notes.append("loading was stopped by the page")
        self._on_loaded()

    def _on_watch(self) -> None:
        """See whether a local page has all it asked for and yet does not end loading.

        An ``iframe`` that a script opened and never closed is enough for that, or an image that
        asks for its missing file again and again.  Local requests are answered at once, so a parsed
        page that was given nothing for a while has what it can get.
        """
        if time.monotonic() - self._view.gate.served_at > _IDLE_S:
            self._watch.stop()
            self._run(_READY_STATE, self._on_idle, _REPLY_S)

    def _on_idle(self, state: str) -> None:
        if self._is_loaded:
            return
        if state == "loading":  # a script still runs, or has yet to ask for more
            self._watch.start()
            return
        self._notes.append("loading came to no end, though nothing more came")
        self._view.page().triggerAction(QWebEnginePage.WebAction.Stop)
        self._on_loaded()

    def _on_late(self) -> None:
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
        self._watch.stop()
        self.progress.emit("waiting for the page to settle")
        options = json.dumps({"scripts": self._document.scripts, "limit": int(SETTLE_S * 1000)})
        still = f"({read_text('js/freeze.js')})()"
        settle = f"({read_text('js/settle.js')})({options})"
        self._run(f"{still} && {settle}", self._poll, timeout_s=_PING_S)

    # Settle

    def _poll(self, _: object = None) -> None:
        self._run("pagelet.settling", self._on_poll, timeout_s=SETTLE_S + _PING_S)

    def _on_poll(self, state: dict[str, Any]) -> None:
        if not state["done"]:
            QTimer.singleShot(_POLL_MS, self, self._poll)
            return
        self._notes.extend(f"{note} after {SETTLE_S:g} s" for note in state["notes"])
        self.progress.emit("reading the page")
        self._view.set_page_scripts(False)
        self._view.gate.is_shut = True
        self._collect()

    # Collect

    def _collect(self) -> None:
        frames = _frames_below(self._view.page().mainFrame())[:_MAX_FRAMES]
        self._replies = []
        self._waiting = len(frames)
        for frame in frames:
            self._view.run(
                f"{{path: {_WHICH_FRAME}, columns: {_collector(serialise=False)}}}",
                self._on_frame,
                self._on_frame_error,
                timeout_s=_REPLY_S,
                frame=frame,
            )
        if not frames:
            self._collect_main()

    def _on_frame(self, reply: dict[str, Any]) -> None:
        if reply["columns"] is not None:
            self._replies.append(FrameReply(tuple(map(int, reply["path"])), reply["columns"]))
        self._on_frame_over()

    def _on_frame_error(self, error: CaptureError) -> None:
        if isinstance(error, RendererDied | LoadTimeout):
            self._on_error(error)
            return
        log.info("a frame could not be read: %s", error)
        self._notes.append("a frame could not be read")
        self._on_frame_over()

    def _on_frame_over(self) -> None:
        self._waiting -= 1
        if not self._waiting and not self._is_over:
            self._collect_main()

    def _collect_main(self) -> None:
        self._run(_collector(serialise=True), self._on_collected, timeout_s=_REPLY_S)

    def _on_collected(self, columns: dict[str, Any] | None) -> None:
        if columns is None:
            self._fail(CaptureError("the page has removed its own root element"))
            return
        document = self._document
        if columns["address"] == "about:blank":
            self._fail(LoadTimeout(f"{document.address} did not answer in {self._timeout_s:g} s"))
            return
        if tuple(columns["viewport"]) != document.viewport or columns["ratio"] != 1:
            width, height = columns["viewport"]
            self._notes.append(
                f"drawn in {width}x{height} at {columns['ratio']:g} px a CSS px, "
                f"not in {document.viewport[0]}x{document.viewport[1]}"
            )
        try:
            nodes, local_rows = node_table([FrameReply((), columns), *self._replies])
        except CaptureError as error:
            self._fail(error)
            return
        self._view.local_rows = local_rows
        self._page = Page(
            url=document.address,
            dom=Source.from_text(columns["html"]),
            nodes=nodes,
            viewport=document.viewport,
            title=" ".join(columns["title"].split()),
        )
        self._finish_page()

    # The document's own bytes

    def _fetch(self) -> None:
        """Run in a thread of its own; the signal brings the answer to the GUI thread."""
        answer: Received | InputError
        try:
            answer = self._document.receive(self._timeout_s)
        except InputError as error:
            answer = error
        try:
            self._received.emit(answer)
        except RuntimeError:  # the capture was deleted in the meantime
            log.debug("the answer of %s came too late", self._document.address)

    def _on_received(self, answer: Received | InputError) -> None:
        self._original = answer
        self._finish_page()

    def _finish_page(self) -> None:
        if self._page is None or self._original is None or not self._finish():
            return
        original = None
        if isinstance(self._original, InputError):
            self._notes.append(f"no original HTML: {self._original}")
        else:
            original = Source.from_bytes(self._original.data, self._original.charset)
        page = self._page
        assert page.nodes is not None
        page = Page(
            url=page.url,
            original=original,
            dom=page.dom,
            nodes=page.nodes,
            viewport=page.viewport,
            title=page.title,
            notes=tuple(dict.fromkeys(self._notes)),
        )
        log.info("captured %s, %d nodes", page.url, len(page.rendered()))
        self.done.emit(page)

    # Ends

    def _run(self, script: str, then: Callable[[Any], None], timeout_s: float) -> None:
        def go_on(value: Any) -> None:  # noqa: ANN401  any JSON value
            if not self._is_over:
                then(value)

        if not self._is_over and self._verdict is None:
            self._view.run(script, go_on, self._on_error, timeout_s)

    def _on_error(self, error: CaptureError) -> None:
        if self._is_over or self._verdict is not None:
            return
        if not isinstance(error, LoadTimeout):
            self._fail(error)
            return
        # Said when the renderer has gone, so that the next document meets no dying one.
        self._verdict = LoadTimeout(f"{self._document.address} hangs: {error}; it was stopped")
        self._view.kill_renderer()
        QTimer.singleShot(_DEATH_MS, self, lambda: self._on_death("it does not die"))

    def _on_deadline(self) -> None:
        self._on_error(LoadTimeout("it was not read in time"))

    def _on_death(self, what: str) -> None:
        self._fail(self._verdict or RendererDied(f"{self._document.address}: {what}"))

    def _fail(self, error: CaptureError | InputError) -> None:
        if self._finish():
            self.failed.emit(error)

    def _finish(self) -> bool:
        if self._is_over:
            return False
        self._is_over = True
        self._timer.stop()
        self._deadline.stop()
        self._watch.stop()
        self._view.loaded.disconnect(self._on_loading)
        self._view.renderer_died.disconnect(self._on_death)
        return True


def _collector(*, serialise: bool) -> str:
    options = json.dumps({"properties": STYLE_PROPERTIES, "serialise": serialise})
    still = f"({read_text('js/freeze.js')})()"
    return f"({still} && ({read_text('js/collect.js')})({options}))"


def _frames_below(frame: QWebEngineFrame) -> list[QWebEngineFrame]:
    found = []
    for child in frame.children():
        found.append(child)
        found.extend(_frames_below(child))
    return found
