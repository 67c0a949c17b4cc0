"""Browser of a process without a window; imported where there may be no Qt."""

from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.document import Document
    from engine.page import Page
    from engine.web.headless import Browser


def open_browser(
    *, online: bool = False, near: bool = False, no_sandbox: bool = False
) -> "Browser":
    """Return a browser whose messages go to the log; the arguments are those of `Browser`."""
    from engine.web.qt_log import silence_qt_log  # reports a missing Qt

    # isort: split
    from engine.web.headless import Browser

    silence_qt_log()
    return Browser(online=online, near=near, no_sandbox=no_sandbox)


class LateBrowser(AbstractContextManager["LateBrowser"]):
    """A browser from the first page on that must be rendered: of most data sets none must."""

    def __init__(
        self, *, online: bool = False, near: bool = False, no_sandbox: bool = False
    ) -> None:
        self._open = partial(open_browser, online=online, near=near, no_sandbox=no_sandbox)
        self._browser: Browser | None = None

    def opened(self) -> "Browser":
        """Return the browser."""
        if self._browser is None:
            self._browser = self._open()
        return self._browser

    def capture(self, document: "Document") -> "Page":
        """Render a page; raises `PageletError`."""
        return self.opened().capture(document)

    def __exit__(self, *_: object) -> None:
        if self._browser is not None:
            self._browser.close()
