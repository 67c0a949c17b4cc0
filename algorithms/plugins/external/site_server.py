"""An HTTP proxy on this machine that has nothing but the pages of one site.

Source: T. Gottron, dissertation, Mainz 2008, Figure 7.11: an extractor that looks at
further pages fetches them, under their full addresses, through the evaluation framework, which has
those that are archived and answers 404 to all else.

Departures: the proxy is on the loopback address and wants a token (HTTP's basic scheme, user
`USER`), 407 without it, so that neither other programs nor pages in a browser can read the site.
Pages of https addresses are had by their http ones, since nobody can prove to be their host; a
client that wants a tunnel (``CONNECT``) gets 404.
"""

import base64
import hmac
import secrets
import threading
import time
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urldefrag, urlsplit, urlunsplit

from algorithms.templates.site import Site, normal
from engine.errors import MethodError
from engine.source import Source

USER = "pagelet"

_NOT_HERE = b"There is no such page.\n"
_NOT_YOURS = b"The token is missing.\n"


class SiteServer:
    """Server of a site while it is entered; a context manager.

    Args:
        site: Its pages; gold is nowhere in it.
        port: On which; 0 takes a free one.
        token: What a client has to show; "" makes one up.

    Attributes:
        proxy: The address of the proxy with user and token, as ``http_proxy`` wants it.
        address: The page that is to be read, by an http address.
        ended: When that was first served to its end; None if it never was.
        served: How many requests were answered with a page.
    """

    def __init__(self, site: Site, port: int = 0, token: str = "") -> None:
        token = token or secrets.token_urlsafe(16)
        self._shown = f"Basic {base64.b64encode(f'{USER}:{token}'.encode()).decode()}"
        self._seed = site.source
        self._pages = {normal(near(each.address)): each.source for each in reversed(site.pages)}
        self._pages |= {near(each.address): each.source for each in reversed(site.pages)}
        self.address = near(site.pages[site.seed].address)
        self._pages[self.address] = site.source
        self.ended: float | None = None
        self.served = 0
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, self))
        except OSError as error:
            reason = error.strerror or error
            raise MethodError(f"port {port} cannot be used for the site: {reason}") from None
        self._server.daemon_threads = True
        self.proxy = f"http://{USER}:{token}@127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )

    def knows(self, shown: str) -> bool:
        """Whether a client has shown the token."""
        return hmac.compare_digest(shown.encode(), self._shown.encode())

    def page_at(self, address: str) -> Source | None:
        """Return the page of an address; None where the site has none."""
        own = near(address)
        return self._pages.get(own) or self._pages.get(normal(own))

    def note_served(self, source: Source) -> None:
        """Note that a page is being sent."""
        self.served += 1
        if source is self._seed and self.ended is None:
            self.ended = time.perf_counter()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """Handler of a request for a page of the site."""

    protocol_version = "HTTP/1.0"

    def __init__(self, site: SiteServer, *connection: Any) -> None:  # noqa: ANN401  (the server's)
        self._site = site
        super().__init__(*connection)  # answers

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        body, source = self._answer()
        self.wfile.write(body[:-1])
        if source is not None:
            # Noted before the last byte, after which the client may have ended.
            self._site.note_served(source)
        self.wfile.write(body[-1:])

    def do_CONNECT(self) -> None:
        self._say(404, "text/plain", _NOT_HERE)
        self.wfile.write(_NOT_HERE)

    def _answer(self) -> tuple[bytes, Source | None]:
        """Send the head; return the body, and the page if it is one."""
        if not self._site.knows(self.headers.get("Proxy-Authorization", "")):
            self._say(407, "text/plain", _NOT_YOURS)
            return _NOT_YOURS, None
        source = self._site.page_at(self.path)
        if source is None:
            self._say(404, "text/plain", _NOT_HERE)
            return _NOT_HERE, None
        body, charset = bytes_of(source)
        self._say(200, f"text/html; charset={charset}", body)
        return body, source

    def _say(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        if status == 407:
            self.send_header("Proxy-Authenticate", f'Basic realm="{USER}"')
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()

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
