"""Resources of a saved page if that is no folder, and the HTTP exchanges for them.

Addresses of saved pages are kept apart by host, path and query alone: a page that was sent over
https is shown under a scheme of Pagelet's own, and both are the same page.  No Qt.
"""

import re
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol
from urllib.parse import SplitResult, quote, unquote_to_bytes, urlsplit

_BACKSLASH = "\\"
_LONGEST_HOST = 254
_HOST = re.compile(
    r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
)
_NUMBERS = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)(?:\.(?:0x[0-9a-f]*|[0-9]+))*")
_NAMELESS = ".invalid"
"""Suffix of names that cannot be a host's (RFC 6761), as that of a page out of a folder."""


@dataclass(frozen=True)
class WebExchange:
    """Request and its response.

    Attributes:
        url: The address, without its fragment.
        status: Of HTTP; 200 for a file.
        headers: As sent, in order; of a file its content type alone.
        body: The bytes, transfer encoding undone.
        is_file: Whether it was read from a file, and nobody sent it.
        asked: The request's headers.
        reason: The reason phrase of the status.
    """

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    is_file: bool = False
    asked: tuple[tuple[str, str], ...] = field(default=())
    reason: str = ""

    def header(self, name: str) -> str:
        """Return a header's first value, "" if it was not sent."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


@dataclass(frozen=True)
class Stored:
    """Stored resource.

    Attributes:
        data: Its bytes, all encodings undone.
        kind: Its media type, with a charset if one was declared.
        url: Where on the web it was; "" if that is not known.
    """

    data: bytes
    kind: str
    url: str = ""


@dataclass(frozen=True)
class FrozenFrame:
    """A document as it stood, of the page itself or of a frame in it.

    Attributes:
        path: Which frame: indices into ``window`` from the main frame down; () is the main frame.
        html: Its DOM, serialised.
        kept: Reply of ``resources/js/keep.js`` for it.
    """

    path: tuple[int, ...]
    html: str
    kept: dict[str, Any]

    @property
    def address(self) -> str:
        return str(self.kept["address"])


class ResourceStore(Protocol):
    """Resources of saved pages.  Immutable, comparable and picklable, as a document that has it."""

    def find(self, url: str) -> Stored | None:
        """Return the resource of an address; None if there is none. Never raises."""

    def frames(self) -> tuple[FrozenFrame, ...]:
        """Return the page's documents as they stood; none if it is loaded as it was sent."""

    def digest(self) -> str:
        """Return a digest of the store's contents."""


def key_of(url: str) -> str:
    """Return the key that all addresses of a saved resource share; `ValueError` for no address."""
    parts = urlsplit(url.partition("#")[0])
    query = f"?{_plain(parts.query)}" if parts.query else ""
    return f"{_host_of(parts)}{_plain(_path_of(parts))}{query}"


def web_address(url: str) -> str:
    """Return the web address of a resource that Pagelet shows under its own scheme."""
    parts = urlsplit(url)
    if parts.scheme in ("http", "https"):
        return url
    host = parts.hostname or "local"
    if "." not in host:
        host += _NAMELESS
    query = f"?{parts.query}" if parts.query else ""
    return f"https://{host}{parts.path or '/'}{query}"


def shown_address(url: str) -> str:
    """Return the address under which the browser sees a resource of the web.

    Host, path and query are the same, the scheme is Pagelet's, so no server can be reached.  The
    browser requests exactly this address: ``..`` and the like are resolved first, and a host that
    is an IPv6 address or begins with a dash, which its own schemes cannot have, is renamed.
    """
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"pagelet://{_host_of(parts) or 'local'}{_path_of(parts)}{query}{fragment}"


def _host_of(parts: SplitResult) -> str:
    """Return a host in the one form that the browser leaves as it is."""
    host = (parts.hostname or "").partition("\\")[0].removesuffix(".").removesuffix(_NAMELESS)
    with suppress(UnicodeError):
        host = host if host.isascii() else host.encode("idna").decode("ascii")
    if _NUMBERS.fullmatch(host):
        with suppress(OSError):
            host = socket.inet_ntoa(socket.inet_aton(host))
    if not host or (len(host) < _LONGEST_HOST and _HOST.fullmatch(host)):
        return host
    return f"odd-{sha256(host.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _path_of(parts: SplitResult) -> str:
    """Return a path with its steps taken, as browsers do (URL standard, 4.4)."""
    # urlsplit's end of a host with a backslash is the start of its path
    path = f"{parts.netloc.partition(_BACKSLASH)[2]}{parts.path}".replace("\\", "/")
    if not path.startswith("/"):
        path = f"/{path}"
    steps: list[str] = []
    every = path.split("/")[1:]
    for number, step in enumerate(every):
        plain = step.lower().replace("%2e", ".")
        if plain == "..":
            del steps[-1:]
        elif plain != ".":
            steps.append(step)
        if plain in (".", "..") and number == len(every) - 1:
            steps.append("")
    return "/" + "/".join(steps)


def _plain(text: str) -> str:
    """Return a part of an address as it is whatever was escaped in it, and how."""
    return quote(unquote_to_bytes(text), "/?:@!$&'()*+,;=-._~")
