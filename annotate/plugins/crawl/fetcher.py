"""One exchange with a server: a request out, its raw answer in, within limits of time and size.

The standard library's client, so that every byte of both can be kept.  A connection stays open for
the next request to the same host, and there is never more than one.
"""

import http.client
import io
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from types import MappingProxyType
from urllib.parse import quote, urlsplit

from engine.errors import InputError, PageletError
from engine.hosts import HostPolicy, PrivateAddress
from engine.http_client import Connection, Deadline, TooMuch, final_answer, reason_of
from engine.options import Options, option

_CHUNK = 65536
_PATH = "/%:@!$&'()*+,;=~-._"
_QUERY = f"{_PATH}?[]"


class NoAnswer(PageletError):
    """A server that gave no whole answer: the next crawl tries it again."""


@dataclass(frozen=True)
class Limits(Options):
    """Limits of one response.

    Attributes:
        seconds: From the request to the last byte.
        largest: MB of it, compressed as received; larger ones are cut off there.
    """

    seconds: float = option(
        20.0, "longest time for one answer", flag="timeout", metavar="SECONDS", above=0
    )
    largest: float = option(8.0, "largest answer", metavar="MB", above=0)

    @property
    def most_bytes(self) -> int:
        """The largest answer in bytes."""
        return int(self.largest * 2**20)


@dataclass(frozen=True)
class Exchange:
    """A request and its answer, byte for byte.

    Attributes:
        address: The requested address.
        request, response: With their heads.
        cut: "length" if the answer was larger than allowed, "unspecified" if it was not wanted by
            its head; "" if it is whole.
    """

    address: str
    request: bytes
    response: bytes
    cut: str = ""


IsAccepted = Callable[[int, Message], bool]
"""Tells from status and headers whether a body is worth reading."""


class Fetcher:
    """Asks for addresses, one after the other.

    Args:
        headers: Sent with every request.
        limits: Of each answer.
        reach: Policy of allowed hosts.
    """

    def __init__(self, headers: Mapping[str, str], limits: Limits, reach: HostPolicy) -> None:
        self._headers, self._limits, self._reach = headers, limits, reach
        self._connection: Connection | None = None
        self._host: tuple[str, str] | None = None

    def fetch(self, address: str, is_accepted: IsAccepted) -> Exchange:
        """Return the exchange; raises `NoAnswer`, or `InputError` for an invalid address."""
        scheme, host, target = request_parts(address)
        is_open = self._connection is not None and self._host == (scheme, host)
        try:
            return self._ask(address, scheme, host, target, is_accepted)
        except _StaleConnection:
            if not is_open:
                raise
        self.close()  # the server had ended the connection since the last request
        return self._ask(address, scheme, host, target, is_accepted)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.end()
        self._connection, self._host = None, None

    def _ask(
        self, address: str, scheme: str, host: str, target: str, is_accepted: IsAccepted
    ) -> Exchange:
        connection = self._connected(scheme, host)
        late = Deadline(connection, self._limits.seconds)
        try:
            with late:
                cut = self._read(connection, target, is_accepted)
            if late.is_over:
                raise TimeoutError
        except PrivateAddress as error:
            self.close()
            raise NoAnswer(f"{address} was not requested: {error}") from None
        except TooMuch:
            self.close()
            raise NoAnswer(f"the answer of {address} is incomplete: its head never ends") from None
        except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
            # AttributeError: of a socket that the deadline took from under its reader
            has_begun = bool(connection.received)
            self.close()
            if late.is_over or isinstance(error, TimeoutError):
                limit = f"{self._limits.seconds:g} s"
                raise NoAnswer(f"{address} did not answer completely within {limit}") from None
            is_stale = isinstance(error, ConnectionError) and not has_begun
            kind = _StaleConnection if is_stale else NoAnswer
            incomplete = f"the answer of {address} is incomplete"
            failed = incomplete if connection.sent else f"cannot get {address}"
            raise kind(f"{failed}: {reason_of(error)}") from None
        sent, received = bytes(connection.sent), final_answer(bytes(connection.received))
        if cut:
            self.close()
        return Exchange(address, sent, received, cut)

    def _connected(self, scheme: str, host: str) -> Connection:
        if self._connection is None or self._host != (scheme, host):
            self.close()
            try:
                self._connection = Connection(scheme, host, self._reach, self._limits.seconds)
            except http.client.InvalidURL as error:
                raise InputError(f"{host} is not a host: {error}") from None
            self._host = scheme, host
        self._connection.begin(self._limits.seconds)
        return self._connection

    def _read(self, connection: Connection, target: str, is_accepted: IsAccepted) -> str:
        answer = connection.get(target, self._headers)
        if not is_accepted(answer.status, answer.headers):
            return "unspecified"
        connection.most = len(connection.received) + self._limits.most_bytes + _CHUNK
        try:
            while answer.read1(_CHUNK):
                if len(connection.received) > self._limits.most_bytes:
                    return "length"
        except TooMuch:  # in the trailers, after the last chunk
            return "length"
        if answer.length:
            raise http.client.IncompleteRead(b"", answer.length)
        answer.read()  # empty, but frees the connection for the next request
        return ""


def request_parts(address: str) -> tuple[str, str, str]:
    """Return scheme, host with port, and request target; `InputError` if it is no address."""
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


@dataclass(frozen=True)
class ServerAnswer:
    """Response of an exchange.

    Attributes:
        address: The requested address.
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
        """Content type without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


def answer_of(address: str, response: bytes, cut: str, most_bytes: int) -> ServerAnswer:
    """Parse an answer; `NoAnswer` if it is invalid, or unpacks to too much."""
    played = http.client.HTTPResponse(_Played(response))  # type: ignore[arg-type]
    try:
        played.begin()
        body = b"" if cut else played.read()
        data = _unpacked(body, played.headers.get("Content-Encoding", ""), most_bytes)
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = reason_of(error)
        raise NoAnswer(f"{address} gave an answer that cannot be read: {why}") from None
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
            text = str(error)
            continue
        if len(data) > most_bytes:
            raise ValueError(f"it unpacks to more than {most_bytes / 2**20:g} MB")
        if not unpack.eof:
            text = "it ends too early"
            continue
        return data
    raise ValueError(text)
