"""The page that is likely to be opened next: loaded and read behind the one that is seen."""

import hashlib
import logging
from collections.abc import Callable

from PySide6.QtCore import QObject

from engine.document import Document
from engine.errors import CaptureError, PageletError
from engine.page import Page
from engine.web.capture import Capture
from gui.page.page_stage import PageStage
from resources import read_text

log = logging.getLogger(__name__)


class NextPage(QObject):
    """Reads one page ahead.

    Only pages of files are read ahead: a live page is asked for when it is opened.

    Attributes:
        stage: Where it is read; None before the first.
    """

    def __init__(
        self,
        make: Callable[[], PageStage],
        size: Callable[[Page, PageStage], object],
        parent: QObject,
    ) -> None:
        """``make`` returns a stage to read on; ``size`` has a page as it will be seen."""
        super().__init__(parent)
        self._make, self._size = make, size
        self.stage: PageStage | None = None
        self._document: Document | None = None
        self._page: Page | None = None
        self._capture: Capture | None = None

    @property
    def is_ready(self) -> bool:
        return self._page is not None

    def prepare(self, document: Document | None) -> None:
        """Read a page, unless it is read or being read already; None stops and lets go."""
        if document is not None and document == self._document:
            return
        self.forget()
        if document is None or document.is_live:
            return
        if self.stage is None:
            self.stage = self._make()
        self._document = document
        self.stage.view.setVisible(True)
        capture = self._capture = Capture(self.stage.view, document, parent=self)
        capture.done.connect(self._on_done)
        capture.failed.connect(self._on_failed)
        capture.start()

    def take(self, document: Document) -> Page | None:
        """Return the preloaded page if it is this one and its file has not changed."""
        page = self._page
        if page is None or document != self._document:
            return None
        try:
            data = document.receive().data
        except PageletError:
            return None
        return page if hashlib.sha256(data).hexdigest() == page.digest else None

    def change(self, seen: PageStage) -> PageStage:
        """Swap the stage with the preloaded page for one that is not needed."""
        assert self.stage is not None
        ready, self.stage = self.stage, seen
        self._document = self._page = None
        return ready

    def fit(self) -> None:
        """Lay out the preloaded page at its final size."""
        if self._page is not None and self.stage is not None:
            self._size(self._page, self.stage)

    def forget(self) -> None:
        """Stop preloading and release the page."""
        if self._capture is not None:
            capture, self._capture = self._capture, None
            capture.cancel()
            capture.deleteLater()
        self._document = self._page = None

    def dispose(self) -> None:
        """Delete the page with its profile."""
        self.forget()
        if self.stage is not None:
            self.stage.rest()
            self.stage.view.hide()
            self.stage.view.dispose()

    def _on_done(self, page: Page) -> None:
        self._capture = None
        self._page = page
        if self.stage is not None:
            self.stage.view.run(read_text("js/overlay.js"), lambda _: None, self._on_script_error)
            self.fit()

    def _on_script_error(self, error: CaptureError) -> None:
        log.info("the next page cannot be drawn on: %s", error)
        self.forget()

    def _on_failed(self, error: CaptureError) -> None:
        log.info("the next page is not read ahead: %s", error)
        self._capture = None
        self._document = None
