"""Browser: captures without a window, one call a page; for the command line, tests and batches."""

import logging
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtGui import QImage
from PySide6.QtWebEngineCore import QWebEngineFrame
from PySide6.QtWidgets import QApplication

from engine.document import Document
from engine.edge_masks import Masks, Pixels, fit_masks
from engine.edges import edge_masks
from engine.errors import CaptureError, InputError
from engine.page import Page
from engine.web import profile
from engine.web.capture import Capture
from engine.web.event_loop import wait_in
from engine.web.picture import image_bytes, take_picture, take_top
from engine.web.view import PageView

log = logging.getLogger(__name__)

_QUALITY = 80  # of JPEG files

_apps: list[QApplication] = []


class Browser:
    """View that is never shown. Use it as a context manager, from the main thread.

    Args:
        online, near, no_sandbox: See `profile.prepare`; used if this process is not prepared yet.

    Attributes:
        notes: What the user should see once, such as that the sandbox is off.
        view: The view; it holds the page captured last.
        capturing: The last capture, for what it knows beside the page.
    """

    def __init__(
        self, *, online: bool = False, near: bool = False, no_sandbox: bool = False
    ) -> None:
        app = QApplication.instance()
        if app is not None and not profile.is_prepared():
            raise RuntimeError("profile.prepare() must come before the QApplication")
        self.notes: tuple[str, ...] = ()
        if app is None or online:
            self.notes = profile.prepare(
                online=online, near=near, no_sandbox=no_sandbox, headless=app is None
            )
        if app is None:  # kept to the end: Chromium starts only once in a process
            _apps.append(QApplication([sys.argv[0] if sys.argv else "pagelet"]))
        self.view = PageView()
        self.view.keeps_stores = False  # no capture finds what an earlier one has left
        self.view.stop_animations()
        self.view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.view.show()
        self.capturing: Capture | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the view; nothing can be captured afterwards."""
        self.view.hide()
        self.view.dispose()
        self.view.deleteLater()

    def run(self, script: str, timeout_s: float = 10.0) -> Any:  # noqa: ANN401  any JSON value
        """Return the value of an expression in the page's isolated world; raises `CaptureError`."""
        return self.run_in(None, script, timeout_s)

    def run_in(self, frame: QWebEngineFrame | None, script: str, timeout_s: float = 10.0) -> Any:  # noqa: ANN401
        """Return the value of an expression in a frame, or in the page (None), as `run`."""
        values: list[Any] = []
        errors: list[CaptureError] = []
        loop = QEventLoop()

        def end(results: list[Any], value: object) -> None:
            results.append(value)
            loop.quit()

        answered, failed = partial(end, values), partial(end, errors)
        self.view.run(script, answered, failed, timeout_s, frame=frame)
        if not values and not errors:
            wait_in(loop)
        if errors:
            raise errors[0]
        return values[0]

    def capture(
        self, document: Document, *, timeout_s: float = 20.0, clicks: Sequence[str] = ()
    ) -> Page:
        """Return the page, rendered.  Raises `CaptureError` or `InputError`; ready again after."""
        capture = Capture(self.view, document, timeout_s=timeout_s, clicks=clicks)
        self.capturing = capture
        pages: list[Page] = []
        errors: list[CaptureError | InputError] = []
        loop = QEventLoop()
        capture.done.connect(pages.append)
        capture.failed.connect(errors.append)
        capture.done.connect(loop.quit)
        capture.failed.connect(loop.quit)
        capture.start()
        try:
            if not pages and not errors:
                wait_in(loop)
        finally:
            capture.cancel()
            capture.deleteLater()
        if errors:
            raise errors[0]
        if (lost := profile.lost_sandbox()) and lost not in self.notes:
            self.notes += (lost,)
        if not pages:
            raise CaptureError(f"{document.address} was not finished: the program is closing")
        return pages[0]

    def picture(self) -> QImage:
        """Return the captured page with the drawings over it, down to `MAX_HEIGHT`."""
        return take_picture(self.view, self.run)

    def thumbnail(self, width: int, height: int) -> bytes:
        """Return the top of the captured page in this size, in px, as a JPEG."""
        smooth = Qt.TransformationMode.SmoothTransformation
        top = take_top(self.view, self.run)
        small = top.scaledToWidth(width, smooth).copy(0, 0, width, height)
        return image_bytes(small, "JPG", _QUALITY)

    def pixels(self) -> Pixels:
        """Return `picture` as red, green, blue: uint8 (h, w, 3)."""
        image = self.picture().convertToFormat(QImage.Format.Format_RGB888)
        lines = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), -1)
        return lines[:, : image.width() * 3].reshape(image.height(), image.width(), 3).copy()

    def edges(self, page: Page) -> Masks:
        """Return edge masks of a page that `capture` has just returned, as large as the page."""
        nodes = page.rendered()
        return fit_masks(edge_masks(self.pixels()), (nodes.width, nodes.height))

    def jpeg(self) -> bytes:
        """Return `picture` as a JPEG file."""
        return image_bytes(self.picture(), "JPEG", _QUALITY)

    def screenshot(self, path: Path) -> None:
        """Write `picture` to a PNG file; raises `InputError` if it cannot be written."""
        if not self.picture().save(str(path)):
            raise InputError(f"cannot write {path}")
