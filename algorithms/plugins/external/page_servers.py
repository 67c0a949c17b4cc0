"""HTTP servers on this machine that have nothing but one page, or the pages of one site.

Source: T. Gottron, dissertation, Mainz 2008, section 5.3: a minimal server holds exactly the one
document; Figure 7.11: an extractor that looks at further pages fetches them, under their full
addresses, through the evaluation framework, which has those that are archived and answers 404 to
all else.

Departures: the servers are on the loopback address, so that neither other programs nor pages in a
browser can read the pages.  One page is under a path that nobody can guess, and not for those who
take the server for another host.  A site is behind a proxy that wants a token (HTTP's basic scheme,
user `USER`), 407 without it.  Pages of https addresses are had by their http ones, since nobody can
prove to be their host; a client that wants a tunnel (``CONNECT``) gets 404.
"""

import base64
import hmac
import secrets
import threading
import time
from email.message import Message
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urldefrag, urlsplit, urlunsplit

from algorithms.templates.site import Site, normal
from engine.errors import MethodError
from engine.source import Source

NAME = "page.html"
USER = "pagelet"

_REFUSALS = {404: b"There is no such page.\n", 407: b"The token is missing.\n"}


class PageServer:
    """Server of pages while it is entered; a context manager.

    Attributes:
        host: Its address and port.
        ended: When the page to be read was served to its end; None if it never was.
    """

    def __init__(self, port: int = 0) -> None:
        self.ended: float | None = None
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, self))
        except OSError as error:
            reason = error.strerror or error
            raise MethodError(f"port {port} cannot be used for the site: {reason}") from None
        self._server.daemon_threads = True
        self.host = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )

    def requested(self, path: str, headers: Message) -> Source | int:
        """Return the page that a request is for, or the status that refuses it."""
        raise NotImplementedError

    def note_served(self, source: Source) -> None:
        """Note that a page is being sent."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class SinglePageServer(PageServer):
    """Server of one page.

    Attributes:
        url: Where; another one each time.
    """

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source, self._path = source, f"/{secrets.token_urlsafe(16)}/{NAME}"
        self.url = f"http://{self.host}{self._path}"

    def requested(self, path: str, headers: Message) -> Source | int:
        # Proxies older than HTTP/1.1 send no host; a page in a browser cannot hide its own.
        host = str(headers.get("Host", self.host)).lower()
        is_there = path.partition("?")[0] == self._path and host in (self.host, "127.0.0.1")
        return self._source if is_there else 404

    def note_served(self, _source: Source) -> None:
        self.ended = time.perf_counter()


class SiteServer(PageServer):
    """Server of a site, as its proxy.

    Args:
        site: Its pages; gold is nowhere in it.
        port: On which; 0 takes a free one.
        token: What a client has to show; "" makes one up.

    Attributes:
        proxy: The address of the proxy with user and token, as ``http_proxy`` wants it.
        address: The page that is to be read, by an http address.
        served: How many requests were answered with a page.
    """

    def __init__(self, site: Site, port: int = 0, token: str = "") -> None:
        super().__init__(port)
        token = token or secrets.token_urlsafe(16)
        self._shown = f"Basic {base64.b64encode(f'{USER}:{token}'.encode()).decode()}"
        self._seed = site.source
        self._pages = {normal(near(each.address)): each.source for each in reversed(site.pages)}
        self._pages |= {near(each.address): each.source for each in reversed(site.pages)}
        self.address = near(site.pages[site.seed].address)
        self._pages[self.address] = site.source
        self.served = 0
        self.proxy = f"http://{USER}:{token}@{self.host}"

    def requested(self, path: str, headers: Message) -> Source | int:
        shown = str(headers.get("Proxy-Authorization", ""))
        if not hmac.compare_digest(shown.encode(), self._shown.encode()):
            return 407
        own = near(path)
        return self._pages.get(own) or self._pages.get(normal(own)) or 404

    def note_served(self, source: Source) -> None:
        self.served += 1
        if source is self._seed and self.ended is None:
            self.ended = time.perf_counter()


class _Handler(BaseHTTPRequestHandler):
    """Handler of a request for a page."""

    protocol_version = "HTTP/1.0"

    def __init__(self, pages: PageServer, *connection: Any) -> None:  # noqa: ANN401  (the server's)
        self._pages = pages
        super().__init__(*connection)  # answers

    def do_HEAD(self) -> None:
        self._say_head(self._pages.requested(self.path, self.headers))

    def do_GET(self) -> None:
        page = self._pages.requested(self.path, self.headers)
        body = self._say_head(page)
        self.wfile.write(body[:-1])
        if isinstance(page, Source):
            # Noted before the last byte, after which the client may have ended.
            self._pages.note_served(page)
        self.wfile.write(body[-1:])

    def do_CONNECT(self) -> None:
        self.wfile.write(self._say_head(404))

    def _say_head(self, page: Source | int) -> bytes:
        """Send the head for a page, or for the status of a refusal; return the body."""
        status, kind = page if isinstance(page, int) else 200, "text/plain"
        if isinstance(page, Source):
            body, charset = bytes_of(page)
            kind = f"text/html; charset={charset}"
        else:
            body = _REFUSALS[page]
        self.send_response(status)
        if status == 407:
            self.send_header("Proxy-Authenticate", f'Basic realm="{USER}"')
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return body

    def log_message(self, format: str, *_values: object) -> None:
        """Log nothing: requests are no news."""


def bytes_of(source: Source) -> tuple[bytes, str]:
    """Return a page's bytes as received, if there are such, and their charset."""
    if source.data:
        return source.data, source.encoding
    return source.html.encode("utf-8", "replace"), "utf-8"


def near(address: str) -> str:
    """Return an address as a client asks a proxy for it: by http, without a fragment."""
    try:
        parts = urlsplit(urldefrag(address).url)
    except ValueError:
        return ""
    scheme = "http" if parts.scheme == "https" else parts.scheme
    host = parts.netloc.lower().removesuffix(":443" if parts.scheme == "https" else ":80")
    return urlunsplit((scheme, host, parts.path or "/", parts.query, ""))
