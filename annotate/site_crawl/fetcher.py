"""One exchange with a server: a request out, its raw answer in, within limits of time and size.

The standard library's client, so that every byte of both can be kept.  A connection stays open for
the next request to the same host, and there is never more than one.
"""

import http.client
import io
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlsplit

from engine.errors import InputError, PageletError

_CHUNK = 65536
_PATH = "/%:@!$&'()*+,;=~-._"
_QUERY = f"{_PATH}?[]"


class NoAnswer(PageletError):
    """A server that gave no whole answer: the next crawl tries it again."""


@dataclass(frozen=True)
class Limits:
    """What one answer may take.

    Attributes:
        seconds: From the request to the last byte.
        most_bytes: Of it, packed as it comes; what is larger is cut off there.
    """

    seconds: float = 20.0
    most_bytes: int = 8 * 2**20


@dataclass(frozen=True)
class Exchange:
    """A request and its answer, byte for byte.

    Attributes:
        address: What was asked for.
        request, response: With their heads.
        cut: "length" if the answer was larger than it may be, "unspecified" if its head already
            said that it is not wanted; "" if it is whole.
    """

    address: str
    request: bytes
    response: bytes
    cut: str = ""


IsWanted = Callable[[int, Message], bool]
"""Tells from status and headers whether a body is worth reading."""


def all_wanted(_status: int, _headers: Message) -> bool:
    """Every body is."""
    return True


class Fetcher:
    """Asks for addresses, one after the other.

    Args:
        headers: Sent with every request.
        limits: Of each answer.
    """

    def __init__(self, headers: Mapping[str, str], limits: Limits) -> None:
        self._headers, self._limits = headers, limits
        self._connection: _Connection | None = None
        self._host: tuple[str, str] | None = None

    def fetch(self, address: str, is_wanted: IsWanted = all_wanted) -> Exchange:
        """Return the exchange; `NoAnswer` says what was missing, `InputError` that it is none."""
        scheme, host, target = request_parts(address)
        is_open = self._connection is not None and self._host == (scheme, host)
        try:
            return self._ask(address, scheme, host, target, is_wanted)
        except _StaleConnection:
            if not is_open:
                raise
        self.close()  # the server had ended the connection since the last request
        return self._ask(address, scheme, host, target, is_wanted)

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()
        self._connection, self._host = None, None

    def _ask(
        self, address: str, scheme: str, host: str, target: str, is_wanted: IsWanted
    ) -> Exchange:
        connection = self._connected(scheme, host)
        late = _Deadline(connection, self._limits.seconds)
        try:
            with late:
                cut = self._read(connection, target, is_wanted)
            if late.is_over:
                raise TimeoutError
        except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
            # AttributeError: of a socket that the deadline took from under its reader
            has_begun = bool(connection.received)
            self.close()
            if late.is_over or isinstance(error, TimeoutError):
                limit = f"{self._limits.seconds:g} s"
                raise NoAnswer(f"{address} gave no whole answer within {limit}") from None
            kind = (
                NoAnswer
                if has_begun or not isinstance(error, ConnectionError)
                else _StaleConnection
            )
            raise kind(f"{address} gave no whole answer: {_said(error)}") from None
        found = Exchange(address, bytes(connection.sent), bytes(connection.received), cut)
        if cut:
            self.close()
        return found

    def _connected(self, scheme: str, host: str) -> "_Connection":
        if self._connection is None or self._host != (scheme, host):
            self.close()
            kind = _SecureConnection if scheme == "https" else _Connection
            try:
                self._connection = kind(host, timeout=self._limits.seconds)
            except http.client.InvalidURL as error:
                raise InputError(f"{host} is not a host: {error}") from None
            self._host = scheme, host
        self._connection.sent.clear()
        self._connection.received.clear()
        return self._connection

    def _read(self, connection: "_Connection", target: str, is_wanted: IsWanted) -> str:
        connection.request("GET", target, headers=dict(self._headers))
        answer = connection.getresponse()
        if not is_wanted(answer.status, answer.headers):
            return "unspecified"
        while answer.read1(_CHUNK):
            if len(connection.received) > self._limits.most_bytes:
                return "length"
        if answer.length:
            raise http.client.IncompleteRead(b"", answer.length)
        answer.read()  # nothing is left, and the connection is free for the next request
        return ""


def request_parts(address: str) -> tuple[str, str, str]:
    """Return scheme, host with port, and what is asked of it; `InputError` if it is no address."""
    try:
        parts = urlsplit(address)
        name, port = parts.hostname or "", parts.port
        host = name.encode("idna").decode("ascii") if not name.isascii() else name
    except ValueError:
        raise InputError(f"{address} is not an address") from None
    if parts.scheme not in ("http", "https") or not host:
        raise InputError(f"{address} is not an http(s) address")
    host = f"[{host}]" if ":" in host else host
    target = quote(parts.path or "/", safe=_PATH)
    query = f"?{quote(parts.query, safe=_QUERY)}" if parts.query else ""
    return parts.scheme, host if port is None else f"{host}:{port}", f"{target}{query}"


class _StaleConnection(NoAnswer):
    """A connection that ended before the first byte."""


class _Deadline:
    """Cuts a connection off when its time is over: a server may send a byte now and then."""

    def __init__(self, connection: "_Connection", seconds: float) -> None:
        self.is_over = False
        self._connection = connection
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()

    def _end(self) -> None:
        self.is_over = True
        opened: socket.socket | None = self._connection.opened
        if opened is not None:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)


class _Tee(io.RawIOBase):
    """What is read from a socket, kept."""

    def __init__(self, raw: Any, kept: bytearray) -> None:  # noqa: ANN401
        self._raw, self._kept = raw, kept

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:  # noqa: ANN401
        count: int | None = self._raw.readinto(buffer)
        if count:
            self._kept += memoryview(buffer)[:count]
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    received: bytearray

    def __init__(self, sock: socket.socket, *more: Any, **named: Any) -> None:  # noqa: ANN401
        super().__init__(sock, *more, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_Tee(sock.makefile("rb", buffering=0), self.received))


class _Connection(http.client.HTTPConnection):
    """Keeps what goes out and comes in.

    Attributes:
        opened: The socket, known also when an answer has taken it over.
    """

    def __init__(self, host: str, *, timeout: float, **named: Any) -> None:  # noqa: ANN401
        super().__init__(host, timeout=timeout, **named)
        self.sent, self.received = bytearray(), bytearray()
        self.opened: socket.socket | None = None
        self.response_class = type("_Kept", (_Response,), {"received": self.received})

    def connect(self) -> None:
        super().connect()
        self.opened = self.sock

    def send(self, data: Any) -> None:  # noqa: ANN401
        self.sent += data
        super().send(data)


class _SecureConnection(_Connection, http.client.HTTPSConnection):
    def __init__(self, host: str, *, timeout: float) -> None:
        super().__init__(host, timeout=timeout, context=ssl.create_default_context())


@dataclass(frozen=True)
class ServerAnswer:
    """What an exchange says.

    Attributes:
        address: What was asked for.
        status: Of HTTP.
        headers: Names in any case.
        data: The body, transfer and content encodings undone; b"" where it was cut off.
        cut: See `Exchange`.
    """

    address: str
    status: int
    headers: Mapping[str, str]
    data: bytes
    cut: str = ""

    @property
    def kind(self) -> str:
        """Its content type without parameters, in small letters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


def answer_of(address: str, response: bytes, cut: str, most_bytes: int) -> ServerAnswer:
    """Take an answer apart; `NoAnswer` where it is none, or unpacks to too much."""
    played = http.client.HTTPResponse(_Played(response))  # type: ignore[arg-type]
    try:
        played.begin()
        body = b"" if cut else played.read()
        data = _unpacked(body, played.headers.get("Content-Encoding", ""), most_bytes)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise NoAnswer(f"{address} gave an answer that cannot be read: {_said(error)}") from None
    headers = {name.lower(): value for name, value in played.headers.items()}
    return ServerAnswer(address, played.status, MappingProxyType(headers), data, cut)


class _Played:
    """An answer read again, as if from a socket."""

    def __init__(self, response: bytes) -> None:
        self._response = response

    def makefile(self, *_arguments: object) -> io.BytesIO:
        return io.BytesIO(self._response)


def _unpacked(body: bytes, encoding: str, most_bytes: int) -> bytes:
    kind = encoding.strip().lower()
    if kind in ("", "identity") or not body:
        return body
    if kind not in ("gzip", "x-gzip", "deflate"):
        raise ValueError(f"its content encoding {kind} is not supported")
    for bits in (47, -15):  # gzip or zlib by its head; some servers send bare deflate
        unpack = zlib.decompressobj(wbits=bits)
        try:
            data = unpack.decompress(body, most_bytes + 1)
        except zlib.error as error:
            said = str(error)
            continue
        if len(data) > most_bytes:
            raise ValueError(f"it unpacks to more than {most_bytes / 2**20:g} MB")
        if not unpack.eof:
            said = "it ends too early"
            continue
        return data
    raise ValueError(said)


def _said(error: BaseException) -> str:
    if isinstance(error, http.client.IncompleteRead):
        return "it ends too early"
    if isinstance(error, http.client.BadStatusLine):
        return "it is not HTTP"
    return str(getattr(error, "strerror", None) or error or type(error).__name__)
