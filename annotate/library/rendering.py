"""Rendering of pages in a separate process, so that the caller never owns a browser.

One process renders for all callers; it starts with the first page and ends with this process.
Another one, online, loads pages from the web.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal

from engine.archive import pack, unpack
from engine.document import Document
from engine.errors import CaptureError, LoadTimeout, MemoryExceeded, PageletError
from engine.page import Page
from engine.page_cache import Snapshots, default_folder
from engine.processes.worker_process import (
    Handler,
    ProcessLost,
    ProcessMemoryExceeded,
    ProcessTimeout,
    Send,
    WorkerProcess,
)
from engine.web.renderer import renderer_name
from engine.web.worker_browser import LateBrowser

PAGE_S = 120.0
"""What one page may take, the start of the process included."""

_PAGES_A_PROCESS = 100

_What = Literal["page", "picture"]
_RenderOrder = tuple[_What, Document]


@dataclass(frozen=True)
class Picture:
    """A rendered page as it looks, with width and height in CSS px."""

    jpeg: bytes
    size: tuple[int, int]


def render(document: Document) -> Page:
    """Return a document rendered, or its snapshot; raises `InputError` or `CaptureError`."""
    return unpack(_ask("page", document), document.address)


def picture(document: Document) -> Picture:
    """Return what a document looks like; raises as `render`."""
    result: Picture = _ask("picture", document)
    return result


def close() -> None:
    """End the processes that render; the next page starts them again."""
    with _lock:
        for process in _processes.values():
            process.end(waits=True)
        _processes.clear()


_lock = threading.Lock()
_processes: dict[tuple[bool, bool], WorkerProcess[_RenderOrder, Any]] = {}


def _ask(what: _What, document: Document) -> Any:  # noqa: ANN401
    reach = document.is_live, document.is_near
    with _lock:
        if reach not in _processes:
            _processes[reach] = WorkerProcess(render_worker, *reach, most=_PAGES_A_PROCESS)
        try:
            return _processes[reach].ask((what, document), PAGE_S)
        except ProcessLost as error:
            raised = {ProcessTimeout: LoadTimeout, ProcessMemoryExceeded: MemoryExceeded}
            kind = raised.get(type(error), CaptureError)
            raise kind(f"rendering the page {error}") from None


@contextmanager
def render_worker(_: Send, is_online: bool, is_near: bool) -> Iterator[Handler]:
    """Answer with a document's page, packed, or its `Picture`."""
    snapshots = Snapshots(default_folder(), renderer_name())
    with LateBrowser(online=is_online, near=is_near) as browser:

        def answer(order: _RenderOrder) -> object:
            what, document = order
            known = None if document.is_live or what == "picture" else snapshots.find(document)
            page = browser.capture(document) if known is None else known
            if known is None and not document.is_live:
                with suppress(PageletError):  # only time is lost
                    snapshots.keep(document, page)
            if what == "page":
                return pack(page)
            nodes = page.rendered()
            return Picture(browser.opened().jpeg(), (nodes.width, nodes.height))

        yield answer
