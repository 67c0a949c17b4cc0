"""The bytes of a document, from a file or one GET.  No Qt.

All raise `InputError` with a sentence for the user.
"""

import gzip
import http.client
import logging
import re
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

from engine import held_files
from engine.bounded_file import read_at_most
from engine.errors import InputError, Unreachable, convert_os_error
from engine.hosts import HostPolicy, PrivateAddress
from engine.http_client import MOST_HEAD, Connection, Deadline, TooMuch, reason_of
from engine.media_types import media_type
from engine.saved import WebExchange
from engine.xhtml import is_xml_kind

log = logging.getLogger(__name__)

MAX_BYTES = 64 * 2**20
_MOST_HOPS = 20
_SAFE = "%/:=&?~#+!$,;'@()*[]"
_MOVED = frozenset([301, 302, 303, 307, 308])
_NEAR_HOST = re.compile(r"127\.[\d.]+|(?:.*\.)?localhost\.?|::1|::|0\.0\.0\.0|0")
_USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Pagelet/0.1"


@dataclass(frozen=True)
class Received:
    """Bytes of a document and the sender's information on them.

    Attributes:
        data: As received.
        charset: The charset of the HTTP header, or the forced one; "" if none.
        exchanges: Requests and responses over HTTP; empty for a file.
        is_xml: Whether browsers read it as XML, by its media type or the name of its file.
    """

    data: bytes
    charset: str = ""
    exchanges: tuple[WebExchange, ...] = field(default=(), repr=False)
    is_xml: bool = False


def read_file(path: Path) -> bytes:
    """Return a file's bytes, unpacked if its name ends in ``.gz``."""
    with convert_os_error(f"read {path}"):
        if path.suffix == ".gz":
            return _unpacked(path)
        with held_files.open_held(path) as file:
            return limit_size(read_at_most(file, MAX_BYTES + 1), str(path))


def _unpacked(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            data = limit_size(read_at_most(file, MAX_BYTES + 1), str(path))
        if not data and not path.stat().st_size:
            raise EOFError("not one byte is in it")
        return data
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot unpack {path}: {error}") from error


def limit_size(data: bytes, address: str) -> bytes:
    """Return the bytes, if they are not too many (`MAX_BYTES`)."""
    if len(data) > MAX_BYTES:
        raise InputError(f"{address} is larger than {MAX_BYTES // 2**20} MB")
    return data


def get(url: str, timeout_s: float) -> Received:
    """Return the answer to a single GET, whatever its status.  Raises `InputError`."""
    hops = exchanges(url, timeout_s, (("Accept", "text/html,*/*;q=0.8"),))
    last = hops[-1]
    if last.status >= 400:
        log.warning("%s was answered with %d %s: this is that page", url, last.status, last.reason)
    promised = last.header("Content-Length")
    if promised.isdecimal() and len(last.body) < int(promised):
        come = f"{len(last.body):,} of {int(promised):,} bytes"
        log.warning("the answer of %s is cut short: %s came", url, come)
    kind, charset = media_type(last.header("Content-Type"))
    return Received(last.body, charset, hops, is_xml_kind(kind))


def exchanges(
    url: str,
    timeout_s: float,
    headers: Iterable[tuple[str, str]] = (),
    *,
    most: int = MAX_BYTES,
    reach: HostPolicy | None = None,
) -> tuple[WebExchange, ...]:
    """Return the answer to a GET, after those that sent it elsewhere.  Raises `InputError`.

    A server elsewhere cannot send Pagelet to this machine or a private network; ``reach`` is of
    the page that asks for it, None where the user does.
    """
    deadline = time.monotonic() + timeout_s
    result: list[WebExchange] = []
    at = url.partition("#")[0]
    asked = (("User-Agent", _USER_AGENT), *headers)
    reach = reach or HostPolicy(url)
    for _ in range(_MOST_HOPS):
        try:
            result.append(_exchange(at, deadline, asked, most, reach))
        except PrivateAddress as error:
            asked_for = at if at == url else f"{url} redirects to {at}"
            raise InputError(f"cannot get {asked_for}: {error}") from None
        goal = result[-1].header("Location")
        if result[-1].status not in _MOVED or not goal:
            return tuple(result)
        try:
            goal = quote(urljoin(at, goal).partition("#")[0], safe=_SAFE)
        except ValueError as error:
            raise InputError(f"{at} redirects to {goal}, which is not an address") from error
        if not goal.startswith(("http:", "https:")):
            raise InputError(f"{url} redirects to {goal}, which is not on the web")
        at = goal
    raise InputError(f"{url} redirects too often")


def _exchange(
    url: str, deadline: float, asked: tuple[tuple[str, str], ...], most: int, reach: HostPolicy
) -> WebExchange:
    left = deadline - time.monotonic()
    if left <= 0:
        raise Unreachable(f"{url} did not answer in time")
    try:
        connection, target = _connection(url, reach, left)
    except (ValueError, http.client.InvalidURL) as error:
        raise InputError(f"cannot get {url}: it is not an address") from error
    late = Deadline(connection, left)
    try:
        with late:
            answer = connection.get(target, {**dict(asked), "Connection": "close"})
            # more than the body: whatever is around its chunks
            connection.most = len(connection.received) + 2 * most + MOST_HEAD
            body = answer.read(most + 1)
        if late.is_over:
            raise TimeoutError
    except TooMuch:
        raise InputError(f"the answer of {url} never ends") from None
    except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
        # AttributeError: of a socket that the deadline took from under its reader
        if late.is_over or isinstance(error, TimeoutError):
            raise Unreachable(f"{url} did not answer in time") from None
        raise Unreachable(f"cannot get {url}: {reason_of(error)}") from error
    finally:
        connection.end()
    if len(body) > most:
        raise InputError(f"{url} is larger than {most // 2**20} MB")
    every = answer.headers.items()  # the reader has decoded chunked bodies
    headers = tuple((name, value) for name, value in every if name.lower() != "transfer-encoding")
    return WebExchange(url, answer.status, headers, body, asked=asked, reason=answer.reason or "")


def _connection(url: str, reach: HostPolicy, seconds: float) -> tuple[Connection, str]:
    """Return the connection for an address, and the request target; raises `ValueError`."""
    parts = urlsplit(url)
    name, port = parts.hostname or "", parts.port
    if not name:
        raise ValueError("no host")
    host = name if name.isascii() else name.encode("idna").decode("ascii")
    host = f"[{host}]" if ":" in host else host
    query = f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
    target = f"{quote(parts.path or '/', safe=_SAFE)}{query}"
    where = host if port is None else f"{host}:{port}"
    return Connection(parts.scheme, where, reach, seconds), target


def is_near(url: str) -> bool:
    """Return whether a web address is one of this machine itself."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return _NEAR_HOST.fullmatch(host) is not None
