"""The bytes of a document, from a file or one GET.  No Qt.

All raise `InputError` with a sentence for the user.
"""

import gzip
import http.client
import re
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

from engine.errors import InputError
from engine.saved import WebExchange

MAX_BYTES = 64 * 2**20
_MOST_HOPS = 20
_MOVED = frozenset([301, 302, 303, 307, 308])
_NEAR_HOST = re.compile(r"127\.[\d.]+|(?:.*\.)?localhost\.?|::1|::|0\.0\.0\.0|0")
_USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Pagelet/0.1"


@dataclass(frozen=True)
class Received:
    """The bytes of a document and what the sender said of them.

    Attributes:
        data: As received.
        charset: The charset of the HTTP header, or the forced one; "" if none.
        exchanges: What was asked and answered over HTTP; empty for a file.
    """

    data: bytes
    charset: str = ""
    exchanges: tuple[WebExchange, ...] = field(default=(), repr=False)


def read_file(path: Path) -> bytes:
    """Return a file's bytes, unpacked if its name ends in ``.gz``."""
    try:
        if path.suffix == ".gz":
            return _unpacked(path)
        with path.open("rb") as file:
            return limited(file.read(MAX_BYTES + 1), str(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _unpacked(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            return limited(file.read(MAX_BYTES + 1), str(path))
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot unpack {path}: {error}") from error


def limited(data: bytes, address: str) -> bytes:
    """Return the bytes, if they are not too many (`MAX_BYTES`)."""
    if len(data) > MAX_BYTES:
        raise InputError(f"{address} is larger than {MAX_BYTES // 2**20} MB")
    return data


def get(url: str, timeout_s: float) -> Received:
    """Return the answer to a single GET, whatever its status.  Raises `InputError`."""
    hops = exchanges(url, timeout_s, (("Accept", "text/html,*/*;q=0.8"),))
    last = hops[-1]
    charset = Message()
    charset["Content-Type"] = last.header("Content-Type")
    return Received(last.body, charset.get_content_charset() or "", hops)


def exchanges(
    url: str, timeout_s: float, headers: Iterable[tuple[str, str]] = (), *, most: int = MAX_BYTES
) -> tuple[WebExchange, ...]:
    """Return the answer to a GET, after those that sent it elsewhere.  Raises `InputError`.

    A server elsewhere cannot send Pagelet to this machine itself.
    """
    deadline = time.monotonic() + timeout_s
    found: list[WebExchange] = []
    at = url.partition("#")[0]
    asked = (("User-Agent", _USER_AGENT), *headers)
    for _ in range(_MOST_HOPS):
        found.append(_exchange(at, deadline, asked, most))
        goal = found[-1].header("Location")
        if found[-1].status not in _MOVED or not goal:
            return tuple(found)
        try:
            goal = urljoin(at, goal).partition("#")[0]
            goal = quote(goal, safe="%/:=&?~#+!$,;'@()*[]")
        except ValueError as error:
            raise InputError(f"{at} redirects to {goal}, which is not an address") from error
        if is_near(goal) and not is_near(url):
            raise InputError(f"{url} redirects to {goal}, which is on this machine")
        if not goal.startswith(("http:", "https:")):
            raise InputError(f"{url} redirects to {goal}, which is not on the web")
        at = goal
    raise InputError(f"{url} redirects too often")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Let the answer be taken as it is."""


def _exchange(
    url: str, deadline: float, asked: tuple[tuple[str, str], ...], most: int
) -> WebExchange:
    opener = urllib.request.build_opener(_NoRedirects)
    left = deadline - time.monotonic()
    if left <= 0:
        raise InputError(f"{url} did not answer in time")
    try:
        request = urllib.request.Request(url, headers=dict(asked))
        try:
            answer = opener.open(request, timeout=left)
        except urllib.error.HTTPError as error:
            answer = error  # an error page is a page too, and the browser shows it
        with answer:
            parts: list[bytes] = []
            size = 0
            while part := answer.read(65536):
                parts.append(part)
                size += len(part)
                if time.monotonic() > deadline:
                    raise InputError(f"{url} did not answer in time")
                if size > most:
                    raise InputError(f"{url} is larger than {most // 2**20} MB")
            headers = tuple(
                (name, value)
                for name, value in answer.headers.items()
                if name.lower() != "transfer-encoding"  # undone by what has read it
            )
            return WebExchange(
                url,
                answer.status,
                headers,
                b"".join(parts),
                asked=asked,
                reason=answer.reason or "",
            )
    except (OSError, ValueError, http.client.HTTPException) as error:
        # URLError, time-outs, malformed addresses and answers
        reason = getattr(error, "reason", None) or error
        reason = getattr(reason, "strerror", None) or reason  # words, not error numbers
        raise InputError(f"cannot get {url}: {reason}") from error


def is_near(url: str) -> bool:
    """Return whether a web address is one of this machine itself."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return _NEAR_HOST.fullmatch(host) is not None
