"""PageView: the one widget that shows a page, in the window and without one.

The page in it is locked in: it cannot navigate away, open windows, ask for anything or reach what
the gate does not let through.  A view has a profile of its own, so two views share nothing.
"""

import json
import logging
import os
import signal
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import QFile, QIODevice, QObject, Qt, QTimer, QUrl, Signal
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import (
    QWebEngineFrame,
    QWebEngineLoadingInfo,
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineScript,
    QWebEngineSettings,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget

from engine.document import VIEWPORT, Document
from engine.errors import CaptureError, InputError, LoadTimeout, RendererDied, ScriptError
from engine.tree import Ints
from engine.web import profile
from engine.web.scheme import Gate, Interceptor, Server
from resources import read_text

log = logging.getLogger(__name__)

WORLD = 1
"""The isolated world Pagelet's scripts run in: they see the DOM, the page does not see them."""

MAIN_WORLD = 0

Handler = Callable[[Any], None]

_BLANK = QUrl("about:blank")
_BLANK_MS = 3000
_SIZE_TRIES = 100
_PROBE_MS = 60
_FRAME_SCHEMES = frozenset(["pagelet", "http", "https", "data", "blob", "about"])


class LockedPage(QWebEnginePage):
    """A page that may load one document and do nothing else."""

    arrived = Signal(object)  # QWebEngineLoadingInfo: how the load that `go` started has ended

    def __init__(self, owner: QWebEngineProfile, gate: Gate, parent: QObject) -> None:
        super().__init__(owner, parent)
        self._gate = gate
        self._may_navigate = False
        self._is_under_way = False
        self._has_arrived = True
        self.permissionRequested.connect(lambda request: request.deny())
        self.fullScreenRequested.connect(lambda request: request.reject())
        self.desktopMediaRequested.connect(lambda request: request.cancel())
        self.registerProtocolHandlerRequested.connect(lambda request: request.reject())
        self.fileSystemAccessRequested.connect(lambda request: request.reject())
        self.certificateError.connect(lambda error: error.rejectCertificate())
        self.selectClientCertificate.connect(lambda choice: choice.selectNone())
        self.webAuthUxRequested.connect(lambda request: request.cancel())
        self.loadingChanged.connect(self._on_loading)
        # Without a past there is no way back: history navigations to a blank page ask nobody.
        self.urlChanged.connect(lambda _: self.history().clear())

    def go(self, url: QUrl) -> None:
        """Load a document: the one navigation of the main frame that is accepted."""
        self._may_navigate = True
        self._is_under_way = False  # what ends before the new load has begun is the one before
        self._has_arrived = False
        self.load(url)

    def _on_loading(self, info: QWebEngineLoadingInfo) -> None:
        if info.status() == info.LoadStatus.LoadStartedStatus:
            self._is_under_way = True
        elif self._is_under_way and not self._has_arrived:
            self._has_arrived = True
            self.arrived.emit(info)

    def acceptNavigationRequest(
        self, url: QUrl | str, kind: QWebEnginePage.NavigationType, is_main_frame: bool
    ) -> bool:
        """Accept the document's own load, a server's redirects of it, and frames."""
        scheme = QUrl(url).scheme()
        if not is_main_frame:
            return scheme in _FRAME_SCHEMES
        if self._may_navigate:
            self._may_navigate = False
            return True
        is_redirect = kind == QWebEnginePage.NavigationType.NavigationTypeRedirect
        document = self._gate.document
        if is_redirect and not self._has_arrived and document is not None and document.is_live:
            return scheme in ("http", "https")
        log.debug("refused to go to %s", QUrl(url).toString())
        return False

    def createWindow(self, kind: QWebEnginePage.WebWindowType) -> QWebEnginePage | None:  # type: ignore[override]
        """Open no window."""
        return None

    def javaScriptAlert(self, origin: QUrl | str, message: str) -> None:
        """Show no box: it would block."""

    def javaScriptConfirm(self, origin: QUrl | str, message: str) -> bool:
        """Say no, but let a page be left (``beforeunload`` asks the same way)."""
        return self._may_navigate or not self._has_arrived

    def javaScriptPrompt(self, origin: QUrl | str, message: str, default: str) -> tuple[bool, str]:
        """Give no answer."""
        return False, ""

    def javaScriptConsoleMessage(
        self,
        level: QWebEnginePage.JavaScriptConsoleMessageLevel,
        message: str,
        line: int,
        source: str,
    ) -> None:
        """Keep the page's chatter out of the log."""
        log.debug("console: %s (%s:%d)", message[:200], source[:100], line)

    def chooseFiles(
        self,
        mode: QWebEnginePage.FileSelectionMode,
        old_files: Sequence[str],
        types: Sequence[str],
    ) -> list[str]:
        """Hand over no file."""
        return []


class PageView(QWebEngineView):
    """Shows one document at a time, in the canonical viewport, and runs scripts in it.

    Attributes:
        local_rows: int32 (k,). The row of `Page.nodes` of each node that ``pagelet.nodes`` holds in
            the main frame's isolated world; empty until a capture is done.
    """

    loaded = Signal(object)  # QWebEngineLoadingInfo: the document's first load has ended
    renderer_died = Signal(str)  # what happened

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.local_rows: Ints = np.zeros(0, dtype=np.int32)
        self._canonical = VIEWPORT
        self._gate = Gate(self)
        profile.seal(True)
        self._profile = profile.make_profile()
        self._interceptor = Interceptor(self._gate)
        self._server = Server(self._gate)
        self._profile.setUrlRequestInterceptor(self._interceptor)
        self._profile.installUrlSchemeHandler(b"pagelet", self._server)
        self._page = LockedPage(self._profile, self._gate, self)
        self._page.renderProcessTerminated.connect(self._on_terminated)
        self._page.arrived.connect(self._on_arrived)
        self._coming: Document | None = None  # its viewport is being made ready
        self._patience = QTimer(self, singleShot=True, interval=_BLANK_MS)
        self._patience.timeout.connect(self.kill_renderer)
        self._channel: QWebChannel | None = None
        # Scripts are removed one by one: clear() before a navigation crashes (WEBENGINE 0.2).
        self._bridge_script: QWebEngineScript | None = None
        self._insert("outset", read_text("js/outset.js"), MAIN_WORLD)
        self.setPage(self._page)
        self.setAcceptDrops(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    @property
    def gate(self) -> Gate:
        """What the open document may reach, and how often it was turned away."""
        return self._gate

    @property
    def canonical_size(self) -> tuple[int, int]:
        """The viewport the page is laid out in, CSS px."""
        return self._canonical

    @property
    def document(self) -> Document | None:
        """The open document, or the one that is coming."""
        return self._coming or self._gate.document

    def open(self, document: Document) -> None:
        """Start to load a document in its viewport; raises `InputError` for a live page offline.

        A blank page comes first.  It ends the page before, scripts and all, and waits until the
        renderer knows its size: otherwise scripts that run while the page loads see the viewport
        of the page before, or none (measured: in 30 of 40 changes of size).
        """
        if document.is_live and not profile.is_online():
            raise InputError(f"{document.address} is a live page, and Pagelet was started offline")
        self.local_rows = np.zeros(0, dtype=np.int32)
        self._gate.open(None)
        self._coming = document
        self.set_canonical(document.viewport)
        self._patience.start()
        self._page.go(_BLANK)

    def _on_arrived(self, info: QWebEngineLoadingInfo) -> None:
        if self._coming is None:
            self.loaded.emit(info)
        else:
            self._await_size(_SIZE_TRIES)

    def _await_size(self, tries: int) -> None:
        def compare(size: list[int]) -> None:
            document = self._coming
            if document is None or not self._patience.isActive():
                return
            if tuple(size) == self._canonical or tries <= 0:
                self._load(document)
            else:
                QTimer.singleShot(5, self, lambda: self._await_size(tries - 1))

        self.run("[window.innerWidth, window.innerHeight]", compare, lambda _: None)

    def _load(self, document: Document) -> None:
        if profile.seal(not document.is_live):
            self._probe(document)
            return
        self._patience.stop()
        self._coming = None
        self._gate.open(document)
        # Local pages without scripts get a policy instead, which leaves <noscript> as it is live.
        self.set_page_scripts(document.scripts or not document.is_live)
        self._page.go(QUrl(document.url))

    def _probe(self, document: Document) -> None:
        """Have Chromium take notice of the changed way out, then load."""
        self._gate.lets_probe = True

        def go_on(_: object) -> None:
            if self._coming is not document or not self._patience.isActive():
                return
            self._gate.lets_probe = False
            self._load(document)

        def poll(_: object) -> None:
            QTimer.singleShot(_PROBE_MS, self, lambda: go_on(None))

        probe = json.dumps(profile.PROBE)
        script = f"(fetch({probe}, {{mode: 'no-cors'}}).catch(() => 0), true)"
        self.run(script, poll, go_on)

    def set_canonical(self, viewport: tuple[int, int] = VIEWPORT) -> None:
        """Make the viewport this many CSS px, of one device pixel each, on any screen."""
        scale = self.devicePixelRatioF()
        self._canonical = viewport
        self.setZoomFactor(1.0 / scale)
        self.setFixedSize(round(viewport[0] / scale), round(viewport[1] / scale))

    def set_page_scripts(self, are_on: bool) -> None:
        """Switch the page's own scripts; off stops its timers, frames and observers where they are.

        Pagelet's scripts run in any case.  Turning them off does not lay the page out again.
        """
        attribute = QWebEngineSettings.WebAttribute.JavascriptEnabled
        self._page.settings().setAttribute(attribute, are_on)

    def set_bridge(self, bridge: QObject, scripts: Sequence[str] = ()) -> None:
        """Offer an object to Pagelet's scripts; the page's own see nothing of it.

        Args:
            bridge: Registered as ``bridge`` in the isolated world.
            scripts: Sources that run there from the start of the next documents on, after
                ``QWebChannel`` is defined.  There is no channel in sub-frames.
        """
        channel = QWebChannel(self)
        channel.registerObject("bridge", bridge)
        self._page.setWebChannel(channel, WORLD)
        if self._channel is not None:
            self._channel.deleteLater()
        self._channel = channel
        if self._bridge_script is not None:
            self._page.scripts().remove(self._bridge_script)
        source = "\n;".join([_channel_source(), *scripts])
        self._bridge_script = self._insert("bridge", source, WORLD)

    def run(
        self,
        script: str,
        on_done: Handler,
        on_error: Handler,
        timeout_s: float = 10.0,
        *,
        frame: QWebEngineFrame | None = None,
    ) -> None:
        """Evaluate an expression in the isolated world; hand its value, or a `CaptureError`, on.

        Exactly one of the two handlers is called, once: also when the renderer dies, or does not
        answer in time (`LoadTimeout`).

        Args:
            script: An expression whose value JSON can say.
            on_done: Gets the value.
            on_error: Gets the error.
            timeout_s: How long to wait.
            frame: Run there instead of in the main frame.
        """
        _Call(self, on_done, on_error, timeout_s).start(script, frame)

    def kill_renderer(self) -> None:
        """End the process that draws the page: the only cure for a script that never returns."""
        pid = self._page.renderProcessPid()
        if pid > 0:
            os.kill(pid, signal.SIGKILL)

    def renew(self) -> None:
        """End the renderer and what it has amassed; the page in it is gone."""
        self._gate.open(None)
        self.local_rows = np.zeros(0, dtype=np.int32)
        was_visible = self.isVisible()
        self.hide()  # a visible page cannot be discarded
        self._page.setLifecycleState(QWebEnginePage.LifecycleState.Discarded)
        self._page.setLifecycleState(QWebEnginePage.LifecycleState.Active)
        self.setVisible(was_visible)

    def dispose(self) -> None:
        """Delete the page, then its profile; the view is of no use afterwards."""
        if shiboken6.isValid(self._page):
            shiboken6.delete(self._page)
        if shiboken6.isValid(self._profile):
            shiboken6.delete(self._profile)

    def _insert(self, name: str, source: str, world: int) -> QWebEngineScript:
        script = QWebEngineScript()
        script.setName(name)
        script.setWorldId(world)
        script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
        script.setRunsOnSubFrames(True)
        script.setSourceCode(source)
        self._page.scripts().insert(script)
        return script

    def _on_terminated(self, status: QWebEnginePage.RenderProcessTerminationStatus) -> None:
        if status == QWebEnginePage.RenderProcessTerminationStatus.NormalTerminationStatus:
            return
        if self._coming is not None:  # the page before hung; the next one starts in a new process
            self._patience.start()
            self._page.go(_BLANK)
        else:
            self.renderer_died.emit("the process that draws the page has died")


class _Call(QObject):
    """One evaluation; answers once."""

    def __init__(
        self, view: PageView, on_done: Handler, on_error: Handler, timeout_s: float
    ) -> None:
        super().__init__(view)
        self._view = view
        self._on_done = on_done
        self._on_error = on_error
        self._is_over = False
        self._seconds = timeout_s
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)
        view.renderer_died.connect(self._on_death)

    def start(self, script: str, frame: QWebEngineFrame | None) -> None:
        enveloped = (
            "(() => { try { return JSON.stringify({value: (" + script + ")}) } "
            "catch (e) { return JSON.stringify({error: String(e && e.stack || e)}) } })()"
        )
        self._timer.start(int(self._seconds * 1000))
        if frame is None:
            self._view.page().runJavaScript(enveloped, WORLD, self._on_reply)
        else:
            frame.runJavaScript(enveloped, WORLD, self._on_reply)

    def _on_reply(self, reply: object) -> None:
        if self._is_over:
            return
        if not isinstance(reply, str) or not reply:
            self._fail(ScriptError("the page closed before it could be read"))
            return
        envelope = json.loads(reply)
        if "error" in envelope:
            self._fail(ScriptError(f"a script failed in the page: {envelope['error']}"))
        elif self._finish():
            self._on_done(envelope.get("value"))

    def _on_timeout(self) -> None:
        self._fail(LoadTimeout(f"the page did not answer within {self._seconds:g} s"))

    def _on_death(self, what: str) -> None:
        self._fail(RendererDied(what))

    def _fail(self, error: CaptureError) -> None:
        if self._finish():
            self._on_error(error)

    def _finish(self) -> bool:
        if self._is_over:
            return False
        self._is_over = True
        self._timer.stop()
        if shiboken6.isValid(self):
            self.deleteLater()
        return True


def _channel_source() -> str:
    file = QFile(":/qtwebchannel/qwebchannel.js")
    if not file.open(QIODevice.OpenModeFlag.ReadOnly):
        raise ScriptError("Qt's qwebchannel.js is missing from this installation")
    return bytes(file.readAll().data()).decode("utf-8")
