"""Help view: the built documentation in place of the page."""

import json
import platform

import PySide6
import shiboken6
from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import QColor, QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWebEngineCore import (
    QWebEnginePage,
    QWebEngineScript,
    QWebEngineSettings,
    qWebEngineChromiumVersion,
)
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from engine.document import SCHEME, Document, local_url
from engine.version import pagelet_version
from engine.web.locked_page import LonePage
from engine.web.scheme import Gate, Interceptor, Server
from gui.core.main_area import Room, View
from gui.core.workbench import Workbench
from gui.widgets.controls import make_clearable
from gui.widgets.layouts import lay_out
from gui.widgets.parts import ElidedLabel, IconButton, tone
from gui.widgets.theme import theme_of
from resources import read_text
from resources.documentation import PAGES, SITE, address_of

_HOST = "documentation"
_NOT_BUILT = "The documentation is not built here: run “./run docs --site”, then open Help again."


class HelpPage(LonePage):
    """Shows only the documentation; links to the web open in the desktop's browser."""

    followed = Signal()  # the reader has clicked a link

    def acceptNavigationRequest(
        self, url: QUrl | str, kind: QWebEnginePage.NavigationType, is_main_frame: bool
    ) -> bool:
        url = QUrl(url)
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
        if kind is QWebEnginePage.NavigationType.NavigationTypeLinkClicked:
            self.followed.emit()
        return is_main_frame and url.scheme() == SCHEME and url.host() == _HOST


class HelpView(QWidget, View):
    """Shows a page of the documentation, and the results of a search in all of them."""

    room = Room.OVER_PAGE
    hint = "Click a link to follow it · Esc: back to your page"
    leads_back = True

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench.main_area.stack)
        self._asked: QUrl | None = None  # and not loaded yet
        self._leave = workbench.main_area.leave
        self.setMinimumSize(320, 240)  # takes no room from the panels while hidden
        self.setObjectName("HelpView")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        gate = Gate(self)
        gate.open(Document("", local_url("index.html", _HOST), root=SITE, path="index.html"))
        self._guard, self._server = Interceptor(gate), Server(gate)
        self.page = HelpPage(self)
        own = self.page.profile()
        own.setUrlRequestInterceptor(self._guard)
        own.installUrlSchemeHandler(SCHEME.encode(), self._server)
        # The one page of Pagelet's own: it is read, not measured.
        self.page.settings().setAttribute(QWebEngineSettings.WebAttribute.ShowScrollBars, True)
        self.page.loadFinished.connect(self._on_loaded)
        self.page.followed.connect(self._forget_asked)
        self.view = QWebEngineView(self)
        self.view.setPage(self.page)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.search = QLineEdit(self)
        self.search.setPlaceholderText("Search the documentation")
        make_clearable(self.search)
        self.search.setAccessibleName("Search the documentation")
        self.search.setMinimumWidth(240)
        self.search.returnPressed.connect(self._search)
        self._build_layout()
        self._follow_theme()

    def _build_layout(self) -> None:
        history = self.page.history()
        # The view's `back` skips pages that were left without a click.
        back = IconButton("previous", "Back  (Alt+←)", self, history.back)
        forward = IconButton("next", "Forward  (Alt+→)", self, history.forward)
        for go, keys in (
            (lambda: history.back(), QKeySequence.StandardKey.Back),
            (lambda: history.forward(), QKeySequence.StandardKey.Forward),
        ):
            shortcut = QShortcut(QKeySequence(keys), self, go)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

        def enable() -> None:
            back.setEnabled(history.canGoBack())
            forward.setEnabled(history.canGoForward())

        self.page.urlChanged.connect(enable)
        enable()
        self.title = ElidedLabel("", self)
        tone(self.title, "muted")
        leave = IconButton("close", "Back to the page  (Esc)", self, self._leave)
        self.missing = QLabel(_NOT_BUILT, self)
        self.missing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        parts = (back, forward, (self.title, 1), self.search, leave)
        bar = lay_out(QHBoxLayout(), *parts, margins=(12, 8, 8, 8), spacing=8)
        lay_out(QVBoxLayout(self), bar, (self.view, 1), (self.missing, 1), spacing=0)

    # user actions --------------------------------------------------------------------------
    def open_at(self, target: str) -> None:
        """Show a page by its name, or one of its headings: ``formats.md#kreuzer``.

        The view must be visible: the browser drops the second of two pages loaded before.
        """
        is_built = (SITE / "index.html").is_file()
        self.missing.setVisible(not is_built)
        self.view.setVisible(is_built)
        name, _, anchor = target.partition("#")
        url = QUrl(local_url(address_of(PAGES[name]), _HOST))
        url.setFragment(anchor)
        self.search.clear()
        self._go(url)

    def _go(self, url: QUrl) -> None:
        self._asked = url
        self.page.load(url)

    def take_focus(self) -> None:
        self.view.setFocus()

    def start_search(self) -> bool:
        self.search.setFocus()
        self.search.selectAll()
        return True

    def step_back(self) -> bool:
        """Clear a focused search field and focus the page; False if the page has the focus."""
        if not self.search.hasFocus():
            return False
        self.search.clear()
        self.view.setFocus()
        return True

    def _search(self) -> None:
        if words := self.search.text().strip():
            url = QUrl(local_url("search.html", _HOST))
            url.setQuery(f"q={bytes(QUrl.toPercentEncoding(words).data()).decode()}")
            self._go(url)
            self.view.setFocus()

    def _forget_asked(self) -> None:
        """Forget the requested page, so that a link is followed while it loads."""
        self._asked = None

    # data for the site ---------------------------------------------------------------------
    def _on_loaded(self, is_there: bool) -> None:
        asked, self._asked = self._asked, None
        if asked is not None and asked.path() != self.page.url().path():
            self.page.load(asked)  # a new page starts the first load after the second
            return
        self.title.setText(self.page.title().removesuffix(" - Pagelet"))
        versions = {
            "Pagelet": pagelet_version(),
            "Python": platform.python_version(),
            "Qt": PySide6.__version__,
            "Chromium": str(qWebEngineChromiumVersion()),
            "System": f"{platform.system()} {platform.machine()}",
        }
        if is_there:
            self.page.runJavaScript(f"pageletHelp.show({json.dumps(versions)})")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._follow_theme()

    def _follow_theme(self) -> None:
        theme = theme_of(self)
        self.page.setBackgroundColor(QColor(theme.panel))
        script = QWebEngineScript()
        script.setName("help")
        script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
        script.setWorldId(QWebEngineScript.ScriptWorldId.MainWorld.value)
        script.setSourceCode(f"{read_text('js/help.js')}\npageletHelp.dress('{theme.name}')")
        for old in self.page.scripts().find("help"):
            self.page.scripts().remove(old)
        self.page.scripts().insert(script)
        self.page.runJavaScript(f"window.pageletHelp?.dress('{theme.name}')")

    def close_down(self) -> None:
        """Delete the page with its profile; the view cannot be used afterwards."""
        if shiboken6.isValid(self.page):
            shiboken6.delete(self.page)
