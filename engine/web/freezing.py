"""Freezing: a page is loaded and recorded, and read so that it can be restored.

Content of a file beside the `Page`: the response of each address, the documents of the page and of
its frames in their state, and a picture (rendering.md#frozen-pages).
"""

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from PySide6.QtCore import QEventLoop, QTimer

from engine.document import Document
from engine.errors import CaptureError, InputError
from engine.fetch import exchanges, is_near
from engine.hosts import HostPolicy
from engine.page import Page
from engine.saved import FrozenFrame, WebExchange, key_of, web_address
from engine.web.collecting import WHICH_FRAME, collector, frames_below
from engine.web.event_loop import collect_here, wait_in
from engine.web.headless import Browser
from engine.web.picture import image_bytes
from engine.web.recorder import Recorder, ResourceRequest
from resources import read_text

_FETCH_S = 20.0
_AT_ONCE = 6
_MOST_PICTURES = 5
_MOST_BYTES = 256 * 2**20
"""Limit of the data fetched for one page."""


@dataclass(frozen=True)
class Frozen:
    """Stored parts of a page.

    Attributes:
        page: As it was read.
        address: Where it was, on the web or as if it had been.
        home: Where on the web it was taken from; "" if unknown.
        scripts: Whether its scripts ran.
        picture: The page from its top down, as PNG.
        frames: The page's document, then those of its frames.
        exchanges: Requests and responses, the page's own first.
        lost: Parts that could not be stored, in words, each with the reason.
        clicked: Elements clicked before it was read, in words.
    """

    page: Page
    address: str
    home: str
    scripts: bool
    picture: bytes
    frames: tuple[FrozenFrame, ...]
    exchanges: tuple[WebExchange, ...]
    lost: tuple[str, ...]
    clicked: tuple[str, ...] = ()


def freeze(
    browser: Browser, document: Document, *, timeout_s: float = 20.0, clicks: Sequence[str] = ()
) -> Frozen:
    """Load a page and return all that is kept of it; raises `CaptureError` or `InputError`.

    ``clicks`` are selectors or XPaths of elements to click first: for example to close a banner, or
    open folded content.
    """
    recorder = Recorder()
    browser.view.gate.recorder = recorder
    try:
        page = browser.capture(document, timeout_s=timeout_s, clicks=clicks)
        return frozen_as_shown(browser, document, page, recorder)
    finally:
        browser.view.gate.recorder = None


def frozen_as_shown(browser: Browser, document: Document, page: Page, recorder: Recorder) -> Frozen:
    """Return all that is kept of the page that ``browser`` has just captured."""
    capture = browser.capturing
    assert capture is not None, "the page was captured"
    frames, lost = _frames(browser, page)
    lost = [*(f"{each}: no file can hold it" for each in capture.lost), *lost]
    picture = steady_picture(browser)
    sent = _of_document(document, recorder, capture.received)
    if document.is_live:
        have = {each.url for each in sent}
        asked = {url: request for url, request in recorder.asked.items() if url not in have}
        fetched, problems = _in_background(asked, capture.address)
        sent += fetched
        lost += problems
    else:
        lost += [f"{url} is not there" for url in recorder.refused]
    address = web_address(capture.address if document.is_live else document.url)
    if document.home and key_of(document.home) == key_of(address):
        address = document.home
    return Frozen(
        page=page,
        address=address,
        home=document.home,
        scripts=document.scripts,
        picture=picture,
        frames=frames,
        exchanges=tuple(sent),
        lost=tuple(dict.fromkeys(lost)),
        clicked=tuple(capture.clicked),
    )


def steady_picture(browser: Browser) -> bytes:
    """Return the page's picture, PNG, once two are the same: painting may lag behind."""
    before = image_bytes(browser.picture(), "PNG")
    for _ in range(_MOST_PICTURES):
        now = image_bytes(browser.picture(), "PNG")
        if now == before:
            break
        before = now
    return before


def _frames(browser: Browser, page: Page) -> tuple[tuple[FrozenFrame, ...], list[str]]:
    """Return the current documents of a page and its frames, and the unreadable ones."""
    keep = f"({read_text('js/keep.js')})()"
    dom = page.source("dom").html
    result = [FrozenFrame((), dom, browser.run(keep, 60.0))]
    lost = [f"{note}: its page keeps it to itself" for note in result[0].kept["notes"]]
    for frame in frames_below(browser.view.page().mainFrame()):
        script = f"{{path: {WHICH_FRAME}, kept: {keep}, read: {collector(serialise=True)}}}"
        try:
            reply = browser.run_in(frame, script, 10.0)
        except CaptureError as error:
            lost.append(f"a frame's document: {error}")
            continue
        if reply["read"] is None or reply["kept"]["kind"] != "text/html":
            continue  # a picture in a frame comes from its own bytes
        path = tuple(int(step) for step in reply["path"])
        result.append(FrozenFrame(path, reply["read"]["html"], reply["kept"]))
    return tuple(result), lost


def _of_document(document: Document, recorder: Recorder, received: object) -> list[WebExchange]:
    """Return the exchanges of Pagelet itself, the document first."""
    if document.is_live:
        return list(getattr(received, "exchanges", ()))
    first = key_of(web_address(document.url))
    served = sorted(recorder.served, key=lambda key: key != first)
    return [recorder.served[key] for key in served]


def _in_background(
    asked: Mapping[str, ResourceRequest], address: str
) -> tuple[list[WebExchange], list[str]]:
    """Fetch in other threads while this thread's event loop runs."""
    answer: list[tuple[list[WebExchange], list[str]]] = []
    collect_here()
    worker = threading.Thread(
        target=lambda: answer.append(fetch_again(asked, address)), daemon=True
    )
    worker.start()
    loop, timer = QEventLoop(), QTimer(interval=20)
    timer.timeout.connect(lambda: None if worker.is_alive() else loop.quit())
    timer.start()
    wait_in(loop)
    return answer[0] if answer else ([], ["the files of the page could not be fetched"])


def fetch_again(
    asked: Mapping[str, ResourceRequest], address: str
) -> tuple[list[WebExchange], list[str]]:
    """Repeat the requests of a page; return the responses, and the failures."""
    may_be_near, reach = is_near(address), HostPolicy(address)
    result: dict[str, WebExchange] = {}
    lost: list[str] = []
    left = [_MOST_BYTES]

    def one(request: ResourceRequest) -> tuple[WebExchange, ...] | str:
        if is_near(request.url) and not may_be_near:
            return f"{request.url} is on this machine, where a page from elsewhere may not look"
        if left[0] <= 0:
            return f"{request.url}: the page has more than {_MOST_BYTES // 2**20} MB of files"
        try:
            hops = exchanges(request.url, _FETCH_S, request.headers, reach=reach)
        except InputError as error:
            return str(error)
        left[0] -= sum(len(hop.body) for hop in hops)
        return hops

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for answer in pool.map(one, asked.values()):
            if isinstance(answer, str):
                lost.append(answer)
                continue
            result.update((hop.url, hop) for hop in answer)
            if answer[-1].status >= 400:
                lost.append(f"{answer[0].url}: its server answers {answer[-1].status}")
    return list(result.values()), lost
