"""PageView: the one widget that shows a page, in the window and without one.

The page is isolated: it cannot navigate away, open windows, ask for permissions or make requests
that the gate refuses.  Each document has a separate profile, so that it finds nothing another has
left, whatever stores the browser has (``tests/oracles/test_pages_are_alone.py``).  That costs
little beside a new page in a shared profile (medians of 15 pages in three turns: 432, 443, 503 ms
with, 411, 429, 468 without).
"""

import contextlib
import json
import logging
import os
import signal
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import (
    QFile,
    QIODevice,
    QObject,
    QPointF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    QUrl,
    Signal,
)
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import (
    QWebEngineFrame,
    QWebEngineLoadingInfo,
    QWebEnginePage,
    QWebEngineScript,
    QWebEngineSettings,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QWidget

from engine.document import VIEWPORT, Document
from engine.errors import InputError, ScriptError
from engine.tree import Ints
from engine.web import profile
from engine.web.crash_cause import death
from engine.web.locked_page import LockedPage
from engine.web.memory_watch import watch
from engine.web.scheme import Gate, Interceptor, Server
from engine.web.scripts import WORLD, Call, Handler
from engine.web.spare_page import SPARE, SparePage
from resources import read_text

log = logging.getLogger(__name__)

MAIN_WORLD = 0
_SPARE_WORLD = 2

_BLANK_MS = 3000  # doubled after each timeout: machines may be busy
_CHECK_MS = 5
_CHECK_S = 0.5
_SIZE_TRIES = 100
_PROBE_MS = 60

IS_ARMED = "pagelet.isArmed === true"
"""Expression: whether this document has the scripts that a view puts into every document.

QtWebEngine passes them to a frame through a table whose key is the frame's address.  A
renderer that dies with a page leaves a dangling entry there (Qt's source,
``user_resource_controller_host.cpp``: ``RenderFrameHostChanged`` comes after
``RenderFrameDeleted``), and a later frame at the same address gets no scripts for as long as its
process lives.  Each death adds an entry: measured with 6.11, of the first 50 renderers that
followed a dead one 3 had none, of the next 50 4, then 11 and 18.  The table belongs to the profile,
and each document has another.
"""

_BLANK_STATE = "[location.hash, window.innerWidth, window.innerHeight]"


class PageView(QWebEngineView):
    """View of one document at a time, in the canonical viewport, that runs scripts in it.

    Attributes:
        local_rows: int32 (k,). The row of `Page.nodes` of each node that ``pagelet.nodes`` holds in
            the main frame's isolated world; empty until a capture is done.
        gate: For requests of the open document.
        canonical_size: Viewport of the page's layout, CSS px.
    """

    begun = Signal()  # the document's own load, after the blank page
    loaded = Signal(object)  # QWebEngineLoadingInfo: the document's first load has ended
    renderer_died = Signal(str)  # cause, in words
    page_left = Signal()  # replaced by another page: requests to it have no answer
    scrolled = Signal(QPointF)  # scroll position, CSS px
    extent_changed = Signal(QSizeF)  # of the page's layout, CSS px

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.local_rows: Ints = np.zeros(0, dtype=np.int32)
        self.canonical_size = VIEWPORT
        self.gate = Gate(self)
        self._interceptor = Interceptor(self.gate)
        self._server = Server(self.gate)
        profile.seal(True)
        self._process_id = 0  # the last that drew a page here
        self._coming: Document | None = None  # its viewport is being prepared
        self._patience = QTimer(self, singleShot=True, interval=_BLANK_MS)
        self._patience.timeout.connect(self._on_no_blank)
        self._blank_timer = QTimer(self, interval=_CHECK_MS)
        self._blank_timer.timeout.connect(self._check_blank)
        self._is_looking = False
        self._blanks = 0  # number of blank pages requested, which distinguishes them
        self._blank = ""  # end of the address of the awaited page
        self._leaving: LockedPage | None = None  # a page that is being deleted
        self._spare = SparePage(self._new_page, self)
        self._tries = 0
        self._needs_probe = False
        self.keeps_stores = True  # of a live page that is loaded again
        self._is_used = False  # a document was loaded into the page
        self._has_died = False  # and nothing was loaded since
        self._death = ""  # of what
        self._bridge: QObject | None = None
        self._bridge_source = ""
        self._channel: QWebChannel | None = None
        # Scripts are removed one by one (rendering.md#traps-of-pyside6).
        self._bridge_script: QWebEngineScript | None = None
        self._repeatable_script: QWebEngineScript | None = None  # only some documents get it
        self._is_animated = True
        self._show(self._new_page())
        self.setAcceptDrops(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    def _new_page(self) -> LockedPage:
        """Return a page in a separate profile with the scripts of this view and no bridge."""
        page = LockedPage(self.gate, self)
        page.profile().setUrlRequestInterceptor(self._interceptor)
        page.profile().installUrlSchemeHandler(b"pagelet", self._server)
        _insert(page, "outset", read_text("js/outset.js"), MAIN_WORLD)
        _insert(page, "state", read_text("js/state.js") + ";pagelet.isArmed = true", WORLD)
        _insert(page, "hold", read_text("js/hold.js"), WORLD)
        return page

    def _show(self, page: LockedPage) -> None:
        self._page = page
        page.renderProcessTerminated.connect(self._on_terminated)
        page.renderProcessPidChanged.connect(self._on_process)
        page.arrived.connect(self._on_arrived)
        page.scrollPositionChanged.connect(self.scrolled)
        page.contentsSizeChanged.connect(self.extent_changed)
        self._apply_animation()
        self.setPage(page)

    def _set_up_page(self) -> None:
        self._repeatable_script = None
        if self._bridge is not None:
            self._connect_bridge()
            self._bridge_script = _insert(self._page, "bridge", self._bridge_source, WORLD)

    def warm_up(self) -> None:
        """Start a renderer: the next document appears 40 ms sooner, 50 in the same viewport."""
        self._spare.prepare(self._size_of(self.canonical_size))

    @property
    def is_warm(self) -> bool:
        """Whether a renderer waits for the next document."""
        return self._spare.is_ready

    def _change_page(self) -> bool:
        """Show a new page in place of the one before; return whether it is blank and ready."""
        spare = self._spare.take()
        if spare is None and not self._is_used:
            return False
        page = spare or self._new_page()
        self._is_used = self._has_died = False
        # Its profile may not know yet what may pass (`seal`).
        self._needs_probe = profile.is_online()
        inner = self.focusProxy()
        has_keys = self.window().focusWidget() in (self, inner)
        # The caller may have been called by the page to be deleted.
        self._leaving = self._page
        self._leaving.destroyed.connect(self._check_blank)
        self._leaving.deleteLater()
        self.page_left.emit()
        self._show(page)
        self.set_canonical(self.canonical_size)
        self._set_up_page()
        if self.focusProxy() is inner:  # the old page's; Qt sets the new page's when it has one
            self.setFocusProxy(None)  # type: ignore[arg-type]
        if has_keys:
            self.setFocus()
        return spare is not None

    @property
    def document(self) -> Document | None:
        """The open document, or the one that is being loaded."""
        return self._coming or self.gate.document

    def open(self, document: Document) -> None:
        """Start to load a document in its viewport; raises `InputError` for a live page offline.

        A blank page comes first.  It ends the previous page with its scripts, and waits until the
        renderer knows its size: otherwise scripts that run while the page loads see the viewport
        of the previous page, or none (measured: in 30 of 40 changes of size).  The blank page is
        polled, because Qt does not report the end of a load that replaced another. Where a renderer
        was started before (`warm_up`), it shows one already.
        """
        if not profile.may_load(document):
            why = "offline" if not profile.is_online() else "for pages elsewhere"
            raise InputError(f"{document.address} is a live page, and Pagelet was started {why}")
        self.local_rows = np.zeros(0, dtype=np.int32)
        # A live page that is loaded again keeps its cookies and stores, as in any browser.
        is_same = document.is_live and document == self.gate.document
        is_again = self.keeps_stores and is_same and not self._has_died
        self.gate.open(None)
        self._coming = document
        self.set_canonical(document.viewport)
        is_blank = not is_again and self._change_page()
        self._patience.start(_BLANK_MS)
        if is_blank:
            self._await_blank(SPARE)
        else:
            self._go_blank()
        self._blank_timer.start()
        if is_blank:
            self._check_blank()

    def give_up(self) -> None:
        """Stop loading; a document that is still loading is cancelled."""
        self._coming = None
        self._patience.stop()
        self._blank_timer.stop()
        self._page.triggerAction(QWebEnginePage.WebAction.Stop)

    def reopen(self) -> None:
        """Load the open document again, in a new profile with a separate renderer."""
        document = self.gate.document
        if document is not None:
            self._coming = document
            self.gate.open(None)
            # The caller may have been called by the page to be deleted.
            QTimer.singleShot(0, self, self._reload)

    def _reload(self) -> None:
        if self._coming is not None:
            self.open(self._coming)

    def _go_blank(self) -> None:
        if self._coming is not None:
            if self._has_died:
                self._discard()
            self._blanks += 1
            self._await_blank(f"#{self._blanks}")
            self._page.go(QUrl(f"about:blank{self._blank}"))

    def _await_blank(self, name: str) -> None:
        self._blank = name
        self._tries = _SIZE_TRIES
        self._is_looking = False  # the page queried before may be gone

    def _on_no_blank(self) -> None:
        log.info("a page cannot be left: its renderer is ended")
        self._patience.start(2 * self._patience.interval())
        if self._page.renderProcessPid() > 0:
            self.kill_renderer()
        else:
            self._go_blank()

    @property
    def refused(self) -> list[str]:
        """Where the document wanted to send the browser, in order."""
        return self._page.refused

    def _on_arrived(self, info: QWebEngineLoadingInfo) -> None:
        if self._coming is None:
            self.loaded.emit(info)
        else:
            self._check_blank()

    def _check_blank(self) -> None:
        """Check whether the blank page is shown in its size; the page before may still be."""

        def end(state: list[Any] | None) -> None:
            self._is_looking = False
            if state is not None:
                self._on_blank(state)

        if not self._is_looking and self._blank_timer.isActive():
            self._is_looking = True
            self.run(_BLANK_STATE, end, lambda _: end(None), _CHECK_S)

    def _on_blank(self, state: list[Any]) -> None:
        blank, width, height = state
        document = self._coming
        if document is None or not self._blank_timer.isActive() or blank != self._blank:
            return
        if self._leaving is not None and shiboken6.isValid(self._leaving):
            return  # it would share the gate with the next page
        self._leaving = None
        self._tries -= 1
        if (width, height) != self.canonical_size and self._tries > 0:
            return
        self._blank_timer.stop()
        self._on_process(self._page.renderProcessPid())  # Qt does not report the first one
        self._load(document)

    def _load(self, document: Document) -> None:
        self._needs_probe |= profile.seal(not document.is_live)
        if self._needs_probe:
            self._probe(document)
            return
        self._patience.stop()
        self._coming = None
        self._is_used = True
        self.gate.open(document)
        # Local pages without scripts get a policy instead, which leaves <noscript> as it is live.
        self.set_page_scripts(document.scripts or not document.is_live)
        self._set_repeatable(document.is_repeatable)
        self._page.go(QUrl(document.url))
        self.begun.emit()

    def _set_repeatable(self, is_on: bool) -> None:
        """Set whether scripts of the next documents get the same random numbers and date."""
        script = self._repeatable_script
        if is_on and script is None:
            self._repeatable_script = _insert(
                self._page, "repeatable", read_text("js/repeatable.js"), MAIN_WORLD
            )
        elif not is_on and script is not None:
            self._page.scripts().remove(script)
            self._repeatable_script = None

    def _probe(self, document: Document) -> None:
        """Make Chromium apply the changed network access, then load."""
        self.gate.lets_probe = True

        def go_on(_: object) -> None:
            if self._coming is not document or not self._patience.isActive():
                return
            self.gate.lets_probe = self._needs_probe = False
            self._load(document)

        def poll(_: object) -> None:
            QTimer.singleShot(_PROBE_MS, self, lambda: go_on(None))

        probe = json.dumps(profile.PROBE)
        script = f"(fetch({probe}, {{mode: 'no-cors'}}).catch(() => 0), true)"
        self.run(script, poll, go_on)

    def set_canonical(self, viewport: tuple[int, int] = VIEWPORT) -> None:
        """Make the viewport this many CSS px, of one device pixel each, on any screen."""
        self.canonical_size = viewport
        self.setZoomFactor(1.0 / self.devicePixelRatioF())
        self.setFixedSize(self._size_of(viewport))

    def _size_of(self, viewport: tuple[int, int]) -> QSize:
        scale = self.devicePixelRatioF()
        return QSize(round(viewport[0] / scale), round(viewport[1] / scale))

    def set_page_scripts(self, are_on: bool) -> None:
        """Set whether the page's own scripts run; turned off, its timers, frames and observers
        stop at once.

        Pagelet's scripts run in any case.  Turning them off does not lay the page out again.
        """
        attribute = QWebEngineSettings.WebAttribute.JavascriptEnabled
        self._page.settings().setAttribute(attribute, are_on)

    def stop_animations(self) -> None:
        """Stop moving images at their beginning, so that pictures are equal."""
        self._is_animated = False
        self._apply_animation()

    def _apply_animation(self) -> None:
        if not self._is_animated:
            still = QWebEngineSettings.ImageAnimationPolicy.Disallow
            self._page.settings().setImageAnimationPolicy(still)

    def set_bridge(self, bridge: QObject, scripts: Sequence[str] = ()) -> None:
        """Publish an object to Pagelet's scripts, hidden from the page's own.

        Args:
            bridge: Registered as ``bridge`` in the isolated world.
            scripts: Sources that run there from the start of the next documents on, after
                ``QWebChannel`` is defined.  There is no channel in sub-frames.
        """
        self._bridge = bridge
        self._bridge_source = "\n;".join([_channel_source(), *scripts])
        self._connect_bridge()
        if self._bridge_script is not None:
            self._page.scripts().remove(self._bridge_script)
        self._bridge_script = _insert(self._page, "bridge", self._bridge_source, WORLD)

    def renew_bridge(self, reconnect: str) -> None:
        """Publish the same object again to the shown page after a lost connection.

        Args:
            reconnect: An expression for the isolated world: a function that uses the new
                channel, undefined where the page does not have the bridge's scripts.
        """
        if self._bridge is None:
            return
        # A detour through an unused world makes Qt insert the transport again.
        self._page.setWebChannel(QWebChannel(self), _SPARE_WORLD)
        self._connect_bridge()
        anew = "(() => {" + self._bridge_source + "\n; return 0 })()"
        script = f"({reconnect}) ? ({reconnect})() : {anew}"
        lost = partial(log.warning, "the page's bridge could not be renewed: %s")
        self.run(f"({script}, true)", lambda _: None, lost)

    def _connect_bridge(self) -> None:
        channel = QWebChannel(self)
        assert self._bridge is not None
        channel.registerObject("bridge", self._bridge)
        self._page.setWebChannel(channel, WORLD)
        if self._channel is not None:
            self._channel.deleteLater()
        self._channel = channel

    def run(
        self,
        script: str,
        on_done: Handler,
        on_error: Handler,
        timeout_s: float = 10.0,
        *,
        frame: QWebEngineFrame | None = None,
    ) -> None:
        """Evaluate an expression in the isolated world; pass on its value, or a `CaptureError`.

        Exactly one of the two handlers is called, once: also when the renderer dies, or does not
        answer in time (`LoadTimeout`).

        Args:
            script: An expression with a JSON value.
            on_done: Gets the value.
            on_error: Gets the error.
            timeout_s: How long to wait.
            frame: Run there instead of in the main frame.
        """
        if self._has_died and self._coming is None:
            QTimer.singleShot(0, self, lambda: on_error(death(self._death)))
            return
        ends = self.renderer_died, self.page_left
        call = Call(self, ends, on_done, on_error, timeout_s)
        call.start(script, self._page if frame is None else frame)

    def kill_renderer(self) -> None:
        """End the process that draws the page, the only way to end a script that never returns."""
        pid = self._page.renderProcessPid()
        if pid > 0:
            with contextlib.suppress(ProcessLookupError):  # already ended
                os.kill(pid, signal.SIGKILL)

    def _discard(self) -> None:
        """Make Chromium discard all of this view's content, its frames and its process."""
        self._has_died = False
        was_visible = self._page.isVisible()
        self._page.setVisible(False)  # a visible page cannot be discarded
        self._page.setLifecycleState(QWebEnginePage.LifecycleState.Discarded)
        self._page.setLifecycleState(QWebEnginePage.LifecycleState.Active)
        self._page.setVisible(was_visible)
        if self._bridge is not None:
            self._connect_bridge()

    def dispose(self) -> None:
        """Delete the pages with their profiles; the view cannot be used afterwards."""
        self._patience.stop()
        self._blank_timer.stop()
        watch.forget(id(self))
        self._spare.drop()
        for page in self.findChildren(LockedPage):
            shiboken6.delete(page)

    def _on_process(self, process_id: int) -> None:
        watch.follow(id(self), process_id)
        if process_id > 0:
            self._process_id = process_id

    def _on_terminated(self, status: QWebEnginePage.RenderProcessTerminationStatus) -> None:
        if status == QWebEnginePage.RenderProcessTerminationStatus.NormalTerminationStatus:
            return
        self._has_died = True
        if self._coming is not None:  # the page before hung; the next one starts in a new process
            self._patience.start(self._patience.interval())
            QTimer.singleShot(0, self, self._go_blank)
        else:
            reason = watch.reason(self._process_id)
            self._death = reason or "the process that draws the page has died"
            self.renderer_died.emit(self._death)


def _insert(page: LockedPage, name: str, source: str, world: int) -> QWebEngineScript:
    """Add a script that runs at the start of each document, also in frames."""
    script = QWebEngineScript()
    script.setName(name)
    script.setWorldId(world)
    script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
    script.setRunsOnSubFrames(True)
    script.setSourceCode(source)
    page.scripts().insert(script)
    return script


def _channel_source() -> str:
    file = QFile(":/qtwebchannel/qwebchannel.js")
    if not file.open(QIODevice.OpenModeFlag.ReadOnly):
        raise ScriptError("Qt's qwebchannel.js is missing from this installation")
    return bytes(file.readAll().data()).decode("utf-8")
