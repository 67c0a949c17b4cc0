"""The process that draws thumbnails: renders a page once, keeps it and its picture on disk."""

from dataclasses import dataclass
from functools import partial
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING

from engine.document import Document
from engine.errors import PageletError
from engine.web.serving import OrderHandler, answer_with_browser

if TYPE_CHECKING:
    from engine.page_cache import Snapshots
    from engine.web.headless import Browser

SIZE = (384, 216)
"""Width and height of a thumbnail in px: what a window shows of a page's top, in 16:9."""


@dataclass(frozen=True)
class WantedThumbnail:
    """A page whose picture is wanted; its place in the list comes back with the answer."""

    page: int
    document: Document


@dataclass(frozen=True)
class Drawn:
    """Where the thumbnail of a page is, or why there is none."""

    page: int
    path: Path | None
    problem: str = ""


def serve(pipe: "connection.Connection[Drawn, WantedThumbnail]", folder: Path) -> None:
    """Draw one thumbnail an order until the pipe closes; the body of a process."""

    def prepare(browser: "Browser") -> OrderHandler:
        from engine.page_cache import Snapshots
        from engine.web.renderer import renderer_name  # Qt

        return partial(_answer, Snapshots(folder, renderer_name()), browser)

    answer_with_browser(pipe, prepare)


def _answer(snapshots: "Snapshots", browser: "Browser", wanted: WantedThumbnail) -> Drawn:
    try:
        return Drawn(wanted.page, _draw(wanted.document, snapshots, browser))
    except PageletError as error:
        return Drawn(wanted.page, None, str(error))


def _draw(document: Document, snapshots: "Snapshots", browser: "Browser") -> Path:
    page = browser.capture(document)
    snapshots.keep(document, page)
    return snapshots.keep_thumbnail(document, browser.thumbnail(*SIZE))
