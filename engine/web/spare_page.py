"""SparePage: a page whose renderer runs before a document is asked for.

Chromium draws each site in a separate process: where another site comes, it starts one first,
for some 40 ms (6.11).  A page that has shown nothing belongs to no site yet, and the first document
that is loaded in it stays in its process.
"""

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QObject, QSize, Qt, QUrl
from PySide6.QtWebEngineCore import QWebEngineLoadingInfo
from PySide6.QtWebEngineWidgets import QWebEngineView

from engine.web.locked_page import LockedPage

SPARE = "#spare"
"""What the address of its blank page ends with."""


class SparePage(QObject):
    """At most one blank page, in a view that is never shown: without one it has no viewport.

    Args:
        make: Returns a page in which nothing was loaded.
        parent: Whose pages they are.
    """

    def __init__(self, make: Callable[[], LockedPage], parent: QObject) -> None:
        super().__init__(parent)
        self._make = make
        self._page: LockedPage | None = None
        self._is_ready = False
        self._view: QWebEngineView | None = None

    @property
    def is_ready(self) -> bool:
        """Whether there is a page to take."""
        return self._is_ready

    def prepare(self, size: QSize) -> None:
        """Start a renderer, unless one is running or starting.

        ``size`` is that of the view it is likely to be taken to: a document waits for any other.
        """
        if self._view is None:
            self._view = _unseen_view()
        self._view.setFixedSize(size)
        if self._page is not None:
            return
        page = self._page = self._make()
        page.arrived.connect(self._on_arrived)
        page.renderProcessTerminated.connect(self._on_terminated)
        self._view.setPage(page)
        page.go(QUrl(f"about:blank{SPARE}"))

    def take(self) -> LockedPage | None:
        """Release and return the page; None while there is none, or its renderer is starting."""
        page = self._page
        if page is None or not self._is_ready:
            return None
        self._page, self._is_ready = None, False
        page.arrived.disconnect(self._on_arrived)
        page.renderProcessTerminated.disconnect(self._on_terminated)
        return page

    def drop(self) -> None:
        page, view = self._page, self._view
        self._page, self._view, self._is_ready = None, None, False
        for each in (page, view):
            if each is not None and shiboken6.isValid(each):
                shiboken6.delete(each)

    def _on_arrived(self, _info: QWebEngineLoadingInfo) -> None:
        self._is_ready = True

    def _on_terminated(self, *_how: object) -> None:
        """Drop the page: the next `prepare` starts another."""
        page, self._page, self._is_ready = self._page, None, False
        if page is not None:
            page.deleteLater()


def _unseen_view() -> QWebEngineView:
    view = QWebEngineView()
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    view.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
    view.show()
    return view
