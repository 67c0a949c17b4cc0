"""LockedPage: a page that cannot navigate away, open windows, ask for anything or show dialogs.

`LonePage`, which it is, has a separate profile.
"""

import logging
from collections.abc import Sequence

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtWebEngineCore import QWebEngineLoadingInfo, QWebEnginePage

from engine.web import profile
from engine.web.scheme import Gate, without_fragment

log = logging.getLogger(__name__)

_LIVE_SCHEMES = frozenset(["http", "https"])
_FRAME_SCHEMES = frozenset(["pagelet", "http", "https", "data", "blob", "about"])


class LonePage(QWebEnginePage):
    """A page in a separate profile, which Qt deletes after it, whoever deletes the page.

    A profile deleted before its page ends the process.  As the page's child it is deleted when the
    page has let go of it: by a view that is closed, by one that nobody closed, and at the exit.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        own = profile.make_profile()
        super().__init__(own, parent)
        own.setParent(self)


class LockedPage(LonePage):
    """A page that may load one document and do nothing else."""

    arrived = Signal(object)  # QWebEngineLoadingInfo: how the load that `go` started has ended

    def __init__(self, gate: Gate, parent: QObject) -> None:
        super().__init__(parent)
        self._gate = gate
        self._may_navigate = False
        self._is_under_way = False
        self._has_arrived = True
        self._goal = QUrl()
        self.refused: list[str] = []  # where the document wanted to go, its links apart
        self.permissionRequested.connect(lambda request: request.deny())
        self.fullScreenRequested.connect(lambda request: request.reject())
        self.desktopMediaRequested.connect(lambda request: request.cancel())
        self.registerProtocolHandlerRequested.connect(lambda request: request.reject())
        self.fileSystemAccessRequested.connect(lambda request: request.reject())
        self.certificateError.connect(lambda error: error.rejectCertificate())
        self.selectClientCertificate.connect(lambda choice: choice.selectNone())
        self.webAuthUxRequested.connect(lambda request: request.cancel())
        self.loadingChanged.connect(self._on_loading)
        # Without a history there is no way back: going back to a blank page is never checked.
        self.urlChanged.connect(lambda _: self.history().clear())

    def go(self, url: QUrl) -> None:
        """Load a document: the one navigation of the main frame that is accepted."""
        self._may_navigate = True
        self._is_under_way = False  # an end before the new load starts belongs to the previous one
        self._has_arrived = False
        self._goal = url
        self.refused.clear()
        self.load(url)

    def _on_loading(self, info: QWebEngineLoadingInfo) -> None:
        if info.status() == info.LoadStatus.LoadStartedStatus:
            self._is_under_way = True
        elif self._is_under_way and not self._has_arrived and self._is_goal(info.url()):
            self._has_arrived = True
            self.arrived.emit(info)

    def _is_goal(self, url: QUrl) -> bool:
        """Return whether this is the target of `go`, not a former or a linked page."""
        if self._goal.scheme() in _LIVE_SCHEMES:  # the server may send the browser elsewhere
            return url.scheme() in _LIVE_SCHEMES
        return without_fragment(url) == without_fragment(self._goal)

    def acceptNavigationRequest(
        self, url: QUrl | str, kind: QWebEnginePage.NavigationType, is_main_frame: bool
    ) -> bool:
        """Accept the document's own load, a server's redirects of it, and frames."""
        scheme = QUrl(url).scheme()
        if not is_main_frame:
            return scheme in _FRAME_SCHEMES
        if self._may_navigate and self._is_goal(QUrl(url)):
            self._may_navigate = False
            return True
        is_redirect = kind == QWebEnginePage.NavigationType.NavigationTypeRedirect
        document = self._gate.document
        if is_redirect and not self._has_arrived and document is not None and document.is_live:
            return scheme in ("http", "https")
        if kind != QWebEnginePage.NavigationType.NavigationTypeLinkClicked:
            self.refused.append(QUrl(url).fileName() or QUrl(url).toString())
        log.debug("refused to go to %s", QUrl(url).toString())
        return False

    def createWindow(self, kind: QWebEnginePage.WebWindowType) -> QWebEnginePage | None:  # type: ignore[override]
        return None

    def javaScriptAlert(self, origin: QUrl | str, message: str) -> None:
        """Show no box: it would block."""

    def javaScriptConfirm(self, origin: QUrl | str, message: str) -> bool:
        """Refuse, except to leave a page (``beforeunload`` asks the same way)."""
        return self._may_navigate or not self._has_arrived

    def javaScriptPrompt(self, origin: QUrl | str, message: str, default: str) -> tuple[bool, str]:
        return False, ""

    def chooseFiles(
        self, mode: QWebEnginePage.FileSelectionMode, old_files: Sequence[str], types: Sequence[str]
    ) -> list[str]:
        return []
