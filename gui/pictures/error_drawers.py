"""Process that draws pages with errors for the window; the rest needs Qt (`error_drawing`)."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.processes.worker_process import Handler, Send
from engine.web.worker_browser import open_browser


@contextmanager
def error_worker(_: Send) -> Iterator[Handler]:
    """Answer an `ErrorRequest` with an `ErrorPicture`."""
    with open_browser() as browser:
        from gui.pictures.error_drawing import ErrorDrawer  # Qt: after the browser is prepared

        yield ErrorDrawer(browser).draw
