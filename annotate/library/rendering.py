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
from engine.web.worker_browser import open_browser

PAGE_S = 120.0
"""What one page may take, the start of the process included."""

_PAGES_A_PROCESS = 100

_What = Literal["page", "picture"]
_RenderOrder = tuple[_What, Document]


@dataclass(frozen=True)
class Picture:
    """A rendered page as it looks.

    Attributes:
        jpeg: The file.
        size: Width and height in CSS px.
    """

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
    renderer = _Renderer(is_online, is_near)
    try:
        yield renderer.answer
    finally:
        renderer.close()


class _Renderer:
    """The browser, from the first page on that needs it."""

    def __init__(self, is_online: bool, is_near: bool) -> None:
        from engine.web.renderer import renderer_name

        self._is_online, self._is_near = is_online, is_near
        self._snapshots = Snapshots(default_folder(), renderer_name())
        self._browser: Any = None

    def answer(self, order: _RenderOrder) -> object:
        what, document = order
        return self._page(document) if what == "page" else self._picture(document)

    def close(self) -> None:
        if self._browser is not None:
            self._browser.close()

    def _page(self, document: Document) -> bytes:
        page = None if document.is_live else self._snapshots.find(document)
        return pack(self._capture(document) if page is None else page)

    def _picture(self, document: Document) -> Picture:
        nodes = self._capture(document).rendered()
        return Picture(self._open().jpeg(), (nodes.width, nodes.height))

    def _capture(self, document: Document) -> Page:
        page: Page = self._open().capture(document)
        if not document.is_live:
            with suppress(PageletError):  # it costs nothing but time
                self._snapshots.keep(document, page)
        return page

    def _open(self) -> Any:  # noqa: ANN401
        if self._browser is None:
            self._browser = open_browser(online=self._is_online, near=self._is_near)
        return self._browser
