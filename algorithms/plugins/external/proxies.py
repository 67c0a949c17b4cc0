"""An HTTP proxy as a method: Pagelet serves the page and asks the proxy for it.

Source: T. Gottron, dissertation, Mainz 2008, section 5.3: a minimal server holds exactly the one
document, the proxy fetches it from there and hands on what it takes for the main content; the time
taken is that from the end of serving to the end of receiving.

Departures: an answer in plain text is taken as it is, where the thesis always strips tags; a proxy
that answers without having fetched the document, or with a status other than 200, has failed.
Server and proxy are on one machine (`page_servers`).

An extractor that crawls is asked for the page by its own address and fetches that and others of the
site through `SiteServer`, whose address it is told in the header `PROXY_HEADER`.
"""

import contextlib
import http.client
import socket
import threading
import time
from collections.abc import Mapping
from types import MappingProxyType

from algorithms.own.answers import AnswerKind, extraction
from algorithms.params import Params
from algorithms.plugins.external.page_servers import SinglePageServer, SiteServer
from algorithms.results import Extraction
from algorithms.templates.site import Site
from engine.encoding import decode
from engine.errors import MethodError, MethodTimeout
from engine.processes.commands import MOST_BYTES
from engine.source import Source

PROXY_HEADER = "X-Pagelet-Proxy"
"""Tells a crawling extractor through which proxy it gets the pages of the site."""

_LEAVE_SECONDS = 1.0


def run(
    host: str, port: int, kind: AnswerKind | None, source: Source, params: Params
) -> Extraction:
    """Fetch a source through a proxy; without ``kind`` the answer's content type decides."""
    with SinglePageServer(source) as served:
        request = _asked(host, port, served.url, _limit(params))
    return _taken(request, served.ended, kind, source)


def run_on_site(
    host: str,
    port: int,
    kind: AnswerKind | None,
    own_port: int,
    token: str,
    site: Site,
    params: Params,
) -> Extraction:
    """Fetch a page through a proxy, which may fetch other pages of its site from Pagelet.

    ``own_port`` 0 and ``token`` "" take a port and a token that are new each time.
    """
    with SiteServer(site, own_port, token) as served:
        headers = {PROXY_HEADER: served.proxy}
        request = _asked(host, port, served.address, _limit(params), headers)
    return _taken(request, served.ended, kind, site.source)


def _limit(params: Params) -> float:
    return float(params.as_dict()["seconds"])


def _asked(
    host: str, port: int, url: str, limit: float, headers: Mapping[str, str] = MappingProxyType({})
) -> "_ProxyRequest":
    """Return a request that has ended; `MethodError` if it did not get an answer in time."""
    request = _ProxyRequest(host, port, url, limit, headers)
    request.start()
    request.join(limit)
    if request.is_alive():
        request.give_up()
        raise MethodTimeout(f"took longer than {limit:g} s")
    if request.error:
        raise MethodError(request.error)
    return request


def _taken(
    request: "_ProxyRequest", served: float | None, kind: AnswerKind | None, source: Source
) -> Extraction:
    if served is None:
        raise MethodError("the proxy answered without asking for the page")
    text = decode(request.body, request.charset).text
    result = kind or ("text" if request.content_type == "text/plain" else "html")
    return extraction(source, text, result, max(0.0, request.ended - served))


class _ProxyRequest(threading.Thread):
    """GET request through a proxy; at the thread's end ``error`` or the other attributes hold."""

    def __init__(
        self, host: str, port: int, url: str, seconds: float, headers: Mapping[str, str]
    ) -> None:
        super().__init__(daemon=True)
        self._url, self._headers = url, {**headers, "Connection": "close"}
        # Longer than the caller waits for this thread, which reports a time-out itself.
        wait = seconds + _LEAVE_SECONDS
        self._connection = http.client.HTTPConnection(host, port, timeout=wait)
        self._socket: socket.socket | None = None
        self.error = ""
        self.body = b""
        self.content_type = ""
        self.charset = ""
        self.ended = 0.0

    def run(self) -> None:
        connection = self._connection
        try:
            connection.connect()
            self._socket = connection.sock  # the connection forgets it with the answer's head
            connection.request("GET", self._url, headers=self._headers)
            with connection.getresponse() as response:
                self.body = response.read(MOST_BYTES + 1)
                self.ended = time.perf_counter()
        except (OSError, ValueError, http.client.HTTPException) as error:  # ValueError: no host
            where = f"{connection.host}:{connection.port}"
            reason = getattr(error, "strerror", None) or error or type(error).__name__
            self.error = f"no answer from the proxy at {where}: {reason}"
            return
        finally:
            connection.close()
        self.content_type = response.headers.get_content_type()
        self.charset = response.headers.get_content_charset() or ""
        if response.status != http.client.OK:
            self.error = f"the proxy answered {response.status} {response.reason}"
        elif len(self.body) > MOST_BYTES:
            self.error = f"the proxy answered more than {MOST_BYTES // 1_000_000} MB"

    def give_up(self) -> None:
        """End the connection, so that the thread ends."""
        if self._socket is not None:
            with contextlib.suppress(OSError):  # just ended
                self._socket.shutdown(socket.SHUT_RDWR)
        self.join(_LEAVE_SECONDS)
