"""Process that draws thumbnails: renders a page once and stores it and its picture on disk."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.document import Document
from engine.processes.worker_process import Handler, Send
from engine.web.worker_browser import open_browser

if TYPE_CHECKING:
    from engine.page_cache import Snapshots
    from engine.web.headless import Browser

SIZE = (384, 216)
"""Width and height of a thumbnail in px: the top of a page, in 16:9."""


@dataclass(frozen=True)
class ThumbnailRequest:
    """Request to draw a page; the answer has its index in the list."""

    page: int
    document: Document


@dataclass(frozen=True)
class Drawn:
    """Thumbnail file of a page, or why there is none."""

    page: int
    path: Path | None
    problem: str = ""


@contextmanager
def thumbnail_worker(_: Send, folder: Path) -> Iterator[Handler]:
    """Answer a `ThumbnailRequest` with the file of its thumbnail."""
    with open_browser() as browser:
        from engine.page_cache import Snapshots
        from engine.web.renderer import renderer_name  # Qt

        snapshots = Snapshots(folder, renderer_name())
        yield lambda request: Drawn(request.page, _draw(request.document, snapshots, browser))


def _draw(document: Document, snapshots: "Snapshots", browser: "Browser") -> Path:
    page = browser.capture(document)
    snapshots.keep(document, page)
    return snapshots.keep_thumbnail(document, browser.thumbnail(*SIZE))
